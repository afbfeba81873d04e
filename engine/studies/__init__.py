"""Human baselines: people solve the same items as models, under limits and aids that are fixed beforehand.

Nothing here knows a window or a project's database. What is reported and published is made by
`engine.reporting`. The rules in full: docs/studies.md.
"""
