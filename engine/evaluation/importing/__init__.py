"""Attempts that were made elsewhere, taken into a project as they are.

inspect_logs    a log of Inspect as attempts
json_lines      an export in JSON lines as it was: no model is asked and nothing is judged again
"""
