"""Two answers beside each other."""
