"""The verifiers of one's own: a list, with what can be done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts.columns import task_title
from spatial_workbench.app.runs.own import work
from spatial_workbench.app.runs.own.adding import AddVerifierDialog
from spatial_workbench.app.runs.own.work import ListedVerifier
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.laboratory.own import OwnJudging, OwnVerifier
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.qt import top_items
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs
    from spatial_workbench.app.background.project_service import ProjectService

ABOUT = (
    "Verifiers of yours judge the attempts of the project beside ours. Their verdicts are stored as own:NAME with "
    "their version; what they judge differently is listed under Disagreements."
)
EMPTY = "No verifiers yet. Add a file or a command that judges answers to a task."
_ROW = Qt.ItemDataRole.UserRole


class OwnVerifiersDialog(QDialog):
    """Lists verifiers; adds and removes them, and judges all attempts of the project by one.

    Signals:
        message(str): a note for the status bar.
    """

    message = Signal(str)

    def __init__(self, project: ProjectService, jobs: Jobs, task: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Verifiers of your own")
        self.resize(760, 420)
        self._project = project
        self._jobs = jobs
        self._task = task
        self.adding: AddVerifierDialog | None = None
        self.job: BackgroundJob | None = None
        self._started: list[BackgroundJob] = []
        self.list = QTreeWidget()
        self.list.setRootIsDecorated(False)
        self.list.setHeaderLabels(["Verifier", "Task", "Version", "Runs"])
        self.list.setAccessibleName("Verifiers of your own")
        self.list.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.list.currentItemChanged.connect(lambda *_: self._show_possible())
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.add = self._button("Add…", "open", "Add a file or a command", self.ask_verifier)
        self.remove = self._button("Remove", "delete", "Remove the selected verifier; its verdicts stay", self._remove)
        self.judge = self._button(
            "Judge all attempts", "check", "Judge the project's attempts that this version has not judged", self._judge
        )
        self.cancel = self._button("Cancel", "close", "Stop; what was judged is stored", self._cancel)
        self.closing = QPushButton("Close")
        self.closing.clicked.connect(self.reject)
        self._lay_out()
        self._ask(work.listed)

    def done(self, result: int) -> None:
        """Closes the dialog, and ends what it has begun, so that no result reaches a closed dialog."""
        for job in self._started:
            if job.is_pending:
                job.cancel()
        super().done(result)

    @property
    def chosen(self) -> ListedVerifier | None:
        """The selected verifier."""
        item = self.list.currentItem()
        return None if item is None else item.data(0, _ROW)

    def ask_verifier(self) -> None:
        """Asks for a verifier to add."""
        self.adding = dialog = AddVerifierDialog(self._task, self)
        dialog.wanted.connect(self._add)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _add(self, verifier: OwnVerifier) -> None:
        dialog = self.adding

        def taken(rows: list[ListedVerifier]) -> None:
            if dialog is not None:
                dialog.accept()
            self._show_rows(rows, verifier.name)

        def refused(trouble: str) -> None:
            if dialog is not None:
                dialog.show_trouble(trouble)

        job = self._jobs.live.run(
            "Adding the verifier", work.added, verifier, done=taken, failed=refused, quiet=True, owner=self
        )
        self._started.append(job)

    def _remove(self) -> None:
        if self.chosen is not None:
            self._ask(work.removed, self.chosen.verifier.name)

    def _judge(self) -> None:
        path = self._project.path
        if self.chosen is None or path is None:
            return
        self.words.setText("Judging…")
        self.job = self._jobs.run(
            f"Judging by “{self.chosen.verifier.name}”",
            work.judged,
            path,
            self.chosen.verifier,
            done=self._show_outcome,
            failed=self._end,
            progressed=lambda done, total, text: self.words.setText(f"{done:,.0f} of {total:,.0f} · {text}"),
        )
        self._started.append(self.job)
        self._show_possible()

    def _cancel(self) -> None:
        if self.job is not None:
            self.job.cancel()
            self._end("Stopped. What was judged is stored, and the next run goes on from there.")

    def _show_outcome(self, outcome: OwnJudging) -> None:
        self._end(words_of(outcome))

    def _end(self, words: str) -> None:
        self.job = None
        self.words.setText(words)
        self.message.emit(words)
        self._project.changed.emit()
        self._show_possible()

    def _ask(self, function: Callable[..., list[ListedVerifier]], *arguments: object) -> None:
        job = self._jobs.live.run(
            "Reading the verifiers",
            function,
            *arguments,
            done=self._show_rows,
            failed=self.words.setText,
            quiet=True,
            owner=self,
        )
        self._started.append(job)

    def _show_rows(self, rows: Sequence[ListedVerifier], chosen: str = "") -> None:
        self.list.clear()
        for row in rows:
            self.list.addTopLevelItem(_item(row))
        for item in top_items(self.list):
            if item.data(0, _ROW).verifier.name == chosen or not chosen:
                self.list.setCurrentItem(item)
                break
        self.words.setText("" if rows else EMPTY)
        self._show_possible()

    def _show_possible(self) -> None:
        chosen = self.chosen
        is_idle = self.job is None
        self.remove.setEnabled(is_idle and chosen is not None and chosen.is_removable)
        has_project = self._project.path is not None
        self.judge.setEnabled(is_idle and chosen is not None and not chosen.trouble and has_project)
        self.cancel.setVisible(not is_idle)
        if is_idle and chosen is not None and chosen.trouble:
            self.words.setText(chosen.trouble)

    def _button(self, text: str, symbol: str, tip: str, run: Callable[[], None]) -> QPushButton:
        button = QPushButton(icon(symbol), text)
        button.setToolTip(tip)
        button.clicked.connect(run)
        return button

    def _lay_out(self) -> None:
        about = QLabel(ABOUT)
        about.setObjectName("secondary")
        about.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        for button in (self.add, self.remove, self.judge, self.cancel):
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.closing)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        layout.setSpacing(3 * SPACE)
        layout.addWidget(about)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.words)
        layout.addLayout(row)


def words_of(outcome: OwnJudging) -> str:
    """What came of judging, in a sentence or two; the first attempts without a verdict are named."""
    words = f"{counted(outcome.judged, 'attempt')} judged, {outcome.differing:,} of them differently from the default."
    if outcome.known:
        words += f" {outcome.known:,} were judged before."
    if outcome.troubles:
        number, trouble = outcome.troubles[0]
        words += f" No verdict on {len(outcome.troubles):,}; the first is attempt {number}: {trouble}"
    return words


def _item(row: ListedVerifier) -> QTreeWidgetItem:
    texts = [row.verifier.name, task_title(row.verifier.task), row.version or "–", row.runs]
    item = QTreeWidgetItem(texts)
    item.setData(0, _ROW, row)
    item.setToolTip(3, row.runs)
    if row.trouble:
        item.setIcon(0, icon("warning", "warning"))
        item.setToolTip(0, row.trouble)
    return item
