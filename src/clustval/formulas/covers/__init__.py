"""How well two clusterings agree whose clusters may overlap."""
