"""Sets of puzzles: listed, annotated, counted and exported.

page             the page of sets and their puzzles
set_list         the sets at its left
puzzle_list      the puzzles of the chosen set, with a search and filters
set_changing     what changes sets and puzzles, imports and exports them
long_work        an import or an export that runs in the background
annotation       the page on which a puzzle is annotated; annotation_parts, annotation_work and steps belong to it
review           the page on which a set is reviewed; review_dialogs, _files, _forms and _pictures belong to it
statistics_view  what is counted in a set
dialogs, fields  dialogs, and fields of forms
aids             what helps to decode texts
model            the table of puzzles as Qt wants it
page_lane        background work of one page, one after another
work             what is read and changed in the background
banner, marks    a note above a page, and marks in the pages' pictures
"""
