"""Labels of points: numbered, counted in cells, matched, compared with many others."""
