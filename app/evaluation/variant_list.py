"""The variants of the prompt that a batch asks with, as a list of boxes to tick, and the dialog that writes one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.engine.evaluation.planning.variants import (
    MOST_CHARACTERS,
    PromptVariant,
    VariantProblem,
    read_variant,
)
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.theme import SPACE

_VARIANT = Qt.ItemDataRole.UserRole
_LIST_PX = 84
_ABOUT = (
    "{prompt} stands for the task's prompt. To reword only how to answer, write {task} for the prompt without its last "
    "part, which begins with “Answer with”, and {answer_format} for that part. A text without any of them is put "
    "before the prompt."
)


class VariantList(QWidget):
    """Variants with boxes; the first entry is the tasks' own prompt. Only while there are variants are they an axis.

    Signals:
        changed(): another choice, or another text.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.list = QListWidget()
        self.list.setAccessibleName("Variants of the prompt")
        self.list.setFixedHeight(_LIST_PX)
        self.list.itemChanged.connect(self.changed)
        self.list.itemDoubleClicked.connect(lambda _: self.edit())
        self.list.currentRowChanged.connect(self._enable_buttons)
        self.fault = QLabel()
        self.fault.setObjectName("error")
        self.fault.setWordWrap(True)
        self.fault.hide()
        self.write_button = make_button("Write…", "", self.write, "Write a variant of the prompt")
        self.file_button = make_button("From file…", "", self.choose_file, "Read a variant from a text file")
        self.edit_button = make_button("Edit…", "", self.edit, "Change the chosen variant")
        self.remove_button = make_button("Remove", "", self.remove, "Remove the chosen variant")
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE)
        for button in (self.write_button, self.file_button, self.edit_button, self.remove_button):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        column.addWidget(self.list)
        column.addLayout(buttons)
        column.addWidget(self.fault)
        self.show_variants(())

    def chosen(self) -> tuple[PromptVariant | None, ...]:
        """The ticked variants, None for the tasks' own prompt; empty if that is all there is."""
        boxes = [self.list.item(row) for row in range(self.list.count())]
        ticked = tuple(box.data(_VARIANT) for box in boxes if box.checkState() == Qt.CheckState.Checked)
        return () if ticked == (None,) else ticked

    def show_variants(self, variants: Sequence[PromptVariant | None]) -> None:
        """Shows and ticks these variants; without any, the tasks' own prompt."""
        with QSignalBlocker(self.list):
            self.list.clear()
            self._add(None, not variants or None in variants)
            for variant in variants:
                if variant is not None:
                    self._add(variant, True)
        self._enable_buttons()
        self.changed.emit()

    def add(self, variant: PromptVariant) -> None:
        """Adds a variant and ticks it; a number is put after a name that is taken."""
        names = {known.name for known in self._variants()}
        name, number = variant.name, 2
        while name in names:
            name, number = f"{variant.name} {number}", number + 1
        self._add(variant.model_copy(update={"name": name}), True)
        self.list.setCurrentRow(self.list.count() - 1)
        self.changed.emit()

    def write(self) -> None:
        """Opens the dialog that writes a variant."""
        self._open(VariantDialog(None, self))

    def edit(self) -> None:
        """Opens the dialog that changes the chosen variant."""
        if (variant := self._current()) is not None:
            self._open(VariantDialog(variant, self))

    def remove(self) -> None:
        """Removes the chosen variant."""
        if self._current() is not None:
            self.list.takeItem(self.list.currentRow())
            self.changed.emit()

    def choose_file(self) -> None:
        """Asks for text files with variants."""
        paths, _ = QFileDialog.getOpenFileNames(self, "Variants of the prompt", "", "Texts (*.txt *.md);;All files (*)")
        self.read(*map(Path, paths))

    def read(self, *paths: Path) -> None:
        """Adds the variants in these files, or says why one cannot be read."""
        faults = []
        for path in paths:
            try:
                self.add(read_variant(path))
            except VariantProblem as error:
                faults.append(str(error))
        self.fault.setText(" ".join(faults))
        self.fault.setVisible(bool(faults))

    def _open(self, dialog: VariantDialog) -> None:
        dialog.written.connect(lambda variant: self._take(dialog.before, variant))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _take(self, before: PromptVariant | None, variant: PromptVariant) -> None:
        """Takes what was written in place of the variant before."""
        if before is None:
            self.add(variant)
            return
        row = next(row for row in range(self.list.count()) if self.list.item(row).data(_VARIANT) == before)
        with QSignalBlocker(self.list):
            _show(self.list.item(row), variant)
        self.changed.emit()

    def _add(self, variant: PromptVariant | None, is_ticked: bool) -> None:
        box = QListWidgetItem()
        box.setFlags(box.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        box.setCheckState(Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked)
        _show(box, variant)
        self.list.addItem(box)

    def _variants(self) -> list[PromptVariant]:
        data = (self.list.item(row).data(_VARIANT) for row in range(self.list.count()))
        return [variant for variant in data if variant is not None]

    def _current(self) -> PromptVariant | None:
        item = self.list.currentItem()
        variant: PromptVariant | None = None if item is None else item.data(_VARIANT)
        return variant

    def _enable_buttons(self) -> None:
        for button in (self.edit_button, self.remove_button):
            button.setEnabled(self._current() is not None)


class VariantDialog(FormDialog):
    """Asks for the name and the text of a variant.

    Signals:
        written(PromptVariant): the variant as it was written.
    """

    written = Signal(object)

    def __init__(self, before: PromptVariant | None, parent: QWidget | None = None) -> None:
        super().__init__("Variant of the prompt", _ABOUT, "Use", parent)
        self.before = before
        self.name = QLineEdit(before.name if before else "")
        self.name.setPlaceholderText("such as terse; part of the name of the run")
        self.name.setMaxLength(80)
        self.text = QPlainTextEdit(before.text if before else "{prompt}")
        self.text.setMinimumSize(QSize(520, 220))
        for label, field in (("Name", self.name), ("Text", self.text)):
            self.form.addRow(label, field)
            field.setAccessibleName(label)

    def order(self) -> None:
        """Announces the variant, or says what is missing."""
        name, text = self.name.text().strip(), self.text.toPlainText()
        if not name or not text.strip():
            self.show_trouble("A variant needs a name and a text.")
        elif len(text) > MOST_CHARACTERS:
            self.show_trouble(f"The text has more than {MOST_CHARACTERS:,} characters.")
        else:
            self.written.emit(PromptVariant(name=name, text=text))
            self.accept()


def _show(box: QListWidgetItem, variant: PromptVariant | None) -> None:
    box.setData(_VARIANT, variant)
    box.setText("The tasks' own prompt" if variant is None else variant.name)
    box.setToolTip("" if variant is None else f"{variant.hash}\n\n{variant.text[:600]}")
