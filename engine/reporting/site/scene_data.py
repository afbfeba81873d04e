"""Scenes as compact JSON for the viewer of the site (`resources/site/viewer.js`).

    {"flat", "yUp", "low", "high", "colors": [[light, dark], …], "items": [item, …], "marks": {element: [[item, k], …]},
     "frames": [{"time", "caption", "items": [[place, item], …]}, …], "unit": of the frames' times,
     "begin": the frame that is shown first, "track": where what the camera follows is in each frame, or nothing}

A frame replaces items of the scene by their places, or adds some; the next one begins with the scene again.

An item has "k", its kind: "boxes" (centres, sizes, angles in degrees about z), "bodies" (meshes that several places
share), "mesh", "field" (heights over a grid), "line", "area", "points" or "label". Coordinates are lists of numbers,
one point after the other, rounded to a ten-thousandth of the scene; "c" is a place among the colours, or one for
each element. `marks` lists only the elements that are asked for.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import ceil, log10
from typing import Any

import numpy as np

from spatial_workbench.engine.core import Scene
from spatial_workbench.engine.core.scene import (
    Boxes,
    Floats,
    Frame,
    HeightField,
    Item,
    Label,
    Mesh,
    Points,
    Polygon,
    Polyline,
    RigidBodies,
    Voxels,
)

Colour = Callable[[str], tuple[str, str]]
"""Gives the colours of a role on light and on dark ground, as "#rrggbb"."""
MOST_BYTES, MOST_PACKED = 6_000_000, 750_000
"""The largest scene as JSON, and as the script that the page loads; larger ones lose frames."""
MOST_FRAMES = 120
_FEWER = (MOST_FRAMES, 40, 12, 0)
_PRECISION = 4


class CannotShow(ValueError):
    """A scene must not be shown by the viewer; the message is a sentence that says why."""


def scene_script(scene: Scene, colour: Colour, elements: Collection[str] = ()) -> bytes:
    """A script that hands a scene to the viewer: its JSON, packed with gzip, as Base64. Empty if that is too large.

    Args:
        elements: The ids of elements that the viewer can point at.

    Raises:
        CannotShow: The scene holds what must not be published.
    """
    for most in _FEWER:
        text = scene_json(scene, colour, elements, most)
        if len(text) > MOST_BYTES:
            continue
        packed = base64.b64encode(gzip.compress(text.encode(), mtime=0))
        if len(packed) <= MOST_PACKED:
            return b'spatialScene("' + packed + b'");\n'
    return b""


def scene_json(scene: Scene, colour: Colour, elements: Collection[str] = (), most_frames: int = MOST_FRAMES) -> str:
    """A scene as JSON, with at most so many frames. Raises CannotShow."""
    data = _SceneWriter(scene, colour, elements).data(most_frames)
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def at_rest(scene: Scene) -> Scene:
    """What is seen of a scene before it is played: what moves away at its start, anything else at its end."""
    if not scene.frames:
        return scene
    return scene.at(0 if scene.tracks else len(scene.frames) - 1)


class _SceneWriter:
    """Writes one scene; collects its colours and the places of elements."""

    def __init__(self, scene: Scene, colour: Colour, elements: Collection[str]) -> None:
        self._scene = scene
        self._colour = colour
        self._elements = set(elements)
        self._colors: dict[str, int] = {}
        self._low, self._high = _extent(scene)
        size = max(float(np.max(self._high - self._low)), 1e-9)
        self._digits = min(9, max(0, _PRECISION - ceil(log10(size))))
        self._meshes: dict[str, list[int]] = {}

    def data(self, most_frames: int) -> dict[str, Any]:
        """The scene as plain data with so many frames."""
        scene = self._scene
        places = some_places(len(scene.frames), most_frames)
        frames = [scene.frames[place] for place in places]
        first = at_rest(scene) if scene.frames and not frames else scene
        items = list(first.items)
        names = {item.name: place for place, item in enumerate(items)}
        for frame in frames:
            for item in frame.items:
                if item.name not in names:
                    names[item.name] = len(names)
        shown = [self._item(item) for item in items]
        return {
            "flat": scene.flat,
            "yUp": scene.y_up,
            "low": self._plain(self._low),
            "high": self._plain(self._high),
            "items": shown,
            "marks": self._marks(items),
            "frames": [self._frame(frame, names, items, shown) for frame in frames],
            "unit": scene.frame_unit,
            "begin": 0 if scene.tracks else max(0, len(frames) - 1),
            "track": self._plain(_followed(scene)[places]) if scene.tracks else [],
            "colors": [self._colour(role) for role in self._colors],
        }

    def _frame(
        self, frame: Frame, names: Mapping[str, int], items: Sequence[Item], shown: Sequence[dict[str, Any]]
    ) -> dict[str, Any]:
        """A frame with the items that differ from those of the scene."""
        changed = []
        for item in frame.items:
            place = names[item.name]
            if place < len(items) and item is items[place]:
                continue
            written = self._item(item)
            if place >= len(shown) or written != shown[place]:
                changed.append([place, written])
        return {"time": round(float(frame.time), 3), "caption": frame.caption, "items": changed}

    def _marks(self, items: Sequence[Item]) -> dict[str, list[list[int]]]:
        found: dict[str, list[list[int]]] = {}
        for place, item in enumerate(items):
            for k, element in enumerate(_ids(item)):
                if element in self._elements:
                    found.setdefault(element, []).append([place, k])
        return found

    def _item(self, item: Item) -> dict[str, Any]:
        writer = _WRITERS.get(type(item))
        if writer is None:
            raise CannotShow("Pages and pictures are not published.")
        return writer(self, item)

    def _boxes(self, item: Boxes) -> dict[str, Any]:
        sizes = np.broadcast_to(np.asarray(item.sizes, float), np.shape(item.centers))
        alike = len(sizes) > 0 and bool((sizes == sizes[0]).all())
        data = {"k": "boxes", "p": self._plain(item.centers), "s": self._plain(sizes[0] if alike else sizes)}
        if item.angles_deg is not None and np.any(item.angles_deg):
            data["a"] = self._plain(item.angles_deg)
        if item.studs is not None:
            data["studs"] = list(item.studs)
        return data | self._look(item.colors, item.opacity)

    def _voxels(self, item: Voxels) -> dict[str, Any]:
        cells = np.asarray(item.cells)
        centers = np.asarray(item.origin, float) + item.pitch * (cells + 0.5) if len(cells) else np.zeros((0, 3))
        data = {"k": "boxes", "p": self._plain(centers), "s": [item.pitch] * 3}
        return data | self._look(item.colors, item.opacity)

    def _bodies(self, item: RigidBodies) -> dict[str, Any]:
        meshes: list[Any] = []
        known: dict[int, int] = {}
        for mesh in item.meshes:
            if id(mesh) not in known:
                known[id(mesh)] = len(meshes)
                meshes.append([self._plain(mesh[0]), _whole(mesh[1])])
        data: dict[str, Any] = {
            "k": "bodies",
            "of": [known[id(mesh)] for mesh in item.meshes],
            "p": self._plain(np.nan_to_num(np.asarray(item.positions, float), nan=1e9)),
            "q": [round(float(value), 4) for value in np.nan_to_num(np.asarray(item.rotations, float)).ravel()],
        }
        # The bodies of a later frame have the same meshes, which are written once.
        if self._meshes.get(item.name) != [id(mesh) for mesh in item.meshes]:
            self._meshes[item.name] = [id(mesh) for mesh in item.meshes]
            data["meshes"] = meshes
        return data | self._look(item.colors, item.opacity)

    def _mesh(self, item: Mesh) -> dict[str, Any]:
        data: dict[str, Any] = {"k": "mesh", "p": self._plain(item.vertices), "f": _whole(item.faces)}
        if item.wireframe:
            data["wire"] = True
        return data | self._look(item.color, item.opacity)

    def _field(self, item: HeightField) -> dict[str, Any]:
        rows, columns = item.heights.shape
        data: dict[str, Any] = {"k": "field", "rows": rows, "columns": columns, "z": self._plain(item.heights)}
        data |= {"pitch": item.pitch, "o": self._plain(np.asarray(item.origin, float)), "steps": item.steps}
        return data | self._look(item.color, item.opacity)

    def _line(self, item: Polyline) -> dict[str, Any]:
        points = np.asarray(item.points, float)
        if item.closed and len(points):
            points = np.vstack([points, points[:1]])
        data: dict[str, Any] = {"k": "line", "p": self._plain(_in_space(points)), "w": item.width_px}
        data |= {name: True for name in ("dashed", "arrow") if getattr(item, name)}
        return data | self._look(item.color, 1.0)

    def _area(self, item: Polygon) -> dict[str, Any]:
        data: dict[str, Any] = {"k": "area", "p": self._plain(_in_space(item.points))}
        if item.outline is not None:
            data["line"] = self._place(item.outline)
        if item.pattern != "solid":
            data["pattern"] = item.pattern
        return data | self._look(item.color, item.opacity)

    def _points(self, item: Points) -> dict[str, Any]:
        data = {"k": "points", "p": self._plain(_in_space(item.positions)), "w": item.size_px}
        return data | self._look(item.colors, 1.0)

    def _label(self, item: Label) -> dict[str, Any]:
        position = _in_space(np.asarray([item.position], float))
        data = {"k": "label", "p": self._plain(position), "text": item.text, "w": item.size_px}
        return data | self._look(item.color, 1.0)

    def _look(self, colors: str | Sequence[str], opacity: float) -> dict[str, Any]:
        if not isinstance(colors, str) and len(set(colors)) == 1:
            colors = colors[0]
        places = self._place(colors) if isinstance(colors, str) else [self._place(role) for role in colors]
        return {"c": places} if opacity >= 1 else {"c": places, "alpha": round(opacity, 3)}

    def _place(self, role: str) -> int:
        return self._colors.setdefault(role, len(self._colors))

    def _plain(self, values: Any) -> list[float]:
        """Numbers in one list; whole ones without a point."""
        rounded = np.round(np.asarray(values, float).ravel(), self._digits).tolist()
        return [int(value) if value == int(value) else value for value in rounded]


_WRITERS: Mapping[type, Callable[[_SceneWriter, Any], dict[str, Any]]] = {
    Boxes: _SceneWriter._boxes,
    Voxels: _SceneWriter._voxels,
    RigidBodies: _SceneWriter._bodies,
    Mesh: _SceneWriter._mesh,
    HeightField: _SceneWriter._field,
    Polyline: _SceneWriter._line,
    Polygon: _SceneWriter._area,
    Points: _SceneWriter._points,
    Label: _SceneWriter._label,
}


def some_places(count: int, most: int) -> list[int]:
    """At most so many of the places of frames, evenly spread, with the last one."""
    if count <= most:
        return list(range(count))
    return np.unique(np.linspace(0, count - 1, most).round().astype(int)).tolist() if most else []


def _followed(scene: Scene) -> Floats:
    """Where what the camera follows is in each frame; where there is nothing to follow, where it was before."""
    places = np.array(scene.tracks[0].places, float)
    is_there = np.isfinite(places).all(axis=1)
    before = np.maximum.accumulate(np.where(is_there, np.arange(len(places)), int(is_there.argmax())))
    followed: Floats = np.nan_to_num(places[before])
    return followed


def _ids(item: Item) -> Iterator[str]:
    if isinstance(item, Boxes | RigidBodies | Points):
        yield from item.ids
    elif isinstance(item, Voxels):
        yield from (item.id_of(cell) for cell in np.asarray(item.cells).tolist())
    else:
        yield item.id


def _extent(scene: Scene) -> tuple[Floats, Floats]:
    """The lowest and the highest corner of a scene, in space."""
    if scene.bounds is not None:
        low, high = (_in_space(np.asarray([corner], float))[0] for corner in scene.bounds)
        return low, high
    items = [*scene.items, *(item for frame in scene.frames[-1:] for item in frame.items)]
    corners = [part for item in items for part in _corners(item) if len(part)]
    if not corners:
        return np.zeros(3), np.ones(3)
    points = np.vstack([_in_space(part) for part in corners])
    points = points[np.isfinite(points).all(axis=1)]
    return points.min(axis=0), points.max(axis=0)


def _corners(item: Item) -> Iterator[Floats]:
    if isinstance(item, Boxes):
        half = np.broadcast_to(np.asarray(item.sizes, float), np.shape(item.centers)) / 2
        yield from (np.asarray(item.centers, float) - half, np.asarray(item.centers, float) + half)
    elif isinstance(item, Voxels):
        cells = np.asarray(item.cells, float).reshape(-1, 3)
        yield from (np.asarray(item.origin) + item.pitch * corner for corner in (cells, cells + 1))
    elif isinstance(item, RigidBodies):
        yield np.asarray(item.positions, float)
    elif isinstance(item, Mesh):
        yield np.asarray(item.vertices, float)
    elif isinstance(item, HeightField):
        rows, columns = item.heights.shape
        far = [item.pitch * columns, item.pitch * rows, float(np.max(item.heights))]
        yield np.asarray(item.origin, float) + np.array([[0.0, 0.0, float(np.min(item.heights))], far])
    elif isinstance(item, Polyline | Polygon):
        yield np.asarray(item.points, float)
    elif isinstance(item, Points):
        yield np.asarray(item.positions, float)


def _in_space(points: Any) -> Floats:
    given: Floats = np.asarray(points, float)
    if given.ndim != 2 or given.shape[1] == 3:
        return np.reshape(given, (-1, 3))
    return np.column_stack([given, np.zeros(len(given))])


def _whole(faces: Any) -> list[int]:
    indices: list[int] = np.asarray(faces, int).ravel().tolist()
    return indices
