"""The disagreements page: answers that two verifiers judge differently, shown side by side for a ruling."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts.dossier import ruling_words
from spatial_workbench.app.attempts.latest import LatestReply
from spatial_workbench.app.runs.differences.contrast import ContrastPanel
from spatial_workbench.app.runs.differences.filters import DifferenceFilters
from spatial_workbench.app.runs.differences.tree import DifferenceTree
from spatial_workbench.app.runs.kept_layouts import KeptLayouts
from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.rulings import export_rows, is_known, to_csv, to_json_lines
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import Jobs
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.frame.settings import Settings
    from spatial_workbench.engine.store import Difference, Project

NO_DIFFERENCES = (
    "No disagreements",
    "Default verifier and cross-check agree on every attempt that both have checked.",
)
QUESTION = ("question", "questions")
KNOWN = ("known difference", "known differences")
ONLY_KNOWN = ("No questions", "Tick “Known differences” to see those that the pages of the tasks list.")
NO_MATCH = ("No matches", "There are differences, but the filters hide them.")


class DisagreementsPage(QWidget):
    """Lists differences by task, pair of verifiers and check, beside the chosen one.

    Signals:
        message(str): a note for the status bar.
        replay_requested(str, object): show how an answer came about, under this title.
        findings_wanted(): show what the search for disagreements has found.
    """

    title = "Disagreements"
    icon_name = "compare"
    message = Signal(str)
    replay_requested = Signal(str, object)
    findings_wanted = Signal()

    def __init__(self, project: ProjectService, jobs: Jobs, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._project = project
        self._settings = settings
        self._reading = LatestReply(project)
        self._all: Sequence[Difference] = ()
        self.tree = DifferenceTree()
        self.contrast = ContrastPanel(project, jobs)
        self.filters = DifferenceFilters()
        self.findings = QPushButton(icon("search"), "Findings")
        self.findings.setToolTip("Show what searches for disagreements have found, beyond the stored attempts")
        self.findings.clicked.connect(self.findings_wanted)
        self.export = QPushButton(icon("save"), "Export…")
        self.export.setToolTip("Save all differences with their rulings, as JSON lines or CSV")
        self._lay_out()
        self._layouts = KeptLayouts(
            settings,
            {"disagreements-beside": self.splitter, "disagreements-views": self.contrast.splitter},
        )
        self._layouts.restore()
        self.filters.known.setChecked(settings.remembered("disagreements-known") == "yes")
        self._connect()
        self.reload()

    def reload(self) -> None:
        """Reads the differences again; the choice and open groups are kept."""
        self._reading.ask(lambda project: project.judgements.differences(), self._show_differences)

    def fill(self) -> None:
        """Lists the differences that pass the filters."""
        shown = self.filters.passing()
        self._show_count(shown)
        self.tree.list_differences(shown)
        if not shown:
            self.contrast.clear()

    def go_to_next(self) -> None:
        """Goes to the next difference without a ruling."""
        if not self.tree.choose_next_unruled():
            self.message.emit("Every disagreement in the list is ruled on.")

    def export_to(self, path: Path) -> None:
        """Writes all differences with their rulings, in the format given by the file's suffix."""

        def write(project: Project) -> int:
            rows = export_rows(project.judgements.differences(), project.judgements.rulings())
            write_whole(path, (to_csv(rows) if path.suffix == ".csv" else to_json_lines(rows)).encode())
            return len(rows)

        self._project.ask(
            write,
            lambda count: self.message.emit(f"{counted(count, 'difference is', 'differences are')} in “{path.name}”."),
            lambda text: self.message.emit(f"“{path.name}” could not be written: {text}"),
        )

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown."""
        return self._reading.is_idle and self.contrast.is_idle

    def close_page(self) -> None:
        """Saves the page's state, and releases its resources."""
        self._reading.close()
        self._layouts.store()
        self._settings.remember("disagreements-known", "yes" if self.filters.known.isChecked() else "no")
        self._project.changed.disconnect(self.reload)
        self.contrast.close_panel()

    def _show_differences(self, differences: Sequence[Difference]) -> None:
        if differences != self._all or not differences:
            self._all = differences
            self.filters.set_differences(differences)
            self.fill()

    def _show_chosen(self, difference: Difference) -> None:
        self.contrast.show_difference(difference)
        self.contrast.rulings.offer_alike(len(self.tree.alike(difference)))

    def _rule(self, ruling: str, note: str, for_all: bool) -> None:
        chosen = self.contrast.difference
        person = self._settings.person
        if chosen is None:
            return
        ruled = self.tree.alike(chosen) if for_all else [chosen]
        self._project.tell(lambda project: project.judgements.rule_alike(ruled, ruling, note, person), announce=True)
        if for_all:
            self.message.emit(f"Ruled on {len(ruled):,} alike: {ruling_words(ruling)}.")

    def _show_count(self, shown: Sequence[Difference]) -> None:
        self._count.setText(count_words(self._all, shown))
        self.export.setEnabled(bool(self._all))
        self._stack.setCurrentIndex(0 if shown else 1)
        unseen = ONLY_KNOWN if self._all else NO_DIFFERENCES
        self.empty.say(*(NO_MATCH if self.filters.offered() else unseen))

    def _choose_file(self) -> None:
        path, chosen = QFileDialog.getSaveFileName(
            self, "Export differences and rulings", "disagreements.jsonl", "JSON lines (*.jsonl);;CSV (*.csv)"
        )
        if path:
            suffix = ".csv" if "csv" in chosen else ".jsonl"
            self.export_to(Path(path) if Path(path).suffix else Path(path + suffix))

    def _lay_out(self) -> None:
        title = QLabel(self.title)
        title.setObjectName("pageTitle")
        self._count = QLabel()
        self._count.setObjectName("secondary")
        head = QHBoxLayout()
        head.setContentsMargins(6 * SPACE, 4 * SPACE, 6 * SPACE, 3 * SPACE)
        head.setSpacing(2 * SPACE)
        head.addWidget(title)
        head.addSpacing(2 * SPACE)
        head.addWidget(self._count)
        head.addStretch(1)
        head.addWidget(self.filters)
        head.addWidget(self.findings)
        head.addWidget(self.export)
        self.splitter = QSplitter()
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self.tree)
        self.splitter.addWidget(self.contrast)
        self.splitter.setSizes([480, 960])
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setChildrenCollapsible(False)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.splitter)
        self.empty = EmptyState()
        self._stack.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self.tree.chosen.connect(self._show_chosen)
        self.contrast.rulings.ruled.connect(self._rule)
        self.contrast.rulings.next_wanted.connect(self.go_to_next)
        self.contrast.replay_requested.connect(self.replay_requested)
        self.contrast.message.connect(self.message)
        self.filters.changed.connect(self.fill)
        self.export.clicked.connect(self._choose_file)
        self._project.changed.connect(self.reload)


def count_words(found: Sequence[Difference], shown: Sequence[Difference]) -> str:
    """How many questions and known differences there are, of each how many are shown, and how many are ruled on.

    A question is a difference between the default verifier and the cross-check, which follow the same rules, or one of
    other people's; all others are known.
    """
    ruled = sum(difference.ruling is not None for difference in found)
    counts = [
        _count_words(len(_of_kind(found, known)), len(_of_kind(shown, known)), names)
        for known, names in ((False, QUESTION), (True, KNOWN))
    ]
    return " · ".join([*counts, f"{ruled:,} ruled on"])


def _of_kind(differences: Sequence[Difference], known: bool) -> list[Difference]:
    return [difference for difference in differences if is_known(difference) is known]


def _count_words(found: int, shown: int, names: tuple[str, str]) -> str:
    words = counted(found, *names)
    return words if found == shown else f"{words} ({shown:,} shown)"
