"""The verdict: score, checks in order, figures, warnings. A click on a check shows its elements."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRectF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.engine.core import FULL_SCORE, Check, LiveRule, Openness, State, Verdict
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import marked, tr
from spatial_workbench.engine.core.reading.how_read import HowRead
from spatial_workbench.engine.core.words import score_words, unit_for
from spatial_workbench.engine.store.facts import THEIR_SCORE
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.qt import Index, child_items
from spatial_workbench.widgets.theme import SPACE

_ICONS = {State.PASSED: "passed", State.FAILED: "failed", State.NOT_REACHED: "not_reached"}
_ELEMENTS = Qt.ItemDataRole.UserRole
SHOW_WRONG = marked("Show what is wrong")
"""The switch, and the name of the solving aid that using it is recorded as."""
ONLY_FORM = marked("While you build, this tells no more than the form of the answer.")
TELLS_MORE = marked("Right or wrong is told when you submit, or while “{switch}” is on.")
SOME_LATER = marked("What is not reached yet is told when you submit.")
SHOW_WRONG_TIP = marked("Tell right and wrong while you build; your attempts here will record that as help")
EXPLORING_TIP = marked("You are exploring: everything is shown, and your attempts say so")
_STATES = {State.PASSED: marked("passed"), State.FAILED: marked("failed"), State.NOT_REACHED: marked("not reached")}


class ScoreBar(QWidget):
    """The score as a bar that moves to its new value."""

    def __init__(self) -> None:
        super().__init__()
        self._shown = 0.0
        self._role = "accent"
        self._motion = QVariantAnimation(self)
        self._motion.setDuration(160)
        self._motion.valueChanged.connect(self._show_score)
        self.setFixedHeight(8)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Score"))

    def set_score(self, score: float, role: str) -> None:
        """Moves the bar to a score from 0 to 1, in a role of the theme."""
        self._role = role
        self._motion.stop()
        if appearance().reduce_motion or not self.isVisible():
            self._show_score(score)
            return
        self._motion.setStartValue(self._shown)
        self._motion.setEndValue(float(score))
        self._motion.start()

    def _show_score(self, score: float) -> None:
        self._shown = score
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = appearance().theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("line"))
        painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
        if self._shown > 0:
            painter.setBrush(theme.color(self._role))
            width = max(8.0, self.width() * self._shown)
            painter.drawRoundedRect(QRectF(0, 0, width, self.height()), 4, 4)


class VerdictPanel(QWidget):
    """Shows a Verdict.

    Signals:
        elements_clicked(tuple[str, ...]): a check or a problem was clicked; the elements that it names.
        cancel_requested(): the person does not want to wait for the verdict.
        crosscheck_requested(): the person wants to know what the other method says.
        key_requested(): the person wants to see what is missing from the answer.
        wrong_wanted(bool): the person wants to see what is wrong while they build, or no longer.
    """

    elements_clicked = Signal(tuple)
    cancel_requested = Signal()
    crosscheck_requested = Signal()
    key_requested = Signal()
    wrong_wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._verdict: Verdict | None = None
        self._rule = LiveRule()
        self._tells_all = True
        self._offers_wrong = True
        self._offers_key = True
        self._has_old_colours = False
        self._score = QLabel("–")
        self._score.setObjectName("score")
        self._word = QLabel(tr("No verdict yet"))
        self._word_icon = QLabel()
        self._word_icon.setFixedSize(QSize(16, 16))
        self._note = QLabel()
        self._note.setObjectName("secondary")
        self._note.setWordWrap(True)
        self._bar = ScoreBar()
        self._cancel = QPushButton(tr("Cancel"))
        self._cancel.setToolTip(tr("Stop working out this verdict"))
        self._cancel.clicked.connect(self.cancel_requested)
        self._cancel.hide()
        self._tree = self._make_tree()
        self._crosscheck = QPushButton(tr("Cross-check"))
        self._crosscheck.setToolTip(tr("Check the answer by another method and compare"))
        self._crosscheck.clicked.connect(self.crosscheck_requested)
        self._key = QPushButton(tr("Show the key…"))
        self._key.setToolTip(tr("Show what is missing; your attempts here will record that you asked"))
        self._key.clicked.connect(self.key_requested)
        self._key.hide()
        self.wrong = QCheckBox(tr(SHOW_WRONG))
        self.wrong.setToolTip(tr(SHOW_WRONG_TIP))
        self.wrong.clicked.connect(self.wrong_wanted)
        self.wrong.hide()
        for button in (self._cancel, self._key):
            _keep_room(button)
        self._lay_out()
        appearance().changed.connect(self._retint)

    def show_verdict(self, verdict: Verdict | None, is_current: bool = True) -> None:
        """Shows a verdict; it is greyed if it is not current, which means that the answer has changed since."""
        self._verdict = verdict
        self.set_current(is_current)
        is_withheld = verdict is not None and verdict.is_partial and not verdict.passed
        self._key.setVisible(is_withheld and self._tells_all and self._offers_key)
        if verdict is None:
            self._show_undecided(tr("No verdict yet"), None)
            self._note.setText("")
            self._tree.clear()
            return
        self._note.setText(self._about(verdict))
        self._fill_rows(verdict)
        if verdict.is_undecided:
            self._show_undecided(*_undecided_word(verdict))
            return
        self._score.setText(score_words(verdict.score))
        role = "passed" if verdict.passed else "failed"
        self._show_word(tr("Passed") if verdict.passed else tr("Not passed"), role)
        self._bar.set_score(verdict.score, role)

    def _show_undecided(self, word: str, role: str | None) -> None:
        self._score.setText("–")
        self._show_word(word, role)
        self._bar.set_score(0.0, "accent")

    def show_rule(self, rule: LiveRule, openness: Openness, explores: bool = False) -> None:
        """Shows how much verdicts tell while somebody builds, and the switch for more where a rule withholds some."""
        self._rule = rule
        self._tells_all = openness > Openness.RULE or not rule.withholds
        self._crosscheck.setEnabled(self._tells_all)
        self.wrong.setVisible(rule.withholds and self._offers_wrong)
        self.wrong.setChecked(openness > Openness.RULE)
        self.wrong.setEnabled(not explores)
        self.wrong.setToolTip(tr(EXPLORING_TIP if explores else SHOW_WRONG_TIP))
        self._retint()

    def offer_help(self, wrong: bool, key: bool) -> None:
        """Offers the switch that shows what is wrong, and the key; or leaves them and every word about them out."""
        self._offers_wrong, self._offers_key = wrong, key

    def _about(self, verdict: Verdict) -> str:
        """Which verifier judged; if it shows less than it found, how much it shows and how to see more."""
        if self._tells_all or not verdict.is_partial or not verdict.is_undecided:
            return _origin(verdict)
        if not verdict.is_of_form:
            return tr(SOME_LATER)
        more = tr(TELLS_MORE, switch=tr(SHOW_WRONG)) if self._offers_wrong else ""
        return f"{tr(ONLY_FORM)} {more}".strip()

    def set_current(self, is_current: bool) -> None:
        """Greys the verdict while it belongs to an older answer."""
        self._tree.setEnabled(is_current)
        self._score.setEnabled(is_current)

    def offer_crosscheck(self, offered: bool) -> None:
        """Shows or hides the button for the cross-check; it is not offered where all verdicts are stored already."""
        self._crosscheck.setVisible(offered)

    def show_for_participant(self, verdict: Verdict) -> None:
        """Shows a verdict to somebody who can do nothing about it: no buttons, and no word of the verifier."""
        self.show_verdict(verdict)
        for widget in (self._crosscheck, self._key, self._note, self.wrong):
            widget.hide()

    def show_waiting(self, waiting: bool, text: str = "") -> None:
        """Shows that a verdict is being computed, with a button to stop it; the live verdict stays."""
        self._cancel.setVisible(waiting)
        if waiting and (self._tells_all or text):
            self._note.setText(text or tr("Verifying…"))
        elif self._verdict is not None:
            self._note.setText(self._about(self._verdict))

    def show_comparison(self, text: str, agree: bool) -> None:
        """Says what the cross-check found."""
        self._note.setText(text)
        word = tr("Methods agree") if agree else tr("Methods disagree")
        self._show_word(word, "passed" if agree else "warning")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tree.scheduleDelayedItemsLayout()

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setHeaderHidden(True)
        tree.setColumnCount(2)
        tree.setRootIsDecorated(True)
        tree.setIndentation(16)
        tree.setIconSize(QSize(16, 16))
        tree.setWordWrap(True)
        tree.setUniformRowHeights(False)
        tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        tree.setTextElideMode(Qt.TextElideMode.ElideNone)
        tree.setItemDelegateForColumn(0, _Wrapped(tree))
        tree.setAccessibleName(tr("Checks"))
        tree.header().setStretchLastSection(False)
        tree.header().setSectionResizeMode(0, tree.header().ResizeMode.Stretch)
        tree.header().setSectionResizeMode(1, tree.header().ResizeMode.ResizeToContents)
        tree.header().sectionResized.connect(tree.scheduleDelayedItemsLayout)
        tree.itemClicked.connect(self._clicked)
        tree.itemActivated.connect(self._clicked)
        return tree

    def _fill_rows(self, verdict: Verdict) -> None:
        self._tree.clear()
        # What had to be done to read an answer comes first: it is about all that follows.
        is_mended = verdict.how_read in (HowRead.MENDED, HowRead.SEVERAL)
        sections = list(self._warning_items(verdict)) if is_mended else []
        checks = [self._check_item(check) for check in verdict.checks]
        self._tree.addTopLevelItems(checks)
        sections += self._figure_items(verdict)
        sections += [] if is_mended else self._warning_items(verdict)
        # If rows were added since the last call, each of these calls lays out the whole tree.
        for row, check in zip(checks, verdict.checks, strict=True):
            row.setExpanded(bool(check.problems) or check.name == FULL_SCORE)
        problems = [problem for row in checks for problem in child_items(row)]
        for row in (*checks, *problems, *sections):
            row.setFirstColumnSpanned(True)

    def _figure_items(self, verdict: Verdict) -> Iterator[QTreeWidgetItem]:
        """Adds the figures; yields the rows that span both columns."""
        if verdict.figures:
            section = self._section(tr("Figures"))
            for figure in verdict.figures:
                words = f"{_number(figure.value)} {said(unit_for(figure.value, figure.unit))}".strip()
                row = QTreeWidgetItem(section, [said(figure.name), words])
                row.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            yield section

    def _warning_items(self, verdict: Verdict) -> Iterator[QTreeWidgetItem]:
        """Adds the warnings; yields the rows that span both columns."""
        if verdict.warnings:
            section = self._section(tr("Warnings"))
            for warning in verdict.warnings:
                row = QTreeWidgetItem(section, [said(warning)])
                row.setIcon(0, icon("warning", "warning"))
                row.setToolTip(0, said(warning))
                yield row
            yield section

    def _check_item(self, check: Check) -> QTreeWidgetItem:
        row = QTreeWidgetItem([said(check.name)])
        role = {State.PASSED: "passed", State.FAILED: "failed", State.NOT_REACHED: "not_reached"}[check.state]
        row.setIcon(0, icon(_ICONS[check.state], role))
        row.setToolTip(0, f"{said(check.name)}: {tr(_STATES[check.state])}\n{said(check.message)}".strip())
        row.setData(0, _ELEMENTS, check.elements)
        if check.state is State.NOT_REACHED:
            row.setForeground(0, appearance().theme.color("not_reached"))
        for problem in check.problems:
            child = QTreeWidgetItem(row, [with_marks(said(problem.message))])
            child.setToolTip(0, said(problem.message))
            child.setData(0, _ELEMENTS, problem.elements)
        if check.name == FULL_SCORE and not check.problems:
            message = with_marks(said(check.message))
            QTreeWidgetItem(row, [message]).setToolTip(0, message)
        hidden = check.problem_count - len(check.problems)
        if hidden > 0:
            QTreeWidgetItem(row, [tr("… and {number} more", number=hidden)])
        return row

    def _section(self, title: str) -> QTreeWidgetItem:
        section = QTreeWidgetItem(self._tree, [title])
        section.setForeground(0, appearance().theme.color("secondary"))
        section.setExpanded(True)
        return section

    def _clicked(self, item: QTreeWidgetItem, _column: int = 0) -> None:
        elements = item.data(0, _ELEMENTS)
        if elements:
            self.elements_clicked.emit(tuple(elements))

    def _show_word(self, word: str, role: str | None) -> None:
        self._word.setText(word)
        self._word_icon.clear()
        if role is not None:
            name = "check" if role == "accent" else role
            self._word_icon.setPixmap(icon(name, role).pixmap(QSize(16, 16)))

    def _retint(self) -> None:
        """Adopts the colours of another theme once it is visible."""
        self._has_old_colours = not self.isVisible()
        if self.isVisible():
            self.show_verdict(self._verdict, self._tree.isEnabled())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._has_old_colours:
            self._retint()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(2 * SPACE)
        top.addWidget(self._word_icon)
        top.addWidget(self._word)
        top.addStretch(1)
        top.addWidget(self._score)
        bottom = QHBoxLayout()
        bottom.addWidget(self._crosscheck)
        bottom.addWidget(self._key)
        bottom.addStretch(1)
        bottom.addWidget(self._cancel)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addLayout(top)
        layout.addWidget(self._bar)
        layout.addWidget(self._note)
        layout.addWidget(self._tree, 1)
        layout.addWidget(self.wrong)
        layout.addLayout(bottom)


def _keep_room(widget: QWidget) -> None:
    """Nothing moves when the widget appears or goes."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)


