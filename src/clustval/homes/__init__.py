"""Where points and labels live in memory beside plain arrays: data frames, annotated cells.

Each is recognised by what it has, in one place: ``rows_at_home``. What comes out is what every other file takes.
"""
