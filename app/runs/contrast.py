"""Two verdicts on one answer: linked drawings side by side, the checks beside each other, and the ruling below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeySequence, QPixmap, QShortcut
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts import drawings
from spatial_workbench.app.attempts.columns import instance_title
from spatial_workbench.app.attempts.dossier import RULINGS, ruling_words
from spatial_workbench.app.attempts.latest import Latest
from spatial_workbench.app.attempts.stage import ComparisonStage
from spatial_workbench.app.frame.people import author_of
from spatial_workbench.engine.core import Check, State, Verdict
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.engine.evaluation.rulings import CheckPair, RulingContrast
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.qt import top_items
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import Jobs
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.engine.store import Attempt, Difference

_ELEMENTS = Qt.ItemDataRole.UserRole
_STATES = {
    State.PASSED: ("passed", "passed", "passed"),
    State.FAILED: ("failed", "failed", "failed"),
    State.NOT_REACHED: ("not_reached", "not_reached", "not reached"),
}
LISTED = 8
"""Elements that are named; the rest are counted."""


class ContrastPanel(QWidget):
    """Shows a difference.

    Signals:
        ruled(str, str, bool): a ruling (a verifier's name, "both" or "neither"), a note, and whether it holds for all
            alike that nobody ruled on yet.
        next_wanted(): go to the next difference without a ruling.
    """

    ruled = Signal(str, str, bool)
    next_wanted = Signal()

    def __init__(self, project: ProjectService, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._project = project
        self._jobs = jobs
        self._latest = Latest()
        self._is_closed = False
        self._is_linking = False
        self.difference: Difference | None = None
        self.contrast: RulingContrast | None = None
        self.stages = (ComparisonStage("The first verdict, drawn"), ComparisonStage("The second verdict, drawn"))
        self.sides = (Side(self.stages[0]), Side(self.stages[1]))
        for stage in self.stages:
            stage.view_changed.connect(lambda source=stage: self._link(source))
        self.checks = self._make_checks()
        self._make_head()
        self._make_ruling()
        self._lay_out()
        self.clear()

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown."""
        return self._latest.is_idle

    def clear(self) -> None:
        """Shows nothing."""
        self.difference = self.contrast = None
        self._title.setText("")
        self._elements.setText("")
        self.checks.clear()
        for stage in self.stages:
            stage.show_words("Select a disagreement to see it here.")
        self._rulings.setEnabled(False)

    def show_difference(self, difference: Difference) -> None:
        """Shows a difference; the drawings follow once they are ready."""
        is_same = self.difference is not None and _place(self.difference) == _place(difference)
        self.difference = difference
        self._show_ruling(difference, keep_note=is_same)
        if is_same:
            return
        self._latest.run(
            lambda ended: self._project.ask(
                lambda project: project.attempts.get(difference.attempt),
                lambda attempt: self._draw(attempt, difference, ended),
                lambda text: self._give_up(text, ended),
            )
        )

    def offer_alike(self, count: int) -> None:
        """Offers to rule on `count` similar differences together, if there are at least two."""
        self.alike.setVisible(count > 1)
        self.alike.setChecked(self.alike.isChecked() and count > 1)
        self.alike.setText(f"All {count:,} alike")

    def close_panel(self) -> None:
        """Releases the graphics resources."""
        self._is_closed = True
        for stage in self.stages:
            stage.close_view()

    def _draw(self, attempt: Attempt, difference: Difference, ended: Callable[[], None]) -> None:
        if self._is_closed:
            return
        verdicts = {verdict.verifier: verdict for verdict in attempt.verdicts}
        first, second = verdicts[difference.first], verdicts[difference.second]
        self._show_words(attempt, RulingContrast(first, second))
        self._jobs.live.run(
            "Drawing the verdicts",
            drawings.draw_both,
            attempt.address,
            attempt.answer,
            first,
            second,
            done=lambda drawn: self._show_drawings(drawn, ended),
            failed=lambda text: self._give_up(text, ended),
            quiet=True,
        )

    def _give_up(self, text: str, ended: Callable[[], None]) -> None:
        if not self._is_closed:
            for stage in self.stages:
                stage.show_words(f"This attempt could not be drawn. {text}")
            ended()

    def _show_drawings(self, drawn: Sequence[drawings.AttemptDrawing], ended: Callable[[], None]) -> None:
        if self._is_closed:
            return
        if not self._latest.is_outdated and self.contrast is not None:
            for stage, drawing in zip(self.stages, drawn, strict=True):
                if drawing.scene is None:
                    stage.show_words(drawing.trouble)
                else:
                    stage.show_scene(drawing.scene)
            self._mark()
            self._link(self.stages[0])
        ended()

    def _mark(self) -> None:
        """Marks on each side what its verdict objects to, and outlines what only the other one objects to."""
        if self.contrast is None:
            return
        self.stages[0].mark(self.contrast.first.failed_elements, self.contrast.only_second)
        self.stages[1].mark(self.contrast.second.failed_elements, self.contrast.only_first)

    def _show_words(self, attempt: Attempt, contrast: RulingContrast) -> None:
        self.contrast = contrast
        self._title.setText(f"{instance_title(attempt.address)}")
        self._subtitle.setText(with_marks(f"Attempt {attempt.number} · {author_of(attempt)}"))
        for side, verdict in zip(self.sides, (contrast.first, contrast.second), strict=True):
            side.show_verdict(verdict)
        self._elements.setText(with_marks(elements_words(contrast)))
        self._show.setVisible(bool(contrast.only_first or contrast.only_second))
        self.checks.setHeaderLabels(["Check", contrast.first.verifier, contrast.second.verifier])
        self.checks.clear()
        for pair in contrast.checks:
            self.checks.addTopLevelItem(_row(pair))
        differing = (row for row, pair in zip(top_items(self.checks), contrast.checks, strict=True) if pair.differs)
        first = next(differing, None)
        if first is not None:
            self.checks.scrollToItem(first, QTreeWidget.ScrollHint.PositionAtCenter)

    def _show_ruling(self, difference: Difference, keep_note: bool) -> None:
        self._rulings.setEnabled(True)
        # An exclusive group would keep the last button pressed even where there is no ruling.
        self._group.setExclusive(False)
        values = (difference.first, difference.second, "both", "neither")
        for number, (button, value) in enumerate(zip(self.buttons, values, strict=True), 1):
            button.setText(ruling_words(value))
            button.setProperty("ruling", value)
            button.setToolTip(f"{ruling_words(value)} (Alt+{number})")
            button.setChecked(value == difference.ruling)
        self._group.setExclusive(True)
        if not keep_note:
            self.note.setText(difference.note or "")

    def _ask_ruling(self, button: QPushButton) -> None:
        self.ruled.emit(button.property("ruling"), self.note.text(), self.alike.isChecked())

    def _note_entered(self) -> None:
        """Enter stores the note with the current ruling."""
        button = next((candidate for candidate in self.buttons if candidate.isChecked()), None)
        if button is not None:
            self._ask_ruling(button)

    def _show_elements(self, elements: Sequence[str]) -> None:
        for stage in self.stages:
            stage.show_elements(elements)

    def _check_chosen(self) -> None:
        item = self.checks.currentItem()
        elements = item.data(0, _ELEMENTS) if item is not None else ()
        if elements:
            self._show_elements(elements)
        else:
            self._mark()

    def _show_differing(self) -> None:
        if self.contrast is not None:
            self._show_elements((*self.contrast.only_first, *self.contrast.only_second))

    def _link(self, source: ComparisonStage) -> None:
        other = self.stages[1] if source is self.stages[0] else self.stages[0]
        if self._is_linking or source.view is None or other.view is None or type(source.view) is not type(other.view):
            return
        self._is_linking = True
        other.view.set_view_state(source.view.view_state())
        self._is_linking = False

    def _make_checks(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setRootIsDecorated(False)
        tree.setIconSize(QSize(16, 16))
        tree.setAccessibleName("Checks of both verdicts")
        tree.setHeaderLabels(["Check", "", ""])
        tree.header().setStretchLastSection(False)
        for column in range(3):
            tree.header().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        tree.currentItemChanged.connect(lambda *_: self._check_chosen())
        tree.itemClicked.connect(lambda *_: self._check_chosen())
        return tree

    def _make_head(self) -> None:
        self._title = QLabel()
        self._title.setObjectName("panelTitle")
        self._subtitle = QLabel()
        self._subtitle.setObjectName("secondary")
        self._elements = QLabel()
        self._elements.setWordWrap(True)
        self._elements.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._show = QPushButton(icon("eye"), "Show")
        self._show.setToolTip("Fly to the elements in which only one of the two finds a fault")
        self._show.setAccessibleName("Show the elements that differ")
        self._show.clicked.connect(self._show_differing)
        self._show.hide()

    def _make_ruling(self) -> None:
        self._rulings = QWidget()
        self._group = QButtonGroup(self)
        self.buttons = []
        for number, text in enumerate(("", "", *RULINGS.values()), 1):
            button = QPushButton(text)
            button.setCheckable(True)
            self._group.addButton(button)
            self.buttons.append(button)
            shortcut = QShortcut(QKeySequence(f"Alt+{number}"), self, context=Qt.ShortcutContext.WindowShortcut)
            shortcut.activated.connect(button.click)
        self._group.buttonClicked.connect(self._ask_ruling)
        self.note = QLineEdit()
        self.note.setPlaceholderText("Note")
        self.note.setToolTip("Stored with the ruling")
        self.note.setAccessibleName("Note on the ruling")
        self.note.setClearButtonEnabled(True)
        self.note.returnPressed.connect(self._note_entered)
        self.alike = QCheckBox()
        self.alike.setToolTip(
            "Rule on this one and on all others of the same task, verifiers and check that have no ruling"
        )
        self.alike.hide()
        self._next = QPushButton("Next")
        self._next.setToolTip("Go to the next one without a ruling (Alt+N)")
        self._next.setAccessibleName("Next without a ruling")
        self._next.setShortcut(QKeySequence("Alt+N"))
        self._next.clicked.connect(self.next_wanted)
        row = QHBoxLayout(self._rulings)
        row.setContentsMargins(4 * SPACE, 3 * SPACE, 4 * SPACE, 3 * SPACE)
        row.setSpacing(2 * SPACE)
        for button in self.buttons:
            row.addWidget(button)
        row.addWidget(self.alike)
        row.addWidget(self.note, 1)
        row.addWidget(self._next)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(4 * SPACE, 3 * SPACE, 4 * SPACE, 3 * SPACE)
        head.setSpacing(3 * SPACE)
        head.addWidget(self._title)
        head.addWidget(self._subtitle)
        head.addStretch(1)
        views = QSplitter()
        views.setHandleWidth(1)
        for side in self.sides:
            views.addWidget(side)
        views.setChildrenCollapsible(False)
        lower = QWidget()
        column = QVBoxLayout(lower)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        words = QHBoxLayout()
        words.setContentsMargins(4 * SPACE, 2 * SPACE, 4 * SPACE, 2 * SPACE)
        words.addWidget(self._elements, 1)
        words.addWidget(self._show)
        column.addLayout(words)
        column.addWidget(self.checks, 1)
        column.addWidget(self._rulings)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(views)
        self.splitter.addWidget(lower)
        self.splitter.setSizes([430, 330])
        self.splitter.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.splitter, 1)


class Side(QWidget):
    """A drawing under the name, the score and the result of its verdict."""

    def __init__(self, stage: ComparisonStage) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._name = QLabel()
        self._mark = QLabel()
        self._score = QLabel()
        self._score.setObjectName("panelTitle")
        head = QHBoxLayout()
        head.setContentsMargins(4 * SPACE, SPACE, 4 * SPACE, 2 * SPACE)
        head.setSpacing(2 * SPACE)
        head.addWidget(self._mark)
        head.addWidget(self._name)
        head.addStretch(1)
        head.addWidget(self._score)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(stage, 1)

    def show_verdict(self, verdict: Verdict) -> None:
        """Shows which verifier's verdict is drawn, and its result."""
        role = "passed" if verdict.passed else "failed"
        self._mark.setPixmap(icon(role, role).pixmap(QSize(16, 16)))
        word = "passed" if verdict.passed else "not passed"
        self._name.setText(f"{verdict.verifier} {verdict.version} · {word}")
        self._score.setText(score_words(verdict.score))


def elements_words(contrast: RulingContrast) -> str:
    """The elements that only one of the two finds fault with: "Only default: brick 17. Only crosscheck: brick 21."."""
    sides = ((contrast.first.verifier, contrast.only_first), (contrast.second.verifier, contrast.only_second))
    parts = [f"Only {name}: {_named(elements)}." for name, elements in sides if elements]
    return " ".join(parts) or "Both find faults in the same elements."


def _named(elements: Sequence[str]) -> str:
    more = len(elements) - LISTED
    return ", ".join(elements[:LISTED]) + (f" and {more:,} more" if more > 0 else "")


def _row(pair: CheckPair) -> QTreeWidgetItem:
    row = QTreeWidgetItem([pair.name])
    row.setData(0, _ELEMENTS, pair.elements)
    row.setToolTip(0, pair.name)
    for column, check in ((1, pair.first), (2, pair.second)):
        _fill(row, column, check)
    row.setIcon(0, icon("warning", "warning") if pair.differs else _blank())
    if pair.differs:
        for column in range(3):
            font = row.font(column)
            font.setBold(True)
            row.setFont(column, font)
    return row


def _fill(row: QTreeWidgetItem, column: int, check: Check | None) -> None:
    if check is None:
        row.setText(column, "has no such check")
        return
    name, role, word = _STATES[check.state]
    row.setIcon(column, icon(name, role))
    row.setText(column, with_marks(f"{word}: {check.message}") if check.state is State.FAILED else word)
    row.setToolTip(column, "\n".join([row.text(column), *(problem.message for problem in check.problems[:LISTED])]))


def _blank() -> QIcon:
    """A transparent icon that keeps the column aligned."""
    empty = QPixmap(16, 16)
    empty.fill(Qt.GlobalColor.transparent)
    return QIcon(empty)


def _place(difference: Difference) -> tuple[object, ...]:
    return (
        difference.attempt,
        difference.first,
        difference.second,
        difference.first_score,
        difference.second_score,
        difference.by_check,
    )
