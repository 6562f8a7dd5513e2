"""Distances of points that were prepared for a form of metric, in plain NumPy and SciPy: few, or to test kernels by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from clustval.arrays import Floats
from clustval.kernels.metrics.form import ABSENT, NEGLIGIBLE, Form
from clustval.passes.metrics.measure_between import distances_between, euclidean_between, squares_between

SETS = ("jaccard", "dice", "rogerstanimoto", "sokalsneath", "russellrao", "yule")
CELLS = 2**20  # terms at a time
PAIRS = 16  # at a time, of which all distances are measured: quicker than one after the other


def form_distances_numpy(form: Form, A: Floats, B: Floats) -> Floats:
    """Return the distances of rows of A to rows of B, both prepared for the form."""
    return MEASURED.get(form.name, _by_scipy)(form, A, B)


def form_pairs_numpy(form: Form, A: Floats, B: Floats) -> Floats:
    """Return the distances of rows of A to the same rows of B, both prepared for the form."""
    parts = [slice(low, low + PAIRS) for low in range(0, len(A), PAIRS)]
    return np.concatenate([np.empty(0), *(form_distances_numpy(form, A[part], B[part]).diagonal() for part in parts)])


def tied(distances: Floats, unit: float, coarseness: float) -> Floats:
    """Return distances of so many digits that those which differ by rounding alone are equal.

    They are rounded as shares of a unit, so that distances about equal to it surely are. The unit of Mahalanobis is the
    root mean square of its distances, which all are equal to it if there is but one point more than columns.
    """
    shares = distances / unit
    coarse = shares * coarseness  # what is larger by so many bits loses them at the lower end (Veltkamp)
    rounded: Floats = (coarse + (shares - coarse)) * unit
    return rounded


def _by_scipy(form: Form, A: Floats, B: Floats) -> Floats:
    from scipy.spatial.distance import cdist  # noqa: PLC0415 - only metrics need it

    options: dict[str, Any] = {"p": form.a} if form.name == "minkowski" else {}
    return np.asarray(cdist(A, B, cast("Any", form.name), **options), dtype=np.float64)


def divergences(_form: Form, A: Floats, B: Floats, *, cells: int = CELLS) -> Floats:
    """Return square roots of Jensen-Shannon divergences, which do not depend on which row comes first."""
    from scipy.special import rel_entr  # noqa: PLC0415 - only this metric needs it

    sums = np.empty((len(A), len(B)))
    step = max(1, cells // max(B.size, 1))
    for lo in range(0, len(A), step):
        a, b = A[lo : lo + step, None, :], B[None, :, :]
        middle = (a + b) / 2
        sums[lo : lo + step] = (rel_entr(a, middle) + rel_entr(b, middle)).sum(axis=-1)
    return np.sqrt(np.maximum(sums / 2, 0))


def _mixed(form: Form, A: Floats, B: Floats) -> Floats:
    """Return Gower's distances of numbers within 1 of each other and of numbers of categories."""
    sums = np.zeros((len(A), len(B)))
    for a, b in zip(A.T, B.T, strict=True):
        sums += np.minimum(np.abs(a[:, None] - b), 1.0)
    return sums / form.a


def _mixed_with_gaps(_form: Form, A: Floats, B: Floats) -> Floats:
    """Return Gower's distances of columns each of which is there twice: weights, below 0, and numbers."""
    sums, weights = np.zeros((len(A), len(B))), np.zeros((len(A), len(B)))
    for column in range(0, A.shape[1], 2):
        weight = np.minimum(-A[:, column, None], -B[:, column])
        a, b = A[:, column + 1, None], B[:, column + 1]
        sums += weight * np.minimum(np.abs(a - b), 1.0)
        weights += weight * (np.minimum(a, b) != ABSENT)
    return (sums + NEGLIGIBLE - NEGLIGIBLE) / np.maximum(weights, np.finfo(np.float64).smallest_subnormal)


def _sets(form: Form, A: Floats, B: Floats) -> Floats:
    """Return distances of sets that are packed to words; two empty sets are equal, and so are two full ones."""
    # Counts are whole numbers, so that products of 0 and 1 lose nothing.
    a, b = (np.unpackbits(M.view(np.uint8), axis=1, count=int(form.a)).astype(np.float64) for M in (A, B))
    both, first, second = a @ b.T, a @ (1 - b).T, (1 - a) @ b.T
    apart = first + second
    if form.name == "russellrao":
        return np.asarray((form.a - both) / form.a)
    if form.name == "yule":
        crossed = first * second
        above, below = 2 * crossed, both * (form.a - both - apart) + crossed
    else:
        above, below = {
            "jaccard": (apart, both + apart),
            "dice": (apart, 2 * both + apart),
            "rogerstanimoto": (2 * apart, form.a + apart),
            "sokalsneath": (2 * apart, both + 2 * apart),
        }[form.name]
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


MEASURED: dict[str, Callable[[Form, Floats, Floats], Floats]] = {
    "euclidean": lambda _form, A, B: euclidean_between(A, B),
    "sqeuclidean": lambda _form, A, B: squares_between(A, B),
    "angle": lambda _form, A, B: distances_between(A, B, 0.5),
    "tied": lambda form, A, B: tied(euclidean_between(A, B), form.a, form.b),
    "jensenshannon": divergences,
    "gower": _mixed,
    "gower_gaps": _mixed_with_gaps,
    **dict.fromkeys(SETS, _sets),
}
