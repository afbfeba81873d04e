"""The covers of the page in the participant's window: gaps, pauses, questions to the person, and the leader's page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from spatial_workbench.app.studies.participant.covers import Covering, LeaveCover
from spatial_workbench.app.studies.participant.pages.page_making import is_broken
from spatial_workbench.app.studies.participant.pages.page_stack import PageStack
from spatial_workbench.app.studies.participant.texts import StudyText
from spatial_workbench.engine.core.languages.translation import ntr, tr
from spatial_workbench.engine.studies.files.bundles import Bundle
from spatial_workbench.engine.studies.sessions.leaving import Tries, opens
from spatial_workbench.engine.studies.sessions.pages import Cover, StudyPage
from spatial_workbench.engine.studies.sessions.sitting import Sitting
from spatial_workbench.widgets.qt import call_later


class AskingWindow(QWidget):
    """A window that covers its page where the session says so, and to ask; base of `window.ParticipantWindow`.

    Attributes:
        sitting: The session; None while nobody takes part.
        stack: The page and what covers it.
    """

    def __init__(self, bundle: Bundle, bundle_path: Path) -> None:
        super().__init__()
        self.bundle = bundle
        self._path = bundle_path
        self.sitting: Sitting | None = None
        self.stack = PageStack()
        self._may_close = False
        self._tries = Tries()
        self._asking: Covering | None = None
        self._covered_by: Cover | None = None

    @property
    def is_asking(self) -> bool:
        """Whether something is asked that is not answered yet."""
        return self._asking is not None

    @property
    def is_covered(self) -> bool:
        """Whether something covers the page."""
        return self._asking is not None or self._covered_by is not None

    def forget_covers(self, also_questions: bool = False) -> None:
        """Shows the session's cover again; a question stays unless it is also forgotten."""
        self._covered_by = None
        if also_questions:
            self._asking = None

    # Covers ------------------------------------------------------------------------------------------------------

    def show_cover(self) -> None:
        """Shows what covers the page of the session now, or the page."""
        sitting = self.sitting
        if sitting is None:
            return
        cover = sitting.state.cover
        if sitting.state.page is StudyPage.CHECKING and cover is None:
            self.stack.uncover_to(self._asking or self._checking())
            return
        if cover is None:
            self._covered_by = None
            self.stack.uncover_to(self._asking or self.stack.page)
        elif cover is not self._covered_by:
            self._covered_by = cover
            self.stack.cover(self._cover_of(sitting, cover))

    def _checking(self) -> QWidget:
        self._covered_by = None
        current = self.stack.currentWidget()
        if isinstance(current, Covering) and current.objectName() == "checking":
            return current
        cover = Covering(tr("One moment…"), tr("Your answer is being checked. The clock stands still."), ())
        cover.setObjectName("checking")
        return self.stack.cover(cover)

    def _cover_of(self, sitting: Sitting, cover: Cover) -> Covering:
        go_on = (tr("Go on"), sitting.go_on)
        match cover:
            case Cover.LEAVE:
                return self._leave_cover(
                    sitting.leaving.try_passphrase, lambda: sitting.leaving.leave_wait_ms, sitting.leaving.go_back
                )
            case Cover.TROUBLE:
                text = tr("The clock stands still. Please call for help. ({reason})", reason=sitting.state.trouble)
                return Covering(tr("Your work cannot be stored now"), text, ())
            case Cover.PAUSE:
                return Covering(tr("Pause"), tr("The clock stands still. Go on when you are ready."), (go_on,))
            case Cover.CRASH:
                text = tr(
                    "The window was closed unexpectedly, {time} ago. Your work is stored. Your time stood still.",
                    time=_about(sitting.state.cut_off_ms),
                )
                return Covering(tr("Welcome back"), text, (go_on,))
            case Cover.CONNECTION:
                text = tr(
                    "The connection to your browser was lost for {time}. Your time stood still.",
                    time=_about(sitting.state.cut_off_ms),
                )
                return Covering(tr("Go on?"), text, (go_on,))
            case Cover.AWAY:
                return Covering(tr("You are in another window"), tr("The clock is running."), ())
        text = tr(
            "The computer slept or stood still for {time}. Your time stood still.",
            time=_about(sitting.state.cut_off_ms),
        )
        return Covering(tr("Go on?"), text, (go_on,))

    def ask_to_leave(self) -> None:
        """Covers everything until the passphrase has been entered."""
        if self.sitting is not None and not self.sitting.state.page.is_last:
            self.sitting.leaving.ask_to_leave()
        else:
            self._asking = self.stack.cover(self._leave_cover(self._try_passphrase, self._wait_ms, self._end_asking))

    def _leave_cover(
        self, tries: Callable[[str], bool], wait_ms: Callable[[], int], go_back: Callable[[], object]
    ) -> LeaveCover:
        choices: list[tuple[str, Callable[[], object]]] = [(tr("Go on with the study"), go_back)]
        sitting = self.sitting
        if sitting is not None and not sitting.state.page.is_last:
            if is_broken(sitting) and sitting.state.page in (StudyPage.READY, StudyPage.BREAK):
                choices.append((tr("Show the last item anew"), self._show_anew))
            choices.append((tr("End the session; what was done is kept"), sitting.leaving.end_by_leader))
            choices.append((tr("Write the results and close; another machine takes over"), self._hand_over))
        choices.append((tr("Close; the session goes on another time"), self.leave))
        at_item = sitting is not None and sitting.state.page is StudyPage.ITEM
        return LeaveCover(tries, wait_ms, go_back, choices, tr("The clock is running.") if at_item else "")

    def _show_anew(self) -> None:
        if self.sitting is not None:
            self.sitting.leaving.go_back()
            self.sitting.work.show_anew()

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
            self._ask_once(tr("The results could not be written"), f"{self._path.parent}: {error.strerror}.")
            return
        self.leave()

    def leave(self) -> None:
        """Closes the window; an unfinished session continues another time."""
        if self.sitting is not None:
            self.sitting.log("leave")
            self.sitting.leaving.go_back()
        self._may_close = True
        self.close()

    # Questions ---------------------------------------------------------------------------------------------------

    def _ask(self, title: str, text: str, *buttons: tuple[str, Callable[[], object]]) -> Covering:
        self._asking = self.stack.cover(Covering(title, text, buttons, self._end_asking))
        return self._asking

    def _ask_once(self, title: str, text: str) -> None:
        call_later(self, lambda: self._ask(title, text, (tr("Go on"), self._end_asking)))

    def _end_asking(self) -> None:
        self._asking = None
        self._covered_by = None
        if self.sitting is None:
            self.stack.uncover_to(self.stack.page)
        else:
            self.show_cover()

    def ask_to_stop(self) -> None:
        """Asks whether to stop, and whether the finished part is kept."""
        sitting = self.sitting
        if sitting is None or sitting.state.page.is_last:
            return
        self._ask(
            tr("Stop taking part?"),
            tr(
                "You can stop at any time. What you did can be kept for the study, or deleted. "
                "If the clock is running, it goes on until you choose."
            ),
            (tr("Keep working"), self._end_asking),
            (tr("Stop, keep what I did"), lambda: sitting.leaving.stop(keeps=True)),
            (tr("Stop and delete"), lambda: sitting.leaving.stop(keeps=False)),
        )

    def ask_to_give_up(self) -> None:
        """Asks whether to give up the item."""
        sitting = self.sitting
        if sitting is None or not sitting.work.accepts_work:
            return

        def give_up() -> None:
            self._end_asking()
            sitting.work.give_up()

        text = tr("You go on with the next item, and cannot come back. The clock is running.")
        keep, stop = (tr("Keep working"), self._end_asking), (tr("Give up"), give_up)
        self._ask(tr("Give up this item?"), text, keep, stop)

    def show_help(self) -> None:
        """Shows the instructions again; the clock keeps running."""
        sitting = self.sitting
        if sitting is None or sitting.state.page is not StudyPage.ITEM:
            return
        begin = _now_ms()

        def close() -> None:
            sitting.log("help", seconds=round((_now_ms() - begin) / 1000))
            self._end_asking()

        cover = self._ask(tr("Instructions"), tr("The clock is running."), (tr("Close"), close))
        cover.body.insertWidget(1, StudyText(sitting.state.instructions, tr("Instructions")))


def _about(ms: int) -> str:
    """A length of time in words."""
    seconds = round(ms / 1000)
    if seconds < 100:
        return ntr("{number} second", "{number} seconds", seconds)
    return ntr("{number:,} minute", "{number:,} minutes", round(seconds / 60))


def _now_ms() -> int:
    from spatial_workbench.engine.core.clocks.system_clocks import read_clocks

    return read_clocks().b
