"""What a cluster is: the columns in which it differs from the others, and the shortest rule that picks it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Flags, Floats, Integers
from clustval.categories import coded, columns_of, described, numeric
from clustval.choices import NoisePolicy
from clustval.drawn import Drawn
from clustval.errors import InputError
from clustval.homes.annotated_cells import USUAL
from clustval.homes.cell_files import cells_of
from clustval.labels import objects
from clustval.options import seeded
from clustval.result import Result
from clustval.seeding import generators
from clustval.stats.points.effects import column_effects, column_means
from clustval.tables import Table, WithTable
from clustval.tracking.labelled import labelled
from clustval.tracking.short_rules import ABOVE, BinnedColumn, Condition, Rules, of_categories, of_numbers
from clustval.whole_numbers import rounded_numbers, rounding_error

FOLDS = 5
SEARCHED = 20_000  # rows among which rules are looked for; all rows judge them
MOST_CATEGORIES = 20  # of a column, whose shares are effects


@dataclass(frozen=True, repr=False, eq=False)
class Profile(Drawn, WithTable, Result):
    """What each cluster is: a rule that picks it out, how well that does out of sample, and the effects of columns."""

    _figure = "profile"

    table: Table  # a row for each cluster: size, share, rule, coverage, precision, others
    effects: Table  # a row for each cluster and column, the largest effects of a cluster first
    rules: Mapping[Any, list[tuple[Any, str, Any]]]  # from clusters to conditions: column, comparison, value

    @property
    def sentences(self) -> list[str]:
        """Each cluster in a sentence, as "B: spend > 310 and age <= 40 (91 % of B, 4 % of others)"."""
        return [_sentence(record) for record in self.table.records]


@seeded
def profile(
    X: Any,
    labels: Any,
    *,
    conditions: int = 3,
    noise: NoisePolicy = "drop",
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    random_state: Any = 0,
    rng: Any = None,
) -> Profile:
    """Return what each cluster is: the effect of each column, and the shortest rule that picks the cluster out.

    Coverage (the share of the cluster that a rule selects) and precision (the share of what it selects that is in the
    cluster) are out of sample: rows are cut into five parts, and each is judged by the rule that the other four give.

    Parameters
    ----------
    X
        One row per point: a data frame of numbers and categories, an array, or a list of rows. Columns of a frame
        that name its rows are left out. Missing values are left out of effects, and meet no condition.
    labels
        The cluster of each row, or the name of the column that has it.
    conditions
        The most conditions of a rule. A longer rule must be better: each condition raises F1 by 0.02 or more.
    noise
        What happens to noise: "drop" leaves it out, "cluster" makes it a cluster, "singletons", "error".
    features, use_rep, force
        Columns of a data frame or of a file that are looked at; of annotated cells, the representation that is:
        ``use_rep="X"`` looks at genes, by their names.
    random_state, rng
        Seed of the five parts.

    Returns
    -------
    Profile
        ``table``: for each cluster its size, the rule, its coverage and precision, and the share of all other rows
        that it selects. ``effects``: for each cluster and column the mean, that of all other rows, and their
        difference in standard deviations inside clusters; of categories, the shares. ``rules``: the conditions as data.

    >>> X = [[1, "red"], [2, "red"], [3, "red"], [7, "red"], [8, "blue"], [9, "blue"]]
    >>> profile(X, list("aaabbb")).rules
    {'a': [(0, '<=', 5.0)], 'b': [(0, '>', 5.0)]}
    """
    home: dict[str, Any] = {"features": features, "use_rep": use_rep, "force": force, "metric": "gower"}  # all types
    rows, values = labelled(X, labels, **home)
    most = inputs.at_least(conditions, 1, "conditions")
    columns = columns_of(rows.toarray() if hasattr(rows, "toarray") else rows)
    cells = cells_of(X)
    genes = None if cells is None else cells.genes(use_rep or USUAL)
    if genes is not None:
        columns = [(name, column) for name, (_, column) in zip(genes, columns, strict=True)]
    own = inputs.as_labels(values, noise=noise, rows=inputs.row_names(X))
    n = len(columns[0][1])
    inputs.check_length(n, own)
    if own.k < 2:
        msg = f"A cluster is told from others: labels must name 2 clusters or more; they name {own.k}."
        raise InputError(msg)
    present = own.codes >= 0
    codes = own.codes[present]
    read = [_read(name, column, present) for name, column in columns]
    rules = Rules([each for each, _ in read])
    samples = _Parts(codes, generators(random_state)(0))
    records: dict[str, list[Any]] = {name: [] for name in ("rule", "coverage", "precision", "others")}
    by_cluster = {}
    for code, name in enumerate(own.names):
        wanted = codes == code
        whole = rules.search(wanted, samples.searched, most)
        by_cluster[name] = _as_data(whole, rules)
        selected = samples.out_of_sample(rules, wanted, most)
        hits, false = int((selected & wanted).sum()), int((selected & ~wanted).sum())
        size = int(wanted.sum())
        records["rule"].append(" and ".join(_words(each) for each in by_cluster[name]) or "none")
        records["coverage"].append(hits / size)
        records["precision"].append(hits / (hits + false) if hits + false else np.nan)
        records["others"].append(false / (len(codes) - size))
    sizes = np.bincount(codes, minlength=own.k)
    table = Table(
        {
            "cluster": objects(own.names),
            "size": sizes,
            "share": sizes / len(codes),
            "rule": objects(records["rule"]),
            **{key: np.array(records[key]) for key in ("coverage", "precision", "others")},
        }
    )
    return Profile(table, _effects([each for _, each in read], codes, own.names), by_cluster)


class _Parts:
    """Five parts of the rows, each cluster spread evenly over them, and the rows among which rules are looked for."""

    def __init__(self, codes: Integers, rng: np.random.Generator) -> None:
        n = len(codes)
        mixed = rng.permutation(n)
        order = mixed[np.argsort(codes[mixed], kind="stable")]
        self.parts = np.empty(n, dtype=np.int64)
        self.parts[order] = np.arange(n) % FOLDS
        self.searched: Flags = np.zeros(n, dtype=bool)
        self.searched[mixed[:SEARCHED]] = True

    def out_of_sample(self, rules: Rules, wanted: Flags, most: int) -> Flags:
        """Return which rows are selected by the rule that the other four parts give."""
        selected = np.zeros(len(wanted), dtype=bool)
        for part in range(FOLDS):
            here = self.parts == part
            rule = rules.search(wanted, self.searched & ~here, most)
            if rule:
                selected |= here & rules.selected(rule)
        return selected


# --- columns ---------------------------------------------------------------------------------------------


def _read(name: Any, values: Any, present: Flags) -> tuple[BinnedColumn, list[tuple[Any, Floats]]]:
    """Return a column for rules, and what has effects: its numbers, or for each category whether it is there."""
    numbers = numeric(values)
    if numbers is not None:
        rounded = rounded_numbers(numbers[0])
        if rounded is not None:
            raise rounding_error(described(name), numbers[0][rounded][0])
        floats = np.where(numbers[1], np.nan, numbers[0].astype(np.float64))
        if np.isinf(floats).any():
            msg = f"{described(name)} is infinite in row {int(np.isinf(floats).argmax())}."
            raise InputError(msg)
        floats = floats[present]
        return of_numbers(name, floats), [(name, floats)]
    codes, categories = coded(values, described(name))
    codes = codes[present]
    frequent = np.argsort(-np.bincount(codes[codes >= 0], minlength=len(categories)), kind="stable")[:MOST_CATEGORIES]
    shares = [
        (f"{name} = {categories[at]}", np.where(codes < 0, np.nan, (codes == at).astype(np.float64)))
        for at in np.sort(frequent).tolist()
    ]
    return of_categories(name, codes, categories), shares


def _effects(read: list[list[tuple[Any, Floats]]], codes: Integers, names: list[Any]) -> Table:
    columns = [each for some in read for each in some]
    ones, k = np.ones(len(codes)), len(names)
    effects = np.array([column_effects(values, codes, k, ones) for _, values in columns])
    means = [column_means(values, codes, k, ones) for _, values in columns]
    lines = []
    for code in range(k):
        size = np.nan_to_num(np.abs(effects[:, code]), nan=-1.0, posinf=np.inf)
        lines += [(code, at) for at in np.argsort(-size, kind="stable").tolist()]
    return Table(
        {
            "cluster": objects([names[code] for code, _ in lines]),
            "column": objects([columns[at][0] for _, at in lines]),
            "effect": np.array([effects[at, code] for code, at in lines]),
            "mean": np.array([means[at][0][code] for code, at in lines]),
            "others": np.array([means[at][1][code] for code, at in lines]),
        }
    )


# --- words -----------------------------------------------------------------------------------------------


def _as_data(rule: tuple[Condition, ...], rules: Rules) -> list[tuple[Any, str, Any]]:
    """Return the conditions with names and values, those on one column side by side."""
    order = [each.column for each in rule]
    ranked = sorted(rule, key=lambda each: (order.index(each.column), each.comparison != ABOVE))
    return [
        (rules.columns[each.column].name, each.comparison, rules.columns[each.column].mark(each.place))
        for each in ranked
    ]


def _words(condition: tuple[Any, str, Any]) -> str:
    column, comparison, value = condition
    name = column if isinstance(column, str) else f"column {column}"
    return f"{name} {comparison} {str(value).removesuffix('.0')}"


def _sentence(record: Mapping[str, Any]) -> str:
    name = record["cluster"]
    if record["rule"] == "none":
        return f"{name}: no rule picks it out"
    return f"{name}: {record['rule']} ({record['coverage']:.0%} of {name}, {record['others']:.0%} of others)"
