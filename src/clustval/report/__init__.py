"""The HTML report: one file that needs no network, to be read, sorted, filtered, printed and forwarded.

`Scores.to_html`, `Sweep.to_html` and `Comparison.to_html` make it from results, ``clustval evaluate --report`` from
files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clustval.choosing.choice import Choice
from clustval.choosing.first_look import FirstLook
from clustval.compare.agreement import Agreement
from clustval.errors import InputError
from clustval.evaluation import evaluate
from clustval.inputs import aligned
from clustval.report import choice_section, words
from clustval.report.page import Page
from clustval.report.point_sections import at_hand
from clustval.results import Scores
from clustval.whole_files import write

if TYPE_CHECKING:
    from clustval.study.comparison import Comparison

TRUST = "Which criterion can be trusted?"


@dataclass(frozen=True)
class About:
    """Facts about a page beside its numbers: names, how rows are counted, and the truth, if there is one."""

    title: str = ""
    features: Sequence[str] | None = None  # names of the columns of X
    rows: Any = None  # the number of each row in the file, counted from 1; None counts from 0, as Python does
    facts: Sequence[str] = ()  # what was evaluated, in a few words each
    made_by: str = ""  # the command that made the page
    look: bool = True  # whether to ask if there are clusters at all, and if another clustering fits better
    labels: str = "labels"  # what the clustering is called
    truth: Any = None  # the true class of each point
    truth_name: str = "truth"
    noise: str = "cluster"  # what happens to noise in comparisons with the truth
    against: Mapping[str, Any] = field(default_factory=dict)  # other clusterings of the same points
    sample_weight: Any = None  # how often each point counts in comparisons with the truth
    coordinates: Any = None  # two columns, of UMAP or others, in which points are drawn
    gap: Any = None  # what `gap_statistic` gives for the same points
    stability: Any = None  # what `stability` gives


def of_scores(
    scores: Scores,
    path: str | Path | None = None,
    *,
    about: About | None = None,
    sweep: Any = None,
    look: FirstLook | None = None,
    known: Agreement | None = None,
) -> str:
    """Return the page of an evaluation, or of an agreement of two labellings; write it if a path is given.

    What comes first is the `look`, taken now if it was not before. `known` is the agreement with the truth where labels
    are not in memory.
    """
    about = about or About()
    if isinstance(scores, Agreement):
        page = _page(about, "Do two clusterings agree?")
        page.add_agreements({about.labels: scores}, about.truth_name)
        if "accuracy" in scores:
            page.headline.append(words.agreement(about.labels, scores, scores["accuracy"], about.truth_name))
        return _finished(page, path)
    if any(choice.index.kind != "internal" for choice in scores.choices.values()):  # neither points nor labels
        page = _page(about, "How good is this clustering?")
        page.add_values(scores)
        return _finished(page, path)
    about = _in_order(about, getattr(scores.source, "row_names", None))
    page = _page(about, "How good is this clustering?")
    if about.look:
        page.add_look(look or choice_section.look_at(scores, about.labels, sweep), about.labels)
    page.add_scores(scores, about.features, about.rows, about.truth, about.coordinates)
    if sweep is not None:
        page.add_sweep(sweep)
    page.add_resampled(about.gap, about.stability)
    if known is not None:
        page.add_agreements({about.labels: known}, about.truth_name)
    if about.truth is not None:
        results = {about.labels: labels_of(scores), **about.against}
        page.add_truth(results, about.truth, about.truth_name, about.noise, about.sample_weight)
    return _finished(page, path)


def _in_order(about: About, rows: Any) -> About:
    """Return the facts with what has an index of pandas in the order of the rows that were evaluated."""
    return replace(
        about,
        truth=aligned(about.truth, rows, "truth"),
        sample_weight=aligned(about.sample_weight, rows, "sample_weight"),
        against={name: aligned(labels, rows, str(name)) for name, labels in about.against.items()},
    )


def of_sweep(sweep: Any, path: str | Path | None = None, *, about: About | None = None) -> str:
    """Return the page of a sweep; write it if a path is given."""
    about = about or About()
    page = _page(about, "How many clusters?")
    if about.look:
        page.add_look(choice_section.look_at(None, "", sweep))
    page.add_sweep(sweep)
    page.add_resampled(about.gap, about.stability)
    return _finished(page, path)


def of_resampled(about: About, path: str | Path | None = None) -> str:
    """Return the page of a gap statistic, of stability, or of both; write it if a path is given."""
    page = _page(about, "How many clusters?")
    page.add_resampled(about.gap, about.stability)
    page.headline += [f"{result.title}: {result.words}" for result in page.parts["resampled"]]
    return _finished(page, path)


def of_choice(choice: Choice, X: Any, path: str | Path | None = None, *, about: About | None = None) -> str:
    """Return the page of a choice among clusterings, the answer first; write it if a path is given."""
    about = about or About()
    page = _page(about, "Which clustering?")
    page.add_choice(choice)
    if choice.k > 1:
        page.add_scores(evaluate(X, choice.labels), about.features, about.rows, about.truth, about.coordinates)
    page.add_resampled(about.gap, about.stability)
    if about.truth is not None:
        page.add_truth({about.labels: choice.labels}, about.truth, about.truth_name, about.noise, about.sample_weight)
    return _finished(page, path)


def of_truth(about: About, path: str | Path | None = None) -> str:
    """Return the page of several clusterings against the truth; write it if a path is given."""
    page = _page(about, "Do they agree with the truth?")
    page.add_truth(about.against, about.truth, about.truth_name, about.noise, about.sample_weight)
    return _finished(page, path)


def of_comparisons(
    comparisons: Mapping[str, Comparison], path: str | Path | None = None, *, about: About | None = None
) -> str:
    """Return the page of comparisons of criteria by name ("" for a single one); write it if a path is given."""
    page = _page(about or About(), TRUST)
    page.add_comparisons(comparisons)
    return _finished(page, path)


def of_recommendation(advice: Any, path: str | Path | None = None, *, about: About | None = None) -> str:
    """Return the page of the criteria to trust for data like the user's; write it if a path is given."""
    page = _page(about or About(), TRUST)
    page.headline.append(words.advice(advice))
    page.add_comparisons({"": advice.comparison}, advice.trusted)
    return _finished(page, path)


def labels_of(scores: Scores) -> Any:
    """Return the labels that were evaluated, in the order of the input; None for noise left out."""
    import numpy as np  # noqa: PLC0415

    source = at_hand(scores)
    if source is None:
        msg = "The page compares with truth what is in memory; of labels that are read in blocks, agreement() tells it."
        raise InputError(msg)
    names = np.empty(source.k, dtype=object)
    names[:] = source.names
    return source.unsorted(names[source.codes], None)


def _page(about: About, title: str) -> Page:
    return Page(about.title or title, facts=about.facts, made_by=about.made_by)


def _finished(page: Page, path: str | Path | None) -> str:
    text = page.html()
    if path is not None:
        write(path, text)
    return text
