"""Human baselines: people solve the same items as models, under limits and aids that are fixed beforehand.

Nothing here knows a window or a database. The rules in full: docs/studies.md.
"""
