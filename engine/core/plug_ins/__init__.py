"""Tasks of other packages: their names of old, and the watch over what their code does.

foreign      watches them: whatever their code does wrong becomes one sentence
old_names    the names by which older plug-ins import this program, without a package
old_tasks    tasks of older plug-ins, which lack the classes of their abilities
"""
