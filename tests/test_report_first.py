"""What comes first on a page: warnings in one place, the judgement, the user's names, and why nothing is there."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import clustval as cv
from clustval.homes.odd_columns import odd_columns, skewness
from conftest import write

RNG = np.random.default_rng(0)
X = np.concatenate([RNG.normal(centre, 1, (60, 2)) for centre in (0, 8, 16)])
LABELS = np.repeat([0, 1, 2], 60)
NAMES = {0: "loyal", 2: "at <risk>"}


def section(page: str, name: str) -> str:
    found = re.search(rf'<section id="{name}".*?</section>', page, re.DOTALL)
    return "" if found is None else found[0]


def lines_of(page: str) -> list[str]:
    return re.findall(r"<li>(.*?)</li>", section(page, "warnings"))


# Warnings


@pytest.mark.large
def test_warnings_come_before_the_judgement_and_the_judgement_before_all_else():
    page = cv.evaluate(np.column_stack([X, np.ones(180)]), np.minimum(LABELS, 1)).to_html()
    assert page.index('id="warnings"') < page.index('id="headline"') < page.index('id="profiles"')
    flat, giant = lines_of(page)
    assert flat == "Column &#39;2&#39; is constant and distinguishes nothing; leave it out."
    assert giant.startswith("1 has 67 % of the clustered points")
    assert re.findall(r"<p>(.*?)</p>", section(page, "headline"))[0].startswith("Your 2 clusters")


@pytest.mark.large
def test_a_clean_clustering_of_clean_columns_has_no_warnings():
    assert lines_of(cv.evaluate(X, LABELS).to_html()) == []
    assert 'id="warnings"' not in cv.evaluate(X, LABELS).to_html(look=False)


@pytest.mark.large
def test_much_noise_is_warned_of_once_and_first():
    labels = np.where(np.arange(180) % 2 == 0, LABELS, -1)
    page = cv.evaluate(X, labels).to_html()
    (line,) = lines_of(page)
    assert line.startswith("50 % of the points are noise; 90 of them lie among clusters")
    assert "are noise;" not in section(page, "headline")
    (line,) = lines_of(cv.evaluate(X, labels).to_html(look=False))
    assert line == "50 % of the points are noise."


def test_warnings_of_the_caller_stand_in_place_of_a_look_at_the_columns():
    flat = np.column_stack([X, np.ones(180)])
    assert lines_of(cv.evaluate(flat, LABELS).to_html(look=False, warnings=["Mind <b>."])) == ["Mind &lt;b&gt;."]
    assert lines_of(cv.evaluate(flat, LABELS).to_html(look=False, warnings=[])) == []


def test_a_diagnosis_warns_of_what_sizes_show_before_it_says_what_to_do():
    page = cv.diagnose(X, np.where(np.arange(180) % 2 == 0, LABELS, -1)).to_html()
    assert lines_of(page)[0].startswith("50 % of the points are noise")
    assert "are noise" not in section(page, "headline")


def test_metrics_that_add_no_differences_up_have_no_odd_columns():
    flags = (np.arange(180)[:, None] % 7 == np.arange(5)) | (LABELS[:, None] == 1)
    scores = cv.evaluate(np.column_stack([flags, np.ones(180)]), LABELS, metric="jaccard")
    assert lines_of(scores.to_html(look=False)) == []


def test_odd_columns_are_named_with_what_to_do():
    rows = np.arange(200.0)
    income = np.exp(RNG.normal(0, 2, 200))
    wide = RNG.normal(size=200) * 1e5
    names = ["rows", "flat", "income", "wide"]
    lines = odd_columns(names, np.column_stack([rows, 0 * rows, income, wide]), counted=False)
    starts = (
        "Column 'rows' numbers the rows; ",
        "Column 'flat' is constant ",
        "Column 'wide' varies ",
        "Column 'income' has",
    )
    assert all(line.startswith(start) for line, start in zip(lines, starts, strict=True))
    assert odd_columns(names[:3], np.column_stack([rows, rows % 7, rows % 5])) == []


def test_skewness_is_the_third_moment_in_standard_deviations():
    values = np.array([0.0, 1, 1, 2, 9])
    mean = sum(values) / 5
    second, third = (sum((v - mean) ** power for v in values) / 5 for power in (2, 3))
    assert skewness(values[:, None]) == pytest.approx([third / second**1.5])
    assert skewness(1e300 * values[:, None]) == pytest.approx(skewness(values[:, None]))
    assert skewness(np.array([[0.0, 5], [0, 5], [0, 5], [1, 5]])).tolist() == [0, 0]  # two values and one


# Names


@pytest.mark.large
def test_clusters_have_the_names_of_the_user_on_the_whole_page():
    page = cv.evaluate(X, LABELS).to_html(names=NAMES, truth=LABELS)
    assert "loyal" in section(page, "clusters")
    assert "at &lt;risk&gt;" in section(page, "profiles")
    assert "loyal" in section(page, "agreement")
    assert '"clusters":["loyal","1","at \\u003crisk\\u003e"]' in page
    assert "loyal" not in cv.evaluate(X, LABELS).to_html(look=False)


@pytest.mark.large
def test_sentences_of_a_diagnosis_use_the_names_of_the_user():
    cut = np.where((LABELS == 0) & (X[:, 0] > 0), 3, LABELS)
    page = cv.evaluate(X, cut).to_html(names={0: "loyal", 3: "new"})
    assert "<p>Merge loyal and new:" in section(page, "headline")
    assert cv.diagnose(X, cut, names={0: "loyal", 3: "new"}).merges == [("loyal", "new")]


def test_renamed_values_are_the_same_values_with_other_names():
    scores = cv.evaluate(X, LABELS)
    renamed = scores.renamed(NAMES)
    assert renamed == scores
    assert list(renamed.per_cluster("size")) == ["loyal", 1, "at <risk>"]
    assert list(scores.per_cluster("size")) == [0, 1, 2]
    assert set(renamed.neighbours("silhouette")) == {"loyal", 1, "at <risk>"}
    assert list(scores.renamed(["a", "b", "c"]).per_cluster("size")) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"0": "a"}, "names has none of the labels: it names '0', and the labels are 0, 1, 2."),
        ("loyal", "names is one text but the labels form 3 clusters; give one for each, or a mapping"),
        ({0: "a", 1: "a"}, "names must differ: two clusters would be called the same."),
        ({0: "1"}, "names must differ"),
    ],
)
def test_names_that_do_not_fit_are_refused(names, message):
    with pytest.raises(cv.InputError, match=re.escape(message)):
        cv.evaluate(X, LABELS).renamed(names)


def test_names_of_clusters_stand_in_figures():
    pytest.importorskip("matplotlib").use("agg")
    entries = [text.get_text() for text in cv.plot.scatter(X, LABELS, names=NAMES).get_legend().get_texts()]
    assert entries == ["loyal", "1", "at <risk>"]
    ticks = [text.get_text() for text in cv.evaluate(X, LABELS).plot(names=NAMES).get_yticklabels()]
    assert ticks == ["loyal", "1", "at <risk>"]


def customers() -> str:
    frame = pd.DataFrame(X, columns=["age", "spend"]).assign(segment=LABELS, customer_id=RNG.permutation(180) + 1000)
    frame.loc[3, "age"] = np.nan
    return write("customers.csv", frame.to_csv(index=False))


@pytest.mark.large
def test_the_program_names_clusters_and_puts_its_warnings_on_the_page(program, tmp_path):
    arguments = (customers(), "-l", "segment", "--drop-missing", "--names", "0=loyal, and old,2=new")
    page = tmp_path / "page.html"
    assert program("evaluate", *arguments, "--report", str(page)).code == 0
    text = page.read_text()
    assert "loyal, and old" in section(text, "clusters")
    ids, gaps = lines_of(text)
    assert ids.startswith("Column &#39;customer_id&#39; names the rows and is left out")
    assert gaps == "1 of 180 rows (0.556 %) lack a value and are left out."
    assert "loyal, and old" in program("diagnose", *arguments).out
    assert program("plot", "scatter", *arguments, "--out", str(tmp_path / "a.svg")).code == 0
    assert (tmp_path / "a.svg").exists()


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("7=a", "--names: no cluster is called '7'; 0, 1, 2 are."),
        ("loyal", "--names takes LABEL=NAME, as 0=loyal,1=new; 'loyal' is none."),
    ],
)
def test_names_that_the_program_cannot_read_are_refused_in_one_line(program, names, message):
    outcome = program("evaluate", customers(), "-l", "segment", "--drop-missing", "--names", names)
    assert outcome.code == 2
    assert message in outcome.err


# Nothing there


@pytest.fixture(scope="module")
def nothing():
    points = np.random.default_rng(1).uniform(size=(120, 2))
    choice = cv.choose(points, ["ward", "k-means"], k=[2, 3, 4], n_references=19, random_state=0)
    assert not choice.has_clusters
    return choice, choice.to_html()


def test_a_page_of_nothing_shows_the_value_beside_its_nulls_and_the_plane_first(nothing):
    choice, page = nothing
    first = section(page, "nothing")
    assert 'id="nulls"' in first
    assert 'id="plane"' in first
    assert page.count('id="plane"') == page.count('id="nulls"') == 1
    assert page.index('id="headline"') < page.index('id="nothing"') < page.index('id="profiles"')
    draws = list(choice.structure.null.values())[-1]
    above = sum(value >= choice.structure.statistic for value in draws)
    assert f"{above} of them are clustered as well or better" in first


def test_a_page_of_nothing_says_each_number_once(nothing):
    choice, page = nothing
    headline = section(page, "headline")
    values = choice.structure.p_values
    assert headline.count("p-values: ") == 1
    assert all(headline.count(f"{name} {p:.2g}") == 1 for name, p in values.items())
    assert "a weak structure" not in headline
    assert "which says little about groups that are not clusters" in headline


@pytest.mark.large
def test_a_page_of_clusters_has_no_section_of_nothing():
    page = cv.choose(X, ["ward"], k=[2, 3], n_references=19, random_state=0).to_html()
    assert 'id="nothing"' not in page
    assert 'id="plane"' in section(page, "points")
