"""Sizes that kernels and those who call them must agree on; no compiler is loaded for them."""

STRIP = 16  # columns of a strip of distances
EVERY = 256  # values between two running sums that are kept
