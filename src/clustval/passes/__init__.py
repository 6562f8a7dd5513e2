"""How blocks of work are visited."""
