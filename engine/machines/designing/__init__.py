"""How language models design machines: roles, what they are told and answer, and the workflows that ask them.

prompts             what there is to tell a role, part by part
replies             what the roles of a workflow answer, read from their text
role_texts          the texts that the roles of a workflow are told, in parts
roles               the roles as data: which parts each is told, and how its answer is read
strategies          random search, best-of-N and Monte Carlo tree search over changes of a machine
workflow_lines      what candidates do at once: who is asked, who simulates, and what is entered of it
workflow_records    every call of a role, every machine that came of them, and how the searches went
workflows           single agent, iterative editing, hierarchical: each from its first question to its last
"""
