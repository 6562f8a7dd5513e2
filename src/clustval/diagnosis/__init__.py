"""What is wrong with a clustering, and what to do about it."""
