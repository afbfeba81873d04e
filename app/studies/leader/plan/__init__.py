"""The plan of a study as a form."""
