"""The gestures: building on faces, stretching linear blocks, moving blocks to other faces; with the pointer or by keys.

By keys: the left and right arrows step through the faces, up and down from block to block, and Return does what a click
would do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from spatial_workbench.engine.core.scene import Item, Polyline
from spatial_workbench.engine.machines.building.blocks import block_types
from spatial_workbench.engine.machines.building.edits import Add, Move
from spatial_workbench.engine.machines.building.poses import PlacedFace, kind_of
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.tasks.machine.building import Built, copied
from spatial_workbench.engine.tasks.machine.editing import MachineAssembly
from spatial_workbench.engine.tasks.machine.mirroring import words_of_turning
from spatial_workbench.widgets.editing.gestures import MoveSelection, Place, distance_px
from spatial_workbench.widgets.editors.machine.workbench import Workbench, name_of
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView

MARKS = ("1", "2")
"""What stands in the marks of a linear block's ends."""
MARK_PX = 11
"""The radius of a mark."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_STEPS = {
    Qt.Key.Key_Right: (False, 1),
    Qt.Key.Key_Left: (False, -1),
    Qt.Key.Key_Down: (True, 1),
    Qt.Key.Key_Up: (True, -1),
}
"""For each arrow key: whether it goes from block to block, and which way."""


def block_at(event: PointerEvent) -> int | None:
    """The block under the pointer."""
    pick = event.pick
    return int(pick.id.split()[1]) if pick is not None and pick.id.startswith("block ") else None


def face_at(bench: Workbench, event: PointerEvent) -> PlacedFace | None:
    """The face that is nearest to the pointer, on the block under it."""
    block = block_at(event)
    if block is None or bench.assembly is None or block >= len(bench.assembly.tree) or event.pick is None:
        return None
    return bench.nearest_face(block, event.pick.position)


class FaceKeys:
    """Steps through faces by the arrow keys.

    Attributes:
        face: The face that was reached; None: none so far.
    """

    def __init__(self) -> None:
        self.face: PlacedFace | None = None
        self._place = (0, -1)

    def takes(self, event: QKeyEvent) -> bool:
        """Whether a key is one that steps or places."""
        return event.key() in (*_STEPS, *ENTER) and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier

    def step(self, key: int, faces: Sequence[PlacedFace]) -> PlacedFace | None:
        """Goes to the face that a key leads to."""
        by_block, way = _STEPS[Qt.Key(key)]
        ordered = sorted(faces, key=lambda face: (face.block, face.face), reverse=way < 0)
        passed = [face for face in ordered if self._is_past(face, by_block, way)]
        self.face = next(iter(passed or ordered), None)
        if self.face is not None:
            self._place = (self.face.block, self.face.face)
        return self.face

    def go_on_from(self, block: int) -> None:
        """Steps on through the faces of a block."""
        self.face = None
        self._place = (block, -1)

    def _is_past(self, face: PlacedFace, by_block: bool, way: int) -> bool:
        here, there = ((self._place[0],), (face.block,)) if by_block else (self._place, (face.block, face.face))
        return there > here if way > 0 else there < here


class BuildTool(Place):
    """A click puts a block of the chosen type on a face; a linear one takes two clicks."""

    uses_alt = False

    def __init__(
        self,
        bench: Workbench,
        view: SceneView,
        chosen: Callable[[], int],
        joined: Callable[[str], None],
        wanted: Callable[[], Sequence[PlacedFace]],
    ) -> None:
        """wanted: returns the faces that the walk-through marks, which may be hidden behind blocks."""
        self._bench = bench
        self._wanted = wanted
        self._keys = FaceKeys()
        self._seen = view
        self._chosen = chosen
        self._joined = joined
        self._first: PlacedFace | None = None
        self._view: SceneView | None = None

    def follow(self, event: PointerEvent) -> None:
        self._view = event.view
        face = self._face_at(event)
        if face is None:
            event.view.set_ghost(self._rubber(None))
            self._joined("")
            return
        self._show_ghost(event.view, face)

    def _show_ghost(self, view: SceneView, face: PlacedFace) -> None:
        ghost, reason = self._ghost(face)
        view.set_ghost(ghost, reason if self._bench.judges else "", self._squares(face))

    def _face_at(self, event: PointerEvent) -> PlacedFace | None:
        """The face under the pointer; for a linear block a marked one, if the pointer is on its mark."""
        for face in self._wanted() if self._is_linear else ():
            place = self._bench.shown(face.position)
            if face != self._first and distance_px(event.view, event, place[None])[0] <= MARK_PX:
                return face
        return face_at(self._bench, event)

    def put(self, event: PointerEvent) -> bool:
        face = self._face_at(event)
        if face is None:
            return False
        self._place_block(event.view, face)
        return True

    def _place_block(self, view: SceneView, face: PlacedFace) -> None:
        if self._is_linear and self._first is None:
            self._first = face
            self._show_ghost(view, face)
        elif self._bench.apply_built(self._bench.with_block(self._command(face))):
            self._first = None
            view.set_ghost(())
            if self._bench.assembly is not None and not self._is_linear:
                self._keys.go_on_from(len(self._bench.assembly.tree) - 1)

    def takes_key(self, event: QKeyEvent) -> bool:
        return self._keys.takes(event) and self._bench.assembly is not None

    def key(self, event: QKeyEvent) -> None:
        assert self._bench.assembly is not None
        self._view = self._seen
        if event.key() not in ENTER:
            faces = self._bench.all_faces if self._is_linear else list(self._bench.assembly.vacant.values())
            self._keys.step(event.key(), faces)
        elif self._keys.face is not None:
            self._place_block(self._view, self._keys.face)
            return
        if self._keys.face is not None:
            self._show_ghost(self._view, self._keys.face)

    def stop(self) -> None:
        self._first = None
        self.clear()

    def clear(self) -> None:
        self._joined("")
        if self._view is not None:
            self._view.set_ghost(())

    @property
    def _is_linear(self) -> bool:
        return block_types()[self._chosen()].is_linear

    def _command(self, face: PlacedFace) -> Add:
        if self._first is None:
            return Add(self._chosen(), face.block, face.face)
        return Add(self._chosen(), self._first.block, self._first.face, (face.block, face.face))

    def _squares(self, face: PlacedFace) -> list[Item]:
        """The faces of a block; which of them takes a linear block is known with its second end only."""
        fits = None if self._is_linear else lambda other: self._bench.with_block(self._command(other))
        return self._bench.face_squares(face.block, face, fits)

    def _ghost(self, face: PlacedFace) -> tuple[list[Item], str]:
        """The ghost, and why it cannot be placed."""
        if self._is_linear:
            return self._rubber(face), ""
        built = self._bench.with_block(self._command(face))
        if not built.is_made:
            return [], built.reason
        self._joined(_words_about(MachineAssembly(built.tree), built, self._bench.level))
        return self._bench.preview(built), ""

    def _rubber(self, end: PlacedFace | None) -> list[Item]:
        """The line from the first end to the pointer's face."""
        if self._first is None or end is None:
            return []
        points = [self._bench.shown(face.position) for face in (self._first, end)]
        return [Polyline(id="new link", points=points, color="accent", width_px=4.0)]  # type: ignore[arg-type]


