"""The naive definitions reproduce the numbers that papers print and that exact arithmetic gives."""

import math

import naive
import naive_external
import numpy as np
import pytest
from sklearn import metrics

from conftest import IRIS_SPECIES, PAIRS, golden, golden_pair, golden_set, iris_components

approx = pytest.approx


def read_data(name):
    X, labels, _ = golden_set(name)
    return X.tolist(), labels.tolist()


def read_pair(name):
    return golden_pair(name)[:2]


def iris(clustering):
    """Give the two principal components of Iris, the species and the chapter's good or bad clustering."""
    X, labels = iris_components(clustering)
    return X.tolist(), IRIS_SPECIES, labels.tolist()


def printed(text):
    """Any number that rounds, or is cut off, to the one printed."""
    digits = len(text.partition(".")[2])
    return approx(float(text), rel=0, abs=1.001 * 10.0**-digits if text in CUT_OFF else 0.501 * 10.0**-digits)


CUT_OFF = {"1.200", "0.258"}  # true values 1.2009 and 0.2587


# Internal indices of Desgraupes, in exact arithmetic

SETS = ["a_iris4", "b_iris_pc2", "g_int200", "i_singleton120"]
OF_RANKS = {"gamma", "g_plus", "tau"}

# Distances that are equal on paper may differ in the last bit.
TOLERANCE = {
    ("a_iris4", "gamma"): 5e-4,
    ("a_iris4", "g_plus"): 5e-3,
    ("a_iris4", "tau"): 1e-4,
    ("b_iris_pc2", "gamma"): 2e-5,
    ("b_iris_pc2", "g_plus"): 1e-3,
    ("b_iris_pc2", "tau"): 2e-5,
}


def golden_internal():
    for name in SETS:
        reference = golden(f"{name}.golden")
        exact = reference["paper_formula_exact"]
        # The literal silhouette of a singleton is 0/0; it counts 0 here.
        values = {**exact["values"], "silhouette": exact["extra"]["silhouette_macro_singleton0"]}
        for index, value in values.items():
            if index not in OF_RANKS or reference["N"] <= 150:  # the loops over pairs of pairs take too long
                marks = [pytest.mark.large] if index in OF_RANKS else []
                yield pytest.param(name, index, float(value), id=f"{name}-{index}", marks=marks)


@pytest.mark.parametrize(("name", "index", "value"), list(golden_internal()))
def test_internal_indices_equal_the_formulas_in_exact_arithmetic(name, index, value):
    rel = TOLERANCE.get((name, index), 1e-10)
    assert naive.CLUSTERCRIT[index](*read_data(name)) == approx(value, rel=rel)


@pytest.mark.parametrize("name", SETS)
def test_the_mean_silhouette_over_points_equals_exact_arithmetic(name):
    X, labels = read_data(name)
    value = golden(f"{name}.golden")["paper_formula_exact"]["extra"]["silhouette_micro_singleton0"]
    assert naive.VENDRAMIN["swc"](X, labels) == approx(value, rel=1e-10)
    assert naive.SKLEARN["silhouette_score"](X, labels) == approx(value, rel=1e-10)


@pytest.mark.large
def test_concordant_and_discordant_pairs_are_counted_exactly():
    X, labels = read_data("i_singleton120")
    counts = golden("i_singleton120.golden")["paper_formula_exact"]["counts"]
    assert naive.s_plus(X, labels) == counts["s_plus"]
    assert naive.s_minus(X, labels) == counts["s_minus"]


def test_the_suites_have_the_names_of_their_sources():
    names = golden("names")
    package = {name.lower() for name in names["internal"]}
    assert set(naive.CLUSTERCRIT) == package | {"gdi61", "gdi62", "gdi63"}
    assert set(naive_external.CLUSTERCRIT_EXTERNAL) == {name.lower() for name in names["external"]}
    assert len(naive.VENDRAMIN) == 40
    assert len(naive.ZAKI) == 10


# Where sources differ: both values on the good clustering of Iris

