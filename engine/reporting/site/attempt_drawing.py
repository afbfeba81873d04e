"""The drawing of one attempt: its scene for the viewer, and a picture. It is made by a child, which may also simulate.

A scene is made of an instance without its hidden parameters, so that nothing of them can be seen; what cannot be drawn
without them is not drawn. What a verdict found is coloured only where that tells nothing about the right answer.
"""

from __future__ import annotations

import pickle
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from spatial_workbench.engine.children import Message
from spatial_workbench.engine.children.drawing import DrawingChild
from spatial_workbench.engine.core import (
    AnswerError,
    Cancelled,
    Instance,
    InstanceError,
    Progress,
    Scene,
    Task,
    Verdict,
    filmed_scene,
    has_film,
    resolve,
)
from spatial_workbench.engine.core.abilities import ShowsMotion
from spatial_workbench.engine.core.drawer import CannotDraw, Drawer
from spatial_workbench.engine.core.instance import canonical
from spatial_workbench.engine.core.registry import as_stored
from spatial_workbench.engine.physics.client import PhysicsUnavailable
from spatial_workbench.engine.reporting.site.built_scene import built_scene
from spatial_workbench.engine.reporting.site.scene_data import CannotShow, Colour, at_rest, scene_script

if TYPE_CHECKING:
    from spatial_workbench.engine.children import Line

SIZE = (480, 300)
"""Of pictures, in pixels."""
_HIDDEN = "What is seen of this task is hidden from solvers, so it is not drawn."
_BROKEN = "The project does not hold what the instance needs to be drawn."
_EMPTY = "The answer holds nothing that could be drawn."
_FILM_LIMIT_S = 100.0
"""What takes longer to simulate is shown at rest."""


@dataclass(frozen=True)
class DrawingOrder:
    """What is to be drawn.

    Attributes:
        elements: What the viewer can point at, by the ids of elements.
        history: How the answer was built, as `history_text` writes it; empty: that is not shown.
        moves: Whether the scene may have frames to play.
        parameters: Those of a generated instance, as they were stored; empty: the instance is made from its address.
        is_whole: Whether the scene is wanted beside the picture.
    """

    address: str
    answer: str
    verdict: Verdict | None
    elements: frozenset[str]
    theme: str = "light"
    is_whole: bool = True
    history: str = ""
    moves: bool = True
    parameters: str = ""


@dataclass(frozen=True)
class SiteDrawing:
    """A drawing.

    Attributes:
        picture: As WebP.
        script: Hands the scene to the viewer; empty if it is not wanted, or too large.
        is_flat: Whether it lies in a plane.
        frames: How many frames it has to play.
    """

    picture: bytes
    script: bytes
    is_flat: bool
    frames: int


class AttemptDrawer(Protocol):
    """Draws attempts."""

    def drawn(self, order: DrawingOrder) -> SiteDrawing:
        """The drawing of an attempt. Raises CannotDraw."""


class OwnAttemptDrawer:
    """Draws attempts in this process."""

    def __init__(self, drawer: Drawer, colour: Colour) -> None:
        self._drawer = drawer
        self._colour = colour

    def drawn(self, order: DrawingOrder) -> SiteDrawing:
        """The drawing of an attempt. Raises CannotDraw."""
        scene = _scene(order)
        if not (scene.items or scene.frames):
            raise CannotDraw(_EMPTY)
        try:
            script = scene_script(scene, self._colour, order.elements) if order.is_whole else b""
        except CannotShow as error:
            raise CannotDraw(str(error)) from None
        picture = self._drawer.picture(at_rest(scene), SIZE, order.theme, "WEBP", quick=True)
        return SiteDrawing(picture, script, scene.flat, len(scene.frames))


class ChildAttemptDrawer:
    """Draws attempts in a child that runs `function`, "package.module:name", which calls `serve`."""

    def __init__(self, function: str) -> None:
        self._child = DrawingChild(function)

    def drawn(self, order: DrawingOrder) -> SiteDrawing:
        """The drawing of an attempt. Raises CannotDraw."""
        reply = self._child.ask(Message({}, content=pickle.dumps(order)))
        length = reply.data["picture"]
        picture, script = reply.content[:length], reply.content[length:]
        return SiteDrawing(picture, script, reply.data["flat"], reply.data["frames"])

    def close(self) -> None:
        """Ends the child."""
        self._child.close()


def serve(line: Line, drawer: OwnAttemptDrawer) -> None:
    """The child of `ChildAttemptDrawer`: answers each order with its drawing, or with why there is none."""
    while True:
        line.send(_reply(line.receive(), drawer))


def _reply(message: Message, drawer: OwnAttemptDrawer) -> Message:
    try:
        drawing = drawer.drawn(pickle.loads(message.content))
    except CannotDraw as error:
        return Message({"error": str(error)})
    said = {"picture": len(drawing.picture), "flat": drawing.is_flat, "frames": drawing.frames}
    return Message(said, content=drawing.picture + drawing.script)


def without_hidden(task: Task[Any], instance: Instance) -> Instance:
    """An instance that holds only what a solver may see of its parameters; not every task can draw it."""
    return replace(instance, parameters_json=canonical(task.visible_parameters(instance)))


def _scene(order: DrawingOrder) -> Scene:
    try:
        task, instance = as_stored(order.address, order.parameters) if order.parameters else resolve(order.address)
        answer = task.parse(order.answer)
        shown = without_hidden(task, instance)
        scene: Scene = task.scene(shown, answer, order.verdict)
    except (InstanceError, AnswerError) as error:
        raise CannotDraw(f"It cannot be drawn. {error}") from None
    except KeyError:
        raise CannotDraw(_HIDDEN) from None
    except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError):
        if not order.parameters:
            raise
        raise CannotDraw(_BROKEN) from None
    if not order.moves:
        return at_rest(scene)
    if scene.frames:
        return scene
    built = built_scene(task, shown, order.history, scene) if order.history else scene
    # How it was built says more than how it is put together, but less than what happens to it.
    if built.frames and not isinstance(task, ShowsMotion):
        return built
    return (_filmed(task, shown, answer) if has_film(task) else None) or built


def _filmed(task: Task[Any], instance: Instance, answer: Any) -> Scene | None:
    """What happens to an answer, or how it is put together; None if nothing moves, or takes too long to simulate.

    It ends with the answer, but not with what the verdict found.
    """
    try:
        film = filmed_scene(task, instance, answer, _until(time.monotonic() + _FILM_LIMIT_S))
    except (KeyError, ValueError, RuntimeError, PhysicsUnavailable, Cancelled):
        return None
    return film if film.frames else None


def _until(deadline_s: float) -> Progress:
    def check(done: float, total: float, text: str = "") -> None:
        if time.monotonic() > deadline_s:
            raise Cancelled

    return check
