"""What a solver is told."""

from __future__ import annotations

from spatial_workbench.engine.tasks.csg_union.solid_words import described
from spatial_workbench.engine.tasks.csg_union.solids import Solid

_RULES = """Give the union of these {count} solids as one closed polyhedron. Coordinates are in cm, right-handed, z up.

{solids}

How the solids are meant:
- Every solid is a convex polyhedron; nothing is round. A prism or cone stands over a regular polygon whose \
first corner is on the solid's own +X axis, so that corner i is at 360° * i / n around Z.
- A faceted sphere of radius r has 12 rings of 24 vertices: ring i (from 0) at the polar angle (i + 0.5) * 15° \
from +Z, vertices at the azimuths 0°, 15°, 30° ... There are no poles; the top and the bottom are flat 24-gons.
- Turns are about the fixed axes, in the order given, before the solid is moved to its place.

Answer with JSON: the vertices, and faces that list the indices of their vertices (from 0). A cube with an edge \
of 2:

{{"polyhedron": {{
  "vertex": [{{"xyz": [-1, -1, -1]}}, {{"xyz": [1, -1, -1]}}, {{"xyz": [1, 1, -1]}}, {{"xyz": [-1, 1, -1]}},
             {{"xyz": [-1, -1, 1]}}, {{"xyz": [1, -1, 1]}}, {{"xyz": [1, 1, 1]}}, {{"xyz": [-1, 1, 1]}}],
  "faces": [{{"vertex": [3, 2, 1, 0]}}, {{"vertex": [4, 5, 6, 7]}}, {{"vertex": [0, 1, 5, 4]}},
            {{"vertex": [1, 2, 6, 5]}}, {{"vertex": [2, 3, 7, 6]}}, {{"vertex": [3, 0, 4, 7]}}]}}}}

Rules:
- Only the surface of the union: no faces inside it, none that cross, touch or cover others away from shared \
vertices and edges.
- Each face is one flat, simple loop of at least 3 different vertices, counter-clockwise seen from outside; more \
than 4 are allowed. No vertex of it may be more than 0.01 off its plane. A face with a hole has to be split, by \
cuts between existing vertices.
- Every edge belongs to exactly two faces that go along it in opposite directions. A hollow inside is bounded by \
faces that look into the hollow.
- No two vertices at the same place (6 decimals), no face without area, no vertex that no corner needs. No part \
far away from the rest: more than 100 and more than 10 times the average distance from the middle of the \
vertices.
- Indices are integers. At most 20 000 vertices and 20 000 faces.
- A polyhedron that breaks a rule, or is not watertight, scores 0.

Score: with the volumes U of the union, A of your polyhedron, and B of what both have in common, min(A, B) / U - \
D / (2 U). D is the volume that only one of both has, as far as it is farther than 0.05 (in x, y or z) from what \
both have. Above 0.95 that counts as 1."""


def prompt_text(solids: tuple[Solid, ...]) -> str:
    """The task in words."""
    lines = [f"{i}. {described(solid)}" for i, solid in enumerate(solids, 1)]
    return _RULES.format(count=len(solids), solids="\n".join(lines))
