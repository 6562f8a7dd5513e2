"""How work is run: threads, thresholds between NumPy and compiled loops, pieces of files, the time of pairs."""
