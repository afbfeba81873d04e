"""Doors through which other programs act with the commands of tasks.

protocol    a server of the Model Context Protocol over a desk of episodes
serving     runs the server on standard input and output, or on a port of this machine
"""
