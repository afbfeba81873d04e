"""A stored attempt: described in words, drawn, and compared with another answer."""
