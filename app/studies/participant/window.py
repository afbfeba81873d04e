"""The participant's window: shows the pages of a session, and lets nobody do anything else."""

from __future__ import annotations

import re
import sqlite3
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QScreen, QShortcut
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from app.background import judging
from app.background.jobs import Jobs
from app.frame.loading import Loader
from app.frame.style import apply_theme, set_type_scale
from app.studies.participant.column import ColumnPage
from app.studies.participant.covers import Covering, LeaveCover
from app.studies.participant.entry_pages import CodePage, TextPage
from app.studies.participant.head import SUBMIT_KEY, Head
from app.studies.participant.item_page import ItemPage, page_of
from app.studies.participant.kiosk import ClipboardGuard, InputWatch, Kiosk
from app.studies.participant.later_pages import (
    BreakPage,
)
from app.studies.participant.page_making import PageMaker, is_broken
from app.studies.participant.texts import StudyText, words
from engine.core import Verdict
from engine.core.words import counted
from engine.studies.bundles import Bundle
from engine.studies.clock import TICK_MS
from engine.studies.document import Item, ItemKind
from engine.studies.entry import EntryRefused, enter, slot_of, try_out
from engine.studies.keyboard import by_pointer_in
from engine.studies.leaving import Tries, opens
from engine.studies.pages import BEFORE_CONSENT, Cover, Page, Wanted
from engine.studies.queued_file import QueuedSessionFile
from engine.studies.session_file import Damaged
from engine.studies.sitting import Sitting
from engine.studies.slots import Slot
from widgets.appearance import appearance
from widgets.theme import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST

CoverT = TypeVar("CoverT", bound=Covering)
SCALES = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
WINDOW_SIZE = (1280, 800)


