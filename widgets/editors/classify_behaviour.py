"""The editor of classify_behaviour: squares are labelled by key, by button or by painting over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import Qt

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.tasks.classify_behaviour import Labels, board_of
from spatial_workbench.engine.tasks.labelled_squares.square import Behaviour
from spatial_workbench.widgets.editing.controls import Action, Buttons, Declared, Section
from spatial_workbench.widgets.editing.gestures import Drag
from spatial_workbench.widgets.editors.labelled_squares import SquaresEditor
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView

CHOICES = (
    (Behaviour.KNOWN, "Known behaviour", "1", "interface_known", "One topology, without three classes meeting"),
    (
        Behaviour.THREE,
        "Three domains meeting",
        "2",
        "interface_three",
        "One topology, in which three classes meet",
    ),
    (Behaviour.AMBIGUOUS, "Ambiguous", "3", "interface_ambiguous", "Several topologies are possible"),
)


class ClassifyEditor(SquaresEditor[Labels]):
    """Labels squares."""

    def prepare(self) -> None:
        super().prepare()
        self.squares = board_of(self.instance)
        self.last = Behaviour.KNOWN.value

    def begin(self) -> None:
        self.view.show_hint("Press 1, 2 or 3 for the framed square.  Drag over squares to give them the same label.")

    def make_view(self) -> SceneView:
        view = super().make_view()
        view.set_tool(PaintTool(self.square_at, self.choose, self.paint))
        return view

    def list_controls(self) -> Iterable[Declared]:
        labels = [
            Action(text, partial(self.assign, kind.value), key, icon, tip) for kind, text, key, icon, tip in CHOICES
        ]
        none = Action("No label", partial(self.assign, "", advance=False), "Delete, 0", "delete")
        yield Section("Label of the framed square", Buttons(*labels, none))
        yield from self.common_controls()

    @property
    def labels(self) -> list[str]:
        """The label of each square, "" where there is none."""
        given = list(self.document.answer.labels[: len(self.places)])
        return given + [""] * (len(self.places) - len(given))

    def assign(self, label: str, advance: bool = True) -> None:
        """Gives the current square a label, and moves on to the next."""
        if label:
            self.last = label
        self.label_squares(label, [self.current])
        if advance and self.current + 1 < len(self.places):
            self.choose(self.current + 1)

    def label_squares(self, label: str, squares: list[int], merge: str = "") -> None:
        """Gives squares a label, as a step of the history."""
        labels = self.labels
        for square in squares:
            labels[square] = label
        self.edit("Label square", Labels(labels=tuple(labels) if any(labels) else ()), merge)

    def paint(self, squares: list[int], merge: str) -> None:
        """Gives squares the label used last; calls with the same `merge` are one step."""
        self.label_squares(self.last, squares, merge)

    def status(self) -> str:
        done = sum(bool(label) for label in self.labels)
        count = f" · {done} of {len(self.places)} labelled" if self.allows(Aid.MEASURING) else ""
        return f"square {self.current}{count} · drag gives “{self.last}”"


class PaintTool(Drag[int]):
    """A click makes a square current; a drag over several gives them the label used last."""

    cursor = Qt.CursorShape.ArrowCursor

    def __init__(
        self,
        square_at: Callable[[PointerEvent], int | None],
        choose: Callable[[int], None],
        paint: Callable[[list[int], str], None],
    ) -> None:
        super().__init__()
        self._square_at = square_at
        self._choose = choose
        self._paint = paint
        self._painted: list[int] = []
        self._strokes = 0

    def take(self, event: PointerEvent) -> int | None:
        square = self._square_at(event)
        if square is not None:
            self._painted = [square]
            self._strokes += 1
            self._choose(square)
        return square

    def show(self, grip: int, event: PointerEvent) -> None:
        square = self._square_at(event)
        if square is not None and square not in self._painted:
            self._painted.append(square)
            self._paint(self._painted, f"paint {self._strokes}")
