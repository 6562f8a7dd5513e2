"""A headless Chromium and pages to open in it."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage

import clustval as cv
from clustval import data

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
NASTY = [
    "</script><script>document.title='run'</script>",
    "<img src=x onerror=\"document.title='run'\">",
    "<!-- \u2028 {{ 7 * 7 }} ${document.title='run'}",
]


def pytest_collection_modifyitems(items):
    """Mark these tests, and say what is missing where there is no browser."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="no chromium on the path; Debian: apt-get install chromium"))


@pytest.fixture(scope="session")
def chromium():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def nasty_names() -> list[str]:
    return NASTY


def compared():
    """A small study, some of whose data sets have nasty names."""
    names = [*NASTY, *range(9)]
    sets = [(*cv.study.milligan(40, 3, 2, random_state=at), name) for at, name in enumerate(names)]
    criteria = ["silhouette", "dunn", "simplified_silhouette", "point_biserial"]
    return cv.study.compare(sets, criteria, linkage=["ward", "single"], k=range(2, 8))


@pytest.fixture(scope="session")
def pages(tmp_path_factory) -> dict[str, Path]:
    """The reports that the tests open."""
    folder = tmp_path_factory.mktemp("pages")
    iris = data.load("iris")
    labels = iris.clusterings["kmeans"]
    about = {"features": iris.features, "truth": iris.truth, "truth_name": "species", "labels": "kmeans"}
    names = ("iris", "nasty", "many", "gaps", "study", "nothing", "diagnosis", "noisy", "track", "truth", "tree")
    found = {name: folder / f"{name}.html" for name in names}
    swept = cv.sweep(iris.X, k=range(2, 6), linkage="ward")
    cv.evaluate(iris.X, labels).to_html(found["iris"], sweep=swept, against={"ward": iris.clusterings["ward"]}, **about)

    nasty = np.array(NASTY, dtype=object)[np.unique(labels, return_inverse=True)[1]]
    swept = cv.sweep(iris.X, dict(zip(NASTY, (nasty, iris.truth, labels), strict=True)), "default")
    cv.evaluate(iris.X, nasty).to_html(
        found["nasty"], look=False, sweep=swept, title=NASTY[0], features=[*NASTY, "x"], truth=nasty[::-1],
        truth_name=NASTY[1], labels=NASTY[2], facts=NASTY, made_by=NASTY[0], against={NASTY[0]: nasty},
    )  # fmt: skip

    cv.evaluate([[0.0], [1], [5]], [0, 1, 2], ["dunn", "silhouette", "trace_w"]).to_html(found["gaps"])

    compared().to_html(found["study"], title=NASTY[0], facts=NASTY)

    rng = np.random.default_rng(0)
    uniform = rng.uniform(size=(120, 2))
    cv.choose(uniform, ["ward"], k=[2, 3, 9], n_references=19, random_state=0).to_html(found["nothing"])
    cv.diagnose(iris.X, labels, texts=["some words"] * 150, batch=np.arange(150) % 2).to_html(found["diagnosis"])
    noisy = np.where(np.arange(150) % 2 == 0, np.unique(labels, return_inverse=True)[1], -1)
    flat = np.column_stack([iris.X, np.ones(150)])
    cv.evaluate(flat, noisy).to_html(found["noisy"], names={0: "a long name of a cluster"})
    cv.track((iris.X, labels), (iris.X, iris.truth), id=[range(150)] * 2, n_permutations=3).to_html(found["track"])
    cv.agreement(iris.truth, {"kmeans": labels, "ward": iris.clusterings["ward"]}).to_html(found["truth"])
    cv.trees.evaluate(linkage(iris.X, "ward"), iris.X).to_html(found["tree"])
    many = rng.integers(0, 50, 20_000)
    cv.evaluate(rng.normal(many[:, None] * 3, 1, (20_000, 3)), many, "fast").to_html(found["many"], look=False)
    return found


class Visit:
    """A page that is open, with all that the browser complained about and asked for."""

    def __init__(self, page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def open(self, path: Path) -> Visit:
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("html[data-ready]", timeout=15_000)
        return self


@pytest.fixture(scope="session")
def seen(chromium, pages):
    """A function that gives a page to look at, opened once for all tests: they must leave it as it is."""
    contexts = {scheme: chromium.new_context(color_scheme=scheme) for scheme in ("light", "dark")}
    visits: dict[tuple[str, str], Visit] = {}

    def opened(name: str, scheme: str = "light") -> Visit:
        if (name, scheme) not in visits:
            visits[name, scheme] = Visit(contexts[scheme].new_page()).open(pages[name])
        return visits[name, scheme]

    yield opened
    for context in contexts.values():
        context.close()


@pytest.fixture
def visit(chromium, pages):
    """A function that opens a page, in the scheme and width that is asked for."""
    contexts = []

    def opened(name: str, *, scheme: str = "light", width: int = 1200) -> Visit:
        context = chromium.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
        context.set_default_timeout(10_000)
        contexts.append(context)
        return Visit(context.new_page()).open(pages[name])

    yield opened
    for context in contexts:
        context.close()
