"""What the search for disagreements found: looked for in the background, shown in groups, made small, kept as cases.

detail      a group: what its two verifiers say of the smallest case, the case itself, and what can be done with it
dialog      asks which tasks are searched, for how long, and how
group_tree  the groups by task
page        the page of findings
searching   runs a search in the background, and says how far it is
work        functions of background processes
"""
