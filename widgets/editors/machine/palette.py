"""The palette of blocks: which one is built with, and which were used lately."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from spatial_workbench.engine.machines.building.blocks import ROOT, BlockType, block_types
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.widgets.editing.controls import Action, Buttons, Keys, Section
from spatial_workbench.widgets.editors.machine.block_icons import ICON_PX, block_icon

FIRST = 1
"""The type that is chosen at first, a wooden block."""
_COLUMNS = 5
"""Blocks in a row."""


class BlockPalette:
    """The types of blocks by group, and the nine that digits choose.

    choose: called with the number of the type that the person chooses.
    is_building: whether the tool that builds is active, so that the chosen block's button is down.
    """

    def __init__(self, level: Level, choose: Callable[[int], object], is_building: Callable[[], bool]) -> None:
        self.kind = FIRST
        self._level = level
        self._choose = choose
        self._is_building = is_building
        self._recent = [1, 15, 63, 2, 7, 22, 9, 30, 36]

    def choose_block(self, number: int) -> None:
        """Chooses the type of block to build with."""
        self.kind = number
        if number not in self._recent:
            self._recent = [number, *self._recent[:-1]]

    def sections(self) -> Iterator[Section]:
        """A section of buttons for each group of blocks."""
        groups: dict[str, list[BlockType]] = {}
        for number, kind in block_types().items():
            if number != ROOT:
                groups.setdefault(kind.palette, []).append(kind)
        for group, kinds in groups.items():
            buttons = map(self._button, kinds)
            yield Section(group, Buttons(*buttons, columns=_COLUMNS, has_words=False, icon_px=ICON_PX))

    def keys(self) -> Iterator[Keys]:
        """A digit for each of the recent blocks."""
        for place in range(len(self._recent)):
            choose = partial(self._choose_recent, place)
            yield Keys(Action(f"Recent block {place + 1}", choose, str(place + 1), tip="Build with a recent block"))

    def _choose_recent(self, place: int) -> None:
        self._choose(self._recent[place])

    def _button(self, kind: BlockType) -> Action:
        is_foreign = bool(self._level.types) and kind.number not in self._level.types
        return Action(
            kind.name,
            partial(self._choose, kind.number),
            tip=f"{kind.name}\n" + _tip_of(kind) + ("\nNot meant for this level" if is_foreign else ""),
            checked=lambda: self._is_building() and self.kind == kind.number,
            picture=partial(block_icon, kind.number),
        )


def _tip_of(kind: BlockType) -> str:
    lines = [kind.description]
    if not kind.is_linear:
        size = " × ".join(f"{value:g}" for value in kind.size)
        faces = f"{len(kind.faces)} faces" if len(kind.faces) != 1 else "1 face"
        lines.append(f"{size} m, {kind.mass:g} kg, {faces if kind.faces else 'no faces'}")
    if kind.break_force is not None:
        lines.append(f"Breaks above {kind.break_force:g} N or {kind.break_torque:g} N m")
    return "\n".join(lines)
