"""What passes over the edges of a graph leave behind."""
