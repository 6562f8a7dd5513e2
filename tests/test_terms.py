"""The words of answers are explained in one place, and everything that shows them reads it there."""

from __future__ import annotations

from pathlib import Path

import clustval as cv
from clustval.choosing.choice import VIEWS
from clustval.report import choice_section
from clustval.terms import terms

ROOT = Path(__file__).parents[1]


def test_every_term_has_one_meaning_that_is_a_sentence():
    text = (ROOT / "src" / "clustval" / "terms.md").read_text(encoding="utf-8")
    names = [entry.split("\n", 1)[0] for entry in text.strip().split("\n\n")]
    assert len(set(names)) == len(names)
    assert list(terms()) == names
    assert all(meaning.endswith(".") and "\n" not in meaning for meaning in terms().values())


def test_the_glossary_shows_the_table_of_terms():
    assert "{include} ../src/clustval/terms.md" in (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")


def test_every_column_of_the_ranking_that_is_no_plain_word_is_explained_on_the_page():
    explained = {name.lower() for name in choice_section.TERMS}
    assert explained >= {*VIEWS, "judge", "stability"}
    assert {name.lower() for name in terms()} >= {"silhouette", "noise", "candidate"}


def test_numbers_of_the_judge_stand_behind_how_we_know(tmp_path):
    choice = cv.choose(cv.data.load("iris").X, ["ward", "k-means"], k=[2, 3], null=False, random_state=0)
    assert not any("uncut" in sentence or "p-value" in sentence for sentence in (choice.title, *choice.reasons))
    assert any("uncut" in sentence for sentence in choice.how_we_know)
    assert str(choice).splitlines()[-1] == f"How we know: {' '.join(choice.how_we_know)}"
    page = tmp_path / "choice.html"
    choice.to_html(page)
    text = page.read_text(encoding="utf-8")
    how = text.index("<summary>How we know</summary>")
    assert how < text.index(choice.how_we_know[0]) < text.index(terms()["Uncut"])
