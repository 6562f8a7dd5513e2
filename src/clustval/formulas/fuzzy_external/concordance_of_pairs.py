"""Agreement of how alike the memberships of two points are, averaged over pairs.

Two points are alike, by memberships u, to the degree E = 1 - Σ |u - u'| / 2. In the examples of three points U has them
in (1, 0), (1, 0) and (0, 1), so that E is 1, 0 and 0; V in (1, 0), (1/2, 1/2) and (0, 1), so that E is 1/2, 0 and 1/2.
"""

from __future__ import annotations

from clustval.declare import Value
from clustval.rules import highest
from clustval.sources.membership_pair import membership_pair_index
from clustval.stats.memberships.fuzzy_pairs import ExpectedDifference, PairDifference


@membership_pair_index(best=highest, bounds=(0, 1), reference="hullermeier2012")
def ndc(d: PairDifference) -> Value:
    r"""Mean over pairs of points of 1 minus the difference in how alike the two points are.

    .. math:: 1 - \frac{1}{\binom{n}{2}} \sum_{i < j} |E_{ij} - E'_{ij}|, \quad
        E_{ij} = 1 - \tfrac{1}{2} \sum_k |u_{ik} - u_{jk}|

    It is 1 just where both see all pairs alike, and the Rand index where each point is in one cluster. Here the
    differences are 1/2, 0 and 1/2:

    >>> ndc([[1, 0], [1, 0], [0, 1]], [[1, 0], [0.5, 0.5], [0, 1]])
    0.6666667
    """
    return 1 - d.mean


@membership_pair_index(best=highest, bounds=(-1, 1), reference="dambrosio2021", aliases=("adjusted_concordance",))
def aci(d: PairDifference, e: ExpectedDifference) -> Value:
    r"""Share by which the agreement of pairs exceeds what points matched at random would give.

    .. math:: \frac{NDC - e}{1 - e}, \quad 1 - e = \frac{1}{\binom{n}{2}^2} \sum_{i < j} \sum_{k < l} |E_{ij} - E'_{kl}|

    The mean e is exact: at random, every pair meets every pair equally often. It is the adjusted Rand index where each
    point is in one cluster, and 1 for equal memberships: the index to use where others are adjusted Rand indices.
    Here the nine pairs of pairs differ by 1/2, 1, 1/2, twice 1/2, 0, 1/2, in all by 4, so that it is 1 - (1/3) / (4/9):

    >>> aci([[1, 0], [1, 0], [0, 1]], [[1, 0], [0.5, 0.5], [0, 1]])
    0.25
    """
    return 1.0 if d.mean == 0 else 1 - d.mean / e.mean
