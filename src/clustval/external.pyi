"""External indices by name: ``clustval.external.adjusted_rand(truth, labels)``."""

# Written by `make stubs`; what is changed here by hand is lost.

from typing import Any, Literal

from clustval.choices import NoisePolicy
from clustval.evaluation import Names
from clustval.results import Scores

__all__ = [
    "acc",
    "accuracy",
    "adjusted_fm",
    "adjusted_fowlkes_mallows",
    "adjusted_mutual_info",
    "adjusted_mutual_info_score",
    "adjusted_mutual_information",
    "adjusted_rand",
    "adjusted_rand_all",
    "adjusted_rand_all_labels_only",
    "adjusted_rand_index",
    "adjusted_rand_num",
    "adjusted_rand_num_labels_only",
    "adjusted_rand_score",
    "adjusted_wallace",
    "adjusted_wallace_from_labels",
    "adjusted_wallace_from_truth",
    "afm",
    "ami",
    "aone",
    "ari",
    "ari_all",
    "ari_all_1",
    "ari_num",
    "ari_num_1",
    "b_cubed_f",
    "b_cubed_precision",
    "b_cubed_recall",
    "bcubed",
    "bcubed_f",
    "bcubed_f1",
    "bcubed_precision",
    "bcubed_recall",
    "centroid_index",
    "clustering_accuracy",
    "completeness",
    "completeness_score",
    "conditional_entropy",
    "conditional_entropy_of_labels",
    "czekanowski_dice",
    "dice",
    "ecs",
    "element_centric",
    "element_sim",
    "entropy",
    "entropy_joint",
    "entropy_labels",
    "entropy_truth",
    "equivalence_mismatch",
    "evaluate",
    "f1",
    "f_alpha",
    "f_measure",
    "f_measure_by_cluster",
    "f_steinbach",
    "fm",
    "fmi",
    "folkes_mallows",
    "fowlkes_mallows",
    "fowlkes_mallows_score",
    "generalized_centroid_index",
    "homogeneity",
    "homogeneity_score",
    "hubert",
    "hubert_arabie",
    "hubert_discretized",
    "hubert_normalized",
    "inverse_purity",
    "jaccard",
    "jaccard_index",
    "joint_entropy",
    "katz_powell",
    "kulczynski",
    "kulczynski_index",
    "labels_entropy",
    "labels_entropy_given_truth",
    "larsen_aone",
    "mari",
    "matching",
    "maximum_matching",
    "mcnemar",
    "mcnemar_index",
    "meila_heckerman",
    "mi",
    "mirkin",
    "mirkin_metric",
    "modified_adjusted_rand",
    "mutual_info",
    "mutual_info_score",
    "mutual_information",
    "nca",
    "nid",
    "nmi",
    "normalized_clustering_accuracy",
    "normalized_information_distance",
    "normalized_mutual_info",
    "normalized_mutual_info_score",
    "normalized_mutual_information",
    "normalized_van_dongen",
    "normalized_variation_of_information",
    "normalized_vi",
    "nvi",
    "ochiai",
    "pair_agreement_z",
    "pair_correlation",
    "pair_sets_index",
    "pair_z",
    "pairwise_f",
    "pairwise_f1",
    "pairwise_f_alpha",
    "pairwise_mcc",
    "pairwise_precision",
    "pairwise_recall",
    "partition_distance",
    "phi",
    "phi_without_root",
    "precision",
    "psi",
    "purity",
    "rand",
    "rand_index",
    "rand_score",
    "recall",
    "reduced_mutual_info",
    "reduced_mutual_information",
    "regnier",
    "ri",
    "rmi",
    "rogers_tanimoto",
    "rogers_tanimoto_index",
    "russel_rao",
    "russell_rao",
    "simplified_pair_sets_index",
    "smi",
    "sokal_sneath1",
    "sokal_sneath2",
    "sokal_sneath_1",
    "sokal_sneath_2",
    "sorensen_dice",
    "split_join",
    "spsi",
    "standardized_mutual_info",
    "standardized_mutual_information",
    "transfer_distance",
    "truth_entropy",
    "truth_entropy_given_labels",
    "v_measure",
    "v_measure_score",
    "van_dongen",
    "van_dongen_normalized",
    "variation_of_information",
    "vi",
    "wallace",
    "wallace_from_labels",
    "wallace_from_truth",
]

