"""Verifiers of one's own in the window: listed, added, removed, and run over the project.

adding    asks for a verifier: a file, in the sandbox or trusted, or a command
dialog    the list of verifiers
work      functions of background processes
"""
