"""Every tolerance for rounding, in one table: how large it is and what it is relative to.

Two numbers that are equal by definition can differ in their last digits, because sums were added in another order. A
tolerance is the difference that still counts as none: above what rounding does, and below what data do.

=====================  =========  ======================================================================================
name                   size       relative to
=====================  =========  ======================================================================================
EPSILON (EPS.)         2.2e-16    a number: the step from 1 to the next larger float64
ROUNDING_OF_TERMS      4e-16      a sum, for each term: a sum of n terms in another order may differ by n times as much
ROUNDING_OF_MEANS      8 EPS.     the reach of the points (largest coordinate, from the origin), or the mean distance
ROUNDING_OF_SPREADS    16 EPS.    the reach of the points: a standard deviation, or the length of a mean of unit vectors
ROUNDING_OF_WEIGHTS    1e-15      the sum of all weights; for weights of pairs of points, its square
ROUNDING_OF_CHANGES    1e-13      the value before the change, which is a sum of squares or a quotient of two
ROUNDING_OF_VALUES     1e-12      the larger of two values: densities, sums of distances, lengths of axes, indices
ROUNDING_OF_DISTANCES  1e-10      the largest distance of a matrix, or by a function, that the caller made
ROUNDING_OF_SHARES     1e-6       1, which the memberships of a point add up to: callers print them with few digits
SLACK                  1 + 1e-12  a bound of distances or of their squares: with this factor, rounding does not break it
SLACK_OF_SQUARES       1 + 1e-15  the square of a distance that was the root of a square
SLACK_OF_SUMS          1 + 1e-9   a sum of two distances to the mean of a cluster
INSIDE                 1 - 1e-12  a radius: whoever is nearer than this share of it is inside without doubt
SINGULAR               8          the error of a singular value: no more than 8 errors are 0
TIED                   32         the error of a Mahalanobis distance: two that differ by up to 32 errors are equal
TRUSTED                2e-12      a determinant: where the bound of its error is smaller, the matrix itself gives it
COLLINEAR              1e-10      the length of a column: if other columns leave no more of it, it depends on them
CONVERGED              1e-14      the root that an iteration looks for: a step that is smaller ends it
FLAT                   1e-14      the scale of a column: a diagonal entry of its factor that is no larger is 0
CANCELLED              1e-3       two squared lengths: a smaller difference of them has lost digits; it is added up anew
NEGLIGIBLE             1e-19      the sum so far: a term that is smaller does not change it
LARGEST                1e150      nothing: squares of larger coordinates overflow
SMALLEST               1e-140     nothing: squares of smaller spreads vanish
=====================  =========  ======================================================================================

No compiler is loaded for them.
"""

EPSILON = 2.0**-52

ROUNDING_OF_TERMS = 4e-16
ROUNDING_OF_MEANS = 8 * EPSILON
ROUNDING_OF_SPREADS = 16 * EPSILON
ROUNDING_OF_WEIGHTS = 1e-15
ROUNDING_OF_CHANGES = 1e-13
ROUNDING_OF_VALUES = 1e-12
ROUNDING_OF_DISTANCES = 1e-10
ROUNDING_OF_SHARES = 1e-6

SLACK = 1 + 1e-12
SLACK_OF_SQUARES = 1 + 1e-15
SLACK_OF_SUMS = 1 + 1e-9
INSIDE = 1 - 1e-12

SINGULAR = 8
TIED = 32
TRUSTED = 2e-12
COLLINEAR = 1e-10
CONVERGED = 1e-14
FLAT = 1e-14
CANCELLED = 1e-3
NEGLIGIBLE = 1e-19

LARGEST = 1e150
SMALLEST = 1e-140
