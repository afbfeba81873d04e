"""The time that a person works in a workspace: where they are, when they do something, and clocks of editors."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from spatial_workbench.app.workspace.clock import ClockState
from spatial_workbench.app.workspace.input_watch import InputWatch
from spatial_workbench.app.workspace.session import Session
from spatial_workbench.widgets.editing.abilities import ShowsSeconds, TimesSolving
from spatial_workbench.widgets.editing.editor import GIVE_UP


class SolvingTime(QObject):
    """Keeps the clock of a session, and shows it to an editor that wants it.

    An editor that times solving stops the clock for good when an attempt passes or the person gives up.
    """

    def __init__(self, session: Session, editor: object, page: QWidget) -> None:
        super().__init__(page)
        self._session = session
        self._editor = editor
        self._watch = InputWatch(page)
        self._watch.noticed.connect(session.clock.note_input)

    def begin(self) -> None:
        """Connects clock and editor; called once both are there."""
        clock = self._session.clock
        clock.pause_changed.connect(self._tell_editor)
        if isinstance(self._editor, ShowsSeconds):
            clock.shown.connect(self._show_seconds)
        if isinstance(self._editor, TimesSolving):
            self._editor.clock_wanted.connect(self._run)
            clock.is_whole = True
            if self._session.has_used(GIVE_UP):
                clock.finish()

    def set_state(self, state: ClockState) -> None:
        """Sets where the person is: at this workspace, away, or at another tab.

        At another tab the clock stops; that of a puzzle stops by a pause only, so there the person is away.
        """
        if state is ClockState.STOPPED and isinstance(self._editor, TimesSolving):
            state = ClockState.AWAY
        self._session.clock.count(state)

    def end_solving(self) -> None:
        """Stops the clock of a puzzle that is solved."""
        if isinstance(self._editor, TimesSolving) and not self._session.clock.is_finished:
            self._session.clock.finish()
            self._tell_editor()

    def _run(self, runs: bool, for_good: bool) -> None:
        clock = self._session.clock
        if for_good:
            clock.finish()
            self._tell_editor()
        elif runs:
            clock.resume()
        else:
            clock.pause()

    def _tell_editor(self) -> None:
        clock = self._session.clock
        if isinstance(self._editor, TimesSolving):
            self._editor.clock_changed(not clock.is_paused, clock.is_finished)

    def _show_seconds(self) -> None:
        if isinstance(self._editor, ShowsSeconds):
            self._editor.show_seconds(self._session.clock.reading.effort.seconds or 0.0)
