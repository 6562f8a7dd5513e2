"""The cases that `record_values` records: calls of public functions, each with a key that says what is called."""

from recorded.blocks import batches, blocks, estimates, streams
from recorded.others import choices, external, fuzzy, mixtures, refusals, sweeps, tendencies, trees
from recorded.points import alone, forms, large, options, points

SECTIONS = {
    section.__name__: section
    for section in (
        points, large, alone, options, forms, blocks, streams, batches, estimates,
        sweeps, external, fuzzy, mixtures, trees, choices, tendencies, refusals,
    )
}  # fmt: skip
