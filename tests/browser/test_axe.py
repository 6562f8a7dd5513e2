"""Pages in Chromium by the rules of axe-core: three widths, both themes, no finding; and what is on paper."""

from __future__ import annotations

from pathlib import Path

import pytest

package = pytest.importorskip(
    "axe_playwright_python", reason="no axe-core; pip install axe-playwright-python, which brings it"
)
AXE = (Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
WIDTHS = (360, 768, 1280)  # a phone, a tablet, a screen
KINDS = ("iris", "nothing", "diagnosis", "noisy", "track", "truth", "tree", "study", "gaps")
FINDINGS = """() => axe.run(document, {resultTypes: ["violations"]}).then((result) =>
    result.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 120)}`)))"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", KINDS)
def test_axe_finds_nothing_at_any_width(visit, name, scheme):
    page = visit(name, scheme=scheme, width=WIDTHS[0]).page
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    page.evaluate(AXE)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(FINDINGS) == [], width


def test_axe_finds_what_is_wrong(visit):
    page = visit("gaps").page
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    page.evaluate(AXE)
    assert [finding.partition(":")[0] for finding in page.evaluate(FINDINGS)] == ["button-name"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", KINDS)
def test_no_page_is_wider_than_the_screen(visit, name, width):
    page = visit(name, width=width).page
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_distributions_are_open_on_paper_and_folded_again_after_it(visit, tmp_path):
    page = visit("iris").page
    folded = "document.querySelector('details.on-paper').open"
    page.evaluate("""() => window.addEventListener("afterprint", () => { window.printed = true; })""")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(folded) is True
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(folded) is False
    page.emulate_media(media="print")
    assert page.locator("details.on-paper table").first.is_visible()
    page.pdf(path=tmp_path / "page.pdf", format="A4")
    assert page.evaluate(folded) is False


def test_charts_keep_their_shape_on_paper(visit):
    """A chart that shrinks in width alone leaves white above and below it."""
    page = visit("iris", width=1280).page
    page.emulate_media(media="print")
    page.add_style_tag(content=".chart { max-width: 300px; }")  # paper is narrower, and nothing is drawn anew for it
    ratios = page.eval_on_selector_all(
        ".chart svg",
        """charts => charts.filter(svg => svg.getBoundingClientRect().width > 0).map(svg => {
            const room = svg.getBoundingClientRect();
            return (room.width / room.height) / (svg.viewBox.baseVal.width / svg.viewBox.baseVal.height);
        })""",
    )
    assert len(ratios) == 2
    assert ratios == pytest.approx([1, 1], abs=0.02)


def test_what_only_a_screen_can_do_is_not_on_paper(visit):
    page = visit("iris").page
    page.emulate_media(media="print")
    assert page.get_by_text("Draw a box in the plane").is_hidden()
    assert page.get_by_text("One index").is_hidden()
    assert page.locator(".save:visible").count() == 0
