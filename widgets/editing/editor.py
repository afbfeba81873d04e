"""The base class of every editor: a view and a panel of tools, connected to the document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QVBoxLayout, QWidget

from spatial_workbench.engine.core import Aid, Answer, Scene, Verdict
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.editing.control_panel import ControlPanel
from spatial_workbench.widgets.editing.controls import Declared, allowed
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.focus import PanelFocus
from spatial_workbench.widgets.editing.panel import ToolPanel
from spatial_workbench.widgets.editing.runner import Runner
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.qt import call_later
from spatial_workbench.widgets.scene_views.timeline import Timeline
from spatial_workbench.widgets.scene_views.view import SceneView
from spatial_workbench.widgets.theme import Theme

AnswerT = TypeVar("AnswerT", bound=Answer)

ALL_AIDS = frozenset(Aid)
GIVE_UP = "Give up"
SUBMIT = "Submit"
"""The control that stops the clock for good; it is recorded as an aid."""

LATER_MS = 20
"""Delay before the other views are drawn, so that the main view follows the pointer at once."""
FRAMED_AGAIN_MS = 400
"""Time after which the other views have been drawn too."""


class Editor(QWidget, Generic[AnswerT]):
    """Shows a document in a view and edits it.

    Subclasses choose the view in `make_view`, list their controls in `list_controls`, and draw in `make_scene`. The
    base class redraws when the answer, the verdict or the theme changes, and marks the elements named by the verdict
    in all views. What only some editors can do is in `widgets.editing.abilities`.

    aids: the classes of controls that the person may use; controls of other classes are not built.
    withheld: texts of further controls that are not built.

    Signals:
        status_changed(str): the new text of the status bar ("137 bricks · layer 3 · snapped to brick 21").
        message(str): a message for the status bar.
        aid_used(str, Aid): a control above viewing and editing was used; its name and its aid class.
        submit_wanted(): the person wants to submit the answer.
    """

    status_changed = Signal(str)
    message = Signal(str)
    aid_used = Signal(str, object)
    submit_wanted = Signal()

    links_selection = False
    """Whether all views share one selection."""
    marks_with_answer = False
    """Whether marks are updated with every edit, and not only with every verdict."""

    def __init__(
        self,
        document: AnswerDocument[AnswerT],
        runner: Runner,
        parent: QWidget | None = None,
        aids: frozenset[Aid] = ALL_AIDS,
        withheld: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(parent)
        self.document = document
        self.runner = runner
        self.task = document.task
        self.instance = document.instance
        self.aids = aids
        self.withheld = withheld
        # First of all, so that nothing drawn for the new answer asks for an element of the old one.
        document.answer_changed.connect(self._let_go)
        self.prepare()
        self.tools = ToolPanel()
        self.tools.aid_used.connect(self.aid_used)
        self.panel_focus = PanelFocus(self)
        self.later = QTimer(self, singleShot=True, interval=LATER_MS)
        self.later.timeout.connect(self.draw_later)
        self._is_highlighting = False
        self.view = self.make_view()
        self.timeline = Timeline()
        self.timeline.hide()
        self.timeline.frame_changed.connect(self._show_frame)
        self.timeline.playing_changed.connect(self.view.set_playing)
        self.timeline.listen_in(self)
        self._animation: Scene | None = None
        self._lay_out()
        self.panel = ControlPanel(self, self.tools, allowed(self.list_controls(), aids, withheld))
        self.build_tools(self.tools)
        if self.links_selection:
            for pane in self.panes:
                pane.selection_changed.connect(self._link_selection)
        self.view.selection_changed.connect(self._selection_changed)
        document.answer_changed.connect(self.redraw)
        document.verdict_changed.connect(self._verdict_arrived)
        document.openness_changed.connect(self.redraw)
        appearance().changed.connect(self._set_theme)
        self._set_theme(appearance().theme)
        self.redraw(reset_view=True)
        self._offer_section()
        document.answer_changed.connect(self._end_hint)
        for panel in (self, self.tools):
            self.panel_focus.watch(panel)
        self.panel_focus.left.connect(self.view.setFocus)
        self.begin()

    # For subclasses ----------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Sets up the editor's state, before its views and controls are made."""

    def begin(self) -> None:
        """Called once everything is built, for a first hint and for background work."""

    def make_view(self) -> SceneView:
        """Makes the main view: a 3D viewport unless overridden."""
        from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

        return Viewport3D()

    def central_widget(self) -> QWidget:
        """The central widget: the view; subclasses may put more beside it."""
        return self.view

    def build_tools(self, tools: ToolPanel) -> None:
        """Adds the editor's tools and properties to the panel at the left."""

    def list_controls(self) -> Iterable[Declared]:
        """The controls of the editor by section, and the actions that only have keys."""
        return ()

    def make_scene(self) -> Scene:
        """The scene that the view shows now."""
        return self.task.scene(self.instance, self.document.answer, self.verdict)

    def draw_later(self) -> None:
        """Draws what can wait, such as secondary views; requested with `self.later.start()`."""

    def make_frame(self, scene: Scene, index: int) -> Scene:
        """The scene for one moment of an animation."""
        return scene.at(index)

    def status(self) -> str:
        """The text of the status bar."""
        return ""

    def verdict_arrived(self, verdict: Verdict | None) -> None:
        """Called with every verdict, before failing elements are marked."""

    def context_of(self, ids: Sequence[str]) -> Sequence[str]:
        """Elements that explain the highlighted ones, and are kept in view with them."""
        return ()

    def marked(self) -> Mapping[str, str]:
        """The marked elements with their roles: those named by the verdict, unless overridden."""
        return dict.fromkeys(self.verdict.failed_elements, "failed") if self.verdict is not None else {}

    # For other classes -------------------------------------------------------------------------------------------

    def allows(self, aid: Aid) -> bool:
        """Whether the person may use aids of this class."""
        return aid in self.aids

    @property
    def judges(self) -> bool:
        """Whether what is wrong may be told now: by the person's aids, and by the task's rule or because they asked."""
        return self.allows(Aid.JUDGING) and self.document.tells_faults

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on the current answer; None while there is none."""
        return self.document.verdict if self.document.is_verdict_current else None

    def mark_failed(self) -> None:
        """Updates the marks in all views and ends any fading; called whenever they may change."""
        roles = self.marked()
        for pane in self.panes:
            pane.set_highlight(roles, fade_rest=False)

    def edit(self, label: str, answer: AnswerT, merge: str = "") -> None:
        """Replaces the answer, as a step of the history."""
        self.document.edit(label, answer, merge)

    def redraw(self, reset_view: bool = False) -> None:
        """Redraws the document; unchanged items are not drawn again."""
        if self._animation is None:
            scene = self.make_scene()
            if scene is not self.view.scene or reset_view:
                self.view.set_scene(scene, reset_view=reset_view)
        self.refresh()
        if self.marks_with_answer and not self._is_highlighting:
            self.mark_failed()

    def refresh(self) -> None:
        """Updates the panel and the status bar."""
        self.panel.refresh()
        self.update_status()

    def update_status(self) -> None:
        """Updates the status bar."""
        self.status_changed.emit(self.status())

    @property
    def panes(self) -> list[SceneView]:
        """All views of the editor, the main one first."""
        return [self.view, *(view for view in self.findChildren(SceneView) if view is not self.view)]

    def show_elements(self, ids: Iterable[str]) -> None:
        """Selects elements, and flies to them in every view that shows them; called when a check is clicked.

        They stay highlighted until the selection is cleared or the next verdict arrives.
        """
        ids = tuple(ids)
        self.view.set_selection(ids)
        for pane in self.panes:
            if pane.go_to(ids, self.context_of(ids), animate=not appearance().reduce_motion):
                pane.set_highlight(dict.fromkeys(ids, "failed"), fade_rest=True)
        self._is_highlighting = True

    def end_highlight(self) -> None:
        """Ends the highlighting of elements; those named by the verdict stay marked."""
        if self._is_highlighting:
            self._is_highlighting = False
            for pane in self.panes:
                pane.set_highlight({})
        self.mark_failed()

    def frame_if_outside(self) -> None:
        """Frames everything in each view that has items outside; some views are drawn a moment later."""
        self._frame_panes()
        call_later(self, self._frame_panes, FRAMED_AGAIN_MS)

    def _frame_panes(self) -> None:
        for pane in self.panes:
            if not pane.shows_everything():
                pane.frame(animate=not appearance().reduce_motion)

    def play(self, scene: Scene) -> None:
        """Shows a scene with frames, with the timeline below; `stop_playing` goes back to the document."""
        self._animation = scene
        self.timeline.set_scene(scene)
        self.timeline.show()
        self.timeline.play()

    @property
    def is_playing(self) -> bool:
        """Whether an animation is shown in place of the document."""
        return self._animation is not None

    def stop_playing(self) -> None:
        """Ends the animation and shows the document again."""
        if self._animation is not None:
            self._animation = None
            self.timeline.pause()
            self.timeline.hide()
            self.redraw()

    def close_editor(self) -> None:
        """Releases graphics and connections."""
        self.later.stop()
        appearance().changed.disconnect(self._set_theme)
        self.document.answer_changed.disconnect(self._let_go)
        self.document.answer_changed.disconnect(self.redraw)
        self.document.answer_changed.disconnect(self._end_hint)
        self.document.verdict_changed.disconnect(self._verdict_arrived)
        self.document.openness_changed.disconnect(self.redraw)
        for pane in self.panes:
            pane.close_view()

    def add_bar(self, bar: QWidget) -> None:
        """Puts a widget above the views."""
        self._column.insertWidget(self._column.indexOf(self._middle), bar)

    def use_aid(self, name: str, aid: Aid) -> None:
        """Reports that the person uses an aid."""
        self.aid_used.emit(name, aid)

    def add_action(
        self,
        text: str,
        slot: Callable[[], object],
        shortcut: str = "",
        icon_name: str = "",
        tip: str = "",
        aid: Aid = Aid.EDITING,
    ) -> QAction:
        """Adds an action, which is in the palette too; its shortcut works while the editor has the focus.

        aid: its aid class; uses above editing are reported by `aid_used`.
        """
        action = QAction(text, self)
        if aid not in (Aid.VIEWING, Aid.EDITING):
            action.triggered.connect(lambda _=False: self.use_aid(text, aid))
        action.triggered.connect(lambda _=False: slot())
        action.setToolTip(f"{tip or text}{f'  ({shortcut})' if shortcut else ''}")
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        if shortcut:
            action.setShortcuts([QKeySequence(part) for part in shortcut.split(", ")])
        if icon_name:
            action.setIcon(icon(icon_name))
        self.addAction(action)
        return action

    # Internal ----------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._middle = self.central_widget()
        self._column.addWidget(self._middle, 1)
        self._column.addWidget(self.timeline)
        self.timeline.closed.connect(self.stop_playing)

    def _offer_section(self) -> None:
        """Adds the section control if the view is 3D."""
        if self.view.scene.flat:
            return
        from spatial_workbench.widgets.scene_views.section_control import SectionControl
        from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

        if isinstance(self.view, Viewport3D):
            self.tools.add_section("Section")
            self.tools.add_widget(SectionControl(self.view))

    def _show_frame(self, index: int) -> None:
        if self._animation is not None:
            self.view.set_scene(self.make_frame(self._animation, index))

    def _let_go(self) -> None:
        """Has all views forget the elements under the pointer; the ghost is shown again when the pointer moves."""
        for pane in self.panes:
            pane.let_go()

    def _end_hint(self) -> None:
        """Removes the first hint after the first edit."""
        self.view.show_hint("")

    def _verdict_arrived(self) -> None:
        if self.document.is_verdict_current:
            self.redraw()
        else:
            self.refresh()
        self.verdict_arrived(self.document.verdict)
        self.end_highlight()

    def _selection_changed(self, ids: tuple[str, ...]) -> None:
        if not ids:
            self.end_highlight()
        self.refresh()

    def _link_selection(self, ids: tuple[str, ...]) -> None:
        for pane in self.panes:
            pane.set_selection(ids)

    def _set_theme(self, theme: Theme) -> None:
        for pane in self.panes:
            pane.reduce_motion = appearance().reduce_motion
            pane.names_hovered = self.allows(Aid.MEASURING)
            pane.set_theme(theme)
        self.panel.refresh()
