"""What an annotation says of a puzzle as a whole: title, texts, solution, source, difficulty, tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.frame.undo import SharedHistory
from spatial_workbench.app.puzzles.annotation.holding import held_in_place
from spatial_workbench.engine.puzzles.annotation.validation import PuzzleFinding
from spatial_workbench.engine.puzzles.annotation.vocabulary import (
    Modality,
    PuzzleAction,
    PuzzleDifficulty,
    Skill,
    action_of,
    folded,
)
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.widgets.flow_layout import FlowLayout
from spatial_workbench.widgets.panels.problem_lines import ProblemLines
from spatial_workbench.widgets.shown_text import replace_line, replace_text
from spatial_workbench.widgets.theme import SPACE

TEXTS = (
    ("title", "Title", "As it is printed on the page"),
    ("flavor_text", "Introductory text", "May be empty"),
    ("solution", "Solution", "One word or phrase"),
    ("source", "Source", "A link, or the word original"),
)
_TAGS: tuple[tuple[str, str, Sequence[Modality | Skill]], ...] = (
    ("modality", "Modality", tuple(Modality)),
    ("skills", "Skills", tuple(Skill)),
)


class MetadataFields(QScrollArea):
    """The fields of a puzzle apart from its steps, each with its findings.

    Signals:
        changed(Puzzle, str, str): the puzzle as the person wants it; what was done; the field that was typed into.
    """

    changed = Signal(object, str, str)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.puzzle = Puzzle()
        self.texts: dict[str, QLineEdit | QPlainTextEdit] = {}
        self.marks: dict[str, ProblemLines[PuzzleFinding]] = {}
        self.tags: dict[tuple[str, str], QCheckBox] = {}
        self.difficulty: dict[str, QPushButton] = {}
        self._suggested: dict[str, QPushButton] = {}
        body = QWidget()
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(0, 2 * SPACE, 2 * SPACE, 4 * SPACE)
        self._column.setSpacing(SPACE)
        for name, label, hint in TEXTS:
            self._add(name, label, self._text_field(name, label, hint))
        self._add("difficulty", "Difficulty", self._difficulty_row())
        for name, label, words in _TAGS:
            self._add(name, label, self._tag_boxes(name, words))
        self._column.addStretch(1)
        self.setWidget(body)

    def show_puzzle(self, puzzle: Puzzle) -> None:
        """Shows the fields; a cursor stays where it is if its text stays."""
        self.puzzle = puzzle
        for name, field in self.texts.items():
            _set_text(field, getattr(puzzle, name))
        for (name, word), box in self.tags.items():
            box.blockSignals(True)
            box.setChecked(word in {folded(tag) for tag in getattr(puzzle, name)})
            box.blockSignals(False)
        for word, button in self.difficulty.items():
            button.setChecked(folded(puzzle.difficulty) == word)
        self._group.setExclusive(False)
        if folded(puzzle.difficulty) not in self.difficulty:
            for button in self.difficulty.values():
                button.setChecked(False)
        self._group.setExclusive(True)

    def suggest(self, has_grid: bool) -> None:
        """Offers tags that the steps suggest; none is set automatically."""
        actions = {action_of(step.explanation) for step in self.puzzle.reasoning}
        speaks = {Skill.SPATIAL: PuzzleAction.SKETCHING in actions, Modality.STRUCTURED: has_grid}
        for word, button in self._suggested.items():
            is_set = self.tags[self._field_of(word), word].isChecked()
            button.setVisible(speaks.get(word, False) and not is_set)  # type: ignore[call-overload]

    def suggestions(self) -> list[str]:
        """The tags that are offered."""
        return [word for word, button in self._suggested.items() if not button.isHidden()]

    def mark(self, findings: Sequence[PuzzleFinding]) -> None:
        """Shows each finding at its field."""
        with held_in_place(self):
            for name, marks in self.marks.items():
                marks.show_problems([finding for finding in findings if finding.path[:1] == (name,)])

    def focus_field(self, name: str) -> None:
        """Goes to a field."""
        field: QWidget | None = self.texts.get(name)
        if name == "difficulty":
            field = next(iter(self.difficulty.values()))
        elif field is None:
            field = next((box for (tag, _), box in self.tags.items() if tag == name), None)
        if field is not None:
            field.setFocus()
            self.ensureWidgetVisible(field)

    def set_read_only(self, value: bool) -> None:
        """Whether the fields can be changed."""
        for field in self.texts.values():
            field.setReadOnly(value)
        for control in (*self.tags.values(), *self.difficulty.values(), *self._suggested.values()):
            control.setEnabled(not value)

    # Changes by the person ---------------------------------------------------------------------------------------

    def _typed(self, name: str, label: str, text: str) -> None:
        if text != getattr(self.puzzle, name):
            self.changed.emit(replace(self.puzzle, **{name: text}), label.lower(), name)  # type: ignore[arg-type]

    def _ticked(self, name: str, word: str, ticked: bool) -> None:
        tags = tuple(tag for tag in getattr(self.puzzle, name) if folded(tag) != word)
        tags = (*tags, word) if ticked else tags
        self.changed.emit(replace(self.puzzle, **{name: tags}), f"tag {word.replace('_', ' ')}", "")  # type: ignore[arg-type]

    def _chose(self, word: str) -> None:
        self.changed.emit(replace(self.puzzle, difficulty=word), "difficulty", "")

    # Parts -------------------------------------------------------------------------------------------------------

    def _add(self, name: str, label: str, field: QWidget) -> None:
        caption = QLabel(label)
        caption.setObjectName("caption")
        self.marks[name] = ProblemLines(keeps_room=True)
        self._column.addWidget(caption)
        self._column.addWidget(field)
        self._column.addWidget(self.marks[name])
        self._column.addSpacing(2 * SPACE)

    def _text_field(self, name: str, label: str, hint: str) -> QWidget:
        field: QLineEdit | QPlainTextEdit
        if name == "flavor_text":
            field = QPlainTextEdit()
            field.setUndoRedoEnabled(False)
            field.setTabChangesFocus(True)
            field.setFixedHeight(22 * SPACE)
            field.textChanged.connect(lambda field=field: self._typed(name, label, field.toPlainText()))
        else:
            field = QLineEdit()
            field.textEdited.connect(lambda text: self._typed(name, label, text))
        field.setPlaceholderText(hint)
        field.setAccessibleName(label)
        field.installEventFilter(SharedHistory(field))
        self.texts[name] = field
        return field

    def _difficulty_row(self) -> QWidget:
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * SPACE)
        self._group = QButtonGroup(self)
        for difficulty in PuzzleDifficulty:
            button = QPushButton(difficulty.value.capitalize())
            button.setCheckable(True)
            button.clicked.connect(lambda _, word=difficulty.value: self._chose(word))
            self._group.addButton(button)
            self.difficulty[difficulty.value] = button
            layout.addWidget(button)
        layout.addStretch(1)
        return row

    def _tag_boxes(self, name: str, words: Sequence[Modality | Skill]) -> QWidget:
        body = QWidget()
        flow = FlowLayout(body)
        for word in words:
            box = QCheckBox(word.label)
            box.setToolTip(word.meaning)
            box.toggled.connect(lambda on, word=word.value: self._ticked(name, word, on))
            self.tags[name, word.value] = box
            flow.addWidget(box)

        def offered(word: str) -> bool:
            return word in (Skill.SPATIAL, Modality.STRUCTURED)

        for word in filter(offered, words):
            button = QPushButton(f"Suggested: {word.value}")
            button.setObjectName("link")
            button.setToolTip("The steps suggest this tag; click to set it")
            button.clicked.connect(lambda _, box=self.tags[name, word.value]: box.setChecked(True))
            button.hide()
            self._suggested[word.value] = button
            flow.addWidget(button)
        return body

    def _field_of(self, word: str) -> str:
        return next(name for name, tag in self.tags if tag == word)


def _set_text(field: QLineEdit | QPlainTextEdit, text: str) -> None:
    if isinstance(field, QLineEdit):
        if field.text() != text:
            replace_line(field, text)
    elif field.toPlainText() != text:
        field.blockSignals(True)
        replace_text(field, text)
        field.blockSignals(False)
