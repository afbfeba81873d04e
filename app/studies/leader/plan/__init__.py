"""The plan of a study as a form.

block_changes     changes of blocks and their items, as plain data
block_tree        the blocks as a tree, with their items below them
conditions        the conditions: aids, feedback and clock
contrasts         the models that people will be compared with
form              the document as a form, with its history and what is wrong
item_choices      the phase, the score and the limit of items; the order and the condition of a block
items             the blocks with their items, and what is done with those that are chosen
json_view         the document as JSON
language_row      chooses the language in which texts are shown
languages         the languages of a study
options_field     the options of a question, in one language at a time
pages             the sections below each other, with a list of them
passphrase        the passphrase to leave the participant's window
people            questions about the person, who may take part, and the boxes of the consent
planner           how many people a study needs
question_dialog   asks for an item that is written
rules             the rules of quality
sections          the parts of the form, in the order in which a study is planned
tab               the form with what can be done about a plan
"""
