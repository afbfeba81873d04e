"""A stored attempt: what is known of it, in words, as a drawing, and beside another answer."""
