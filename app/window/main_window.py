"""The main window: menus, tabs of pages, status bar."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtGui import QCloseEvent, QDesktopServices, QKeySequence
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QMenu,
    QMessageBox,
    QTabWidget,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid

from spatial_workbench.app.background.jobs import Jobs
from spatial_workbench.app.background.project_service import ProjectService
from spatial_workbench.app.frame.actions import Actions
from spatial_workbench.app.frame.added import added
from spatial_workbench.app.frame.host import Host
from spatial_workbench.app.frame.loading import soon_needed
from spatial_workbench.app.frame.memory import exempt_loaded, give_back
from spatial_workbench.app.frame.pages import Pages, is_workspace
from spatial_workbench.app.frame.people import shown_name
from spatial_workbench.app.frame.settings import Settings
from spatial_workbench.app.frame.style import apply_theme, wanted_theme
from spatial_workbench.app.frame.undo import UndoGroup, undo_stack_of
from spatial_workbench.app.window.abilities import Ability, abilities
from spatial_workbench.app.window.catalogue import Catalogue
from spatial_workbench.app.window.dialogs import plain
from spatial_workbench.app.window.edit_entries import EditEntries
from spatial_workbench.app.window.evaluations import Evaluations
from spatial_workbench.app.window.log_view import LogBuffer, LogPage
from spatial_workbench.app.window.palette import CommandPalette, WindowCommand
from spatial_workbench.app.window.projects import Projects
from spatial_workbench.app.window.puzzle_pages import PuzzlePages
from spatial_workbench.app.window.reopening import Reopening
from spatial_workbench.app.window.run_pages import RunPages
from spatial_workbench.app.window.searches import Searches
from spatial_workbench.app.window.status_bar import StatusBar
from spatial_workbench.app.window.study_pages import StudyPages
from spatial_workbench.app.workspace.clock import ClockState
from spatial_workbench.app.workspace.openings import Openings
from spatial_workbench.engine.core import task, tasks
from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.core.plug_ins.foreign import TaskFault
from spatial_workbench.root import ROOT
from spatial_workbench.widgets.encoding import encoded
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.qt import the_application
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.attempts.compared import Compared
    from spatial_workbench.app.attempts.replays import EditHistory, MachineRun
    from spatial_workbench.app.machine_runs.page import MachineRunPage
    from spatial_workbench.app.workspace.page import Workspace
    from spatial_workbench.engine.cube.agent.records import RunRecord

_log = logging.getLogger(__name__)

MESSAGE_MS = 8000
SETTLE_MS = 2500
"""When the libraries are loaded after the start."""
GIVE_BACK_MS = 1000
"""The delay before the memory of a closed page is returned to the system."""
MENUS = ("File", "Edit", "View", "Task", "Evaluate", "Runs", "Puzzles", "Help")


_TASK_ACTIONS: tuple[tuple[str, str, Callable[[Workspace], object], str, str], ...] = (
    ("submit", "&Submit answer", lambda workspace: workspace.judgement.submit(), "F9", "submit"),
    ("solve", "Load &reference solution", lambda workspace: workspace.answers.load_reference(), "F6", "solve"),
    ("key", "Show the &key…", lambda workspace: workspace.judgement.ask_for_key(), "", "eye"),
    ("crosscheck", "&Cross-check", lambda workspace: workspace.judgement.crosscheck(), "F8", "check"),
    ("rules", "R&ules", lambda workspace: workspace.show_rules(), "F1", "info"),
    ("clear", "C&lear answer", lambda workspace: workspace.answers.clear(), "", "delete"),
    ("load", "&Open answer…", lambda workspace: workspace.answers.ask_for_file(), "Ctrl+Shift+O", "open"),
    ("save", "Save &answer…", lambda workspace: workspace.answers.ask_where_to_save(), "Ctrl+S", "save"),
)
"""What the Task menu does with the workspace in front: id, text, what is done, keys, icon."""

_ASK_TO_EXPLORE = (
    "Explore instead of solving?\n\nIn every tab, verdicts show everything. Your attempts at the subtasks that you "
    "open are marked, and never count as solved without help, then or later."
)


class MainWindow(Host):
    """The application's window. It owns the project, the background processes and the pages."""

    def __init__(self, settings: Settings, log: LogBuffer) -> None:
        super().__init__()
        self.setObjectName("main")
        self.setWindowTitle("Spatial Workbench")
        self.settings = settings
        self._log_buffer = log
        self.jobs = Jobs(self)
        self.project = ProjectService(self)
        self.undo_group = UndoGroup(self)
        self.actions_registry = Actions(self, settings)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setMovable(True)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self.setCentralWidget(self.tabs)
        self.pages = Pages(self.tabs)
        self._unread: dict[QWidget | None, str] = {}
        """The last message of each tab that was not in front when it came."""
        self.catalogue = Catalogue()
        self._giving_back = QTimer(self, singleShot=True, interval=GIVE_BACK_MS)
        self._giving_back.timeout.connect(give_back)
        self._settling = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settling.timeout.connect(exempt_loaded)
        self._openings = Openings(self)
        self._reopening = Reopening(self)
        self.status_bar = StatusBar(self.jobs)
        self.setStatusBar(self.status_bar)
        self.projects = Projects(self)
        self._make_actions()
        self.evaluations = Evaluations(self)
        self.run_pages = RunPages(
            self, self.evaluations.export, lambda attempts: self.evaluations.judging.judge_steps(attempts=attempts)
        )
        self.searches = Searches(self, self.show_machines)
        self.puzzle_pages = PuzzlePages(self)
        self.study_pages = StudyPages(self)
        self._make_menus()
        self.pages.add(self.catalogue)
        self.pages.register("log", lambda: LogPage(self._log_buffer))
        self._connect()
        self._restore()

    # Opening -----------------------------------------------------------------------------------------------------

    def start(self, project: Path | None) -> None:
        """Opens the given project, or else the scratch project; called once the window is painted."""
        last = self.settings.last_project
        if project is None and last is not None and last.is_file():
            self.project.open(last)
        elif project is None:
            self.project.open_scratch()
        else:
            self.project.open(project)
        self.jobs.live.start()
        added().refresh()
        self._openings.loader.load_ahead(soon_needed())
        self._settling.start()

    def open_instance(self, address: str) -> None:
        self._openings.open_instance(address)

    def open_attempt(self, address: str, number: int) -> None:
        self._openings.open_attempt(address, number)

    def open_text(self, address: str, text: str, origin: str, person: str) -> None:
        self._openings.open_text(address, text, origin, person)

    def show_message(self, text: str) -> None:
        _log.info(text)
        self.statusBar().showMessage(with_marks(text), MESSAGE_MS)

    def tell_of_error(self, error: BaseException) -> None:
        """Reports an unexpected error; the log has the details."""
        if isinstance(error, TaskFault):
            self.show_message(str(error))
            return
        _log.error("unforeseen", exc_info=error)
        self.statusBar().showMessage(
            "Something went wrong here. Your work is stored; the details are in the log (Ctrl+Shift+G).", MESSAGE_MS
        )

    @property
    def workspace(self) -> Workspace | None:
        """The workspace in front, or None."""
        return self.pages.workspace

    def _in_front(self, do: Callable[[Workspace], object]) -> Callable[[], None]:
        """Calls a function with the current workspace, if there is one."""

        def act() -> None:
            if self.workspace is not None:
                do(self.workspace)

        return act

    def _workspace_opened(self, workspace: Workspace) -> None:
        workspace.status_changed.connect(self._show_status)
        workspace.message.connect(lambda text: self._show_message_of(workspace, text))
        workspace.compare_requested.connect(self.show_comparison)
        workspace.replay_requested.connect(self.show_replay)
        workspace.open_requested.connect(self.open_instance)
        # The last message is about the answer as it was.
        workspace.document.answer_changed.connect(self.statusBar().clearMessage)
        workspace.clock_shown.connect(lambda: self._show_clock(workspace))
        self.actions_registry.adopt(*workspace.bound_actions())

    def show_comparison(self, left: Compared, right: Compared) -> None:
        from spatial_workbench.app.comparison.page import ComparePage

        self.pages.add(ComparePage(left, right, self.jobs))

    def show_replay(self, title: str, record: RunRecord | MachineRun | EditHistory) -> None:
        from spatial_workbench.app.attempts.replays import EditHistory, MachineRun

        if isinstance(record, EditHistory):
            from spatial_workbench.app.workspace.history import HistoryPage

            self.pages.add(HistoryPage(record, title, self.jobs))
            return
        if isinstance(record, MachineRun):
            from spatial_workbench.app.machine_runs.page import MachineRunPage

            self.show_machines(MachineRunPage(record, self.jobs))
            return
        from spatial_workbench.app.workspace.replay import ReplayPage

        self.pages.add(ReplayPage(record, title))

    def show_machines(self, page: MachineRunPage) -> None:
        """Opens a page that browses machines."""
        page.message.connect(self.show_message)
        page.open_requested.connect(self.open_text)
        page.compare_requested.connect(self.show_comparison)
        self.pages.add(page)

    def _generate(self, task_id: str) -> None:
        from spatial_workbench.app.window.dialogs import GenerateDialog

        dialog = GenerateDialog(task(task_id), self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.open_instance(dialog.address))
        dialog.open()

    def warn(self, title: str, text: str) -> None:
        _log.warning("%s: %s", title, text)
        if self.findChild(QMessageBox) is not None:
            return
        box = QMessageBox(QMessageBox.Icon.Warning, title, text, parent=self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    # Pages -------------------------------------------------------------------------------------------------------

    def _leave_project(self) -> None:
        """Closes the pages of the project that is being left."""
        self._reopening.remember()
        self._openings.forget()
        self.pages.close_all()

    def _page_closed(self, page: QWidget) -> None:
        if (stack := undo_stack_of(page)) is not None:
            self.undo_group.release(stack)
        if is_workspace(page):
            workspace = cast("Workspace", page)
            self.actions_registry.release(workspace.bound_actions()[2])
            self._unread.pop(workspace, None)
        self._giving_back.start()

    def _page_changed(self) -> None:
        workspace = self.workspace
        self.statusBar().clearMessage()
        if workspace in self._unread:
            self.show_message(self._unread.pop(workspace))
        if self.pages.front is self.catalogue:
            added().refresh()
        for page in self.pages.workspaces:
            page.time.set_state(self._clock_state() if page is workspace else ClockState.STOPPED)
        self.jobs.live.front = workspace.session.live if workspace else None
        self.undo_group.set_active(undo_stack_of(self.pages.front))
        for entry in self.actions_registry.entries.values():
            if entry.menu == "Task":
                entry.action.setEnabled(workspace is not None)
        self.status_bar.set_clock_visible(workspace is not None and self.settings.show_clock)
        if workspace is not None:
            workspace.editor.update_status()
            self._show_clock(workspace)
            self._fill_verifiers(workspace)
        else:
            self.status_bar.show_text("")

    def _show_message_of(self, workspace: Workspace, text: str) -> None:
        """Shows a message of a tab while that tab is in front; else once it is."""
        if workspace is self.workspace:
            self.show_message(text)
        else:
            self._unread[workspace] = text

    def _show_status(self, text: str) -> None:
        """Shows an editor's status while its tab is current."""
        if self.sender() is self.workspace:
            self.status_bar.show_text(text)

    # Parts -------------------------------------------------------------------------------------------------------

    def _make_actions(self) -> None:
        add = self.actions_registry.add
        keys = QKeySequence.StandardKey
        add("page.close", "File", "Close &tab", self.pages.close_front, keys.Close, "close")
        add("app.person", "Edit", "&Who is solving…", lambda: self.status_bar.person.showMenu(), "", "person")
        add("app.explore", "Edit", "&Explore…", lambda: self.ask_to_explore(not self.settings.explores), "", "eye")
        add("app.settings", "Edit", "&Settings…", self._show_settings, keys.Preferences, "settings")
        add("view.catalogue", "View", "&Catalogue", self._show_catalogue, "Ctrl+Home", "home")
        add("view.next", "View", "&Next tab", lambda: self.pages.step(1), "Ctrl+PgDown")
        add("view.previous", "View", "&Previous tab", lambda: self.pages.step(-1), "Ctrl+PgUp")
        add("view.theme", "View", "Light or &dark", self._toggle_theme, "Ctrl+Shift+L", "theme")
        add("view.picture", "View", "Save &picture…", self._save_picture, "Ctrl+Shift+P", "camera")
        add("view.reset", "View", "&Reset layout", self._reset_layout)
        add("view.log", "View", "&Log", lambda: self.pages.show("log"), "Ctrl+Shift+G", "log")
        for name, text, do, key, icon_name in _TASK_ACTIONS:
            add(f"task.{name}", "Task", text, self._in_front(do), key, icon_name)
        add("help.palette", "Help", "&Command palette…", self.show_palette, "Ctrl+K", "search")
        add("help.docs", "Help", "&Documentation", self._show_docs, "Shift+F1", "info")
        add("help.tour", "Help", "&Tour of the editor", self._in_front(lambda workspace: workspace.begin_tour()))
        add("help.about", "Help", "&About Spatial Workbench", self._show_about)

    def _make_menus(self) -> None:
        undo = self.undo_group.undo_action
        redo = self.undo_group.redo_action
        for action, keys, name in ((undo, ("Ctrl+Z",), "undo"), (redo, ("Ctrl+Shift+Z", "Ctrl+Y"), "redo")):
            action.setShortcuts([QKeySequence(key) for key in keys])
            action.setIcon(icon(name))
            self.actions_registry.add_made(f"edit.{name}", "Edit", action)
        self._verifiers = QMenu("&Judge with", self)
        self._panels = QMenu("&Panels", self)
        self._panels.aboutToShow.connect(self._fill_panels)
        below = {
            "project.open": self.projects.recent,
            "task.crosscheck": self._verifiers,
            "view.previous": self._panels,
        }
        for title in MENUS:
            menu = self.menuBar().addMenu(f"&{title}")
            if title == "Edit":
                menu.addActions([undo, redo])
                menu.addSeparator()
                EditEntries(menu, lambda: self.workspace)
                menu.addSeparator()
            for entry in self.actions_registry.entries.values():
                if entry.menu == title and entry.action not in menu.actions():
                    menu.addAction(entry.action)
                    if entry.id in below:
                        menu.addMenu(below[entry.id])
            if title == "File":
                menu.addSeparator()
                leave = menu.addAction("&Quit")
                leave.setShortcut(QKeySequence.StandardKey.Quit)
                leave.triggered.connect(self.close)
        search = QToolButton()
        search.setIcon(icon("search", "secondary"))
        search.setText("Ctrl+K")
        search.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        search.setToolTip("Find a command or a subtask")
        search.setAccessibleName("Command palette")
        search.clicked.connect(self.show_palette)
        corner = QWidget()
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE)
        row.addWidget(self._make_tab_list())
        row.addWidget(search)
        self.tabs.setCornerWidget(corner)

    def _make_tab_list(self) -> QToolButton:
        """A button with a menu of all tabs, however many there are."""
        self.tab_list = QMenu(self)
        self.tab_list.aboutToShow.connect(self._fill_tab_list)
        button = QToolButton()
        button.setText("Tabs")
        button.setToolTip("All open tabs")
        button.setAccessibleName("All open tabs")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(self.tab_list)
        return button

    def _fill_tab_list(self) -> None:
        self.tab_list.clear()
        for index in range(self.tabs.count()):
            action = self.tab_list.addAction(self.tabs.tabIcon(index), self.tabs.tabText(index).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(index == self.tabs.currentIndex())
            action.triggered.connect(partial(self.tabs.setCurrentIndex, index))

    def _connect(self) -> None:
        self.pages.changed.connect(self._page_changed)
        self.pages.closed.connect(self._page_closed)
        self._openings.beginning.connect(exempt_loaded)
        self._openings.opened.connect(self._workspace_opened)
        self.catalogue.instance_chosen.connect(self.open_instance)
        self.catalogue.generate_chosen.connect(self._generate)
        self.catalogue.example_chosen.connect(self.projects.open_example)
        self.project.leaving.connect(self._leave_project)
        self.project.changed.connect(self._load_progress)
        self.evaluations.attempts_wanted.connect(self.run_pages.show_runs_of)
        self.evaluations.attempt_wanted.connect(self.run_pages.show_run)
        self.status_bar.clock_clicked.connect(self._toggle_clock)
        self.status_bar.person.show_person(self.settings.person)
        self.status_bar.person.chosen.connect(self.change_person)
        self.status_bar.explore.wanted.connect(self.ask_to_explore)
        self.status_bar.cancelled.connect(lambda label: self.show_message(f"{label}: cancelled."))
        the_application().focusWindowChanged.connect(self._follow_focus)
        the_application().styleHints().colorSchemeChanged.connect(self.apply_appearance)

    def _restore(self) -> None:
        self.resize(1440, 900)
        geometry = self.settings.layout("main-window")
        if geometry is not None:
            self.restoreGeometry(geometry)
        self._page_changed()

    # What menus do -----------------------------------------------------------------------------------------------

    def show_palette(self) -> None:
        """Opens the command palette."""
        CommandPalette(self._commands(), self).open_over(self)

    def apply_appearance(self) -> None:
        """Applies the chosen theme."""
        application = the_application()
        theme = wanted_theme(self.settings.theme, application)
        apply_theme(application, theme, self.settings.reduce_motion, later=self.pages.theme_later())

    def _commands(self) -> Iterator[WindowCommand]:
        for entry in self.actions_registry.entries.values():
            if entry.action.isEnabled():
                keys = entry.action.shortcut().toString()
                yield WindowCommand(f"{entry.menu}: {plain(entry.action.text())}", keys, entry.action.trigger)
        if self.workspace is not None:
            for action in (*self.workspace.editor.actions(), *self.workspace.editor.view.actions()):
                if action.isEnabled() and action.text():
                    yield WindowCommand(plain(action.text()), action.shortcut().toString(), action.trigger)
        for known in tasks():
            for instance in known.instances():
                text = f"Open {known.title} {instance.number}: {known.caption(instance)}"
                run = partial(self.open_instance, instance.address)
                yield WindowCommand(text, instance.address, run, instance.number, known.id)
            for collection, members in added().to(known.id).items():
                for named in members:
                    run = partial(self.open_instance, f"{known.id}:{named.name}")
                    text = f"Open {known.title} {collection}: {named.caption}"
                    yield WindowCommand(text, "", run, also=f"{known.id} {named.name}")

    def _show_settings(self) -> None:
        from spatial_workbench.app.window.dialogs import SettingsDialog

        dialog = SettingsDialog(self.settings, self.actions_registry, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(self._settings_accepted)
        dialog.open()

        def show(trials: list[Ability]) -> None:
            if isValid(dialog):
                dialog.show_abilities(trials)

        self.jobs.run("Testing what this computer can do", abilities, done=show, quiet=True)

    def _settings_accepted(self) -> None:
        self.apply_appearance()
        self._page_changed()

    def _show_about(self) -> None:
        from spatial_workbench.app.window.dialogs import AboutDialog

        dialog = AboutDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _show_docs(self) -> None:
        docs = ROOT / "spatial_workbench" / "docs"
        if not (docs.is_dir() and QDesktopServices.openUrl(QUrl.fromLocalFile(str(docs)))):
            self.show_message("The documentation is in the folder docs of the project.")

    def _show_catalogue(self) -> None:
        self.tabs.setCurrentWidget(self.catalogue)
        self.catalogue.search.setFocus()

    def _toggle_theme(self) -> None:
        now = wanted_theme(self.settings.theme, the_application())
        self.settings.theme = "light" if now.is_dark else "dark"
        self.apply_appearance()

    def _reset_layout(self) -> None:
        self.settings.forget_layouts()
        for page in self.pages.workspaces:
            page.docks.reset()

    def _save_picture(self) -> None:
        if self.workspace is None:
            self.show_message("Open a subtask first; the picture shows its view.")
            return
        path, _ = QFileDialog.getSaveFileName(self, "Save the picture", "picture.png", "Pictures (*.png)")
        if not path:
            return
        try:
            write_whole(Path(path), encoded(self.workspace.editor.view.image(scale=2.0)))
        except OSError as error:
            self.show_message(f"The picture could not be written to “{path}”: {error.strerror}.")

    def _fill_verifiers(self, workspace: Workspace) -> None:
        self._verifiers.clear()
        for verifier in workspace.document.task.verifiers().values():
            action = self._verifiers.addAction(verifier.name)
            action.setToolTip(verifier.about)
            action.setCheckable(True)
            action.setChecked(verifier.name == workspace.session.live.verifier)
            action.triggered.connect(lambda _=False, name=verifier.name: self._use_verifier(name))

    def _fill_panels(self) -> None:
        self._panels.clear()
        if self.workspace is None:
            self._panels.addAction("Open a subtask to see its panels").setEnabled(False)
        else:
            self._panels.addActions(self.workspace.docks.actions())

    def _use_verifier(self, name: str) -> None:
        if self.workspace is not None:
            self.workspace.judgement.use_verifier(name)
            self._fill_verifiers(self.workspace)

    def _load_progress(self) -> None:
        person = self.settings.person
        self.project.ask(lambda project: project.attempts.progress(person), self.catalogue.show_progress)
        self.project.ask(lambda project: project.people(), self.status_bar.person.show_people)

    def ask_to_explore(self, explores: bool) -> None:
        """Explores after confirmation, since this cannot be undone; goes back to solving at once."""
        if not explores:
            self.explore(False)
            return
        box = QMessageBox(QMessageBox.Icon.Question, "Explore", _ASK_TO_EXPLORE, parent=self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.addButton("Explore", QMessageBox.ButtonRole.AcceptRole).clicked.connect(lambda: self.explore(True))
        box.setDefaultButton(box.addButton("Keep solving", QMessageBox.ButtonRole.RejectRole))
        box.open()

    def explore(self, explores: bool) -> None:
        """Shows full verdicts in every tab, which is recorded there; or goes back to solving."""
        self.settings.explores = explores
        self.status_bar.explore.show_exploring(explores)
        for page in self.pages.workspaces:
            page.session.explore(explores)

    def change_person(self, person: str) -> None:
        """Switches to another person, with their drafts, clocks and attempts."""
        if person == self.settings.person:
            return
        self.settings.person = person
        self.status_bar.person.show_person(person)
        self.explore(False)
        front = self.workspace
        pages = self.pages.workspaces
        addresses = [page.document.instance.address for page in pages if page is not front]
        for page in pages:
            self.pages.close(page)
        for address in addresses + ([front.document.instance.address] if front else []):
            self.open_instance(address)
        self.project.changed.emit()
        self.show_message(f"{shown_name(person)} is solving now.")

    def _clock_state(self) -> ClockState:
        """A dialog or an undocked panel of ours is no other program."""
        return ClockState.ACTIVE if the_application().focusWindow() is not None else ClockState.AWAY

    def _follow_focus(self) -> None:
        if self.workspace is not None:
            self.workspace.time.set_state(self._clock_state())

    def _show_clock(self, workspace: Workspace) -> None:
        if workspace is self.workspace:
            self.status_bar.show_clock(workspace.session.clock)

    def _toggle_clock(self) -> None:
        if self.workspace is not None:
            clock = self.workspace.session.clock
            clock.resume() if clock.is_paused else clock.pause()

    # Events ------------------------------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        self._settling.stop()
        self.settings.set_layout("main-window", self.saveGeometry())
        self._reopening.remember()
        self.pages.close_all()
        self._giving_back.stop()
        self.settings.sync()
        self._openings.close()
        self.project.close()
        self.jobs.close()
        super().closeEvent(event)
