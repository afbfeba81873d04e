"""The dialog with the source of a part. Programs run only when Run is pressed, and only in the sandbox."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.tasks.interlocking_parts import Form
from spatial_workbench.widgets.layouts import column, row
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

_ONLY = "only in the sandbox, and only when you press Run or submit the answer."
NOTES = {
    Form.STL: "STL text in millimetres, or binary STL in base64. Nothing is run.",
    Form.OPENSCAD: f"An OpenSCAD program. It runs {_ONLY}",
    Form.PYTHON_OPENSCAD: f"Python that prints an OpenSCAD program. Both run {_ONLY}",
    Form.PYTHON_STL: f"Python that prints STL text. It runs {_ONLY}",
}
STARTS = {
    Form.STL: "",
    Form.OPENSCAD: "cube([370, 350, 10], center = false);\n",
    Form.PYTHON_OPENSCAD: 'print("cube([370, 350, 10]);")\n',
    Form.PYTHON_STL: 'print("solid part")\nprint("endsolid part")\n',
}


class SourceDialog(QDialog):
    """A text, its form, and the buttons Save, Run and Cancel.

    Signals:
        saved(str, Form): the person saved this text.
        run_requested(): the text that was just saved is to be run.
    """

    saved = Signal(str, object)
    run_requested = Signal()

    def __init__(self, title: str, contents: str, form: Form, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(said(title))
        self.resize(720, 560)
        self.form = ChoiceBox()
        self.form.addItems([str(form) for form in Form])
        self.form.setCurrentText(str(form))
        self.form.setAccessibleName(tr("Form"))
        self.text = QPlainTextEdit(contents)
        self.text.setAccessibleName(tr("Source of the part"))
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.note = QLabel()
        self.note.setObjectName("secondary")
        self.note.setWordWrap(True)
        self._lay_out(self._make_buttons())
        self.form.currentTextChanged.connect(self._form_changed)
        self._form_changed()

    @property
    def chosen(self) -> Form:
        """The chosen form."""
        return Form(self.form.currentText())

    def _make_buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox()
        self.run = buttons.addButton(tr("Run"), QDialogButtonBox.ButtonRole.ActionRole)
        self.run.setToolTip(tr("Save, and run the program in the sandbox"))
        self.save = buttons.addButton(tr("Save"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        self.run.clicked.connect(self._save_and_run)
        self.save.clicked.connect(self._save)
        buttons.rejected.connect(self.reject)
        return buttons

    def _lay_out(self, buttons: QDialogButtonBox) -> None:
        head = QWidget()
        row(head, QLabel(tr("Form")), self.form, None, spacing=2 * SPACE)
        column(self, head, self.note, self.text, buttons, margin=4 * SPACE, spacing=2 * SPACE)

    def _form_changed(self) -> None:
        self.note.setText(said(NOTES[self.chosen]))
        self.run.setEnabled(self.chosen.is_program)
        if self.text.toPlainText() in STARTS.values():
            self.text.setPlainText(STARTS[self.chosen])

    def _save(self) -> None:
        self.saved.emit(self.text.toPlainText(), self.chosen)
        self.accept()

    def _save_and_run(self) -> None:
        self._save()
        self.run_requested.emit()
