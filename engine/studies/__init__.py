"""Human baselines: people solve the same items as models, under limits and aids that are fixed beforehand.

    planning    the study document, its checks, orders and places, and what is frozen
    sessions    a participant's session without a window: clocks, pages, submissions, its file
    files       bundles, results and public data, as they travel between machines
    analysis    outcomes, rules of quality, statistics, and the figures that follow

Nothing here knows a window or a project's database. Reports and exports are made by `engine.reporting`. The rules in
full: docs/studies.md.
"""
