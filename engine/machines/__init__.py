"""Machines built from 27 block types: their tree and rules, levels, scores and feedback (docs/machines.md).

Machines are simulated by `engine.physics`, and searched for by `engine.search`. Lengths are metres, masses kilograms.
The machine's frame is left-handed: x right, y up, z forward, with the starting block at the origin.
"""
