"""What is known of two clusterings whose clusters overlap."""
