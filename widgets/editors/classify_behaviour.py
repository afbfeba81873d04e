"""The editor of classify_behaviour: a label for each square, by key, button or paint."""

from __future__ import annotations

from PySide6.QtCore import Qt

from engine.tasks.classify_behaviour import Labels, board_of
from engine.tasks.labelled_squares.square import Behaviour
from widgets.editing.panel import ToolPanel
from widgets.editors.labelled_squares import SquaresEditor
from widgets.view import PointerEvent, Tool

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


class ClassifyEditor(SquaresEditor):
    """Squares to be labelled."""

    def prepare(self) -> None:
        super().prepare()
        self.squares = board_of(self.instance)
        self.last = Behaviour.KNOWN.value

    def begin(self) -> None:
        self.view.show_hint("Press 1, 2 or 3 for the framed square.  Drag over squares to give them the same label.")

    def build_tools(self, tools: ToolPanel) -> None:
        """A button for each label."""
        tools.add_section("Label of the framed square")
        tools.add_tools(
            [
                self.add_action(text, lambda kind=kind: self.assign(kind.value), key, icon_name, tip)
                for kind, text, key, icon_name, tip in CHOICES
            ]
            + [self.add_action("No label", lambda: self.assign("", advance=False), "Delete, 0", "delete")],
            exclusive=False,
        )
        self.add_common_tools(tools)
        self.view.set_tool(PaintTool(self))

    @property
    def labels(self) -> list[str]:
        """The labels so far, "" where there is none."""
        given = list(self.document.answer.labels[: len(self.places)])
        return given + [""] * (len(self.places) - len(given))

    def assign(self, label: str, advance: bool = True) -> None:
        """Gives the current square a label, and goes on to the next."""
        if label:
            self.last = label
        self.put(label, [self.current])
        if advance and self.current + 1 < len(self.places):
            self.choose(self.current + 1)

    def put(self, label: str, squares: list[int], merge: str = "") -> None:
        """Gives squares a label, as a step of the history."""
        labels = self.labels
        for square in squares:
            labels[square] = label
        self.edit("Label square", Labels(labels=tuple(labels) if any(labels) else ()), merge)

    def status(self) -> str:
        """How far one is, and what a drag would paint."""
        done = sum(bool(label) for label in self.labels)
        return f"square {self.current} · {done} of {len(self.places)} labelled · drag gives “{self.last}”"


class PaintTool(Tool):
    """A click makes a square current; a drag over several gives them the label used last."""

    def __init__(self, editor: ClassifyEditor) -> None:
        self._editor = editor
        self._first: int | None = None
        self._painted: list[int] = []
        self._strokes = 0

    def press(self, event: PointerEvent) -> bool:
        """Chooses the square."""
        self._first = self._editor.square_at(event) if event.button == Qt.MouseButton.LeftButton else None
        self._painted = []
        if self._first is None:
            return False
        self._strokes += 1
        self._editor.choose(self._first)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Paints every square that is reached, once there is a second one."""
        square = self._editor.square_at(event) if self._first is not None else None
        if square is None or (square == self._first and not self._painted) or square in self._painted:
            return self._first is not None
        self._painted = list(dict.fromkeys([self._first, *self._painted, square]))
        self._editor.put(self._editor.last, self._painted, merge=f"paint {self._strokes}")
        return True

    def release(self, event: PointerEvent) -> bool:
        """Ends the stroke."""
        used, self._first = self._first is not None, None
        return used
