"""The tasks: one module or package for each, which the registry finds by its name.

`labelled_squares` is what the three tasks about labelled squares share.
"""
