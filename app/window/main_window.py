"""The main window: menus, tabs of pages, status bar."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEvent, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence, QUndoGroup
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMainWindow,
    QMenu,
    QMessageBox,
    QTabBar,
    QTabWidget,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid

from app.background import judging
from app.background.jobs import Jobs
from app.background.project_service import ProjectService
from app.evaluation.controller import Evaluations
from app.runs.controller import RunPages
from app.source import ROOT
from app.window.abilities import Ability, abilities
from app.window.actions import Actions
from app.window.catalogue import Catalogue
from app.window.dialogs import plain
from app.window.log_view import LogBuffer
from app.window.memory import give_back
from app.window.opening import Loader, OpeningPage, in_turns, soon_needed
from app.window.palette import Command, Palette
from app.window.people import shown_name
from app.window.projects import Projects
from app.window.settings import Settings
from app.window.status_bar import StatusBar
from app.window.style import apply_theme, take_theme, wanted_theme
from app.workspace.clock import ClockState
from engine.core import Instance, InstanceError, resolve, task, tasks
from widgets.icons import icon

_log = logging.getLogger(__name__)
P = TypeVar("P", bound=QWidget)

MESSAGE_MS = 8000
SETTLE_MS = 2500
"""After so long the libraries are loaded."""
GIVE_BACK_MS = 1000
"""So long after a page was closed, what it held goes back to the system."""
MENUS = ("File", "Edit", "View", "Task", "Evaluate", "Runs", "Help")


class MainWindow(QMainWindow):
    """The application's window. It owns the project, the background processes and the pages."""

    def __init__(self, settings: Settings, log: LogBuffer) -> None:
        super().__init__()
        self.setObjectName("main")
        self.setWindowTitle("Spatial Workbench")
        self.settings = settings
        self._log_buffer = log
        self.jobs = Jobs(self)
        self.project = ProjectService(self)
        self.undo_group = QUndoGroup(self)
        self.actions_registry = Actions(self, settings)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setMovable(True)
        self.setCentralWidget(self.tabs)
        self.catalogue = Catalogue()
        self._giving_back = QTimer(self, singleShot=True, interval=GIVE_BACK_MS)
        self._giving_back.timeout.connect(give_back)
        self._is_settled = False
        self._settling = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settling.timeout.connect(self._settle_memory)
        self._loader = Loader(self)
        self._opening: set[str] = set()
        self._unthemed: set[QWidget] = set()
        """Pages that take the theme when they are seen."""
        self._attempts_to_open: dict[str, int] = {}
        self.status_bar = StatusBar(self.jobs)
        self.setStatusBar(self.status_bar)
        self.projects = Projects(self)
        self._make_actions()
        self.evaluations = Evaluations(self)
        self.run_pages = RunPages(self)
        self._make_menus()
        self._add_page(self.catalogue, "Catalogue", "home", closable=False)
        self._connect()
        self._restore()

    # Opening -----------------------------------------------------------------------------------------------------

    def start(self, project: Path | None) -> None:
        """Opens the given project, or the one that work goes to without one; called when the window is painted."""
        last = self.settings.last_project
        if project is None and last is not None and last.is_file():
            self.project.open(last)
        elif project is None:
            self.project.open_scratch()
        else:
            self.project.open(project)
        self.jobs.live.start()
        self._loader.load_ahead(soon_needed())
        self._settling.start()

    def open_instance(self, address: str) -> None:
        """Opens an instance in a tab of its own, or goes to its tab."""
        for page in self._workspaces():
            if page.document.instance.address == address:
                self.tabs.setCurrentWidget(page)
                return
        if address in self._opening:
            self._show_opening(address)
            return
        if "@" in address:
            self._opening.add(address)
            self.jobs.run(
                "Making a new instance",
                judging.find,
                address,
                done=self._open_found,
                failed=lambda text: self._could_not_open(address, text),
            )
            return
        try:
            self._open_found(resolve(address)[1])
        except InstanceError as error:
            self.show_message(str(error))

    def open_attempt(self, address: str, number: int) -> None:
        """Opens an instance and puts an attempt's answer into its editor."""
        for page in self._workspaces():
            if page.document.instance.address == address:
                self.tabs.setCurrentWidget(page)
                page.open_attempt(number)
                return
        self._attempts_to_open[address] = number
        self.open_instance(address)

    def show_message(self, text: str) -> None:
        """Tells something in passing: in the status bar, and in the log."""
        _log.info(text)
        self.statusBar().showMessage(text, MESSAGE_MS)

    def tell_of_error(self, error: BaseException) -> None:
        """Says that something unforeseen happened; the log has the details."""
        _log.error("unforeseen", exc_info=error)
        self.statusBar().showMessage(
            "Something went wrong here. Your work is stored; the details are in the log (Ctrl+Shift+G).", MESSAGE_MS
        )

    @property
    def workspace(self):
        """The workspace in front, or None."""
        page = self.tabs.currentWidget()
        return page if page is not None and page.objectName() == "workspace" else None

    def _open_found(self, instance: Instance) -> None:
        self._opening.add(instance.address)
        page = OpeningPage(instance)
        self._add_page(page, page.title, "box")
        self._loader.load(instance, partial(self._begin_session, instance))

    def _begin_session(self, instance: Instance) -> None:
        from app.workspace.session import Session

        if instance.address in self._opening:
            person = self.settings.person
            Session.open(task(instance.task), instance, person, self.project, self.jobs, self._show_session)

    def _show_opening(self, address: str) -> None:
        """Goes to the tab of an instance that is being opened."""
        page = self._opening_page(address)
        if page is not None:
            self.tabs.setCurrentWidget(page)

    def _opening_page(self, address: str) -> OpeningPage | None:
        pages = (page for page in self._pages() if isinstance(page, OpeningPage))
        return next((page for page in pages if page.address == address), None)

    def _could_not_open(self, address: str, text: str) -> None:
        self._opening.discard(address)
        self._attempts_to_open.pop(address, None)
        self.show_message(text.partition(": ")[2] or text)

    def _show_session(self, session, note: str) -> None:
        address = session.document.instance.address
        if address not in self._opening:
            session.close()
            return
        if session.person != self.settings.person:
            session.close()
            self._begin_session(session.document.instance)
            return
        self._settle_memory()
        page = self._opening_page(address)
        in_turns(self, self._build_workspace(session, note, page))

    def _build_workspace(self, session, note: str, page: OpeningPage | None) -> Iterator[None]:
        """Builds a workspace step by step; between two steps the window answers."""
        from app.workspace.page import Workspace

        yield
        workspace = None
        if self._is_wanted(session, page):
            workspace = Workspace(session, self.project, self.jobs, self.settings)
            yield
        if workspace is not None and self._is_wanted(session, page):
            workspace.add_panels()
            yield
        if workspace is not None and self._is_wanted(session, page):
            self._show_workspace(workspace, note)
            return
        workspace.discard() if workspace is not None else session.close()
        if self._is_open_still(session, page):
            self._begin_session(session.document.instance)

    def _is_open_still(self, session, page: OpeningPage | None) -> bool:
        """Whether nobody closed the page since its workspace was begun."""
        address = session.document.instance.address
        return address in self._opening and self._opening_page(address) is page

    def _is_wanted(self, session, page: OpeningPage | None) -> bool:
        """Whether the page is open still, and the same person solves."""
        return self._is_open_still(session, page) and session.person == self.settings.person

    def _show_workspace(self, workspace, note: str) -> None:
        session = workspace.session
        address = session.document.instance.address
        self._opening.discard(address)
        workspace.status_changed.connect(self._show_status)
        workspace.message.connect(self.show_message)
        workspace.compare_requested.connect(self.show_comparison)
        workspace.replay_requested.connect(self.show_replay)
        workspace.open_requested.connect(self.open_instance)
        # What was told in passing is about the answer as it was.
        session.document.answer_changed.connect(self.statusBar().clearMessage)
        workspace.clock_shown.connect(lambda: self._show_clock(workspace))
        self.undo_group.addStack(session.document.undo_stack)
        self.actions_registry.adopt(*workspace.bound_actions())
        number = self._attempts_to_open.pop(address, None)
        self._put_in_place(workspace, address)
        if number is not None:
            workspace.open_attempt(number)
        if note:
            self.show_message(note)

    def _put_in_place(self, workspace, address: str) -> None:
        """The workspace takes the place of the page that stood for it; it comes to the front if that was there."""
        waiting = self._opening_page(address)
        front = self.tabs.currentWidget()
        place = -1 if waiting is None else self.tabs.indexOf(waiting)
        self._add_page(workspace, workspace.title, "box", place=place)
        if waiting is not None:
            self.close_page(waiting)
        if waiting in (None, front):
            workspace.editor.view.setFocus()
        else:
            self.tabs.setCurrentWidget(front)

    def show_comparison(self, left, right) -> None:
        """Shows two answers (Compared) beside each other."""
        from app.comparison.page import ComparePage

        page = ComparePage(left, right, self.jobs)
        self._add_page(page, page.title, "compare")

    def show_replay(self, title: str, record) -> None:
        """Shows an agent's run (RunRecord) step by step."""
        from app.workspace.replay import ReplayPage

        page = ReplayPage(record, title)
        self._add_page(page, page.title, "play")

    def _generate(self, task_id: str) -> None:
        from app.window.dialogs import GenerateDialog

        dialog = GenerateDialog(task(task_id), self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.open_instance(dialog.address))
        dialog.open()

    def warn(self, title: str, text: str) -> None:
        """Says what must not be overlooked, in a box of its own; one at a time."""
        _log.warning("%s: %s", title, text)
        if self.findChild(QMessageBox) is not None:
            return
        box = QMessageBox(QMessageBox.Icon.Warning, title, text, parent=self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    # Pages -------------------------------------------------------------------------------------------------------

    def _add_page(self, page: QWidget, title: str, icon_name: str, closable: bool = True, place: int = -1) -> None:
        index = self.tabs.insertTab(place, page, icon(icon_name), title)
        self.tabs.setTabToolTip(index, title)
        if closable:
            close = QToolButton()
            close.setIcon(icon("close", "secondary"))
            close.setObjectName("closeTab")
            close.setFixedSize(22, 22)
            close.setToolTip("Close this tab")
            close.setAccessibleName(f"Close {title}")
            close.clicked.connect(lambda: self.close_page(page))
            self.tabs.tabBar().setTabButton(index, QTabBar.ButtonPosition.RightSide, close)
        self.tabs.setCurrentIndex(index)

    def _pages(self) -> list[QWidget]:
        return [self.tabs.widget(i) for i in range(self.tabs.count())]

    def _workspaces(self) -> Iterator:
        for page in self._pages():
            if page.objectName() == "workspace":
                yield page

    def _close_tab(self, index: int) -> None:
        page = self.tabs.widget(index)
        if page is not self.catalogue:
            self.close_page(page)

    def _leave_project(self) -> None:
        """What was opened in one project says nothing about another one."""
        self._opening.clear()
        self._attempts_to_open.clear()
        self._close_pages()

    def _close_pages(self) -> None:
        for page in self._pages():
            if page is not self.catalogue:
                self.close_page(page)

    def close_page(self, page: QWidget) -> None:
        """Closes a tab; the page remembers how it was left."""
        for method in ("close_workspace", "close_page"):
            if hasattr(page, method):
                getattr(page, method)()
        if isinstance(page, OpeningPage):
            self._opening.discard(page.address)
            self._attempts_to_open.pop(page.address, None)
        if page.objectName() == "workspace":
            self.undo_group.removeStack(page.document.undo_stack)
            self.actions_registry.release(page.bound_actions()[2])
        self.tabs.removeTab(self.tabs.indexOf(page))
        self._unthemed.discard(page)
        page.deleteLater()
        self._giving_back.start()

    def _page_changed(self) -> None:
        self._take_theme()
        workspace = self.workspace
        for page in self._workspaces():
            page.set_state(self._clock_state() if page is workspace else ClockState.STOPPED)
        self.jobs.live.front = workspace.session.live if workspace else None
        self.undo_group.setActiveStack(workspace.document.undo_stack if workspace else None)
        for entry in self.actions_registry.entries.values():
            if entry.menu == "Task":
                entry.action.setEnabled(workspace is not None)
        self.status_bar.set_clock_visible(workspace is not None and self.settings.show_clock)
        if workspace is not None:
            workspace.editor.tell_status()
            self._show_clock(workspace)
            self._fill_verifiers(workspace)
        else:
            self.status_bar.show_text("")

    def _show_status(self, text: str) -> None:
        """Shows what an editor says of itself while its tab is in front."""
        if self.sender() is self.workspace:
            self.status_bar.show_text(text)

    def _take_theme(self) -> None:
        """A page that was out of sight when the theme changed takes it now."""
        page = self.tabs.currentWidget()
        if page in self._unthemed:
            self._unthemed.discard(page)
            take_theme(page)

    # Parts -------------------------------------------------------------------------------------------------------

    def _make_actions(self) -> None:
        add, keys = self.actions_registry.add, QKeySequence.StandardKey
        add("page.close", "File", "Close &tab", lambda: self._close_tab(self.tabs.currentIndex()), keys.Close, "close")
        add("app.person", "Edit", "&Who is solving…", lambda: self.status_bar.person.showMenu(), "", "person")
        add("app.settings", "Edit", "&Settings…", self._show_settings, keys.Preferences, "settings")
        add("view.catalogue", "View", "&Catalogue", self._show_catalogue, "Ctrl+Home", "home")
        add("view.next", "View", "&Next tab", lambda: self._step_tab(1), "Ctrl+PgDown")
        add("view.previous", "View", "&Previous tab", lambda: self._step_tab(-1), "Ctrl+PgUp")
        add("view.theme", "View", "Light or &dark", self._toggle_theme, "Ctrl+Shift+L", "theme")
        add("view.picture", "View", "Save &picture…", self._save_picture, "Ctrl+Shift+P", "camera")
        add("view.reset", "View", "&Reset layout", self._reset_layout)
        add("view.log", "View", "&Log", self._show_log, "Ctrl+Shift+G", "log")
        add("task.submit", "Task", "&Submit answer", lambda: self.workspace.submit(), "F9", "submit")
        add("task.solve", "Task", "Load &reference solution", lambda: self.workspace.load_reference(), "F6", "solve")
        add("task.key", "Task", "Show the &key…", lambda: self.workspace.ask_for_key(), "", "eye")
        add("task.crosscheck", "Task", "&Cross-check", lambda: self.workspace.crosscheck(), "F8", "check")
        add("task.clear", "Task", "C&lear answer", lambda: self.workspace.clear(), "", "delete")
        add("task.load", "Task", "&Open answer…", lambda: self.workspace.open_answer(), "Ctrl+Shift+O", "open")
        add("task.save", "Task", "Save &answer…", lambda: self.workspace.save_answer(), "Ctrl+S", "save")
        add("help.palette", "Help", "&Command palette…", self.show_palette, "Ctrl+K", "search")
        add("help.docs", "Help", "&Documentation", self._show_docs, keys.HelpContents, "info")
        add("help.about", "Help", "&About Spatial Workbench", self._show_about)

    def _make_menus(self) -> None:
        undo, redo = self.undo_group.createUndoAction(self, "Undo"), self.undo_group.createRedoAction(self, "Redo")
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
        self.tabs.setCornerWidget(search)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self._page_changed)
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
        self.status_bar.cancelled.connect(lambda label: self.show_message(f"{label}: cancelled."))
        QApplication.instance().styleHints().colorSchemeChanged.connect(lambda _: self.apply_appearance())

    def _restore(self) -> None:
        self.resize(1440, 900)
        geometry = self.settings.layout("main-window")
        if geometry is not None:
            self.restoreGeometry(geometry)
        self._page_changed()

    # What menus do -----------------------------------------------------------------------------------------------

    def show_palette(self) -> None:
        """Opens the command palette."""
        Palette(self._commands(), self).open_over(self)

    def apply_appearance(self) -> None:
        """Puts the chosen theme in force."""
        application = QApplication.instance()
        wanted = wanted_theme(self.settings.theme, application)
        self._unthemed = {page for page in self._pages() if page is not self.tabs.currentWidget()}
        apply_theme(application, wanted, self.settings.reduce_motion, later=self._unthemed)

    def _commands(self) -> Iterator[Command]:
        for entry in self.actions_registry.entries.values():
            if entry.action.isEnabled():
                keys = entry.action.shortcut().toString()
                yield Command(f"{entry.menu}: {plain(entry.action.text())}", keys, entry.action.trigger)
        if self.workspace is not None:
            for action in (*self.workspace.editor.actions(), *self.workspace.editor.view.actions()):
                if action.isEnabled() and action.text():
                    yield Command(plain(action.text()), action.shortcut().toString(), action.trigger)
        for one in tasks():
            for instance in one.instances():
                text = f"Open {one.title} {instance.number}: {one.caption(instance)}"
                run = partial(self.open_instance, instance.address)
                yield Command(text, "", run, instance.number)

    def _show_settings(self) -> None:
        from app.window.dialogs import SettingsDialog

        dialog = SettingsDialog(self.settings, self.actions_registry, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(self._settings_accepted)
        dialog.open()

        def show(found: list[Ability]) -> None:
            if isValid(dialog):
                dialog.show_abilities(found)

        self.jobs.run("Trying what this computer can do", abilities, done=show, quiet=True)

    def _settings_accepted(self) -> None:
        self.apply_appearance()
        self._page_changed()

    def _show_about(self) -> None:
        from app.window.dialogs import AboutDialog

        dialog = AboutDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _show_docs(self) -> None:
        docs = ROOT / "docs"
        if not (docs.is_dir() and QDesktopServices.openUrl(QUrl.fromLocalFile(str(docs)))):
            self.show_message("The documentation is in the folder docs of the project.")

    def _show_log(self) -> None:
        from app.window.log_view import LogPage

        self.show_only(LogPage, lambda: LogPage(self._log_buffer), "Log", "log")

    def show_only(self, kind: type[P], make: Callable[[], P], title: str, icon_name: str) -> P:
        """Goes to the page of this kind, of which there is one at most."""
        for i in range(self.tabs.count()):
            page = self.tabs.widget(i)
            if isinstance(page, kind):
                self.tabs.setCurrentIndex(i)
                return page
        page = make()
        self._add_page(page, title, icon_name)
        return page

    def _show_catalogue(self) -> None:
        self.tabs.setCurrentWidget(self.catalogue)
        self.catalogue.search.setFocus()

    def _step_tab(self, step: int) -> None:
        self.tabs.setCurrentIndex((self.tabs.currentIndex() + step) % self.tabs.count())

    def _toggle_theme(self) -> None:
        now = wanted_theme(self.settings.theme, QApplication.instance())
        self.settings.theme = "light" if now.is_dark else "dark"
        self.apply_appearance()

    def _reset_layout(self) -> None:
        self.settings.forget_layouts()
        for page in self._workspaces():
            page.reset_layout()

    def _save_picture(self) -> None:
        if self.workspace is None:
            self.show_message("Open a subtask first; its view is what is saved.")
            return
        path, _ = QFileDialog.getSaveFileName(self, "Save the picture", "picture.png", "Pictures (*.png)")
        if path and not self.workspace.editor.view.image(scale=2.0).save(path):
            self.show_message(f"The picture could not be written to “{path}”.")

    def _fill_verifiers(self, workspace) -> None:
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
            self._panels.addActions(self.workspace.panel_actions())

    def _use_verifier(self, name: str) -> None:
        if self.workspace is not None:
            self.workspace.use_verifier(name)
            self._fill_verifiers(self.workspace)

    def _load_progress(self) -> None:
        person = self.settings.person
        self.project.ask(lambda project: project.progress(person), self.catalogue.show_progress)
        self.project.ask(lambda project: project.people(), self.status_bar.person.show_people)

    def change_person(self, person: str) -> None:
        """Lets another person solve: their drafts, clocks and attempts take the place of the present ones."""
        if person == self.settings.person:
            return
        self.settings.person = person
        self.status_bar.person.show_person(person)
        front = self.workspace
        pages = list(self._workspaces())
        addresses = [page.document.instance.address for page in pages if page is not front]
        for page in pages:
            self.close_page(page)
        for address in addresses + ([front.document.instance.address] if front else []):
            self.open_instance(address)
        self._load_progress()
        self.show_message(f"{shown_name(person)} is solving now.")

    def _clock_state(self) -> ClockState:
        return ClockState.ACTIVE if self.isActiveWindow() else ClockState.AWAY

    def _show_clock(self, workspace) -> None:
        if workspace is self.workspace:
            self.status_bar.show_clock(workspace.session.clock)

    def _toggle_clock(self) -> None:
        if self.workspace is not None:
            clock = self.workspace.session.clock
            clock.resume() if clock.is_paused else clock.pause()

    def _settle_memory(self) -> None:
        """Takes what was loaded out of the garbage collector's sight: it stays, and looking through it costs 50 ms.

        Once, and before the first editor is built: what is opened has to be given back when it is closed.
        """
        if not self._is_settled:
            self._is_settled = True
            gc.collect()
            gc.freeze()

    # Events ------------------------------------------------------------------------------------------------------

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.workspace is not None:
            self.workspace.set_state(self._clock_state())

    def closeEvent(self, event) -> None:
        self._settling.stop()
        self.settings.set_layout("main-window", self.saveGeometry())
        self._close_pages()
        self._giving_back.stop()
        self.settings.sync()
        self._loader.close()
        self.project.close()
        self.jobs.close()
        super().closeEvent(event)
