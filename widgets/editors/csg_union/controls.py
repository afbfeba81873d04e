"""Parts of the panel: the solid to add, by how much the selection moves or turns, and what is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Floats, Item
from spatial_workbench.engine.geometry.polyhedron.modelling import ModelledBody
from spatial_workbench.engine.tasks.csg_union.editing import ghost_face_at
from spatial_workbench.engine.tasks.csg_union.solid_words import described
from spatial_workbench.engine.tasks.csg_union.solids import Solid
from spatial_workbench.widgets.editing.controls import (
    SHORT_FIELD_PX,
    Action,
    Buttons,
    Choice,
    Control,
    Number,
    Numbers,
    Section,
    Setting,
    Switch,
    TypedNumbers,
    attribute,
    typed_fields,
)
from spatial_workbench.widgets.editors.csg_union.commands import Commands
from spatial_workbench.widgets.editors.csg_union.drawing import Display, ghost_of
from spatial_workbench.widgets.editors.csg_union.snapping import Snapping

WORDS = {
    "box": "Box",
    "prism": "Prism",
    "cone": "Cone",
    "wedge": "Wedge",
    "tetrahedron": "Tetrahedron",
    marked("sphere24"): "Sphere of 24",
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


class SolidForm:
    """Kind, sizes, place and turn of a solid.

    preview: called with the items of the solid's ghost whenever a field changes.
    """

    def __init__(self, preview: Callable[[Iterable[Item]], object]) -> None:
        self._preview = preview
        self._kind = Setting(0, self._kind_changed)
        self._sizes = list(SIZES["box"][1])
        self._place = TypedNumbers((0.0, 0.0, 0.0), self._field_changed)
        self._turns = TypedNumbers((0.0, 0.0, 0.0), self._field_changed)

    @property
    def kind(self) -> str:
        """The kind of solid."""
        return KINDS[self._kind.value]

    @property
    def solid(self) -> Solid:
        """The solid in the fields."""
        at = _triple(self._place)
        turn = _triple(self._turns)
        if self.kind == "tetrahedron":
            x, y, z = self._sizes
            return Solid(self.kind, (), at, turn, ((0, 0, 0), (x, 0, 0), (0, y, 0), (0, 0, z)))
        return Solid(self.kind, tuple(self._sizes), at, turn)

    def section(self, commands: Commands) -> Section:
        """The controls in the panel: the fields, and what is done with solids."""
        combine = commands.combine
        solving = Aid.SOLVING
        unite = "Unite the selected shells, or all"
        first = "Subtract the other shells from the first"
        shared = "Keep what the shells have in common"
        return Section(
            "Solids",
            *self.controls(),
            Buttons(
                Action(
                    "Add solid",
                    lambda: commands.add_primitive(self.solid),
                    "",
                    "place",
                    "Add this solid as a shell of its own",
                )
            ),
            Buttons(
                Action("Unite", partial(combine, "union"), "U", "fill", unite, solving),
                Action("Subtract", partial(combine, "difference"), "D", "negative", first, solving),
                Action("Intersect", partial(combine, "intersection"), "I", "positive", shared, solving),
                columns=2,
            ),
        )

    def controls(self) -> Iterable[Control]:
        """Its fields; of the sizes, only those of the chosen kind are shown."""
        tip = "Polygons have their first corner on +X; sizes are in cm"
        yield Choice("Kind", tuple(WORDS.values()), self._kind.get, self._kind.put, tip)
        for labels in SIZE_NAMES:
            yield self._size_fields(labels)
        yield typed_fields("At", ("At x", "At y", "At z"), self._place, FARTHEST_CM, "Move along each axis (cm)")
        yield typed_fields("Turn", ("Turn x", "Turn y", "Turn z"), self._turns, 360.0, "Degrees about each axis", 15.0)

    def _size_fields(self, labels: tuple[str, ...]) -> Numbers:
        lengths = (0.001, FARTHEST_CM)
        return Numbers(
            SIZE_NAMES[labels],
            labels,
            partial(self._sizes_of, labels),
            self._set_size,
            lengths,
            decimals=4,
            columns=3,
            field_px=SHORT_FIELD_PX,
            above=True,
            shown=lambda: SIZES[self.kind][0] == labels,
            bounds_each=[CORNERS if label == "Corners" else lengths for label in labels],
        )

    def _sizes_of(self, labels: tuple[str, ...]) -> list[float] | None:
        return self._sizes if SIZES[self.kind][0] == labels else None

    def _set_size(self, place: int, value: float) -> None:
        self._sizes[place] = round(value) if SIZES[self.kind][0][place] == "Corners" else value
        self._field_changed()

    def _kind_changed(self) -> None:
        self._sizes = list(SIZES[self.kind][1])
        self._field_changed()

    def _field_changed(self) -> None:
        self._preview(ghost_of(self.solid))


class MoveControls:
    """Moves and turns the selection by typed numbers; `changed` is called when one is typed."""

    def __init__(self, commands: Commands, changed: Callable[[], object]) -> None:
        self._commands = commands
        self._step = TypedNumbers((0.0, 0.0, 0.0), changed)
        self._axis = Setting(2, changed)
        self._angle_deg = Setting(90.0, changed)

    def section(self) -> Section:
        """The controls in the panel."""
        axis = self._axis
        angle = self._angle_deg
        commands = self._commands
        middle = "Turn the selection about its middle"
        by = "Move the selection by these centimetres"
        degrees = "Degrees, counter-clockwise about the axis"
        return Section(
            "Move the selection",
            typed_fields("By", ("By x", "By y", "By z"), self._step, FARTHEST_CM, "How far along each axis (cm)"),
            Buttons(Action("Move", lambda: commands.move_selection(self._step.values), "", "move", by)),
            Choice("Axis", "xyz", axis.get, axis.put, "The axis to turn about"),
            Number("Angle", angle.get, angle.put, (-360, 360), degrees, 15, 4, "°"),
            Buttons(Action("Turn", lambda: commands.turn_selection(axis.value, angle.value), "", "rotate", middle)),
        )


class DisplayControls:
    """What the view shows; `changed` is called when that changes."""

    def __init__(self, display: Display, solids: tuple[Solid, ...], changed: Callable[[], object]) -> None:
        self._display = display
        self._solids = solids
        self._changed = changed

    def switches(self, snapping: Snapping) -> Iterable[Switch]:
        """The switches in the panel."""
        difference = "Show what is missing and what is too much, once the polyhedron is watertight"
        for text, name, tip, aid in (
            ("Faces of the solids", "ghost_faces", "Show the solids of the union, translucent", Aid.VIEWING),
            ("See-through polyhedron", "see_through", "Draw the polyhedron translucent", Aid.VIEWING),
            ("Vertex numbers", "numbers", "Show the number of each vertex", Aid.MEASURING),
            ("Difference", "difference", difference, Aid.JUDGING),
        ):
            yield Switch(text, partial(getattr, self._display, name), partial(self.set_look, name), tip, aid)
        crossings = "Snap to the points where edges meet other solids"
        yield Switch("Snap to crossings", *attribute(snapping, "takes_crossings"), crossings, Aid.SOLVING)
        for i, solid in enumerate(self._solids):
            is_shown = partial(self.shows_solid, i)
            yield Switch(f"Solid {i}", is_shown, partial(self.show_solid, i), described(solid), Aid.VIEWING)

    def set_look(self, name: str, on: bool) -> None:
        """Sets an option of the display."""
        setattr(self._display, name, on)
        self._changed()

    def shows_solid(self, number: int) -> bool:
        """Whether a solid of the union is shown."""
        return number not in self._display.hidden_solids

    def show_solid(self, number: int, on: bool) -> None:
        """Shows or hides a solid of the union."""
        (self._display.hidden_solids.discard if on else self._display.hidden_solids.add)(number)
        self._changed()

    def face_at(self, origin: Floats, direction: Floats) -> tuple[int, ModelledBody] | None:
        """The first shown solid that a line of sight meets, and the face that it meets."""
        shown = [i for i in range(len(self._solids)) if self.shows_solid(i)]
        hit = ghost_face_at([self._solids[i] for i in shown], origin, direction)
        if hit is None:
            return None
        vertices, faces = self._solids[shown[hit[0]]].shape
        loop = faces[hit[1]]
        return shown[hit[0]], ModelledBody.of(vertices[list(loop)], [range(len(loop))])


def _triple(numbers: TypedNumbers) -> tuple[float, float, float]:
    x, y, z = numbers.get()
    return x, y, z
