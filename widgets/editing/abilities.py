"""What only some editors can do: an editor with its methods and signals has an ability. Callers use `isinstance`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from PySide6.QtCore import SignalInstance

if TYPE_CHECKING:
    from spatial_workbench.engine.core import Scene, Verdict
    from spatial_workbench.engine.puzzles.annotation.layers import PuzzleLayer
    from spatial_workbench.widgets.editing.panel import ToolPanel


@runtime_checkable
class TimesSolving(Protocol):
    """Measures one solution: the clock stops when an attempt passes, and idle time is counted separately.

    Signals:
        clock_wanted(bool, bool): the person wants the clock to run or to stop; whether to stop it for good.
    """

    clock_wanted: SignalInstance

    def clock_changed(self, is_running: bool, is_finished: bool) -> None:
        """Called when the clock is paused, resumed, or stopped for good."""


@runtime_checkable
class ShowsSeconds(Protocol):
    """Says how long somebody has been working."""

    def show_seconds(self, seconds: float) -> None:
        """Called every second with the working time since the last attempt."""


@runtime_checkable
class TakesSketches(Protocol):
    """Lets the person draw over the task's pages.

    Signals:
        sketch_drawn(Layer): the person drew over a page; the layer is stored with the draft.
    """

    sketch_drawn: SignalInstance

    def show_sketches(self, layers: Iterable[PuzzleLayer]) -> None:
        """Shows what the person drew before."""

    def save_sketches(self) -> None:
        """Emits `sketch_drawn` for what has not been stored yet."""


@runtime_checkable
class HasCursor(Protocol):
    """Has a place where keys act, such as a cell of a grid, that neither the answer nor the selection holds."""

    def cursor_numbers(self) -> Sequence[int]:
        """The place as a few whole numbers; none if there is none yet."""

    def put_cursor(self, numbers: Sequence[int]) -> None:
        """Puts the cursor at a place that `cursor_numbers` gave; it is drawn, and nothing else changes.

        Raises:
            ValueError: There is no such place.
        """


@runtime_checkable
class PlaysAttempts(Protocol):
    """Plays other answers over the current one."""

    def play_over(self, answer: Any) -> None:
        """Plays another answer over the current one."""


@runtime_checkable
class OpensInstances(Protocol):
    """Leads to other instances.

    Signals:
        open_requested(str): open the instance with this address.
    """

    open_requested: SignalInstance


@runtime_checkable
class AsksBeforeSubmitting(Protocol):
    """Doubts some answers before they are submitted."""

    def submission_question(self) -> str:
        """A question to confirm before the answer is submitted; "" for none."""


@runtime_checkable
class MakesFrames(Protocol):
    """Draws the moments of an animation itself."""

    def make_frame(self, scene: Scene, index: int) -> Scene:
        """The scene for one moment of an animation; without this, `scene.at(index)`."""


@runtime_checkable
class ExplainsElements(Protocol):
    """Knows which other elements explain the highlighted ones."""

    def context_of(self, ids: Sequence[str]) -> Sequence[str]:
        """Elements that are kept in view with the highlighted ones."""


@runtime_checkable
class LearnsVerdicts(Protocol):
    """Uses more of a verdict than the elements that it names."""

    def verdict_arrived(self, verdict: Verdict | None) -> None:
        """Called with every verdict, before failing elements are marked."""


@runtime_checkable
class BuildsTools(Protocol):
    """Adds widgets to the panel at the left by hand, below its controls."""

    def build_tools(self, tools: ToolPanel) -> None:
        """Called once, when the panel has been built from `list_controls`."""


ABILITIES = (
    AsksBeforeSubmitting,
    BuildsTools,
    ExplainsElements,
    HasCursor,
    LearnsVerdicts,
    MakesFrames,
    OpensInstances,
    PlaysAttempts,
    ShowsSeconds,
    TakesSketches,
    TimesSolving,
)


def submission_question_of(editor: object) -> str:
    """The question that an editor asks before the answer is submitted; "" for nothing."""
    return editor.submission_question() if isinstance(editor, AsksBeforeSubmitting) else ""


def save_sketches_of(editor: object) -> None:
    """Lets an editor store its sketches, if it has any."""
    if isinstance(editor, TakesSketches):
        editor.save_sketches()


def context_of(editor: object, ids: Sequence[str]) -> Sequence[str]:
    """Which elements an editor keeps in view with highlighted ones."""
    return editor.context_of(ids) if isinstance(editor, ExplainsElements) else ()
