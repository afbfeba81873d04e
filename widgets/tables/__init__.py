"""Tables of figures as cards, and sections of results that hold them with their charts."""
