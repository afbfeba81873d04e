"""Plans of batches: who is asked what and how often, what that is expected to take, and how a batch begins.

agent_options    the options of agents as a form or a summary shows them
estimate         what a batch will take: calls, tokens and money
expanding        the runs that a grid and budgets make of a model
gates            early fail: the first subtasks of a task are asked first, and the rest only if these went well enough
grid             several values for settings, of which every combination is a run of its own
plan             which models are asked about which instances and how often
single           the prompt of an instance and the schema of its answer, in one turn
starting         stores a plan, or a file of answers, as a batch that a process can work on
variants         other words around a prompt, or for the part that says how to answer
"""
