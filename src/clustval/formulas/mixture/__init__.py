"""How well a mixture model that was fitted describes the points."""
