"""Internal indices by name: ``clustval.internal.silhouette(X, labels)``."""

# Written by `make stubs`; what is changed here by hand is lost.

from typing import Any

from clustval.evaluation import Names
from clustval.results import Scores

__all__ = [
    "alternative_silhouette",
    "alternative_simplified_silhouette",
    "asswc",
    "aswc",
    "ball_hall",
    "ball_hall_unsquared",
    "banfeld_raftery",
    "banfield_raftery",
    "beta_cv",
    "c_index",
    "c_sqrt_k",
    "calinski_harabasz",
    "ch",
    "davies_bouldin",
    "davies_bouldin_rms",
    "db",
    "det_ratio",
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
    "hubert",
    "hubert_normalized",
    "ksq_detw",
    "log_det_ratio",
    "log_ss_ratio",
    "log_ss_ratio_pairwise",
    "marriot",
    "mcclain_rao",
    "mcclain_rao_inverse",
    "modularity",
    "normalized_cut",
    "pbm",
    "point_biserial",
    "point_biserial_unscaled",
    "ratkowsky_lance",
    "ratkowsky_lance_mean_root",
    "ray_turi",
    "s_dbw",
    "scott_symons",
    "sd_dis",
    "sd_scat",
    "silhouette",
    "silhouette_by_cluster",
    "silhouette_width",
    "simplified_silhouette",
    "sswc",
    "swc",
    "tau",
    "trace_cov_w",
    "trace_w",
    "trace_wib",
    "variance_ratio",
    "vrc",
    "wemmert_gancarski",
    "wgss",
    "xie_beni",
    "xie_beni_closest_points",
]

def alternative_silhouette(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    epsilon: float = 1e-06,
) -> float:
    """Mean, over points, of the mean distance to the nearest other cluster over that to the own cluster."""

def alternative_simplified_silhouette(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    epsilon: float = 1e-06,
) -> float:
    """Mean, over points, of the distance to the nearest other centre over that to the own centre."""

def asswc(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    epsilon: float = 1e-06,
) -> float:
    """Mean, over points, of the distance to the nearest other centre over that to the own centre."""

def aswc(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    epsilon: float = 1e-06,
) -> float:
    """Mean, over points, of the mean distance to the nearest other cluster over that to the own cluster."""

