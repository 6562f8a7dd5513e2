"""All distances between the rows of a table of numbers and categories, as a matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.categories import Name
from clustval.errors import InputError
from clustval.mixed_table import Columns, mixed
from clustval.passes.work import threads
from clustval.sources.space import space_of

ROWS = 256  # that a thread fills in at a time


def gower(
    X: Any,
    *,
    categorical: Columns = (),
    ordinal: Columns | Mapping[Name, Sequence[Any]] = (),
    asymmetric: Columns = (),
    weights: Mapping[Name, float] | Sequence[float] | None = None,
    n_jobs: int | None = None,
    memory: int | str | None = None,
) -> NDArray[Any]:
    """Return Gower's distance between every two rows of a table: the mean difference over the columns that both have.

    For the values of indices, ``metric="gower"`` does without the matrix.

    Parameters
    ----------
    X, categorical, ordinal, asymmetric, weights
        As for `mixed`: the table, and what is said of its columns.
    n_jobs
        Number of threads; None for all cores. The distances do not depend on it.
    memory
        Bytes, or text such as "2 GiB", that the matrix may take.

    Ages differ by 10 of 20 years; of two columns:

    >>> gower([[20, "red"], [30, "blue"], [40, "red"]])
    array([[0.  , 0.75, 0.5 ],
           [0.75, 0.  , 0.75],
           [0.5 , 0.75, 0.  ]])
    """
    table = mixed(X, categorical=categorical, ordinal=ordinal, asymmetric=asymmetric, weights=weights)
    n, budget = len(table), inputs.as_memory(memory)
    if 8 * n * n > budget:
        msg = (
            f"The matrix of {n} rows takes {8 * n * n / 2**30:.3g} GiB, more than the budget of "
            f"{budget / 2**30:.3g} GiB. Raise memory=, or give metric='gower' to what needs distances."
        )
        raise InputError(msg)
    space = space_of(table, metric="gower", n_jobs=n_jobs)
    out = np.empty((n, n))
    blocks = range(0, n, ROWS)

    def work(item: int) -> None:
        rows = np.arange(blocks[item], min(blocks[item] + ROWS, n))
        out[rows[0] : rows[-1] + 1] = space.rows(rows)

    space.rows(np.zeros(1, dtype=np.int64))  # what threads share is made once
    threads.run(work, len(blocks), threads.worth(space.n_jobs, n * n))
    return out
