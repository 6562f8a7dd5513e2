"""Sizes that kernels and those who call them must agree on; no compiler is loaded for them."""

import sys

STRIP = 16  # columns of a strip of distances
EVERY = 256  # values between two running sums that are kept
HIGHEST = sys.float_info.max  # largest finite scale of distances: with infinity, 0 would become NaN
