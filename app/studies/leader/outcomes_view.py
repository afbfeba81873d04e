"""The outcomes of a study: sealed until exclusions are fixed; then the report and the data."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.app.studies.leader.report_view import ReportView
from spatial_workbench.app.studies.leader.work.reading import StudySnapshot
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.studies.analysis.outcomes import StudyState
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.theme import SPACE

SEALED = {
    StudyState.DRAFT: "The study is a draft. There are no outcomes yet.",
    StudyState.PILOT: "The study is piloted. Sessions of a pilot are never analysed.",
    StudyState.FROZEN: "Answers are collected. They are judged when outcomes are opened, and not before.",
    StudyState.CLOSED: "Collection is closed and the exclusions are fixed. The outcomes can be opened.",
    StudyState.UNSEALED: "The outcomes are open.",
}


class OutcomesView(QWidget):
    """Opens outcomes, shows and writes the report, exports data.

    Signals:
        unseal_asked(bool): open the outcomes; True: before exclusions are fixed.
        report_asked(bool): write the report; True: and open it.
        short_report_asked(): write the short form of the report.
        export_asked(str): export the data: csv, psychds or jsonl.
        results_asked(): go to Results.
        purge_asked(): delete files and data.
    """

    unseal_asked = Signal(bool)
    report_asked = Signal(bool)
    short_report_asked = Signal()
    export_asked = Signal(str)
    results_asked = Signal()
    purge_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.unseal = make_button(
            "Show outcomes…", "eye", lambda: self.unseal_asked.emit(False), "Judge all answers", is_primary=True
        )
        self.early = make_button(
            "Look before exclusions are fixed…",
            "",
            lambda: self.unseal_asked.emit(True),
            "The report begins by saying that somebody looked early",
        )
        self.early.setObjectName("link")
        self.report = make_button("Open in browser", "chart", lambda: self.report_asked.emit(True), "As one HTML file")
        self.save = make_button("Save report…", "save", lambda: self.report_asked.emit(False), "As one HTML file")
        self.short = make_button(
            "Short form…",
            "save",
            self.short_report_asked.emit,
            "Two or three pages for an appendix: headlines, outcomes by condition, exclusions, checklist",
        )
        self.results = make_button("Results", "list", self.results_asked.emit, "Beside the models, as human (n)")
        self.exports = {
            kind: make_button(text, "", partial(self.export_asked.emit, kind), tip)
            for kind, text, tip in (
                ("csv", "CSV…", "One file for each table"),
                ("psychds", "Psych-DS…", "A folder that passes its own check"),
                ("jsonl", "JSON lines…", "Can be merged again"),
            )
        }
        self.purge = make_button(
            "Delete data…",
            "delete",
            self.purge_asked.emit,
            "Files of sessions on this machine, or all data of the study",
        )
        self.sections = ReportView()
        self._lay_out()

    def show_snapshot(self, snapshot: StudySnapshot) -> None:
        """Shows what can be done with the outcomes of a study."""
        state = snapshot.row.state
        self.state.setText("Outcomes are open" if snapshot.is_open else "Outcomes are sealed")
        self.words.setText(SEALED[state])
        self.unseal.setVisible(not snapshot.is_open)
        self.unseal.setEnabled(state is StudyState.CLOSED)
        self.early.setVisible(state is StudyState.FROZEN)
        if snapshot.is_open:
            self.words.setText(f"{counted(snapshot.judged, 'submission')} judged by all verifiers.")
        looks = [
            f"{look.at[:16].replace('T', ' ')} UTC: outcomes opened"
            + (" before exclusions were fixed" if look.is_before_exclusions else "")
            + (f". {look.reason}" if look.reason else "")
            for look in snapshot.looks
        ]
        self.looks.setText("\n".join(looks))
        self.looks.setVisible(bool(looks))
        self.results.setVisible(snapshot.is_open)
        self.purge.setEnabled(bool(snapshot.row.sessions))

    def show_progress(self, done: float, total: float, text: str) -> None:
        """Shows how far judging is; a total of 0 hides the bar."""
        self.bar.setVisible(total > 0)
        self.bar.setRange(0, max(1, int(total)))
        self.bar.setValue(int(done))
        self.bar.setFormat(f"{text} %v of %m")

    def _lay_out(self) -> None:
        self.state = QLabel()
        self.words = QLabel()
        self.looks = QLabel()
        self.state.setObjectName("panelTitle")
        for label in (self.words, self.looks):
            label.setObjectName("secondary")
            label.setWordWrap(True)
        self.bar = QProgressBar()
        self.bar.hide()
        head = QHBoxLayout()
        head.setSpacing(3 * SPACE)
        head.addWidget(self.state)
        head.addWidget(self.words, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4 * SPACE, 0, 0)
        column.setSpacing(2 * SPACE)
        column.addLayout(head)
        column.addWidget(self.looks)
        column.addLayout(_row(self.unseal, self.early))
        column.addWidget(self.bar)
        buttons = _row(self.report, self.save, self.short, self.results, *self.exports.values())
        buttons.addWidget(self.purge)
        column.addLayout(buttons)
        column.addSpacing(2 * SPACE)
        column.addWidget(self.sections, 1)


def _row(*buttons: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(2 * SPACE)
    for button in buttons:
        row.addWidget(button)
    row.addStretch(1)
    return row
