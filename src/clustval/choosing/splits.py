"""Whether the best candidate is too coarse, so that a finer one is the better answer.

The judge of paths compares candidates as wholes, and a few groups far apart outshine the clusters within them. First
the candidate that is best by the silhouette is asked: if it has more clusters and paths connect them at least half as
well, it is taken. Then each cluster is looked at alone: of all ways in which candidates cut it, the best by S and Q is
taken if S is large enough, and the parts are looked at again. The candidate that agrees best with the result is the
answer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clustval.arrays import Floats, Integers, numbered
from clustval.choosing.judges import DENSITIES, FLOOR, Verdicts, alone, dense_table
from clustval.choosing.pool import Candidate
from clustval.choosing.structure import some_of
from clustval.inputs import Labels
from clustval.passes.labels.many_labellings import rand_matrix
from clustval.sources.space import Space

CONNECTED = 0.2  # S at the larger density from which on parts are clusters, if all have as many points as that
FEWEST = 24  # points of a cluster that may fall into others
PART = 4  # points of a part, on average
TIMES = 3  # that parts are looked at again
HALF = 0.5  # of the best candidate's S, from which on paths connect a finer candidate well enough


def chosen(space: Space, candidates: Sequence[Candidate], verdicts: Verdicts) -> int:
    """Return the candidate that is the answer: the one with the best value, or a finer one."""
    best = int(verdicts.values.argmax())
    if verdicts.wide:
        return best
    compact = int(verdicts.compactness.argmax())
    connected = verdicts.connected[compact] >= HALF * verdicts.connected[best]
    start = compact if connected and candidates[compact].k > candidates[best].k else best
    return finer(space, candidates, verdicts.values, start)


def finer(space: Space, candidates: Sequence[Candidate], values: Floats, best: int) -> int:
    """Return the candidate that agrees best with one of them, cut where its clusters fall into clusters."""
    codes = alone([candidate.codes for candidate in candidates])
    refined = codes[best].copy()
    queue = [(np.flatnonzero(candidates[best].codes == cluster), 0) for cluster in range(candidates[best].k)]
    while queue:
        rows, times = queue.pop()
        parts = _parts(space, codes, rows) if times < TIMES else None
        if parts is not None:
            refined[rows] = refined.max() + 1 + parts
            queue += [(rows[parts == part], times + 1) for part in range(int(parts.max()) + 1)]
    if (refined == codes[best]).all():
        return best
    order = np.argsort(-values, kind="stable")  # of equals the one that is judged best
    agreement = [rand_matrix(np.stack([numbered(refined), codes[at]]), n_jobs=1)[0, 1] for at in order]
    return int(order[int(np.argmax(agreement))])


def _parts(space: Space, codes: Integers, rows: Integers) -> Integers | None:
    """Return the clusters that some of the points fall into, as candidates cut them; None if into none."""
    if len(rows) < FEWEST:
        return None
    cuts = {each.tobytes(): each for each in map(numbered, codes[:, rows])}
    ways = [each for each in cuts.values() if 0 < each.max() < len(rows) // PART]
    if not ways:
        return None
    labels = [Labels(each, list(range(int(each.max()) + 1))) for each in ways]
    table = dense_table(some_of(space, rows), labels, DENSITIES)
    best = int(((table[:, :-1].mean(axis=1) + FLOOR) * table[:, -1]).argmax())
    clear = table[best, len(DENSITIES) - 1] >= CONNECTED and np.bincount(ways[best]).min() >= DENSITIES[-1]
    return ways[best] if clear else None
