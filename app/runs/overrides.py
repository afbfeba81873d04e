"""The dialog in which a person overrides a verifier's score, or withdraws the override."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts.dossier import Dossier
from spatial_workbench.app.frame.people import shown_name
from spatial_workbench.engine.core import task
from spatial_workbench.engine.core.verdict import SCORE_TOLERANCE
from spatial_workbench.widgets.number_box import inset
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import AmountBox

if TYPE_CHECKING:
    from spatial_workbench.app.background.project_service import ProjectService


class OverrideDialog(QDialog):
    """Asks for score, result and reason. `withdrawn` is set if the override should be withdrawn instead."""

    def __init__(self, dossier: Dossier, person: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Override the score of attempt {dossier.row.number}")
        self.setMinimumWidth(440)
        self.withdrawn = False
        present = dossier.override
        judged = dossier.judged_score
        self.score = inset(AmountBox(minimum=0.0, maximum=1.0, singleStep=0.05, decimals=2))
        self.score.setAccessibleName("Score")
        self.score.setValue(present.score if present else judged or 0.0)
        self.passed = QCheckBox("Counts as passed")
        self.passed.setChecked(bool(dossier.row.passed))
        self.reason = QPlainTextEdit(present.reason if present else "")
        self.reason.setPlaceholderText("Why the verifier's score does not hold here")
        self.reason.setAccessibleName("Reason")
        self.reason.setTabChangesFocus(True)
        self.reason.setFixedHeight(96)
        self.reason.textChanged.connect(self._enable_button)
        text = present.in_words(judged) if present else "No verdict yet" if judged is None else f"{judged:.2f}"
        now = QLabel(text)
        now.setWordWrap(True)
        form = QFormLayout()
        form.setVerticalSpacing(2 * SPACE)
        form.setHorizontalSpacing(4 * SPACE)
        form.addRow("Current score", now)
        form.addRow("Score", self.score)
        form.addRow("", self.passed)
        form.addRow("Reason", self.reason)
        note = QLabel(f"Stored under the name “{shown_name(person)}”. The verifier's score is kept and stays visible.")
        note.setObjectName("secondary")
        note.setWordWrap(True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.ok = self.buttons.addButton("Override", QDialogButtonBox.ButtonRole.AcceptRole)
        self.ok.setObjectName("primary")
        self.withdraw = self.buttons.addButton("Withdraw override", QDialogButtonBox.ButtonRole.DestructiveRole)
        self.withdraw.setToolTip("Let the verifier's score count again; this stays in the history")
        self.withdraw.setVisible(present is not None)
        self.withdraw.clicked.connect(self._withdraw)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        layout.setSpacing(3 * SPACE)
        layout.addLayout(form)
        layout.addWidget(note)
        layout.addWidget(self.buttons)
        self._enable_button()

    def _withdraw(self) -> None:
        self.withdrawn = True
        self.accept()

    def _enable_button(self) -> None:
        """Enables the button once a reason is given."""
        given = bool(self.reason.toPlainText().strip())
        self.ok.setEnabled(given)
        self.ok.setToolTip("" if given else "Say why first")


def ask_override(dossier: Dossier, project: ProjectService, person: str, parent: QWidget) -> None:
    """Opens the dialog, and stores its outcome."""
    dialog = OverrideDialog(dossier, person, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.accepted.connect(lambda: _store(dialog, dossier, project, person))
    dialog.open()


def _store(dialog: OverrideDialog, dossier: Dossier, project: ProjectService, person: str) -> None:
    number = dossier.row.number
    tolerance = _tolerance(dossier.row.task)
    score = dialog.score.value()
    passed = dialog.passed.isChecked()
    reason = dialog.reason.toPlainText()
    if dialog.withdrawn:
        project.tell(lambda opened: opened.judgements.withdraw_override(number, tolerance), announce=True)
    else:
        project.tell(
            lambda opened: opened.judgements.override_score(number, score, passed, reason, person, tolerance),
            announce=True,
        )


def _tolerance(task_id: str) -> float:
    """The task's tolerance, or the default one if this version has no such task."""
    try:
        return task(task_id).score_tolerance
    except KeyError:
        return SCORE_TOLERANCE
