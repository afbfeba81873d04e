"""Forms of the review: one reviewer's decision, and three columns where two reviewers differ."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.annotation.differences import (
    FIELDS,
    PuzzleDifference,
    differences,
    marked_words,
    settled,
)
from spatial_workbench.engine.puzzles.annotation.review import JudgedAnnotation, PuzzleDecision, StepDecision
from spatial_workbench.engine.puzzles.annotation.vocabulary import Modality, PuzzleDifficulty, Skill
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.widgets.rich_text import make_rich
from spatial_workbench.widgets.theme import SPACE

_TEXT_PX = 72
_LABELS = {JudgedAnnotation.ACCEPT: "Accept", JudgedAnnotation.CHANGE: "Edit", JudgedAnnotation.REJECT: "Reject"}
_NEW = "New text"
_KNOWN: dict[str, tuple[str, ...]] = {"difficulty": (*PuzzleDifficulty,), "modality": (*Modality,), "skills": (*Skill,)}
"""The words that a field may hold."""


class DecisionForm(QWidget):
    """A reviewer's own copy of the steps, the solution and the tags.

    Signals:
        decided(object): the Decision.
        step_chosen(int): the person works on this step, from 1.
    """

    decided = Signal(object)
    step_chosen = Signal(int)

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._puzzle = puzzle
        self.steps = [StepForm(k, step.explanation) for k, step in enumerate(puzzle.reasoning, 1)]
        self.fields = {name: _line(name, _text(getattr(puzzle, name))) for name in FIELDS}
        self.note = _words("")
        self.note.setObjectName("error")
        self.finish = QPushButton("Finish review")
        self.finish.setObjectName("primary")
        self.finish.setToolTip("Your decision cannot be changed afterwards")
        self.finish.clicked.connect(self._finish)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 0, 2 * SPACE, 0)
        layout.setSpacing(3 * SPACE)
        for form in self.steps:
            form.chosen.connect(self.step_chosen)
            layout.addWidget(form)
        for name, field in self.fields.items():
            layout.addWidget(QLabel(name.capitalize()))
            layout.addWidget(field)
        layout.addWidget(self.note)
        layout.addWidget(self.finish)
        layout.addStretch(1)

    def decision(self) -> PuzzleDecision:
        """The decision in the form; unchanged fields are left out."""
        values = {name: self._value(name) for name in FIELDS}
        changed = {name: value for name, value in values.items() if value != getattr(self._puzzle, name)}
        return PuzzleDecision.model_validate({"steps": tuple(form.decision() for form in self.steps), **changed})

    def _value(self, name: str) -> str | tuple[str, ...]:
        text = self.fields[name].text().strip()
        is_list = isinstance(getattr(self._puzzle, name), tuple)
        return tuple(part.strip() for part in text.split(",") if part.strip()) if is_list else text

    def _wrong_field(self) -> str:
        """What is wrong with the solution or the tags, in a sentence."""
        if not self.fields["solution"].text().strip():
            return "The solution is empty."
        for name, known in _KNOWN.items():
            given = self._value(name)
            words = (given,) if isinstance(given, str) else given
            wrong = next((word for word in words if word not in known), None)
            if wrong is not None or not words:
                return f"{name.capitalize()}: “{wrong or ''}” is not one of {', '.join(known)}."
        return ""

    def _finish(self) -> None:
        lacking = next((form.lacking for form in self.steps if form.lacking), "") or self._wrong_field()
        self.note.setText(lacking)
        if not lacking:
            self.decided.emit(self.decision())


class ReadingForm(QWidget):
    """An annotation to be read by people who flag it, assign reviewers or audit it.

    Signals:
        step_chosen(int): the person looks at this step, from 1.
    """

    step_chosen = Signal(int)

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.steps = [ReadStep(k, step.explanation) for k, step in enumerate(puzzle.reasoning, 1)]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 0, 2 * SPACE, 0)
        layout.setSpacing(3 * SPACE)
        for step in self.steps:
            step.chosen.connect(self.step_chosen)
            layout.addWidget(step)
        for name in FIELDS:
            layout.addWidget(_words(f"{name.capitalize()}: {_text(getattr(puzzle, name)) or '–'}"))
        layout.addStretch(1)


class StepPart(QWidget):
    """A part of a form that is about a step, counted from 1; 0: about the puzzle.

    Signals:
        chosen(int): the person went to the part, by a click or by the keyboard.
    """

    chosen = Signal(int)

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def watch(self, *fields: QWidget) -> None:
        """Chooses the part whenever one of its fields is clicked or gets the focus."""
        for field in fields:
            field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.MouseButtonPress):
            self.chosen.emit(self.number)
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.chosen.emit(self.number)
        super().mousePressEvent(event)


class ReadStep(StepPart):
    """A step to be read; a click shows its figure."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(number)
        self.text = _words(text)
        title = QLabel(f"Step {number}")
        title.setObjectName("caption")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addWidget(title)
        layout.addWidget(self.text)


