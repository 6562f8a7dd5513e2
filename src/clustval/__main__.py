"""``python -m clustval`` is the program ``clustval``, also where its folder is not on the path."""

from clustval.cli import main

if __name__ == "__main__":
    main()
