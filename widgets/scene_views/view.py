"""What every view of a scene can do, in three dimensions or two, and the tools that editors give it.

An editor shows a Scene, marks elements, puts a ghost where something will be placed, and handles gestures through a
`Tool`. It never needs to know which toolkit draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QAction, QImage, QKeyEvent, QPainter
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core.scene import Floats, Item, Scene
from spatial_workbench.widgets.theme import LIGHT, Theme


@dataclass(frozen=True)
class Pick:
    """What lies under the pointer: the element's id, the point on it, and (in 3D) the outward normal of that face."""

    id: str
    item: str
    position: tuple[float, float, float]
    normal: tuple[float, float, float] = (0.0, 0.0, 1.0)


class PointerEvent:
    """A press, move or release of the pointer on a view."""

    def __init__(
        self,
        view: SceneView,
        pos: QPointF,
        button: Qt.MouseButton,
        buttons: Qt.MouseButton,
        modifiers: Qt.KeyboardModifier,
    ) -> None:
        self.view = view
        self.pos = pos
        self.button = button
        self.buttons = buttons
        self.modifiers = modifiers

    @cached_property
    def pick(self) -> Pick | None:
        """The element under the pointer."""
        return self.view.pick(self.pos)

    @cached_property
    def ray(self) -> tuple[Floats, Floats]:
        """The pointer's line of sight: origin and unit direction, in the scene's frame."""
        return self.view.ray(self.pos)

    def on_plane(self, z: float) -> Floats | None:
        """Where the line of sight meets the plane at height z; None if it does not meet it in front of the viewer."""
        origin, direction = self.ray
        if abs(direction[2]) < 1e-9:
            return None
        distance = (z - origin[2]) / direction[2]
        return origin + distance * direction if distance >= 0 else None

    @property
    def point(self) -> Floats:
        """The pointer in the plane of a flat scene: (x, y)."""
        return self.ray[0][:2]

    def has(self, modifier: Qt.KeyboardModifier) -> bool:
        """Whether a modifier key is held."""
        return bool(self.modifiers & modifier)

    @property
    def has_alt(self) -> bool:
        """Whether Alt is held, or Control with Shift: many window managers reserve dragging with Alt."""
        both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        return self.has(Qt.KeyboardModifier.AltModifier) or self.modifiers & both == both


class Tool:
    """A gesture that an editor offers. Each handler returns whether it used the event; otherwise the view handles it.

    After a press, the tool gets no move events until the pointer is some pixels away, so that an unsteady hand clicks
    instead of dragging.
    """

    cursor: Qt.CursorShape = Qt.CursorShape.ArrowCursor
    uses_alt = False
    """Whether a press with Alt is offered to the tool first; otherwise it moves the view."""

    def press(self, event: PointerEvent) -> bool:
        """A button went down."""
        return False

    def move(self, event: PointerEvent) -> bool:
        """The pointer moved, with or without a button."""
        return False

    def release(self, event: PointerEvent) -> bool:
        """A button went up."""
        return False

    def double_click(self, event: PointerEvent) -> bool:
        """A second press at the same place."""
        return False

    def wheel(self, event: PointerEvent, steps: float) -> bool:
        """The wheel turned; a notch is one step."""
        return False

    def takes_key(self, event: QKeyEvent) -> bool:
        """Whether a key is meant for the tool now; it then triggers no shortcut."""
        return False

    def key(self, event: QKeyEvent) -> None:
        """A key that the tool takes was pressed."""

    def leave(self) -> None:
        """The pointer left the view."""

    def stop(self) -> None:
        """The tool was replaced, or Escape was pressed: cancel what was begun."""


Overlay = Callable[[QPainter, "SceneView"], None]
Describe = Callable[[Pick], tuple[str, str]]
"""What the label beside the pointer says about an element: a title and a second line ("" for none)."""


CONTEXT = 5.0
"""In a plane, `go_to` shows a part that is this many times as wide as the element."""


