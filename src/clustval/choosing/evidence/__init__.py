"""What speaks for clusters: gaps between groups, or more clusters than columns and correlations explain."""
