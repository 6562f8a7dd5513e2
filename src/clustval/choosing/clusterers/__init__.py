"""Clusterers of our own: what makes candidates where no other package is needed, and Leiden by way of igraph."""
