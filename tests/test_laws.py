"""Laws that hold of every index of every kind, read from the records and tried on the examples in `kinds/`."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from kinds import examples
from pytest import approx

import clustval as cv
from clustval import catalogue
from clustval.declare import COSTS, KINDS
from clustval.options import Above, AtLeast, Between, OneOf

EVERY = sorted(catalogue.every_index(), key=lambda index: (index.kind, index.name))
every_index = pytest.mark.parametrize("index", EVERY, ids=lambda index: f"{index.kind}-{index.name}")
every_kind = pytest.mark.parametrize("kind", sorted(KINDS))


def value(index, arguments, **options):
    """Return what a user gets who calls the index alone."""
    return getattr(getattr(cv, index.kind), index.name)(*arguments, **options)


def outcome(index, arguments, **options):
    """Return the value of the index alone, or the reason why it has none."""
    try:
        return value(index, arguments, **options)
    except cv.UndefinedIndexError as reason:
        return str(reason)


def scores(index, arguments, options=None):
    """Return what a user gets who evaluates the index with options."""
    return getattr(cv, index.kind).evaluate(*arguments, indices={index.name: options or {}})


@functools.cache
def all_scores(kind):
    """Return all indices of the good example, computed together."""
    return getattr(cv, kind).evaluate(*examples(kind).good)


def arrays(arguments):
    return [a for a in arguments if isinstance(a, np.ndarray)]


# --- values ----------------------------------------------------------------------------------------------


@every_index
def test_what_does_not_matter_changes_nothing(index):
    for what, (one, other, rounding) in examples(index.kind).alike.items():
        assert value(index, other) == approx(value(index, one), rel=rounding, abs=0), what


@every_index
def test_values_lie_within_the_bounds(index):
    low, high = index.bounds
    kind = examples(index.kind)
    for arguments in (kind.good, kind.bad, *kind.others):
        assert low <= value(index, arguments) <= high


JUDGING = [i for i in EVERY if i.best.better != "neither" and i.name not in examples(i.kind).undirected]


@pytest.mark.parametrize("index", JUDGING, ids=lambda index: f"{index.kind}-{index.name}")
def test_a_good_clustering_beats_a_bad_one(index):
    kind = examples(index.kind)
    good, bad = value(index, kind.good), value(index, kind.bad)
    if index.best.better == "nearer 0":
        good, bad = -abs(good), -abs(bad)
    assert good < bad if index.best.better == "lower" else good > bad


@every_index
def test_alone_and_among_all_others_the_value_is_the_same_bit_for_bit(index):
    assert all_scores(index.kind)[index.name] == value(index, examples(index.kind).good)


@every_index
def test_single_precision_costs_only_its_own_rounding(index):
    single = [
        a.astype(np.float32) if isinstance(a, np.ndarray) and a.dtype.kind == "f" else a
        for a in examples(index.kind).good
    ]
    double = [a.astype(np.float64) if isinstance(a, np.ndarray) and a.dtype.kind == "f" else a for a in single]
    assert value(index, single) == value(index, double)


@every_index
def test_repeating_a_call_gives_the_same_bits_and_leaves_the_input_as_it_was(index):
    good = examples(index.kind).good
    copies = [np.copy(a) if isinstance(a, np.ndarray) else a for a in good]
    for array in arrays(copies):
        array.flags.writeable = False
    assert value(index, copies) == value(index, copies)
    assert all(np.array_equal(a, b) for a, b in zip(arrays(copies), arrays(good), strict=True))


# --- degenerate input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "case"), [(kind, case) for kind in sorted(KINDS) for case in examples(kind).degenerate]
)
def test_degenerate_input_gives_a_value_or_the_reason_that_the_single_function_raises(kind, case):
    arguments = examples(kind).degenerate[case]
    together = getattr(cv, kind).evaluate(*arguments)
    assert list(together) == list(KINDS[kind].indices)
    for name, number in together.items():
        assert math.isnan(number) == (name in together.reasons), name
        assert outcome(KINDS[kind].indices[name], arguments) == together.reasons.get(name, number), name


# --- options ---------------------------------------------------------------------------------------------

OPTIONS = [(index, option) for index in EVERY for option in index.options.values()]
every_option = pytest.mark.parametrize(
    ("index", "option"), OPTIONS, ids=[f"{index.kind}-{index.name}-{option.name}" for index, option in OPTIONS]
)


def refused(option):
    """Return values that an option must refuse, by its type and range."""
    numbers = [math.nan, math.inf, -math.inf, True, "2"]
    wrong = {bool: [0, 1, "yes"], str: ["no such word", 3, True], int: [*numbers, 1.5], float: numbers}[option.type]
    if isinstance(option.allowed, Above):
        wrong += [option.allowed.limit, option.allowed.limit - 5]
    if isinstance(option.allowed, Between):
        wrong += [option.allowed.high, option.allowed.high + 5]
    if isinstance(option.allowed, AtLeast):
        wrong += [option.allowed.limit - 1, option.allowed.limit - 5]
    return [*wrong, None, [option.default]]


def others(option):
    """Return values that an option allows, beside its default."""
    if isinstance(option.allowed, OneOf):
        return [word for word in option.allowed if word != option.default]
    if option.type is bool:
        return [not option.default]
    if isinstance(option.allowed, Between):
        return [option.allowed.limit + share * (option.allowed.high - option.allowed.limit) for share in (0.25, 0.5)]
    return [number for number in (option.allowed.limit + 2, option.allowed.limit + 9) if number != option.default]


@every_option
def test_an_option_has_a_range_and_refuses_what_is_outside(index, option):
    assert option.type in (bool, str) or option.allowed is not None
    assert option.type is not str or isinstance(option.allowed, OneOf)
    good = examples(index.kind).good
    for wrong in refused(option):
        message = f"{option.name} must be {option.rule}; it is {wrong!r}."
        with pytest.raises(cv.InputError) as error:
            value(index, good, **{option.name: wrong})
        assert str(error.value) == message
        with pytest.raises(cv.InputError) as error:
            scores(index, good, {option.name: wrong})
        assert str(error.value) == message


@every_option
def test_an_option_accepts_its_default_and_what_is_inside_its_range(index, option):
    good = examples(index.kind).good
    assert value(index, good, **{option.name: option.default}) == value(index, good)
    low, high = index.bounds
    for other in others(option):
        together = scores(index, good, {option.name: other})
        alone = outcome(index, good, **{option.name: other})
        assert alone == together.reasons.get(index.name, together[index.name])
        assert isinstance(alone, str) or low <= alone <= high


@pytest.mark.parametrize("part", ["per_point", "per_cluster"])
def test_options_reach_the_values_of_points_and_clusters(part):
    made_of = {"per_point": "points", "per_cluster": "by_cluster"}[part]
    tried = [(index, option) for index, option in OPTIONS if getattr(index, made_of)]
    assert tried
    for index, option in tried:
        kind = examples(index.kind)
        usual = scores(index, kind.good)
        for other in others(option):
            changed = scores(index, kind.good, {option.name: other})
            parts = [np.array(list(_values(getattr(s, part)(index.name)))) for s in (usual, changed)]
            same = usual[index.name] == changed[index.name] or option.name in kind.summing.get(index.name, ())
            assert np.array_equal(*parts, equal_nan=True) == same, (index.name, option.name, other)


def _values(parts):
    return parts.values() if isinstance(parts, dict) else parts


def test_an_option_that_makes_no_sense_is_refused_in_words():
    X, labels = examples("internal").good
    with pytest.raises(cv.InputError, match=r"^base must be a number above 1; it is 0\.$"):
        cv.internal.log_det_ratio(X, labels, base=0)
    with pytest.raises(cv.InputError, match=r"^epsilon must be a number above 0; it is -5\.$"):
        cv.internal.alternative_silhouette(X, labels, epsilon=-5)


# --- records ---------------------------------------------------------------------------------------------


@every_index
def test_the_record_is_complete(index):
    assert index.summary.endswith(".")
    assert index.reference
    assert index.bounds[0] < index.bounds[1]
    assert index.cost in COSTS
    assert ".. math::" in index.formula.__doc__
    assert ">>>" in index.formula.__doc__


@every_kind
def test_the_summary_of_no_two_indices_is_the_same(kind):
    summaries = [index.summary for index in KINDS[kind].indices.values()]
    assert len(set(summaries)) == len(summaries)
