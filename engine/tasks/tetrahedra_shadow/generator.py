"""New targets: polygons with holes that the solver covers well, centred on the origin by their bounding box."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core.contract import Difficulty
from spatial_workbench.engine.core.instance import InstanceError
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.tetrahedra_shadow.presets import arranged
from spatial_workbench.engine.tasks.tetrahedra_shadow.shadow import fit_of, shadows_of, union_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import vertices_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.solver import cover
from spatial_workbench.engine.tasks.tetrahedra_shadow.target import TetrahedraTarget

FAMILIES = ("regular polygon", "star", "letter", "blob", "ring", "bars")
FARTHEST = 3.0
"""Targets fit into the square of this half side."""
AREAS = (2.0, 32.0)
LEAST_RAW = 0.9
"""Shapes with a lower raw score of the solver are not used."""
_MAX_DRAWS = 60
_ROUNDING_DEG = 0.1
LETTERS: Mapping[str, tuple[tuple[float, float, float, float], ...]] = {
    "T": ((0, 3, 4, 4), (1.5, 0, 2.5, 4)),
    "U": ((0, 0, 1, 4), (3, 0, 4, 4), (0, 0, 4, 1)),
    "H": ((0, 0, 1, 4), (3, 0, 4, 4), (0, 1.5, 4, 2.5)),
    "E": ((0, 0, 1, 4), (0, 0, 3, 1), (0, 1.5, 3, 2.5), (0, 3, 3, 4)),
    "F": ((0, 0, 1, 4), (0, 1.5, 3, 2.5), (0, 3, 3, 4)),
    "O": ((0, 0, 1, 4), (3, 0, 4, 4), (0, 0, 4, 1), (0, 3, 4, 4)),
}
"""Strokes as rectangles x_min, y_min, x_max, y_max."""


class ShapeDifficulty(Difficulty):
    """What a generated target is like. Corners below 60 degrees, narrow parts and holes make it hard."""

    family: Literal["any", "regular polygon", "star", "letter", "blob", "ring", "bars"] = Field(
        default="any", description="What kind of shape"
    )
    sharpest_deg: float = Field(default=0.0, ge=0, le=150, description="No angle between edges below this, in degrees")


def draw(rng: np.random.Generator, difficulty: ShapeDifficulty) -> dict[str, Any]:
    """The parameters of a new target, with the solver's cover as proof that it can be done.

    Raises:
        InstanceError: no shape of the family meets the difficulty.
    """
    reason = ""
    for _ in range(_MAX_DRAWS):
        family = str(rng.choice(FAMILIES)) if difficulty.family == "any" else difficulty.family
        outline, *holes = _shape(rng, family)
        reason = refusal(outline, holes, difficulty)
        if reason:
            continue
        parameters = _parameters(family, outline, holes)
        if parameters["divisor"] >= LEAST_RAW:
            return parameters
        reason = f"the solver covers it with a raw score of {parameters['divisor']:.2f} only"
    raise InstanceError(f"No shape was found ({difficulty.family}): the last one was left because {reason}")


def refusal(outline: Floats, holes: list[Floats], difficulty: ShapeDifficulty) -> str:
    """Why a shape is not accepted as an instance; empty if it is."""
    from shapely import Polygon

    polygon = Polygon(outline, holes)
    if not polygon.is_valid:
        return "its outline crosses itself"
    if not AREAS[0] <= polygon.area <= AREAS[1]:
        return f"its area is {polygon.area:.1f}"
    sharpest = min(_angles(ring).min() for ring in (outline, *holes))
    return f"it has an angle of {sharpest:.0f} degrees" if sharpest < difficulty.sharpest_deg - _ROUNDING_DEG else ""


def _parameters(family: str, outline: Floats, holes: list[Floats]) -> dict[str, Any]:
    rings = [[[float(x), float(y)] for x, y in ring] for ring in (outline, *holes)]
    kind = "letter of straight strokes" if family == "letter" else family
    words = {"blob": "an irregular polygon", "bars": "a union of bars"}.get(family, f"a {kind}")
    shape = {"outline": rings[0], "holes": rings[1:], "description": words, "name": family}
    target = TetrahedraTarget.of({**shape, "divisor": 1.0})
    rows = cover(target)
    fit = fit_of(target, union_of(shadows_of(vertices_of(arranged(rows)))))
    return {**shape, "divisor": round(min(1.0, fit.raw()), 4), "reference": [list(row) for row in rows]}


def _shape(rng: np.random.Generator, family: str) -> list[Floats]:
    """The outline and the holes of a shape, centred, to three decimals."""
    rings = _MAKERS[family](rng)
    corners = rings[0]
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    span = float((corners.max(axis=0) - corners.min(axis=0)).max())
    scale = min(1.0, 2 * FARTHEST / span)
    return [np.round((ring - middle) * scale, 3) + 0.0 for ring in rings]


def _polar(radii: Floats, angles: Floats) -> Floats:
    return np.column_stack([radii * np.cos(angles), radii * np.sin(angles)])


def _regular(rng: np.random.Generator) -> list[Floats]:
    n = int(rng.integers(3, 13))
    radius = float(rng.uniform(1.2, 3.0))
    angles = 2 * np.pi * np.arange(n) / n + rng.uniform(0, 2 * np.pi / n)
    return [_polar(np.full(n, radius), angles)]


def _star(rng: np.random.Generator) -> list[Floats]:
    n = int(rng.integers(4, 9))
    outer = float(rng.uniform(2.0, 3.0))
    radii = np.tile([outer, outer * float(rng.uniform(0.5, 0.75))], n)
    angles = np.pi * np.arange(2 * n) / n + rng.uniform(0, 2 * np.pi / n)
    return [_polar(radii, angles)]


def _blob(rng: np.random.Generator) -> list[Floats]:
    n = int(rng.integers(6, 15))
    angles = 2 * np.pi * (np.arange(n) + rng.uniform(-0.25, 0.25, n)) / n
    return [_polar(rng.uniform(0.8, 2.5, n), angles)]


def _ring(rng: np.random.Generator) -> list[Floats]:
    outer = _regular(rng)[0]
    return [outer, (outer * float(rng.uniform(0.3, 0.55)))[::-1]]


def _letter(rng: np.random.Generator) -> list[Floats]:
    strokes = LETTERS[str(rng.choice(sorted(LETTERS)))]
    return _union([np.array(stroke) for stroke in strokes])


def _bars(rng: np.random.Generator) -> list[Floats]:
    count = int(rng.integers(2, 4))
    middles = rng.uniform(-1.2, 1.2, (count, 2))
    halves = rng.uniform(0.4, 1.8, (count, 2))
    return _union([np.round(np.concatenate([m - h, m + h]), 1) for m, h in zip(middles, halves, strict=True)])


def _union(boxes: list[Floats]) -> list[Floats]:
    """The rings of the union of boxes; those of the largest part if there are several."""
    import shapely

    whole = shapely.union_all([shapely.box(*box) for box in boxes])
    part = max(getattr(whole, "geoms", [whole]), key=lambda polygon: polygon.area).simplify(1e-9)
    return [np.asarray(ring.coords)[:-1] for ring in (part.exterior, *part.interiors)]


def _angles(ring: Floats) -> Floats:
    """The smaller angles between neighbouring edges, in degrees."""
    back = np.roll(ring, 1, axis=0) - ring
    ahead = np.roll(ring, -1, axis=0) - ring
    cosines = (back * ahead).sum(axis=1) / np.linalg.norm(back, axis=1) / np.linalg.norm(ahead, axis=1)
    angles: Floats = np.degrees(np.arccos(np.clip(cosines, -1, 1)))
    return angles


_MAKERS = {"regular polygon": _regular, "star": _star, "letter": _letter, "blob": _blob, "ring": _ring, "bars": _bars}
