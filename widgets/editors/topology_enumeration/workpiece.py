"""The listed patterns, and the square that is painted to add or change one."""

from __future__ import annotations

from collections.abc import Callable

from spatial_workbench.engine.tasks.labelled_squares.square import CASES, Labels, canonical, read
from spatial_workbench.engine.tasks.topology_enumeration import Configs, board_of, spell
from spatial_workbench.widgets.editing.document import AnswerDocument


class ListedPatterns:
    """The patterns of a document, in reading order.

    say: shows why something was not done. changed: called when the square or what is selected has changed.
    """

    def __init__(
        self,
        document: AnswerDocument[Configs],
        is_judged: bool,
        say: Callable[[str], object],
        changed: Callable[[], None],
    ) -> None:
        self.board = board_of(document.instance)
        self.all = sorted(canonical(read(walk, self.board.order)) for walk in CASES)
        """Every pattern that there is."""
        self.painted: Labels = (0, 0, 0, 0)
        self.editing: int | None = None
        """The entry of the list that the painted square will replace."""
        self.selected: int | None = None
        self.corner = 0
        """The corner (in reading order) that number keys paint: under the pointer, or chosen by keys."""
        self._document = document
        self._is_judged = is_judged
        self._say = say
        self._changed = changed

    @property
    def configs(self) -> tuple[Labels, ...]:
        """The entries of the answer."""
        return self._document.answer.configs

    def listed(self, pattern: Labels) -> int | None:
        """The entry with this pattern, up to renaming of classes; None if it is not listed."""
        return next((k for k, config in enumerate(self.configs) if canonical(config) == canonical(pattern)), None)

    def toggle(self, pattern: Labels) -> None:
        """Lists a pattern, or unlists it."""
        k = self.listed(pattern)
        if k is None:
            self._replace_configs("Add pattern", (*self.configs, pattern))
        else:
            self._replace_configs("Delete pattern", (*self.configs[:k], *self.configs[k + 1 :]))

    def add_painted(self) -> None:
        """Lists the painted pattern, or replaces the entry being edited; patterns already listed are refused."""
        k = self.editing
        pattern = canonical(self.painted)
        twin = self.listed(pattern)
        if twin is not None and twin != k and self._is_judged:
            self._say(f"{spell(pattern)} is already listed, as entry {twin + 1}.")
            return
        if k is None:
            self._replace_configs("Add pattern", (*self.configs, pattern))
        else:
            self.editing = None
            self._replace_configs("Change pattern", (*self.configs[:k], pattern, *self.configs[k + 1 :]))

    def remove(self) -> None:
        """Deletes the selected entry."""
        k = self.selected
        if k is not None and k < len(self.configs):
            self.selected = self.editing = None
            self._replace_configs("Delete pattern", (*self.configs[:k], *self.configs[k + 1 :]))

    def edit_entry(self, k: int) -> None:
        """Begins to edit an entry: puts its pattern on the painted square."""
        self.selected = self.editing = k
        self.painted = self.configs[k]
        self._changed()

    def stop_editing(self) -> None:
        """Stops editing, and leaves the entry as it was."""
        self.editing = self.selected = None
        self._changed()

    def choose_corner(self, corner: int) -> None:
        """Makes a corner the one that number keys paint."""
        self.corner = corner % 4
        self._changed()

    def paint(self, corner: int, label: int) -> None:
        """Paints a corner of the square with a class."""
        labels = list(self.painted)
        labels[corner] = label
        self.painted = tuple(labels)
        self.corner = corner
        self._changed()

    def paint_corner(self, label: int) -> None:
        """Paints the chosen corner with a class."""
        self.paint(self.corner, label)

    def cycle(self, corner: int) -> None:
        """Paints a corner with the next class."""
        self.paint(corner, (self.painted[corner] + 1) % self.board.classes)

    def _replace_configs(self, label: str, configs: tuple[Labels, ...]) -> None:
        self._document.edit(label, Configs(configs=configs))
