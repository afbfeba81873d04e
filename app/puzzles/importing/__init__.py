"""The dialog that imports puzzles: what comes, what is left out, and what is there already.

dialog         the dialog, and what opens it
draft          what a person has changed in an import so far
looking_strip  what is looked into in the background, with its progress
plan_tree      the puzzles of an import as rows
puzzle_strip   title, pages, solution and choice of the selected puzzles
report         what could not be imported, though it was planned
sources        what is pasted and dropped, as files
target_box     the set into which puzzles are imported
work           what is looked into and planned in the background
"""
