"""Sets of puzzles: listed, annotated, counted and exported.

page              the page of sets and their puzzles
set_list          the sets at its left
puzzle_list       the puzzles of the chosen set, with a search and filters
model             the table of puzzles as Qt wants it
lesson_page       ten minutes with one puzzle, for people who begin to annotate
statistics_view   what is counted in a set
set_changing      what adds and makes sets, and removes them from the list
puzzle_changing   what makes, renames and removes puzzles
set_dialogs       what is asked before a set or a puzzle is made, or a puzzle is renamed
set_reading       reads the chosen set, and the pictures of a large one through
set_work          what is read and changed in the background
transfer          what imports puzzles, and exports them for fine-tuning
importing         the dialog that imports puzzles
export_dialog     what is asked before an export
export_work       what is exported in the background
long_work         an import or an export that runs, with its progress
page_lane         background work of one page, one after another
annotation        the page on which a puzzle is annotated
review            the page on which a set is reviewed
"""
