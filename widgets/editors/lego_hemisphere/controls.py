"""The controls in the panel, by section."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.widgets.editing.controls import (
    Action,
    Buttons,
    Note,
    Number,
    Numbers,
    Section,
    Setting,
    Switch,
    Verb,
)
from spatial_workbench.widgets.editing.things import delete_button, duplicate_button
from spatial_workbench.widgets.editors.lego_hemisphere.array import BrickArray
from spatial_workbench.widgets.editors.lego_hemisphere.commands import BrickCommands
from spatial_workbench.widgets.editors.lego_hemisphere.gestures import BrickPlaceTool
from spatial_workbench.widgets.editors.lego_hemisphere.hand import BrickHand
from spatial_workbench.widgets.editors.lego_hemisphere.layers import BrickLayers

FARTHEST_MM = 3000.0


def edit_section(commands: BrickCommands, hand: BrickHand) -> Section:
    """Turning, copying, repeating and deleting bricks."""
    has_chosen = commands.piece.selection.has_any
    mirrors = marked("Mirror the selected bricks, or all, to the other side of {axis} = 0")
    quarters = "Repeat the selected bricks, or all, by quarter turns about the middle"
    repeats = "Repeat the selected bricks in rows and layers"
    poor = "less than 25 % inside the shell"
    keeps = f"Remove the bricks that cost points: those {poor}"

    def can_turn() -> bool:
        return hand.is_placing or has_chosen()

    return Section(
        "Edit",
        Buttons(
            Action("Turn", partial(hand.rotate, 90.0), "R", "rotate", "Turn by 90°", enabled=can_turn),
            duplicate_button(commands.copy, "Copy the selected bricks beside them", enabled=has_chosen),
            delete_button(commands.delete, "Delete the selected bricks", has_chosen),
            Action("Array…", hand.open_array, "", "array", repeats, enabled=has_chosen),
            Action("Mirror x", partial(commands.mirror, "x"), "", "mirror", mirrors.format(axis="x")),
            Action("Mirror y", partial(commands.mirror, "y"), "", "mirror_y", mirrors.format(axis="y")),
            Action("Four-fold", commands.four_fold, "", "four_fold", quarters),
            columns=2,
        ),
        Buttons(Action("Keep bricks above 25 %", commands.keep_worthy, "", "solve", keeps, Aid.SOLVING)),
    )


def array_section(array: BrickArray) -> Section:
    """Repeating bricks in rows and layers."""

    def is_open() -> bool:
        return array.is_open

    pitches = (_pitch(array, k, step) for k, step in enumerate((8.0, 8.0, 9.6)))
    places = "Place the bricks that are shown"
    closes = "Close the array without placing anything"
    return Section(
        "Array",
        Numbers(
            "Copies",
            "xyz",
            lambda: array.count,
            array.set_count,
            (1, 50),
            "Number of bricks along x, y and z",
            columns=3,
            field_px=48,
            shown=is_open,
        ),
        *pitches,
        Note("How many have room", lambda: array.note, shown=is_open),
        Buttons(
            Action(
                "Apply", array.place_copies, "", "check", places, enabled=lambda: array.can_be_placed, shown=is_open
            ),
            Action("Cancel", array.close, "", "close", closes, shown=is_open),
            columns=2,
        ),
    )


def _pitch(array: BrickArray, place: int, step: float) -> Number:
    axis = "xyz"[place]
    get = partial(array.pitch, place)
    put = partial(array.set_pitch, place)
    far = (-1000.0, 1000.0)
    tip = f"Distance along {axis}"
    return Number(f"Pitch {axis}", get, put, far, tip, step, 1, "mm", shown=lambda: array.is_open)


def mirror_section(place_tool: BrickPlaceTool) -> Section:
    """Placing bricks on both sides."""
    tip = marked("Place every brick on both sides of {axis} = 0")
    mirrors = place_tool.mirrors
    return Section(
        "Mirror while placing",
        *(
            Switch(
                f"at {name} = 0",
                partial(mirrors.__getitem__, k),
                partial(place_tool.set_mirror, k),
                tip.format(axis=name),
            )
            for k, name in enumerate("xy")
        ),
    )


def layer_section(layers: BrickLayers, commands: BrickCommands, heat: Setting[bool]) -> Section:
    """The active layer."""
    piece = commands.piece
    active = "The active layer; 0 lies on the ground (Page Up, Page Down)"
    fills = "Fill the empty part of the active layer"
    missing = "Colour the part of the active layer that no brick fills yet"
    hides = layers.hides_above
    return Section(
        "Layer",
        Number("Active", lambda: piece.layer, layers.type_number, (0, piece.top_layer), active),
        Buttons(Action("Fill this layer", commands.fill_layer, "", "fill", fills, Aid.SOLVING)),
        Switch("Hide layers above", hides.get, hides.put, "Show only up to this layer", Aid.VIEWING),
        Switch("Show what is missing", heat.get, heat.put, missing, Aid.MEASURING),
    )


class BrickSelectionControls:
    """What is selected, and the numbers of a selected brick or the steps by which several are moved."""

    def __init__(self, commands: BrickCommands, words: Callable[[], str]) -> None:
        self._commands = commands
        self._piece = commands.piece
        self._words = words
        self._steps = [Setting(0.0) for _ in range(3)]

    def section(self) -> Section:
        """The controls in the panel."""
        commands = self._commands
        is_one = self._piece.selection.is_single
        top = self._piece.top_layer
        wide = (-FARTHEST_MM, FARTHEST_MM)
        places: Sequence[tuple[Any, ...]] = (
            ("x", wide, "x of the brick's centre", 8.0, 2, "mm"),
            ("y", wide, "y of the brick's centre", 8.0, 2, "mm"),
            ("Layer", (0, top), "Layer of the brick; 0 lies on the ground", 1.0, 0, ""),
            ("Angle", (-15, 375), "Turn of the brick; at 0 its long side is along x", 15.0, 1, "°"),
        )
        steps: Sequence[tuple[Any, ...]] = (
            ("x by", wide, "How far along x", 8.0, 2, "mm"),
            ("y by", wide, "How far along y", 8.0, 2, "mm"),
            ("Layers", (-top, top), "How many layers up", 1.0, 0, ""),
        )
        return Section(
            "Selection",
            Buttons(
                Action(
                    "All",
                    commands.piece.selection.select_all,
                    "Ctrl+A",
                    "box",
                    "Select all bricks",
                    verb=Verb.SELECT_ALL,
                ),
                Action("Layer", commands.select_layer, "L", "layers", "Select the bricks of the active layer"),
                columns=2,
            ),
            Note("What is selected", self._words, lines=2),
            # Four rows for one brick and four for several, so that what is below stays where it is.
            *(
                Number(
                    text,
                    partial(self._value, k),
                    partial(commands.set_value, k),
                    *rest,
                    enabled=is_one,
                    shown=self._is_one_at_most,
                )
                for k, (text, *rest) in enumerate(places)
            ),
            *(
                Number(text, step.get, step.put, *rest, shown=self._are_several)
                for step, (text, *rest) in zip(self._steps, steps, strict=True)
            ),
            Buttons(
                Action(
                    "Move",
                    self._move_selected,
                    "",
                    "move",
                    "Move the bricks by this much",
                    shown=self._are_several,
                )
            ),
        )

    def _are_several(self) -> bool:
        return len(self._piece.selected) > 1

    def _is_one_at_most(self) -> bool:
        return not self._are_several()

    def _value(self, place: int) -> float:
        """x, y, layer or angle (0 to 3) of the single selected brick."""
        chosen = self._piece.selected
        if len(chosen) != 1:
            return 0.0
        x, y, _, angle = self._piece.poses.poses[chosen[0]].tolist()
        return float((x, y, self._piece.poses.layers[chosen[0]], angle % 360.0)[place])

    def _move_selected(self) -> None:
        x, y, layers = (step.value for step in self._steps)
        self._commands.move_by(x, y, round(layers))
