"""How good a clustering is, judged from the points alone."""
