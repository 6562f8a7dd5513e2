"""How well two clusterings agree in which a point may belong to several clusters."""
