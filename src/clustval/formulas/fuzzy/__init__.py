"""How good a clustering is in which a point may belong to several clusters."""
