"""Evidence about pairs of clusters, about cuts of a cluster, and about points; and what was learned to make of it."""
