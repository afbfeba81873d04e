"""Shows how far verifying again is, and afterwards what changed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QProgressBar,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.engine.core.words import counted, score_words
from spatial_workbench.engine.evaluation.reverify import VerdictChange, VerificationFailure
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

_ATTEMPT = Qt.ItemDataRole.UserRole


class VerifyingPanel(QWidget):
    """Shows progress, and afterwards what changed.

    Signals:
        attempt_chosen(int): a line of the list was clicked.
        cancelled(): the user cancelled.
    """

    attempt_chosen = Signal(int)
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.words = QLabel()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(8)
        self._bar.setAccessibleName("Attempts verified again")
        self.cancel = QPushButton("Cancel")
        self.cancel.setToolTip("Stop; verdicts made so far are kept")
        self.cancel.clicked.connect(self.cancelled)
        self._close = QPushButton("Close")
        self._close.setToolTip("Close this list")
        self._close.clicked.connect(self.hide)
        self.list = QTreeWidget()
        self.list.setHeaderLabels(["Attempt", "Verifier", "Score", "Result", "Version", "Checks that changed"])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setAccessibleName("What changed")
        self.list.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.list.currentItemChanged.connect(self._chosen)
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(self.words)
        head.addWidget(self._bar, 1)
        head.addStretch(0)
        head.addWidget(self.cancel)
        head.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addLayout(head)
        layout.addWidget(self.list)
        self.hide()

    def show_progress(self, done: int, total: int) -> None:
        """Shows the progress."""
        self.words.setText(f"Verifying again: {done:,} of {total:,}")
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        self._set_running(True)
        self.list.hide()
        self.show()

    def show_end(self, outcomes: Sequence[VerdictChange | VerificationFailure], judged: int, cut_off: bool) -> None:
        """Lists what changed."""
        self._set_running(False)
        self.words.setText(outcome(outcomes, judged, cut_off))
        self.list.clear()
        for judgement in outcomes:
            self.list.addTopLevelItem(_line(judgement))
        self.list.setVisible(bool(outcomes))
        self.list.setFixedHeight(min(7, len(outcomes) + 1) * 26 + 3 * SPACE)
        self.show()

    def _set_running(self, running: bool) -> None:
        self._bar.setVisible(running)
        self.cancel.setVisible(running)
        self._close.setVisible(not running)

    def _chosen(self, item: QTreeWidgetItem | None) -> None:
        if item is not None:
            self.attempt_chosen.emit(item.data(0, _ATTEMPT))


def outcome(outcomes: Sequence[VerdictChange | VerificationFailure], judged: int, cut_off: bool) -> str:
    """The result in one sentence."""
    changed = [judgement for judgement in outcomes if isinstance(judgement, VerdictChange)]
    failed = len(outcomes) - len(changed)
    parts = [f"{counted(judged, 'attempt')} verified again"]
    if changed:
        attempts = len({change.attempt for change in changed})
        parts.append(f"{counted(len(changed), 'verdict')} of {attempts:,} changed")
    else:
        parts.append("nothing changed")
    if failed:
        parts.append(f"{failed:,} could not be checked")
    return f"{'Stopped. ' if cut_off else ''}{', '.join(parts)}."


def _line(judgement: VerdictChange | VerificationFailure) -> QTreeWidgetItem:
    if isinstance(judgement, VerificationFailure):
        item = QTreeWidgetItem([f"#{judgement.attempt}", "", "", "Could not be checked", "", judgement.reason])
        item.setIcon(3, icon("warning", "warning"))
    else:
        item = QTreeWidgetItem(
            [
                f"#{judgement.attempt}",
                judgement.verifier,
                f"{_score(judgement.before)} → {judgement.after:.2f}",
                _turn(judgement),
                f"{judgement.old_version or '–'} → {judgement.version}"
                if judgement.old_version != judgement.version
                else judgement.version,
                ", ".join(judgement.checks),
            ]
        )
        if judgement.was_passed != judgement.is_passed:
            item.setIcon(3, icon("passed", "passed") if judgement.is_passed else icon("failed", "failed"))
    item.setData(0, _ATTEMPT, judgement.attempt)
    return item


def _score(score: float | None) -> str:
    return "–" if score is None else score_words(score)


def _turn(change: VerdictChange) -> str:
    """How the result changed; empty if it did not."""
    if change.was_passed is None:
        return _result(change.is_passed)
    return (
        "" if change.was_passed == change.is_passed else f"{_result(change.was_passed)} → {_result(change.is_passed)}"
    )


def _result(passed: bool) -> str:
    return "passed" if passed else "not passed"
