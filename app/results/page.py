"""The Results page: tables beside the published ones, charts, the cube, diagnostics; it follows the project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.background.jobs import BackgroundJob, Lane
from spatial_workbench.app.results import report as reports
from spatial_workbench.app.results.choice_bar import ChoiceBar
from spatial_workbench.app.results.comparing import RunComparing
from spatial_workbench.app.results.saving import ReportSaving
from spatial_workbench.engine.core.reading.how_read import HowRead
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.collect import WITH_HELP
from spatial_workbench.engine.evaluation.results.contents import FIRST_SECTION, ReportSection, Results
from spatial_workbench.engine.store import RunFilter
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.engine.evaluation.comparing.sets import AttemptSet
    from spatial_workbench.engine.evaluation.results.charts import ChartTarget
    from spatial_workbench.widgets.tables.section_view import SectionView

REST_FACTOR = 4
"""After reading, the page waits this many times as long before it reads again, since a running batch often changes the
project."""
MIN_REST_S = 1.0


class ResultsPage(QWidget):
    """The choice of results at the top, with their sections as tabs below.

    Signals:
        message(str): a note for the status bar.
        runs_requested(RunFilter): list the attempts behind a mark of a chart.
        attempt_requested(int): show one attempt.
        pair_requested(int, int): show two attempts side by side.
    """

    title = "Results"
    icon_name = "chart"
    message = Signal(str)
    runs_requested = Signal(object)
    attempt_requested = Signal(int)
    pair_requested = Signal(int, int)

    def __init__(self, project: ProjectService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._project = project
        self._view: SectionView | None = None
        self._lane = Lane("results", self)
        self.comparing = RunComparing(self, self._lane.run)
        self._reading: BackgroundJob | None = None
        self._is_stale = True
        self.results: Results | None = None
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self._read_if_stale)
        self._make_head()
        self._make_body()
        self._lay_out()
        project.changed.connect(self._changed)
        # Loads the slow charting library while the results are still being read.
        Thread(
            target=import_module, args=("spatial_workbench.widgets.charts.view",), name="load-charts", daemon=True
        ).start()

    # Reading -----------------------------------------------------------------------------------------------------

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown."""
        return self._reading is None and not self._is_stale

    def load(self) -> None:
        """Reads the results again in a process of their own; a running reading is cancelled."""
        if self._project.path is None:
            return
        if self._reading is not None and self._reading.is_pending:
            self._reading.cancel()
        self._is_stale = False
        self._read(self.sections.tabData(self.sections.currentIndex()) or FIRST_SECTION, self._show_results)

    def compare_sets(self, sets: Sequence[AttemptSet] = ()) -> None:
        """Opens the dialog that compares two runs, or other sets of attempts, which are offered first."""
        if self._project.path is None or (self.results is None and not sets):
            return
        runs = self.results.runs if self.results is not None else ()
        verifiers = self.results.verifiers if self.results is not None else ()
        dialog = self.comparing.open(self._project.path, runs, self.bar.choice, verifiers, sets)
        dialog.pair_requested.connect(self.pair_requested)
        dialog.attempt_requested.connect(self.attempt_requested)
        dialog.failed.connect(self.message)

    def publish_site(self) -> None:
        """Opens the dialog that publishes the project's results as a site."""
        if self._project.path is None:
            return
        from spatial_workbench.app.results.publishing import PublishingDialog

        dialog = PublishingDialog(self._project.path, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.told.connect(self.message)
        dialog.show()

    def close_page(self) -> None:
        """Stops following, and ends the process."""
        self._project.changed.disconnect(self._changed)
        if self._view is not None:
            self._view.close_view()
        self._lane.close()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._read_if_stale()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._rest.stop()

    def _changed(self) -> None:
        self._is_stale = True
        self._read_if_stale()

    def _read_if_stale(self) -> None:
        if self._is_stale and self.isVisible() and self._reading is None and not self._rest.isActive():
            self.load()

    def _read(self, section: str, done: Callable[[tuple[Results, float]], None]) -> None:
        self.note.setText("Reading…")
        self._reading = self._lane.run(
            "Reading results",
            reports.read_results,
            self._project.path,
            self.bar.choice,
            section,
            done=done,
            failed=self._failed,
        )

    def _add_section(self, answer: tuple[Results, float]) -> None:
        """Adds a section that was chosen after the others had been read."""
        assert self.results is not None
        self._take(self.results.with_sections_of(answer[0]))
        if not self._rest.isActive():
            self._read_if_stale()

    def _show_results(self, answer: tuple[Results, float]) -> None:
        results, took = answer
        self._rest.start(round(1000 * max(MIN_REST_S, REST_FACTOR * took)))
        self._take(results)

    def _take(self, results: Results) -> None:
        self._reading = None
        self.results = results
        self.bar.batches.set_options([(str(number), f"{number} · {name}") for number, name in results.batches])
        self.bar.offer_step_judges(results.step_judges)
        self.bar.offer_verifiers(results.verifiers)
        self.note.setText(_counted(results))
        self.note.setToolTip("\n".join(results.remarks))
        self._show_sections()

    def _failed(self, text: str) -> None:
        self._reading = None
        self.note.setText("The results could not be read.")
        self.message.emit(f"The results could not be read. {text}")

    # Sections ----------------------------------------------------------------------------------------------------

    def show_section(self, name: str) -> None:
        """Goes to a section, by its id."""
        for i in range(self.sections.count()):
            if self.sections.tabData(i) == name:
                self.sections.setCurrentIndex(i)

    def _show_sections(self) -> None:
        assert self.results is not None
        known = [(section.id, section.title) for section in self.results.sections]
        if known != [(self.sections.tabData(i), self.sections.tabText(i)) for i in range(self.sections.count())]:
            self._make_tabs(known)
        self._show_current()

    def _make_tabs(self, known: list[tuple[str, str]]) -> None:
        now = self.sections.tabData(self.sections.currentIndex())
        self.sections.blockSignals(True)
        while self.sections.count():
            self.sections.removeTab(0)
        for name, title in known:
            self.sections.setTabData(self.sections.addTab(title), name)
        self.sections.blockSignals(False)
        if now is not None:
            self.show_section(now)

    def _show_current(self) -> None:
        if self.results is None or self.sections.currentIndex() < 0:
            return
        from spatial_workbench.widgets.tables.section_view import SectionView

        section = self.results.sections[self.sections.currentIndex()]
        if not section.is_read:
            self._await_section(section)
            return
        old = self._view
        if old is not None and old.section == section:
            return
        place = 0
        chosen = 0
        orders: dict[str, tuple[int, bool]] = {}
        if old is not None:
            if old.section.id == section.id:
                place = self.area.verticalScrollBar().value()
                chosen = old.chosen_chart
                orders = old.orders
            old.close_view()
        self._view = view = SectionView(section, chosen, orders)
        view.chosen.connect(self._mark_chosen)
        view.failed.connect(self.message)
        self.area.setWidget(view)
        self.area.verticalScrollBar().setValue(place)

    def _await_section(self, section: ReportSection) -> None:
        """Says that a section is being read, and reads it unless something else is being read."""
        if self._view is not None:
            self._view.close_view()
            self._view = None
        waiting = QLabel(f"Reading {section.title}…")
        waiting.setObjectName("secondary")
        waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.area.setWidget(waiting)
        if self._reading is None:
            self._read(section.id, self._add_section)

    def _mark_chosen(self, target: ChartTarget) -> None:
        if target.attempt is not None:
            self.attempt_requested.emit(target.attempt)
            return
        batches = self.bar.choice.batches
        self.runs_requested.emit(
            RunFilter(
                who=(target.model.removesuffix(WITH_HELP),) if target.model else None,
                is_helped=target.model.endswith(WITH_HELP) if target.model else None,
                tools=target.tools,
                labels=(target.label,) if target.label else None,
                how_read=(HowRead(target.how_read),) if target.how_read else None,
                batch=batches[0] if batches and len(batches) == 1 else None,
            )
        )

    # Parts -------------------------------------------------------------------------------------------------------

    def _make_head(self) -> None:
        self.heading = QLabel("Results")
        self.heading.setObjectName("pageTitle")
        self.note = QLabel()
        self.note.setObjectName("secondary")
        self.saving = ReportSaving(self._lane.run, lambda: self._project.path, lambda: self.bar.choice, self)
        self.saving.told.connect(self.note.setText)
        self.saving.ended.connect(self.message)
        self.compare = QPushButton("Compare…")
        self.compare.setToolTip(
            "Compare two runs, verifiers or sets of attempts in pairs: differences, tests, flipped subtasks"
        )
        self.compare.clicked.connect(lambda: self.compare_sets())
        self.publish = QPushButton("Publish…")
        self.publish.setToolTip("Write the results as a site for any web server: first, it lists what goes in")
        self.publish.clicked.connect(self.publish_site)
        self.bar = ChoiceBar()
        self.bar.changed.connect(self.load)

    def _make_body(self) -> None:
        self.sections = QTabBar()
        self.sections.setExpanding(False)
        self.sections.setAccessibleName("Sections of the results")
        self.sections.currentChanged.connect(lambda _: self._show_current())
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.viewport().setObjectName("page")

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(self.heading)
        head.addSpacing(2 * SPACE)
        head.addWidget(self.note)
        head.addStretch(1)
        head.addWidget(self.saving.cancel)
        head.addWidget(self.compare)
        head.addWidget(self.publish)
        head.addWidget(self.saving.button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * SPACE, 6 * SPACE, 6 * SPACE, 0)
        layout.setSpacing(3 * SPACE)
        layout.addLayout(head)
        layout.addWidget(self.bar)
        layout.addWidget(self.sections)
        layout.addWidget(self.area, 1)


def _counted(results: Results) -> str:
    if results.is_empty:
        return "No attempts"
    runs = counted(len(results.runs), "run")
    remarks = "".join(f" · {remark}" for remark in results.remarks[:2])
    return f"{runs}, {results.attempts:,} attempt{'' if results.attempts == 1 else 's'}{remarks}"
