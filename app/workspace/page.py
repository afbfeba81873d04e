"""The workspace: one instance with its editor, and docks for tools, verdict, task, answer and attempts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow
from shiboken6 import isValid

from spatial_workbench.app.background.jobs import ScopedRunner
from spatial_workbench.app.frame.drops import level_paths
from spatial_workbench.app.video.films import AnswerFilm, FilmSide, SceneFilm, TakeFilm
from spatial_workbench.app.workspace.answers import Answers
from spatial_workbench.app.workspace.docks import Docks
from spatial_workbench.app.workspace.judgement import JudgementPanel
from spatial_workbench.app.workspace.keyboard import Keyboard
from spatial_workbench.app.workspace.rules import RulesPanel
from spatial_workbench.app.workspace.session import Session
from spatial_workbench.app.workspace.solving_time import SolvingTime
from spatial_workbench.app.workspace.stored_attempts import StoredAttempts
from spatial_workbench.engine.core import has_film
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.widgets.editing.abilities import OpensInstances, TakesSketches, save_sketches_of
from spatial_workbench.widgets.editors import make_editor
from spatial_workbench.widgets.panels.answer_panel import AnswerPanel
from spatial_workbench.widgets.panels.prompt_panel import PromptPanel
from spatial_workbench.widgets.qt import call_later, dropped_paths

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import Jobs
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.frame.settings import Settings
    from spatial_workbench.app.workspace.command_dialog import CommandDialog
    from spatial_workbench.app.workspace.tour import Tour


class Workspace(QMainWindow):
    """One open instance. At first it has its editor alone; `add_panels` follows.

    What it does is in its parts: `answers` puts answers into the editor and saves them, `judgement` shows the verdict
    and submits, `attempts` knows what was submitted, `time` keeps the clock, `docks` arranges the panels.

    Signals:
        status_changed(str): what the status bar says.
        message(str): a note for the status bar.
        open_requested(str): the address of another instance to work on.
        compare_requested(object, object): two Compared answers to show beside each other.
        replay_requested(str, object): a title, and a RunRecord or MachineRun to show.
        clock_shown(): the displayed time of the session's clock changed.
    """

    icon_name = "box"

    status_changed = Signal(str)
    message = Signal(str)
    open_requested = Signal(str)
    compare_requested = Signal(object, object)
    replay_requested = Signal(str, object)
    clock_shown = Signal()

    def __init__(self, session: Session, project: ProjectService, jobs: Jobs, settings: Settings) -> None:
        super().__init__()
        self.setWindowFlags(Qt.WindowType.Widget)
        self.setObjectName("workspace")
        self.setAcceptDrops(True)
        self.session = session
        self.document = session.document
        self._project = project
        self._jobs = ScopedRunner(jobs)
        self._is_closed = self._has_panels = False
        self._settings = settings
        self._commands: CommandDialog | None = None
        self.editor = make_editor(self.document, self._jobs)
        self._keyboard = Keyboard(self, self.editor)
        self.time = SolvingTime(session, self.editor, self)
        if isinstance(self.editor, TakesSketches):
            self.editor.show_sketches(session.sketches)
            self.editor.sketch_drawn.connect(session.store_sketch)
        if settings.hint_seen(self.document.task.id):
            self.editor.view.show_hint("")

    def add_panels(self) -> None:
        """Builds the panels around the editor; a separate step, so that the window is never blocked for long."""
        session = self.session
        task = self.document.task
        self.answers = Answers(session, self._jobs, self)
        self.attempts = StoredAttempts(session, self.editor, self.answers, self._project, self._jobs, self)
        self.judgement = JudgementPanel(session, self.editor, self._jobs)
        self.prompt_panel = PromptPanel()
        self.answer_panel = AnswerPanel(self.document, self._jobs.run_soon)
        self.rules_panel = RulesPanel(task)
        self.tour: Tour | None = None
        self.docks = self._make_docks()
        self._connect()
        self.time.begin()
        self.prompt_panel.show_prompt(task.prompt(self.document.instance))
        self.attempts.load()
        self._has_panels = True
        if self._settings.wants_tour(self._tour_name()):
            call_later(self, self.begin_tour)

    @property
    def title(self) -> str:
        """The tab's text: task, number if published, and caption."""
        task = self.document.task
        instance = self.document.instance
        number = "" if instance.number is None else f" {instance.number}"
        return f"{task.title}{number} · {task.caption(instance)}"

    def bound_actions(self) -> tuple[str, str, list[QAction]]:
        """The editor's name for stored keys, its name for a person, and the actions that have keys there."""
        name = type(self.editor).__module__.removeprefix("spatial_workbench.widgets.editors.").split(".")[0]
        return f"editor.{name}", self.document.task.title, [*self.editor.actions(), *self.editor.view.actions()]

    def offer_film(self, take: TakeFilm) -> None:
        """Offers what the editor plays, as it is seen."""
        editor = self.editor
        if editor.animation.scene is None:
            text = packed(editor.task, self.document.answer)
            film = AnswerFilm(self.title, str(editor.instance.address), text)
            take(film if has_film(editor.task) else f"Nothing moves in {editor.task.title}. Replays can be saved.")
            return
        view = editor.view
        side = FilmSide(editor.animation.scene, self.title, view.view_state(), editor.timeline.index, view.aspect)
        take(SceneFilm(self.title, (side,)))

    def show_rules(self) -> None:
        """Shows the rules, gestures and keys beside the editor; hides them if they are in front."""
        self.docks.toggle("Rules")

    def ask_for_command(self) -> None:
        """Opens a form that runs commands of the task, or brings the open one to the front."""
        from spatial_workbench.app.workspace.command_dialog import open_dialog

        if self._commands is None or not isValid(self._commands):
            self._commands = open_dialog(self.editor, self._jobs, self)
        self._commands.raise_()
        self._commands.activateWindow()

    def begin_tour(self) -> None:
        """Begins the tour of the editor."""
        from spatial_workbench.app.workspace.tour import Tour, steps_of

        if self.tour is not None or self._is_closed:
            return
        places = {"view": self.editor.view, "task": self.prompt_panel, "verdict": self.judgement.panel}
        self.tour = Tour(steps_of(self.document.task), places.__getitem__, self)
        self.tour.ended.connect(self._end_tour)

    def close_page(self) -> None:
        """Stores pending changes and releases all resources."""
        self.docks.store()
        save_sketches_of(self.editor)
        self._close()

    def discard(self) -> None:
        """Releases all resources of a workspace that was never shown."""
        self._close()
        self.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._keyboard.press_view_key(event):
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        data = event.mimeData()
        if self._has_panels and len(data.urls()) == 1 and not level_paths(data):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Loads the answer in a file that is dropped anywhere on the page."""
        for path in dropped_paths(event):
            self.answers.open_file(str(path))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._keyboard.give_soon()
        # The size to be shared is known only now.
        call_later(self, self.docks.share_room)

    def hideEvent(self, event: QHideEvent) -> None:
        self.docks.remember_widths()
        if self._commands is not None and isValid(self._commands):
            self._commands.close()
        super().hideEvent(event)

    def _close(self) -> None:
        self._is_closed = True
        if self._has_panels:
            self.attempts.close()
        self._jobs.close()
        self.session.close()
        self.editor.close_editor()

    def _make_docks(self) -> Docks:
        self.setCentralWidget(self.editor)
        tabs = {"Task": self.prompt_panel, "Answer": self.answer_panel, "Attempts": self.attempts.panel}
        if self.attempts.gallery is not None:
            tabs["Gallery"] = self.attempts.gallery
        tabs["Rules"] = self.rules_panel
        name = f"workspace-{self.document.task.id}"
        return Docks(self, self.editor.tools, self.judgement, tabs, self._settings, name)

    def _connect(self) -> None:
        editor = self.editor
        session = self.session
        # Makes the keys work in the panels too, where Tab goes from field to field.
        self.addActions([action for action in editor.actions() if "Tab" not in action.shortcut().toString()])
        for panel in (self.judgement.panel, self.attempts.panel):
            editor.panel_focus.watch(panel)
        for dock in self.docks.all():
            self._keyboard.watch(dock)
        editor.status_changed.connect(self.status_changed)
        editor.aid_used.connect(session.use_aid)
        editor.submit_wanted.connect(self.judgement.submit)
        if isinstance(editor, OpensInstances):
            editor.open_requested.connect(self.open_requested)
        for message in (editor.message, session.trouble, *(part.message for part in self._parts())):
            message.connect(self.message)
        session.clock.shown.connect(self.clock_shown)
        session.submitted.connect(self.attempts.load)
        self.answers.solved.connect(editor.panes.frame_if_outside)
        self.judgement.solved.connect(self.time.end_solving)
        self.judgement.attempt_wanted.connect(self._show_attempt)
        self.attempts.solved.connect(self.time.end_solving)
        self.attempts.compare_requested.connect(self.compare_requested)
        self.attempts.replay_requested.connect(self.replay_requested)

    def _parts(self) -> tuple[Answers, JudgementPanel, StoredAttempts]:
        return self.answers, self.judgement, self.attempts

    def _show_attempt(self, number: int) -> None:
        """Selects an attempt in the list, which comes to the front."""
        self.docks.bring_to_front("Attempts")
        self.attempts.panel.select([number])

    def _end_tour(self, for_good: bool) -> None:
        self.tour = None
        self._keyboard.give_to_view()
        self._settings.tour_seen(self._tour_name())
        if for_good:
            self._settings.show_tours = False

    def _tour_name(self) -> str:
        """Tasks with one editor share its tour."""
        return type(self.editor).__module__
