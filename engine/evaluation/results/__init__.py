"""Results as tables and charts in plain data, made once for the page, the report and files.

chart_making       makes the charts of evaluations as plain data, from records and metrics
charts             charts as plain data, free of Qt
comparisons        two sets of a project's attempts, compared in pairs, as a section of tables
colors             the colours of models in charts: a published model has the same in every chart
contents           what the Results page and the report show, as sections of tables and charts
cube               agents on the cube: rates by setting and horizon beside the published ones
documents          tables for documents: LaTeX with booktabs, Markdown, and HTML pages of their own
failures           the failure modes of each run as a table, with the items that are counted separately
grid_table         the runs of grids: a column for each axis, then how well each combination did
hands_table        text against hands in a project: models asked both ways, and studies with both conditions
html               results as one self-contained HTML file without scripts
machines           validity and metres by model and workflow, rankings of levels, best-of-N
puzzle_failures    where failed attempts at puzzles stop: the kind of the first step that they did not get past
puzzle_judges      several judges of the same attempts at puzzles: their scores in columns, and how far they agree
puzzles            accuracy and stepwise scores with their breakdowns, and judges
score_tables       the tables of scores: our runs beside the published ones, and generated instances by themselves
settings_table     how the runs of each batch were asked, as a table
sweep_table        the diagnostics of the sweep over token budgets: how answers ended under each cap
tables             tables of results as plain data: the page, the report and CSV files show the same ones
verifiers_table    the scores of each run by all verifiers, where those of somebody else's are among them
"""
