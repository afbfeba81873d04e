"""What a solver is told."""

from spatial_workbench.engine.tasks.interlocking_parts.cage import Cage
from spatial_workbench.engine.tasks.interlocking_parts.printing import CONTACT_MM2, SPAN_MM, SPAN_MM2, STABLE_MM

_TEXT = """\
Design a cage that is printed in exactly {parts} parts on a 3D printer and held together by four threaded rods. All \
lengths are millimetres.

The cage
- Its inside, free of any material, is at least {width:g} x {width:g} x {height:g} (x, y, z).
- It is made of bars with a square section, {bar:g} thick, crossing at right angles on all six sides: there is a \
floor and a roof, but no door and no lid.
- The gap between neighbouring bars is {gap_least:g} to {gap_most:g} and the same everywhere.
- Four {thread} threaded rods run upright through the middle of the four vertical corner bars, with their axes at x \
= +-{axis:g} and y = +-{axis:g}. They are all that holds the parts together: no glue, no screws. The rods are not \
parts of your answer.
- In the assembly's frame the cage stands on z = 0 and is centred in x and y. No material may be outside of {side:g} \
x {side:g} x {limit:g}; the inside reaches from z = {bar:g} to z = {inner_top:g}.

The printer
- Its build volume is {px:g} x {py:g} x {pz:g}. Each part is printed by itself, in the pose in which its file has \
it, resting on z = 0. The part is centred on the bed before it is tested.
- No supports: surfaces that look down (normal z below -0.9) and do not lie on the bed may span at most {span:g} in \
x or y and {span_area:g} mm2.
- At least {contact:g} mm2 of each part lie on the bed, and its centre of gravity is above the hull of that area, at \
least {stable:g} inside.

Each answer is judged by nine criteria:
0. Exactly {parts} parts, each a closed, consistently oriented manifold solid of one body that does not intersect \
itself. Transforms are rigid motions: no scale, shear or mirror.
1. Every part can be printed, as above.
2. For each part as printed: a cube of {small:g} gets through it somewhere, a cube of {large:g} nowhere.
3. The inside is free and nothing is outside of the limit.
4. A rod of diameter {rod:g} passes along all four axes over the whole height; a cylinder of diameter {blocked:g} on \
the same axis meets material at each corner.
5. No two parts share volume; they may touch.
6. Each part is held by at least two rods: it has material within {reach:g} of their axes.
7. The dominant thickness of each part, measured along the normals of its faces, is {bar:g}.
8. The dominant gap between bars in the assembly is within {gap_least:g} to {gap_most:g}.
If criterion 0 is not met, none is. Besides, use few different parts and little build volume.

Answer with one JSON object:
{{"reasoning": "how you arrived at the answer", "parts": [{{"fileContents": "...", "fileType": "...", "transform": \
[16 numbers]}}, ...]}}
- fileType is one of "STL" (text, or binary in base64), "OpenSCAD", "Python Generating OpenSCAD", "Python Generating \
STL". Python programs may use the standard library and numpy, and print the OpenSCAD or STL text; OpenSCAD programs \
may not read other files (import, include, use, surface). Each program may take 60 seconds and 1 GiB of memory.
- An STL may be 20 MB long and have 500000 triangles. Vertices less than 0.0001 apart count as one.
- transform is the 4 x 4 matrix, row by row, that takes the part from its frame as printed to its place in the \
assembly. List a part that is used several times once for each place, with the same contents.
"""


def text(cage: Cage) -> str:
    """The prompt for a cage."""
    x, y, z = cage.printer
    return _TEXT.format(
        parts=cage.parts, width=cage.width, height=cage.height, bar=cage.bar, gap_least=cage.gap_least,
        gap_most=cage.gap_most, axis=cage.axis_offset, side=cage.outer_side, limit=cage.outer_height,
        inner_top=cage.bar + cage.height, px=x, py=y, pz=z, span=SPAN_MM, span_area=SPAN_MM2, contact=CONTACT_MM2,
        stable=STABLE_MM, small=cage.small_cube, large=cage.large_cube, rod=cage.rod, blocked=cage.blocked,
        reach=cage.blocked / 2, thread=f"M{cage.rod:g}",
    )  # fmt: skip
