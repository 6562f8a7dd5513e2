"""Which of many clusterings is right, and whether there is anything to cluster at all."""
