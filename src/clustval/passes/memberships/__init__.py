"""How memberships of points in several clusters are visited."""
