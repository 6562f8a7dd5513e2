"""How well two labellings of the same points agree."""
