"""The dialogs about batches, and the page that watches them.

agent_options   the options of an agent, as a form
batch_form      how a batch asks
endpoint_chooser  known endpoints by name, and the models that an endpoint lists
estimate_panel  what a batch is expected to take
grid_form       the axes of a grid, and what is typed for them
item_dialog     one item of a batch with its requests
items           the items of a batch
judge_dialog    has models judge stored attempts
judging_notice  says on the page of batches which judgings of steps wait to go on
judging_page    what judges of steps were asked, or wait to go on with: pause, resume and drop
key_field       the key of an endpoint
model_list      the models, as boxes to tick
models_dialog   adds and changes models
new_batch       the dialog for a new batch
page            the page of batches
prices_dialog   edits the table of prices
probes          finds out what endpoints can do
sections        titles and scrolled parts
spending_strip  what a batch has spent, and what its limits leave
step_judging    judging of steps in the background, that is paused and resumed
step_judgings   the judgings that the window knows, and those that its project keeps
variant_list    the variants of the prompt, and the dialog that writes one
watch           the state of batches, read again and again
words           figures of batches in words
"""
