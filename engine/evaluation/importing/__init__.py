"""Attempts that were made elsewhere, stored in a project as they are.

inspect_logs    a log of Inspect as attempts
json_lines      an export in JSON lines, restored as it was: no model is asked and nothing is judged again
"""
