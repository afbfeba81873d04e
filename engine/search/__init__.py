"""Searches for better machines, which are simulated as jobs of an executor.

    machine_search    `MachineSearch`: rounds of random legal edits, by one of the strategies of machines
    mutation          random legal edits: a designer without a model
    node_file         the file of a search, from which it is resumed after an interruption
    run_tree          a search, or a workflow of models, as the tree in which it is browsed

The rules in full: docs/machines.md.
"""