def ball_hall(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over clusters, of the mean squared distance of their points to their mean."""

def ball_hall_unsquared(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean distance, not squared, of the points to the mean of their cluster."""

def banfeld_raftery(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Sum over clusters of their size times the log of their mean squared distance to the mean."""

def banfield_raftery(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Sum over clusters of their size times the log of their mean squared distance to the mean."""

def beta_cv(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean distance within clusters over mean distance between them."""

def c_index(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Where the sum of distances within clusters lies between its smallest and largest possible values."""

def c_sqrt_k(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over dimensions, of the root of the share of variance between clusters, over the root of k."""

def calinski_harabasz(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Variance between clusters over variance within them."""

def ch(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Variance between clusters over variance within them."""

def davies_bouldin(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over clusters, of how far each overlaps the neighbour it overlaps most."""

def davies_bouldin_rms(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Davies-Bouldin with root-mean-square distances to the centre in place of mean distances."""

def db(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over clusters, of how far each overlaps the neighbour it overlaps most."""

def det_ratio(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Volume of all points over the volume of the clusters: determinants of the scatter matrices."""

def dunn(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between two clusters over the largest inside one."""

def dunn11(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between two clusters over the largest inside one."""

def dunn12(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between points of two clusters over the largest mean distance inside a cluster."""

def dunn13(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between points of two clusters over the largest mean distance to the own centre, twice."""

def dunn21(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest, over pairs of clusters, of the largest distance between their points, over the largest distance inside a cluster."""

def dunn22(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest, over pairs of clusters, of the largest distance between their points, over the largest mean distance inside a cluster."""

def dunn23(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest, over pairs of clusters, of the largest distance between their points, over the largest mean distance to the own centre, twice."""

def dunn31(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance between the points of two clusters over the largest distance inside a cluster."""

def dunn32(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance between the points of two clusters over the largest mean distance inside a cluster."""

def dunn33(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance between the points of two clusters over the largest mean distance to the own centre, twice."""

def dunn41(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between the centres of two clusters over the largest distance inside a cluster."""

def dunn42(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between the centres of two clusters over the largest mean distance inside a cluster."""

def dunn43(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between the centres of two clusters over the largest mean distance to the own centre, twice."""

def dunn51(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to the centre of the other over the largest distance inside a cluster."""

def dunn52(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to the centre of the other over the largest mean distance inside a cluster."""

def dunn53(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to the centre of the other over the largest mean distance to the own centre, twice."""

def dunn61(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest Hausdorff distance of two clusters over the largest distance inside a cluster."""

def dunn62(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest Hausdorff distance of two clusters over the largest mean distance inside a cluster."""

def dunn63(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest Hausdorff distance of two clusters over the largest mean distance to the own centre, twice."""

def evaluate(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    indices: Names = "all",
) -> Scores:
    """Return the values of all internal indices, or of those named in `indices`, as `Scores`."""

def g_plus(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Share of all pairs of distances in which one within clusters is larger than one between."""

def gamma(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Share of comparisons in which the distance within is smaller, less the share where it is larger."""

def gdi(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between two clusters over the largest inside one."""

def gdi11(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between two clusters over the largest inside one."""

def gdi12(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between points of two clusters over the largest mean distance inside a cluster."""

def gdi13(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between points of two clusters over the largest mean distance to the own centre, twice."""

def gdi21(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest, over pairs of clusters, of the largest distance between their points, over the largest distance inside a cluster."""

def gdi22(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest, over pairs of clusters, of the largest distance between their points, over the largest mean distance inside a cluster."""

def gdi23(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest, over pairs of clusters, of the largest distance between their points, over the largest mean distance to the own centre, twice."""

def gdi31(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance between the points of two clusters over the largest distance inside a cluster."""

def gdi32(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance between the points of two clusters over the largest mean distance inside a cluster."""

def gdi33(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance between the points of two clusters over the largest mean distance to the own centre, twice."""

def gdi41(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between the centres of two clusters over the largest distance inside a cluster."""

def gdi42(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between the centres of two clusters over the largest mean distance inside a cluster."""

def gdi43(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest distance between the centres of two clusters over the largest mean distance to the own centre, twice."""

def gdi51(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to the centre of the other over the largest distance inside a cluster."""

def gdi51_own_centre(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to their own centre over the largest distance inside a cluster."""

def gdi52(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to the centre of the other over the largest mean distance inside a cluster."""

def gdi52_own_centre(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to their own centre over the largest mean distance inside a cluster."""

def gdi53(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to the centre of the other over the largest mean distance to the own centre, twice."""

def gdi53_own_centre(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest mean distance of the points of two clusters to their own centre over the largest mean distance to the own centre, twice."""

def gdi61(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest Hausdorff distance of two clusters over the largest distance inside a cluster."""

def gdi62(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest Hausdorff distance of two clusters over the largest mean distance inside a cluster."""

def gdi63(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Smallest Hausdorff distance of two clusters over the largest mean distance to the own centre, twice."""

def hubert(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over pairs of points, of their distance times the distance of their clusters' centres."""

def hubert_normalized(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Correlation, over pairs of points, of their distance with the distance of their clusters' centres."""

def ksq_detw(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Squared number of clusters times the determinant of the pooled scatter matrix."""

def log_det_ratio(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Number of points times the logarithm of the volume of all points over that of the clusters."""

def log_ss_ratio(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Logarithm of the sum of squares between clusters over that within them."""

def log_ss_ratio_pairwise(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    base: float = 10,
) -> float:
    """Logarithm of the squares between all pairs of cluster means over the squares within clusters."""

def marriot(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Squared number of clusters times the determinant of the pooled scatter matrix."""

def mcclain_rao(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean distance within clusters over mean distance between them."""

def mcclain_rao_inverse(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean distance between clusters over mean distance within them."""

def modularity(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Share of the sum of distances that lies inside clusters, less the share expected by chance from their totals."""

def normalized_cut(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Sum, over clusters, of the share of the distances of their points that is to points of other clusters."""

def pbm(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Squared product of spread of all points over spread within clusters, largest distance of two centres, and 1 / k."""

def point_biserial(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Correlation of the distance of two points with their being in different clusters."""

def point_biserial_unscaled(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean distance within less mean distance between clusters, times the root of their shares of the pairs."""

def ratkowsky_lance(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Root of the mean share of variance that lies between clusters, per dimension, over the root of k."""

def ratkowsky_lance_mean_root(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over dimensions, of the root of the share of variance between clusters, over the root of k."""

def ray_turi(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean squared distance to the own centre over the smallest squared distance between two centres."""

def s_dbw(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean scatter of the clusters, plus mean density halfway between two clusters over that at their centres."""

def scott_symons(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Sum over clusters of their size times the log of the determinant of their covariance matrix."""

def sd_dis(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Sum of inverse total distances between centres, times the widest over the narrowest distance."""

def sd_scat(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean size of the clusters' variance vectors over that of all points."""

def silhouette(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over points, of how much nearer each is to its own cluster than to the nearest other cluster."""

def silhouette_by_cluster(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over clusters, of the mean silhouette of their points."""

def silhouette_width(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over points, of how much nearer each is to its own cluster than to the nearest other cluster."""

def simplified_silhouette(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over points, of how much nearer each is to its own centre than to the nearest other centre."""

def sswc(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over points, of how much nearer each is to its own centre than to the nearest other centre."""

def swc(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean, over points, of how much nearer each is to its own cluster than to the nearest other cluster."""

def tau(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Kendall's rank correlation of the distance of two points with their being in different clusters."""

def trace_cov_w(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Pooled variance within clusters, summed over dimensions."""

def trace_w(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Sum of squared distances of the points to the mean of their cluster."""

def trace_wib(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Scatter between clusters in units of the scatter within them, summed over directions."""

def variance_ratio(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Variance between clusters over variance within them."""

def vrc(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Variance between clusters over variance within them."""

def wemmert_gancarski(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Weighted mean, over clusters, of how much nearer points are to their own centre than to the nearest other one."""

def wgss(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Sum of squared distances of the points to the mean of their cluster."""

def xie_beni(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean squared distance to the own centre over the smallest squared distance between two centres."""

def xie_beni_closest_points(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean squared distance to the own centre over the smallest squared distance between clusters' points."""
