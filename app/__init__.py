"""The application: window, pages, menus, settings, background work, command line.

acting          doors through which agents of other programs act
attempts        a stored attempt: described in words, drawn, and compared with another answer
background      work done outside the window's thread: processes, verdicts and the project
commands        the command line
comparison      two answers to one instance, side by side
evaluation      dialogs about batches, and the page that watches them
frame           what all pages share: the window as a host, its tabs, settings, themes and people
levels          levels of machines, made and changed in the window
machine_runs    runs that make machines, as trees to browse: workflows of models, and searches
puzzles         sets of puzzles: listed, annotated, counted and exported
results         results of a project: tables beside the published ones, charts, and the report
runs            the pages about stored attempts: the runs browser, and the disagreements between verifiers
serving         studies in a browser: a server with a screen and a window for each participant
source          the source folder of the workbench, and modules that are only available there
studies         studies of human baselines in windows
studio          pictures without a window
video           videos of what moves: simulations, moves, and answers as they were built
window          the main window: its tabs, its menus, and what belongs to no page
workspace       where one person works on one instance
"""
