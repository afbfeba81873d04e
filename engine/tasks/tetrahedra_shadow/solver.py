"""Covers a target with stacked tetrahedra of simple shadows: first along its edges, then where the gain is largest.

Candidates of the first stage are presets with a side along an edge of the target and wholly in it (within what is
forgiven); corners of 60 degrees and more, and straight edges, are filled exactly by them. Of the second stage they are
turned by multiples of a few degrees, on a lattice; the gain of each place is a correlation with the preset's shadow.
Both are greedy. A last stage removes redundant pieces.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.tetrahedra_shadow.presets import outline_of, presets
from spatial_workbench.engine.tasks.tetrahedra_shadow.shadow import grown, polygons_in, union_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.target import TetrahedraTarget

Row = tuple[str, float, float, float]
"""A piece: its preset, x, y, and its turn in degrees."""

PITCH = 0.04
"""The pitch of the second stage's lattice, and of the cells in which areas are counted."""
CURVED = 24
"""A ring with more corners is treated as a curve, which pieces with straight sides cannot fill exactly."""
LONG_EDGE, SHORT_EDGE = 0.1, 0.02
"""The shortest edges along which pieces are laid, at first and in the end."""
LEAST_GAIN = 5e-4
"""Pieces that add less than this share of the target's area are not placed."""
SLIVER = 1e-9
"""Gaps smaller than this share of the target's area are ignored."""
MAX_PIECES = 200
DECIMALS = 6
ROUNDING = 1e-7


def cover(target: TetrahedraTarget, progress: Progress = silent) -> tuple[Row, ...]:
    """Pieces that cover a target with little excess. Deterministic; takes some seconds."""
    search = _Search(target)
    search.lay_along_edges(LEAST_GAIN * target.area, LONG_EDGE, progress)
    search.fill_gaps(progress)
    if max(map(len, target.rings)) <= CURVED:
        search.lay_along_edges(SLIVER * target.area, SHORT_EDGE, progress)
    else:
        search.lay_along_edges(LEAST_GAIN * target.area, LONG_EDGE, progress)
    return search.needed()


@dataclass
class _Search:
    target: TetrahedraTarget
    rows: list[Row] = field(default_factory=list)
    shapes: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.left = self.target.shape

    @cached_property
    def _room(self) -> Any:
        """The target, with a little around it for rounding."""
        from shapely import prepare

        room = self.target.shape.buffer(ROUNDING)
        prepare(room)
        return room

    # Along edges -------------------------------------------------------------------------------------------------

    def lay_along_edges(self, least: float, shortest: float, progress: Progress) -> None:
        """Lays pieces along the edges of what is still uncovered, until none gains more than `least` (an area)."""
        laid = True
        while laid and self.left.area > least and len(self.rows) < MAX_PIECES:
            progress(1 - self.left.area / self.target.area, 1, "laying pieces along edges")
            laid = self._lay_best(least, shortest)

    def _lay_best(self, least: float, shortest: float) -> bool:
        """Lays candidates in the order of their exact gains; returns whether there was any."""
        import shapely

        rows = list(dict.fromkeys(self._candidates(shortest)))
        shapes = np.array([_shape_of(row) for row in rows], dtype=object)
        inside = shapely.covers(self._room, shapes)
        heap = [(-shape.area, k) for k, shape in enumerate(shapes) if inside[k]]
        heapq.heapify(heap)
        count = len(self.rows)
        while heap and len(self.rows) < MAX_PIECES:
            _, k = heapq.heappop(heap)
            gain = self.left.intersection(shapes[k]).area
            if heap and gain < -heap[0][0] - 1e-12:
                heapq.heappush(heap, (-gain, k))
            elif gain > least:
                self._place_row(rows[k], shapes[k])
            else:
                break
        return len(self.rows) > count

    def _candidates(self, shortest: float) -> Iterator[Row]:
        for part in getattr(self.left, "geoms", [self.left]):
            if part.area > SLIVER * self.target.area:
                for k, ring in enumerate((part.exterior, *part.interiors)):
                    corners = _counter_clockwise(np.asarray(ring.coords)[:-1], inner=k > 0)
                    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
                        yield from _beside(start, end, shortest)

    # Everywhere --------------------------------------------------------------------------------------------------

    def fill_gaps(self, progress: Progress) -> None:
        """Places pieces on a lattice where they gain most, until none gains enough."""
        raster = _Raster(self.target)
        raster.shade(union_of(self.shapes) if self.shapes else None)
        while len(self.rows) < MAX_PIECES:
            gain, row = raster.best()
            if gain < LEAST_GAIN * self.target.area:
                return
            self._place_row(row, _shape_of(row))
            raster.shade(self.shapes[-1])
            progress(raster.share, 1, "filling what is left")

    def _place_row(self, row: Row, shape: Any) -> None:
        self.rows.append(row)
        self.shapes.append(shape)
        self.left = polygons_in(self.left.difference(shape))

    # What is needed ----------------------------------------------------------------------------------------------

    def needed(self) -> tuple[Row, ...]:
        """The pieces without those whose shadow in the target is covered by the others; later ones stay."""
        import shapely

        needed = list(range(len(self.rows)))
        shapes = np.array(self.shapes, dtype=object)
        meeting = shapely.intersects(shapes[:, None], shapes)
        for k in range(len(self.rows)):
            others = shapely.union_all([self.shapes[i] for i in needed if i != k and meeting[k, i]])
            if self.shapes[k].intersection(self.target.shape).difference(others).area < 1e-6:
                needed.remove(k)
        return tuple(self.rows[k] for k in needed)


