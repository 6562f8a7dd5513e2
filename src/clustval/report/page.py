"""The parts of a page, gathered and laid out."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clustval import bibliography
from clustval.declare import Request
from clustval.errors import optional
from clustval.report import agreement_section as comparison
from clustval.report import charts, choice_section, criteria, curves, profiles, resampling_section, scripts, words
from clustval.report import point_sections as points
from clustval.report import report_tables as tables
from clustval.results import Scores
from clustval.sources.partition import Partition
from clustval.version import __version__

if TYPE_CHECKING:
    from clustval.choosing.choice import Choice
    from clustval.choosing.first_look import FirstLook
    from clustval.compare.agreement import Agreement
    from clustval.compare.beside_truth import BesideTruth
    from clustval.compare.side_by_side import Agreements
    from clustval.diagnosis.diagnosis import Diagnosis
    from clustval.relative.gap import GapStatistic
    from clustval.relative.stability import Stability
    from clustval.relative.sweep_result import Sweep
    from clustval.report.layers_section import LayersSection
    from clustval.sources.hierarchy import Tree
    from clustval.study.comparison import Comparison
    from clustval.tracking.profile import Profile

TEMPLATE = Path(__file__).parent / "template"
CITATION = """@software{{clustval,
  author  = {{{{The clustval developers}}}},
  title   = {{clustval: cluster validity indices}},
  version = {{{version}}},
  year    = {{2026}},
}}"""
# What the template asks for, whether or not the page has it.
NOTHING: dict[str, Any] = {
    "plane": False, "fit": "", "doubtful": None, "curves": None, "indices": None, "cluster_table": None,
    "agreement": None, "study": None, "reasons": None, "profiles": None, "rules": None, "choice": None,
    "resampled": None, "how_we_know": None, "nulls": None, "diagnosis": None, "layers": None, "tree": None,
    "is_empty": False,
}  # fmt: skip


class Page:
    """The parts of a page, gathered before it is laid out."""

    def __init__(
        self, title: str, *, facts: Sequence[str] = (), made_by: str = "", warnings: Sequence[str] = ()
    ) -> None:
        self.parts: dict[str, Any] = {"title": title, "facts": list(facts), "made_by": made_by}
        self.warnings: list[str] = list(warnings)  # what is odd about data and clustering, before all else
        self.headline: list[str] = []
        self.misjudged = ""  # clusters that the silhouette misjudges: of such shapes, or such that are not there
        self.charts: dict[str, Any] = {}
        self.data: dict[str, Any] = {}  # data sets that charts read
        self.extra: dict[str, Any] = {}  # what else the page's own script reads
        self.references: list[str] = []  # of all that is shown

    def add_scores(
        self,
        scores: Scores,
        features: Sequence[str] | None = None,
        rows: Any = None,
        classes: points.Classes | None = None,
        coordinates: Any = None,
        profile: Profile | None = None,
    ) -> None:
        """Add what one evaluation gives: points, indices, clusters and reasons."""
        self.headline += [words.sizes(scores), words.noise(scores)]
        self.references += _references(scores)
        source = points.at_hand(scores)
        if source is not None and source.k:
            self._add_source(scores, source, features, rows, classes, coordinates)
            self.parts["rules"] = None if profile is None else profiles.rules(profile, points.display(source.names))
        self.headline.append(words.undefined(scores))
        self.parts |= {
            "indices": tables.index_rows(scores),
            "cluster_table": tables.cluster_table(scores),
            "reasons": list(scores.reasons.values()),
        }

    def add_values(self, scores: Scores) -> None:
        """Add the values of indices, and the reasons why some have none, of whatever kind they are."""
        self.references += _references(scores)
        self.headline.append(words.undefined(scores))
        self.parts |= {"indices": tables.index_rows(scores), "reasons": list(scores.reasons.values())}

    def add_tree(self, tree: Tree) -> None:
        """Add the dendrogram of a tree."""
        from clustval.report import tree_drawing  # noqa: PLC0415 - only pages of trees need it

        self.parts["tree"] = tree_drawing.dendrogram(tree)

    def _add_source(
        self,
        scores: Scores,
        source: Partition,
        features: Sequence[str] | None,
        rows: Any,
        classes: points.Classes | None,
        coordinates: Any,
    ) -> None:
        """Add what the points themselves show: which are in doubt, what distinguishes clusters, and a picture."""
        clusters = points.display(source.names)
        features = features or source.column_names
        fit = points.fit(scores)
        names = points.names_of_rows(source, rows)
        numbers = names[source.kept]
        if fit is not None:
            self.references.append("kaufman1990")
            between = "" if self.misjudged else words.between(fit, source.codes, numbers, clusters)
            self.headline += [words.structure(fit, misjudged=self.misjudged), between]
            note = points.how_rows_are_named(source, rows)
            self.parts["doubtful"] = tables.doubtful_table(fit, source.codes, numbers, clusters, note)
            self.parts["fit"] = fit.index.replace("_", " ").capitalize()
        self.parts["profiles"] = profiles.profiles(source, clusters, features, numbers, fit)
        self._add_points(source, clusters, fit, points.plane(source, features, coordinates), names, classes)

    def _add_points(
        self,
        source: Any,
        clusters: list[str],
        fit: points.Fit | None,
        plane: points.Plane | None,
        names: Any,
        classes: points.Classes | None,
    ) -> None:
        if plane is None and fit is None:
            return
        sample = points.sample(source.codes, source.sizes, None if fit is None else fit.values)
        room = charts.NAME / charts.height_of_bars(len(clusters))
        self.data |= points.records(source, clusters, sample, plane, fit, names, classes, room)
        if self.parts.get("is_empty"):
            self.data["outlines"] = []  # of groups that are not clusters
        self.parts |= {
            "plane": plane is not None,
            "clusters": clusters,
            "drawn": words.sample_size(len(sample), source.n, truth=classes is not None),
            "scales": ""
            if plane is None
            else words.scales(plane, len(self.data["noise"]), outlined=bool(self.data["outlines"])),
        }
        self.extra |= {"clusters": clusters, "fit": self.parts.get("fit", "")}
        if plane is not None:
            self.extra["shape"] = plane.shape
            self.charts["plane"] = charts.scatter(
                clusters,
                plane,
                fit=fit is not None,
                truth=classes is not None,
                outlined=bool(self.data["outlines"]),
            )
        if fit is not None:
            end = self.data["points"][-1]["below"]
            self.charts["bars"] = charts.silhouettes(clusters, self.parts["fit"], fit.mean, end)

    def add_sweep(self, sweep: Sweep) -> None:
        """Add the curves of a sweep, what each index chooses, and what most choose."""
        self.headline.append(curves.verdict(sweep))
        self.references += _references(sweep)
        self.parts["curves"] = curves.curves(sweep)
        self.parts["reasons"] = [*(self.parts.get("reasons") or []), *curves.reasons(sweep)]
        self.data["curves"] = curves.records(sweep)
        self.extra["readings"] = curves.readings(sweep)
        self.charts["curve"] = charts.curve(sweep.indices[0], numeric=curves.by_number(sweep))

    def add_resampled(self, gap: GapStatistic | None, stability: Stability | None) -> None:
        """Add the gap statistic and the stability of clusterings, if there are such."""
        results = [resampling_section.of_gap(gap)] if gap is not None else []
        results += [resampling_section.of_stability(stability)] if stability is not None else []
        for result in results:
            self.references.append(resampling_section.REFERENCES[result.key])
            self.data[result.key] = result.records
            self.charts[result.key] = charts.with_errors(result.key, result.axis, result.error)
        self.parts["resampled"] = results or None

    def add_look(self, look: FirstLook | None, shown: str = "") -> None:
        """Add, before all else, whether there are clusters at all, and what fits better than what is shown."""
        if look is not None:
            self.headline += look.sentences(shown)
            self.references += choice_section.REFERENCES
            self.misjudged = words.misjudged(look.choice.misleading, look.structure)

    def add_choice(self, choice: Choice) -> None:
        """Add the answer, its doubt and its reasons, and all candidates with what is known of them."""
        self.headline += choice_section.verdict(choice)
        self.misjudged = words.misjudged(choice.misleading, choice.structure)
        self.parts["is_empty"] = not choice.has_clusters
        self.references += ["beer2025", "newman2004", *choice_section.REFERENCES]
        self.parts["choice"] = choice_section.ranking(choice)
        self.parts["how_we_know"] = choice_section.how_we_know(choice)
        nulls = choice_section.nulls(choice)
        if nulls is not None:
            self.parts["nulls"] = nulls
            self.data["nulls"] = nulls.records
            self.charts["nulls"] = charts.beside_nulls("nulls", nulls.value)

    def add_diagnosis(self, diagnosis: Diagnosis) -> None:
        """Add what is wrong with a clustering and what to do, with the evidence."""
        from clustval.report import diagnosis_section  # noqa: PLC0415 - only pages of a diagnosis need it

        self.warnings += diagnosis.alarms
        self.headline += diagnosis_section.sentences(diagnosis)
        self.references += diagnosis_section.REFERENCES
        self.parts["diagnosis"] = diagnosis_section.section(diagnosis)

    def add_layers(self, section: LayersSection, sentences: Sequence[str] = ()) -> None:
        """Add clusterings that follow each other, drawn as bars and ribbons."""
        self.headline += sentences
        self.references += section.references
        self.parts["layers"] = section

    def add_truth(self, beside: BesideTruth, name: str) -> None:
        """Add how well clusterings agree with the truth, and where one of two is right and the other wrong."""
        self.add_agreements(beside.agreements, name, beside)
        for key, scores in beside.agreements.items():
            self.headline.append(words.agreement(key, scores, beside.accuracies[key], name))
        if beside.prayatul:
            self.references.append("biswas2023")
            comparisons = beside.prayatul.items()
            self.parts["agreement"]["prayatul"] = [comparison.prayatul(table, *pair) for pair, table in comparisons]

    def add_agreements(self, agreements: Mapping[str, Agreement], name: str, beside: BesideTruth | None = None) -> None:
        """Add the values of external indices and the tables they come from."""
        from clustval.report import layers_section  # noqa: PLC0415 - only pages of several labellings need it

        self.references += [reference for scores in agreements.values() for reference in _references(scores)]
        self.parts["agreement"] = {
            "truth": name,
            "numbers": comparison.numbers(agreements, beside),
            "flows": None
            if beside is None or beside.flows is None
            else layers_section.of_labellings(beside.flows, name),
            "differences": None,
            "contingency": [
                (comparison.contingency(key, scores.table, name), comparison.picture(key, scores.table, name))
                for key, scores in agreements.items()
            ],
            "prayatul": [],
        }
        self.parts["reasons"] = [*(self.parts.get("reasons") or []), *comparison.reasons(agreements)]

    def add_differences(self, agreements: Agreements) -> None:
        """Add how far each two clusterings differ in each index, with intervals."""
        self.parts["agreement"]["differences"] = comparison.differences(agreements)

    def add_comparisons(self, comparisons: Mapping[str, Comparison], trusted: Sequence[str] = ()) -> None:
        """Add how well criteria follow the truth, over several sets of partitions that have a name each."""
        name, first = next(iter(comparisons.items()))
        self.headline += criteria.headline(first, name)
        self.references += criteria.references(first)
        self.parts["study"] = criteria.study(comparisons, trusted)

    def html(self) -> str:
        """Return the page; the same parts give the same text."""
        environment = _environment()
        markup = optional("markupsafe", "report").Markup
        inline = [*([scripts.vega()] if self.charts else []), _text("page.js")]
        table = environment.get_template("table.html")
        context = {
            **NOTHING,
            "version": __version__,
            "citation": CITATION.format(version=__version__),
            "works": bibliography.cited(*self.references),
            "warnings": list(dict.fromkeys(self.warnings)),
            "headline": [sentence for sentence in self.headline if sentence],
            "style": markup(_text("style.css")),
            "data": markup(inert({"charts": self.charts, "data": self.data, **self.extra})),
            "scripts": [markup(script) for script in inline],
            "hashes": markup(" ".join(f"'sha256-{_digest(script)}'" for script in inline)),
            "plain_table": lambda rows: markup(table.render(table=rows)),
            **self.parts,
        }
        return str(environment.get_template("page.html").render(context))


def _references(result: Scores | Sweep) -> list[str]:
    choices = result.choices.values()
    return [choice.index.reference if isinstance(choice, Request) else choice.reference for choice in choices]


def _text(name: str) -> str:
    return (TEMPLATE / name).read_text(encoding="utf-8")


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


@functools.cache
def _environment() -> Any:
    jinja2 = optional("jinja2", "report")
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATE),
        autoescape=True,  # names of columns and clusters are the user's: shown, never run
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def inert(value: Any) -> str:
    r"""Return JSON that may stand in a script element: nothing in it can end the element or start a comment.

    >>> print(inert({"name": "</script>"}))
    {"name":"\u003c/script\u003e"}
    """
    text = json.dumps(_finite(value), separators=(",", ":"), allow_nan=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _finite(value: Any) -> Any:
    """Return the value with null for what JSON does not have, and six digits, more than a chart shows."""
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else None
    return value
