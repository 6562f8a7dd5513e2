"""Sources: what statistics are computed from, made of what users pass."""
