"""A small study of decision rules: how often the rule of an index finds the true number of clusters.

Run as a script, it prints the table of docs/choosing.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from clustval.relative.sweep import sweep
from clustval.relative.sweep_result import Sweep
from clustval.rules import Rule
from clustval.suites import SUITES

KS = range(2, 11)
SEEDS = range(20)  # our own rules were chosen on data sets with other seeds, from 1000 on
ALGORITHMS = ({"linkage": "ward"}, {"random_state": 0})  # the second is our own k-means


def blobs(seed: int) -> tuple[np.ndarray, int]:
    """Give 3 to 6 Gaussian clusters of unequal size and spread in 2 to 6 dimensions, and their number.

    Their centres keep a distance of at least 6 times the larger of two spreads.
    """
    rng = np.random.default_rng(seed)
    k, p = int(rng.integers(3, 7)), int(rng.integers(2, 7))
    sizes, spreads = rng.integers(25, 90, k), rng.uniform(0.5, 1.5, k)
    centres = np.empty((0, p))
    while len(centres) < k:
        centre = rng.uniform(-4, 4, p) * k
        wider = np.maximum(spreads[: len(centres)], spreads[len(centres)])
        if (np.linalg.norm(centres - centre, axis=1) >= 6 * wider).all():
            centres = np.vstack([centres, centre])
    points = [rng.normal(c, s, (n, p)) for c, s, n in zip(centres, spreads, sizes, strict=True)]
    return np.vstack(points), k


def sweeps(seeds: Iterable[int]) -> Iterable[tuple[Sweep, int]]:
    """Give the values of every index for k = 2 ... 10, and the true number of clusters."""
    for seed in seeds:
        X, k = blobs(seed)
        for algorithm in ALGORITHMS:
            yield sweep(X, indices="all", k=KS, n_jobs=1, **algorithm), k


def printed_rules() -> dict[str, dict[str, Rule]]:
    """Give, for each index, the rules that sources print for it, by the name of their suite."""
    found: dict[str, dict[str, Rule]] = {}
    for suite in ("clustercrit", "vendramin", "zaki"):
        for entry in SUITES[suite]["internal"].values():
            if entry.rule is not None:
                found.setdefault(entry.index, {})[suite] = entry.rule
    return found


@dataclass
class Hits:
    """How often a rule found the truth."""

    rule: Rule
    found: list[bool] = field(default_factory=list)

    @property
    def rate(self) -> float:
        return float(np.mean(self.found))


def hits(seeds: Iterable[int] = SEEDS) -> dict[str, dict[str, Hits]]:
    """Give, for each index, the hits of our own rule ("own") and of those that sources print for it."""
    printed = printed_rules()
    table: dict[str, dict[str, Hits]] = {}
    for values, k in sweeps(seeds):
        for index, own in values.rules.items():
            row = table.setdefault(index, {s: Hits(r) for s, r in {"own": own, **printed.get(index, {})}.items()})
            for hit in row.values():
                limits = values.details[index]["critical"] if hit.rule.critical else 0
                chosen = hit.rule.choose(values[index] - limits, values.k)
                hit.found.append(chosen >= 0 and values.k[chosen] == k)
    return table


def as_markdown(table: dict[str, dict[str, Hits]]) -> str:
    """Give the table of the documentation: indices by the hit rate of our own rule."""
    lines = ["| index | our rule | hits | as printed | hits |", "|---|---|---|---|---|"]
    for index, row in sorted(table.items(), key=lambda item: (-item[1]["own"].rate, item[0])):
        own = row["own"]
        others = {s: h for s, h in row.items() if s != "own" and h.rule != own.rule}
        names = "; ".join(f"{h.rule.name} ({s})" for s, h in others.items())
        rates = "; ".join(f"{h.rate:.0%}" for h in others.values())
        lines.append(f"| {index} | {own.rule.name} | {own.rate:.0%} | {names} | {rates} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(as_markdown(hits()))  # noqa: T201
