"""Charts of results: what they show as plain data (description, build), and a widget that draws any of them (view)."""
