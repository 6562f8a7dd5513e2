"""Statistics of paths along spanning trees."""
