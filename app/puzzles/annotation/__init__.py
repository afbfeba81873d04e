"""The annotation of a puzzle: its pages and sketches, its steps and fields, checks and decoding aids.

page          the page on which a puzzle is annotated
pages_pane    its left: the pages to draw on, or a flat figure
side_pane     its right: the title with its state; steps and fields; checks and aids
edited        the puzzle while it is open: as it is shown, as it is stored, and the history between the two
checking      what is wrong with it, looked for after each change
saving        saves it, one state after another
recovery      keeps what is not saved beside the set, and offers it when the puzzle is opened again
disk_watch    notices when another program changes it
figure_strip  the step that gets a sketch as its figure, and how far its drawing is
figures       makes figures of sketches, and opens the figures of steps
step_list     the steps as a list of cards
step_card     one step: its action, its text and its figure
step_editing  steps made, moved, split and merged, as plain data
holding       keeps the field with the cursor where it is while things above it come and go
fields        what is said of the puzzle as a whole
aids          what helps to decode texts
marks         the list of what is wrong
request_strip  what the reviewer of a returned puzzle wants to be changed
banner        a line at the top that says what happened
work          what runs in the background: open, save, keep, draw figures
"""
