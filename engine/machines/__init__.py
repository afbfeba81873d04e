"""Machines built from 27 block types: their tree and rules, levels, scores and feedback (docs/machines.md).

    building     block types, the construction tree, poses, joints, rules of space, edit commands
    levels       the published levels, and those that are drawn from a seed
    results      the recording of a simulation, its score, and both in words
    designing    roles, prompts and workflows, by which language models design machines

Machines are simulated by `engine.physics`, and searched for by `engine.search`. Lengths are metres, masses kilograms.
The machine's frame is left-handed: x right, y up, z forward, with the starting block at the origin.
"""