class _Wrapped(QStyledItemDelegate):
    """Wraps long sentences, and makes each row as high as its sentence."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        tree = self.parent()
        assert isinstance(tree, QTreeWidget)
        item = tree.itemFromIndex(index)
        spanned = item.isFirstColumnSpanned()
        room = tree.viewport().width() - 2 * SPACE if spanned else tree.columnWidth(0) - 5 * SPACE
        depth = 2 if item.parent() else 1
        icon_width = 0 if item.icon(0).isNull() else tree.iconSize().width() + 2 * SPACE
        width = room - depth * tree.indentation() - icon_width
        text = QFontMetrics(option.font).boundingRect(
            0, 0, max(60, width), 10_000, Qt.TextFlag.TextWordWrap, index.data() or ""
        )
        return QSize(width, max(tree.iconSize().height(), text.height()) + 2 * SPACE)


def _undecided_word(verdict: Verdict) -> tuple[str, str]:
    """The word, with its role, for an answer that is judged only when it is submitted."""
    if not verdict.is_of_form:
        return tr("Decided when you submit"), "not_reached"
    is_complete = all(check.state is State.PASSED for check in verdict.checks)
    return (tr("Complete in form"), "accent") if is_complete else (tr("Unfinished"), "not_reached")


def _origin(verdict: Verdict) -> str:
    if verdict.verifier == THEIR_SCORE:
        return tr("Their score, as it was imported")
    time = _elapsed(verdict.elapsed_s)
    return tr(
        "{verifier} verifier {version} · {time}",
        verifier=verdict.verifier,
        version=verdict.version,
        time=tr("{time} (cached)", time=time) if verdict.is_cached else time,
    )


def _elapsed(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{seconds * 1000:.0f} ms" if seconds >= 0.001 else tr("under 1 ms")


def _number(value: float | int | str) -> str:
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else said(value)
