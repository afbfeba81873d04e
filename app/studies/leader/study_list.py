"""The studies of a project: new ones, documents from files, and drafts that are deleted and restored."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from spatial_workbench.app.studies.leader.chosen_study import ChosenStudy
from spatial_workbench.app.studies.leader.dialogs.drafts import DeleteDraftDialog, NewStudyDialog
from spatial_workbench.app.studies.leader.work import drafting
from spatial_workbench.engine.store.studies.records import DeletedDraft, StudyRow
from spatial_workbench.engine.studies.analysis.outcomes import StudyState
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

STATE_ICONS = {
    StudyState.DRAFT: "pencil",
    StudyState.PILOT: "pencil",
    StudyState.FROZEN: "person",
    StudyState.CLOSED: "lock",
    StudyState.UNSEALED: "chart",
}
LEAST_PX = 200


class StudyList(QWidget):
    """The list, with its buttons.

    Signals:
        chosen(): another study was chosen.
    """

    chosen = Signal()

    def __init__(self, chosen: ChosenStudy) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._chosen = chosen
        self.rows: tuple[StudyRow, ...] = ()
        self._to_choose = ""
        self._draft: DeletedDraft | None = None
        self.list = QListWidget()
        self.list.setAccessibleName("Studies")
        self.list.setMinimumWidth(LEAST_PX)
        self.list.setWordWrap(True)
        self.list.currentRowChanged.connect(lambda _: self.chosen.emit())
        self.new = make_button("New study…", "place", self.ask_new, "A draft with a default for everything")
        self.open = make_button("Open document…", "open", self.ask_document, "A draft from a document in a file")
        self.delete = make_button("Delete draft…", "delete", self.ask_delete, "Deletes the chosen draft")
        self.bring_back = make_button("Bring draft back", "undo", self.restore, "The draft that was deleted last")
        self.bring_back.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * SPACE, 5 * SPACE, 3 * SPACE, 3 * SPACE)
        column.setSpacing(2 * SPACE)
        column.addWidget(self.list, 1)
        for button in (self.bring_back, self.new, self.open, self.delete):
            column.addWidget(button)

    @property
    def study(self) -> str:
        """The id of the study that is chosen in the list; "" if none is."""
        item = self.list.currentItem()
        return "" if item is None else str(item.data(Qt.ItemDataRole.UserRole))

    def choose(self, study: str) -> None:
        """Goes to a study, once it is in the list."""
        self._to_choose = study
        ids = [row.id for row in self.rows]
        if study in ids:
            self.list.setCurrentRow(ids.index(study))
        else:
            self.chosen.emit()

    def forget(self) -> None:
        """Another project is in use."""
        self._to_choose = ""
        self._draft = None
        self.bring_back.hide()

    def show_rows(self, rows: tuple[StudyRow, ...]) -> None:
        """Shows the studies; the chosen one stays chosen."""
        wanted = self._to_choose or self.study
        self.rows = rows
        self.list.blockSignals(True)
        if [row.id for row in rows] != self._ids():
            self.list.clear()
            for row in rows:
                item = QListWidgetItem()
                item.setData(Qt.ItemDataRole.UserRole, row.id)
                self.list.addItem(item)
        for place, row in enumerate(rows):
            _fill(self.list.item(place), row)
        ids = [row.id for row in rows]
        self.list.setCurrentRow(ids.index(wanted) if wanted in ids else 0 if ids else -1)
        if self._to_choose in ids:
            self._to_choose = ""
        self.list.blockSignals(False)
        self.delete.setEnabled(any(row.id == self.study and row.state is StudyState.DRAFT for row in rows))

    def ask_new(self) -> None:
        """Asks for a new study."""
        dialog = NewStudyDialog(self)
        dialog.ordered.connect(lambda wish: self._chosen.create("Making a study", drafting.new_study, wish))
        self._chosen.ask(dialog)

    def ask_document(self) -> None:
        """Asks for the file of a document."""
        path, _ = QFileDialog.getOpenFileName(self, "Open a document", "", "Documents (*.json)")
        if path:
            self.take_document(Path(path))

    def take_document(self, path: Path) -> None:
        """Makes a draft of the document in a file."""
        self._chosen.create("Reading a study", drafting.taken_over, path)

    def ask_delete(self) -> None:
        """Asks before the chosen draft is deleted."""
        row = next((row for row in self.rows if row.id == self.study), None)
        if row is not None and row.state is StudyState.DRAFT:
            dialog = DeleteDraftDialog(row.name, self)
            dialog.ordered.connect(lambda: self._chosen.do("Deleting a draft", drafting.deleted, done=self._deleted))
            self._chosen.ask(dialog)

    def restore(self) -> None:
        """Restores the draft that was deleted last."""
        if self._draft is not None:
            self.bring_back.hide()
            self._chosen.create("Restoring a draft", drafting.restored, self._draft)
            self._draft = None

    def _deleted(self, draft: DeletedDraft) -> None:
        self._draft = draft
        self.bring_back.setToolTip(f"“{draft.name}”, which was deleted last")
        self.bring_back.show()
        self._chosen.finish(f"“{draft.name}” was deleted.")

    def _ids(self) -> list[str]:
        return [str(self.list.item(place).data(Qt.ItemDataRole.UserRole)) for place in range(self.list.count())]


def _fill(item: QListWidgetItem, row: StudyRow) -> None:
    item.setText(f"{row.name}\n{row.state} · {row.sessions} of {row.slots} sessions\nhash {row.short_hash}")
    item.setIcon(icon(STATE_ICONS[row.state], "secondary"))
    item.setToolTip(f"{row.name}\n{row.sessions} sessions for {row.slots} places\n{row.hash}")
