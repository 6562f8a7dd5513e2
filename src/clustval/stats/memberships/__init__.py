"""What is known of memberships of points in several clusters."""