def _words_about(assembly: MachineAssembly, built: Built, level: Level) -> str:
    """What to know about new blocks before they are placed: joins, how mirrored ones turn, and what is left out."""
    joins = _words_of_joins(assembly, built.new[0])
    turning = words_of_turning(assembly, built.new[0], level) if len(built.new) > 1 else ""
    return "; ".join(filter(None, [joins, turning, *built.notices]))


def _words_of_joins(assembly: MachineAssembly, block: int) -> str:
    """What a new block is joined to besides its parent, and which joints that locks."""
    sentences = []
    for join in assembly.joins:
        if block in (join.block, join.other):
            other = join.other if join.block == block else join.block
            locked = [name_of(assembly.tree, k) for k in assembly.locked_by(join)]
            ending = f", which locks {', '.join(locked)}" if locked else ""
            sentences.append(f"Joins {name_of(assembly.tree, other)}{ending}")
    return "; ".join(sentences)


class MachineCopyTool(Place):
    """A click puts a copy of the selected block, with all that hangs on it, on a face."""

    uses_alt = False

    def __init__(self, bench: Workbench, view: SceneView, source: Callable[[], int | None]) -> None:
        self._bench = bench
        self._keys = FaceKeys()
        self._seen = view
        self._source = source
        self._view: SceneView | None = None

    def follow(self, event: PointerEvent) -> None:
        self._view = event.view
        self._show_ghost(event.view, face_at(self._bench, event))

    def _show_ghost(self, view: SceneView, face: PlacedFace | None) -> None:
        built = self._built(face)
        if face is None or built is None:
            view.set_ghost(())
            return
        squares = self._bench.face_squares(face.block, face, self._built)
        view.set_ghost(self._bench.preview(built) if built.is_made else (), built.reason, squares)

    def put(self, event: PointerEvent) -> bool:
        return self._place_block(event.view, face_at(self._bench, event))

    def _place_block(self, view: SceneView, face: PlacedFace | None) -> bool:
        built = self._built(face)
        if built is not None and self._bench.apply_built(built):
            view.set_ghost(())
        return built is not None

    def takes_key(self, event: QKeyEvent) -> bool:
        return self._keys.takes(event) and self._bench.assembly is not None

    def key(self, event: QKeyEvent) -> None:
        assert self._bench.assembly is not None
        self._view = self._seen
        if event.key() in ENTER:
            self._place_block(self._view, self._keys.face)
        else:
            self._show_ghost(self._view, self._keys.step(event.key(), list(self._bench.assembly.vacant.values())))

    def clear(self) -> None:
        if self._view is not None:
            self._view.set_ghost(())

    def _built(self, face: PlacedFace | None) -> Built | None:
        source = self._source()
        assembly = self._bench.assembly
        if face is None or source is None or assembly is None or source >= len(assembly.tree):
            return None
        return copied(assembly, source, (face.block, face.face), self._bench.level)


