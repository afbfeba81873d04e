"""The review of a set of puzzles: flags, two reviewers, the disagreement that is settled, and the audit.

page             the page on which a set is reviewed
records          the log of a set's reviews: read, and added to
queue_list       the puzzles under review, in queues
puzzle_panel     one puzzle with the state of its review, and what a person can do about it
reading_form     an annotation to be read
decision_form    one reviewer's decision
step_form        a step in it: accepted, edited, rejected, moved, split
tag_choice       difficulty and tags by choice
difference_form  three columns where two reviewers differ, and what is taken
adjudication_form  two independent annotations side by side, and what the third takes of them
agreement_page   how far independent annotations agree
comments_pane    comments on a puzzle and on its steps, with replies
form_parts       parts of these forms
pictures         the puzzle's pages, or the figure of the step that is chosen
exchange         reviews written to files, and merged from those of other computers
files            what is done with such files, and what the window says about it
words            what the review of a puzzle says about itself
dialogs          which two people review a puzzle, and which model reads the annotations
"""
