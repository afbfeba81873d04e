"""Tasks of other packages: the names that older ones import, and guards around their code.

foreign      guards their calls: whatever goes wrong becomes one sentence, and calls that take too long are ended
old_names    the names by which older plug-ins import this program, without a package
old_tasks    tasks of older plug-ins, which lack the classes of their abilities
"""
