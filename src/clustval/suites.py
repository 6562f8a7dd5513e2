"""Suites: the names of one source, each with the index and the rule that this source means by it.

Beside them stand our own: "default", "fast" (nothing quadratic) and "all". An index of a suite can be asked for
alone, as "clustercrit:silhouette".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clustval.rules import (
    Rule,
    before_value_below_one,
    by_eye,
    highest,
    knee_of_fall,
    knee_of_rise,
    largest_fall,
    largest_rise,
    lowest,
    sharpest_bend_down,
    sharpest_bend_up,
)


@dataclass(frozen=True)
class Entry:
    """What a source means by one of its names."""

    index: str
    rule: Rule | None = None  # None: the index's own
    options: Mapping[str, Any] = field(default_factory=dict)


Suite = dict[str, dict[str, Entry]]  # by kind, then by name

_GDI = [f"gdi{u}{v}" for u in range(1, 7) for v in range(1, 4)]

SUITES: dict[str, Suite] = {
    # Desgraupes (2017), the document of the R package clusterCrit; rules of its Table 2, as printed.
    "clustercrit": {
        "internal": {
            "ball_hall": Entry("ball_hall", sharpest_bend_up),
            "banfeld_raftery": Entry("banfeld_raftery", lowest),
            "c_index": Entry("c_index", lowest),
            "calinski_harabasz": Entry("calinski_harabasz", highest),
            "davies_bouldin": Entry("davies_bouldin", lowest),
            "det_ratio": Entry("det_ratio", sharpest_bend_down),
            "dunn": Entry("dunn", highest),
            "gamma": Entry("gamma", highest),
            "g_plus": Entry("g_plus", lowest),
            **{name: Entry(f"{name}_own_centre" if name[3] == "5" else name, highest) for name in _GDI},
            "ksq_detw": Entry("ksq_detw", sharpest_bend_up),
            "log_det_ratio": Entry("log_det_ratio", sharpest_bend_down),
            "log_ss_ratio": Entry("log_ss_ratio", sharpest_bend_down),
            "mcclain_rao": Entry("mcclain_rao", lowest),
            "pbm": Entry("pbm", highest),
            "point_biserial": Entry("point_biserial_unscaled", highest),
            "ray_turi": Entry("xie_beni", lowest),
            "ratkowsky_lance": Entry("ratkowsky_lance", highest),
            "scott_symons": Entry("scott_symons", lowest),
            "sd": Entry("sd", lowest),
            "sd_scat": Entry("sd_scat", lowest),
            "sd_dis": Entry("sd_dis", lowest),
            "s_dbw": Entry("s_dbw", lowest),
            "silhouette": Entry("silhouette_by_cluster", highest),
            "tau": Entry("tau", highest),
            "trace_w": Entry("trace_w", sharpest_bend_up),
            "trace_wib": Entry("trace_wib", sharpest_bend_up),
            "wemmert_gancarski": Entry("wemmert_gancarski", highest),
            "xie_beni": Entry("xie_beni_closest_points", lowest),
        },
        "external": {
            "czekanowski_dice": Entry("czekanowski_dice"),
            "folkes_mallows": Entry("fowlkes_mallows"),
            "hubert": Entry("hubert"),
            "jaccard": Entry("jaccard"),
            "kulczynski": Entry("kulczynski"),
            "mcnemar": Entry("mcnemar"),
            "phi": Entry("phi_without_root"),
            "precision": Entry("precision"),
            "rand": Entry("rand"),
            "recall": Entry("recall"),
            "rogers_tanimoto": Entry("rogers_tanimoto"),
            "russel_rao": Entry("russell_rao"),
            "sokal_sneath1": Entry("sokal_sneath_1"),
            "sokal_sneath2": Entry("sokal_sneath_2"),
        },
    },
    # Zaki and Meira (2014), chapter 17.
    "zaki": {
        "internal": {
            "beta_cv": Entry("mcclain_rao", lowest),
            "c_index": Entry("c_index"),
            "normalized_cut": Entry("normalized_cut", highest),
            "modularity": Entry("modularity"),
            "dunn": Entry("dunn"),
            "davies_bouldin": Entry("davies_bouldin_rms"),
            "silhouette": Entry("silhouette"),
            "hubert": Entry("hubert", highest),
            "hubert_normalized": Entry("hubert_normalized", highest),
            "calinski_harabasz": Entry("calinski_harabasz", sharpest_bend_down),  # Delta(k)
        },
        "external": {
            "purity": Entry("purity"),
            "matching": Entry("accuracy"),
            "f_measure": Entry("f_measure"),
            "conditional_entropy": Entry("conditional_entropy", options={"base": 2}),
            "nmi": Entry("normalized_mutual_info", options={"average": "geometric"}),
            "vi": Entry("variation_of_information", options={"base": 2}),
            "jaccard": Entry("jaccard"),
            "rand": Entry("rand"),
            "fowlkes_mallows": Entry("fowlkes_mallows"),
            "hubert": Entry("russell_rao"),
            "hubert_normalized": Entry("hubert"),
        },
    },
    # Vendramin, Campello and Hruschka (2010); difference-like criteria by their eq. 37.
    "vendramin": {
        "internal": {
            "vrc": Entry("calinski_harabasz"),
            "db": Entry("davies_bouldin"),
            **{name.replace("gdi", "dunn"): Entry(name) for name in _GDI},
            "swc": Entry("silhouette"),
            "aswc": Entry("alternative_silhouette"),
            "sswc": Entry("simplified_silhouette"),
            "asswc": Entry("alternative_simplified_silhouette"),
            "pbm": Entry("pbm"),
            "c_index": Entry("c_index"),
            "gamma": Entry("gamma"),
            "g_plus": Entry("g_plus"),
            "tau": Entry("tau"),
            "point_biserial": Entry("point_biserial"),
            "c_sqrt_k": Entry("ratkowsky_lance_mean_root"),
            "trace_w": Entry("trace_w", knee_of_fall),
            "trace_cov_w": Entry("trace_cov_w", knee_of_fall),
            "trace_wib": Entry("trace_wib", knee_of_rise),
            "det_ratio": Entry("det_ratio", knee_of_rise),
            "log_det_ratio": Entry("log_det_ratio", knee_of_rise, {"base": 10}),
            "ksq_detw": Entry("ksq_detw", knee_of_fall),
            "log_ss_ratio": Entry("log_ss_ratio_pairwise", knee_of_rise),
            "ball_hall": Entry("ball_hall_unsquared", knee_of_fall),
            "mcclain_rao": Entry("mcclain_rao_inverse", knee_of_rise),
        },
        "external": {
            "rand": Entry("rand"),
            "jaccard": Entry("jaccard"),
            "adjusted_rand": Entry("adjusted_rand"),
        },
    },
    # The R package NbClust (Charrad et al. 2014): its thirty names but "gap", and the rules of its code. Values are
    # those of the definitions; docs/nbclust.md says where the package differs.
    "nbclust": {
        "internal": {
            "kl": Entry("krzanowski_lai", highest),
            "ch": Entry("calinski_harabasz", highest),
            "hartigan": Entry("hartigan", largest_fall),
            "ccc": Entry("ccc", highest),
            "scott": Entry("log_det_ratio", largest_rise),
            "marriot": Entry("ksq_detw", sharpest_bend_up),
            "trcovw": Entry("trace_cov_w", largest_fall),
            "tracew": Entry("trace_w", sharpest_bend_up),
            "friedman": Entry("trace_wib", largest_rise),
            "rubin": Entry("det_ratio", sharpest_bend_down),
            "cindex": Entry("c_index", lowest),
            "db": Entry("davies_bouldin_rms", lowest),
            "silhouette": Entry("silhouette", highest),
            "duda": Entry("duda_hart"),
            "pseudot2": Entry("pseudo_t2"),
            "beale": Entry("beale"),
            "ratkowsky": Entry("ratkowsky_lance_mean_root", highest),
            "ball": Entry("ball_hall_sums", largest_fall),
            "ptbiserial": Entry("point_biserial", highest),
            "frey": Entry("frey", before_value_below_one),
            "mcclain": Entry("mcclain_rao", lowest),
            "gamma": Entry("gamma", highest),
            "gplus": Entry("g_plus", lowest),
            "tau": Entry("tau", highest),
            "dunn": Entry("dunn", highest),
            "hubert": Entry("hubert_normalized", by_eye),
            "sdindex": Entry("sd", lowest),
            "dindex": Entry("lebart_d", by_eye),
            "sdbw": Entry("s_dbw", lowest),
        },
    },
    # The R package fpc (Hennig 2019; Akhanli and Hennig 2020): statistics from 0 to 1 of which the largest are best.
    "hennig": {
        "internal": {
            "avewithin": Entry("hennig_avewithin"),
            "mnnd": Entry("hennig_mnnd"),
            "cvnnd": Entry("hennig_cvnnd"),
            "maxdiameter": Entry("hennig_maxdiameter"),
            "widestgap": Entry("hennig_widestgap"),
            "sindex": Entry("hennig_sindex"),
            "minsep": Entry("hennig_minsep"),
            "asw": Entry("hennig_asw"),
            "dindex": Entry("hennig_dindex"),
            "denscut": Entry("hennig_denscut"),
            "highdgap": Entry("hennig_highdgap"),
            "pearsongamma": Entry("hennig_pearson_gamma"),
            "withinss": Entry("hennig_withinss"),
            "entropy": Entry("hennig_entropy"),
            "pamc": Entry("hennig_pamc"),
        },
    },
    # Clusters of any shape: density, connection and nearest points, by our own names.
    "density": {
        "internal": {
            name: Entry(name)
            for name in (
                "dbcv",
                "dcsi",
                "disco",
                "cvdd",
                "viasckde",
                "dsi",
                "cdbw",
                "connectivity",
                "knn_consistency",
                "knn_purity",
                "dunn_nn",
            )
        },
    },
    # scikit-learn's functions.
    "sklearn": {
        "internal": {
            "silhouette_score": Entry("silhouette"),
            "calinski_harabasz_score": Entry("calinski_harabasz"),
            "davies_bouldin_score": Entry("davies_bouldin"),
        },
        "external": {
            "adjusted_mutual_info_score": Entry("adjusted_mutual_info"),
            "adjusted_rand_score": Entry("adjusted_rand"),
            "completeness_score": Entry("completeness"),
            "fowlkes_mallows_score": Entry("fowlkes_mallows"),
            "homogeneity_score": Entry("homogeneity"),
            "mutual_info_score": Entry("mutual_info"),
            "normalized_mutual_info_score": Entry("normalized_mutual_info"),
            "rand_score": Entry("rand"),
            "v_measure_score": Entry("v_measure"),
        },
    },
}

DEFAULT: dict[str, tuple[str, ...]] = {
    "internal": (
        "silhouette", "simplified_silhouette", "calinski_harabasz", "davies_bouldin", "dunn", "gdi33", "pbm",
        "xie_beni", "wemmert_gancarski", "point_biserial", "mcclain_rao", "s_dbw", "ratkowsky_lance", "trace_w",
    ),
    "external": (
        "adjusted_rand", "adjusted_mutual_info", "normalized_mutual_info", "homogeneity", "completeness", "v_measure",
        "variation_of_information", "fowlkes_mallows", "jaccard", "rand", "purity", "accuracy", "bcubed_f",
        "pair_sets_index",
    ),
}  # fmt: skip
WITHOUT_MEANS = {  # what takes the place of an index of means in the suite "default" of sets, categories and distances
    "simplified_silhouette": "medoid_silhouette",
    "davies_bouldin": "medoid_davies_bouldin",
}
OWN = ("default", "fast", "all")  # a kind without a default means all
LEFT_OUT = {  # names of a source that are no index of partitions, and why
    "nbclust": {"internal": {"gap": "it compares with random data; clustval.gap_statistic(X, k) does that"}},
}
