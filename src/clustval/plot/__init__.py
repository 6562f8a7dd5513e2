"""Figures of results: each function takes a result, draws it with matplotlib and returns the axes or the figure.

Nothing is computed here that is not in the result. matplotlib is loaded on first use: ``pip install 'clustval[plot]'``.
"""

from __future__ import annotations

from clustval.plot.agreement_intervals import agreements
from clustval.plot.beside_nulls import consensus_by_number, prediction_strength, significance, structure
from clustval.plot.cluster_lines import (
    assignment,
    calibration,
    class_agreement,
    clusterwise_stability,
    community_test,
    profile,
)
from clustval.plot.cluster_tree import cluster_tree
from clustval.plot.comparison_triangle import comparison
from clustval.plot.consensus_map import consensus
from clustval.plot.contingency_map import contingency
from clustval.plot.correlation_matrix import correlations
from clustval.plot.dendrograms import dendrogram
from clustval.plot.diagnosis_map import diagnosis, valley
from clustval.plot.distance_image import vat
from clustval.plot.divergence_histogram import distance_distribution, spatial_histogram
from clustval.plot.flow_diagram import flows
from clustval.plot.gap_curve import gap
from clustval.plot.hopkins_histogram import hopkins
from clustval.plot.index_curves import curve, curves
from clustval.plot.prayatul_matrix import prayatul, prayatul_table
from clustval.plot.principal_components import scatter
from clustval.plot.silhouettes import silhouette
from clustval.plot.stability_curve import stability
from clustval.plot.tree_agreement import fowlkes_mallows_bk
from clustval.plot.tree_tangle import tanglegram

__all__ = [
    "agreements",
    "assignment",
    "calibration",
    "class_agreement",
    "cluster_tree",
    "clusterwise_stability",
    "community_test",
    "comparison",
    "consensus",
    "consensus_by_number",
    "contingency",
    "correlations",
    "curve",
    "curves",
    "dendrogram",
    "diagnosis",
    "distance_distribution",
    "flows",
    "fowlkes_mallows_bk",
    "gap",
    "hopkins",
    "prayatul",
    "prayatul_table",
    "prediction_strength",
    "profile",
    "scatter",
    "significance",
    "silhouette",
    "spatial_histogram",
    "stability",
    "structure",
    "tanglegram",
    "valley",
    "vat",
]
