"""The fuzzer of values, for seconds: the same clusterings in every run; `make fuzz` draws others for hours."""

from __future__ import annotations

import fuzz_values
import pytest


@pytest.mark.large
@pytest.mark.parametrize("block", range(5))
def test_random_clusterings_have_the_values_of_the_definitions_in_any_clothes(block):
    for seed in range(7 * block, 7 * block + 7):
        fuzz_values.check(seed)


# Once scale was lost in noise, or a square was a power, which is not always the nearest number.
@pytest.mark.parametrize("seed", [101, 1794960299546, 1794960300400])
def test_a_clustering_that_once_lost_its_scale(seed):
    fuzz_values.check(seed)
