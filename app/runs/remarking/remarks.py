"""Notes and labels of one's own on attempts: asked for, stored, and undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QUndoCommand, QUndoStack

from spatial_workbench.app.runs.remarking.remark_dialog import RemarkDialog
from spatial_workbench.engine.store import RemarkKind

if TYPE_CHECKING:
    from pathlib import Path

    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.runs.buttons import RunButtons
    from spatial_workbench.app.runs.detail import RunDetail
    from spatial_workbench.app.runs.filtering.filters import FilterBar
    from spatial_workbench.app.runs.table import RunsTable
    from spatial_workbench.engine.store import Project


class RemarkHistory(QUndoStack):
    """Changes the remarks of a project, a step each; what another project has is never undone in this one."""

    def __init__(self, project: ProjectService, person: Callable[[], str], parent: QObject) -> None:
        super().__init__(parent)
        self._project = project
        self._person = person

    @property
    def person(self) -> str:
        """Whose remarks are added now."""
        return self._person()

    def add(self, attempts: Sequence[int], kind: RemarkKind, text: str) -> None:
        """Adds a note or a label to attempts."""
        person = self.person
        self.push(
            _Change(
                self._project,
                f"Add {kind.value}",
                lambda project: project.remarks.add(attempts, kind, text, person),
                is_there_after=True,
            )
        )

    def remove_label(self, attempts: Sequence[int], text: str) -> None:
        """Takes a label off attempts."""

        def withdraw(project: Project) -> list[int]:
            numbers = project.remarks.standing(attempts, RemarkKind.TAG, text)
            project.remarks.withdraw(numbers)
            return numbers

        self.push(_Change(self._project, "Remove label", withdraw, is_there_after=False))

    def remove(self, number: int) -> None:
        """Takes one remark back."""

        def withdraw(project: Project) -> list[int]:
            project.remarks.withdraw([number])
            return [number]

        self.push(_Change(self._project, "Remove note", withdraw, is_there_after=False))


class _Change(QUndoCommand):
    """Adds or withdraws remarks, whose numbers are known once it has been stored."""

    def __init__(
        self,
        project: ProjectService,
        words: str,
        first: Callable[[Project], list[int]],
        is_there_after: bool,
    ) -> None:
        super().__init__(words)
        self._project = project
        self._path: Path | None = project.path
        self._first = first
        self._is_there_after = is_there_after
        self._numbers: list[int] | None = None

    def redo(self) -> None:
        self._change(self._is_there_after)

    def undo(self) -> None:
        self._change(not self._is_there_after)

    def _change(self, is_there: bool) -> None:
        def store(project: Project) -> None:
            # In the project's thread, where changes come one after the other.
            if self._numbers is None:
                self._numbers = self._first(project)
            elif is_there:
                project.remarks.restore(self._numbers)
            else:
                project.remarks.withdraw(self._numbers)

        self._project.tell(store, announce=True, path=self._path)


class RemarkActions(QObject):
    """Connects what asks for remarks, on the selected attempts or on the one that is shown, with their history."""

    def __init__(
        self, history: RemarkHistory, table: RunsTable, filters: FilterBar, buttons: RunButtons, detail: RunDetail
    ) -> None:
        super().__init__(table)
        self._history = history
        self._table = table
        self._filters = filters
        self._detail = detail
        buttons.label_wanted.connect(lambda: self._ask(RemarkKind.TAG))
        buttons.note_wanted.connect(lambda: self._ask(RemarkKind.NOTE))
        page = detail.remarks
        page.label_added.connect(lambda words: history.add(self._shown, RemarkKind.TAG, words))
        page.note_added.connect(lambda words: history.add(self._shown, RemarkKind.NOTE, words))
        page.label_removed.connect(lambda words: history.remove_label(self._shown, words))
        page.note_removed.connect(history.remove)

    @property
    def _shown(self) -> list[int]:
        """The attempt that is shown."""
        return [] if self._detail.dossier is None else [self._detail.dossier.row.number]

    def _ask(self, kind: RemarkKind) -> None:
        numbers = self._table.selected_numbers()
        if not numbers:
            return
        dialog = RemarkDialog(kind, len(numbers), self._filters.known_labels, self._history.person, self._table)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.added.connect(lambda words: self._history.add(numbers, kind, words))
        dialog.removed.connect(lambda words: self._history.remove_label(numbers, words))
        dialog.open()