class _Raster:
    """The target in cells, and the gain of each place of each preset."""

    def __init__(self, target: TetrahedraTarget) -> None:
        import shapely

        x0, y0, x1, y1 = target.bounds
        self.low = np.array([x0, y0]) - 1.2
        shape = np.ceil((np.array([x1, y1]) + 1.2 - self.low) / PITCH).astype(int)
        self.shape = tuple(int(2 ** np.ceil(np.log2(n))) if n > 200 else int(n) for n in shape)
        self.x, self.y = (self.low[i] + PITCH * (np.arange(self.shape[i]) + 0.5) for i in (0, 1))
        grid = np.meshgrid(self.x, self.y, indexing="ij")
        self.inside = shapely.contains_xy(target.shape, *grid)
        near = shapely.contains_xy(grown(target.shape), *grid)
        self.weights = np.where(self.inside, 1.5, np.where(near, 0.0, -0.5))
        self.grid = grid
        self.kernels = list(self._kernels())

    @property
    def share(self) -> float:
        """How much of the target is covered."""
        return 1 - float((self.weights > 1).sum()) / max(1, int(self.inside.sum()))

    def shade(self, shadow: Any) -> None:
        """Sets the gain of the cells in a shadow to nothing."""
        import shapely

        if shadow is not None:
            shapely.prepare(shadow)
            self.weights[shapely.contains_xy(shadow, *self.grid)] = 0.0

    def best(self) -> tuple[float, Row]:
        """The greatest gain, as an area, and the piece that has it."""
        from scipy import fft

        transformed = fft.rfft2(self.weights)
        best: tuple[float, Row] = (0.0, ("triangle", 0.0, 0.0, 0.0))
        for preset, turn, origin, kernel in self.kernels:
            gains = fft.irfft2(transformed * kernel, s=self.shape)
            k = int(gains.argmax())
            gain = float(gains.flat[k]) * PITCH**2
            if gain > best[0] + 1e-9:
                place = self.low + PITCH * np.array(np.unravel_index(k, self.shape)) - origin
                best = gain, (preset, round(float(place[0]), DECIMALS), round(float(place[1]), DECIMALS), turn)
        return best

    def _kernels(self) -> Iterator[tuple[str, float, Floats, NDArray[np.complex128]]]:
        """Preset, turn, the place of its origin in its cells, and the conjugate transform of its shadow."""
        import shapely
        from scipy import fft

        for name, step in (("triangle", 5), ("square", 5), ("wedge", 12)):
            for turn in np.arange(0, presets()[name].turn_deg, step):
                outline = outline_of(name, float(turn))
                origin = outline.min(axis=0)
                size = np.ceil((outline.max(axis=0) - origin) / PITCH).astype(int)
                cells = [origin[i] + PITCH * (np.arange(size[i]) + 0.5) for i in (0, 1)]
                mask = shapely.contains_xy(shapely.Polygon(outline), *np.meshgrid(*cells, indexing="ij"))
                padded = np.zeros(self.shape)
                padded[: size[0], : size[1]] = mask
                yield name, float(turn), origin, np.conj(fft.rfft2(padded))


def _beside(start: Floats, end: Floats, shortest: float) -> Iterator[Row]:
    """Presets with a side along an edge, at its left."""
    way = end - start
    length = float(np.hypot(*way))
    if length < shortest:
        return
    for preset in presets():
        outline = outline_of(preset)
        sides = np.roll(outline, -1, axis=0) - outline
        for k in range(len(outline) if preset == "wedge" else 1):
            turn = float(np.degrees(np.arctan2(way[1], way[0]) - np.arctan2(sides[k, 1], sides[k, 0])))
            first = turned_outline(outline, turn)[k]
            for place in _slides(length, float(np.hypot(*sides[k]))):
                x, y = start + place * way / length - first
                yield preset, round(float(x), 11), round(float(y), 11), round(turn, 11)


def turned_outline(outline: Floats, turn_deg: float) -> Floats:
    """An outline (n, 2) turned about the origin, with its corners in the same order."""
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    turned: Floats = outline @ np.array([[c, s], [-s, c]])
    return turned


def _shape_of(row: Row) -> Any:
    from shapely import Polygon

    preset, x, y, turn = row
    return Polygon(turned_outline(outline_of(preset), turn) + np.array([x, y]))


def _slides(length: float, span: float) -> list[float]:
    """Where a side may begin along an edge: flush with either end, evenly between, and at multiples of a step."""
    if length < span:
        return [0.0, (length - span) / 2, length - span]
    return list(np.linspace(0.0, length - span, int(np.ceil(length / span - ROUNDING))))


def _counter_clockwise(corners: Floats, inner: bool) -> Floats:
    """The corners so that the target is at the left of every edge."""
    x, y = corners.T
    is_left = float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) > 0
    return corners if is_left != inner else corners[::-1]
