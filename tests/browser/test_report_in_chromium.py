"""The report in a real browser: it draws, sorts, filters, links, and runs nothing of the user's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

import clustval as cv
from clustval import data

IRIS = data.load("iris")


def column(page, number: int) -> list[str]:
    """Cells of a column of the table of indices, as far as they are shown."""
    return page.eval_on_selector_all(
        "#index-table tbody tr:not([hidden])", f"rows => rows.map(row => row.cells[{number}].textContent)"
    )


def page_data(page) -> dict:
    return json.loads(page.text_content("#page-data"))


def opacities(page, chart: str) -> list[float]:
    """Opacity of each mark of a chart, in the order of the data."""
    mark = {"plane": ".mark-symbol.role-mark path", "bars": ".mark-rect path"}[chart]
    return page.eval_on_selector_all(
        f"#{chart} svg {mark}", "paths => paths.map(path => Number(path.getAttribute('opacity') ?? 1))"
    )


def spot(page, across: float, down: float) -> tuple[float, float]:
    """Where a place in the plane is on the screen, in shares of its width and height."""
    page.locator("#plane").evaluate("plane => plane.scrollIntoView({block: 'center'})")  # headings stay at the top
    area = page.locator("#plane svg .root path.background").first.bounding_box()
    rim = 5  # the browser counts the stroke
    x = area["x"] + rim + across * (area["width"] - 2 * rim)
    return x, area["y"] + rim + down * (area["height"] - 2 * rim)


def drag(page, left: float, top: float, right: float, bottom: float) -> None:
    """Draw a box in the plane."""
    page.mouse.move(*spot(page, left, top))
    page.mouse.down()
    page.mouse.move(*spot(page, (left + right) / 2, (top + bottom) / 2))
    page.mouse.move(*spot(page, right, bottom))
    page.mouse.up()


# Loading


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["iris", "nasty", "many", "gaps", "study"])
def test_a_page_opens_without_complaint_and_asks_for_nothing(seen, pages, name, scheme):
    opened = seen(name, scheme)
    assert opened.complaints == []
    assert opened.requests == [pages[name].as_uri()]


def test_every_point_is_drawn_in_both_charts(seen):
    page = seen("iris").page
    assert len(opacities(page, "plane")) == 150
    assert len(opacities(page, "bars")) == 150


def test_charts_and_page_follow_the_scheme(seen):
    for scheme, dark in (("light", False), ("dark", True)):
        page = seen("iris", scheme).page
        ground, text, tick = page.evaluate("""() => [
            getComputedStyle(document.body).backgroundColor,
            getComputedStyle(document.body).color,
            getComputedStyle(document.querySelector("#plane svg .role-axis-label text")).fill,
        ]""")
        level = sum(int(part) for part in ground[4:-1].split(", ")) / 3
        assert (level < 60) is dark
        assert tick == text


def test_paper_is_white_whatever_the_scheme(visit):
    page = visit("iris", scheme="dark").page
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("#filter").is_hidden()
    assert page.locator("#index-table").is_visible()
    text = page.evaluate("getComputedStyle(document.querySelector('#plane svg .role-axis-label text')).fill")
    assert text == "rgb(0, 0, 0)"


CUT = """() => [...document.querySelectorAll(".chart svg")].flatMap((svg) => {
    const room = svg.getBoundingClientRect();
    return [...svg.querySelectorAll("text")].filter((text) => {
        const box = text.getBoundingClientRect();
        const across = box.left < room.left - 1 || box.right > room.right + 1;
        return across || box.top < room.top - 1 || box.bottom > room.bottom + 1;
    }).map((text) => text.textContent);
})"""


@pytest.mark.parametrize("width", [360, 390, 1400, 2200])
@pytest.mark.parametrize("name", ["iris", "nasty", "study"])
def test_no_screen_scrolls_sideways_or_cuts_text(visit, name, width):
    page = visit(name, width=width).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT) == []


def test_only_what_is_wider_than_the_screen_is_a_stop_of_the_tab_key(visit):
    for width in (390, 1400):
        page = visit("iris", width=width).page
        stops = page.eval_on_selector_all(
            ".scroll:not(details *)",
            "parts => parts.map(part => [part.scrollWidth > part.clientWidth + 1, part.tabIndex === 0])",
        )
        assert [stop for _, stop in stops] == [wide for wide, _ in stops]
        assert width > 390 or any(wide for wide, _ in stops)


def test_every_chart_and_table_can_be_saved(visit):
    page = visit("iris").page
    drawings = page.locator(".chart, .multiple, .contest").count()
    assert page.get_by_role("button", name="Save as SVG").count() == drawings
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as SVG: Clusters on a plane").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert text.startswith("<svg ")
    assert 'xmlns="http://www.w3.org/2000/svg"' in text
    assert text.count("<path") > 150
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV: Ranks of partitions by index").click()
    lines = Path(download.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == "index,2,3,4,5"
    assert download.value.suggested_filename == "ranks-of-partitions-by-index.csv"


def test_a_name_at_the_middle_of_a_cluster_shows_it_under_the_mouse(visit):
    page = visit("iris").page
    page.locator("#plane svg .mark-text.role-mark text", has_text="A").last.hover(force=True)
    members = [point["cluster"] == "A" for point in page_data(page)["data"]["points"]]
    expect(page.locator('#bars svg .mark-rect path[opacity="0.08"]')).to_have_count(100)
    assert [opacity > 0.5 for opacity in opacities(page, "bars")] == members


def test_tables_can_be_read_without_scripts(chromium, pages):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(pages["iris"].as_uri())
    assert page.locator("#index-table tbody tr").count() == len(cv.evaluate(IRIS.X, IRIS.truth))
    assert "charts, sorting and the filter need scripts" in page.locator("noscript").inner_text()
    context.close()


# The table of indices


def test_a_click_sorts_by_value_and_another_turns_it_round(visit):
    page = visit("iris").page
    header = page.locator("#index-table thead th", has_text="Value")
    header.get_by_role("button").click()
    rising = [float(value) for value in column(page, 1)]
    assert rising == sorted(rising)
    assert header.get_attribute("aria-sort") == "ascending"
    header.get_by_role("button").click()
    assert [float(value) for value in column(page, 1)] == rising[::-1]
    assert header.get_attribute("aria-sort") == "descending"


def test_names_sort_as_words(visit):
    page = visit("iris").page
    before = column(page, 0)
    page.get_by_role("button", name="Index", exact=True).click()
    assert column(page, 0) == sorted(before) != before


def test_what_has_no_value_comes_last_both_ways(visit):
    page = visit("gaps").page
    button = page.get_by_role("button", name="Value", exact=True)
    for _ in range(2):
        button.click()
        values = column(page, 1)
        assert values[-1] == "—"
        assert values[0] != "—"


def test_the_filter_leaves_rows_that_have_all_the_words(visit):
    page = visit("iris").page
    everything = column(page, 0)
    page.get_by_label("Filter").fill("silhouette")
    assert column(page, 0) == ["silhouette", "simplified_silhouette"]
    assert page.inner_text("#shown") == f"2 of {len(everything)} shown"
    page.get_by_label("Filter").fill("LOWER distance centre")
    assert 0 < len(column(page, 0)) < len(everything)
    page.get_by_label("Filter").fill("no such word")
    assert column(page, 0) == []
    page.get_by_label("Filter").fill("")
    assert column(page, 0) == everything
    assert page.inner_text("#shown") == ""


# Charts that know of each other


def test_a_box_in_the_plane_lights_up_its_points_among_the_bars(visit):
    page = visit("iris").page
    drag(page, 0.01, 0.005, 0.28, 0.995)
    expect(page.locator("#chosen")).to_contain_text("50 points chosen")
    points = page_data(page)["data"]["points"]
    setosa = [point["cluster"] == "A" for point in points]
    assert sum(setosa) == 50
    for chart in ("bars", "plane"):
        lit = [opacity > 0.5 for opacity in opacities(page, chart)]
        assert lit == setosa
    told = page.inner_text("#chosen")
    mean = sum(point["fit"] for point in points if point["cluster"] == "A") / 50
    assert told.startswith(
        f"50 points chosen; mean silhouette {mean:.3f}; rows 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …"
    )


def test_a_click_outside_the_box_lets_go(visit):
    page = visit("iris").page
    drag(page, 0.01, 0.005, 0.28, 0.995)
    expect(page.locator("#chosen")).not_to_be_empty()
    page.mouse.click(*spot(page, 0.9, 0.9))
    expect(page.locator("#chosen")).to_be_empty()
    assert min(opacities(page, "bars")) == 1


def test_a_cluster_chosen_by_keyboard_lights_up_in_both_charts(visit):
    page = visit("iris").page
    page.focus("#cluster")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#chosen")).to_contain_text("62 points chosen")
    members = [point["cluster"] == "B" for point in page_data(page)["data"]["points"]]
    for chart in ("plane", "bars"):
        assert [opacity > 0.5 for opacity in opacities(page, chart)] == members


def test_a_chosen_index_shows_its_curve_and_what_it_chooses(visit):
    page = visit("iris").page
    swept = cv.sweep(IRIS.X, k=range(2, 6), linkage="ward")
    line = "#curve svg .mark-line path"
    before = page.get_attribute(line, "d")
    assert page.inner_text("#reading") == f"chooses {swept.best()['silhouette']}: highest"
    page.select_option("#index", "davies_bouldin")
    expect(page.locator(line)).not_to_have_attribute("d", before)
    assert page.inner_text("#reading") == f"chooses {swept.best()['davies_bouldin']}: lowest"
    heights = [float(part.split(",")[1]) for part in page.get_attribute(line, "d").replace("M", "L").split("L")[1:]]
    values = swept["davies_bouldin"].tolist()
    by_height = sorted(range(4), key=lambda i: -heights[i])  # the page's y grows downwards
    assert by_height == sorted(range(4), key=lambda i: values[i])


def test_choosing_one_index_after_another_never_complains(visit):
    opened = visit("iris")
    for name in opened.page.eval_on_selector_all("#index option", "options => options.map(o => o.value)"):
        opened.page.select_option("#index", name)
    opened.page.wait_for_timeout(200)
    assert opened.complaints == []


# A study of criteria


def ranked(page, column: int) -> list[str]:
    """Cells of a column of the ranked table that is shown, as far as they are."""
    return page.eval_on_selector_all(
        ".measure:not([hidden]) .ranked tbody tr:not([hidden])",
        f"rows => rows.map(row => row.cells[{column}].textContent.trim())",
    )


def test_a_chosen_measure_shows_its_tables_and_no_others(visit):
    page = visit("study").page
    titles = page.eval_on_selector_all("#measure option", "options => options.map(o => o.textContent)")
    means = []
    for position in ("0", "4"):
        page.select_option("#measure", position)
        assert page.locator(".measure h3:visible").all_inner_texts() == [titles[int(position)]]
        assert page.locator(".triangle:visible").count() == 1
        means.append(ranked(page, 2))
        assert means[-1] == sorted(means[-1], key=float, reverse=True)
        assert page.locator(".triangle:visible tbody tr").last.locator("td").all_inner_texts() == means[-1]
    assert means[0] != means[1]


def test_ranked_criteria_are_sorted_and_filtered_whatever_the_measure(visit):
    page = visit("study").page
    page.get_by_label("Filter").fill("silhouette")
    assert sorted(ranked(page, 1)) == ["silhouette", "simplified_silhouette"]
    page.select_option("#measure", "3")
    assert sorted(ranked(page, 1)) == ["silhouette", "simplified_silhouette"]
    assert page.inner_text("#study output") == "2 of 4 shown"
    page.get_by_label("Filter").fill("")
    page.get_by_role("button", name="Hits of 24").click()
    hits = [int(text.split()[0]) for text in ranked(page, 5)]
    assert hits == sorted(hits)
    page.get_by_role("button", name="Criterion").click()
    assert ranked(page, 1) == sorted(ranked(page, 1))
    page.select_option("#measure", "0")
    assert ranked(page, 0) == ["1", "2", "3", "4"]  # each table has its own order


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_significance_is_shown_by_shade_and_by_text(seen, scheme):
    cells = seen("study", scheme).page.eval_on_selector_all(
        ".triangle td:not(.mean)",
        "cells => cells.map(c => [c.className, c.textContent, getComputedStyle(c).backgroundColor])",
    )
    grounds = {mark: {ground for name, _, ground in cells if name == mark} for mark in ("", "one", "two")}
    assert [len(found) for found in grounds.values()] == [1, 1, 1]
    assert len(set.union(*grounds.values())) == 3
    assert {(name, text.count("*")) for name, text, _ in cells} == {("", 0), ("one", 1), ("two", 2)}


# What the user wrote


def test_names_that_look_like_code_are_shown_not_run(seen, nasty_names):
    page = seen("nasty").page
    assert page.title() == nasty_names[0]
    assert page.locator("img").count() == 0
    assert page.inner_text("h1") == nasty_names[0]
    options = page.eval_on_selector_all("#cluster option", "options => options.map(o => o.textContent)")
    assert sorted(options) == sorted(["all", *nasty_names])


def test_a_tooltip_shows_names_as_text(visit, nasty_names):
    opened = visit("nasty")
    page = opened.page
    mark = page.locator("#plane svg .mark-symbol.role-mark path").first
    mark.hover(force=True)
    page.wait_for_selector("#vg-tooltip-element.visible")
    assert any(name.split("\u2028")[0][:12] in page.inner_text("#vg-tooltip-element") for name in nasty_names)
    assert page.locator("#vg-tooltip-element img, #vg-tooltip-element script").count() == 0
    assert page.title() == nasty_names[0]
    assert opened.complaints == []


def test_a_chosen_cluster_with_a_nasty_name_is_found(visit, nasty_names):
    page = visit("nasty").page
    for position in ("0", "1", "2"):
        page.select_option("#cluster", position)
        name = page_data(page)["clusters"][int(position)]
        assert name in nasty_names
        members = sum(point["cluster"] == name for point in page_data(page)["data"]["points"])
        expect(page.locator("#chosen")).to_contain_text(f"{members} points chosen")


def test_even_a_script_that_slipped_in_would_not_run(visit):
    opened = visit("iris")
    opened.page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'run'";
        document.body.append(script);
    }""")
    assert opened.page.title() != "run"
    assert any("Content Security Policy" in complaint for complaint in opened.complaints)


# Keys


def test_everything_that_does_something_is_reached_by_the_tab_key(visit):
    page = visit("iris").page
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        name = page.evaluate(
            "(e => e === document.body ? null : e.id || e.textContent.trim().slice(0, 20))(document.activeElement)"
        )
        if name is None:
            break
        reached.append(name)
    wanted = [
        "cluster",
        "index",
        "All values",
        "filter",
        "Index",
        "Value",
        "Direction",
        "Range",
        "What it is",
        "Reference",
    ]
    assert [name for name in reached if name in wanted] == wanted


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_headers_sort_by_keyboard(visit, key):
    page = visit("iris").page
    page.get_by_role("button", name="Value", exact=True).focus()
    page.keyboard.press(key)
    values = [float(value) for value in column(page, 1)]
    assert values == sorted(values)


def test_every_control_and_chart_has_a_name(seen):
    page = seen("iris").page
    for role, name in (
        ("combobox", "Show cluster"),
        ("combobox", "Index"),
        ("searchbox", "Filter"),
        ("img", "Scatter"),
    ):
        assert page.get_by_role(role, name=name).count() == 1
