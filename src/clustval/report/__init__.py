"""The HTML report: one file that needs no network, to be read, sorted, filtered, printed and forwarded.

It shows what it is given, and computes nothing: what a page needs beside the result itself, such as a first look, is
made by `clustval.pages` when `Scores.to_html`, `Sweep.to_html`, ``clustval evaluate --report`` and the others ask for a
page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clustval.choices import NoisePolicy
from clustval.errors import InputError
from clustval.report import words
from clustval.report.page import Page
from clustval.report.point_sections import Classes, at_hand
from clustval.results import Scores
from clustval.whole_files import write

if TYPE_CHECKING:
    from clustval.choosing.choice import Choice
    from clustval.choosing.first_look import FirstLook
    from clustval.compare.agreement import Agreement
    from clustval.compare.beside_truth import BesideTruth
    from clustval.compare.side_by_side import Agreements
    from clustval.diagnosis.diagnosis import Diagnosis
    from clustval.study.comparison import Comparison
    from clustval.tracking.profile import Profile
    from clustval.tracking.track import Track

TRUST = "Which criterion can be trusted?"


@dataclass(frozen=True)
class About:
    """Facts about a page beside its numbers: names, how rows are counted, and the truth, if there is one."""

    title: str = ""
    features: Sequence[str] | None = None  # names of the columns of X
    rows: Any = None  # the number of each row in the file, counted from 1; None counts from 0, as Python does
    facts: Sequence[str] = ()  # what was evaluated, in a few words each
    made_by: str = ""  # the command that made the page
    look: FirstLook | bool = True  # whether there are clusters, and what fits better; True takes a look for the page
    warnings: Sequence[str] | None = None  # what is odd about the data, a sentence each; None looks at the columns
    labels: str = "labels"  # what the clustering is called
    names: Any = None  # what clusters are called: a mapping from labels, {0: "loyal"}, or a name for each in order
    truth: Any = None  # the true class of each point
    truth_name: str = "truth"
    noise: NoisePolicy = "cluster"  # what happens to noise in comparisons with the truth
    against: Mapping[str, Any] = field(default_factory=dict)  # other clusterings of the same points
    sample_weight: Any = None  # how often each point counts in comparisons with the truth
    coordinates: Any = None  # two columns, of UMAP or others, in which points are drawn
    gap: Any = None  # what `gap_statistic` gives for the same points
    stability: Any = None  # what `stability` gives
    colour: Any = None  # what the tree of clusters over a parameter is coloured by


@dataclass(frozen=True)
class Opening:
    """The judgement of a clustering that comes first on its page, and what is odd about it."""

    sentences: Sequence[str]
    alarms: Sequence[str]


def of_agreement(scores: Agreement, path: str | Path | None = None, *, about: About | None = None) -> str:
    """Return the page of an agreement of two labellings; write it if a path is given."""
    about = about or About()
    page = _page(about, "Do two clusterings agree?")
    page.add_agreements({about.labels: scores}, about.truth_name)
    if "accuracy" in scores:
        page.headline.append(words.agreement(about.labels, scores, scores["accuracy"], about.truth_name))
    return _finished(page, path)


def of_values(scores: Scores, path: str | Path | None = None, *, about: About | None = None) -> str:
    """Return the page of values that come from neither points nor labels; write it if a path is given."""
    page = _page(about or About(), "How good is this clustering?")
    page.add_values(scores)
    tree = getattr(scores.source, "tree", None)
    if tree is not None:
        page.add_tree(tree)
    return _finished(page, path)


def of_scores(
    scores: Scores,
    path: str | Path | None = None,
    *,
    about: About | None = None,
    sweep: Any = None,
    known: Agreement | None = None,
    beside: BesideTruth | None = None,
    classes: Classes | None = None,
    opening: Opening | None = None,
    profile: Profile | None = None,
) -> str:
    """Return the page of an evaluation; write it if a path is given.

    What comes first is the `opening`, what is wrong with the clustering, and the look, if there are any. `known` is
    the agreement with the truth where labels are not in memory; `beside` has clusterings beside the truth, `classes`
    the true class of each point, and `profile` what clusters are where points are no numbers.
    """
    about = about or About()
    page = _page(about, "How good is this clustering?")
    page.headline += [] if opening is None else opening.sentences
    page.warnings += scores.alarms[:-1] if opening is None else opening.alarms
    page.add_look(_look(about), about.labels)
    page.add_scores(scores, about.features, about.rows, classes, about.coordinates, profile)
    if sweep is not None:
        page.add_sweep(sweep)
    page.add_resampled(about.gap, about.stability)
    if known is not None:
        page.add_agreements({about.labels: known}, about.truth_name)
    if beside is not None:
        page.add_truth(beside, about.truth_name)
    return _finished(page, path)


def _look(about: About) -> FirstLook | None:
    """Return the first look, if one was taken; a page takes none itself."""
    return None if isinstance(about.look, bool) else about.look


def of_sweep(sweep: Any, path: str | Path | None = None, *, about: About | None = None) -> str:
    """Return the page of a sweep; write it if a path is given."""
    about = about or About()
    page = _page(about, "How many clusters?")
    page.add_look(_look(about))
    if hasattr(sweep, "layers"):  # over seeds
        from clustval.report import layers_section  # noqa: PLC0415 - only pages of such clusterings need it

        page.add_layers(layers_section.of_seeds(sweep, about.colour), sweep.sentences[:3])
    page.add_sweep(sweep)
    page.add_resampled(about.gap, about.stability)
    return _finished(page, path)


def of_resampled(about: About, path: str | Path | None = None) -> str:
    """Return the page of a gap statistic, of stability, or of both; write it if a path is given."""
    page = _page(about, "How many clusters?")
    page.add_resampled(about.gap, about.stability)
    page.headline += [f"{result.title}: {result.words}" for result in page.parts["resampled"]]
    return _finished(page, path)


def of_choice(
    choice: Choice,
    scores: Scores | None,
    path: str | Path | None = None,
    *,
    about: About | None = None,
    beside: BesideTruth | None = None,
    classes: Classes | None = None,
    profile: Profile | None = None,
) -> str:
    """Return the page of a choice among clusterings, the answer first; write it if a path is given.

    `scores` are those of the best candidate, which is drawn also where there is no structure.
    """
    about = about or About()
    page = _page(about, "Which clustering?")
    page.warnings += scores.alarms[:-1] if scores is not None and choice.has_clusters else []
    page.add_choice(choice)
    if not choice.has_clusters:
        page.headline.append(f"Shown below are the groups of {choice.best}, as if there were clusters.")
    if scores is not None:
        page.add_scores(scores, about.features, about.rows, classes, about.coordinates, profile)
    page.add_resampled(about.gap, about.stability)
    if beside is not None:
        page.add_truth(beside, about.truth_name)
    return _finished(page, path)


def of_diagnosis(diagnosis: Diagnosis, path: str | Path | None = None, *, about: About | None = None) -> str:
    """Return the page of a diagnosis, what to do first; write it if a path is given."""
    page = _page(about or About(), "What is wrong with this clustering?")
    page.add_diagnosis(diagnosis)
    return _finished(page, path)


def of_track(track: Track, path: str | Path | None = None, *, about: About | None = None) -> str:
    """Return the page of clusterings that follow each other, what happened first; write it if a path is given."""
    from clustval.report import layers_section  # noqa: PLC0415 - only pages of such clusterings need it

    page = _page(about or About(), "What became of the clusters?")
    page.add_layers(layers_section.of_track(track), track.sentences)
    return _finished(page, path)


def of_truth(
    beside: BesideTruth,
    path: str | Path | None = None,
    *,
    about: About | None = None,
    agreements: Agreements | None = None,
) -> str:
    """Return the page of several clusterings against the truth; write it if a path is given.

    `agreements` are what `agreement` gave for them, whose differences are shown with their intervals.
    """
    about = about or About()
    page = _page(about, "Do they agree with the truth?")
    page.add_truth(beside, about.truth_name)
    if agreements is not None:
        page.add_differences(agreements)
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
    return Page(about.title or title, facts=about.facts, made_by=about.made_by, warnings=about.warnings or ())


def _finished(page: Page, path: str | Path | None) -> str:
    text = page.html()
    if path is not None:
        write(path, text)
    return text
