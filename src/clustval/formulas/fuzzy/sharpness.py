"""How sharply points are shared out among clusters, whatever the data: crisp clusters are best.

In the examples the first point is in one cluster, the second in two by halves, the third in all three.
"""

from __future__ import annotations

from math import e, inf, log

from clustval.declare import Value
from clustval.options import Base
from clustval.rules import highest, lowest
from clustval.sources.memberships import fuzzy_index
from clustval.stats.shares import Shares


@fuzzy_index(best=highest, bounds=(0, 1), degree=0, reference="bezdek1974", aliases=("pc", "fpc"))
def partition_coefficient(s: Shares) -> Value:
    r"""Sum of the squared memberships of a point, averaged over points.

    .. math:: \frac{1}{n} \sum_i \sum_k u_{ik}^2

    It is 1 if each point is in one cluster, and 1/c if all are in all c clusters alike. Here (1 + 1/2 + 3/8) / 3:

    >>> partition_coefficient(None, [[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]])
    0.625
    """
    return s.squares / s.n


@fuzzy_index(best=highest, bounds=(0, 1), degree=0, reference="dave1996", aliases=("mpc",))
def modified_partition_coefficient(s: Shares) -> Value:
    r"""Partition coefficient, moved and stretched to reach from 0 to 1 for any number of clusters.

    .. math:: \frac{c \, PC - 1}{c - 1}, \quad PC = \frac{1}{n} \sum_i \sum_k u_{ik}^2

    Here (3 · 5/8 - 1) / 2:

    >>> modified_partition_coefficient(None, [[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]])
    0.4375
    """
    value = (s.k * s.squares / s.n - 1) / (s.k - 1)
    return max(0.0, value) if s.shared_out else value


@fuzzy_index(best=lowest, bounds=(0, inf), degree=0, reference="bezdek1974", aliases=("pe",))
def partition_entropy(s: Shares, *, base: Base = e, normalized: bool = False) -> Value:
    r"""Entropy of the memberships of a point, averaged over points; normalized, over the largest that it may be.

    .. math:: -\frac{1}{n} \sum_i \sum_k u_{ik} \log u_{ik}

    The largest is log c, where all points are in all clusters alike. Here (0 + 1 + 3/2) / 3 bits, of log 3 at most:

    >>> partition_entropy(None, [[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]], base=2)
    0.833333
    """
    return s.entropy / s.n / log(s.k if normalized else base)