BOTH_SOURCES = {
    "davies_bouldin": ("0.5651", naive.ZAKI["davies_bouldin"], "0.6523"),
    "ball_hall": ("0.4230", naive.VENDRAMIN["ball_hall"], "0.5581"),
    "mcclain_rao": ("0.2386", naive.VENDRAMIN["mcclain_rao"], "4.1919"),
    "ratkowsky_lance": ("0.4569", naive.VENDRAMIN["c_sqrt_k"], "0.4415"),
    "silhouette": ("0.6015", naive.VENDRAMIN["swc"], "0.5976"),
    "gdi53": ("0.3904", naive.VENDRAMIN["dunn53"], "1.4178"),
    "point_biserial": ("-1.2029", naive.VENDRAMIN["point_biserial"], "0.7164"),
    "log_det_ratio": ("505.28", naive.VENDRAMIN["log_det_ratio"], "219.44"),
    "log_ss_ratio": ("2.2429", naive.VENDRAMIN["log_ss_ratio"], "1.1626"),
    "xie_beni": ("10.859", naive.CLUSTERCRIT["ray_turi"], "0.1334"),
}


@pytest.mark.parametrize("index", BOTH_SOURCES)
def test_two_sources_with_one_name_give_two_values(index):
    X, _, labels = iris("good")
    first, other, second = BOTH_SOURCES[index]
    assert naive.CLUSTERCRIT[index](X, labels) == printed(first)
    assert other(X, labels) == printed(second)


def test_the_simplified_silhouette_is_wemmert_gancarski_when_every_point_is_nearest_its_own_centroid():
    X, _, labels = iris("good")
    assert naive.VENDRAMIN["sswc"](X, labels) == approx(naive.CLUSTERCRIT["wemmert_gancarski"](X, labels), rel=1e-12)


def test_the_sums_of_squares_between_pairs_and_around_the_mean_agree_for_two_clusters_only():
    X, _, labels = iris("good")
    two = [label == "2" for label in labels]
    in_nats = naive.VENDRAMIN["log_ss_ratio"](X, two) * math.log(10)
    assert in_nats == approx(naive.CLUSTERCRIT["log_ss_ratio"](X, two), rel=1e-12)


def test_alternative_silhouettes_are_ratios():
    # Distances within are 1, those to the other cluster 10, 11 (twice) and 12; the singleton counts 0.
    X, labels = [[0], [1], [11], [12], [100]], [0, 0, 1, 1, 2]
    assert naive.VENDRAMIN["aswc"](X, labels) == approx((2 * 11.5 + 2 * 10.5) / 5, rel=1e-5)
    assert naive.VENDRAMIN["asswc"](X, labels) == approx((2 * 11.5 + 2 * 10.5) / 0.5 / 5, rel=1e-5)


def test_the_pooled_covariance_divides_by_the_degrees_of_freedom():
    X, labels = [[0], [2], [7], [9], [11]], [0, 0, 1, 1, 1]
    assert naive.VENDRAMIN["trace_cov_w"](X, labels) == approx((2 + 8) / 3, rel=1e-15)


def test_the_hausdorff_gap_is_the_worst_nearest_neighbour():
    # 9 is 7 from {0, 2}; the larger diameter is 4.
    X, labels = [[0], [2], [5], [9]], [0, 0, 1, 1]
    for index in ("gdi61", "gdi62", "gdi63"):
        assert naive.CLUSTERCRIT[index](X, labels) == approx(7 / 4, rel=1e-15)


def test_determinants_keep_their_sign_when_rows_are_exchanged():
    assert naive.determinant([[0, 1], [1, 0]]) == -1
    assert naive.determinant([[1, 2, 3], [4, 5, 6], [7, 8, 9]]) == 0


def test_sd_weighs_scattering_with_the_separation_of_the_finest_partition():
    X = [[0.0], [2.0], [6.0], [8.0]]
    coarse, fine = [0, 0, 1, 1], [0, 0, 1, 2]
    # Centroids 1 and 7: D = 2/6. Centroids 1, 6, 8: D = 7/2 (1/12 + 1/7 + 1/9).
    alpha = 7 / 2 * (1 / 12 + 1 / 7 + 1 / 9)
    expected = [alpha * 1 / 10 + 2 / 6, alpha * (1 / 3) / 10 + alpha]
    assert naive.sd([(X, coarse), (X, fine)]) == approx(expected, rel=1e-14)


