"""Meshes in 3MF files, counted before they are built. Lengths are in the file's unit.

They are not read by trimesh, which builds objects that hold others as often as the file says, and passes on triangles
that name vertices that are not there.
"""

from __future__ import annotations

import io
import zipfile
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree

import numpy as np

from spatial_workbench.engine.core.scene import Floats, Ints
from spatial_workbench.engine.geometry.mesh_limits import (
    MAX_BODIES,
    MAX_PLACEMENTS,
    MAX_POINTS,
    MAX_TRIANGLES,
    MAX_UNPACKED_BYTES,
    MeshError,
)
from spatial_workbench.engine.geometry.nesting import NestedTooDeeply, expanded_size

UNITS_MM = {"micron": 0.001, "millimeter": 1.0, "centimeter": 10.0, "inch": 25.4, "foot": 304.8, "meter": 1000.0}
_MAIN = "3d/3dmodel.model"
_CHUNK_BYTES = 1 << 16
_IDENTITY = "1 0 0 0 1 0 0 0 1 0 0 0"
_LIMITS = {"vertex": MAX_POINTS, "triangle": MAX_TRIANGLES}

Key = tuple[str, str]
"""A model of the archive, and an object's id in it."""
Bodies = list[tuple[str, Floats, Ints]]
"""Name, vertices (n, 3) and triangles (m, 3) of each body."""


@dataclass(frozen=True)
class _Placement:
    """An object in its place. matrix: (4, 3), multiplied from the right."""

    key: Key
    matrix: Floats


@dataclass
class _Object:
    name: str
    coordinates: array[float] = field(default_factory=lambda: array("d"))
    corners: array[int] = field(default_factory=lambda: array("q"))
    parts: list[_Placement] = field(default_factory=list)


