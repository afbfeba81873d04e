"""The main window: its parts, what they have to do with each other, and how it begins and ends."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from spatial_workbench.app.background.jobs import Jobs
from spatial_workbench.app.background.project_service import ProjectService
from spatial_workbench.app.frame.actions import Actions
from spatial_workbench.app.frame.added import added
from spatial_workbench.app.frame.drops import level_paths
from spatial_workbench.app.frame.host import Host
from spatial_workbench.app.frame.loading import soon_needed
from spatial_workbench.app.frame.memory import exempt_loaded, give_back
from spatial_workbench.app.frame.pages import Pages, is_workspace
from spatial_workbench.app.frame.settings import Settings
from spatial_workbench.app.frame.undo import UndoGroup, undo_stack_of
from spatial_workbench.app.video.videos import VIDEO_TIP, Videos
from spatial_workbench.app.window.catalogue.page import Catalogue
from spatial_workbench.app.window.chosen_person import ChosenPerson
from spatial_workbench.app.window.front_clock import FrontClock
from spatial_workbench.app.window.log_view import LogBuffer, LogPage
from spatial_workbench.app.window.menus.answer_pages import AnswerPages
from spatial_workbench.app.window.menus.evaluations import Evaluations
from spatial_workbench.app.window.menus.help_entries import show_about, show_docs
from spatial_workbench.app.window.menus.laboratory import LaboratoryPages
from spatial_workbench.app.window.menus.levels import OwnLevels
from spatial_workbench.app.window.menus.menu_bar import add_undo_actions, fill_menu_bar
from spatial_workbench.app.window.menus.projects import Projects
from spatial_workbench.app.window.menus.puzzle_pages import PuzzlePages
from spatial_workbench.app.window.menus.run_pages import RunPages
from spatial_workbench.app.window.menus.searches import Searches
from spatial_workbench.app.window.menus.study_pages import StudyPages
from spatial_workbench.app.window.menus.task_entries import TaskEntries
from spatial_workbench.app.window.menus.verifiers import VerifierPages
from spatial_workbench.app.window.messages import Messages
from spatial_workbench.app.window.palette import CommandPalette
from spatial_workbench.app.window.palette_commands import palette_commands
from spatial_workbench.app.window.preferences import Preferences
from spatial_workbench.app.window.reopening import Reopening
from spatial_workbench.app.window.status_bar import StatusBar
from spatial_workbench.app.window.tabs import make_tabs
from spatial_workbench.app.workspace.openings import Openings
from spatial_workbench.engine.core import task

if TYPE_CHECKING:
    from spatial_workbench.app.attempts.compared import Compared
    from spatial_workbench.app.attempts.replays import MachineRun
    from spatial_workbench.app.workspace.page import Workspace
    from spatial_workbench.engine.cube.agent.records import RunRecord
    from spatial_workbench.engine.evaluation.edit_histories import EditHistory

SETTLE_MS = 2500
"""When the libraries are loaded after the start."""
GIVE_BACK_MS = 1000
"""The delay before the memory of a closed page is returned to the system."""


class MainWindow(Host):
    """The application's window. It owns the project, the background processes and the pages.

    What it does is in its parts: `messages` says things, `person` changes who solves, `clock` and `task_entries`
    concern the workspace in front, `preferences` has the appearance and the settings, `answer_pages`, `run_pages`,
    `searches`, `laboratory`, `puzzle_pages` and `study_pages` open pages, `evaluations` and `projects` have the menus
    of these names.
    """

    def __init__(self, settings: Settings, log: LogBuffer) -> None:
        super().__init__()
        self.setObjectName("main")
        self.setWindowTitle("Spatial Workbench")
        self.setAcceptDrops(True)
        self.settings = settings
        self.jobs = Jobs(self)
        self.project = ProjectService(self)
        self.undo_group = UndoGroup(self)
        self.actions_registry = Actions(self, settings)
        self.tabs = make_tabs(self.show_palette)
        self.setCentralWidget(self.tabs)
        self.pages = Pages(self.tabs)
        self.catalogue = Catalogue(self.pages.holder)
        self._giving_back = QTimer(self, singleShot=True, interval=GIVE_BACK_MS)
        self._giving_back.timeout.connect(give_back)
        self._settling = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settling.timeout.connect(exempt_loaded)
        self._openings = Openings(self)
        self._reopening = Reopening(self)
        self.status_bar = StatusBar(self.jobs)
        self.setStatusBar(self.status_bar)
        self.messages = Messages(self, self.status_bar, self.pages)
        self.person = ChosenPerson(self, self.status_bar)
        self.clock = FrontClock(self.status_bar, self.pages, settings, self)
        self.preferences = Preferences(self)
        self.task_entries = TaskEntries(self)
        self.answer_pages = AnswerPages(self)
        self.projects = Projects(self)
        self.levels = OwnLevels(self)
        self.videos = Videos(self)
        self._add_actions()
        self.evaluations = Evaluations(self)
        self.run_pages = RunPages(
            self, self.evaluations.export, lambda attempts: self.evaluations.judging.judge_steps(attempts=attempts)
        )
        self.searches = Searches(self, self.answer_pages.show_machines)
        self.laboratory = LaboratoryPages(self)
        self.verifier_pages = VerifierPages(self, self.run_pages.show_run)
        self.puzzle_pages = PuzzlePages(self)
        self.study_pages = StudyPages(self)
        self._add_menus()
        self.pages.add(self.catalogue)
        self.pages.register("log", lambda: LogPage(log))
        self._connect()
        self._restore()

    @property
    def workspace(self) -> Workspace | None:
        """The workspace in front, or None."""
        return self.pages.workspace

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

    def closeEvent(self, event: QCloseEvent) -> None:
        self._settling.stop()
        self.settings.set_layout("main-window", self.saveGeometry())
        self._reopening.leave()
        self.pages.close_all()
        self._giving_back.stop()
        self.settings.sync()
        self._openings.close()
        self.laboratory.close()
        self.project.close()
        self.jobs.close()
        self.videos.close()
        super().closeEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if level_paths(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Opens the levels in files that are dropped anywhere on the window."""
        event.acceptProposedAction()
        for path in level_paths(event.mimeData()):
            self.levels.open_file(str(path))

    # What pages and menus ask of their host ----------------------------------------------------------------------

    def open_instance(self, address: str) -> None:
        self._openings.open_instance(address)

    def open_attempt(self, address: str, number: int) -> None:
        self._openings.open_attempt(address, number)

    def open_text(self, address: str, text: str, origin: str, person: str) -> None:
        self._openings.open_text(address, text, origin, person)

    def show_message(self, text: str) -> None:
        self.messages.show_message(text)

    def warn(self, title: str, text: str) -> None:
        self.messages.warn(title, text)

    def show_comparison(self, left: Compared, right: Compared) -> None:
        self.answer_pages.show_comparison(left, right)

    def show_replay(self, title: str, record: RunRecord | MachineRun | EditHistory) -> None:
        self.answer_pages.show_replay(title, record)

    # Menus -------------------------------------------------------------------------------------------------------

    def _add_actions(self) -> None:
        add = self.actions_registry.add
        keys = QKeySequence.StandardKey
        add("page.close", "File", "Close &tab", self.pages.close_front, keys.Close, "close")
        add("app.person", "Edit", "&Who is solving…", self.person.choose, "", "person")
        add("app.explore", "Edit", "&Explore…", self.person.toggle_exploring, "", "eye")
        add("app.settings", "Edit", "&Settings…", self.preferences.show_settings, keys.Preferences, "settings")
        add("view.catalogue", "View", "&Catalogue", self.show_catalogue, "Ctrl+Home", "home")
        add("view.next", "View", "&Next tab", lambda: self.pages.step(1), "Ctrl+PgDown")
        add("view.previous", "View", "&Previous tab", lambda: self.pages.step(-1), "Ctrl+PgUp")
        add("view.theme", "View", "Light or &dark", self.preferences.toggle_theme, "Ctrl+Shift+L", "theme")
        add("view.picture", "View", "Save &picture…", self.task_entries.save_picture, "Ctrl+Shift+P", "camera")
        add("view.video", "View", "Save as &video…", self.videos.save_front, "", "video", VIDEO_TIP)
        add("view.reset", "View", "&Reset layout", self.preferences.reset_layout)
        add("view.log", "View", "&Log", lambda: self.pages.show("log"), "Ctrl+Shift+G", "log")
        self.task_entries.add_actions()
        add("help.palette", "Help", "&Command palette…", self.show_palette, "Ctrl+K", "search")
        add("help.docs", "Help", "&Documentation", partial(show_docs, self), "Shift+F1", "info")
        add("help.tour", "Help", "&Tour of the editor", self.task_entries.begin_tour)
        add("help.about", "Help", "&About Spatial Workbench", partial(show_about, self))

    def _add_menus(self) -> None:
        add_undo_actions(self.undo_group, self.actions_registry)
        submenus = {
            "project.open": self.projects.recent,
            "task.crosscheck": self.task_entries.verifiers,
            "view.previous": self.task_entries.panels,
        }
        fill_menu_bar(self, submenus)

    def show_palette(self) -> None:
        """Opens the command palette."""
        CommandPalette(palette_commands(self), self).open_over(self)

    def show_catalogue(self) -> None:
        """Goes to the catalogue, with the keyboard in its search."""
        self.tabs.setCurrentWidget(self.catalogue)
        self.catalogue.search.setFocus()

    def _ask_to_generate(self, task_id: str) -> None:
        from spatial_workbench.app.window.dialogs import GenerateDialog

        dialog = GenerateDialog(task(task_id), self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.open_instance(dialog.address))
        dialog.open()

    # What follows from what --------------------------------------------------------------------------------------

    def _connect(self) -> None:
        self.pages.changed.connect(self._follow_front)
        self.pages.closed.connect(self._page_closed)
        self.preferences.changed.connect(self._follow_front)
        self._openings.beginning.connect(exempt_loaded)
        self._openings.opened.connect(self._workspace_opened)
        self.catalogue.instance_chosen.connect(self.open_instance)
        self.catalogue.generate_chosen.connect(self._ask_to_generate)
        self.catalogue.levels_wanted.connect(self.levels.ask)
        self.catalogue.example_chosen.connect(self.projects.open_example)
        self.project.opening.connect(self.status_bar.show_opening)
        self.project.opening_ended.connect(self.status_bar.end_opening)
        self.status_bar.opening_cancelled.connect(self.project.cancel_opening)
        self.project.leaving.connect(self._leave_project)
        self.project.changed.connect(self._load_progress)
        self.evaluations.attempts_wanted.connect(self.run_pages.show_runs_of)
        self.evaluations.attempt_wanted.connect(self.run_pages.show_run)
        self.evaluations.steps_wanted.connect(self.run_pages.show_steps)
        self.status_bar.cancelled.connect(lambda label: self.show_message(f"{label}: cancelled."))

    def _restore(self) -> None:
        self.resize(1440, 900)
        geometry = self.settings.layout("main-window")
        if geometry is not None:
            self.restoreGeometry(geometry)
        self._follow_front()

    def _workspace_opened(self, workspace: Workspace) -> None:
        self.messages.listen_to(workspace)
        self.clock.listen_to(workspace)
        workspace.compare_requested.connect(self.show_comparison)
        workspace.replay_requested.connect(self.show_replay)
        workspace.open_requested.connect(self.open_instance)
        self.actions_registry.adopt(*workspace.bound_actions())

    def _follow_front(self) -> None:
        """Turns to the page that came to the front."""
        if self.pages.front is self.catalogue:
            added().refresh()
        workspace = self.workspace
        self.jobs.live.front = workspace.session.live if workspace else None
        self.undo_group.set_active(undo_stack_of(self.pages.front))
        self.messages.follow_front()
        self.clock.follow_front()
        self.task_entries.follow_front()
        self.levels.follow_front()
        self.videos.follow_front()

    def _page_closed(self, page: QWidget) -> None:
        if (stack := undo_stack_of(page)) is not None:
            self.undo_group.release(stack)
        if is_workspace(page):
            self.actions_registry.release(cast("Workspace", page).bound_actions()[2])
            self.messages.forget(page)
        self._giving_back.start()

    def _leave_project(self) -> None:
        """Closes the pages of the project that is being left."""
        self._reopening.leave()
        self._openings.forget()
        self.pages.close_all()

    def _load_progress(self) -> None:
        person = self.settings.person
        self.project.ask(lambda project: project.attempts.progress(person), self.catalogue.show_progress)
        self.project.ask(lambda project: project.people(), self.status_bar.person.show_people)