@pytest.mark.parametrize("index", naive.SKLEARN)
def test_the_sklearn_suite_equals_scikit_learn(index):
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(25, 3)), rng.integers(4, size=25)
    assert naive.SKLEARN[index](X, labels) == approx(getattr(metrics, index)(X, labels), rel=1e-12)


# Undefined cases: nan for 0/0, inf for x/0

ONE_CLUSTER = ([[0, 0], [1, 2], [3, 1], [2, 2]], [0, 0, 0, 0])
SINGLETONS = ([[0, 0], [1, 2], [3, 1], [2, 5]], [0, 1, 2, 3])
COINCIDENT = ([[0, 0], [2, 2], [0, 2], [2, 0]], [0, 0, 1, 1])


def test_one_cluster_leaves_most_indices_undefined_but_not_all():
    values = {name: index(*ONE_CLUSTER) for name, index in naive.CLUSTERCRIT.items()}
    defined = {name for name, value in values.items() if not math.isnan(value)}
    always = {"ball_hall", "banfeld_raftery", "scott_symons", "trace_w", "ksq_detw"}
    trivial = {
        "det_ratio",
        "log_det_ratio",
        "log_ss_ratio",
        "trace_wib",
        "ratkowsky_lance",
        "sd_scat",
        "g_plus",
    }
    assert defined == always | trivial
    assert values["det_ratio"] == values["sd_scat"] == 1
    assert values["log_ss_ratio"] == -math.inf
    assert naive.ZAKI["normalized_cut"](*ONE_CLUSTER) == 0
    assert naive.ZAKI["modularity"](*ONE_CLUSTER) == approx(0, abs=1e-15)


def test_singletons_only_are_perfect_or_undefined():
    values = {name: index(*SINGLETONS) for name, index in naive.CLUSTERCRIT.items()}
    for name in (
        "c_index",
        "gamma",
        "tau",
        "point_biserial",
        "mcclain_rao",
        "calinski_harabasz",
        "trace_wib",
    ):
        assert math.isnan(values[name])
    for name in ("dunn", "pbm", "det_ratio", "log_ss_ratio"):
        assert values[name] == math.inf
    assert values["wemmert_gancarski"] == 1
    for name in ("davies_bouldin", "ray_turi", "xie_beni", "sd_scat", "silhouette"):
        assert values[name] == 0


def test_coincident_centroids_are_infinitely_bad():
    assert naive.CLUSTERCRIT["davies_bouldin"](*COINCIDENT) == math.inf
    assert naive.CLUSTERCRIT["ray_turi"](*COINCIDENT) == math.inf
    assert naive.CLUSTERCRIT["pbm"](*COINCIDENT) == 0
    assert math.isnan(naive.ZAKI["hubert_normalized"](*COINCIDENT))


def test_a_constant_column_makes_determinants_and_column_ratios_undefined():
    X, labels = [[0, 1], [2, 1], [4, 1], [7, 1]], [0, 0, 1, 1]
    for index in ("det_ratio", "log_det_ratio", "trace_wib", "ratkowsky_lance"):
        assert math.isnan(naive.CLUSTERCRIT[index](X, labels))
    assert math.isnan(naive.VENDRAMIN["c_sqrt_k"](X, labels))


def test_a_density_ratio_without_points_near_the_centres_is_0_or_undefined():
    # sigma = sqrt(1 + 2.25) / 2 = 0.90; no point is that near to the centres 1 and 5.5.
    X, labels = [[0], [2], [4], [7]], [0, 0, 1, 1]
    assert math.isnan(naive.CLUSTERCRIT["s_dbw"](X, labels))  # but 4 is near the midpoint 3.25
    X, labels = [[0], [2], [10], [13]], [0, 0, 1, 1]
    assert naive.CLUSTERCRIT["s_dbw"](X, labels) == naive.CLUSTERCRIT["sd_scat"](X, labels)


