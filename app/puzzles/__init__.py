"""Sets of puzzles: listed, annotated, counted and exported.

page             the page of sets and their puzzles
set_list         the sets at its left
puzzle_list      the puzzles of the chosen set, with a search and filters
model            the table of puzzles as Qt wants it
set_changing     what changes sets and puzzles, imports and exports them
long_work        an import or an export that runs in the background
statistics_view  what is counted in a set
dialogs          what is asked before a set or a puzzle changes
work             what is read and changed in the background
page_lane        background work of one page, one after another
annotation       the page on which a puzzle is annotated
review           the page on which a set is reviewed
"""