def read_3mf(data: bytes) -> tuple[Bodies, float]:
    """The bodies of a 3MF file, placed as it says, and how many millimetres its unit is.

    Raises:
        MeshError: It is broken or too large, or its objects are nested too deeply.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            package = _Package(archive)
            return list(package.bodies()), package.unit_mm
    except zipfile.BadZipFile:
        raise MeshError("This is not a 3MF file: it is not a zip archive") from None
    except (ElementTree.ParseError, RuntimeError, NotImplementedError, EOFError, OSError, LookupError, OverflowError):
        # What the readers of zip and XML raise about broken contents.
        raise MeshError("This is not a 3MF file, or it is broken") from None


class _Package:
    """The models of an archive: the main one, and those it refers to."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.unit_mm = 1.0
        self._objects: dict[Key, _Object] = {}
        self._build: list[_Placement] = []
        self._counts = dict.fromkeys(("object", "vertex", "triangle", "component", "item"), 0)
        self._unpacked = 0
        self._model = ""
        self._current = _Object("")
        entries = {entry.filename.strip("/").lower(): entry for entry in archive.infolist()}
        self._main = next((name for name in entries if name.endswith(_MAIN)), _MAIN)
        waiting = [self._main]
        known = {self._main}
        while waiting:
            name = waiting.pop()
            if name not in entries:
                raise MeshError("This is not a 3MF file, or it is broken: a model is missing")
            self._read(name, archive, entries[name])
            named = {part.key[0] for holder in self._objects.values() for part in holder.parts}
            named |= {item.key[0] for item in self._build}
            waiting += sorted(named - known)
            known |= named

    def bodies(self) -> Iterator[tuple[str, Floats, Ints]]:
        """All bodies in their places, in the file's unit."""
        roots = [item.key for item in self._build]
        self._require(roots, lambda entry: 1, MAX_PLACEMENTS, "placed objects")
        self._require(roots, lambda entry: len(entry.corners) // 3, MAX_TRIANGLES, "triangles")
        self._require(roots, lambda entry: len(entry.corners) > 0, MAX_BODIES, "bodies")
        for item in self._build:
            yield from self._placed(item.key, item.matrix)

    def _require(self, roots: list[Key], size: Callable[[_Object], int], limit: int, what: str) -> None:
        try:
            total = expanded_size(
                roots, lambda key: [part.key for part in self._at(key).parts], lambda key: size(self._at(key))
            )
        except NestedTooDeeply:
            raise MeshError("The objects of the 3MF are nested too deeply, or hold themselves") from None
        if total > limit:
            raise MeshError(f"The 3MF holds more than {limit:,} {what}")

    def _at(self, key: Key) -> _Object:
        if key not in self._objects:
            raise MeshError("The 3MF names an object that it does not hold")
        return self._objects[key]

    def _placed(self, key: Key, matrix: Floats) -> Iterator[tuple[str, Floats, Ints]]:
        entry = self._at(key)
        if entry.corners:
            points = np.array(entry.coordinates).reshape(-1, 3)
            yield entry.name, points @ matrix[:3] + matrix[3], np.array(entry.corners, np.int64).reshape(-1, 3)
        for part in entry.parts:
            yield from self._placed(part.key, np.column_stack([part.matrix, [0, 0, 0, 1]]) @ matrix)

    def _read(self, name: str, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
        self._model = name
        parser = ElementTree.XMLParser(target=self)
        with archive.open(entry) as stream:
            while chunk := stream.read(_CHUNK_BYTES):
                self._unpacked += len(chunk)
                if self._unpacked > MAX_UNPACKED_BYTES:
                    raise MeshError(f"The 3MF unpacks to more than {MAX_UNPACKED_BYTES / 1e6:.0f} MB")
                parser.feed(chunk)
        parser.close()

    # Called by the parser --------------------------------------------------------------------------------------------

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        kind = tag.rpartition("}")[2]
        if kind in self._counts:
            self._count(kind)
        handle = _HANDLERS.get(kind)
        if handle is None:
            return
        try:
            handle(self, attributes)
        except (ValueError, OverflowError) as error:
            raise error if isinstance(error, MeshError) else MeshError("A number in the 3MF cannot be read") from None

    def close(self) -> None:
        """The model ends."""

    def _count(self, kind: str) -> None:
        self._counts[kind] += 1
        limit = _LIMITS.get(kind, MAX_PLACEMENTS)
        if self._counts[kind] > limit:
            raise MeshError(f"The 3MF holds more than {limit:,} of the elements “{kind}”")

    def _on_model(self, attributes: Mapping[str, str]) -> None:
        unit = attributes.get("unit", "millimeter")
        if unit not in UNITS_MM:
            raise MeshError(f"The 3MF states lengths in “{unit[:40]}”; 3MF knows {', '.join(UNITS_MM)}")
        if self._model == self._main:
            self.unit_mm = UNITS_MM[unit]
        elif "unit" in attributes and UNITS_MM[unit] != self.unit_mm:
            raise MeshError("The models in the 3MF state different units")

    def _on_object(self, attributes: Mapping[str, str]) -> None:
        name = attributes.get("id", "")
        self._current = self._objects[self._model, name] = _Object(attributes.get("name") or name)

    def _on_vertex(self, attributes: Mapping[str, str]) -> None:
        self._current.coordinates.extend([float(attributes.get(axis, "missing")) for axis in "xyz"])

    def _on_triangle(self, attributes: Mapping[str, str]) -> None:
        self._current.corners.extend([int(attributes.get(corner, "missing")) for corner in ("v1", "v2", "v3")])

    def _on_component(self, attributes: Mapping[str, str]) -> None:
        self._current.parts.append(self._placement(attributes))

    def _on_item(self, attributes: Mapping[str, str]) -> None:
        if self._model == self._main:
            self._build.append(self._placement(attributes))

    def _placement(self, attributes: Mapping[str, str]) -> _Placement:
        # The production extension lets objects stand in other models of the archive.
        path = next((value for name, value in attributes.items() if name.endswith("}path")), None)
        model = self._model if path is None else path.strip("/").lower()
        numbers = [float(word) for word in attributes.get("transform", _IDENTITY).split()]
        if len(numbers) != 12:
            raise ValueError
        return _Placement((model, attributes.get("objectid", "")), np.array(numbers).reshape(4, 3))


_HANDLERS = {
    "model": _Package._on_model,
    "object": _Package._on_object,
    "vertex": _Package._on_vertex,
    "triangle": _Package._on_triangle,
    "component": _Package._on_component,
    "item": _Package._on_item,
}