def test_equal_points_have_no_silhouette_but_0_in_scikit_learn():
    X, labels = [[1, 1]] * 4, [0, 0, 1, 1]
    assert math.isnan(naive.VENDRAMIN["swc"](X, labels))
    assert naive.SKLEARN["silhouette_score"](X, labels) == 0


# Zaki and Meira, examples 17.1-17.6

ZAKI_INTERNAL_PRINTED = {
    "beta_cv": ("0.239", "0.33"),
    "c_index": ("0.0338", "0.08"),
    "modularity": ("-0.23", "-0.20"),
    "davies_bouldin": ("0.652", "1.11"),
    "normalized_cut": ("2.67", "2.56"),
    "dunn": ("0.078", "0.03"),
    "silhouette": ("0.598", "0.55"),
    "hubert": ("8.19", "7.32"),
    "hubert_normalized": ("0.918", "0.83"),
}

ZAKI_EXTERNAL_PRINTED = {
    "purity": ("0.887", "0.667"),
    "matching": ("0.887", "0.560"),
    "f_measure": ("0.885", "0.658"),
    "conditional_entropy": ("0.418", "0.743"),
    "nmi": ("0.742", "0.587"),
    "vi": ("0.812", "1.200"),
    "jaccard": ("0.682", "0.477"),
    "rand": ("0.874", "0.717"),
    "fowlkes_mallows": ("0.811", "0.657"),
    "hubert": ("0.271", "0.258"),
    "hubert_normalized": ("0.717", "0.442"),
}


@pytest.mark.parametrize("index", ZAKI_INTERNAL_PRINTED)
def test_the_internal_measures_of_zaki_and_meira_give_the_numbers_of_example_17_6(index):
    for clustering, value in zip(("good", "bad"), ZAKI_INTERNAL_PRINTED[index], strict=True):
        X, _, labels = iris(clustering)
        assert naive.ZAKI[index](X, labels) == printed(value)


@pytest.mark.parametrize("index", ZAKI_EXTERNAL_PRINTED)
def test_the_external_measures_of_zaki_and_meira_give_the_numbers_of_examples_17_1_to_17_4(index):
    for clustering, value in zip(("good", "bad"), ZAKI_EXTERNAL_PRINTED[index], strict=True):
        _, truth, labels = iris(clustering)
        assert naive_external.ZAKI_EXTERNAL[index](truth, labels) == printed(value)


def test_the_weights_of_example_17_6():
    X, _, labels = iris("good")
    assert sorted(own for own, _ in naive.cluster_weights(X, labels)) == approx([1252.36, 1523.10, 3265.69], abs=0.005)
    assert math.fsum(naive.within_distances(X, labels)) == printed("3020.57")
    assert len(naive.within_distances(X, labels)) == 3796
    assert len(naive.between_distances(X, labels)) == 7379


def test_the_pair_counts_of_example_17_3():
    for clustering, counts in (("good", (3030, 645, 766, 6734)), ("bad", (2891, 784, 2380, 5120))):
        _, truth, labels = iris(clustering)
        assert naive_external.concordance(truth, labels) == counts
        assert naive_external.concordance_of_table(naive_external.contingency(truth, labels)) == counts


def test_another_base_of_the_logarithm_only_changes_the_unit():
    _, truth, labels = iris("good")
    for index in ("conditional_entropy", "vi"):
        measure = naive_external.ZAKI_EXTERNAL[index]
        in_nats = measure(truth, labels, base=math.e)
        assert in_nats == approx(measure(truth, labels) * math.log(2), rel=1e-12)
    nmi = naive_external.ZAKI_EXTERNAL["nmi"]
    assert nmi(truth, labels, base=10) == approx(nmi(truth, labels), rel=1e-12)


# External indices of Desgraupes, in exact arithmetic

FEW_POINTS = [name for name in PAIRS if name != "p12_noisy40000"]


def golden_external(name):
    return golden(f"external/{name}.golden")["paper_formula_exact"]


