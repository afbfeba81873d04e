"""The solids of a union in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from spatial_workbench.engine.tasks.csg_union.solids import Solid


def described(solid: Solid) -> str:
    """A solid in a sentence."""
    words = _WORDS[solid.kind](solid)
    turns = [f"{number(a)}° about {axis}" for a, axis in zip(solid.turn_deg, "XYZ", strict=True) if a]
    if not any(solid.at):
        return f"{words}, turned by {_joined(turns)}." if turns else f"{words}."
    at = place(solid.at)
    return f"{words}, turned by {_joined(turns)}, then moved by {at}." if turns else f"{words}, then moved by {at}."


def _joined(turns: Sequence[str]) -> str:
    return reduce(lambda first, second: f"{first} and then {second}", turns)


def number(value: float) -> str:
    """A number as short as it is exact."""
    return f"{value:.10g}"


def place(values: tuple[float, ...]) -> str:
    """Coordinates in brackets."""
    return f"({', '.join(map(number, values))})"


def _box(solid: Solid) -> str:
    x, y, z = map(number, solid.size)
    if x == y == z:
        return f"A cube with edge {x}, centred on the origin"
    return f"A box of {x} x {y} x {z} along X, Y and Z, centred on the origin"


def _prism(solid: Solid) -> str:
    n, r, h = map(number, solid.size)
    return f"A right prism over a regular {n}-gon of circumradius {r}, height {h} along Z, centred on the origin"


def _cone(solid: Solid) -> str:
    n, r, h = map(number, solid.size)
    return f"A pyramid over a regular {n}-gon of circumradius {r} at z = 0, with its apex at (0, 0, {h})"


def _wedge(solid: Solid) -> str:
    x, y, z = solid.size
    base = [(-x / 2, -y / 2, 0.0), (x / 2, -y / 2, 0.0), (x / 2, y / 2, 0.0), (-x / 2, y / 2, 0.0)]
    ridge = [(-x / 2, -y / 2, z), (-x / 2, y / 2, z)]
    return f"A wedge: the convex hull of {', '.join(map(place, base + ridge))}"


def _tetrahedron(solid: Solid) -> str:
    return f"A tetrahedron with the corners {', '.join(map(place, solid.points))}"


def _sphere24(solid: Solid) -> str:
    return f"A faceted sphere of radius {number(solid.size[0])}, centred on the origin"


_WORDS = {
    "box": _box,
    "prism": _prism,
    "cone": _cone,
    "wedge": _wedge,
    "tetrahedron": _tetrahedron,
    "sphere24": _sphere24,
}
