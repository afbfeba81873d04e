"""What a solver is told."""

from spatial_workbench.engine.tasks.lego_hemisphere.target import FACETS, BrickShell

_TEXT = """\
Build a hemispherical shell from 2 x 4 Lego bricks.

The shell
- Inner radius {inner:g} cm, outer radius {outer:g} cm, centred on the origin.
- It is the upper half: the flat side lies on the plane z = 0 (the ground) and the dome points to +z.
- The reference body is {shape}.

The bricks
- A single brick measures 31.8 x 15.8 x 11.4 mm, studs included. Assembled, each brick takes up 32 x 16 x 9.6 mm; use \
these measures for all positions.
- On top are 8 studs, 2 rows of 4, 8 mm apart. With the brick's centre at (0, 0) and its long side along x, the stud \
centres are at x = -12, -4, 4, 12 and y = -4, 4.
- Give each brick by its centroid in mm and its rotation about the vertical axis in degrees, counter-clockwise seen \
from above. At 0 degrees the long side is along x.
- Centroid heights are 4.8, 14.4, 24, ... mm: z = 4.8 + 9.6 n with n = 0, 1, 2, ...

The rules
1. No two bricks may overlap, and no brick may be listed twice.
2. No brick may be below the ground, wholly inside the hollow, or wholly outside the outer radius.
3. Bricks that lie on the ground may be anywhere and at any angle; there is no base plate.
4. Where one brick lies on another, the two must click: they are turned against each other by a multiple of 90 \
degrees, and the studs of the lower one meet the sockets of the upper one.
5. Nothing floats: every brick is connected to the ground through bricks that it clicks with, from below or from above.
6. Nothing falls over: the centre of mass of each connected part is above the area that its bricks on the ground span. \
Two parts that would only stand by leaning on each other count as falling.
7. The shell should be complete, without holes.

An example of stud alignment: a brick at (0, 0, 4.8) is turned by 90 degrees. A brick at (0, 0, 14.4) turned by 180 \
degrees holds on to it with 4 of its 8 studs. A brick at (24, 0, 24) turned by 0 degrees holds on to the second one \
with 2 studs; it overhangs by 75 %, which is allowed. The same brick at (22, 0, 24) is not allowed, because its walls \
would hit studs.

The score compares the volume of the bricks with the volume of the ideal shell: what is missing lowers it, and what is \
built outside of the shell lowers it too. A brick is worth placing if more than a quarter of it is inside the shell. A \
structure that breaks a rule scores 0.

Answer with one JSON object:
{{"reasoning": "how you arrived at the answer", "bricks": [{{"Centroid": [x, y, z], "RotationDegrees": angle}}, ...]}}
At most 5000 bricks.
"""

_SHAPES = {
    "faceted16": "faceted: each of the two spheres is the convex hull of {rings} rings of {segments} points on it, at "
    "polar angles 11.25, 33.75, ... 168.75 degrees and azimuths 0, 22.5, 45, ... degrees",
    "smooth": "smooth (each of the two spheres is modelled with {segments} segments around and {rings} rings)",
}


def text(shell: BrickShell) -> str:
    """The prompt for a shell."""
    segments, rings = FACETS[shell.target]
    shape = _SHAPES[shell.target].format(segments=segments, rings=rings)
    return _TEXT.format(inner=shell.inner_mm / 10, outer=shell.outer_mm / 10, shape=shape)
