"""Internal indices by name: ``clustval.internal.silhouette(X, labels)``."""

# Written by `make stubs`; what is changed here by hand is lost.

from typing import Any, Literal

from clustval.choices import MetricName, NoisePolicy
from clustval.evaluation import Names
from clustval.results import Scores

__all__ = [
    "alternative_silhouette",
    "alternative_simplified_silhouette",
    "asswc",
    "aswc",
    "aucc",
    "ball_hall",
    "ball_hall_sums",
    "ball_hall_unsquared",
    "banfeld_raftery",
    "banfield_raftery",
    "beta_cv",
    "c_index",
    "c_sqrt_k",
    "calinski_harabasz",
    "ccc",
    "cdbw",
    "ch",
    "connectivity",
    "connectivity_silhouette",
    "cop",
    "cs",
    "cubic_clustering_criterion",
    "cvdd",
    "davies_bouldin",
    "davies_bouldin_rms",
    "davies_bouldin_star",
    "db",
    "dbcv",
    "dcm",
    "dcsi",
    "det_ratio",
    "disco",
    "dsi",
    "dunn",
    "dunn11",
    "dunn12",
    "dunn13",
    "dunn21",
    "dunn22",
    "dunn23",
    "dunn31",
    "dunn32",
    "dunn33",
    "dunn41",
    "dunn42",
    "dunn43",
    "dunn51",
    "dunn52",
    "dunn53",
    "dunn61",
    "dunn62",
    "dunn63",
    "dunn_nn",
    "evaluate",
    "g_plus",
    "gamma",
    "gdi",
    "gdi11",
    "gdi12",
    "gdi13",
    "gdi21",
    "gdi22",
    "gdi23",
    "gdi31",
    "gdi32",
    "gdi33",
    "gdi41",
    "gdi42",
    "gdi43",
    "gdi51",
    "gdi51_own_centre",
    "gdi52",
    "gdi52_own_centre",
    "gdi53",
    "gdi53_own_centre",
    "gdi61",
    "gdi62",
    "gdi63",
    "gmm_aic",
    "gmm_bic",
    "gmm_icl",
    "hennig_asw",
    "hennig_avewithin",
    "hennig_cvnnd",
    "hennig_denscut",
    "hennig_dindex",
    "hennig_entropy",
    "hennig_highdgap",
    "hennig_kd_normal",
    "hennig_maxdiameter",
    "hennig_minsep",
    "hennig_mnnd",
    "hennig_pamc",
    "hennig_pearson_gamma",
    "hennig_sindex",
    "hennig_widestgap",
    "hennig_withinss",
    "hubert",
    "hubert_normalized",
    "i_index",
    "kdnorm",
    "kmeans_aic",
    "kmeans_bic",
    "knn_consistency",
    "knn_modularity",
    "knn_purity",
    "ksq_detw",
    "lebart_d",
    "log_det_ratio",
    "log_ss_ratio",
    "log_ss_ratio_pairwise",
    "marriot",
    "mcclain_rao",
    "mcclain_rao_inverse",
    "medoid_davies_bouldin",
    "medoid_silhouette",
    "modularity",
    "negentropy_increment",
    "normalized_cut",
    "pbm",
    "point_biserial",
    "point_biserial_unscaled",
    "r_squared",
    "ratkowsky_lance",
    "ratkowsky_lance_mean_root",
    "ray_turi",
    "rmsstd",
    "rsq",
    "s_dbw",
    "score_function",
    "scott_symons",
    "sd_dis",
    "sd_scat",
    "silhouette",
    "silhouette_by_cluster",
    "silhouette_width",
    "simplified_silhouette",
    "sswc",
    "sv",
    "swc",
    "tau",
    "trace_cov_w",
    "trace_w",
    "trace_wib",
    "variance_ratio",
    "viasckde",
    "vrc",
    "wb",
    "wcnn",
    "wemmert_gancarski",
    "wgss",
    "xie_beni",
    "xie_beni_closest_points",
    "xie_beni_star",
    "xmeans_bic",
    "xu",
]

