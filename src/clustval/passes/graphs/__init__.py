"""How edges of graphs are visited."""
