"""``python -m clustval.cli``: the program where its script is not on the path."""

from clustval.cli import main

main()
