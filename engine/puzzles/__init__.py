"""Puzzles: data sets of puzzle hunts with annotated reasoning steps, their checks, review, statistics and exports.

The rules in full: docs/puzzles.md.
"""
