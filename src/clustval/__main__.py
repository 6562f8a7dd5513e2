"""``python -m clustval``: the program where its script is not on the path."""

from clustval.cli import main

main()
