"""Fuzzy indices by name: ``clustval.fuzzy.partition_coefficient(X, U)``."""

# Written by `make stubs`; what is changed here by hand is lost.

from collections.abc import Mapping
from typing import Any, Literal

from clustval.evaluation import Names
from clustval.relative.sweep_result import Sweep
from clustval.results import Scores

__all__ = [
    "apd",
    "average_partition_density",
    "bouguessa_wang_sun",
    "bws",
    "evaluate",
    "fhv",
    "fpc",
    "fs",
    "fukuyama_sugeno",
    "fuzzy_calinski_harabasz",
    "fuzzy_ch",
    "fuzzy_hypervolume",
    "fuzzy_silhouette",
    "fuzzy_xie_beni",
    "kwon",
    "modified_partition_coefficient",
    "mpc",
    "partition_coefficient",
    "partition_density",
    "partition_entropy",
    "pbmf",
    "pc",
    "pcaes",
    "pd",
    "pe",
    "sweep",
    "tang",
    "wli",
    "wu_li",
    "xb",
]

def apd(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Mean over clusters of the memberships near the centre over the room that the cluster takes."""

def average_partition_density(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Mean over clusters of the memberships near the centre over the room that the cluster takes."""

def bouguessa_wang_sun(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Squares of the centres around the mean over the sum of the variances of the clusters, by memberships."""

def bws(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Squares of the centres around the mean over the sum of the variances of the clusters, by memberships."""

def evaluate(
    X: Any,
    U: Any,
    *,
    centres: Any = None,
    m: float = 2.0,
    possibilistic: bool = False,
    sample_weight: Any = None,
    indices: Names = "all",
) -> Scores:
    """Return the values of all fuzzy indices, or of those named in `indices`, as `Scores`."""

def fhv(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Sum over clusters of the root of the determinant of their covariances: how much room they take."""

def fpc(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Sum of the squared memberships of a point, averaged over points."""

def fs(
    X: Any,
    U: Any,
    *,
    centres: Any = None,
    m: float = 2.0,
    possibilistic: bool = False,
    sample_weight: Any = None,
    centre: Literal["prototypes", "data"] = "prototypes",
) -> float:
    """Squares around centres minus squares of the centres around their mean, both by memberships."""

def fukuyama_sugeno(
    X: Any,
    U: Any,
    *,
    centres: Any = None,
    m: float = 2.0,
    possibilistic: bool = False,
    sample_weight: Any = None,
    centre: Literal["prototypes", "data"] = "prototypes",
) -> float:
    """Squares around centres minus squares of the centres around their mean, both by memberships."""

def fuzzy_calinski_harabasz(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Variance of the centres around the mean over variance of the points around centres, by memberships."""

def fuzzy_ch(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Variance of the centres around the mean over variance of the points around centres, by memberships."""

def fuzzy_hypervolume(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Sum over clusters of the root of the determinant of their covariances: how much room they take."""

def fuzzy_silhouette(
    X: Any,
    U: Any,
    *,
    centres: Any = None,
    m: float = 2.0,
    possibilistic: bool = False,
    sample_weight: Any = None,
    alpha: float = 1.0,
) -> float:
    """Mean silhouette of the points, each in its strongest cluster, weighted by how clear that cluster is."""

def fuzzy_xie_beni(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Mean squared distance to centres, by memberships, over the smallest squared distance of two centres."""

def kwon(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Squares around centres plus those of the centres around the mean, over the smallest square between centres."""

def modified_partition_coefficient(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Partition coefficient, moved and stretched to reach from 0 to 1 for any number of clusters."""

def mpc(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Partition coefficient, moved and stretched to reach from 0 to 1 for any number of clusters."""

def partition_coefficient(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Sum of the squared memberships of a point, averaged over points."""

def partition_density(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Memberships near the centres, over the room that the clusters take."""

def partition_entropy(
    X: Any,
    U: Any,
    *,
    centres: Any = None,
    m: float = 2.0,
    possibilistic: bool = False,
    sample_weight: Any = None,
    base: float = 2.718281828459045,
    normalized: bool = False,
) -> float:
    """Entropy of the memberships of a point, averaged over points; normalized, over the largest that it may be."""

def pbmf(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Distances to the mean times the largest distance of two centres, over c times the distances to centres, squared."""

def pc(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Sum of the squared memberships of a point, averaged over points."""

def pcaes(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Sum over clusters of how sharp each is, beside the least sharp one, minus how near the nearest other one is."""

def pd(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Memberships near the centres, over the room that the clusters take."""

def pe(
    X: Any,
    U: Any,
    *,
    centres: Any = None,
    m: float = 2.0,
    possibilistic: bool = False,
    sample_weight: Any = None,
    base: float = 2.718281828459045,
    normalized: bool = False,
) -> float:
    """Entropy of the memberships of a point, averaged over points; normalized, over the largest that it may be."""

def sweep(
    X: Any,
    partitions: Any,
    indices: Names = "all",
    *,
    centres: Mapping[Any, Any] | None = None,
    m: float | Mapping[Any, float] = 2.0,
    possibilistic: bool = False,
    sample_weight: Any = None,
) -> Sweep:
    """Return the values of fuzzy indices for several memberships of the same points, as a `Sweep`."""

def tang(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Squares around centres plus the mean square between centres, over the smallest of those plus 1/c."""

def wli(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Sum of the mean squares around centres, over the smallest plus the median square between two centres."""

def wu_li(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Sum of the mean squares around centres, over the smallest plus the median square between two centres."""

def xb(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, possibilistic: bool = False, sample_weight: Any = None
) -> float:
    """Mean squared distance to centres, by memberships, over the smallest squared distance of two centres."""
