"""Where plain NumPy ends and compiled code begins, and where one way of computing overtakes another.

A choice depends on the size of the input alone, never on what is loaded or how busy the machine is: the same input
always takes the same path and gives the same bits.
"""

PAIRS = 1000  # points; more are visited pair by pair in compiled code
RANKS = 1000  # points; ranks of the distances of more are compiled
CENTRES = 1000  # points; the distances of more to centres are compiled
POINTS = 2**14  # points; from here on single passes over points are compiled
LABELS = 2**18  # labels; from here on they are numbered and counted in compiled code
SIZES = 1000  # points; the expected mutual information of more is compiled

TREE_POINTS = 5000  # fewer points are met pair by pair sooner than trees are grown
TREE_DIMENSIONS = 8  # in more, trees look at too many pairs

SWEEP_WORK = 10**7  # pairs of points, over all partitions, from which blocks of partitions beat one by one
SWEEP_PARTITION = 10**5  # what NumPy spends on a partition whatever its size, in pairs

ARROW_ROWS = 10_000  # rows from which Arrow's dictionary is quicker than Python's, its import included