@pytest.mark.parametrize("name", PAIRS)
def test_the_formulas_of_pair_counts_equal_exact_arithmetic(name):
    exact = golden_external(name)
    counts = naive_external.concordance_of_table(naive_external.contingency(*read_pair(name)))
    assert counts == tuple(exact["counts"][count] for count in ("yy", "yn", "ny", "nn"))
    for index, value in exact["values"].items():
        assert naive_external.OF_COUNTS[index](*counts) == approx(float(value), rel=1e-10, nan_ok=True)


@pytest.mark.parametrize("name", FEW_POINTS)
def test_external_indices_of_labels_equal_exact_arithmetic(name):
    truth, pred = read_pair(name)
    exact = golden_external(name)
    for index, value in exact["values"].items():
        measure = naive_external.CLUSTERCRIT_EXTERNAL[index]
        assert measure(truth, pred) == approx(float(value), rel=1e-10, nan_ok=True)
    phi = float(exact["extra"]["phi_with_sqrt_denominator"])
    assert naive_external.EXTERNAL["phi"](truth, pred) == approx(phi, rel=1e-10, nan_ok=True)
    if name != "p13_both_allinone30":  # one block against one block: 0/0, where the file says 1
        assert naive_external.EXTERNAL["adjusted_rand"](truth, pred) == approx(
            exact["extra"]["adjusted_rand"], rel=1e-10
        )


@pytest.mark.parametrize("name", PAIRS)
def test_the_variation_of_information_equals_exact_arithmetic(name):
    value = golden_external(name)["extra"]["vi_nats"]
    assert naive_external.EXTERNAL["variation_of_information"](*read_pair(name)) == approx(value, rel=1e-10)


def test_the_printed_external_values_of_desgraupes_come_from_one_table_of_counts():
    counts = (715, 3053, 1483, 5924)
    for index, value in {"jaccard": "0.1361645", "rand": "0.594094", "folkes_mallows": "0.2484487"}.items():
        assert naive_external.OF_COUNTS[index](*counts) == printed(value)


def test_the_pairwise_f_measure_is_the_harmonic_mean_of_precision_and_recall():
    _, truth, labels = iris("good")
    assert naive_external.f_measure(truth, labels) == printed("0.8111")
    assert naive_external.f_alpha(truth, labels, 1) == approx(naive_external.f_measure(truth, labels), rel=1e-12)
    # P = 3030/3796 and R = 3030/3675: 1 + alpha over alpha/R + 1/P.
    assert naive_external.f_alpha(truth, labels, 2) == approx(3 / (2 * 3675 / 3030 + 3796 / 3030), rel=1e-12)
    assert math.isnan(naive_external.f_alpha([0, 0, 1, 1], [0, 1, 0, 1], 2))


# Vendramin, Figure 5; Chung's example

FIGURE_5 = ([1, 1, 1, 1, 2, 2, 2, 2], [2, 2, 2, 1, 1, 1, 3, 3])
CHUNG = ([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])


def test_figure_5_of_vendramin_has_5_7_2_and_14_pairs():
    assert naive_external.concordance(*FIGURE_5) == (5, 7, 2, 14)
    assert naive_external.CLUSTERCRIT_EXTERNAL["rand"](*FIGURE_5) == printed("0.6786")


def test_the_accuracy_of_chungs_seven_points_is_five_sevenths():
    assert naive_external.contingency(*CHUNG) == [[2, 2, 0], [1, 0, 0], [0, 0, 2]]
    assert naive_external.EXTERNAL["accuracy"](*CHUNG) == printed("0.7143")


def test_clusters_left_over_by_the_matching_count_0():
    assert naive_external.accuracy([0, 0, 0, 1, 1], [0, 0, 1, 2, 2]) == 4 / 5
    assert naive_external.accuracy([0, 0, 1, 2, 2], [0, 0, 0, 1, 1]) == 4 / 5


# Indices that scikit-learn has too


def label_pairs():
    rng = np.random.default_rng(0)
    pairs = [(rng.integers(rng.integers(2, 6), size=n), rng.integers(rng.integers(2, 6), size=n)) for n in range(8, 28)]
    return [*pairs, FIGURE_5, CHUNG]