class ParticipantWindow(QWidget):
    """One study on one machine, for one person after another.

    bundle_path: where the bundle is; results are written beside it.
    sessions: where sessions are kept; None is the usual place.
    is_kiosk: whether it is only left with the passphrase, and covers all screens while somebody takes part.
    leaves_nothing: whether sessions are only tried out, and nothing of them is kept.

    Signals:
        left(): the window was closed for good.
    """

    left = Signal()

    def __init__(
        self,
        bundle: Bundle,
        bundle_path: Path,
        code: str = "",
        sessions: Path | None = None,
        is_kiosk: bool = True,
        leaves_nothing: bool = False,
    ) -> None:
        super().__init__()
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setWindowTitle(bundle.study.name)
        self.bundle, self._path, self._sessions = bundle, bundle_path, sessions
        self.sitting: Sitting | None = None
        self.jobs = Jobs(self)
        self._is_kiosk, self._leaves_nothing = is_kiosk, leaves_nothing
        self.kiosk = Kiosk(self)
        self._may_close = False
        self._tries = Tries()
        self._materials: str | None = None
        self._wants_code = ""
        self._asking: Covering | None = None
        self._shown: tuple[Page, int] | None = None
        self._covered_by: Cover | None = None
        self._verdicts: dict[int, Verdict] = {}
        self._judging: set[Wanted] = set()
        self._results: tuple[Path | None, str, str] = (None, "", "")
        self._maker = PageMaker(self._verdicts.get, lambda: self._results, self._next_person, is_kiosk)
        self._loader = Loader(self)
        self.head = Head()
        self.head.hide()
        self.stack = QStackedWidget()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(1)
        self._column.addWidget(self.head)
        self._column.addWidget(self.stack, 1)
        self.page: QWidget = QWidget()
        self.stack.addWidget(self.page)
        self._connect()
        self._show_code(code)
        self._check_materials()

    # The window --------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Shows the window. It covers its screen once somebody has agreed to take part."""
        self.resize(*WINDOW_SIZE)
        self.show()
        self.raise_()
        self.activateWindow()
        self.windowHandle().screenChanged.connect(self._screen_changed)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closes after the leader said so, and before anybody began; else asks for the passphrase."""
        is_free = not self._is_kiosk and (self.sitting is None or self.sitting.page.is_last)
        if not (self._may_close or is_free):
            event.ignore()
            self.ask_to_leave()
            return
        self._ticker.stop()
        self._leave_page()
        if self.sitting is not None:
            self.sitting.close()
            self.sitting = None
        self.kiosk.uncover_screens()
        self._watch.stop()
        self.clipboard.stop()
        self._loader.close()
        self.jobs.close()
        self.left.emit()
        super().closeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange and self.kiosk.is_on:
            self._log("fullscreenenter" if self.isFullScreen() else "fullscreenexit")

    def environment(self) -> dict[str, Any]:
        """What is logged of the machine: system, screen, pointers; never its name, its user or its address."""
        import platform

        screen = self.screen().size()
        return {
            "os": platform.system(),
            "screen": [screen.width(), screen.height()],
            "scale": self.screen().devicePixelRatio(),
            "type_scale": appearance().type_scale,
        }

    def grow(self, step: int) -> None:
        """Makes all text larger or smaller."""
        places = [k for k, scale in enumerate(SCALES) if scale <= appearance().type_scale + 1e-6]
        self.set_scale(SCALES[max(0, min(len(SCALES) - 1, (places[-1] if places else 0) + step))])

    def set_scale(self, scale: float) -> None:
        """Sets the size of text, from 1 to 2, and shows the page anew."""
        application = QApplication.instance()
        if scale == appearance().type_scale or not isinstance(application, QApplication):
            return
        set_type_scale(application, scale)
        self._log("view", type_scale=scale)
        fresh = Head()
        self._column.replaceWidget(self.head, fresh)
        self.head.deleteLater()
        self.head = fresh
        self._connect_head()
        self._shown = self._covered_by = None
        if self.sitting is None:
            self._show_code(self._typed_code())
        else:
            self._show()

    # Code --------------------------------------------------------------------------------------------------------

    def _show_code(self, code: str = "") -> None:
        page = CodePage(self.bundle.study, code)
        page.entered.connect(self.begin)
        self._put(page)
        self.head.show_sitting(None)

    def _typed_code(self) -> str:
        return self.page.field.text() if isinstance(self.page, CodePage) else ""

    def begin(self, code: str) -> None:
        """Begins, or goes on with, the session of a code."""
        if self._materials is None:
            self._wants_code = code
            self._refuse("One moment: the items of the study are being checked.")
            return
        if self._materials:
            self._refuse(self._materials)
            return
        try:
            sitting = self._entered(code)
        except (EntryRefused, Damaged) as error:
            self._refuse(str(error))
        except (OSError, sqlite3.Error) as error:
            self._refuse(f"The session cannot be stored: {error}.")
        else:
            self.take(sitting)

    def _entered(self, code: str) -> Sitting:
        slot = slot_of(self.bundle, code)
        if address := self._needs_pointer(slot):
            raise EntryRefused(f"{slot.code} works by keys alone, and the editor of {address} needs a pointer.")
        if self._leaves_nothing:
            return try_out(self.bundle, slot, environment=self.environment())
        return enter(self.bundle, code, self._sessions, environment=self.environment(), file_type=QueuedSessionFile)

    def _needs_pointer(self, slot: Slot) -> str:
        """The first item that cannot be answered by keys alone, if the slot asks for that."""
        if not self.bundle.accommodations_of(slot.code).keyboard_only:
            return ""
        return next(iter(by_pointer_in(self.bundle.study, slot)), "")

    def _refuse(self, text: str) -> None:
        if isinstance(self.page, CodePage):
            self.page.show_fault(text)

    def _check_materials(self) -> None:
        def checked(text: str) -> None:
            self._materials = text
            self._refuse(text)
            if self._wants_code and not text:
                self._refuse("")
                self.begin(self._wants_code)

        self.jobs.live.run(
            "Checking the items",
            judging.check_materials,
            str(self._path),
            done=checked,
            failed=lambda text: checked(f"The items of the study cannot be checked. {text}"),
            quiet=True,
        )

    def take(self, sitting: Sitting) -> None:
        """Shows a session, with the size of text and the colours that its code is to have."""
        self.sitting = sitting
        needs = self.bundle.accommodations_of(sitting.code)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            themes = (DARK, DARK_CONTRAST) if appearance().theme.is_dark else (LIGHT, LIGHT_CONTRAST)
            apply_theme(application, themes[needs.high_contrast], needs.reduced_motion)
            self._first_scale = appearance().type_scale
            self.set_scale(max(needs.type_scale, appearance().type_scale))
        sitting.changed = self._soon.start
        sitting.warned = lambda left_ms: self.head.warn(sitting, left_ms)
        if sitting.note:
            self._ask_once("The file was damaged", sitting.note)
        self._shown = self._covered_by = None
        self._show()

    def _next_person(self) -> None:
        """Forgets the person who has finished, and asks for the next code."""
        assert self.sitting is not None
        self.sitting.close()
        self.sitting = None
        self._verdicts.clear()
        self._judging.clear()
        self._shown = self._covered_by = None
        self._results = (None, "", "")
        self.clipboard.forget()
        self.set_scale(self._first_scale)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            apply_theme(application, DARK if appearance().theme.is_dark else LIGHT)
        self._show_code()

    # Pages -------------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        """Shows the page and the cover of the session as they are now."""
        sitting = self.sitting
        if sitting is None:
            return
        self._judge_wanted()
        self._cover_screen(sitting)
        ends = sitting.page.is_last or sitting.page is Page.LATER
        if ends and self._shown != (sitting.page, sitting.position):
            self._asking = None
            self._store_results()
        at_item = sitting.page in (Page.ITEM, Page.CHECKING) and isinstance(self.page, ItemPage)
        stays = at_item and self._shown is not None and self._shown[1] == sitting.position and self._is_open_item()
        if not stays and self._shown != (sitting.page, sitting.position):
            self._shown = (sitting.page, sitting.position)
            self._put(self._item_page(sitting) if sitting.page is Page.ITEM else self._maker.make(sitting))
        self.head.show_sitting(sitting)
        self._show_cover()

    def _cover_screen(self, sitting: Sitting) -> None:
        """Covers the screen from consent to the end: who has not begun, or has finished, may save files elsewhere."""
        begun = sitting.page not in BEFORE_CONSENT and sitting.page is not Page.LATER and not sitting.page.is_last
        if self._is_kiosk and begun:
            self.kiosk.enter()
        else:
            self.kiosk.leave()

    def is_showing(self, page: Page) -> bool:
        """Whether the session is at this page, and the window shows it."""
        return self.sitting is not None and self._shown == (page, self.sitting.position)

    def _is_open_item(self) -> bool:
        assert self.sitting is not None
        return not self.sitting.record.state.has_ended

    def _store_results(self) -> None:
        """Writes the results beside the bundle; where that cannot be written, beside the session."""
        sitting = self.sitting
        assert sitting is not None
        if self._leaves_nothing or (sitting.page is Page.STOPPED and sitting.state.value != "stopped"):
            return
        try:
            path, digest = sitting.write_results(self._path.parent)
            self._results = (path, digest, "")
        except OSError as error:
            fault = f"The results could not be written to {self._path.parent}: {error.strerror}. Save them elsewhere."
            self._results = (*self._saved_at_home(sitting), fault)

    def _saved_at_home(self, sitting: Sitting) -> tuple[Path | None, str]:
        from engine.studies.session_file import folder_of

        try:
            return sitting.write_results(self._sessions or folder_of(self.bundle.hash))
        except OSError:
            return None, ""

    # Items -------------------------------------------------------------------------------------------------------

    def _item_page(self, sitting: Sitting) -> QWidget:
        """A page that says so while the editor's libraries are loaded; then the item."""
        position = sitting.position
        if sitting.item.kind is ItemKind.INSTANCE:
            task, instance = sitting.subject()
            self._loader.load(instance, lambda: self._open_item(position))
            page = TextPage("", "", "")
            page.title.hide()
            page.add(words(f"Opening {task.title}…", "secondary"))
            return page
        QTimer.singleShot(0, self, lambda: self._open_item(position))
        return QWidget()

    def _open_item(self, position: int) -> None:
        sitting = self.sitting
        if sitting is None or sitting.page is not Page.ITEM or sitting.position != position:
            return
        if isinstance(self.page, ItemPage):
            return
        try:
            page = page_of(sitting, self.jobs)
        except Exception as error:
            # Whatever failed, the person goes on with the next item; the leader can have it shown anew.
            traceback.print_exc()
            sitting.break_item(f"{type(error).__name__}: {error}")
            return
        page.submit_wanted.connect(self.submit)
        self._put(page)
        QTimer.singleShot(0, self, self._begin_item)

    def _begin_item(self) -> None:
        """The item is on the screen: its clock starts."""
        sitting = self.sitting
        if sitting is not None and isinstance(self.page, ItemPage):
            sitting.item_shown()
            self.head.show_sitting(sitting)
            self._show_cover()

    def submit(self) -> None:
        """Hands in the answer; where it cannot be read, says so once before."""
        sitting, page = self.sitting, self.page
        if sitting is None or not isinstance(page, ItemPage) or not sitting.can_submit or self._asking is not None:
            return
        page.store_notes()
        if refusal := sitting.refusal():
            page.show_refusal(refusal)
            return
        objection = page.objection()
        if objection and isinstance(page, ItemPage) and sitting.is_typed:
            return
        if objection:
            self._ask("Submit", objection, ("Submit", self._submit_now), ("Go back", self._end_asking))
        else:
            sitting.submit()

    def _submit_now(self) -> None:
        self._end_asking()
        if self.sitting is not None:
            self.sitting.submit()

    def _judge_wanted(self) -> None:
        assert self.sitting is not None
        for wanted in self.sitting.wanted:
            if wanted not in self._judging:
                self._judging.add(wanted)
                self._judge(self.sitting, wanted)

    def _judge(self, sitting: Sitting, wanted: Wanted) -> None:
        def told(verdict: Verdict | None) -> None:
            if self.sitting is sitting:
                if verdict is None:
                    sitting.take_verdict(wanted, None, False)
                    return
                self._verdicts[wanted.position] = verdict
                sitting.take_verdict(wanted, verdict.score, verdict.passed)

        self.jobs.live.run(
            "Checking the answer",
            judging.verify_submitted,
            wanted.address,
            wanted.answer,
            done=told,
            failed=lambda _: told(None),
            quiet=True,
        )

    # Covers ------------------------------------------------------------------------------------------------------

    def _show_cover(self) -> None:
        sitting = self.sitting
        if sitting is None:
            return
        cover = sitting.cover
        if sitting.page is Page.CHECKING and cover is None:
            self._uncover_to(self._asking or self._checking())
            return
        if cover is None:
            self._covered_by = None
            self._uncover_to(self._asking or self.page)
        elif cover is not self._covered_by:
            self._covered_by = cover
            self._raise(self._cover_of(sitting, cover))

    def _checking(self) -> QWidget:
        self._covered_by = None
        current = self.stack.currentWidget()
        if isinstance(current, Covering) and current.objectName() == "checking":
            return current
        cover = Covering("One moment…", "Your answer is being checked. The clock stands still.", ())
        cover.setObjectName("checking")
        return self._raise(cover)

    def _cover_of(self, sitting: Sitting, cover: Cover) -> Covering:
        go_on = ("Go on", sitting.go_on)
        match cover:
            case Cover.LEAVE:
                return self._leave_cover(sitting.try_passphrase, lambda: sitting.leave_wait_ms, sitting.go_back)
            case Cover.TROUBLE:
                text = f"The clock stands still. Please call for help. ({sitting.trouble})"
                return Covering("Your work cannot be stored now", text, ())
            case Cover.PAUSE:
                return Covering("Pause", "The clock stands still. Go on when you are ready.", (go_on,))
            case Cover.CRASH:
                text = f"The window was closed unexpectedly, {_about(sitting.cut_off_ms)} ago."
                return Covering("Welcome back", f"{text} Your work is stored. Your time stood still.", (go_on,))
            case Cover.AWAY:
                return Covering("You are in another window", "The clock is running.", ())
        text = f"The computer slept or stood still for {_about(sitting.cut_off_ms)}. Your time stood still."
        return Covering("Go on?", text, (go_on,))

    def ask_to_leave(self) -> None:
        """Covers everything until the passphrase was given."""
        if self.sitting is not None and not self.sitting.page.is_last:
            self.sitting.ask_to_leave()
        else:
            self._asking = self._raise(self._leave_cover(self._try_passphrase, self._wait_ms, self._end_asking))

    def _leave_cover(
        self, tries: Callable[[str], bool], wait_ms: Callable[[], int], go_back: Callable[[], object]
    ) -> LeaveCover:
        choices: list[tuple[str, Callable[[], object]]] = [("Go on with the study", go_back)]
        sitting = self.sitting
        if sitting is not None and not sitting.page.is_last:
            if is_broken(sitting) and sitting.page in (Page.READY, Page.BREAK):
                choices.append(("Show the last item anew", self._show_anew))
            choices.append(("End the session; what was done is kept", sitting.end_by_leader))
            choices.append(("Write the results and close; another machine takes over", self._hand_over))
        choices.append(("Close; the session goes on another time", self.leave))
        return LeaveCover(tries, wait_ms, go_back, choices)

    def _show_anew(self) -> None:
        if self.sitting is not None:
            self.sitting.go_back()
            self.sitting.show_anew()

    def _try_passphrase(self, passphrase: str) -> bool:
        if self._wait_ms():
            return False
        is_right = opens(self.bundle.study.leave, passphrase)
        self._tries = self._tries.after(is_right, _now_ms())
        return is_right

    def _wait_ms(self) -> int:
        return self._tries.wait_ms(_now_ms())

    def _hand_over(self) -> None:
        assert self.sitting is not None
        try:
            self.sitting.write_results(self._path.parent)
        except OSError as error:
            self._ask_once("The results could not be written", f"{self._path.parent}: {error.strerror}.")
            return
        self.leave()

    def leave(self) -> None:
        """Closes the window; a session that is not over goes on another time."""
        if self.sitting is not None:
            self.sitting.log("leave")
            self.sitting.go_back()
        self._may_close = True
        self.close()

    # Questions ---------------------------------------------------------------------------------------------------

    def _ask(self, title: str, text: str, *buttons: tuple[str, Callable[[], object]]) -> Covering:
        self._asking = self._raise(Covering(title, text, buttons, self._end_asking))
        return self._asking

    def _ask_once(self, title: str, text: str) -> None:
        QTimer.singleShot(0, self, lambda: self._ask(title, text, ("Go on", self._end_asking)))

    def _end_asking(self) -> None:
        self._asking = None
        self._covered_by = None
        if self.sitting is None:
            self._uncover_to(self.page)
        else:
            self._show_cover()

    def ask_to_stop(self) -> None:
        """Asks whether to stop, and what becomes of what was done."""
        sitting = self.sitting
        if sitting is None or sitting.page.is_last:
            return
        self._ask(
            "Stop taking part?",
            "You can stop at any time. What you did can be kept for the study, or deleted from this computer. "
            "If the clock is running, it goes on until you choose.",
            ("Keep working", self._end_asking),
            ("Stop, keep what I did", lambda: sitting.stop(keeps=True)),
            ("Stop and delete", lambda: sitting.stop(keeps=False)),
        )

    def ask_to_give_up(self) -> None:
        """Asks whether to give up the item."""
        sitting = self.sitting
        if sitting is None or not sitting.accepts_work:
            return

        def give_up() -> None:
            self._end_asking()
            sitting.give_up()

        text = "You go on with the next item, and cannot come back. The clock is running."
        self._ask("Give up this item?", text, ("Keep working", self._end_asking), ("Give up", give_up))

    def show_help(self) -> None:
        """Shows the instructions again; the clock goes on."""
        sitting = self.sitting
        if sitting is None or sitting.page is not Page.ITEM:
            return
        begin = _now_ms()

        def close() -> None:
            sitting.log("help", seconds=round((_now_ms() - begin) / 1000))
            self._end_asking()

        text = "The clock is running."
        cover = self._ask("Instructions", text, ("Close", close))
        cover.body.insertWidget(1, StudyText(sitting.words(sitting.study.instructions), "Instructions"))

    # Internal ----------------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._show)
        self._ticker = QTimer(self, interval=TICK_MS)
        self._ticker.setTimerType(Qt.TimerType.PreciseTimer)
        self._ticker.timeout.connect(self._tick)
        self._ticker.start()
        self._watch = InputWatch(application, self._acted, self._pointed)
        self.clipboard = ClipboardGuard(application, self._log)
        application.applicationStateChanged.connect(self._state_changed)
        self._connect_head()
        for key, act in (
            (SUBMIT_KEY, self.submit),
            ("Ctrl+Q", self.ask_to_leave),
            ("Ctrl++", lambda: self.grow(1)),
            ("Ctrl+=", lambda: self.grow(1)),
            ("Ctrl+-", lambda: self.grow(-1)),
        ):
            QShortcut(QKeySequence(key), self, act)

    def _connect_head(self) -> None:
        head = self.head
        head.submitted.connect(self.submit)
        head.finished.connect(lambda: self.sitting.finish() if self.sitting is not None else None)
        head.gave_up.connect(self.ask_to_give_up)
        head.paused.connect(lambda: self.sitting.pause() if self.sitting is not None else None)
        head.helped.connect(self.show_help)
        head.stopped.connect(self.ask_to_stop)

    def _tick(self) -> None:
        sitting = self.sitting
        if sitting is None:
            return
        sitting.tick()
        if self.sitting is not None and not sitting.page.is_last:
            self.head.show_state(sitting)
        if isinstance(self.page, BreakPage) and sitting.page is Page.BREAK:
            self.page.show_time(*sitting.break_left_ms)
        self.clipboard.mode = sitting.condition.clipboard if sitting.page is Page.ITEM else "inside"

    def _acted(self) -> None:
        if self.sitting is not None and not self.sitting.page.is_last:
            self.sitting.acted()

    def _pointed(self, x: int, y: int) -> None:
        """Logs where the pointer is, if the study says so."""
        if self.bundle.study.log.pointer and self.sitting is not None and self.sitting.page is Page.ITEM:
            self._log("pointer", x=x, y=y)

    def _screen_changed(self, screen: QScreen) -> None:
        size = screen.size()
        self._log("screen_change", screen=[size.width(), size.height()], scale=screen.devicePixelRatio())

    def _state_changed(self, state: Qt.ApplicationState) -> None:
        if self.sitting is not None and not self.sitting.page.is_last:
            self.sitting.set_away(state != Qt.ApplicationState.ApplicationActive)

    def _log(self, kind: str, **data: Any) -> None:
        if self.sitting is not None and not self.sitting.page.is_last:
            self.sitting.log(kind, **data)

    def _put(self, page: QWidget) -> None:
        """Shows a page in place of the one before, which is deleted."""
        self._leave_page()
        old, self.page = self.page, page
        self.stack.addWidget(page)
        self.stack.removeWidget(old)
        old.deleteLater()
        if self._asking is None and self._covered_by is None:
            self.stack.setCurrentWidget(page)
            self._focus(page)

    def _leave_page(self) -> None:
        if isinstance(self.page, ItemPage):
            self.page.close_page()

    def _raise(self, cover: CoverT) -> CoverT:
        """Covers the page."""
        self._drop_covers()
        self.stack.addWidget(cover)
        self.stack.setCurrentWidget(cover)
        self._focus(cover)
        self._cover_head(True)
        return cover

    def _uncover_to(self, widget: QWidget) -> None:
        if self.stack.currentWidget() is not widget:
            self.stack.setCurrentWidget(widget)
            self._focus(widget)
        self._cover_head(isinstance(widget, Covering))
        self._drop_covers(but=widget)

    def _cover_head(self, covered: bool) -> None:
        self.head.set_covered(covered)
        if self.sitting is not None and not self.sitting.page.is_last:
            self.head.show_state(self.sitting)

    def _drop_covers(self, but: QObject | None = None) -> None:
        for place in reversed(range(self.stack.count())):
            widget = self.stack.widget(place)
            if isinstance(widget, Covering) and widget is not but:
                self.stack.removeWidget(widget)
                widget.deleteLater()

    def _focus(self, widget: QWidget) -> None:
        if isinstance(widget, ColumnPage | Covering | ItemPage):
            widget.first_field().setFocus()


def _about(ms: int) -> str:
    """A length of time in words."""
    seconds = round(ms / 1000)
    return counted(seconds, "second") if seconds < 100 else counted(round(seconds / 60), "minute")


def task_of(item: Item) -> str:
    """The task in an item's address."""
    return re.split("[:@]", item.address, maxsplit=1)[0]


def _now_ms() -> int:
    from engine.studies.clocks import read_clocks

    return read_clocks().b
