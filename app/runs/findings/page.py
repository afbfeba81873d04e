"""The page of findings: what searches for disagreements found, in groups."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QProgressBar,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts.latest import LatestReply
from spatial_workbench.app.runs.findings import work
from spatial_workbench.app.runs.findings.detail import FindingDetail
from spatial_workbench.app.runs.findings.group_tree import FindingTree, size_words
from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.core.instance import task_of_address
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.laboratory.searching.task_search import group_from_data
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.frame.settings import Settings
    from spatial_workbench.app.runs.findings.searching import LabSearching

NOTHING = (
    "Nothing was found yet",
    "Look for answers that two verifiers judge differently; the search runs in the background.",
)
SEARCHING = ("Searching", "What is found is listed here at once.")


class FindingsPage(QWidget):
    """Lists groups of findings beside the chosen one, and follows the search that runs.

    Signals:
        message(str): a note for the status bar.
        search_wanted(): ask how to search.
        open_wanted(str, str, str): open an instance (address) with an answer (text) from somewhere (in words).
    """

    title = "Findings"
    icon_name = "search"
    message = Signal(str)
    search_wanted = Signal()
    open_wanted = Signal(str, str, str)

    def __init__(self, project: ProjectService, jobs: Jobs, settings: Settings, searching: LabSearching) -> None:
        super().__init__()
        self.setObjectName("page")
        self._project = project
        self._jobs = jobs
        self._settings = settings
        self._searching = searching
        self._reading = LatestReply(project)
        self._rows: dict[int, dict[str, Any]] = {}
        self._before: dict[int, list[dict[str, Any]]] = {}
        """What groups were before they were made small, by their numbers, the last state at the end."""
        self._shrinking: BackgroundJob | None = None
        self.tree = FindingTree()
        self.detail = FindingDetail()
        self.empty = EmptyState()
        self._make_head()
        self._lay_out()
        self._connect()
        self.reload()

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown."""
        return self._reading.is_idle and self._shrinking is None

    def reload(self) -> None:
        """Reads the groups again; the chosen one is kept."""
        self._reading.ask(lambda project: project.searches.groups(), self._show_rows)

    def make_small(self) -> None:
        """Makes the case of the chosen group small, in the background."""
        row = self.detail.group
        if row is None or self._shrinking is not None:
            return
        self.detail.show_state("Making it small…", is_busy=True)
        self._shrinking = self._jobs.long.run(
            "Making a case small",
            work.made_small,
            row,
            done=lambda small: self._take_small(row, small),
            failed=self._stop_shrinking,
            progressed=lambda done, total, text: self.detail.show_state(f"{text}, {done:,.0f} tried", is_busy=True),
            quiet=True,
            owner=self,
        )

    def undo(self) -> None:
        """Puts the case back that was there before the chosen group's was made small."""
        number = self.tree.chosen_number
        if number is not None and self._before.get(number):
            before = self._before[number].pop()
            self._store(number, before)

    def save_case(self, path: Path, reason: str) -> None:
        """Saves the chosen group's case."""
        self._write(path, work.case_text, reason, self._settings.person)

    def export_test(self, path: Path) -> None:
        """Writes the chosen group's case as a test for pytest."""
        self._write(path, work.pytest_text, path.stem.removeprefix("test_"), "", self._settings.person)

    def close_page(self) -> None:
        """Releases the page; a search goes on without it."""
        self._reading.close()
        if self._shrinking is not None:
            self._shrinking.cancel()
        self._project.changed.disconnect(self.reload)
        self._searching.found.disconnect(self.reload)
        self._searching.progressed.disconnect(self._show_progress)
        self._searching.ended.disconnect(self._show_end)

    # What is shown ---------------------------------------------------------------------------------------------------

    def _show_rows(self, rows: list[dict[str, Any]]) -> None:
        known = {row["number"]: row for row in rows}
        if known == self._rows and rows:
            return
        self._rows = known
        questions = sum(group_from_data(row).is_question for row in rows)
        words = f"{counted(len(rows), 'group')}, {counted(questions, 'question')}" if rows else ""
        self._count.setText(words)
        self.tree.list_groups(rows)
        self._stack.setCurrentIndex(0 if rows else 1)
        self.empty.say(*(SEARCHING if self._searching.is_running else NOTHING))
        self._show_chosen()

    def _show_chosen(self) -> None:
        number = self.tree.chosen_number
        row = self._rows.get(number) if number is not None else None
        if row != self.detail.group and self._shrinking is None:
            self.detail.show_group(row, can_undo=number is not None and bool(self._before.get(number)))

    def _show_progress(self, done: float, total: float, text: str) -> None:
        self._bar.setRange(0, max(1, int(total)))
        self._bar.setValue(int(done))
        self._state.setText(f"{_time(done)} of {_time(total)} · {text}")
        self._set_running(True)

    def _show_end(self, words: str) -> None:
        self._set_running(False)
        self._state.setText(words)
        self.message.emit(words)
        self.reload()

    def _set_running(self, is_running: bool) -> None:
        self._bar.setVisible(is_running)
        self.cancel.setVisible(is_running)
        self.search.setVisible(not is_running)

    # Making small ----------------------------------------------------------------------------------------------------

    def _take_small(self, before: dict[str, Any], small: dict[str, Any]) -> None:
        self._shrinking = None
        number = int(before["number"])
        if small["answer"] == before["answer"]:
            self.detail.show_state("Nothing smaller was found.")
            return
        self._before.setdefault(number, []).append(before)
        self._store(number, small)
        self.message.emit(f"{size_words(before['answer'])} became {size_words(small['answer'])}.")

    def _stop_shrinking(self, why: str = "") -> None:
        if self._shrinking is not None:
            self._shrinking.cancel()
            self._shrinking = None
        self.detail.show_state(why or "Stopped; the case is as it was.")

    def _store(self, number: int, row: dict[str, Any]) -> None:
        self._project.tell(lambda project: project.searches.replace(number, row), announce=True)

    # Files -----------------------------------------------------------------------------------------------------------

    def _ask_for_case(self) -> None:
        row = self.detail.group
        if row is None:
            return
        path, _ = QFileDialog.getSaveFileName(self, "Save as case", f"{_stem(row)}.case.json", "Cases (*.json)")
        if path:
            reason, is_said = QInputDialog.getText(self, "Save as case", "Who is right, and by which rule?")
            self.save_case(Path(path), reason if is_said else "")

    def _ask_for_test(self) -> None:
        row = self.detail.group
        if row is not None:
            path, _ = QFileDialog.getSaveFileName(self, "Export as test", f"test_{_stem(row)}.py", "Tests (*.py)")
            if path:
                self.export_test(Path(path))

    def _write(self, path: Path, make: Any, *words: str) -> None:
        """Has a text made of the chosen group in the background, and writes it."""
        row = self.detail.group
        if row is not None:
            self._jobs.long.run(
                f"Writing {path.name}",
                make,
                row,
                *words,
                done=lambda text: self._write_text(path, text),
                failed=lambda why: self.message.emit(f"“{path.name}” was not written: {why}"),
                owner=self,
            )

    def _write_text(self, path: Path, text: str) -> None:
        try:
            write_whole(path, text.encode())
        except OSError as error:
            self.message.emit(f"“{path.name}” was not written: {error.strerror}")
        else:
            self.message.emit(f"“{path.name}” was written.")

    def _open(self) -> None:
        row = self.detail.group
        if row is not None:
            self.open_wanted.emit(row["address"], row["answer"], f"a finding ({row['source']})")

    # Layout ----------------------------------------------------------------------------------------------------------

    def _make_head(self) -> None:
        self._count = QLabel()
        self._count.setObjectName("secondary")
        self._state = QLabel()
        self._state.setObjectName("secondary")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedSize(40 * SPACE, 2 * SPACE)
        self._bar.setAccessibleName("Progress of the search")
        self.cancel = QPushButton("Cancel")
        self.cancel.setToolTip("Stop; what was found is kept, and the same search goes on where it stopped")
        self.search = QPushButton(icon("search"), "Look for disagreements…")

    def _lay_out(self) -> None:
        title = QLabel(self.title)
        title.setObjectName("pageTitle")
        head = QHBoxLayout()
        head.setContentsMargins(6 * SPACE, 4 * SPACE, 6 * SPACE, 3 * SPACE)
        head.setSpacing(2 * SPACE)
        head.addWidget(title)
        head.addSpacing(2 * SPACE)
        head.addWidget(self._count)
        head.addStretch(1)
        for widget in (self._state, self._bar, self.cancel, self.search):
            head.addWidget(widget)
        self.splitter = QSplitter()
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self.tree)
        self.splitter.addWidget(self.detail)
        self.splitter.setSizes([640, 800])
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setChildrenCollapsible(False)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.splitter)
        self._stack.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self._stack, 1)
        self._set_running(self._searching.is_running)

    def _connect(self) -> None:
        self.tree.chosen.connect(lambda _: self._show_chosen())
        self.detail.small_wanted.connect(self.make_small)
        self.detail.stop_wanted.connect(self._stop_shrinking)
        self.detail.undo_wanted.connect(self.undo)
        self.detail.open_wanted.connect(self._open)
        self.detail.case_wanted.connect(self._ask_for_case)
        self.detail.test_wanted.connect(self._ask_for_test)
        self.search.clicked.connect(self.search_wanted)
        self.cancel.clicked.connect(self._searching.cancel)
        self._searching.progressed.connect(self._show_progress)
        self._searching.found.connect(self.reload)
        self._searching.ended.connect(self._show_end)
        self._project.changed.connect(self.reload)


def _time(seconds: float) -> str:
    """A time in words: whole seconds, or minutes."""
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def _stem(row: dict[str, Any]) -> str:
    """A name for the file of a case: the task and the known difference, or the check."""
    name = "-".join(row["known"]) or row["divergence"]["by_check"]
    letters = "".join(letter if letter.isalnum() else "_" for letter in f"{task_of_address(row['address'])}_{name}")
    return letters.strip("_")[:60]