@pytest.mark.parametrize("average", naive_external.AVERAGES)
def test_mutual_information_is_normalized_and_adjusted_as_in_scikit_learn(average):
    for truth, pred in label_pairs():
        normalized = metrics.normalized_mutual_info_score(truth, pred, average_method=average)
        adjusted = metrics.adjusted_mutual_info_score(truth, pred, average_method=average)
        assert naive_external.normalized_mutual_info(truth, pred, average) == approx(normalized, abs=1e-12)
        assert naive_external.adjusted_mutual_info(truth, pred, average) == approx(adjusted, abs=1e-12)


@pytest.mark.parametrize(
    ("index", "score"),
    [
        ("adjusted_rand", metrics.adjusted_rand_score),
        ("mutual_info", metrics.mutual_info_score),
        ("homogeneity", metrics.homogeneity_score),
        ("completeness", metrics.completeness_score),
        ("v_measure", metrics.v_measure_score),
    ],
)
def test_external_indices_equal_those_of_scikit_learn(index, score):
    for truth, pred in label_pairs():
        assert naive_external.EXTERNAL[index](truth, pred) == approx(score(truth, pred), abs=1e-12)


def test_the_v_measure_is_weighted_as_in_scikit_learn():
    for truth, pred in label_pairs():
        score = metrics.v_measure_score(truth, pred, beta=0.4)
        assert naive_external.v_measure(truth, pred, beta=0.4) == approx(score, abs=1e-12)


def test_independent_partitions_have_no_v_measure():
    assert naive_external.homogeneity([0, 0, 1, 1], [0, 1, 0, 1]) == 0
    assert math.isnan(naive_external.v_measure([0, 0, 1, 1], [0, 1, 0, 1]))


def test_the_expected_mutual_information_is_the_mean_over_all_relabellings():
    truth, pred = [0, 0, 0, 1, 1], [0, 0, 1, 1, 2]
    shuffled = [naive_external.mutual_info(truth, list(order)) for order in naive_external.permutations(pred)]
    assert naive_external.expected_mutual_info(truth, pred) == approx(sum(shuffled) / 120, rel=1e-12)


def test_the_variants_of_normalized_information_belong_together():
    for truth, pred in label_pairs():
        joint = naive_external.normalized_mutual_info(truth, pred, "joint")
        assert naive_external.EXTERNAL["normalized_vi_joint"](truth, pred) == approx(1 - joint, abs=1e-12)
        entropies = naive_external.entropy(truth) + naive_external.entropy(pred)
        vi = entropies - 2 * naive_external.mutual_info(truth, pred)
        assert naive_external.EXTERNAL["normalized_vi_log_n"](truth, pred) == approx(
            vi / math.log(len(truth)), abs=1e-12
        )


# Pair sets index and normalised clustering accuracy: numbers printed in the manuals of genieclust and ELKI


