"""Lego hemispherical shell: build a dome of 2 x 4 bricks (a constructive task of SCBench).

Rules     bricks sit at layer heights, touch the shell, share no volume, click where they lie on each other, are all
          connected to the ground, and no connected part falls over (docs/tasks/lego_hemisphere.md)
Answer    bricks, each with its Centroid [x, y, z] in mm and RotationDegrees about +z
Score     raw / 0.65, clamped to 0..1, with raw = I/R - D / 2R: I the volume of the bricks inside the shell, D that of
          the difference (slivers of 0.05 mm forgiven), R that of the shell; 0 if a rule is broken

    answer        a list of bricks
    assembly      how bricks relate to each other: overlaps, contacts, stud alignment, parts, balance and support
    brick         the brick's measures, and arrays of bricks at their poses
    cells         a layer as cells on a stud lattice: the share of the target in each, and the share missing
    commands      what can be done to a structure by editors, agents and other programs
    crosscheck    the same rules by other methods: polygons, studs one by one, forces, points
    drawing       the shell, the bricks, and the verdict's marks
    editing       edits of several bricks at once: proposals, moves, turns, copies
    ldraw         structures as LDraw models (.ldr, .mpd): 2 x 4 bricks, part 3001
    placement     placing one brick among others, fast enough for every move of the pointer
    prompt        what a solver is told
    report        the rest of a verdict besides its checks: figures, and details for the view
    rules         the checks of a structure, in order
    solver        strip solver: fills a shell layer by layer with rows of bricks on one stud lattice
    target        the shell to be built: its shape as solids, as an inside test, and as outlines at a height
    task          the task: instances, prompt, verdicts and drawing
    transforms    copies of bricks: mirrored, in rows, without duplicates or useless bricks
    volume        volumes of a structure inside and outside the shell, exact and fast to update
"""

from spatial_workbench.engine.tasks.lego_hemisphere.answer import Brick, Structure
from spatial_workbench.engine.tasks.lego_hemisphere.target import BrickShell
from spatial_workbench.engine.tasks.lego_hemisphere.task import LegoHemisphere, shell_of

__all__ = ["Brick", "BrickShell", "LegoHemisphere", "Structure", "shell_of"]
