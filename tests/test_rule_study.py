"""The rule by which an index is read finds the number of clusters where it is plain to see.

Data sets and hit rates are those of `rule_study`; docs/choosing.md prints the table. Bounds are well below the
rates that were measured: they guard against a rule that is broken, not against bad luck.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import rule_study

from clustval import catalogue
from clustval.declare import KINDS

pytestmark = pytest.mark.large  # a study of many data sets

catalogue.load()
INDICES = [*KINDS["internal"].records]

# Indices that find the true number less often than in three of four data sets, by the best rule that was tried.
WEAK = {
    "trace_wib": 0.45,
    "hartigan": 0.0,  # a threshold that clusters of many points never reach
    "ccc": 0.65,
    "gdi51_own_centre": 0.35,
    "gdi52_own_centre": 0.4,
    "gdi53_own_centre": 0.5,
    "point_biserial": 0.3,
    "point_biserial_unscaled": 0.3,
    "s_dbw": 0.3,
    "modularity": 0.1,
    "ratkowsky_lance": 0.05,
    "ratkowsky_lance_mean_root": 0.1,
    "tau": 0.1,
    "dsi": 0.65,
    "hennig_kd_normal": 0.4,
    "hennig_pearson_gamma": 0.4,
    "kmeans_aic": 0.35,  # the lowest value is what makes it a criterion of information
}

# Statistics of one aspect, best where clusters are fewest or most: they are weighed against others, not read alone.
WEAK |= dict.fromkeys(
    (
        *("connectivity", "dunn_nn", "knn_consistency", "knn_purity", "viasckde", "hennig_avewithin", "hennig_cvnnd"),
        *("hennig_denscut", "hennig_dindex", "hennig_entropy", "hennig_maxdiameter", "hennig_minsep", "hennig_mnnd"),
        *("hennig_pamc", "hennig_sindex", "hennig_withinss"),
    ),
    0.0,
)


@pytest.fixture(scope="module", name="table")
def _table():
    return rule_study.hits()


@pytest.mark.parametrize("index", INDICES)
def test_the_rule_of_an_index_finds_the_number_of_clusters(table, index):
    assert table[index]["own"].rate >= WEAK.get(index, 0.75)


@pytest.mark.parametrize("index", INDICES)
def test_no_printed_rule_is_much_better_than_our_own(table, index):
    printed = [hits.rate for source, hits in table[index].items() if source != "own"]
    assert table[index]["own"].rate >= max(printed, default=0) - 0.05


@pytest.mark.parametrize(
    ("index", "most"),
    [
        ("banfeld_raftery", 0.1),
        ("mcclain_rao", 0.2),
        ("scott_symons", 0.1),
        ("trace_wib", 0.1),
        ("point_biserial_unscaled", 0.1),
        ("ball_hall", 0.4),
        ("trace_w", 0.5),
        ("ksq_detw", 0.3),
    ],
)
def test_rules_of_table_2_that_mislead_are_kept_only_in_its_suite(table, index, most):
    own, printed = table[index]["own"], table[index]["clustercrit"]
    assert printed.rule != own.rule
    assert printed.rate <= most


def test_the_documentation_shows_the_rates_of_every_index(table):
    text = (Path(__file__).parents[1] / "docs" / "choosing.md").read_text(encoding="utf-8")
    rows = {row[1]: row[2:] for row in (re.split(r" *\| *", line) for line in text.splitlines()) if len(row) == 7}
    for index, row in table.items():
        rule, rate = rows[index][:2]
        assert rule == row["own"].rule.name
        assert float(rate.removesuffix("%")) / 100 == pytest.approx(row["own"].rate, abs=0.1)
