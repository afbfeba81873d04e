"""The workspace: one instance with its editor, and docks for tools, verdict, task, answer and attempts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDockWidget, QFileDialog, QMainWindow, QMessageBox, QTabWidget, QVBoxLayout, QWidget

from spatial_workbench.app.attempts.replays import replay_of
from spatial_workbench.app.background import judging
from spatial_workbench.app.background.jobs import ScopedRunner
from spatial_workbench.app.workspace.attempts_panel import AttemptsPanel
from spatial_workbench.app.workspace.clock import ClockState
from spatial_workbench.app.workspace.idle import IDLE_AFTER_S, IdleWatch
from spatial_workbench.app.workspace.keyboard import Keyboard
from spatial_workbench.app.workspace.rules import RulesPanel
from spatial_workbench.app.workspace.session import Session
from spatial_workbench.app.workspace.submission_line import SubmissionLine
from spatial_workbench.engine.core import Aid, AnswerError, Verdict
from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.core.task import packed
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.engine.exchange import MAX_FILE_BYTES, format_of, formats_of
from spatial_workbench.widgets.answer_panel import AnswerPanel
from spatial_workbench.widgets.editing.abilities import (
    OpensInstances,
    PlaysAttempts,
    ShowsSeconds,
    TakesSketches,
    TimesSolving,
    save_sketches_of,
    submission_question_of,
)
from spatial_workbench.widgets.editing.editor import GIVE_UP
from spatial_workbench.widgets.editors import make_editor
from spatial_workbench.widgets.prompt_panel import PromptPanel
from spatial_workbench.widgets.verdict_panel import SHOW_WRONG, VerdictPanel

if TYPE_CHECKING:
    from spatial_workbench.app.attempts.dossier import Dossier
    from spatial_workbench.app.background.jobs import Jobs
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.app.frame.settings import Settings
    from spatial_workbench.app.workspace.gallery import Gallery
    from spatial_workbench.app.workspace.tour import Tour
    from spatial_workbench.engine.store import Attempt, AttemptRow, Project

LAYOUT_VERSION = 2
"""Must be raised when docks are added or renamed, so that layouts stored before are ignored."""

TOOLS_WIDTH = 308
"""Wide enough for the tools of every editor, so that all have the same width."""
PANELS_WIDTH = 420
"""Wide enough to read the task without effort, and narrow enough for every view beside it at 1280 pixels."""

VERDICT_SHARE = 0.46
"""Of the height of the panels at the right."""

READ_AT_ONCE_CHARS = 400_000
"""Longer answers are read in the background process."""


_ASK_FOR_KEY = (
    "Show what is missing from your answer?\n\nThis is recorded with the draft and with every attempt "
    "that you submit here from now on. Such attempts do not count as solved without help."
)
_NOT_BEFORE = f"Right or wrong is told when you submit the answer, or while “{SHOW_WRONG}” is on."


_ASK_ABOUT_EMPTY = (
    "Submit an empty answer?\n\nNothing has been built here yet. The attempt will be stored and judged as it is."
)


class Workspace(QMainWindow):
    """One open instance. At first it has its editor alone; `add_panels` follows.

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
        self.session = session
        self.document = session.document
        self._project = project
        self._jobs = ScopedRunner(jobs)
        self._is_closed = False
        self._has_asked_about_empty = False
        self._is_shared_out = False
        self._state = ClockState.STOPPED
        self._settings = settings
        self.editor = make_editor(self.document, self._jobs)
        self._keyboard = Keyboard(self, self.editor)
        self._idle = IdleWatch(self)
        self._idle.idle_changed.connect(lambda _: self.set_state(self._state))
        self.gallery: Gallery | None = None
        if isinstance(self.editor, TakesSketches):
            self.editor.show_sketches(session.sketches)
            self.editor.sketch_drawn.connect(session.store_sketch)
        if settings.hint_seen(self.document.task.id):
            self.editor.view.show_hint("")

    def add_panels(self) -> None:
        """Builds the panels around the editor; a separate step, so that the window is never blocked for long."""
        self.verdict_panel = VerdictPanel()
        self.submission_line = SubmissionLine()
        self.prompt_panel = PromptPanel()
        self.answer_panel = AnswerPanel(self.document, self._jobs.run_soon)
        self.attempts_panel = AttemptsPanel()
        self.rules_panel = RulesPanel(self.document.task)
        self.tour: Tour | None = None
        self.gallery = self._make_gallery()
        self._make_docks()
        self._connect()
        if isinstance(self.editor, ShowsSeconds):
            self.session.clock.shown.connect(self._show_seconds)
        self.session.clock.shown.connect(self.clock_shown)
        if isinstance(self.editor, TimesSolving):
            self._time_solving()
        self.prompt_panel.show_prompt(self.document.task.prompt(self.document.instance))
        self._load_attempts()
        self._show_openness()
        if self.document.verdict is not None:
            self._show_verdict()
        if self._settings.wants_tour(self._tour_name()):
            QTimer.singleShot(0, self, self.begin_tour)

    @property
    def title(self) -> str:
        """The tab's text: task, number if published, and caption."""
        task, instance = self.document.task, self.document.instance
        number = "" if instance.number is None else f" {instance.number}"
        return f"{task.title}{number} · {task.caption(instance)}"

    def bound_actions(self) -> tuple[str, str, list[QAction]]:
        """The editor's name for stored keys, its name for a person, and the actions that have keys there."""
        name = type(self.editor).__module__.removeprefix("spatial_workbench.widgets.editors.").split(".")[0]
        return f"editor.{name}", self.document.task.title, [*self.editor.actions(), *self.editor.view.actions()]

    # What the menus offer ----------------------------------------------------------------------------------------

    def _show_seconds(self) -> None:
        assert isinstance(self.editor, ShowsSeconds)
        self.editor.show_seconds(self.session.clock.reading.effort.seconds or 0.0)

    def _run_clock(self, runs: bool, for_good: bool) -> None:
        clock = self.session.clock
        if for_good:
            clock.finish()
            self._tell_clock()
        else:
            clock.resume() if runs else clock.pause()

    def submit(self) -> None:
        """Stores the answer as an attempt with all verdicts; first asks any question the editor has."""
        save_sketches_of(self.editor)
        question = submission_question_of(self.editor) or self._question_about_empty()
        if not question:
            self.session.submit()
            return
        box = QMessageBox(QMessageBox.Icon.Question, "Submit", question, parent=self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.addButton("Submit", QMessageBox.ButtonRole.AcceptRole).clicked.connect(self.session.submit)
        box.setDefaultButton(box.addButton("Keep working", QMessageBox.ButtonRole.RejectRole))
        box.open()

    def _question_about_empty(self) -> str:
        """What is asked once in this tab before an empty answer is submitted."""
        task, document = self.document.task, self.document
        if self._has_asked_about_empty or document.answer != task.empty(document.instance):
            return ""
        self._has_asked_about_empty = True
        return _ASK_ABOUT_EMPTY

    def load_reference(self) -> None:
        """Replaces the answer with the reference solution; can be undone."""
        self._jobs.run(
            "Computing the reference solution",
            judging.solve,
            self.document.instance,
            done=self._put_reference,
            failed=lambda text: self.message.emit(f"There is no reference solution to show. {text}"),
        )

    def _put_reference(self, text: str) -> None:
        self.session.use_aid("Load reference solution", Aid.SOLVING)
        self._put("Load reference solution", text)
        self.editor.frame_if_outside()

    def clear(self) -> None:
        """Replaces the answer with the empty one; can be undone."""
        self.document.edit("Clear answer", self.document.task.empty(self.document.instance))

    def open_answer(self) -> None:
        """Asks for a file and loads the answer in it."""
        path, _ = QFileDialog.getOpenFileName(self, "Open an answer", "", self._filters(reading=True))
        if path:
            self.session.use_aid(f"Open answer {Path(path).name}", Aid.SOLVING)
            self.load_file(path)

    def load_file(self, path: str) -> None:
        """Loads the answer in a file: text, or a file of another program."""
        try:
            with open(path, "rb") as file:
                raw = file.read(MAX_FILE_BYTES + 1)
        except OSError as error:
            self.message.emit(f"“{path}” cannot be read: {error.strerror}.")
            return
        if format_of(self.document.task, path, reading=True):
            self._import(Path(path).name, raw)
        else:
            self._put("Open answer", raw)

    def _import(self, name: str, raw: bytes) -> None:
        self._jobs.run(
            f"Reading {name}",
            judging.read_file,
            self.document.instance,
            name,
            raw,
            done=lambda text: self._put(f"Open {name}", text),
            failed=lambda text: self.message.emit(f"“{name}” was not loaded. {text}"),
        )

    def save_answer(self) -> None:
        """Asks for a file and writes the answer to it, in the format given by its suffix."""
        name = self.document.instance.address.replace(":", "-") + ".json"
        path, _ = QFileDialog.getSaveFileName(self, "Save the answer", name, self._filters(reading=False))
        if path:
            self.save_file(path)

    def save_file(self, path: str) -> None:
        """Writes the answer to a file: as text, or for another program."""
        task, answer = self.document.task, self.document.answer
        suffix = format_of(task, path, reading=False)
        if suffix is None:
            self._write(path, (task.format(answer) + "\n").encode())
            return
        self._jobs.run(
            f"Writing {Path(path).name}",
            judging.write_file,
            self.document.instance,
            packed(task, answer),
            suffix,
            done=lambda data: self._write(path, data),
            failed=lambda text: self.message.emit(f"The answer was not written. {text}"),
        )

    def _write(self, path: str, data: bytes) -> None:
        try:
            write_whole(Path(path), data)
        except OSError as error:
            self.message.emit(f"The answer could not be written to “{path}”: {error.strerror}.")

    def _filters(self, reading: bool) -> str:
        formats = formats_of(self.document.task, reading)
        named = [f"{name} (*.{suffix})" for suffix, name in formats.items()]
        if reading:
            every = " ".join(f"*.{suffix}" for suffix in ("json", "txt", *formats))
            return ";;".join([f"All readable files ({every})", "Answers (*.json *.txt)", *named, "All files (*)"])
        return ";;".join(["Answers (*.json *.txt)", *named])

    def open_attempt(self, number: int) -> None:
        """Loads the answer of an attempt; can be undone."""

        def put(attempt: Attempt) -> None:
            self._tell_of_foreign([attempt], "Open attempt")
            self._put(f"Open attempt {number}", attempt.answer)

        self._ask(lambda project: project.attempt(number), put)

    def open_text(self, text: str, origin: str, person: str) -> None:
        """Loads an answer that comes from elsewhere; can be undone. `person` built it; empty: no person did."""
        if person != self.session.person:
            self.session.use_aid(f"Open {origin}", Aid.SOLVING)
        self._put(f"Open {origin}", text)
        self.message.emit(f"This is {origin}. Undo (Ctrl+Z) brings your draft back.")

    def crosscheck(self) -> None:
        """Cross-checks the current answer and shows both verdicts."""
        verdict = self.document.verdict
        if verdict is None or not self.document.is_verdict_current:
            self.message.emit("Wait for the verdict first; the cross-check is compared with it.")
            return
        if not self.document.tells_all:
            self.message.emit(_NOT_BEFORE)
            return
        self.session.use_aid("Cross-check", Aid.JUDGING)
        self.verdict_panel.show_waiting(True, "Cross-checking by another method…")
        self._jobs.run(
            "Cross-checking",
            judging.verify,
            self.document.instance,
            packed(self.document.task, self.document.answer),
            "crosscheck",
            done=lambda other: self._compare_methods(verdict, other),
        )

    def use_verifier(self, name: str) -> None:
        """Switches to another of the task's verifiers."""
        self.session.use_aid(f"Judge with {name}", Aid.JUDGING)
        self.session.live.verifier = name
        self.session.live.request()
        if not self.document.tells_all:
            self.message.emit(_NOT_BEFORE)

    # Housekeeping ------------------------------------------------------------------------------------------------

    def ask_for_key(self) -> None:
        """Asks once whether to show what is missing from the answer, and records that it was shown."""
        box = QMessageBox(QMessageBox.Icon.Question, "Show the key", _ASK_FOR_KEY, parent=self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        show = box.addButton("Show the key", QMessageBox.ButtonRole.AcceptRole)
        box.addButton("Keep working", QMessageBox.ButtonRole.RejectRole)
        show.clicked.connect(self.session.show_key)
        box.open()

    def set_state(self, state: ClockState) -> None:
        """Sets where the person is: at this workspace, away, or at another tab. Without input, they are idle.

        At another tab the clock stops; that of a puzzle stops by a pause only, so there the person is away.
        """
        if state is ClockState.STOPPED and isinstance(self.editor, TimesSolving):
            state = ClockState.AWAY
        self._state = state
        is_idle = self._idle.is_idle and state is ClockState.ACTIVE
        self.session.clock.count(ClockState.IDLE if is_idle else state, IDLE_AFTER_S)

    def _time_solving(self) -> None:
        """Keeps the clock of a person who gave up stopped."""
        if self.session.has_used(GIVE_UP):
            self.session.clock.finish()

    def _tell_clock(self) -> None:
        clock = self.session.clock
        if isinstance(self.editor, TimesSolving):
            self.editor.clock_changed(not clock.is_paused, clock.is_finished)

    def _tell_of_foreign(self, attempts: Sequence[Attempt], what: str) -> None:
        """Records that the person sees somebody else's answers."""
        for attempt in attempts:
            if (attempt.actor, attempt.actor_name) != ("person", self.session.person):
                self.session.use_aid(f"{what} {attempt.number}", Aid.SOLVING)

    def panel_actions(self) -> list[QAction]:
        """Actions that show or hide each panel."""
        return [dock.toggleViewAction() for dock in self.findChildren(QDockWidget)]

    def show_rules(self) -> None:
        """Shows the rules, gestures and keys beside the editor; hides them if they are in front."""
        is_in_front = self.rules_panel.isVisible()
        self._rules.setVisible(not is_in_front)
        if not is_in_front:
            self._rules.raise_()

    def begin_tour(self) -> None:
        """Begins the tour of the editor."""
        from spatial_workbench.app.workspace.tour import Tour, steps_of

        if self.tour is not None or self._is_closed:
            return
        places = {"view": self.editor.view, "task": self.prompt_panel, "verdict": self.verdict_panel}
        self.tour = Tour(steps_of(self.document.task), places.__getitem__, self)
        self.tour.ended.connect(self._end_tour)

    def _end_tour(self, for_good: bool) -> None:
        self.tour = None
        self._keyboard.give_to_view()
        self._settings.tour_seen(self._tour_name())
        if for_good:
            self._settings.show_tours = False

    def _tour_name(self) -> str:
        """Tasks with one editor share its tour."""
        return type(self.editor).__module__

    def reset_layout(self) -> None:
        """Restores the default arrangement of the docks."""
        self.restoreState(self._first_layout, LAYOUT_VERSION)

    def close_page(self) -> None:
        """Stores pending changes and releases all resources."""
        if self.gallery is not None:
            self.gallery.close_panel()
        self._settings.set_layout(self._layout_name(), self.saveState(LAYOUT_VERSION))
        self._project.changed.disconnect(self._load_attempts)
        self._is_closed = True
        self._jobs.close()
        save_sketches_of(self.editor)
        self.session.close()
        self.editor.close_editor()

    def discard(self) -> None:
        """Releases all resources of a workspace that was never shown."""
        if self.gallery is not None:
            self.gallery.close_panel()
        self._is_closed = True
        self._jobs.close()
        self.session.close()
        self.editor.close_editor()
        self.deleteLater()

    def _ask(self, question: Callable[[Project], Any], done: Callable[[Any], None]) -> None:
        """Asks the project; ignores replies that arrive after the tab was closed."""
        self._project.ask(question, lambda answer: None if self._is_closed else done(answer))

    def _put(self, label: str, raw: str | bytes) -> None:
        """Replaces the answer with the given text; long ones are parsed in the background first."""
        if len(raw) <= READ_AT_ONCE_CHARS:
            self._put_at_once(label, raw)
            return
        self._jobs.run(
            "Reading the answer",
            judging.read,
            self.document.task.id,
            raw,
            done=lambda text: self._put_at_once(label, text),
            failed=lambda text: self.message.emit(f"The answer was not loaded. {text}"),
        )

    def _put_at_once(self, label: str, raw: str | bytes) -> None:
        try:
            self.document.replace_data(label, raw)
        except AnswerError as error:
            self.message.emit(f"The answer was not loaded. {error}")

    def _make_docks(self) -> None:
        self.setCentralWidget(self.editor)
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        area = Qt.DockWidgetArea
        self._dock("Tools", self.editor.tools, area.LeftDockWidgetArea)
        self._dock("Verdict", self._judgement(), area.RightDockWidgetArea)
        task = self._dock("Task", self.prompt_panel, area.RightDockWidgetArea)
        answer = self._dock("Answer", self.answer_panel, area.RightDockWidgetArea)
        attempts = self._dock("Attempts", self.attempts_panel, area.RightDockWidgetArea)
        self.tabifyDockWidget(task, answer)
        self.tabifyDockWidget(answer, attempts)
        self._attempts = attempts
        tabs = [task, answer, attempts]
        if self.gallery is not None:
            tabs.append(self._dock("Gallery", self.gallery, area.RightDockWidgetArea))
            self.tabifyDockWidget(attempts, tabs[-1])
        self._rules = self._dock("Rules", self.rules_panel, area.RightDockWidgetArea)
        self.tabifyDockWidget(tabs[-1], self._rules)
        self._rules.hide()
        for dock in (*tabs, self._rules):
            dock.setTitleBarWidget(QWidget())  # The tab has the title.
        task.raise_()
        self._size_docks()
        self._first_layout = self.saveState(LAYOUT_VERSION)
        stored = self._settings.layout(self._layout_name())
        self._is_laid_out = stored is not None and self.restoreState(stored, LAYOUT_VERSION)
        # What a solver is told comes first, whatever was in front when another subtask was left.
        task.raise_()

    def _judgement(self) -> QWidget:
        """The verdict, with what was submitted last below it."""
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.verdict_panel, 1)
        column.addWidget(self.submission_line)
        return holder

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._keyboard.press_view_key(event):
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._keyboard.give_soon()
        # The size to be shared is known only now.
        QTimer.singleShot(0, self, self._share_room)

    def hideEvent(self, event: QHideEvent) -> None:
        if self._is_shared_out:
            self._remember_widths()
        super().hideEvent(event)

    def _share_room(self) -> None:
        """Gives the docks the widths that they have in every tab."""
        if not self._is_laid_out:
            self._is_laid_out = True
            self._size_docks()
        docks = {dock.objectName(): dock for dock in self.findChildren(QDockWidget)}
        widths = {"tools": TOOLS_WIDTH, "verdict": PANELS_WIDTH} | self._settings.dock_widths
        self._is_shared_out = True
        at_the_side = [docks[name] for name in widths if name in docks and not docks[name].isFloating()]
        shared = [widths[dock.objectName()] for dock in at_the_side]
        self.resizeDocks(at_the_side, shared, Qt.Orientation.Horizontal)

    def _remember_widths(self) -> None:
        docks = {dock.objectName(): dock for dock in self.findChildren(QDockWidget)}
        seen = {name: docks[name].width() for name in ("tools", "verdict") if docks[name].isVisibleTo(self)}
        self._settings.dock_widths = self._settings.dock_widths | seen

    def _size_docks(self) -> None:
        docks = {dock.objectName(): dock for dock in self.findChildren(QDockWidget)}
        self.resizeDocks([docks["tools"], docks["verdict"]], [TOOLS_WIDTH, PANELS_WIDTH], Qt.Orientation.Horizontal)
        self.resizeDocks(
            [docks["verdict"], docks["task"]],
            [round(VERDICT_SHARE * self.height()), round((1 - VERDICT_SHARE) * self.height())],
            Qt.Orientation.Vertical,
        )

    def _dock(self, title: str, content: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(title.lower())
        dock.setWidget(content)
        self.addDockWidget(area, dock)
        return dock

    def _layout_name(self) -> str:
        return f"workspace-{self.document.task.id}"

    def _connect(self) -> None:
        self.editor.status_changed.connect(self.status_changed)
        self.editor.message.connect(self.message)
        # Makes the keys work in the panels too, where Tab goes from field to field.
        self.addActions([action for action in self.editor.actions() if "Tab" not in action.shortcut().toString()])
        for panel in (self.verdict_panel, self.attempts_panel):
            self.editor.panel_focus.watch(panel)
        for dock in self.findChildren(QDockWidget):
            self._keyboard.watch(dock)
        self.editor.aid_used.connect(self.session.use_aid)
        self.editor.submit_wanted.connect(self.submit)
        if isinstance(self.editor, TimesSolving):
            self.editor.clock_wanted.connect(self._run_clock)
        self.session.clock.pause_changed.connect(self._tell_clock)
        if isinstance(self.editor, OpensInstances):
            self.editor.open_requested.connect(self.open_requested)
        self.session.trouble.connect(self.message)
        self.session.trouble.connect(self.submission_line.show_trouble)
        self.submission_line.attempt_wanted.connect(self._show_attempt)
        self.session.submitted.connect(self._submitted)
        self.session.judged.connect(self._judged)
        self.session.live.waiting_changed.connect(self.verdict_panel.show_waiting)
        self.document.verdict_changed.connect(self._show_verdict)
        self.document.answer_changed.connect(self._grey_verdict)
        self.verdict_panel.elements_clicked.connect(self.editor.show_elements)
        self.verdict_panel.cancel_requested.connect(self.session.live.cancel)
        self.verdict_panel.crosscheck_requested.connect(self.crosscheck)
        self.verdict_panel.key_requested.connect(self.ask_for_key)
        self.verdict_panel.wrong_wanted.connect(self.session.show_wrong)
        self.document.openness_changed.connect(self._show_openness)
        self.attempts_panel.opened.connect(self.open_attempt)
        self.attempts_panel.compared.connect(self._compare_attempts)
        self.attempts_panel.replayed.connect(self._replay_attempt)
        self._project.changed.connect(self._load_attempts)

    def _show_verdict(self) -> None:
        self.verdict_panel.show_verdict(self.document.verdict, self.document.is_verdict_current)

    def _show_openness(self) -> None:
        self.verdict_panel.show_rule(self.document.task.live, self.document.openness, self.session.explores)

    def _grey_verdict(self) -> None:
        self.verdict_panel.set_current(False)

    def _compare_methods(self, verdict: Verdict, other: Verdict) -> None:
        agree = not verdict.disagrees_with(other, self.document.task.score_tolerance)
        self.verdict_panel.show_waiting(False)
        scores = f"{verdict.verifier} {score_words(verdict.score, 3)} · cross-check {score_words(other.score, 3)}"
        text = f"{scores} ({other.elapsed_s:.2f} s)"
        self.verdict_panel.show_comparison(text, agree)

    def _load_attempts(self) -> None:
        address = self.document.instance.address
        self._ask(lambda project: project.attempts(address), self._show_attempts)
        if self.gallery is not None and self.gallery.isVisible():
            self._load_gallery()

    def _show_attempts(self, rows: list[AttemptRow]) -> None:
        self.attempts_panel.show_attempts(rows)
        own = [row for row in rows if (row.actor, row.actor_name) == ("person", self.session.person)]
        if any(row.passed for row in own):
            self._end_solving()

    def _end_solving(self) -> None:
        """Stops the clock of a puzzle that is solved."""
        if isinstance(self.editor, TimesSolving) and not self.session.clock.is_finished:
            self.session.clock.finish()
            self._tell_clock()

    def _make_gallery(self) -> Gallery | None:
        """The gallery, for answers that can be played over each other by who may see how they do."""
        may_see = self.editor.allows(Aid.SOLVING) and self.editor.allows(Aid.JUDGING)
        if not (isinstance(self.editor, PlaysAttempts) and may_see):
            return None
        from spatial_workbench.app.workspace.gallery import Gallery

        gallery = Gallery(str(self.document.instance.parameters.get("level", "")))
        gallery.shown.connect(self._load_gallery)
        gallery.played.connect(self._play_attempt)
        gallery.opened.connect(self.open_attempt)
        return gallery

    def _load_gallery(self) -> None:
        address, gallery = self.document.instance.address, self.gallery
        assert gallery is not None

        def read(project: Project) -> list[tuple[AttemptRow, str]]:
            return [(row, project.attempt(row.number).answer) for row in project.attempts(address)]

        self._ask(read, gallery.show_attempts)

    def _play_attempt(self, number: int) -> None:
        """Plays an attempt's machine over the present one."""

        def play(attempt: Attempt) -> None:
            self._tell_of_foreign([attempt], "Play attempt")
            try:
                if isinstance(self.editor, PlaysAttempts):
                    self.editor.play_over(self.document.task.parse(attempt.answer))
            except AnswerError as error:
                self.message.emit(f"The attempt cannot be played. {error}")

        self._ask(lambda project: project.attempt(number), play)

    def _submitted(self, number: int) -> None:
        self.submission_line.show_stored(number)
        self._load_attempts()

    def _judged(self, number: int, verdicts: tuple[Verdict, ...]) -> None:
        default = next(verdict for verdict in verdicts if verdict.verifier == "default")
        self.submission_line.show_judged(number, default)
        if default.passed:
            self._end_solving()

    def _show_attempt(self, number: int) -> None:
        """Selects an attempt in the list, which comes to the front."""
        self._attempts.show()
        self._attempts.raise_()
        self.attempts_panel.select([number])

    def _replay_attempt(self, number: int) -> None:
        def show(looked_up: tuple[Attempt, Any]) -> None:
            attempt, record = looked_up
            self._tell_of_foreign([attempt], "Replay attempt")
            if isinstance(record, str):
                self.message.emit(record)
            else:
                self.replay_requested.emit(f"Replay of attempt {number}", record)

        self._ask(lambda project: (project.attempt(number), replay_of(project, number)), show)

    def _compare_attempts(self, first: int, second: int | None) -> None:
        from spatial_workbench.app.attempts import drawings
        from spatial_workbench.app.attempts.compared import of_attempt, of_draft
        from spatial_workbench.app.attempts.dossier import collect

        instance = self.document.instance
        verdict = self.document.verdict if self.document.is_verdict_current else None
        draft = packed(self.document.task, self.document.answer)
        numbers = [first] if second is None else sorted((first, second))

        def show(dossiers: list[Dossier], drawn: list[drawings.AttemptDrawing]) -> None:
            for drawing in drawn:
                if drawing.trouble:
                    self.message.emit(drawing.trouble)
            scenes = [drawing.scene for drawing in drawn if drawing.scene is not None]
            if len(scenes) < len(drawn):
                return
            sides = [of_attempt(dossier, scene) for dossier, scene in zip(dossiers, scenes, strict=False)]
            if second is None:
                sides.append(of_draft(instance, draft, verdict, scenes[-1]))
            self.compare_requested.emit(*sides)

        def arrived(dossiers: list[Dossier]) -> None:
            if len(dossiers) < len(numbers):
                self.message.emit("One of these attempts no longer exists.")
                return
            self._tell_of_foreign([dossier.attempt for dossier in dossiers], "Compare with attempt")
            texts = [*(dossier.attempt.answer for dossier in dossiers), draft]
            self._jobs.run(
                "Drawing the attempts",
                drawings.draw_all,
                instance.address,
                texts[:2],
                done=lambda drawn: show(dossiers, drawn),
                failed=self.message.emit,
            )

        self._ask(lambda project: [dossier for n in numbers if (dossier := collect(project, n)) is not None], arrived)