class StepForm(StepPart):
    """A step: accept it, edit it, or reject it with a reason."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(number)
        self._original = text
        self.judged = QComboBox()
        self.judged.setAccessibleName(f"Decision on step {number}")
        for judged, label in _LABELS.items():
            self.judged.addItem(label, judged.value)
        self.judged.currentIndexChanged.connect(lambda _: self._show_decision())
        self.text = QPlainTextEdit(text)
        self.text.setAccessibleName(f"Text of step {number}")
        self.text.setFixedHeight(_TEXT_PX)
        self.text.setTabChangesFocus(True)
        self.text.setAcceptDrops(False)
        self.reason = _line(f"Reason for step {number}", "")
        self.reason.setPlaceholderText("Reason")
        head = QHBoxLayout()
        head.addWidget(QLabel(f"Step {number}"))
        head.addStretch(1)
        head.addWidget(self.judged)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addLayout(head)
        layout.addWidget(self.text)
        layout.addWidget(self.reason)
        self.watch(self.judged, self.text, self.text.viewport(), self.reason)
        self._show_decision()

    @property
    def lacking(self) -> str:
        """The missing part of the decision, in a sentence."""
        judged = self.decision().judged
        text = self.text.toPlainText().strip()
        if judged is JudgedAnnotation.REJECT and not self.reason.text().strip():
            return f"Say why step {self.number} is rejected."
        if judged is JudgedAnnotation.CHANGE and (not text or text == self._original):
            return f"Step {self.number} is to be edited, but its text is empty or unchanged."
        return ""

    def decision(self) -> StepDecision:
        """The decision on the step."""
        judged = JudgedAnnotation(self.judged.currentData())
        text = self.text.toPlainText().strip() if judged is JudgedAnnotation.CHANGE else ""
        return StepDecision(judged=judged, text=text, reason=self.reason.text().strip())

    def _show_decision(self) -> None:
        judged = JudgedAnnotation(self.judged.currentData())
        self.text.setReadOnly(judged is not JudgedAnnotation.CHANGE)
        self.reason.setVisible(judged is not JudgedAnnotation.ACCEPT)


class DisagreementForm(QWidget):
    """Three columns for each difference: the first reviewer, the original, the second; and what is taken.

    Signals:
        settled(object, object): the puzzle as it is to be, and the choice for each difference.
        step_chosen(int): the person works on this step, from 1; 0: on a field of the puzzle.
    """

    settled = Signal(object, object)
    step_chosen = Signal(int)

    def __init__(self, puzzle: Puzzle, first: tuple[str, PuzzleDecision], second: tuple[str, PuzzleDecision]) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._puzzle = puzzle
        self._first = first[1]
        found = differences(puzzle, first[1], second[1])
        self.parts = [DifferencePart(difference, (first[0], second[0])) for difference in found]
        self._place = -1
        self.next = QPushButton("Next difference")
        self.next.clicked.connect(self.go_to_next)
        self.settle = QPushButton("Settle")
        self.settle.setObjectName("primary")
        self.settle.clicked.connect(self._settle)
        head = QHBoxLayout()
        head.addWidget(QLabel(counted(len(found), "difference")))
        head.addStretch(1)
        head.addWidget(self.next)
        head.addWidget(self.settle)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 0, 2 * SPACE, 0)
        layout.setSpacing(4 * SPACE)
        layout.addLayout(head)
        for part in self.parts:
            part.chosen.connect(self.step_chosen)
            layout.addWidget(part)
        layout.addStretch(1)

    def go_to_next(self) -> None:
        """Goes to the next difference, after the last one to the first."""
        if self.parts:
            self._place = (self._place + 1) % len(self.parts)
            self.parts[self._place].taken.setFocus()

    def _settle(self) -> None:
        texts = {part.difference.place: part.text() for part in self.parts}
        puzzle = settled(self._puzzle, self._first, texts)
        choices = tuple(f"{part.difference.place}: {part.choice()}" for part in self.parts)
        self.settled.emit(puzzle, choices)


class DifferencePart(StepPart):
    """A difference: three texts with their different words marked, and the choice."""

    def __init__(self, difference: PuzzleDifference, names: tuple[str, str]) -> None:
        super().__init__(difference.step)
        self.difference = difference
        self._texts = {"A": difference.first, "original": difference.original, "B": difference.second}
        self.shown: list[QLabel] = []
        self.taken = QComboBox()
        self.taken.setAccessibleName(f"The choice for {difference.place}")
        self.taken.addItem(f"Take A ({names[0]})", "A")
        self.taken.addItem("Take the original", "original")
        self.taken.addItem(f"Take B ({names[1]})", "B")
        self.taken.addItem(_NEW, "new")
        self.taken.currentIndexChanged.connect(lambda _: self._show_decision())
        self.new = QPlainTextEdit()
        self.new.setAccessibleName(f"New text for {difference.place}")
        self.new.setFixedHeight(_TEXT_PX)
        self.new.setTabChangesFocus(True)
        self.new.setAcceptDrops(False)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(4 * SPACE)
        layout.setVerticalSpacing(SPACE)
        layout.addWidget(QLabel(difference.place.capitalize()), 0, 0)
        layout.addWidget(self.taken, 0, 2)
        columns = (
            (f"A: {names[0]}", difference.notes[0], difference.first),
            ("Original", "", difference.original),
            (f"B: {names[1]}", difference.notes[1], difference.second),
        )
        for k, (name, note, text) in enumerate(columns):
            caption = QLabel(" · ".join(filter(None, (name, note))))
            caption.setTextFormat(Qt.TextFormat.PlainText)
            caption.setObjectName("caption")
            caption.setWordWrap(True)
            layout.addWidget(caption, 1, k)
            shown = _marked(text, difference.original if k != 1 else text)
            self.shown.append(shown)
            layout.addWidget(shown, 2, k, Qt.AlignmentFlag.AlignTop)
            layout.setColumnStretch(k, 1)
        layout.addWidget(self.new, 3, 0, 1, 3)
        self.watch(self.taken, self.new, self.new.viewport(), *self.shown)
        self._show_decision()

    def choice(self) -> str:
        """A, B, original, or the new text."""
        taken = str(self.taken.currentData())
        return self.text() if taken == "new" else taken

    def text(self) -> str:
        """The chosen text."""
        taken = str(self.taken.currentData())
        return self.new.toPlainText().strip() if taken == "new" else self._texts[taken]

    def _show_decision(self) -> None:
        is_new = self.taken.currentData() == "new"
        if is_new and not self.new.toPlainText():
            self.new.setPlainText(self.difference.first)
        self.new.setVisible(is_new)


def _marked(text: str, other: str) -> QLabel:
    """A text whose words that differ from another are bold and underlined."""
    parts = (
        f"<b><u>{escape(piece)}</u></b>" if differs else escape(piece) for piece, differs in marked_words(text, other)
    )
    label = make_rich(QLabel())
    label.setText("".join(parts))
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _line(name: str, text: str) -> QLineEdit:
    line = QLineEdit(text)
    line.setAccessibleName(name.capitalize())
    return line


def _text(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def _words(text: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label
