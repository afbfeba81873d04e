"""The participant's window: shows the pages of a session, and lets nobody do anything else."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from spatial_workbench.app.background.jobs import Jobs
from spatial_workbench.app.frame.style import apply_theme, set_type_scale
from spatial_workbench.app.studies.participant.asking import AskingWindow
from spatial_workbench.app.studies.participant.display import apply_needs
from spatial_workbench.app.studies.participant.entrance import Entrance
from spatial_workbench.app.studies.participant.kiosk import Kiosk
from spatial_workbench.app.studies.participant.language import WindowLanguage
from spatial_workbench.app.studies.participant.pages.entry_pages import CodePage
from spatial_workbench.app.studies.participant.pages.head import SUBMIT_KEY, Head
from spatial_workbench.app.studies.participant.pages.item_opening import ItemOpening
from spatial_workbench.app.studies.participant.pages.item_page import ItemPage
from spatial_workbench.app.studies.participant.pages.later_pages import BreakPage
from spatial_workbench.app.studies.participant.pages.page_making import PageMaker
from spatial_workbench.app.studies.participant.results_file import ResultsFile, written_results
from spatial_workbench.app.studies.participant.surroundings import SessionSurroundings
from spatial_workbench.app.studies.participant.verdicts import Judge
from spatial_workbench.app.studies.participant.window_form import WindowForm
from spatial_workbench.engine.core.clocks.work_clock import TICK_MS
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.studies.files.bundles import Bundle
from spatial_workbench.engine.studies.sessions.pages import BEFORE_CONSENT, StudyPage
from spatial_workbench.engine.studies.sessions.sitting import Sitting
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.qt import call_later
from spatial_workbench.widgets.theme import DARK, LIGHT

SCALES = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
WINDOW_SIZE = (1280, 800)


class ParticipantWindow(AskingWindow):
    """One study on one machine, for one person after another.

    bundle_path: where the bundle is; results are written beside it.
    sessions: where sessions are kept; None is the usual place.
    form: how it stands before the person.
    leaves_nothing: whether sessions are only tried out, and nothing of them is kept.

    Signals:
        left(): the window was closed for good.
        session_shown(): the page of the session, or what covers it, is shown anew.
        texts_wanted(): somebody in a browser wants the texts of the study as pages there.
    """

    left = Signal()
    session_shown = Signal()
    texts_wanted = Signal()

    def __init__(
        self,
        bundle: Bundle,
        bundle_path: Path,
        code: str = "",
        sessions: Path | None = None,
        form: WindowForm = WindowForm.KIOSK,
        leaves_nothing: bool = False,
    ) -> None:
        super().__init__(bundle, bundle_path)
        self._language = WindowLanguage(_application())
        self._language.speak(bundle.study.languages[0])
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setWindowTitle(bundle.study.name)
        self._sessions = sessions
        self.jobs = Jobs(self)
        self._form = form
        self._leaves_nothing = leaves_nothing
        self.kiosk = Kiosk(self)
        self._shown: tuple[StudyPage, int] | None = None
        self._results = ResultsFile()
        self._judge = Judge(self.jobs)
        self._maker = PageMaker(
            self._judge.verdicts.get, lambda: self._results, self._next_person, self.texts_wanted.emit, form
        )
        pointer = bundle.study.log.pointer
        self.surroundings = SessionSurroundings(self, _application(), lambda: self.sitting, pointer)
        self.entrance = Entrance(bundle, bundle_path, sessions, leaves_nothing, self.surroundings.facts, form.setting)
        self.items = ItemOpening(self.stack, self.jobs)
        self.head = Head()
        self.head.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(1)
        self._column.addWidget(self.head)
        self._column.addWidget(self.stack, 1)
        self._connect()
        self._show_code(code)
        self.entrance.check(self.jobs)

    @property
    def page(self) -> QWidget:
        """The current page."""
        return self.stack.page

    # The window --------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Shows the window. It covers its screen once somebody has agreed to take part."""
        self.resize(*WINDOW_SIZE)
        self.show()
        self.raise_()
        self.activateWindow()
        self.surroundings.follow_screen()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closes if the leader allowed it, or an ordinary window while nobody works; else asks for the passphrase."""
        is_free = self._form is WindowForm.ORDINARY and (self.sitting is None or self.sitting.state.page.is_last)
        if not (self._may_close or is_free):
            event.ignore()
            self.ask_to_leave()
            return
        self._ticker.stop()
        self.stack.leave_page()
        if self.sitting is not None:
            self.sitting.close()
            self.sitting = None
        self.kiosk.uncover_screens()
        self.surroundings.stop()
        self.items.close()
        self.jobs.close()
        self._language.stop()
        self.left.emit()
        super().closeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange and self.kiosk.is_on:
            self.surroundings.log_full_screen()

    def grow(self, step: int) -> None:
        """Makes all text larger or smaller."""
        places = [k for k, scale in enumerate(SCALES) if scale <= appearance().type_scale + 1e-6]
        self.set_scale(SCALES[max(0, min(len(SCALES) - 1, (places[-1] if places else 0) + step))])

    def set_scale(self, scale: float) -> None:
        """Sets the size of text, from 1 to 2, and shows the page again."""
        if scale == appearance().type_scale:
            return
        set_type_scale(_application(), scale)
        self.surroundings.log("view", type_scale=scale)
        self._renew_head()
        self._shown = None
        self.forget_covers()
        if self.sitting is None:
            self._show_code(self.page.field.text() if isinstance(self.page, CodePage) else "")
        else:
            self._show_session()

    def _speak(self, language: str) -> None:
        """Shows what follows in a language."""
        if self._language.speak(language):
            self._renew_head()

    def _renew_head(self) -> None:
        fresh = Head()
        self._column.replaceWidget(self.head, fresh)
        self.head.deleteLater()
        self.head = fresh
        self._connect_head()

    # Code --------------------------------------------------------------------------------------------------------

    def _show_code(self, code: str = "") -> None:
        trial_codes = [slot.code for slot in self.bundle.slots] if self._leaves_nothing else []
        page = CodePage(self.bundle.study, code, trial_codes)
        page.entered.connect(self.begin)
        self.stack.put(page, self.is_covered)
        self.head.show_sitting(None)

    def begin(self, code: str) -> None:
        """Begins or continues the session of a code."""
        self.entrance.begin(code)

    def _refuse(self, text: str) -> None:
        """Says why a code is not taken, or why nothing is pasted."""
        if isinstance(self.page, CodePage):
            self.page.show_fault(text)
        else:
            self.head.show_notice(text)

    def take(self, sitting: Sitting) -> None:
        """Shows a session, with the size of text and the colours that its code is to have."""
        self.sitting = sitting
        needs = self.bundle.accommodations_of(sitting.state.code)
        apply_needs(_application(), needs)
        self._first_scale = appearance().type_scale
        self.set_scale(max(needs.type_scale, appearance().type_scale))
        sitting.recording.changed = self._soon.start
        sitting.recording.warned = lambda left_ms: self.head.warn(sitting, left_ms)
        if sitting.state.note:
            self._ask_once(tr("The file was damaged"), sitting.state.note)
        self._shown = None
        self.forget_covers()
        self._show_session()

    def _next_person(self) -> None:
        """Forgets the person who has finished, and asks for the next code."""
        assert self.sitting is not None
        self.sitting.close()
        self.sitting = None
        self._judge.forget()
        self._shown = None
        self.forget_covers()
        self._results = ResultsFile()
        self.surroundings.clipboard.forget()
        self.items.forget()
        self.set_scale(self._first_scale)
        apply_theme(_application(), DARK if appearance().theme.is_dark else LIGHT)
        self._speak(self.bundle.study.languages[0])
        self._show_code()

    # Pages -------------------------------------------------------------------------------------------------------

    def _show_session(self) -> None:
        """Shows the page and the cover of the session as they are now."""
        sitting = self.sitting
        if sitting is None:
            return
        self._speak(sitting.state.language)
        self._judge.judge_wanted(sitting)
        self._cover_screen(sitting)
        ends = sitting.state.page.is_last or sitting.state.page is StudyPage.LATER
        if ends and self._shown != (sitting.state.page, sitting.state.position):
            self.forget_covers(also_questions=True)
            if not self._leaves_nothing:
                self._results = written_results(sitting, self._path.parent, self._sessions)
        stays = (
            sitting.state.page in (StudyPage.ITEM, StudyPage.CHECKING)
            and isinstance(self.page, ItemPage)
            and self._shown is not None
            and self._shown[1] == sitting.state.position
            and not sitting.state.record.state.has_ended
        )
        if not stays and self._shown != (sitting.state.page, sitting.state.position):
            self._shown = (sitting.state.page, sitting.state.position)
            page = self.items.begin(sitting) if sitting.state.page is StudyPage.ITEM else self._maker.make(sitting)
            self.stack.put(page, self.is_covered)
        self.head.show_sitting(sitting)
        self.show_cover()
        self.session_shown.emit()

    def _cover_screen(self, sitting: Sitting) -> None:
        """Covers the screen from consent to the end: who has not begun, or has finished, may save files elsewhere."""
        begun = (
            sitting.state.page not in BEFORE_CONSENT
            and sitting.state.page is not StudyPage.LATER
            and not sitting.state.page.is_last
        )
        if self._form is WindowForm.KIOSK and begun:
            self.kiosk.enter()
        else:
            self.kiosk.leave()

    def is_showing(self, page: StudyPage) -> bool:
        """Whether the session is at this page, and the window shows it."""
        return self.sitting is not None and self._shown == (page, self.sitting.state.position)

    # Items -------------------------------------------------------------------------------------------------------

    def _show_item(self, page: ItemPage) -> None:
        page.submit_wanted.connect(self.submit)
        self.stack.put(page, self.is_covered)
        call_later(self, self._begin_item)

    def _begin_item(self) -> None:
        """The item is on the screen: its clock starts."""
        sitting = self.sitting
        if sitting is not None and isinstance(self.page, ItemPage):
            sitting.work.item_shown()
            self.head.show_sitting(sitting)
            self.show_cover()

    def submit(self) -> None:
        """Hands in the answer; if it cannot be read, says so once first."""
        sitting = self.sitting
        page = self.page
        if sitting is None or not isinstance(page, ItemPage) or not sitting.work.can_submit or self.is_asking:
            return
        page.store_notes()
        if refusal := sitting.work.refusal():
            page.show_refusal(refusal)
            return
        objection = page.objection()
        if objection and isinstance(page, ItemPage) and sitting.state.is_typed:
            return
        if objection:
            self._ask(tr("Submit"), objection, (tr("Submit"), self._submit_now), (tr("Go back"), self._end_asking))
        else:
            sitting.work.submit()

    def _submit_now(self) -> None:
        self._end_asking()
        if self.sitting is not None:
            self.sitting.work.submit()

    # Internal ----------------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._show_session)
        self._ticker = QTimer(self, interval=TICK_MS)
        self._ticker.setTimerType(Qt.TimerType.PreciseTimer)
        self._ticker.timeout.connect(self._tick)
        self._ticker.start()
        self.surroundings.clipboard.refused.connect(self._refuse)
        self.items.made.connect(self._show_item)
        self.stack.covered.connect(self._cover_head)
        self.entrance.entered.connect(self.take)
        self.entrance.refused.connect(self._refuse)
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
        head.finished.connect(lambda: self.sitting.work.finish() if self.sitting is not None else None)
        head.gave_up.connect(self.ask_to_give_up)
        head.paused.connect(lambda: self.sitting.pause() if self.sitting is not None else None)
        head.helped.connect(self.show_help)
        head.stopped.connect(self.ask_to_stop)

    def _tick(self) -> None:
        sitting = self.sitting
        if sitting is None:
            return
        if isinstance(self.page, ItemPage):
            self.page.note_cursor()
        sitting.tick()
        if self.sitting is not None and not sitting.state.page.is_last:
            self.head.show_state(sitting)
        if isinstance(self.page, BreakPage) and sitting.state.page is StudyPage.BREAK:
            self.page.show_time(*sitting.limits.break_left_ms)
        self.surroundings.apply_rules(sitting)

    def _cover_head(self, covered: bool) -> None:
        self.head.set_covered(covered)
        if self.sitting is not None and not self.sitting.state.page.is_last:
            self.head.show_state(self.sitting)


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
