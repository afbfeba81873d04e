"""Meshes in Wavefront OBJ files: vertices and faces; objects, or groups where there are no objects, are bodies.

They are not read by trimesh, which joins objects and groups into one body, and does not say which line is broken.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Ints
from spatial_workbench.engine.geometry.mesh_limits import MAX_BODIES, MAX_POINTS, MAX_TRIANGLES, MeshError


def read_obj(data: bytes) -> list[tuple[str, Floats, Ints]]:
    """Name, vertices (n, 3) and triangles (m, 3) of each body; faces are cut into fans.

    Raises:
        MeshError: Names the line that cannot be read.
    """
    lines = data.decode("utf-8", "replace").splitlines()
    reader = _Reader("o" if any(line.startswith("o ") for line in lines) else "g")
    for number, line in enumerate(lines, 1):
        try:
            reader.read(line.split())
        except MeshError:
            raise
        except (ValueError, OverflowError):
            raise MeshError(f"Line {number} of the OBJ cannot be read") from None
    points = np.array(reader.coordinates).reshape(-1, 3)
    return [(name, *_used(points, corners)) for name, corners in reader.bodies.items() if corners]


class _Reader:
    """Collects vertices, and triangle corners by body. `divider` is the keyword that starts a body."""

    def __init__(self, divider: str) -> None:
        self._divider = divider
        self._triangle_count = 0
        self._corners = array("q")
        self.coordinates = array("d")
        self.bodies = {"solid": self._corners}

    def read(self, words: list[str]) -> None:
        """Reads one line. Raises ValueError if it is malformed."""
        kind = words[0] if words else ""
        if kind == "v":
            self.coordinates.extend(_point(words))
            _require(len(self.coordinates) // 3, MAX_POINTS, "vertices")
        elif kind == "f":
            self._triangle_count += max(0, len(words) - 3)
            _require(self._triangle_count, MAX_TRIANGLES, "triangles")
            self._corners.extend(_fan(words[1:], len(self.coordinates) // 3))
        elif kind == self._divider:
            self._corners = self.bodies.setdefault(" ".join(words[1:]) or "solid", array("q"))
            _require(len(self.bodies), MAX_BODIES + 1, "bodies")


def _require(count: int, limit: int, what: str) -> None:
    if count > limit:
        raise MeshError(f"The OBJ holds more than {limit:,} {what}")


def _point(words: list[str]) -> list[float]:
    if len(words) < 4:
        raise MeshError("A vertex has not three coordinates")
    return [float(word) for word in words[1:4]]


def _fan(words: list[str], point_count: int) -> Iterator[int]:
    """The triangles of a face. Indices count from 1; negative ones count back from the latest vertex."""
    numbers = [int(word.split("/")[0]) for word in words]
    corners = [number - 1 if number > 0 else point_count + number for number in numbers]
    for k in range(1, len(corners) - 1):
        yield from (corners[0], corners[k], corners[k + 1])


def _used(points: Floats, corners: array[int]) -> tuple[Floats, Ints]:
    """The vertices that a body uses, and its triangles as indices into them."""
    numbers = np.array(corners, np.int64)
    if numbers.min() < 0 or numbers.max() >= len(points):
        raise MeshError("A triangle names a vertex that is not there")
    used, triangles = np.unique(numbers, return_inverse=True)
    return points[used], triangles.reshape(-1, 3)