class MachineSelectTool(MoveSelection):
    """A click selects a block; dragging it to another face moves it there, with all that hangs on it.

    With keys, the arrows step from block to block; Return picks the selected block up, and then places it on the face
    that the arrows have reached.
    """

    def __init__(self, bench: Workbench, view: SceneView) -> None:
        super().__init__()
        self._bench = bench
        self._keys = FaceKeys()
        self._seen = view
        self._carried: int | None = None
        self._held: int | None = None
        self._view: SceneView | None = None

    def element(self, event: PointerEvent) -> str | None:
        self._held = block_at(event)
        return None if self._held is None else f"block {self._held}"

    def clear(self) -> None:
        if self._view is not None:
            self._view.set_ghost(())

    def show_move(self, event: PointerEvent) -> None:
        self._show_ghost(event.view, face_at(self._bench, event))

    def _show_ghost(self, view: SceneView, face: PlacedFace | None) -> None:
        self._view = view
        command = self._command(face)
        if command is None or face is None:
            view.set_ghost(())
            return
        built = self._bench.with_move(command)
        squares = self._bench.face_squares(face.block, face, self._moved_to)
        view.set_ghost(self._bench.preview(built) if built.is_made else (), built.reason, squares)

    def move_there(self, event: PointerEvent) -> None:
        self._move_block(face_at(self._bench, event))

    def _move_block(self, face: PlacedFace | None) -> None:
        command = self._command(face)
        if command is not None:
            self._bench.apply_built(self._bench.with_move(command))

    def stop(self) -> None:
        self._carried = None
        super().stop()

    def takes_key(self, event: QKeyEvent) -> bool:
        return self._keys.takes(event) and self._bench.assembly is not None

    def key(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self._pick_up_or_place()
        elif self._carried is None:
            self._select_next(event.key())
        else:
            assert self._bench.assembly is not None
            self._held = self._carried
            self._show_ghost(self._seen, self._keys.step(event.key(), list(self._bench.assembly.vacant.values())))

    def _pick_up_or_place(self) -> None:
        if self._carried is None:
            self._carried = self._selected()
            self._keys.go_on_from(0)
            return
        self._held = self._carried
        self._move_block(self._keys.face)
        self.stop()

    def _select_next(self, key: int) -> None:
        assert self._bench.assembly is not None
        selected = self._selected()
        count = len(self._bench.assembly.tree)
        step = _STEPS[Qt.Key(key)][1]
        place = (step if selected is None else selected + step) % count
        self._seen.set_selection([f"block {place}"])

    def _selected(self) -> int | None:
        names = [name for name in self._seen.selection if name.startswith("block ")]
        return int(names[0].split()[1]) if names else None

    def _moved_to(self, face: PlacedFace) -> Built | None:
        command = self._command(face)
        return None if command is None else self._bench.with_move(command)

    def _command(self, face: PlacedFace | None) -> Move | None:
        """The move of the held block to a face."""
        assembly = self._bench.assembly
        if self._held is None or face is None or assembly is None:
            return None
        if face.block in assembly.subtree(self._held) or kind_of(assembly.tree[self._held]).is_linear:
            return None
        return Move(self._held, face.block, face.face)
