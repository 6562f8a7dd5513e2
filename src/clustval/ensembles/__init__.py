"""What many clusterings of the same points have in common."""
