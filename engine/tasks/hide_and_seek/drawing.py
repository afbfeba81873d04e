"""The field as a scene: in space, and as a plan."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Boxes, Floats, Ground, Item, Label, Polygon, Polyline, Scene
from spatial_workbench.engine.tasks.hide_and_seek.field import PERSON_HEIGHT_M, PERSON_M, CrowdField

_HELP = ("shadow", "safe ground")
_LIFT_M = 0.02
"""How far above the ground marks on it are drawn."""


def draw_field(field: CrowdField, centers: Floats) -> Scene:
    """Building, shadow, the circle of reach and the people; metres, z up."""
    return Scene(
        items=(*_surroundings(field, flat=False), *_people(centers)),
        unit="m",
        ground=Ground(pitch=5.0, extent=(-35.0, -35.0, 35.0, 35.0)),
        bounds=((-field.radius, -field.radius, 0.0), (field.half, field.half, field.height)),
    )


def without_help(scene: Scene) -> Scene:
    """The scene without the shadow and the safe ground."""
    return replace(scene, items=tuple(item for item in scene.items if getattr(item, "id", "") not in _HELP))


def draw_plan(field: CrowdField, centers: Floats, roles: list[str]) -> Scene:
    """The same from above; `roles` gives each person's colour."""
    people = [
        Polygon(id=f"person {i}", points=center + _SQUARE, color=role, opacity=0.9, outline="line")
        for i, (center, role) in enumerate(zip(centers, roles, strict=True))
    ]
    radius = field.radius
    return Scene(
        items=(*_surroundings(field, flat=True), *people),
        unit="m",
        flat=True,
        bounds=((-radius - 2, -radius - 2), (radius + 2, radius + 2)),
    )


_SQUARE = np.array([[-0.25, -0.25], [0.25, -0.25], [0.25, 0.25], [-0.25, 0.25]])


def safe_ground(field: CrowdField) -> Floats:
    """The polygon (n, 2) in which a person's centre is safe: hidden with the whole body, in reach, off the building."""
    from shapely import Point, Polygon, box, get_coordinates

    normals, offsets = field.edges
    inner = Polygon(_corners_of(normals, offsets + PERSON_M / 2 * np.abs(normals).sum(axis=1)))
    keep_out = field.half + PERSON_M / 2
    circle = Point(0, 0).buffer(field.radius, quad_segs=48)
    region = inner.intersection(circle).difference(box(-keep_out, -keep_out, keep_out, keep_out))
    parts = getattr(region, "geoms", [region])
    return np.asarray(get_coordinates(max(parts, key=lambda part: part.area).exterior))


def _corners_of(normals: Floats, offsets: Floats) -> Floats:
    """Corners of a convex polygon from its half-planes, in order around it."""
    following = np.roll(normals, -1, axis=0)
    systems = np.stack([normals, following], axis=1)
    return np.asarray(np.linalg.solve(systems, np.stack([offsets, np.roll(offsets, -1)], axis=1)[..., None])[..., 0])


def _surroundings(field: CrowdField, flat: bool) -> list[Item]:
    from shapely import Point, get_coordinates
    from shapely import Polygon as Shape

    visible_part = Shape(field.shadow).intersection(Point(0, 0).buffer(field.radius + 1, quad_segs=48))
    shadow = get_coordinates(visible_part.exterior)
    angles = np.linspace(0, 2 * np.pi, 145)[:-1]
    circle = field.radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    safe = safe_ground(field)
    way = np.array(field.sniper[:2]) / np.hypot(*field.sniper[:2])
    arrow = np.array([way * (field.radius + 1.5), way * (field.radius - 4)])
    h = field.half
    walls = np.array([[-h, -h], [h, -h], [h, h], [-h, h]])
    if not flat:
        shadow, circle, safe, arrow = (_lifted(points) for points in (shadow, circle, safe, arrow))
    items: list[Item] = [
        Polygon(id="shadow", points=shadow, color="muted", opacity=0.35, outline=None, pickable=False),
        Polyline(id="safe ground", points=safe, color="passed", width_px=1.5, closed=True, pickable=False),
        Polyline(id="reach", points=circle, color="line", width_px=1.5, closed=True, dashed=True, pickable=False),
        Polyline(id="sniper", points=arrow, color="failed", width_px=2.0, arrow=True, pickable=False),
        Label(
            id="sniper words", position=tuple(arrow[0] + (0.6 if flat else 0.0)), text=marked("sniper"), color="failed"
        ),
    ]
    if flat:
        items.append(Polygon(id="building", points=walls, color="neutral", outline="line", pickable=False))
    else:
        size = np.array([field.width, field.width, field.height])
        center = np.array([[0.0, 0.0, field.height / 2]])
        items.append(Boxes(name="building", ids=["building"], centers=center, sizes=size, colors="neutral"))
    return items


def _people(centers: Floats) -> list[Item]:
    if not len(centers):
        return []
    ids = [f"person {i}" for i in range(len(centers))]
    middle = np.column_stack([centers, np.full(len(centers), PERSON_HEIGHT_M / 2)])
    size = np.array([PERSON_M, PERSON_M, PERSON_HEIGHT_M])
    return [Boxes(name="people", ids=ids, centers=middle, sizes=size, colors="series 1")]


def _lifted(points: Floats) -> Floats:
    return np.column_stack([points, np.full(len(points), _LIFT_M)])
