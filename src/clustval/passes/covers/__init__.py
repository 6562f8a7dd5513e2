"""How clusters that overlap are compared."""
