"""k-means, and clusters that grow from seeds."""
