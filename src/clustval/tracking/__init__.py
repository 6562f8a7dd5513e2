"""What a cluster is, which cluster new rows belong to, and which cluster became which from one time to the next."""
