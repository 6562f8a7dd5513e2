"""How work is visited: a pass cuts it into pieces, threads take pieces from a queue, and results are folded in order.

Between a statistic, which says *what* it wants of the points, and a kernel, which is one compiled loop over arrays,
stands a pass. It decides by the size of the input alone *how* the work is done. All distances between points, the work
that costs most, go this way::

    stats/pairs/pair_distances.py           PairSums, PointMeans, PairExtremes: distances by cluster
                |
                v
    passes/pairs/half_square.py  form_pass(X, starts, form, n_jobs=, memory=)       points are sorted by cluster
                |
                |-- up to 64 points ----------------> half_square_numpy.numpy_pass   the twin: plain NumPy, no compiler
                |-- few pairs, one compiled call ---> few_pass                       each pair twice
                |-- chunks long, tables fit --------> half_square_pass               each pair once
                '-- short clusters, or no room -----> full_square_pass               each pair twice, no tables
                |
                v
        chunks of points, each inside one cluster; groups of chunks; a piece of work is a pair of groups:

              group 0   1   2   3
                  +---+---+---+---+
                0 | 0 | 1 | 2 | 3 |     pieces are numbered; the half below the diagonal is never visited:
                  +---+---+---+---+     a distance is added to its row and to its column at once
                1     | 4 | 5 | 6 |
                      +---+---+---+
                2         | 7 | 8 |     passes/work/threads.py  run(work, count, n_jobs)
                          +---+---+
                3             | 9 |     thread 1:  0  2  3  5 ...      a free thread takes the next number:
                              +---+     thread 2:  1  4  6  7 ...      no barrier, no piece waits for a slow core
                |
                v
    kernels/pairs/half_square.py  half_square(...)     one piece: compiled, without the GIL, writes to its own places
    kernels/pairs/fold_chunks.py  fold_sums(...)       chunks are folded to clusters, always in the same order
                |
                v
    PairPass                                           what the statistic keeps; no n x n array is ever built

Rules that every pass keeps:

- **The same input gives the same bits**, on any number of threads. Pieces write to places of their own and are folded
  by their number, never by who was first. The choice between two ways depends on sizes, never on how busy the machine
  is. Limits between NumPy and compiled code are measured, and stand in one file: ``work/thresholds.py``.
- **Every compiled pass has a twin in plain NumPy**, here and not in the tests: small inputs take it, because loading
  the compiler would take longer than their work, and tests compare the two on the same points.
- **How work is cut is a parameter with a default** (``block=BLOCK``, ``columns=COLUMNS``): a test passes a small
  number, and forty points take the way of a million. A cut changes time and memory, not values beyond rounding.
- **Memory is a budget**: a pass takes no more than ``memory`` bytes besides a copy of the points and its result.
- ``done`` is called after each piece, from whichever thread did it; ``progress.py`` makes a line of text from it.
- A pass knows arrays and metrics, but no index, no statistic and no source. Clusters come as ``starts``: the points are
  sorted, and cluster c is rows ``starts[c]:starts[c + 1]``.

Topics: the same folders are in ``kernels/`` and ``stats/``, and the same thing has the same file name in all three. On
each floor topics form an order without circles, which ``tests/test_layers.py`` checks.

- ``work``: threads, thresholds, pieces of work on executors and clusters of machines, how long pairs take.
- ``metrics``: points prepared for a metric, rows of distances, quantiles of all distances.
- ``labels``: labels numbered, counted in the cells of a table, matched.
- ``points``, ``centres``: passes over rows, and over distances to centres: linear in n.
- ``pairs``: the pass drawn above, and searches that visit fewer pairs.
- ``ranks``: all distances by rank, none of them kept: concordance, sums of the smallest and largest, DSI.
- ``neighbours``, ``density``: nearest points; how dense points are inside clusters and between them.
- ``trees``, ``merges``: spanning trees of points, and the merges of a hierarchy.
- ``sweeps``, ``kmeans``: many partitions of the same points at once, and how such partitions are made.
- ``memberships``, ``covers``, ``consensus``: shares of points in clusters, clusters that overlap, many labellings.
- ``graphs``, ``categories``: edges between and inside clusters; categories counted by cluster.
- ``valleys``: how many points lie between two clusters.
"""