def alternative_silhouette(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    epsilon: float = 1e-06,
) -> float:
    """Mean, over points, of the mean distance to the nearest other cluster over that to the own cluster."""

def alternative_simplified_silhouette(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    epsilon: float = 1e-06,
) -> float:
    """Mean, over points, of the distance to the nearest other centre over that to the own centre."""

def asswc(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    epsilon: float = 1e-06,
) -> float:
    """Mean, over points, of the distance to the nearest other centre over that to the own centre."""

def aswc(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    epsilon: float = 1e-06,
) -> float:
    """Mean, over points, of the mean distance to the nearest other cluster over that to the own cluster."""

def aucc(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Area under the ROC curve of distances that tell whether two points share a cluster."""

def ball_hall(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over clusters, of the mean squared distance of their points to their mean."""

def ball_hall_sums(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over clusters, of the sum of squared distances of their points to their mean."""

def ball_hall_unsquared(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean distance, not squared, of the points to the mean of their cluster."""

def banfeld_raftery(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Sum over clusters of their size times the log of their mean squared distance to the mean."""

def banfield_raftery(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Sum over clusters of their size times the log of their mean squared distance to the mean."""

def beta_cv(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean distance within clusters over mean distance between them."""

def c_index(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Where the sum of distances within clusters lies between its smallest and largest possible values."""

def c_sqrt_k(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over dimensions, of the root of the share of variance between clusters, over the root of k."""

def calinski_harabasz(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Variance between clusters over variance within them."""

def ccc(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Cubic clustering criterion: how much more of the scatter is explained than in evenly spread points."""

def cdbw(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    representatives: int = 10,
) -> float:
    """Cohesion times separation times compactness, by how many points lie near representatives of the clusters."""

def ch(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Variance between clusters over variance within them."""

def connectivity(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    neighbours: int = 10,
    normalized: bool = False,
) -> float:
    """Number of nearest points that are in other clusters, the j-th nearest of each point counted as 1/j."""

def connectivity_silhouette(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    min_points: int = 5,
) -> float:
    """Mean, over clusters, of the mean silhouette of their points along dense paths."""

def cop(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean distance to the centre in units of how near, all of it, the cluster comes to a point outside."""

def cs(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean distances of points to the farthest of their cluster over the gaps between nearest centres."""

def cubic_clustering_criterion(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Cubic clustering criterion: how much more of the scatter is explained than in evenly spread points."""

def cvdd(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    neighbours: int = 7,
) -> float:
    """Gaps of the clusters along paths that avoid changes of density, over spread times length of the paths inside."""

def davies_bouldin(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over clusters, of how far each overlaps the neighbour it overlaps most."""

def davies_bouldin_rms(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Davies-Bouldin with root-mean-square distances to the centre in place of mean distances."""

def davies_bouldin_star(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over clusters, of its spread and the widest other spread over the gap to the nearest centre."""

def db(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over clusters, of how far each overlaps the neighbour it overlaps most."""

def dbcv(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    ties: Literal["distance", "original"] = "distance",
    squared: bool = True,
    dim: int = 0,
) -> float:
    """Weighted mean, over clusters, of how much sparser it is around each cluster than inside."""

def dcm(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    min_points: int = 5,
    neighbours: int = 10,
) -> float:
    """Silhouette along dense paths times modularity of the graph of nearest points, neither below 0."""

def dcsi(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    min_points: int = 5,
    combine: Literal["mean", "global"] = "mean",
) -> float:
    """Mean, over pairs of clusters, of the gap between their core points as a share of gap and longest step inside."""

def det_ratio(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Volume of all points over the volume of the clusters: determinants of the scatter matrices."""

def disco(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    min_points: int = 5,
) -> float:
    """Mean, over points, of how much better dense paths connect each with its own cluster than with the next."""

def dsi(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over clusters, of the Kolmogorov-Smirnov distance of the distances inside it and those out of it."""

def dunn(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between two clusters over the largest inside one."""

def dunn11(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between two clusters over the largest inside one."""

def dunn12(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between points of two clusters over the largest mean distance inside a cluster."""

def dunn13(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between points of two clusters over the largest mean distance to the own centre, twice."""

def dunn21(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest, over pairs of clusters, of the largest distance between their points, over the largest distance inside a cluster."""

def dunn22(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest, over pairs of clusters, of the largest distance between their points, over the largest mean distance inside a cluster."""

def dunn23(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest, over pairs of clusters, of the largest distance between their points, over the largest mean distance to the own centre, twice."""

def dunn31(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance between the points of two clusters over the largest distance inside a cluster."""

def dunn32(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance between the points of two clusters over the largest mean distance inside a cluster."""

def dunn33(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance between the points of two clusters over the largest mean distance to the own centre, twice."""

def dunn41(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between the centres of two clusters over the largest distance inside a cluster."""

def dunn42(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between the centres of two clusters over the largest mean distance inside a cluster."""

def dunn43(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between the centres of two clusters over the largest mean distance to the own centre, twice."""

def dunn51(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to the centre of the other over the largest distance inside a cluster."""

def dunn52(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to the centre of the other over the largest mean distance inside a cluster."""

def dunn53(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to the centre of the other over the largest mean distance to the own centre, twice."""

def dunn61(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest Hausdorff distance of two clusters over the largest distance inside a cluster."""

def dunn62(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest Hausdorff distance of two clusters over the largest mean distance inside a cluster."""

def dunn63(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest Hausdorff distance of two clusters over the largest mean distance to the own centre, twice."""

def dunn_nn(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    neighbours: int = 25,
    numerator: Literal["min", "smin", "mean", "smax", "max", "const"] = "smin",
    denominator: Literal["min", "smin", "mean", "smax", "max", "const"] = "const",
    smoothness: int = 5,
) -> float:
    """Average distance to nearest points that are in other clusters, over that to those in the own cluster."""

def evaluate(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    indices: Names = "all",
) -> Scores:
    """Return the values of all internal indices, or of those named in `indices`, as `Scores`."""

def g_plus(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Share of all pairs of distances in which one within clusters is larger than one between."""

def gamma(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Share of comparisons in which the distance within is smaller, less the share where it is larger."""

def gdi(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between two clusters over the largest inside one."""

def gdi11(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between two clusters over the largest inside one."""

def gdi12(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between points of two clusters over the largest mean distance inside a cluster."""

def gdi13(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between points of two clusters over the largest mean distance to the own centre, twice."""

def gdi21(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest, over pairs of clusters, of the largest distance between their points, over the largest distance inside a cluster."""

def gdi22(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest, over pairs of clusters, of the largest distance between their points, over the largest mean distance inside a cluster."""

def gdi23(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest, over pairs of clusters, of the largest distance between their points, over the largest mean distance to the own centre, twice."""

def gdi31(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance between the points of two clusters over the largest distance inside a cluster."""

def gdi32(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance between the points of two clusters over the largest mean distance inside a cluster."""

def gdi33(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance between the points of two clusters over the largest mean distance to the own centre, twice."""

def gdi41(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between the centres of two clusters over the largest distance inside a cluster."""

def gdi42(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between the centres of two clusters over the largest mean distance inside a cluster."""

def gdi43(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between the centres of two clusters over the largest mean distance to the own centre, twice."""

def gdi51(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to the centre of the other over the largest distance inside a cluster."""

def gdi51_own_centre(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to their own centre over the largest distance inside a cluster."""

def gdi52(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to the centre of the other over the largest mean distance inside a cluster."""

def gdi52_own_centre(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to their own centre over the largest mean distance inside a cluster."""

def gdi53(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to the centre of the other over the largest mean distance to the own centre, twice."""

def gdi53_own_centre(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to their own centre over the largest mean distance to the own centre, twice."""

def gdi61(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest Hausdorff distance of two clusters over the largest distance inside a cluster."""

def gdi62(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest Hausdorff distance of two clusters over the largest mean distance inside a cluster."""

def gdi63(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest Hausdorff distance of two clusters over the largest mean distance to the own centre, twice."""

def gmm_aic(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Akaike information criterion of the Gaussian mixture whose components are the clusters."""

def gmm_bic(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Bayesian information criterion of the Gaussian mixture whose components are the clusters."""

def gmm_icl(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    entropy: Literal["hard", "soft"] = "hard",
) -> float:
    """Integrated completed likelihood of the Gaussian mixture whose components are the clusters."""

def hennig_asw(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean silhouette of the points, 0 where that is negative."""

def hennig_avewithin(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """How small the mean distance inside clusters is, every point counting the same: average.within of fpc."""

def hennig_cvnnd(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    neighbours: int = 2,
) -> float:
    """How even the density inside clusters is: how little the distance to a near neighbour varies, relatively."""

def hennig_denscut(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """How far the boundaries of clusters run where it is not dense."""

def hennig_dindex(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """How far density falls from the mode of each cluster outwards, and does not rise again."""

def hennig_entropy(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """How equal the sizes of clusters are: their entropy over that of clusters of equal size."""

def hennig_highdgap(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """How small gaps inside clusters are that have dense points behind them."""

def hennig_kd_normal(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """How near clusters come to normal distributions, whatever the metric."""

def hennig_maxdiameter(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """How small the largest distance inside a cluster is."""

def hennig_minsep(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between points of different clusters, over the largest distance of all."""

def hennig_mnnd(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    neighbours: int = 2,
) -> float:
    """How small the mean distance to a near neighbour of the same cluster is."""

def hennig_pamc(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """How small the mean distance to the medoid of the own cluster is, the criterion of PAM."""

def hennig_pearson_gamma(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """How well clusters represent distances: their correlation with being in different clusters, from 0 to 1."""

def hennig_sindex(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean distance to the closest point of another cluster, over the tenth of each cluster that is closest to others."""

def hennig_widestgap(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """How small the widest gap inside a cluster is: the longest edge of the minimum spanning tree of a cluster."""

def hennig_withinss(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Share of the sum of squares that is not within clusters, for any distances."""

def hubert(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over pairs of points, of their distance times the distance of their clusters' centres."""

def hubert_normalized(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Correlation, over pairs of points, of their distance with the distance of their clusters' centres."""

def i_index(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    power: float = 2.0,
) -> float:
    """A power of (spread of all points over spread within clusters) times the widest gap, over k."""

def kdnorm(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """How near clusters come to normal distributions, whatever the metric."""

def kmeans_aic(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Akaike information criterion of clusters as k-means sees them: round, normal, all of one variance."""

def kmeans_bic(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Bayesian information criterion of clusters as k-means sees them: round, normal, all of one variance."""

def knn_consistency(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    neighbours: int = 3,
) -> float:
    """Share of the points whose nearest points are all in their cluster."""

def knn_modularity(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    neighbours: int = 10,
) -> float:
    """Share of the edges to nearest points that stay inside clusters, less the share expected from their ends alone."""

def knn_purity(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    neighbours: int = 3,
) -> float:
    """Mean share of the nearest points of a point that are in its cluster."""

def ksq_detw(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Squared number of clusters times the determinant of the pooled scatter matrix."""

def lebart_d(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over clusters, of the mean distance of their points to their mean."""

def log_det_ratio(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Number of points times the logarithm of the volume of all points over that of the clusters."""

def log_ss_ratio(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Logarithm of the sum of squares between clusters over that within them."""

def log_ss_ratio_pairwise(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    base: float = 10,
) -> float:
    """Logarithm of the squares between all pairs of cluster means over the squares within clusters."""

def marriot(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Squared number of clusters times the determinant of the pooled scatter matrix."""

def mcclain_rao(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean distance within clusters over mean distance between them."""

def mcclain_rao_inverse(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean distance between clusters over mean distance within them."""

def medoid_davies_bouldin(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over clusters, of how far each overlaps the neighbour it overlaps most, measured from medoids."""

def medoid_silhouette(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over points, of how much nearer each is to the nearest medoid than to the second nearest."""

def modularity(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Share of the sum of distances that lies inside clusters, less the share expected by chance from their totals."""

def negentropy_increment(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """How much farther from normal the clusters are on average than all points; negative if they are nearer."""

def normalized_cut(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Sum, over clusters, of the share of the distances of their points that is to points of other clusters."""

def pbm(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Squared product of spread of all points over spread within clusters, largest distance of two centres, and 1 / k."""

def point_biserial(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Correlation of the distance of two points with their being in different clusters."""

def point_biserial_unscaled(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean distance within less mean distance between clusters, times the root of their shares of the pairs."""

def r_squared(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Share of the sum of squares that lies between clusters."""

def ratkowsky_lance(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Root of the mean share of variance that lies between clusters, per dimension, over the root of k."""

def ratkowsky_lance_mean_root(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over dimensions, of the root of the share of variance between clusters, over the root of k."""

def ray_turi(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean squared distance to the own centre over the smallest squared distance between two centres."""

def rmsstd(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Root of the pooled variance within clusters, mean over dimensions."""

def rsq(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Share of the sum of squares that lies between clusters."""

def s_dbw(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean scatter of the clusters, plus mean density halfway between two clusters over that at their centres."""

def score_function(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """How far centres lie from the mean of all points less how far points lie from centres, bent into 0 to 1."""

def scott_symons(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Sum over clusters of their size times the log of the determinant of their covariance matrix."""

def sd_dis(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Sum of inverse total distances between centres, times the widest over the narrowest distance."""

def sd_scat(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean size of the clusters' variance vectors over that of all points."""

def silhouette(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over points, of how much nearer each is to its own cluster than to the nearest other cluster."""

def silhouette_by_cluster(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over clusters, of the mean silhouette of their points."""

def silhouette_width(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over points, of how much nearer each is to its own cluster than to the nearest other cluster."""

def simplified_silhouette(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over points, of how much nearer each is to its own centre than to the nearest other centre."""

def sswc(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over points, of how much nearer each is to its own centre than to the nearest other centre."""

def sv(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Gaps between nearest centres over the distances of the farthest points from their centre, both added up."""

def swc(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over points, of how much nearer each is to its own cluster than to the nearest other cluster."""

def tau(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Kendall's rank correlation of the distance of two points with their being in different clusters."""

def trace_cov_w(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Pooled variance within clusters, summed over dimensions."""

def trace_w(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Sum of squared distances of the points to the mean of their cluster."""

def trace_wib(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Scatter between clusters in units of the scatter within them, summed over directions."""

def variance_ratio(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Variance between clusters over variance within them."""

def viasckde(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    bandwidth: float | Literal["scott"] = 0.05,
) -> float:
    """Mean, over points, of how much closer the own cluster is than another one, weighed by the density at the point."""

def vrc(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Variance between clusters over variance within them."""

def wb(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Number of clusters times the squares within clusters over the squares between them."""

def wcnn(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    neighbours: int = 3,
) -> float:
    """Mean share of the nearest points of a point that are in its cluster."""

def wemmert_gancarski(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Weighted mean, over clusters, of how much nearer points are to their own centre than to the nearest other one."""

def wgss(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Sum of squared distances of the points to the mean of their cluster."""

def xie_beni(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean squared distance to the own centre over the smallest squared distance between two centres."""

def xie_beni_closest_points(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean squared distance to the own centre over the smallest squared distance between clusters' points."""

def xie_beni_star(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Largest mean squared distance of a cluster's points to its centre over the smallest squared gap of centres."""

def xmeans_bic(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Bayesian information criterion of X-means: log-likelihood of round clusters less half its cost."""

def xu(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Logarithm of the spread within clusters times the number of dimensions, plus that of the number of clusters."""
