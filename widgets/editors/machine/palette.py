"""The palette of blocks: which one is built with, which were used lately, and which are searched for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.machines.building.blocks import ROOT, BlockType, block_types
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.widgets.editing.controls import Action, Buttons, CustomPart, Keys, Section
from spatial_workbench.widgets.editors.machine.block_icons import ICON_PX, block_icon
from spatial_workbench.widgets.search_field import SearchField

FIRST = 1
"""The type that is chosen at first, a wooden block."""
_COLUMNS = 2
"""Blocks in a row."""
FOREIGN = "This level is not meant to be built with this block; it can be used all the same."


class BlockSearch(SearchField):
    """A field that finds blocks by words.

    Signals:
        entered(): the person wants the first block that was found.
        left(): the person wants to go on in the view.
    """

    entered = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Find a block"))
        self.returnPressed.connect(self.entered)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.left.emit()
        else:
            super().keyPressEvent(event)


class BlockPalette:
    """The types of blocks by group, the nine that digits choose, and a search.

    choose: called with the number of the type that the person chooses.
    is_building: whether the tool that builds is active, so that the chosen block's button is down.
    searched: called when other blocks are found.
    leave: called when the person leaves the search for the view.
    """

    def __init__(
        self,
        level: Level,
        choose: Callable[[int], object],
        is_building: Callable[[], bool],
        searched: Callable[[], object],
        leave: Callable[[], object],
    ) -> None:
        self.kind = FIRST
        self.search: BlockSearch | None = None
        """Where blocks are searched for; None until the panel was made."""
        self._level = level
        self._choose = choose
        self._is_building = is_building
        self._searched = searched
        self._leave = leave
        self._recent = [1, 15, 63, 2, 7, 22, 9, 30, 36]

    def choose_block(self, number: int) -> None:
        """Chooses the type of block to build with."""
        self.kind = number
        if number not in self._recent:
            self._recent = [number, *self._recent[:-1]]

    def is_foreign(self, number: int) -> bool:
        """Whether the level is not meant to be built with a type of block."""
        return bool(self._level.types) and number not in self._level.types

    def found(self) -> list[int]:
        """The types that the search finds: the one of that name, others by names, then by what is said of them."""
        words = self._words()

        def rank(kind: BlockType) -> int:
            names = (kind.name.casefold().split(), said(kind.name).casefold().split())
            return 0 if words in names else 1 if _is_in(words, _names_of(kind)) else 2

        kinds = [kind for kind in block_types().values() if kind.number != ROOT and _matches(kind, words)]
        return [kind.number for kind in sorted(kinds, key=rank)]

    def sections(self) -> Iterator[Section]:
        """The search, and a section of buttons for each group of blocks."""
        groups: dict[str, list[BlockType]] = {}
        for number, kind in block_types().items():
            if number != ROOT:
                groups.setdefault(kind.palette, []).append(kind)
        tip = "Find blocks by what they are called, or by what they do; Enter takes the first"
        yield Section("Blocks", CustomPart("Find a block", self._make_search, tip, Aid.VIEWING))
        for group, kinds in groups.items():
            buttons = map(self._button, kinds)
            yield Section(group, Buttons(*buttons, columns=_COLUMNS, icon_px=ICON_PX, wraps=True))

    def keys(self) -> Iterator[Keys]:
        """A digit for each of the recent blocks, and a key for the search."""
        for place in range(len(self._recent)):
            choose = partial(self._choose_recent, place)
            yield Keys(Action(f"Recent block {place + 1}", choose, str(place + 1), tip="Build with a recent block"))
        yield Keys(Action("Search the blocks", self._begin_search, "Ctrl+F", tip="Find a block", aid=Aid.VIEWING))

    def _make_search(self) -> BlockSearch:
        self.search = BlockSearch()
        self.search.textChanged.connect(lambda _: self._searched())
        self.search.entered.connect(self._take_first)
        self.search.left.connect(self._leave)
        return self.search

    def _begin_search(self) -> None:
        if self.search is not None:
            self.search.setFocus()
            self.search.selectAll()

    def _take_first(self) -> None:
        """Chooses the first block that was found, and goes on in the view."""
        found = self.found()
        if found and self.search is not None:
            self._choose(found[0])
            self.search.clear()
            self._leave()

    def _words(self) -> list[str]:
        return [] if self.search is None else self.search.text().casefold().split()

    def _choose_recent(self, place: int) -> None:
        self._choose(self._recent[place])

    def _button(self, kind: BlockType) -> Action:
        is_foreign = self.is_foreign(kind.number)
        return Action(
            kind.name,
            partial(self._choose, kind.number),
            tip=f"{kind.name}\n" + _tip_of(kind) + ("\nNot meant for this level" if is_foreign else ""),
            checked=lambda: self._is_building() and self.kind == kind.number,
            shown=lambda: _matches(kind, self._words()),
            picture=partial(block_icon, kind.number, is_foreign),
            is_muted=is_foreign,
        )


def _matches(kind: BlockType, words: list[str]) -> bool:
    return _is_in(words, f"{_names_of(kind)} {kind.description} {said(kind.description)}")


def _names_of(kind: BlockType) -> str:
    return f"{kind.name} {said(kind.name)} {kind.palette} {said(kind.palette)}"


def _is_in(words: list[str], text: str) -> bool:
    return all(word in text.casefold() for word in words)


def _tip_of(kind: BlockType) -> str:
    lines = [kind.description]
    if not kind.is_linear:
        size = " × ".join(f"{value:g}" for value in kind.size)
        faces = f"{len(kind.faces)} faces" if len(kind.faces) != 1 else "1 face"
        lines.append(f"{size} m, {kind.mass:g} kg, {faces if kind.faces else 'no faces'}")
    if kind.break_force is not None:
        lines.append(f"Breaks above {kind.break_force:g} N or {kind.break_torque:g} N m")
    return "\n".join(lines)
