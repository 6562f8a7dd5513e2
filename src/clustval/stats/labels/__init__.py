"""Statistics of two labellings: their contingency table and what it gives."""
