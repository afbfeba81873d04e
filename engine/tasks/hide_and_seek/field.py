"""The field: a building, a sniper, and the ground that the building hides.

Frame: metres, z up, the building centred on the origin. The shadow is what a person's head, at the height of a person,
must not leave; since the sniper is above the heads, whoever's head is hidden is hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.scene import Floats

PERSON_M = 0.5
PERSON_HEIGHT_M = 2.0
REACH_LIMIT = 1000.0
"""How far the endless shadow of a building higher than the sniper is drawn, in distances to the building."""


@dataclass(frozen=True)
class CrowdField:
    """An instance as numbers; lengths in metres.

    Attributes:
        people: How many have to hide.
        width: Side of the building's square footprint.
        height: Height of the building.
        sniper: The sniper's eye.
        radius: How far from the origin a person's centre may be.
    """

    people: int
    width: float
    height: float
    sniper: tuple[float, float, float]
    radius: float

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> CrowdField:
        """The field of an instance."""
        x, y, z = parameters["sniper"]
        return cls(parameters["people"], parameters["width"], parameters["height"], (x, y, z), parameters["radius"])

    @property
    def half(self) -> float:
        """Half the building's width."""
        return self.width / 2

    @property
    def building(self) -> Floats:
        """Lowest and highest corner of the building, (2, 3)."""
        return np.array([[-self.half, -self.half, 0.0], [self.half, self.half, self.height]])

    @cached_property
    def shadow(self) -> Floats:
        """The hidden ground at the height of heads: corners of a convex polygon, (n, 2), counter-clockwise."""
        from shapely import MultiPoint, get_coordinates

        h = self.half
        footprint = np.array([[-h, -h], [h, -h], [h, h], [-h, h]])
        eye = np.array(self.sniper[:2])
        above = self.sniper[2] - self.height
        drop = self.sniper[2] - PERSON_HEIGHT_M
        reach = min(drop / above, REACH_LIMIT) if above > 0 else REACH_LIMIT
        hull = MultiPoint(np.vstack([footprint, eye + (footprint - eye) * reach])).convex_hull
        corners = get_coordinates(hull.exterior)[:-1]
        area = np.sum(corners[:, 0] * np.roll(corners[:, 1], -1) - np.roll(corners[:, 0], -1) * corners[:, 1])
        return np.asarray(corners if area > 0 else corners[::-1])

    @cached_property
    def edges(self) -> tuple[Floats, Floats]:
        """The shadow as half-planes: unit inward normals (n, 2) and offsets (n,); inside is normal · p >= offset."""
        along = np.roll(self.shadow, -1, axis=0) - self.shadow
        normals = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.linalg.norm(along, axis=1)[:, None]
        return normals, np.sum(normals * self.shadow, axis=1)

    def hidden(self, points: Floats) -> NDArray[np.bool_]:
        """Whether the line of sight to each point (n, 3) meets the building: the exact test."""
        origin = np.array(self.sniper)
        box = self.building
        way = points - origin
        with np.errstate(divide="ignore", invalid="ignore"):
            near, far = (box[0] - origin) / way, (box[1] - origin) / way
        parallel = way == 0
        outside = parallel & ((origin < box[0]) | (origin > box[1]))
        enter = np.where(parallel, -np.inf, np.minimum(near, far)).max(axis=1)
        leave = np.where(parallel, np.inf, np.maximum(near, far)).min(axis=1)
        return np.asarray((np.maximum(enter, 0) <= np.minimum(leave, 1)) & ~outside.any(axis=1))

    def visible_people(self, centers: Floats) -> NDArray[np.bool_]:
        """Whether any of a person's eight corners can be seen, for people at (n, 2)."""
        corners = person_corners(centers)
        return np.asarray(~self.hidden(corners.reshape(-1, 3)).reshape(-1, 8).all(axis=1))

    def margins(self, centers: Floats) -> Floats:
        """How far each person's body lies inside the shadow, in metres; negative if it sticks out."""
        normals, offsets = self.edges
        reach = PERSON_M / 2 * np.abs(normals).sum(axis=1)
        return np.asarray((centers @ normals.T - offsets - reach).min(axis=1)) if len(centers) else np.zeros(0)

    def touches_building(self, centers: Floats) -> NDArray[np.bool_]:
        """Whether each person overlaps or touches the building."""
        return np.asarray((np.abs(centers) <= self.half + PERSON_M / 2).all(axis=1))

    def places(self, spacing: float = PERSON_M) -> Floats:
        """Safe places on a grid of that spacing, (n, 2): hidden, in reach, clear of the building; nearest first."""
        count = int(self.radius / spacing)
        steps = np.arange(-count, count + 1) * spacing
        grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        fits = np.hypot(*grid.T) <= self.radius
        grid = grid[fits]
        grid = grid[~self.touches_building(grid)]
        grid = grid[self.margins(grid) > -1e-9]
        away = -np.array(self.sniper[:2]) / np.hypot(*self.sniper[:2])
        off_axis = np.abs(grid @ np.array([-away[1], away[0]]))
        return np.asarray(grid[np.lexsort((grid @ away, off_axis.round(6)))])


def person_corners(centers: Floats) -> Floats:
    """The corners of the bodies of people who stand at (n, 2): (n, 8, 3)."""
    half = PERSON_M / 2
    offsets = np.array([[x, y, z] for x in (-half, half) for y in (-half, half) for z in (0.0, PERSON_HEIGHT_M)])
    feet = np.column_stack([centers, np.zeros(len(centers))])
    return np.asarray(feet[:, None, :] + offsets)


def person_boxes(centers: Floats) -> Floats:
    """Lowest and highest corners of the bodies of people who stand at (n, 2): (n, 2, 3)."""
    half = PERSON_M / 2
    low = np.column_stack([centers - half, np.zeros(len(centers))])
    return np.stack([low, low + np.array([PERSON_M, PERSON_M, PERSON_HEIGHT_M])], axis=1)


def overlapping_pairs(centers: Floats) -> list[tuple[int, int]]:
    """Pairs of people whose bodies overlap; touching is fine."""
    if len(centers) < 2:
        return []
    from scipy.spatial import cKDTree

    pairs = cKDTree(centers).query_pairs(PERSON_M - 1e-9, p=np.inf, output_type="ndarray")
    gaps = np.abs(centers[pairs[:, 0]] - centers[pairs[:, 1]])
    return sorted((int(i), int(j)) for i, j in pairs[(gaps < PERSON_M - 1e-9).all(axis=1)])
