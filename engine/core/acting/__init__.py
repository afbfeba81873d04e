"""Acting on an answer step by step: the same commands for editors, agents, environments and other programs.

commands    what can be done to the answers of a task, declared once
driving     the loop of every agent: it asks a model, does what it asks for, and tells it what came of it
elements    an answer as data in which each element has its number
retelling   a history of answers, such as a person's, told as calls of commands
views       tasks of which only a part is seen at a time
"""