class SceneView(QWidget):
    """Base of the 3D viewport and the 2D canvas.

    It has more than 25 methods since it is the public interface of a view; it declares them, and each view does the
    work.

    Signals:
        hovered(Pick | None): the element under the pointer changed.
        selection_changed(tuple[str, ...]): by a click, a box, or `set_selection`.
        activated(str): an element was double-clicked.
        context_requested(Pick | None, QPoint): the right button was clicked; global position.
        frame_drawn(float): a frame, or one sample of an antialiased one, was drawn; milliseconds it took.
        view_changed(): the camera moved, or another part of the plane is shown.
    """

    hovered = Signal(object)
    selection_changed = Signal(tuple)
    activated = Signal(str)
    context_requested = Signal(object, object)
    frame_drawn = Signal(float)
    view_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme: Theme = LIGHT
        self.scene = Scene(items=())
        self.selection: tuple[str, ...] = ()
        self.tool: Tool = Tool()
        self.box_select = True
        """Whether dragging from an empty place selects all elements in the box."""
        self.reduce_motion = False
        """Whether the view jumps instead of flying."""
        self.is_playing = False
        """Whether a timeline shows one frame after another; where drawing is slow, they may be coarser."""
        self.plays_sharply = False
        """Whether frames that a timeline plays have the full resolution even where drawing is slow."""
        self.names_hovered = True
        """Whether it names the element under the pointer, and its coordinates."""
        self.view_actions: dict[str, QAction] = {}
        """The view's own actions for keys and menus: "frame", "isometric", "top", "projection" ..."""
        self._overlays: list[Overlay] = []

    # What is shown -----------------------------------------------------------------------------------------------

    def set_scene(self, scene: Scene, reset_view: bool = False) -> None:
        """Shows a scene. Items that did not change (the same object) cost nothing; changed ones are updated."""
        raise NotImplementedError

    def set_playing(self, playing: bool) -> None:
        """Tells the view that a timeline starts or stops playing."""
        self.is_playing = playing

    def set_highlight(self, roles: Mapping[str, str], fade_rest: bool = False) -> None:
        """Marks elements with a role, such as {"brick 17": "failed"}; the rest fades to 35 % if asked."""
        raise NotImplementedError

    def set_selection(self, ids: Iterable[str]) -> None:
        """Selects these elements; emits selection_changed if that is a change."""
        raise NotImplementedError

    def set_ghost(self, items: Sequence[Item], reason: str = "", guides: Sequence[Item] = ()) -> None:
        """Shows what would be placed, hidden by whatever is in front of it.

        `reason` says why it may not be placed: the ghost is then drawn in the failed colour, and the reason stands
        beside the pointer. `guides` are drawn with the ghost, in colours of their own.
        """
        raise NotImplementedError

    def set_hidden(self, ids: Iterable[str]) -> None:
        """Hides these elements, or whole items by name."""
        raise NotImplementedError

    def set_theme(self, theme: Theme) -> None:
        """Draws in the colours of a theme."""
        raise NotImplementedError

    def set_tool(self, tool: Tool) -> None:
        """Replaces the current tool."""
        self.tool.stop()
        self.tool = tool
        self.setCursor(tool.cursor)

    def let_go(self) -> None:
        """Forgets what is under the pointer, cancels a drag and removes the ghost: the elements have been replaced.

        Does nothing while the tool itself makes the change.
        """

    @property
    def aspect(self) -> float:
        """The view's width by its height."""
        return max(1, self.width()) / max(1, self.height())

    def add_overlay(self, overlay: Overlay) -> None:
        """Adds a function that paints over the picture; it is called at every repaint and has to be fast."""
        self._overlays.append(overlay)
        self.update()

    def set_describe(self, describe: Describe) -> None:
        """Sets what the label beside the pointer says; by default, the element's id."""
        raise NotImplementedError

    def show_hint(self, text: str) -> None:
        """Shows a first-time hint until the next press; "" removes it."""
        raise NotImplementedError

    def set_empty_text(self, text: str) -> None:
        """Sets the text in the middle of the view while the scene has no items."""
        raise NotImplementedError

    # Camera ------------------------------------------------------------------------------------------------------

    def frame(self, ids: Iterable[str] | None = None, animate: bool = True) -> None:
        """Moves the view so that these elements (None: everything) fill it."""
        raise NotImplementedError

    def go_to(self, ids: Iterable[str], context: Iterable[str] = (), animate: bool = True) -> bool:
        """Moves the view to elements, with room around them and `context` in view; False if it shows none of them."""
        raise NotImplementedError

    def shows_everything(self) -> bool:
        """Whether the whole scene is in view."""
        raise NotImplementedError

    def standard_view(self, name: str) -> None:
        """Looks from "isometric", "top", "bottom", "front", "back", "left" or "right"; in 2D, shows everything."""
        raise NotImplementedError

    def view_state(self) -> object:
        """Where the view looks from, to be handed to `set_view_state` of a view of the same kind (linked cameras)."""
        raise NotImplementedError

    def set_view_state(self, state: object) -> None:
        """Looks from where another view looks from."""
        raise NotImplementedError

    # Queries -----------------------------------------------------------------------------------------------------

    def pick(self, pos: QPointF) -> Pick | None:
        """The element at a place of the widget."""
        raise NotImplementedError

    def pick_box(self, first: QPointF, second: QPointF) -> tuple[str, ...]:
        """All elements whose centre is in a rectangle of the widget."""
        raise NotImplementedError

    def ray(self, pos: QPointF) -> tuple[Floats, Floats]:
        """The line of sight through a place of the widget: origin and unit direction."""
        raise NotImplementedError

    def project(self, points: Floats) -> Floats:
        """Where points (n, 2 or 3) of the scene are in the widget: (n, 2) in pixels; NaN behind the viewer."""
        raise NotImplementedError

    def image(self, scale: float = 1.0) -> QImage:
        """The picture as it is shown, without hints and marks of the pointer; `scale` > 1 for export."""
        raise NotImplementedError

    def flush(self) -> None:
        """Draws at once whatever is still to be drawn (full quality)."""
        raise NotImplementedError

    def close_view(self) -> None:
        """Releases all graphics resources; the view shows nothing afterwards."""
