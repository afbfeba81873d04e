"""The page on which a level is made: outline, drawing, the fields of what is chosen, and what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QSplitter, QVBoxLayout, QWidget
from shiboken6 import isValid

from spatial_workbench.app.levels import work
from spatial_workbench.app.levels.edited import EditedLevel
from spatial_workbench.app.levels.fields import PartFields
from spatial_workbench.app.levels.moving import DragThings, ThingKeys
from spatial_workbench.app.levels.outline import WIDTH_PX, LevelOutline
from spatial_workbench.app.levels.parts import LEVEL
from spatial_workbench.engine.machines.levels.level_drafts import (
    Draft,
    added_thing,
    copied_things,
    thing_at,
    without_things,
)
from spatial_workbench.engine.tasks.machine.level_drawing import draw_draft
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.panels.problem_lines import ProblemLines
from spatial_workbench.widgets.scene_views.view import Pick
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D
from spatial_workbench.widgets.theme import SPACE, Theme

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import Jobs
    from spatial_workbench.app.levels.work import ReadLevel
    from spatial_workbench.engine.machines.levels.level_files import LevelFault

FILTER = "Levels (*.level.json)"
SUFFIX = ".level.json"
FORM_PX = 372
MOST_SHOWN = 3
"""How many faults stand below the drawing; the others are marked in the outline."""
HINT = (
    "Click a thing to select it, and drag it along the ground. Arrow keys move it, Page Up and Page Down raise and "
    "lower boxes and rings, R turns it. A adds, Ctrl+D duplicates, Delete removes."
)


class LevelPage(QWidget):
    """A level, to be changed; every change is drawn and checked at once.

    Signals:
        retitled(): the level has another name.
        message(str): for the status bar.
        build_wanted(str): machines are to be built on the level with this address.
    """

    retitled = Signal()
    message = Signal(str)
    build_wanted = Signal(str)

    icon_name = "layers"

    def __init__(self, read: ReadLevel, jobs: Jobs) -> None:
        super().__init__()
        self._jobs = jobs
        self.edited = EditedLevel(read, self)
        self.undo_stack = self.edited.undo_stack
        self.outline = LevelOutline(self.edited)
        self.fields = PartFields(self.edited)
        self.view = Viewport3D()
        self.view.box_select = False
        self.view.setAccessibleName("The level")
        self.faults: ProblemLines[LevelFault] = ProblemLines()
        self._title = self.edited.name
        self._section = LEVEL
        self._lay_out()
        self._connect()
        self.view.set_tool(DragThings(self.edited, self.view))
        self.view.set_describe(self._describe)
        self._keys = ThingKeys(self.edited, self.view)
        self._add_shortcuts()
        appearance().changed.connect(self._set_theme)
        self._set_theme(appearance().theme)
        self._show(reset_view=True)
        self.view.show_hint(HINT)
        self.setFocusProxy(self.view)
        self.outline.show_section(LEVEL)
        self.fields.show_part(LEVEL)

    @property
    def title(self) -> str:
        """The text on the tab."""
        return f"Level · {self._title}"

    def close_page(self) -> None:
        """Keeps what was not saved."""
        appearance().changed.disconnect(self._set_theme)
        try:
            kept = self.edited.keep()
        except OSError as error:
            self.message.emit(f"“{self._title}” was not saved, and could not be kept: {error.strerror or error}.")
        else:
            if kept is not None:
                self.message.emit(f"“{self._title}” was not saved. File › Levels… has it.")
        self.view.close_view()

    # Things ----------------------------------------------------------------------------------------------------------

    def add(self, kind: str) -> None:
        """Adds a thing and selects it."""
        draft, place = added_thing(self.edited.draft, kind)
        self._change(draft, f"Add {kind.replace('_', ' ')}", (place,))

    def copy_chosen(self) -> None:
        """Duplicates the chosen things and selects the copies."""
        draft, places = copied_things(self.edited.draft, self.edited.selection)
        if places:
            self._change(draft, "Duplicate", places)

    def remove_chosen(self) -> None:
        """Removes the chosen things."""
        if self.edited.selection:
            self._change(without_things(self.edited.draft, self.edited.selection), "Remove", ())

    def _change(self, draft: Draft, label: str, selection: tuple[str, ...]) -> None:
        # What is selected by place must not be looked up in another list.
        self.edited.select(())
        self.edited.change(draft, label)
        self.edited.select(selection)

    # The file --------------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Saves to the level's file; asks where, if it has none."""
        if self.edited.path is None:
            self.ask_where_to_save()
        else:
            self.save_to(self.edited.path)

    def ask_where_to_save(self) -> None:
        """Asks for a file and saves to it."""
        proposed = self.edited.path or Path("".join(c for c in self.edited.name if c not in '\\/:*?"<>|') + SUFFIX)
        chosen, _ = QFileDialog.getSaveFileName(self, "Save the level", str(proposed), FILTER)
        if chosen:
            path = Path(chosen)
            bare = path.name.removesuffix(SUFFIX).removesuffix(".json")
            self.save_to(path.with_name(bare + SUFFIX))

    def save_to(self, path: Path) -> None:
        """Saves to a file, whether or not the level is finished."""
        draft = self.edited.draft
        self._jobs.run(
            f"Saving {path.name}",
            work.store_draft,
            draft,
            path,
            self.edited.unsaved,
            done=lambda _: self._saved(draft, path),
            failed=lambda why: self._say(f"The level was not saved. {why}"),
        )

    def _saved(self, draft: Draft, path: Path) -> None:
        if not isValid(self):
            return
        self.edited.take_saved(draft, path)
        wrong = len(self.edited.examined.faults)
        rest = "" if not wrong else " Machines cannot be built on it yet."
        self.message.emit(f"The level is saved in {path}.{rest}")

    def build(self) -> None:
        """Opens the editor for machines on the level as it is now."""
        if not self.edited.is_sound:
            self.message.emit(f"Nothing can be built on the level yet. {self.edited.examined.faults[0]}.")
            return
        self._jobs.run(
            "Adding the level",
            work.add_draft,
            self.edited.draft,
            done=lambda address: self.build_wanted.emit(address) if isValid(self) else None,
            failed=self._say,
        )

    def _say(self, words: str) -> None:
        """Shows a message, unless the page was closed meanwhile."""
        if isValid(self):
            self.message.emit(words)

    # What is shown ---------------------------------------------------------------------------------------------------

    def _show(self, reset_view: bool = False) -> None:
        edited = self.edited
        if edited.examined.level is not None:
            self.view.set_scene(draw_draft(edited.examined), reset_view=reset_view)
        self.view.set_highlight({fault.place.partition(".")[0]: "failed" for fault in edited.examined.faults})
        gone = [place for place in edited.selection if thing_at(edited.draft, place) is None]
        if gone:
            edited.select([place for place in edited.selection if place not in gone])
        self.outline.refresh()
        self.fields.refresh()
        self._tell_faults()
        self._tell_state()

    def _tell_faults(self) -> None:
        faults = self.edited.examined.faults
        self.faults.show_problems([_told(fault, self.outline.title_at(fault.place)) for fault in faults[:MOST_SHOWN]])
        more = len(faults) - MOST_SHOWN
        self.more.setText(f"and {more} more" if more > 0 else "")
        self.more.setVisible(more > 0)
        self._problems.setVisible(bool(faults))
        self.build_button.setEnabled(self.edited.is_sound)
        self.build_button.setToolTip(
            "Open the editor for machines on this level (Ctrl+Return)"
            if self.edited.is_sound
            else f"Not yet: {faults[0] if faults else ''}"
        )

    def _tell_state(self) -> None:
        edited = self.edited
        where = edited.path.name if edited.path is not None else "no file yet"
        self.heading.setText(edited.name)
        self.state.setText(f"{where} · {'saved' if edited.is_saved and edited.path else 'not saved'}")
        self.state.setToolTip(str(edited.path or ""))
        if edited.name != self._title:
            self._title = edited.name
            self.retitled.emit()

    def _show_selection(self) -> None:
        chosen = self.edited.selection
        self.view.set_selection(chosen)
        self.outline.show_selection()
        if not chosen:
            self.outline.show_section(self._section)
        self.fields.show_part(chosen[-1] if chosen else self._section)

    def _show_section(self, section: str) -> None:
        self._section = section
        self.edited.select(())
        self.fields.show_part(section)

    def _describe(self, pick: Pick) -> tuple[str, str]:
        return self.edited.title_of(pick.id), ""

    def _set_theme(self, theme: Theme) -> None:
        self.view.set_theme(theme)

    # Wiring ----------------------------------------------------------------------------------------------------------

    def _connect(self) -> None:
        self.edited.changed.connect(self._show)
        self.edited.selected.connect(self._show_selection)
        self.outline.section_chosen.connect(self._show_section)
        self.outline.things_chosen.connect(self.edited.select)
        self.outline.addition_asked.connect(self.add)
        self.outline.copy_asked.connect(self.copy_chosen)
        self.outline.removal_asked.connect(self.remove_chosen)
        self.view.selection_changed.connect(self.edited.select)

    def _add_shortcuts(self) -> None:
        everywhere = Qt.ShortcutContext.WidgetWithChildrenShortcut
        for keys, do in (
            ("Ctrl+S", self.save),
            ("Ctrl+Shift+S", self.ask_where_to_save),
            ("Ctrl+D", self.copy_chosen),
            ("Ctrl+Return", self.build),
        ):
            QShortcut(QKeySequence(keys), self, do).setContext(everywhere)
        for keys, do in (("A", self.outline.open_menu), ("Del", self.remove_chosen)):
            QShortcut(QKeySequence(keys), self.view, do).setContext(Qt.ShortcutContext.WidgetShortcut)

    def _lay_out(self) -> None:
        across = QSplitter()
        across.setHandleWidth(1)
        across.setChildrenCollapsible(False)
        for part in (self.outline, self._make_middle(), self.fields):
            across.addWidget(part)
        across.setSizes([WIDTH_PX, 800, FORM_PX])
        across.setStretchFactor(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        column.addWidget(across, 1)

    def _make_head(self) -> QWidget:
        self.heading = QLabel()
        self.heading.setObjectName("panelTitle")
        self.state = QLabel()
        self.state.setObjectName("secondary")
        self.build_button = make_button("Build on this level", "play", self.build, "", is_primary=True)
        head = QWidget()
        head.setObjectName("panel")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(head)
        row.setContentsMargins(4 * SPACE, 2 * SPACE, 4 * SPACE, 2 * SPACE)
        row.setSpacing(2 * SPACE)
        row.addWidget(self.heading)
        row.addWidget(self.state, 1)
        row.addWidget(make_button("Save", "save", self.save, "Save to the level's file (Ctrl+S)"))
        row.addWidget(make_button("Save as…", "", self.ask_where_to_save, "Save to another file (Ctrl+Shift+S)"))
        row.addWidget(self.build_button)
        return head

    def _make_middle(self) -> QWidget:
        self.more = QLabel()
        self.more.setObjectName("caption")
        self._problems = QWidget()
        self._problems.setObjectName("panel")
        self._problems.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        below = QVBoxLayout(self._problems)
        below.setContentsMargins(4 * SPACE, 2 * SPACE, 4 * SPACE, 2 * SPACE)
        below.addWidget(self.faults)
        below.addWidget(self.more)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.view, 1)
        column.addWidget(self._problems)
        return middle


def _told(fault: LevelFault, owner: str) -> LevelFault:
    """A fault as a sentence that says where."""
    from dataclasses import replace

    where = f"{owner}, {fault.place}" if owner else fault.place
    return replace(fault, message=f"{where}: {fault.message}")
