"""What a metric is to a kernel: how dimensions add up and how their sum becomes a distance; no compiler is loaded.

The operations themselves are in `metric_forms`. Points come as the metric wants them: unit rows for cosine, packed bits
for sets, and so on (`passes.metrics.prepared`).
"""

from __future__ import annotations

from dataclasses import dataclass

# How many sums are kept for a pair, where it is not one.
PARTS = {"braycurtis": 2, "yule": 3, "gower_gaps": 3}
PARTS |= dict.fromkeys(("jaccard", "dice", "rogerstanimoto", "sokalsneath"), 2)

NEGLIGIBLE = 1e-270  # sums far below it, as missing values of "gower_gaps" leave behind, are 0
ABSENT = 2.0**60  # what an asymmetric column holds where it says no, as "gower_gaps" reads it

# What squared differences are multiplied by to make a distance; 0 stands for their root (`kernels.metrics.roots`).
FACTORS = {"euclidean": 0.0, "sqeuclidean": 1.0, "angle": 0.5}


@dataclass(frozen=True)
class Form:
    """One way to add up dimensions and to finish, with up to two numbers that it takes, the first 1 if none."""

    name: str
    a: float = 1.0
    b: float = 0.0

    @property
    def factor(self) -> float | None:
        """What squared differences are multiplied by, 0 for their root; None if something else is added up."""
        return FACTORS.get(self.name)


EUCLIDEAN = Form("euclidean")
