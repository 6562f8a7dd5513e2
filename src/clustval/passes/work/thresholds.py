"""Where plain NumPy ends and compiled code begins, and where one way of computing overtakes another.

A choice depends on the size of the input alone, never on what is loaded or how busy the machine is: the same input
always takes the same path and gives the same bits. Only counts, which have no other bits, may go by what is loaded.
Limits are where the compiled way was first the quicker one, measured on two cores with the compiler loaded; the times
in the comments are of the plain and of the compiled way.

With NUMBA_DISABLE_JIT=1 nothing is compiled, and kernels would run as Python, if at all: then NumPy has no end.
"""

import os
import sys

PAIRS = 64  # points; more are visited pair by pair in compiled code (silhouette: 0.7 and 0.5 ms)
RANKS = 500  # points; ranks of the distances of more are compiled (Gamma, 8 dimensions: 8.2 and 8.1 ms)
CENTRES = 64  # points; the distances of more to centres are compiled (5 centres, 8 dimensions: 36 and 17 microseconds)
POINTS = PAIRS + 1  # points; from here on single passes over points and labels are compiled (trace of W: 92, 50 us)
FACTORS = PAIRS + 1  # points; from here on triangular factors are compiled (100 x 8: 12 and 3, 1,000 x 8: 36 and 20 us)
FACTOR_COLUMNS = 128  # in more columns, LAPACK's blocks are quicker (2,000 x 128: 58 and 9 ms, 2,000 x 512: 92, 233 ms)
NUMBERS = 2**18  # coordinates; so many of fewer points are compiled as well (cosine silhouette, 700 x 384: 21, 12 ms)
MEETINGS = 200_000  # points; diameters of more are sought among those far from means (50,000 x 8: 0.8 and 0.02 s)
STREAM = 2**18  # points; more are not sorted for linear indices (Calinski-Harabasz and two more, 8 columns: 1.7, 0.4 s)
LABELS = 2**14  # labels; from here on they are numbered and counted in compiled code (adjusted Rand: 0.5 and 0.4 ms)
MERGES = 64  # points; trees of fewer are not worth loading the compiler for (Baker's Gamma: 2.0 and 0.01 ms)
EDGES = 2**12  # entries; graphs of more are checked and counted in compiled code (10,000 entries: 540, 76 us)
SWAPS = 2**7  # edges; more exchange their ends in compiled code (128 edges: 6 and 0.2 ms)
SIZES = 30  # points; the expected mutual information of more is compiled
WARPED = 2**14  # pairs of steps of all series; from here on time warping is compiled (10 series of 13: 3 and 0.06 ms)
DENSE = 2**24  # numbers; a sparse X with more, zeros among them, is not written out
SINGLES = 64  # dimensions; points of as many that came in single precision are met in it

TREE_POINTS = 5000  # fewer points are met pair by pair sooner than trees are grown
TREE_DIMENSIONS = 8  # in more, trees look at too many pairs

SWEEP_POINTS = 1000  # partitions of more points are always evaluated in blocks
SWEEP_WORK = 10**6  # pairs of points, over all partitions, from which blocks of partitions beat one by one
SWEEP_PARTITION = 10**5  # what NumPy spends on a partition whatever its size, in pairs

ARROW_ROWS = 10_000  # rows from which Arrow's dictionary is quicker than Python's, its import included

SPANNING_TREES = 20  # points, times 2**dimensions: trees of more grow from k-d trees (2**8, 20,000: 0.5, 1.3 s)
GAPS = 2000  # points; centres of fewer are measured by one thread (1,000 centres x 8: 0.58 and 0.71 ms on two)
NEIGHBOURS = 100  # points, times 2**dimensions: neighbours among more are looked up in trees (2**8, 20,000: 1.3, 1.7 s)

COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0").strip() in {"", "0"}
if not COMPILED:
    PAIRS = RANKS = CENTRES = POINTS = FACTORS = LABELS = MERGES = SIZES = EDGES = SWAPS = sys.maxsize
    TREE_POINTS = NEIGHBOURS = SPANNING_TREES = sys.maxsize
    SWEEP_POINTS = SWEEP_WORK = STREAM = DENSE = sys.maxsize


def whole_numbers_compiled(n: int) -> bool:
    """Return whether so few labels are counted in compiled code: if the compiler is there, but it is not loaded for it.

    Counts are the same to the bit either way, so that this one choice may depend on more than the size.
    """
    return n >= POINTS and "numba" in sys.modules
