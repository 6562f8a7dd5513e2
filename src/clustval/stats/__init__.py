"""Statistics: what one pass over the data leaves behind."""
