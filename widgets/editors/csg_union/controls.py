"""Fields of the panel: the solid to add, and by how much the selection moves or turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from spatial_workbench.engine.core.scene import Item
from spatial_workbench.engine.tasks.csg_union.solids import Solid
from spatial_workbench.widgets.editing.controls import Choice, Control, Numbers, Setting
from spatial_workbench.widgets.editors.csg_union.drawing import ghost_of

WORDS = {
    "box": "Box",
    "prism": "Prism",
    "cone": "Cone",
    "wedge": "Wedge",
    "tetrahedron": "Tetrahedron",
    "sphere24": "Sphere of 24",
}
LENGTHS = ("x", "y", "z")
POLYGON = ("Corners", "Radius", "Height")
BALL = ("Radius",)
SIZE_NAMES = {LENGTHS: "Lengths", POLYGON: "Corners, radius, height", BALL: "Radius"}
"""The text of the fields for each set of sizes."""
SIZES: dict[str, tuple[tuple[str, ...], tuple[float, ...]]] = {
    "box": (LENGTHS, (10, 10, 10)),
    "prism": (POLYGON, (6, 5, 10)),
    "cone": (POLYGON, (24, 5, 10)),
    "wedge": (LENGTHS, (10, 10, 10)),
    "tetrahedron": (LENGTHS, (10, 10, 10)),
    "sphere24": (BALL, (5,)),
}
KINDS = tuple(WORDS)
FARTHEST_CM = 1000.0
CORNERS = (3, 96)
FIELD_PX = 44
"""Three fields of this width stand side by side."""


class Triple:
    """Three numbers side by side in the panel."""

    def __init__(self, changed: Callable[[], object]) -> None:
        self.values = [0.0, 0.0, 0.0]
        self._changed = changed

    @property
    def triple(self) -> tuple[float, float, float]:
        """The numbers."""
        x, y, z = self.values
        return x, y, z

    def put(self, place: int, value: float) -> None:
        """Sets one of the numbers."""
        self.values[place] = value
        self._changed()

    def control(self, text: str, tip: str, reach: float = FARTHEST_CM, step: float = 1.0) -> Numbers:
        """The fields for x, y and z."""
        labels = [f"{text} {axis}" for axis in "xyz"]
        bounds = (-reach, reach)
        return Numbers(text, labels, lambda: self.values, self.put, bounds, tip, step, 4, "", 3, FIELD_PX, above=True)


class SolidForm:
    """Kind, sizes, place and turn of a solid.

    preview: called with the items of the solid's ghost whenever a field changes.
    """

    def __init__(self, preview: Callable[[Iterable[Item]], object]) -> None:
        self._preview = preview
        self._kind = Setting(0, self._kind_changed)
        self._sizes = list(SIZES["box"][1])
        self._place = Triple(self._changed)
        self._turns = Triple(self._changed)

    @property
    def kind(self) -> str:
        """The kind of solid."""
        return KINDS[self._kind.value]

    @property
    def solid(self) -> Solid:
        """The solid in the fields."""
        at = self._place.triple
        turn = self._turns.triple
        if self.kind == "tetrahedron":
            x, y, z = self._sizes
            return Solid(self.kind, (), at, turn, ((0, 0, 0), (x, 0, 0), (0, y, 0), (0, 0, z)))
        return Solid(self.kind, tuple(self._sizes), at, turn)

    def controls(self) -> Iterable[Control]:
        """Its fields; of the sizes, only those of the chosen kind are shown."""
        tip = "Polygons have their first corner on +X; sizes are in cm"
        yield Choice("Kind", tuple(WORDS.values()), self._kind.get, self._kind.put, tip)
        for labels in SIZE_NAMES:
            yield self._size_fields(labels)
        yield self._place.control("At", "Move along each axis (cm)")
        yield self._turns.control("Turn", "Degrees about each axis", 360.0, 15.0)

    def _size_fields(self, labels: tuple[str, ...]) -> Numbers:
        lengths = (0.001, FARTHEST_CM)
        return Numbers(
            SIZE_NAMES[labels],
            labels,
            partial(self._sizes_of, labels),
            self._put_size,
            lengths,
            decimals=4,
            columns=3,
            field_px=FIELD_PX,
            above=True,
            shown=lambda: SIZES[self.kind][0] == labels,
            bounds_each=[CORNERS if label == "Corners" else lengths for label in labels],
        )

    def _sizes_of(self, labels: tuple[str, ...]) -> list[float] | None:
        return self._sizes if SIZES[self.kind][0] == labels else None

    def _put_size(self, place: int, value: float) -> None:
        self._sizes[place] = round(value) if SIZES[self.kind][0][place] == "Corners" else value
        self._changed()

    def _kind_changed(self) -> None:
        self._sizes = list(SIZES[self.kind][1])
        self._changed()

    def _changed(self) -> None:
        self._preview(ghost_of(self.solid))
