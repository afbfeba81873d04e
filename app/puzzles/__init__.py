"""Sets of puzzles: listed, annotated, counted and exported."""
