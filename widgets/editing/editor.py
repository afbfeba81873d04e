"""The base class of every editor: a view and a panel of tools, connected to the document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from spatial_workbench.engine.core import Aid, Answer, Scene, Verdict
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.editing.abilities import BuildsTools, LearnsVerdicts
from spatial_workbench.widgets.editing.animation import Animation
from spatial_workbench.widgets.editing.control_panel import ControlPanel, add_section_control
from spatial_workbench.widgets.editing.controls import Declared, allowed
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.focus import PanelFocus
from spatial_workbench.widgets.editing.panel import ToolPanel
from spatial_workbench.widgets.editing.panes import Panes
from spatial_workbench.widgets.editing.runner import Runner
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


class Editor(QWidget, Generic[AnswerT]):
    """Shows a document in a view and edits it.

    To write an editor, say in the type what it edits (`Editor[Answer]`) and override what is needed, in the order in
    which it is called: `prepare` sets up its state, `make_view` makes the main view, `central_widget` puts other
    widgets beside it, `list_controls` lists the controls as data, and `begin` shows a first hint. Then, whenever the
    answer, the verdict or the theme changes, `make_scene` says what the main view shows, `marked` which elements are
    marked, `status` what the status bar says; `draw_later` draws the other views a moment later.

    An editor changes the answer with `edit`. It asks `judges` before it shows what is wrong, and `allows` before it
    shows anything else that helps outside of its controls. `panes` are all its views, `animation` plays a scene in
    place of the document, `panel` holds the controls as they were built.

    What only some editors can do is in `widgets.editing.abilities`: an editor that has the methods has the ability.
    What editors share is in the other modules of `widgets.editing`. An editor that grows is divided into parts that
    it holds, such as its commands, its controls or what it says about elements.

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
    offers_section = True
    """Whether a three-dimensional view can be cut open, to look inside."""

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
        self.panes = Panes(self, self.marked)
        document.answer_changed.connect(self.panes.answer_replaced)
        self.prepare()
        self.tools = ToolPanel()
        self.tools.aid_used.connect(self.aid_used)
        self.panel_focus = PanelFocus(self)
        self.later = QTimer(self, singleShot=True, interval=LATER_MS)
        self.later.timeout.connect(self.draw_later)
        self.view = self.make_view()
        self.timeline = Timeline()
        self.timeline.listen_in(self)
        self.animation = Animation(self, self.view, self.timeline)
        self.animation.ended.connect(self.redraw)
        self._lay_out()
        self.panel = ControlPanel(self, self.tools, allowed(self.list_controls(), aids, withheld))
        if isinstance(self, BuildsTools):
            self.build_tools(self.tools)
        if self.links_selection:
            self.panes.link_selections()
        self.view.selection_changed.connect(self._selection_changed)
        document.answer_changed.connect(self.redraw)
        document.verdict_changed.connect(self._verdict_arrived)
        document.openness_changed.connect(self.redraw)
        appearance().changed.connect(self._set_theme)
        self._set_theme(appearance().theme)
        self.redraw(reset_view=True)
        if self.offers_section:
            add_section_control(self.tools, self.view)
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

    def list_controls(self) -> Iterable[Declared]:
        """The controls of the editor by section, and the actions that only have keys."""
        return ()

    def make_scene(self) -> Scene:
        """The scene that the view shows now."""
        return self.task.scene(self.instance, self.document.answer, self.verdict)

    def draw_later(self) -> None:
        """Draws what can wait, such as secondary views; requested with `self.later.start()`."""

    def status(self) -> str:
        """The text of the status bar."""
        return ""

    def marked(self) -> Mapping[str, str]:
        """The marked elements with their roles: those named by the verdict, unless overridden."""
        return dict.fromkeys(self.verdict.failed_elements, "failed") if self.verdict is not None else {}

    # For other classes -------------------------------------------------------------------------------------------

    def allows(self, aid: Aid) -> bool:
        """Whether the person may use aids of this class."""
        return aid in self.aids

    @property
    def judges(self) -> bool:
        """Whether faults may be shown now: by the person's aids, and by the task's rule or because they asked."""
        return self.allows(Aid.JUDGING) and self.document.tells_faults

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on the current answer; None while there is none."""
        return self.document.verdict if self.document.is_verdict_current else None

    def edit(self, label: str, answer: AnswerT, merge: str = "") -> None:
        """Replaces the answer, as a step of the history."""
        self.document.edit(label, answer, merge)

    def redraw(self, reset_view: bool = False) -> None:
        """Redraws the document; unchanged items are not drawn again."""
        if not self.animation.is_playing:
            scene = self.make_scene()
            if scene is not self.view.scene or reset_view:
                self.view.set_scene(scene, reset_view=reset_view)
        self.refresh()
        if self.marks_with_answer and not self.panes.is_highlighting:
            self.panes.update_marks()

    def refresh(self) -> None:
        """Updates the panel and the status bar."""
        self.panel.refresh()
        self.update_status()

    def update_status(self) -> None:
        """Updates the status bar."""
        self.status_changed.emit(said(self.status()))

    def show_elements(self, ids: Iterable[str]) -> None:
        """Selects elements, and flies to them in every view that shows them; called when a check is clicked."""
        self.panes.highlight(ids)

    def close_editor(self) -> None:
        """Releases graphics and connections."""
        self.later.stop()
        appearance().changed.disconnect(self._set_theme)
        self.document.answer_changed.disconnect(self.panes.answer_replaced)
        self.document.answer_changed.disconnect(self.redraw)
        self.document.verdict_changed.disconnect(self._verdict_arrived)
        self.document.openness_changed.disconnect(self.redraw)
        self.panes.close()

    def add_bar(self, bar: QWidget) -> None:
        """Puts a widget above the views."""
        self._column.insertWidget(self._column.indexOf(self._middle), bar)

    def use_aid(self, name: str, aid: Aid) -> None:
        """Reports that the person uses an aid."""
        self.aid_used.emit(name, aid)

    # Internal ----------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._middle = self.central_widget()
        self._column.addWidget(self._middle, 1)
        self._column.addWidget(self.timeline)

    def _verdict_arrived(self) -> None:
        if self.document.is_verdict_current:
            self.redraw()
        else:
            self.refresh()
        if isinstance(self, LearnsVerdicts):
            self.verdict_arrived(self.document.verdict)
        self.panes.end_highlight()

    def _selection_changed(self, ids: tuple[str, ...]) -> None:
        if not ids:
            self.panes.end_highlight()
        self.refresh()

    def _set_theme(self, theme: Theme) -> None:
        self.panes.show_theme(theme, names_hovered=self.allows(Aid.MEASURING))
        self.panel.refresh()