def labels_of(table):
    """Two label lists with this contingency table, rows being the truth."""
    cells = [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    return [i for i, _ in cells], [j for _, j in cells]


SETS_PRINTED = [
    ([[50, 0, 0], [0, 48, 2], [0, 14, 36]], "0.7568238", "0.7470968", "0.84"),
    ([[1, 10], [8, 2]], "0.65", "0.63", "0.71"),
    ([[5, 1, 0], [1, 4, 1], [0, 2, 3]], "0.516598639455782", "0.502380952380952", "0.55"),
]


@pytest.mark.parametrize(("table", "index", "simplified", "accuracy"), SETS_PRINTED)
def test_set_matching_indices_give_the_numbers_of_other_manuals(table, index, simplified, accuracy):
    truth, pred = labels_of(table)
    assert naive_external.EXTERNAL["pair_sets_index"](truth, pred) == printed(index)
    assert naive_external.EXTERNAL["simplified_pair_sets_index"](truth, pred) == printed(simplified)
    assert naive_external.EXTERNAL["normalized_clustering_accuracy"](truth, pred) == printed(accuracy)


def test_the_pair_sets_index_is_0_when_chance_does_better_and_1_for_one_block_twice():
    assert naive_external.pair_sets_index([0, 0, 1, 1], [0, 1, 0, 1]) == 0
    assert naive_external.pair_sets_index([0, 1, 2, 3], [0, 0, 1, 1], simplified=True) == 0
    assert naive_external.pair_sets_index([0, 0], [1, 1]) == 1


def test_one_class_has_no_normalized_clustering_accuracy():
    assert math.isnan(naive_external.normalized_clustering_accuracy([0, 0, 0], [0, 0, 1]))


# The other external indices, by hand on Figure 5: clusters {1, 2, 3}, {4, 5, 6}, {7, 8}

BY_HAND = {
    "purity": (3 + 2 + 2) / 8,
    "inverse_purity": (3 + 2) / 8,
    "bcubed_precision": (3 * 1 + 1 / 3 + 2 * 2 / 3 + 2 * 1) / 8,
    "bcubed_recall": (3 * 3 / 4 + 1 / 4 + 4 * 1 / 2) / 8,
    "wallace_from_truth": 5 / 12,
    "wallace_from_pred": 5 / 7,
    "adjusted_wallace_from_truth": (5 / 12 - 7 / 28) / (1 - 7 / 28),
    "adjusted_wallace_from_pred": (5 / 7 - 12 / 28) / (1 - 12 / 28),
    "mirkin": 18.0,
    "van_dongen": 16 - 7 - 5,
    "van_dongen_normalized": 4 / 16,
    "joint_entropy": (3 * math.log(8 / 3) + math.log(8) + 4 * math.log(4)) / 8,
    "conditional_entropy": (math.log(3) + 2 * math.log(3 / 2)) / 8,
}


@pytest.mark.parametrize("index", BY_HAND)
def test_external_indices_by_hand(index):
    assert naive_external.EXTERNAL[index](*FIGURE_5) == approx(BY_HAND[index], rel=1e-14)


def test_b_cubed_f_is_the_harmonic_mean():
    p, r = BY_HAND["bcubed_precision"], BY_HAND["bcubed_recall"]
    assert naive_external.EXTERNAL["bcubed_f"](*FIGURE_5) == approx(2 / (1 / p + 1 / r), rel=1e-14)


def test_one_point_has_no_pairs():
    assert math.isnan(naive_external.adjusted_rand([0], [0]))
    assert math.isnan(naive_external.CLUSTERCRIT_EXTERNAL["rand"]([0], [0]))


# Prayatul matrix: Table I of Biswas from the matrices of BIRCH against KMeans, DBSCAN, Spectral

TABLE_I = [
    (
        [[282661, 282570], [279089, 279930]],
        ["0.0062", "0.2538", "0.6695", "0.3389", "0.2545"],
    ),  # circles, KMeans
    ([[565231, 0], [559019, 0]], ["-1", "0.5028", "0.5028", "0.0055", "0.0055"]),  # circles, DBSCAN
    (
        [[799881, 127894], [36445, 160030]],
        ["0.5565", "0.6829", "0.9622", "0.9244", "0.7928"],
    ),  # moons, KMeans
    ([[887807, 10952], [224034, 1457]], ["-0.9068", "0.7981", "0.8005", "0.6009", "0.6002"]),  # aniso, DBSCAN
    (
        [[892168, 6591], [211503, 13988]],
        ["-0.9396", "0.7869", "0.8095", "0.6190", "0.6113"],
    ),  # aniso, Spectral
]


@pytest.mark.parametrize(("matrix", "row"), TABLE_I)
def test_the_measures_of_biswas_give_table_i(matrix, row):
    values = [measure(matrix) for measure in naive_external.PRAYATUL.values()]
    assert values == [approx(float(text), abs=1.01e-4) for text in row]  # some cells are cut off, not rounded


def test_the_prayatul_matrix_counts_pairs_right_in_both_in_one_or_in_neither():
    truth, primary, alternative = [0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 1, 1]
    # Pairs 01 02 03 12 13 23; primary is right in 01 03 13, alternative in 02 03 23.
    assert naive_external.prayatul(truth, primary, alternative) == [[1, 2], [2, 1]]
    assert naive_external.only_primary_right(truth, primary, alternative) == [1, 2, 0, 1]
    assert naive_external.only_alternative_right(truth, primary, alternative) == [1, 0, 2, 1]


def test_the_prayatul_matrix_agrees_with_rand_and_with_its_points():
    rng = np.random.default_rng(0)
    truth, primary, alternative = rng.integers(3, size=(3, 20))
    (br, rw), (wr, bw) = naive_external.prayatul(truth, primary, alternative)
    assert br + rw + wr + bw == 190
    assert (br + rw) / 190 == naive_external.CLUSTERCRIT_EXTERNAL["rand"](truth, primary)
    assert (br + wr) / 190 == naive_external.CLUSTERCRIT_EXTERNAL["rand"](truth, alternative)
    assert sum(naive_external.only_primary_right(truth, primary, alternative)) == 2 * rw
    assert sum(naive_external.only_alternative_right(truth, primary, alternative)) == 2 * wr


def test_without_deviations_the_comparative_deviation_is_0_and_without_right_pairs_rightness_is_undefined():
    assert naive_external.PRAYATUL["comparative_deviation"]([[3, 0], [0, 3]]) == 0
    assert math.isnan(naive_external.PRAYATUL["comparative_rightness"]([[0, 0], [0, 6]]))
    assert math.isnan(naive_external.PRAYATUL["effective_rightness"]([[0, 0], [0, 6]]))
    assert math.isnan(naive_external.PRAYATUL["polarization"]([[0, 0], [0, 0]]))


# Decision rules


def chosen(criterion, values):
    """Position from 1, as in R; None where there is none."""
    position = naive.RULES[naive.CLUSTERCRIT_RULES[criterion.lower()]](values)
    return None if position is None else position + 1


@pytest.mark.parametrize("entry", golden("bestCriterion")["criteria"], ids=lambda entry: entry["criterion"])
def test_the_rules_of_table_2_choose_as_clustercrit(entry):
    for case in entry["cases"]:
        assert chosen(entry["criterion"], case["x"]) == case["best"]


@pytest.mark.parametrize("entry", golden("bestCriterion_special")["criteria"], ids=lambda entry: entry["criterion"])
def test_the_rules_choose_as_clustercrit_at_infinities_ties_and_short_sweeps(entry):
    """Infinities compare as numbers, the first of equal values wins, no second difference means no choice.

    One thing in these files is a quirk of clusterCrit: a single NaN or NA makes its answer NaN or NA for
    every criterion, since max() and min() of R pass it on. The document has no such rule; here a value that
    is undefined, or a second difference that needs it, is left out.
    """
    for case in entry["cases"]:
        if "na" in case["case"].split("_") or "nan" in case["case"].split("_"):
            assert case["best"] in {"NaN", "NA"}
            continue
        best = None if case["best"] == "NA" else case["best"]
        assert chosen(entry["criterion"], [float(value) for value in case["x"]]) == best


def test_undefined_values_are_left_out_of_a_choice():
    values = [3, 1, math.nan, 2, 5, 4, 0.5]
    assert naive.RULES["max"](values) == 4
    assert naive.RULES["min"](values) == 6
    assert naive.RULES["max_diff"](values) == 5  # the only second differences are -4 at 4 and -2.5 at 5
    assert naive.RULES["min_diff"](values) == 4
    assert naive.RULES["max"]([math.nan]) is None


def test_the_transformations_of_vendramin():
    values = [10.0, 6.0, 1.0, 0.0, 0.0, 0.0]
    assert naive.vendramin_35(values) == approx([math.nan, 4, 5, 1, 0, 0], nan_ok=True)
    assert naive.vendramin_36(values) == approx([math.nan, 1, 4, 1, 0, math.nan], nan_ok=True)
    assert naive.vendramin_37(values) == approx([math.nan, 4 / 5, 5, math.inf, math.nan, math.nan], nan_ok=True)
    for transform in naive.VENDRAMIN_TRANSFORMS.values():
        assert transform([]) == []