def acc(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the points that the best one-to-one naming of clusters after classes gets right."""

def accuracy(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the points that the best one-to-one naming of clusters after classes gets right."""

def adjusted_fm(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Geometric mean of pairwise precision and recall above chance, as a share of the most."""

def adjusted_fowlkes_mallows(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> float:
    """Geometric mean of pairwise precision and recall above chance, as a share of the most."""

def adjusted_mutual_info(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    average: Literal["arithmetic", "geometric", "min", "max"] = "arithmetic",
) -> float:
    """Information that the labellings share above chance, as a share of the most that could be above chance."""

def adjusted_mutual_info_score(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    average: Literal["arithmetic", "geometric", "min", "max"] = "arithmetic",
) -> float:
    """Information that the labellings share above chance, as a share of the most that could be above chance."""

def adjusted_mutual_information(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    average: Literal["arithmetic", "geometric", "min", "max"] = "arithmetic",
) -> float:
    """Information that the labellings share above chance, as a share of the most that could be above chance."""

def adjusted_rand(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Agreement on pairs above chance, as a share of the most that could be above chance."""

def adjusted_rand_all(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Rand index above that of two random clusterings with any number of clusters, as a share of the most."""

def adjusted_rand_all_labels_only(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> float:
    """Rand index above that of random labels with any number of clusters, beside the truth as it is."""

def adjusted_rand_index(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Agreement on pairs above chance, as a share of the most that could be above chance."""

def adjusted_rand_num(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Rand index above that of two random clusterings with as many clusters, as a share of the most."""

def adjusted_rand_num_labels_only(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> float:
    """Rand index above that of random labels with as many clusters, beside the truth as it is."""

def adjusted_rand_score(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Agreement on pairs above chance, as a share of the most that could be above chance."""

def adjusted_wallace(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs together in the truth that are together in the labels, above chance."""

def adjusted_wallace_from_labels(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> float:
    """Share of the pairs together in the labels that are together in the truth, above chance."""

def adjusted_wallace_from_truth(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> float:
    """Share of the pairs together in the truth that are together in the labels, above chance."""

def afm(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Geometric mean of pairwise precision and recall above chance, as a share of the most."""

def ami(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    average: Literal["arithmetic", "geometric", "min", "max"] = "arithmetic",
) -> float:
    """Information that the labellings share above chance, as a share of the most that could be above chance."""

def aone(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Mean over points of the F-measure of their class with the cluster that fits it best."""

def ari(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Agreement on pairs above chance, as a share of the most that could be above chance."""

def ari_all(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Rand index above that of two random clusterings with any number of clusters, as a share of the most."""

def ari_all_1(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Rand index above that of random labels with any number of clusters, beside the truth as it is."""

def ari_num(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Rand index above that of two random clusterings with as many clusters, as a share of the most."""

def ari_num_1(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Rand index above that of random labels with as many clusters, beside the truth as it is."""

def b_cubed_f(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Harmonic mean of B-cubed precision and recall."""

def b_cubed_precision(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Mean over points of the share of their cluster that is of their class."""

def b_cubed_recall(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Mean over points of the share of their class that is in their cluster."""

def bcubed(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Harmonic mean of B-cubed precision and recall."""

def bcubed_f(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Harmonic mean of B-cubed precision and recall."""

def bcubed_f1(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Harmonic mean of B-cubed precision and recall."""

def bcubed_precision(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Mean over points of the share of their cluster that is of their class."""

def bcubed_recall(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Mean over points of the share of their class that is in their cluster."""

def centroid_index(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Count of clusters that are no cluster's nearest, from the labelling that has more of them."""

def clustering_accuracy(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the points that the best one-to-one naming of clusters after classes gets right."""

def completeness(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the entropy of the labels that the truth explains: 1 if every class is in one cluster."""

def completeness_score(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the entropy of the labels that the truth explains: 1 if every class is in one cluster."""

def conditional_entropy(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy of the truth that remains when the labels are known."""

def conditional_entropy_of_labels(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy of the labels that remains when the truth is known."""

def czekanowski_dice(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs together in both labellings, those together in one counted by half: the pairwise F-measure."""

def dice(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs together in both labellings, those together in one counted by half: the pairwise F-measure."""

def ecs(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Mean over points of how alike the two clusters of a point are: what they share over the size of the larger."""

def element_centric(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Mean over points of how alike the two clusters of a point are: what they share over the size of the larger."""

def element_sim(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Mean over points of how alike the two clusters of a point are: what they share over the size of the larger."""

def entropy(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy of the labels: uncertainty about the cluster of a point drawn at random."""

def entropy_joint(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy of both labellings together."""

def entropy_labels(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy of the labels: uncertainty about the cluster of a point drawn at random."""

def entropy_truth(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy of the truth: uncertainty about the class of a point drawn at random."""

def equivalence_mismatch(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> float:
    """Number of ordered pairs on which the labellings disagree."""

def evaluate(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None, indices: Names = "all"
) -> Scores:
    """Return the values of all external indices, or of those named in `indices`, as `Scores`."""

def f1(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs together in both labellings, those together in one counted by half: the pairwise F-measure."""

def f_alpha(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None, alpha: float = 1.0
) -> float:
    """Harmonic mean of pairwise precision and recall, recall weighing alpha times as much."""

def f_measure(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Mean over clusters of the F-measure of each with its commonest class."""

def f_measure_by_cluster(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> float:
    """Mean over clusters of the F-measure of each with its commonest class."""

def f_steinbach(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Mean over points of the F-measure of their class with the cluster that fits it best."""

def fm(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Geometric mean of pairwise precision and recall."""

def fmi(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Geometric mean of pairwise precision and recall."""

def folkes_mallows(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Geometric mean of pairwise precision and recall."""

def fowlkes_mallows(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Geometric mean of pairwise precision and recall."""

def fowlkes_mallows_score(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> float:
    """Geometric mean of pairwise precision and recall."""

def generalized_centroid_index(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> float:
    """Count of clusters that are no cluster's nearest, from the labelling that has more of them."""

def homogeneity(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the entropy of the truth that the labels explain: 1 if every cluster is of one class."""

def homogeneity_score(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the entropy of the truth that the labels explain: 1 if every cluster is of one class."""

def hubert(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Correlation, over pairs of points, of being together in the truth with being together in the labels."""

def hubert_arabie(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Agreement on pairs above chance, as a share of the most that could be above chance."""

def hubert_discretized(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of all pairs that are together in both labellings."""

def hubert_normalized(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Correlation, over pairs of points, of being together in the truth with being together in the labels."""

def inverse_purity(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the points that are in the commonest cluster of their class."""

def jaccard(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs together in one labelling that are together in both."""

def jaccard_index(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs together in one labelling that are together in both."""

def joint_entropy(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy of both labellings together."""

def katz_powell(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Correlation, over pairs of points, of being together in the truth with being together in the labels."""

def kulczynski(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Arithmetic mean of pairwise precision and recall."""

def kulczynski_index(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Arithmetic mean of pairwise precision and recall."""

def labels_entropy(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy of the labels: uncertainty about the cluster of a point drawn at random."""

def labels_entropy_given_truth(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy of the labels that remains when the truth is known."""

def larsen_aone(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Mean over points of the F-measure of their class with the cluster that fits it best."""

def mari(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None, raw: bool = False
) -> float:
    """Agreement on pairs above what pairs without a common point have, as a share of the most."""

def matching(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the points that the best one-to-one naming of clusters after classes gets right."""

def maximum_matching(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the points that the best one-to-one naming of clusters after classes gets right."""

def mcnemar(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """How many more pairs are together in the truth only than in the labels only, in standard deviations."""

def mcnemar_index(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """How many more pairs are together in the truth only than in the labels only, in standard deviations."""

def meila_heckerman(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the points that a greedy one-to-one naming of clusters after classes gets right."""

def mi(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy that the labellings share: how much less uncertain one is when the other is known."""

def mirkin(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Number of ordered pairs on which the labellings disagree."""

def mirkin_metric(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Number of ordered pairs on which the labellings disagree."""

def modified_adjusted_rand(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None, raw: bool = False
) -> float:
    """Agreement on pairs above what pairs without a common point have, as a share of the most."""

def mutual_info(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy that the labellings share: how much less uncertain one is when the other is known."""

def mutual_info_score(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy that the labellings share: how much less uncertain one is when the other is known."""

def mutual_information(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy that the labellings share: how much less uncertain one is when the other is known."""

def nca(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Mean share of a class that is in the cluster matched with it, above an even spread over k clusters."""

def nid(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Largest entropy that one labelling leaves open about the other, as a share of the larger entropy."""

def nmi(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    average: Literal["arithmetic", "geometric", "min", "max", "joint"] = "arithmetic",
) -> float:
    """Information that the labellings share, over an average of their entropies."""

def normalized_clustering_accuracy(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> float:
    """Mean share of a class that is in the cluster matched with it, above an even spread over k clusters."""

def normalized_information_distance(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> float:
    """Largest entropy that one labelling leaves open about the other, as a share of the larger entropy."""

def normalized_mutual_info(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    average: Literal["arithmetic", "geometric", "min", "max", "joint"] = "arithmetic",
) -> float:
    """Information that the labellings share, over an average of their entropies."""

def normalized_mutual_info_score(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    average: Literal["arithmetic", "geometric", "min", "max", "joint"] = "arithmetic",
) -> float:
    """Information that the labellings share, over an average of their entropies."""

def normalized_mutual_information(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    average: Literal["arithmetic", "geometric", "min", "max", "joint"] = "arithmetic",
) -> float:
    """Information that the labellings share, over an average of their entropies."""

def normalized_van_dongen(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> float:
    """Mean share of points outside the commonest class of their cluster, or the commonest cluster of their class."""

def normalized_variation_of_information(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    by: Literal["joint", "log_n"] = "joint",
) -> float:
    """Share of the joint entropy that the labellings do not share."""

def normalized_vi(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    by: Literal["joint", "log_n"] = "joint",
) -> float:
    """Share of the joint entropy that the labellings do not share."""

def nvi(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    by: Literal["joint", "log_n"] = "joint",
) -> float:
    """Share of the joint entropy that the labellings do not share."""

def ochiai(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Geometric mean of pairwise precision and recall."""

def pair_agreement_z(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Standard deviations by which the pairs together in both labellings exceed their mean by chance."""

def pair_correlation(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Correlation, over pairs of points, of being together in the truth with being together in the labels."""

def pair_sets_index(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Overlap of matched clusters, each counting alike whatever its size, above chance."""

def pair_z(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Standard deviations by which the pairs together in both labellings exceed their mean by chance."""

def pairwise_f(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs together in both labellings, those together in one counted by half: the pairwise F-measure."""

def pairwise_f1(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs together in both labellings, those together in one counted by half: the pairwise F-measure."""

def pairwise_f_alpha(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None, alpha: float = 1.0
) -> float:
    """Harmonic mean of pairwise precision and recall, recall weighing alpha times as much."""

def pairwise_mcc(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Correlation, over pairs of points, of being together in the truth with being together in the labels."""

def pairwise_precision(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Of the pairs together in the labels, the share together in the truth."""

def pairwise_recall(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Of the pairs together in the truth, the share together in the labels."""

def partition_distance(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None, normalized: bool = False
) -> float:
    """Count of points that must change their cluster before both labellings are the same; normalized, their share."""

def phi(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Correlation, over pairs of points, of being together in the truth with being together in the labels."""

def phi_without_root(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Covariance of being together, over the product of the variances: phi as clusterCrit prints it."""

def precision(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Of the pairs together in the labels, the share together in the truth."""

def psi(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Overlap of matched clusters, each counting alike whatever its size, above chance."""

def purity(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the points that are of the commonest class of their cluster."""

def rand(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs on which the labellings agree: together in both, or apart in both."""

def rand_index(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs on which the labellings agree: together in both, or apart in both."""

def rand_score(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs on which the labellings agree: together in both, or apart in both."""

def recall(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Of the pairs together in the truth, the share together in the labels."""

def reduced_mutual_info(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None, raw: bool = False
) -> float:
    """Information that labellings share, less what names their table, over the mean of each with itself."""

def reduced_mutual_information(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None, raw: bool = False
) -> float:
    """Information that labellings share, less what names their table, over the mean of each with itself."""

def regnier(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None, normalized: bool = False
) -> float:
    """Count of points that must change their cluster before both labellings are the same; normalized, their share."""

def ri(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs on which the labellings agree: together in both, or apart in both."""

def rmi(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None, raw: bool = False
) -> float:
    """Information that labellings share, less what names their table, over the mean of each with itself."""

def rogers_tanimoto(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs on which the labellings agree, each disagreement counted twice."""

def rogers_tanimoto_index(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> float:
    """Share of the pairs on which the labellings agree, each disagreement counted twice."""

def russel_rao(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of all pairs that are together in both labellings."""

def russell_rao(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of all pairs that are together in both labellings."""

def simplified_pair_sets_index(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> float:
    """Overlap of matched clusters, each counting alike whatever its size, above that of one perfect pair."""

def smi(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Standard deviations by which the shared information exceeds its mean by chance."""

def sokal_sneath1(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs together in one labelling that are together in both, each disagreement counted twice."""

def sokal_sneath2(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs on which the labellings agree, each disagreement counted by half."""

def sokal_sneath_1(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs together in one labelling that are together in both, each disagreement counted twice."""

def sokal_sneath_2(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs on which the labellings agree, each disagreement counted by half."""

def sorensen_dice(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Share of the pairs together in both labellings, those together in one counted by half: the pairwise F-measure."""

def split_join(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Count of points outside the commonest class of their cluster, plus outside the commonest cluster of their class."""

def spsi(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Overlap of matched clusters, each counting alike whatever its size, above that of one perfect pair."""

def standardized_mutual_info(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> float:
    """Standard deviations by which the shared information exceeds its mean by chance."""

def standardized_mutual_information(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> float:
    """Standard deviations by which the shared information exceeds its mean by chance."""

def transfer_distance(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None, normalized: bool = False
) -> float:
    """Count of points that must change their cluster before both labellings are the same; normalized, their share."""

def truth_entropy(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy of the truth: uncertainty about the class of a point drawn at random."""

def truth_entropy_given_labels(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy of the truth that remains when the labels are known."""

def v_measure(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None, beta: float = 1.0
) -> float:
    """Harmonic mean of homogeneity and completeness, completeness weighing beta times as much."""

def v_measure_score(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None, beta: float = 1.0
) -> float:
    """Harmonic mean of homogeneity and completeness, completeness weighing beta times as much."""

def van_dongen(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Count of points outside the commonest class of their cluster, plus outside the commonest cluster of their class."""

def van_dongen_normalized(
    truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> float:
    """Mean share of points outside the commonest class of their cluster, or the commonest cluster of their class."""

def variation_of_information(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy that the two labellings do not share: a distance between them."""

def vi(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy that the two labellings do not share: a distance between them."""

def wallace(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Of the pairs together in the truth, the share together in the labels."""

def wallace_from_labels(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Of the pairs together in the labels, the share together in the truth."""

def wallace_from_truth(truth: Any, labels: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None) -> float:
    """Of the pairs together in the truth, the share together in the labels."""
