"""The panel at the left: tools, what is done to the selection, solids, and what is shown."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from engine.core import Aid
from widgets.editing.panel import ToolPanel
from widgets.editors.csg_union.panels import MoveForm, PrimitiveForm

if TYPE_CHECKING:
    from widgets.editors.csg_union.editor import CsgUnionEditor

ARROWS = {
    "Right": (1, 0, 0),
    "Left": (-1, 0, 0),
    "Up": (0, 1, 0),
    "Down": (0, -1, 0),
    "PgUp": (0, 0, 1),
    "PgDown": (0, 0, -1),
}
FINE_CM = 0.1


class Controls:
    """Builds the panel and keeps what the editor asks of it."""

    def __init__(self, editor: CsgUnionEditor, tools: ToolPanel) -> None:
        self.editor = editor
        self._add_tools(tools)
        self._add_commands(tools)
        self._add_solids(tools)
        self._add_selection(tools)
        self._add_looks(tools)
        self._add_keys()

    def _add_tools(self, tools: ToolPanel) -> None:
        editor, add = self.editor, self.editor.add_action
        tools.add_section("Tools")
        pairs = [
            ("Select", editor.select_tool, "V", "select", "Select; double-click takes a whole shell"),
            ("Vertex", editor.vertex_tool, "P", "place", "Place vertices; they snap to the solids and to the lattice"),
            ("Face", editor.face_tool, "L", "pencil", "Click a loop of corners; the first one again closes it"),
            ("Copy face", editor.copy_tool, "G", "copy", "Copy a face of one of the solids"),
            (
                "Extrude",
                editor.extrude_tool,
                "E",
                "up",
                "Drag a face out or in; or click it, type the distance, Return",
            ),
        ]
        self.tools = {
            tool: add(text, partial(editor.use, tool), key, picture, tip) for text, tool, key, picture, tip in pairs
        }
        tools.add_tools(list(self.tools.values()), columns=2)
        self.plane = tools.add_number(
            "Plane z", 0, (-100, 100), editor.set_plane, 1, 3, "cm", "Height of the lattice that vertices snap to"
        )
        self.length = tools.add_number(
            "Pull by", 5, (-100, 100), editor.set_extrusion, 1, 4, "cm", "How far X pulls the selected faces"
        )

    def _add_commands(self, tools: ToolPanel) -> None:
        commands, add = self.editor.commands, self.editor.add_action
        tools.add_section("Faces and vertices")
        rows = [
            ("Make face", commands.make_face, "M", "ring", "A face through the selected vertices, in their order"),
            ("Pull", commands.extrude, "X", "arrow_up", "Pull the selected faces out by the distance above"),
            ("Flip", commands.flip, "N", "mirror", "Turn the selected faces over, or all"),
            ("Split", commands.split_face, "K", "half_plane", "Cut a face between two selected vertices"),
            ("Merge", commands.merge, "W", "link", "Make one of the selected vertices, at the first one's place"),
            ("Hole", commands.cut_hole, "H", "close_loop", "Cut a hole into the first selected face, by two cuts"),
            ("Delete", commands.delete, "Delete, Backspace", "delete", "Take the selection away"),
        ]
        tools.add_tools([add(*row) for row in rows], exclusive=False, columns=2)

    def _add_solids(self, tools: ToolPanel) -> None:
        commands, add = self.editor.commands, self.editor.add_action
        tools.add_section("Solids")
        self.primitive = PrimitiveForm()
        self.primitive.changed.connect(lambda: self.editor.preview(self.primitive.solid()))
        self.primitive.added.connect(self._add_solid)
        tools.add_widget(self.primitive)
        rows = [
            ("Unite", partial(commands.combine, "union"), "U", "fill", "Unite the selected shells, or all"),
            ("Subtract", partial(commands.combine, "difference"), "D", "negative", "First shell without the others"),
            ("Intersect", partial(commands.combine, "intersection"), "I", "positive", "What the shells share"),
        ]
        tools.add_tools([add(*row, Aid.SOLVING) for row in rows], exclusive=False, columns=2)

    def _add_solid(self) -> None:
        self.editor.view.set_ghost(())
        self.editor.commands.add_primitive(self.primitive.solid())

    def _add_selection(self, tools: ToolPanel) -> None:
        tools.add_section("Move the selection")
        self.move = MoveForm()
        self.move.moved.connect(lambda x, y, z: self.editor.commands.move((x, y, z)))
        self.move.turned.connect(self.editor.commands.turn)
        tools.add_widget(self.move)

    def _add_looks(self, tools: ToolPanel) -> None:
        editor = self.editor
        tools.add_section("Show")
        for text, name, tip, aid in (
            ("Faces of the solids", "ghost_faces", "The solids of the union, translucent", Aid.VIEWING),
            ("See through", "see_through", "Draw the polyhedron translucent", Aid.VIEWING),
            ("Vertex numbers", "numbers", "Write the number beside each vertex", Aid.MEASURING),
            ("Difference", "difference", "What is missing and what is too much, once it is watertight", Aid.SOLVING),
            ("Snap to crossings", "crossings", "Points snap to where edges meet other solids", Aid.SOLVING),
        ):
            tools.add_check(text, getattr(editor.looks, name), partial(editor.set_look, name), tip, aid)
        for i in range(len(editor.solids)):
            tools.add_check(f"Solid {i}", True, partial(editor.show_solid, i), editor.solid_words(i))

    def _add_keys(self) -> None:
        commands = self.editor.commands
        for key, way in ARROWS.items():
            self.editor.add_action(f"Move {key}", partial(commands.move, way, "nudge"), key)
            fine = tuple(FINE_CM * v for v in way)
            self.editor.add_action(f"Move {key} a little", partial(commands.move, fine, "nudge"), f"Shift+{key}")
        self.editor.add_action("Select everything", self.editor.select_all, "Ctrl+A")
