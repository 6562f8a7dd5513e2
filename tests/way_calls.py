"""Calls of the ways of a statistic, noted while a test runs."""

from __future__ import annotations

from clustval.declare import declared_ways


def note_calls(monkeypatch, statistic, note):
    """Call `note` with what each way of a statistic is given, whenever one is taken."""
    for way in declared_ways()[statistic]:

        def noted(*given, run=way.run, **options):
            note(*given, **options)
            return run(*given, **options)

        monkeypatch.setitem(vars(way), "run", noted)
