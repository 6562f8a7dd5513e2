"""The five measures of a Prayatul matrix.

Of all pairs of points, on BR both algorithms are right about the truth, on RW only the primary, on WR only the
alternative, on BW none. In the examples these are 4, 3, 1 and 2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

Counts = tuple[Any, Any, Any, Any]  # whole numbers, unless weights are broken


def comparative_deviation(br: float, rw: float, wr: float, bw: float) -> float:  # noqa: ARG001 - one signature for all
    r"""Of the pairs where one algorithm is right, how many more the primary has than the alternative, as a share.

    .. math:: \frac{RW - WR}{RW + WR}

    0 where the two never disagree. Biswas 2023, eq. 5. Here (3 - 1) / (3 + 1):

    >>> comparative_deviation(4, 3, 1, 2)
    0.5
    """
    return (rw - wr) / (rw + wr) if rw + wr else 0.0


def polarization(br: float, rw: float, wr: float, bw: float) -> float:
    r"""Share of the pairs on which the primary is right, less the share on which both are wrong.

    .. math:: \frac{BR + RW - BW}{BR + RW + WR + BW}

    Biswas 2023, eq. 6. Here (4 + 3 - 2) / 10:

    >>> polarization(4, 3, 1, 2)
    0.5
    """
    return _quotient(br + rw - bw, br + rw + wr + bw)


def comparative_rightness(br: float, rw: float, wr: float, bw: float) -> float:  # noqa: ARG001
    r"""Of the pairs on which at least one algorithm is right, the share on which the primary is.

    .. math:: \frac{BR + RW}{BR + RW + WR}

    Biswas 2023, eq. 7. Here 7 / 8:

    >>> comparative_rightness(4, 3, 1, 2)
    0.875
    """
    return _quotient(br + rw, br + rw + wr)


def effective_rightness(br: float, rw: float, wr: float, bw: float) -> float:  # noqa: ARG001
    r"""Of the pairs on which at least one algorithm is right, those with the primary right less those without.

    .. math:: \frac{BR + RW - WR}{BR + RW + WR}

    Biswas 2023, eq. 8. Here (7 - 1) / 8:

    >>> effective_rightness(4, 3, 1, 2)
    0.75
    """
    return _quotient(br + rw - wr, br + rw + wr)


def effective_superiority(br: float, rw: float, wr: float, bw: float) -> float:
    r"""Share of the pairs on which the primary is right, less the share on which only the alternative is.

    .. math:: \frac{BR + RW - WR}{BR + RW + WR + BW}

    Biswas 2023, eq. 9. Here (7 - 1) / 10:

    >>> effective_superiority(4, 3, 1, 2)
    0.6
    """
    return _quotient(br + rw - wr, br + rw + wr + bw)


def _quotient(part: float, total: float) -> float:
    return part / total if total else math.nan


MEASURES: dict[str, Callable[[float, float, float, float], float]] = {
    "comparative_deviation": comparative_deviation,
    "polarization": polarization,
    "comparative_rightness": comparative_rightness,
    "effective_rightness": effective_rightness,
    "effective_superiority": effective_superiority,
}


def reason_for(counts: Counts) -> str:
    """Say why a measure of these counts is 0/0."""
    return "fewer than two points form no pair" if sum(counts) == 0 else "both algorithms are wrong on every pair"
