"""Whether there are clusters at all: tests against points without any, and a picture of the distances."""

from clustval.tendency.distance_distribution import distance_distribution
from clustval.tendency.hopkins import hopkins
from clustval.tendency.spatial_histogram import spatial_histogram
from clustval.tendency.vat import ivat, vat

__all__ = ["distance_distribution", "hopkins", "ivat", "spatial_histogram", "vat"]
