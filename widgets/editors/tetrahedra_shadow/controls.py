"""The readings of the editor's gauges, and the orientations that it offers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.words import counted, score_words
from spatial_workbench.engine.tasks.tetrahedra_shadow.editing import TIDY
from spatial_workbench.engine.tasks.tetrahedra_shadow.live import TetrahedraReading as Figures
from spatial_workbench.widgets.editing.controls import (
    Action,
    Buttons,
    Note,
    Number,
    Numbers,
    Reading,
    Section,
    Setting,
    Switch,
    TypedNumbers,
    attribute,
    typed_fields,
)
from spatial_workbench.widgets.editing.things import delete_button, duplicate_button
from spatial_workbench.widgets.editors.tetrahedra_shadow.commands import TetrahedraCommands
from spatial_workbench.widgets.editors.tetrahedra_shadow.gestures import FREE, X, Y, Z
from spatial_workbench.widgets.editors.tetrahedra_shadow.hand import TetrahedraHand
from spatial_workbench.widgets.editors.tetrahedra_shadow.marks import TetrahedraMarks
from spatial_workbench.widgets.editors.tetrahedra_shadow.pieces import Axis, Pieces

ORIENTATIONS = (
    ("Triangle up", "triangle", 0.0, "T", "tetra_up", "Lies on a face; the shadow is a triangle of side 1"),
    ("Triangle down", "triangle", 180.0, "Shift+T", "tetra_down", "Lies on a face, turned by 180°"),
    ("Square", "square", 0.0, "Q", "tetra_square", "Two edges level; the shadow is a square of side 0.707"),
    ("Wedge", "wedge", 0.0, "W", "tetra_wedge", "An edge upright; the shadow is a triangle, 1 wide and 0.707 high"),
)
"""Text, preset, turn about z, key, icon, and tip of each."""


def score_reading(figures: Figures, count: int, divisor: float) -> Reading:
    """The score of a number of pieces."""
    words = f"raw {figures.raw:.4f}, divided by {divisor:g}"
    return Reading(f"score {score_words(figures.score, 3)}", words, figures.score >= 1 - 1e-9 if count else None)


def coverage_reading(figures: Figures) -> Reading:
    """How much of the target is covered."""
    return Reading(f"{100 * figures.coverage:.1f} % covered", f"{100 * (1 - figures.coverage):.1f} % uncovered")


def mismatch_reading(figures: Figures) -> Reading:
    """How much lies outside the target."""
    return Reading(f"{100 * figures.mismatch:.1f} % mismatch", "half of it is subtracted")


def count_reading(figures: Figures, count: int, is_judged: bool) -> Reading:
    """How many pieces there are and, if they may be judged, what is wrong with them."""
    figure = counted(count, "tetrahedron", "tetrahedra")
    if not is_judged:
        return Reading(figure)
    if figures.unnormalised:
        return Reading(figure, f"{figures.unnormalised} not normalised: coverage × ¼", False)
    if figures.overlaps:
        pairs = counted(figures.overlaps, "pair intersects", "pairs intersect")
        return Reading(figure, f"{pairs}: coverage × ½", False)
    return Reading(figure, "none intersect", True if count else None)


FARTHEST = 5000.0


def orientation_section(pieces: Pieces, hand: TetrahedraHand, glass: Setting[bool]) -> Section:
    """How the next pieces are oriented, and where they go."""
    level = "Place each piece on the lowest level where it meets no other"
    snap = "Corners of shadows snap to corners and edges of the target and of other shadows, or to 0.05"
    halved = "Intersections halve the coverage that counts"
    like = "Use the orientation of the selected tetrahedron, or the last free one"
    presets = [
        Action(
            text,
            partial(hand.choose_orientation, text, preset, turn),
            key,
            icon,
            tip,
            checked=hand.has_orientation(text),
        )
        for text, preset, turn, key, icon, tip in ORIENTATIONS
    ]
    free = Action(FREE, hand.orient_like_selected, "C", "tetra_free", like, checked=hand.has_orientation(FREE))
    return Section(
        "Orientation",
        Buttons(*presets, free, columns=2, exclusive=True),
        Switch("Stack automatically", lambda: pieces.stacks, hand.set_stacking, level),
        Switch("Snap", *attribute(pieces, "snaps"), snap),
        Switch("Allow intersections", *attribute(pieces, "overlaps"), halved, Aid.JUDGING),
        Switch("See-through pieces", glass.get, glass.put, "See the ground below the pieces", Aid.VIEWING),
    )


def typed_section(pieces: Pieces, commands: TetrahedraCommands, hand: TetrahedraHand) -> Section:
    """Placing, moving and turning pieces by typed numbers; the fields tell nothing about the pieces."""
    place = TypedNumbers((0.0, 0.0, 0.0))
    angle = TypedNumbers((30.0,))
    position = "A position as in the answer: of the corner that lies at the origin before any turn"
    added = "Add a tetrahedron in the chosen orientation at this position; Stack automatically chooses its z"
    there = "Move the selection until its first tetrahedron is at this position; Stack automatically chooses its z"
    turns = marked("Turn the next tetrahedron or, while selecting, the selection by this angle about {axis}")
    degrees = "By how many degrees the buttons below turn"

    def turn(axis: Axis) -> None:
        hand.turn(axis, angle.values[0])

    buttons = [
        Action(f"About {name}", partial(turn, axis), tip=turns.format(axis=name))
        for name, axis in zip("xyz", (X, Y, Z), strict=True)
    ]
    return Section(
        "By numbers",
        typed_fields("Place by numbers", "xyz", place, FARTHEST, position, 0.05, TIDY),
        Buttons(
            Action("Place there", lambda: hand.place_at(place.values), "", "place", added),
            Action(
                "Move there",
                lambda: commands.move_to(place.values),
                "",
                "move",
                there,
                enabled=pieces.selection.has_any,
            ),
            columns=2,
        ),
        typed_fields("Turn by numbers", ["Angle in degrees"], angle, 360.0, degrees, 5.0, TIDY),
        Buttons(*buttons, columns=3),
    )


def edit_section(pieces: Pieces, commands: TetrahedraCommands) -> Section:
    """Copying, mirroring, restacking and deleting pieces."""
    chosen = pieces.selection.has_any
    mirror = marked("Add the mirror image of the selection across the {axis} axis")
    x, y = partial(commands.mirror, 0), partial(commands.mirror, 1)
    copy = "Copy the selection beside it"
    gone = "Delete the selection"
    all_of_them = "Move all pieces to the lowest levels where none meet"
    return Section(
        "Edit",
        Buttons(
            duplicate_button(commands.duplicate, copy, enabled=chosen),
            delete_button(commands.delete, gone, chosen),
            Action("Mirror x", x, "M", "mirror", mirror.format(axis="y"), enabled=chosen),
            Action("Mirror y", y, "Shift+M", "mirror_y", mirror.format(axis="x"), enabled=chosen),
            Action("Restack", commands.restack, "L", "layers", all_of_them),
            columns=2,
        ),
    )


def array_section(pieces: Pieces, commands: TetrahedraCommands, changed: Callable[[], object]) -> Section:
    """Repeating pieces in a row or a ring."""
    chosen = pieces.selection.has_any
    copies, x, y = (Setting(value, changed) for value in (3.0, 0.7, 0.0))
    row = "Repeat the selection in a row"
    ring = "Repeat the selection around the origin"

    def repeat_in_row() -> None:
        commands.repeat_in_row(round(copies.value), (x.value, y.value))

    def repeat_in_ring() -> None:
        commands.repeat_in_ring(round(copies.value))

    return Section(
        "Array",
        Number("Pieces", copies.get, copies.put, (2, 100), "How many pieces the row or the ring has"),
        Number("Step x", x.get, x.put, (-20, 20), "The step along the row, in x", 0.05, 4),
        Number("Step y", y.get, y.put, (-20, 20), "The step along the row, in y", 0.05, 4),
        Buttons(
            Action("Row", repeat_in_row, "A", "array", row, enabled=chosen),
            Action("Ring", repeat_in_ring, "Shift+A", "ring", ring, enabled=chosen),
            columns=2,
        ),
    )


def number_section(marks: TetrahedraMarks, commands: TetrahedraCommands) -> Section:
    """The numbers of the selected piece."""
    unit = "Give quaternions the length 1, as the task demands"
    numbers = partial(Numbers, aid=Aid.MEASURING)
    quaternion = ("q0", "q1", "q2", "q3")
    typed = commands.type_number
    return Section(
        "Selection",
        Note("Selection", marks.words_of_selection),
        numbers("Position", "xyz", lambda: marks.numbers(0, 3), typed, (-FARTHEST, FARTHEST), "", 0.05, 4),
        numbers(
            "Quaternion",
            quaternion,
            lambda: marks.numbers(3, 7),
            lambda i, value: typed(3 + i, value),
            (-10, 10),
            "",
            0.05,
            7,
        ),
        Buttons(Action("Normalise", commands.normalise, "N", "", unit)),
    )
