"""What a solver is told."""

from spatial_workbench.engine.tasks.tetrahedra_shadow.answer import MAX_PIECES
from spatial_workbench.engine.tasks.tetrahedra_shadow.shadow import FORGIVEN
from spatial_workbench.engine.tasks.tetrahedra_shadow.target import Ring, TetrahedraTarget

MOST_LISTED = 24
"""The corners of rings with more of them are described, not listed."""

_TEXT = """\
Place regular tetrahedra in space so that their shadows together have a given shape.

The tetrahedron
- All tetrahedra have edges of length 1. Before it is placed, one has its corners at (0, 0, 0), (1, 0, 0), \
(1/2, sqrt(3)/2, 0) and (1/2, sqrt(3)/6, sqrt(2/3)). Its faces are the corners 0 2 1, 0 1 3, 1 2 3 and 2 0 3.
- A placement is (x, y, z, q0, q1, q2, q3). The unit quaternion, with the scalar part q0, turns the tetrahedron \
about the origin (which is its first corner); then it is moved by (x, y, z).
- Use as many as you like, at most {most}.

The shadow
- Light falls straight down; each tetrahedron casts its shadow on the plane z = 0. Heights do not change shadows, so \
tetrahedra may be stacked.
- The union of all shadows should be this shape: {description}.{corners}
- Lengths are in edge lengths. x points to the right and y up when the plane is seen from above.

The rules
- Each quaternion has length 1: if the sum of the squares of one is off 1 by more than 0.01, only a quarter of the \
covered area counts.
- No two tetrahedra intersect; otherwise half of the covered area counts. They may touch.
- The score is the covered share of the shape's area, less half of the mismatch: the area that is shaded outside of \
the shape or unshaded within, not counting what lies within {forgiven:g} along x and y of the covered part. This is \
divided by {divisor:g}, up to a score of 1.
- A tetrahedron whose shadow others cast already is of no use. Leave it out.

Answer with one JSON object:
{{"reasoning": "how you arrived at the answer", "tetrahedrons": [{{"x": 0, "y": 0, "z": 0, "q0": 1, "q1": 0, "q2": 0, \
"q3": 0}}, ...]}}
"""


def text(target: TetrahedraTarget) -> str:
    """The prompt for a target."""
    return _TEXT.format(
        most=MAX_PIECES,
        description=target.description,
        corners=_corners(target),
        forgiven=FORGIVEN,
        divisor=target.divisor,
    )


def _corners(target: TetrahedraTarget) -> str:
    if max(map(len, target.rings)) > MOST_LISTED:
        return ""
    outline, *holes = map(_listed, target.rings)
    words = f" Its corners are {outline}."
    return words + "".join(f" The corners of a hole are {hole}." for hole in holes)


def _listed(ring: Ring) -> str:
    return ", ".join(f"({x:.6g}, {y:.6g})" for x, y in ring)
