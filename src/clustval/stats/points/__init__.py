"""Statistics of points and their clusters that one pass over the points leaves behind."""
