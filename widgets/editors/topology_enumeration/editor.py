"""The editor of topology_enumeration: a square to paint, a palette of all patterns, and the list."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.tasks.labelled_squares.square import canonical
from spatial_workbench.engine.tasks.topology_enumeration import Configs, spell
from spatial_workbench.widgets.editing.controls import Action, Buttons, Declared, Keys, Section, Switch, Verb
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editors.topology_enumeration.drawing import Hit, TopologyDrawing
from spatial_workbench.widgets.editors.topology_enumeration.gestures import PickTool
from spatial_workbench.widgets.editors.topology_enumeration.workpiece import ListedPatterns
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import SceneView

HINT = "Click the corners on the left, or press 0 to 3 over them, and then Enter."


class TopologyEditor(Editor[Configs]):
    """Lists patterns, which are in reading order, as in the answer.

    The palette of all patterns is a solving aid; without it, the list takes its place.
    """

    def prepare(self) -> None:
        self.patterns = ListedPatterns(self.document, self.allows(Aid.JUDGING), self.message.emit, self.redraw)
        self.drawing = TopologyDrawing(self.patterns, lambda: self.judges, self.redraw)

    def begin(self) -> None:
        self.view.show_hint(HINT)

    def make_view(self) -> SceneView:
        view = Canvas2D()
        view.box_select = False
        view.set_tool(PickTool(self.drawing.hit_at, self._point_at_corner, self._click))
        return view

    def list_controls(self) -> Iterable[Declared]:
        gone = "Delete the selected entry of the list"
        yield Section(
            "Painted square",
            Buttons(
                Action(
                    "Add to the list", self.patterns.add_painted, "Return, Enter", "place", "List the painted pattern"
                ),
                Action("Delete", self.patterns.remove, "Delete", "delete", gone, verb=Verb.DELETE),
            ),
        )
        yield Keys(
            *(Action(f"Class {digit}", partial(self.patterns.paint_corner, digit), str(digit)) for digit in range(4)),
            Action("Next corner", lambda: self.patterns.choose_corner(self.patterns.corner + 1), "Right"),
            Action("Previous corner", lambda: self.patterns.choose_corner(self.patterns.corner - 1), "Left"),
            Action("Stop editing", self.patterns.stop_editing, "Escape"),
        )
        interior = "Draw an interior that the painted corners allow"
        shows = self.drawing.shows_interior
        palette = self.drawing.shows_palette
        every = "Show all patterns at the right; a click lists one"
        yield Section(
            "Aids",
            Switch("Show an interior", shows.get, shows.put, interior, Aid.SOLVING),
            Switch("All patterns", palette.get, palette.put, every, Aid.SOLVING),
        )

    def make_scene(self) -> Scene:
        return self.drawing.scene()

    def status(self) -> str:
        twin = self.patterns.listed(self.patterns.painted) if self.allows(Aid.MEASURING) else None
        note = f" · already listed as entry {twin + 1}" if twin is not None and twin != self.patterns.editing else ""
        doing = f" · changing entry {self.patterns.editing + 1}" if self.patterns.editing is not None else ""
        return f"{len(self.patterns.configs)} listed · painted {spell(canonical(self.patterns.painted))}{note}{doing}"

    def _point_at_corner(self, corner: int) -> None:
        """Makes the corner under the pointer the one that number keys paint."""
        if corner != self.patterns.corner:
            self.patterns.choose_corner(corner)

    def _click(self, hit: Hit) -> None:
        kind, number = hit
        if kind == "corner":
            self.patterns.cycle(number)
        elif kind == "tile":
            self.patterns.toggle(self.patterns.all[number])
        else:
            self.patterns.edit_entry(number)
