"""The head of every page: where one is, what time is left, and what can be done."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.app.studies.participant.pages.later_pages import clock_text
from spatial_workbench.app.studies.participant.texts import announce, words
from spatial_workbench.engine.core.languages.translation import ntr, tr
from spatial_workbench.engine.studies.planning.document import ItemKind, ItemPhase
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.engine.studies.sessions.sitting import Sitting
from spatial_workbench.widgets.appearance import appearance, scaled
from spatial_workbench.widgets.qt import call_later
from spatial_workbench.widgets.theme import SPACE

SUBMIT_KEY = "F9"
NOTICE_MS = 6_000
ONE_ROW_SCALE = 1.3
"""Up to this type scale everything fits into one row."""


class Head(QWidget):
    """A bar with the number of the item, the time left, and buttons.

    Signals:
        submitted(), finished(), gave_up(), paused(), helped(), stopped(): the person wants that.
    """

    submitted = Signal()
    finished = Signal()
    gave_up = Signal()
    paused = Signal()
    helped = Signal()
    stopped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._is_covered = False
        self._warned_at: int | None = None
        self._notice = ""
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.place = words("", "panelTitle", wraps=False)
        self.time = words("", "timeLeft", wraps=False)
        self.time.setAccessibleName(tr("Time left"))
        self.told = words("", "note", wraps=False)
        self.submit = _button(f"{tr('Submit')} ({SUBMIT_KEY})", self.submitted, tr("Hand in the answer"))
        self.submit.setObjectName("primary")
        self.submit.setAccessibleName(tr("Submit"))
        self.finish = _button(tr("Next item"), self.finished, tr("Go on with what was handed in last"))
        self.give_up = _button(tr("Give up"), self.gave_up, tr("Give up this item and go on to the next one"))
        self.pause = _button(tr("Pause"), self.paused, tr("Stop the clock; the item is covered meanwhile"))
        self.help = _button(tr("Help"), self.helped, tr("Read the instructions again; the clock goes on"))
        self.stop = _button(tr("Stop…"), self.stopped, tr("Stop taking part, now or for good"))
        self._lay_out()

    def _lay_out(self) -> None:
        """One row; two where the text is so large that one would be wider than a small screen."""
        rows = QVBoxLayout(self)
        rows.setContentsMargins(4 * SPACE, 2 * SPACE, 4 * SPACE, 2 * SPACE)
        rows.setSpacing(2 * SPACE)
        row = QHBoxLayout()
        row.setSpacing(4 * SPACE)
        for label in (self.place, self.time, self.told):
            row.addWidget(label)
        row.addStretch(1)
        row.addWidget(self.stop)
        rows.addLayout(row)
        buttons = QHBoxLayout()
        if appearance().type_scale > ONE_ROW_SCALE:
            rows.addLayout(buttons)
            buttons.addStretch(1)
        else:
            row.addLayout(buttons)
        buttons.setSpacing(2 * SPACE)
        for button in (self.help, self.pause, self.give_up, self.finish, self.submit):
            buttons.addWidget(button)

    def show_sitting(self, sitting: Sitting | None) -> None:
        """Shows what belongs to the page of a session; nothing before there is one."""
        self.setVisible(sitting is not None and not sitting.state.page.is_last)
        if sitting is None or sitting.state.page.is_last:
            return
        at_item = sitting.state.page in (StudyPage.ITEM, StudyPage.CHECKING)
        self.place.setText(place_of(sitting) if at_item else sitting.state.study.name)
        is_instance = at_item and sitting.state.item.kind is ItemKind.INSTANCE
        self.submit.setVisible(at_item)
        self.give_up.setVisible(is_instance and sitting.state.item.phase is not ItemPhase.COMPREHENSION)
        self.help.setVisible(at_item)
        self.pause.setVisible(at_item and sitting.state.study.limits.pauses.kind == "any")
        self.show_state(sitting)

    def set_covered(self, covered: bool) -> None:
        """Disables what cannot be done while the item is covered, or something is asked."""
        self._is_covered = covered

    def show_state(self, sitting: Sitting) -> None:
        """Shows what changes while an item is worked on."""
        at_item = sitting.state.page in (StudyPage.ITEM, StudyPage.CHECKING)
        free = at_item and not self._is_covered
        self.finish.setVisible(
            at_item and sitting.limits.submissions_left > 0 and bool(sitting.state.record.submissions)
        )
        self.finish.setEnabled(free and sitting.work.can_finish)
        self.submit.setEnabled(free and sitting.work.can_submit)
        self.pause.setEnabled(free and sitting.can_pause)
        self.give_up.setEnabled(free and sitting.work.accepts_work)
        self.help.setEnabled(free and sitting.work.accepts_work)
        self.stop.setEnabled(not self._is_covered)
        wait = sitting.limits.ms_until_submit if at_item else 0
        verb = tr("Continue") if at_item and sitting.state.item.kind is ItemKind.TEXT else tr("Submit")
        later = tr("{button} in {time}", button=verb, time=clock_text(wait))
        self.submit.setText(later if wait else f"{verb} ({SUBMIT_KEY})")
        self.submit.setAccessibleName(verb)
        left = sitting.limits.remaining_ms if at_item else None
        shows = left is not None and sitting.state.condition.clock == "shown"
        self.time.setText(_left_words(left) if shows and left is not None else "")
        self._show_urgency(sitting.state.position == self._warned_at)
        self.told.setText(self._notice or (_feedback_words(sitting) if at_item else ""))

    def show_notice(self, text: str) -> None:
        """Shows a notice for a while, in place of the feedback."""
        self._notice = text
        self.told.setText(text)
        announce(self.told, text)
        call_later(self, lambda: self._drop_notice(text), NOTICE_MS)

    def _drop_notice(self, text: str) -> None:
        if self._notice == text:
            self._notice = ""

    def warn(self, sitting: Sitting, left_ms: int) -> None:
        """Warns that the limit is near, if people see how much time is left."""
        if sitting.state.condition.clock == "shown":
            self._warned_at = sitting.state.position
            self._show_urgency(True)
            announce(self.time, _left_words(left_ms), urgent=True)

    def _show_urgency(self, is_urgent: bool) -> None:
        """Makes the time left bold and as red as errors, or as quiet as before."""
        name = "urgent" if is_urgent else "timeLeft"
        if self.time.objectName() != name:
            self.time.setObjectName(name)
            self.time.style().polish(self.time)


def place_of(sitting: Sitting) -> str:
    """Which item it is, of how many."""
    number, count = sitting.state.count
    if sitting.state.item.phase in (ItemPhase.PRACTICE, ItemPhase.COMPREHENSION):
        return tr("Practice {number} of {count}", number=number, count=count)
    return tr("Item {number} of {count}", number=number, count=count)


def _left_words(ms: int) -> str:
    """How much time is left."""
    return tr("{time} left", time=clock_text(ms))


def _feedback_words(sitting: Sitting) -> str:
    """The feedback on the answers handed in so far."""
    from spatial_workbench.app.studies.participant.pages.later_pages import sentence_of

    left = sitting.limits.submissions_left
    told = sitting.state.last_told
    if not sitting.state.record.submissions or not left:
        return ""
    said = sentence_of(told) if told is not None else tr("Handed in")
    return f"{said} · {ntr('{number} more try', '{number} more tries', left)}"


def _button(text: str, signal: SignalInstance, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    button.setMinimumHeight(scaled(30))
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.clicked.connect(lambda _=False: signal.emit())
    return button
