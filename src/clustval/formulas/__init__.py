"""Formulas: one file, one idea; one folder, one kind of question."""
