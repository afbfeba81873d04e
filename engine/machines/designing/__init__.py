"""How language models design machines: roles, what they are told and answer, and the workflows that ask them.

replies             what the roles of a workflow answer, read from their text
role_texts          the texts that the roles of a workflow are told, in parts
roles               what each role of a workflow is told: a system text with the rules, and a text about the machine
strategies          random search, best-of-N and Monte Carlo tree search over changes of a machine
workflow_lines      what candidates do at once: who is asked, who simulates, and what is entered of it
workflow_records    every call of a role, every machine that came of them, and how the searches went
workflows           single agent, iterative editing, hierarchical
"""
