"""Statistics of density inside and between clusters."""
