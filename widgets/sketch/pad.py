"""The sketch pad: pages as tabs, a tool bar, the page, and a line that says what the tool does."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QUndoStack
from PySide6.QtWidgets import QTabBar, QVBoxLayout, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.widgets.sketch.actions import SketchActions
from spatial_workbench.widgets.sketch.desk import SketchDesk
from spatial_workbench.widgets.sketch.marks import paint_frame, paint_grid, paint_selection
from spatial_workbench.widgets.sketch.pages import SketchPages
from spatial_workbench.widgets.sketch.status_line import StatusLine
from spatial_workbench.widgets.sketch.text_entry import TextEntry
from spatial_workbench.widgets.sketch.tool_bar import SketchBar
from spatial_workbench.widgets.sketch.toolbox import Toolbox
from spatial_workbench.widgets.sketch.tools.base import SketchTool
from spatial_workbench.widgets.sketch.view import PageView

ARROWS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}


class SketchPad(QWidget):
    """Shows pages, and draws on them in layers; the pages stay as they are.

    Attributes:
        view: The page in front.
        pages: The pages with their layers.
        desk: What changes the layer in front, and its history.
        toolbox: The tools.
        text_entry: The field in which texts are typed.
        status_line: The line below the page.
        actions_by_name: The actions of the pad.

    Signals:
        figure_wanted(PuzzleLayer): the person wants this layer and its page as a figure.
    """

    figure_wanted = Signal(object)

    def __init__(
        self,
        undo_stack: QUndoStack | None = None,
        offers_figures: bool = False,
        offers_view: bool = True,
        offers_tools: bool = True,
    ) -> None:
        """With `undo_stack`, changes become steps of that history; otherwise the pad keeps one of its own.

        offers_figures: whether *Save as figure* is shown.
        offers_view: whether the bar has buttons that fit, turn and mirror the view; the keys work anyway.
        offers_tools: whether the bar has what one draws with; without it, the pad is for looking only.
        """
        super().__init__()
        self.view = PageView(self._hand)
        self.pages = SketchPages(self.view)
        self.desk = SketchDesk(self.view, self.pages, undo_stack)
        self.toolbox = Toolbox(self.desk)
        self.text_entry = TextEntry(self.desk)
        self.status_line = StatusLine(self.view)
        actions = SketchActions(self, self.desk, self.pages, self.toolbox, self._want_figure)
        self.actions_by_name = actions.by_name
        self.actions_by_name["Save as figure"].setVisible(offers_figures)
        self._tabs = QTabBar()
        self._tabs.setAccessibleName(tr("Pages"))
        self._tabs.setExpanding(False)
        self._bar = SketchBar()
        self._looks = self._fill_bar(actions, offers_tools, offers_view)
        self.status_line.hint.setVisible(offers_tools)
        self._lay_out()
        self._connect()
        self.toolbox.take("Pen")
        self.setFocusProxy(self.view)

    def close_pad(self) -> None:
        """Ends running work."""
        self.pages.close()
        self.view.close_view()

    def sizeHint(self) -> QSize:
        return QSize(720, 640)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (self._hand().key(event) or self._use_key_on_selection(event)):
            super().keyPressEvent(event)

    def _use_key_on_selection(self, event: QKeyEvent) -> bool:
        """Arrow keys move what is selected, Escape unselects it; returns whether the key was used."""
        if not self.desk.selection:
            return False
        step = ARROWS.get(Qt.Key(event.key()))
        if step is not None:
            far = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            self.desk.begin_gesture()
            self.desk.move_selected((far * step[0], far * step[1]))
            return True
        if event.key() == Qt.Key.Key_Escape:
            self.desk.select(())
            return True
        return False

    def _fill_bar(self, actions: SketchActions, offers_tools: bool, offers_view: bool) -> QWidget:
        """Fills the bar; returns the group with what new shapes look like."""
        tools = self._bar.add_group(actions.tools, exclusive=True)
        looks = self._bar.add_look(self.desk.look)
        editing = self._bar.add_group(actions.editing)
        viewing = self._bar.add_group(actions.viewing)
        for group in (tools, looks, editing):
            group.setVisible(offers_tools)
        viewing.setVisible(offers_view)
        return looks

    # Wiring ------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._tabs)
        column.addWidget(self._bar)
        column.addWidget(self.view, 1)
        column.addWidget(self.status_line)

    def _connect(self) -> None:
        self.view.marks.append(self._paint_marks)
        self.view.view_changed.connect(self.text_entry.keep)
        self.pages.replaced.connect(self._make_tabs)
        self.pages.leaving.connect(self.toolbox.stop)
        self.pages.leaving.connect(self.text_entry.keep)
        self.pages.turned.connect(self._choose_tab)
        self.desk.changed.connect(lambda: self._looks.setEnabled(self.desk.can_draw))
        self.desk.look_changed.connect(self._bar.show_look)
        self.desk.message.connect(lambda text: self.status_line.hint.setText(said(text)))
        self.toolbox.taken.connect(self.text_entry.keep)
        self.toolbox.taken.connect(self._show_tool)
        self._bar.styled.connect(lambda what, value: self.desk.set_look(**{what: value}))
        self._tabs.currentChanged.connect(lambda index: self.pages.turn_to(self.pages.names[index]))

    def _hand(self) -> SketchTool:
        return self.toolbox.hand

    def _want_figure(self) -> None:
        self.figure_wanted.emit(self.desk.current)

    def _show_tool(self, name: str) -> None:
        self.actions_by_name[name].setChecked(True)
        self.status_line.hint.setText(said(self.toolbox.tool.hint))
        self.view.pointer.show_cursor()

    def _make_tabs(self) -> None:
        with QSignalBlocker(self._tabs):
            while self._tabs.count():
                self._tabs.removeTab(0)
            for i, name in enumerate(self.pages.names):
                self._tabs.addTab(tr("Page {number}", number=i + 1))
                self._tabs.setTabToolTip(i, name)
        self._tabs.setVisible(self._tabs.count() > 1)

    def _choose_tab(self, name: str) -> None:
        if name in self.pages.names:
            with QSignalBlocker(self._tabs):
                self._tabs.setCurrentIndex(self.pages.names.index(name))

    def _paint_marks(self, painter: QPainter, view: PageView) -> None:
        if view.tiles is not None:
            paint_frame(painter, view.tiles.size)
        if not self.pages.shows_figure:
            layer = self.desk.current
            if layer.grid is not None:
                paint_grid(painter, layer.grid, layer.size)
            paint_selection(painter, layer, self.desk.selection, view.camera.scale)
