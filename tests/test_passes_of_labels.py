"""Passes over labels on few points: counted, matched, compared; and when they are compiled."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np

from clustval.passes.labels import cells as cell_counts
from clustval.passes.labels.many_labellings import pairs_together_numpy
from clustval.passes.labels.matching import heaviest_matching
from clustval.passes.work import thresholds


def test_pairs_that_two_labellings_put_together_are_counted():
    codes = np.array([[0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 2, 3]])
    assert pairs_together_numpy(codes).tolist() == [[3, 1, 0], [1, 2, 0], [0, 0, 0]]


def test_many_labels_below_zero_are_counted(set_thresholds):
    set_thresholds(LABELS=1)
    numbers, counts = cell_counts.tabulate([np.array([-5, -3, -5, -5]), np.array([1, 0, 0, 1])])
    assert [column.tolist() for column in numbers] == [[-5, -5, -3], [0, 1, 0]]
    assert counts.tolist() == [1, 2, 1]


def test_a_matching_leaves_alone_who_shares_no_cell_with_anyone():
    rows, columns = np.array([0, 1]), np.array([0, 0])
    assert heaviest_matching(rows, columns, np.array([5.0, 1]), (2, 2)).tolist() == [0]


def test_few_labels_are_compiled_only_if_the_compiler_is_there(monkeypatch, set_thresholds):
    set_thresholds(POINTS=65)
    monkeypatch.setitem(sys.modules, "numba", SimpleNamespace())
    assert thresholds.whole_numbers_compiled(65)
    assert not thresholds.whole_numbers_compiled(64)
    monkeypatch.delitem(sys.modules, "numba")
    assert not thresholds.whole_numbers_compiled(10**6)
