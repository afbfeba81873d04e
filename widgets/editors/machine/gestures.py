"""The gestures: building on faces, stretching linear blocks, moving blocks to other faces."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.scene import Item, Polyline
from engine.machines.blocks import block_types
from engine.machines.edits import Add, Move
from engine.machines.poses import PlacedFace, kind_of
from engine.tasks.machine.building import Built, copied
from engine.tasks.machine.editing import Assembly
from engine.tasks.machine.mirroring import words_of_turning
from widgets.editing.gestures import MoveSelection, Place
from widgets.editors.machine.workbench import Workbench, name_of
from widgets.view import PointerEvent, SceneView


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


class BuildTool(Place):
    """A click puts a block of the chosen type on a face; a linear one takes two clicks."""

    uses_alt = False

    def __init__(self, bench: Workbench, chosen: Callable[[], int], joined: Callable[[str], None]) -> None:
        self._bench = bench
        self._chosen = chosen
        self._joined = joined
        self._first: PlacedFace | None = None
        self._view: SceneView | None = None

    def follow(self, event: PointerEvent) -> None:
        self._view = event.view
        face = face_at(self._bench, event)
        if face is None:
            event.view.set_ghost(self._rubber(None))
            self._joined("")
            return
        ghost, reason = self._ghost(face)
        event.view.set_ghost(ghost, reason if self._bench.judges else "")

    def put(self, event: PointerEvent) -> bool:
        face = face_at(self._bench, event)
        if face is None:
            return False
        if self._is_linear and self._first is None:
            self._first = face
            self.follow(event)
            return True
        if self._bench.take(self._bench.with_block(self._command(face))):
            self._first = None
            event.view.set_ghost(())
        return True

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

    def _ghost(self, face: PlacedFace) -> tuple[list[Item], str]:
        """What would be placed, and why it cannot be."""
        squares = self._bench.face_squares(face.block, face)
        if self._is_linear:
            return [*squares, *self._rubber(face)], ""
        built = self._bench.with_block(self._command(face))
        if not built.is_made:
            return squares, built.reason
        self._joined(_words_about(Assembly(built.tree), built))
        return [*squares, *self._bench.preview(built)], ""

    def _rubber(self, end: PlacedFace | None) -> list[Item]:
        """The line from the first end to the pointer's face."""
        if self._first is None or end is None:
            return []
        points = [self._bench.shown(face.position) for face in (self._first, end)]
        return [Polyline(id="new link", points=points, color="accent", width_px=4.0)]  # type: ignore[arg-type]


def _words_about(assembly: Assembly, built: Built) -> str:
    """What to know about new blocks before they are placed: joins, how mirrored ones turn, and what is left out."""
    joins = _words_of_joins(assembly, built.new[0])
    turning = words_of_turning(assembly, built.new[0]) if len(built.new) > 1 else ""
    return "; ".join(filter(None, [joins, turning, *built.notices]))


def _words_of_joins(assembly: Assembly, block: int) -> str:
    """What a new block is joined to besides its parent, and which joints that locks."""
    sentences = []
    for join in assembly.joins:
        if block in (join.block, join.other):
            other = join.other if join.block == block else join.block
            locked = [name_of(assembly.tree, k) for k in assembly.locked_by(join)]
            ending = f", which locks {', '.join(locked)}" if locked else ""
            sentences.append(f"Joins {name_of(assembly.tree, other)}{ending}")
    return "; ".join(sentences)


class CopyTool(Place):
    """A click puts a copy of the selected block, with all that hangs on it, on a face."""

    uses_alt = False

    def __init__(self, bench: Workbench, source: Callable[[], int | None]) -> None:
        self._bench = bench
        self._source = source
        self._view: SceneView | None = None

    def follow(self, event: PointerEvent) -> None:
        self._view = event.view
        face = face_at(self._bench, event)
        built = self._built(face)
        if face is None or built is None:
            event.view.set_ghost(())
            return
        squares = self._bench.face_squares(face.block, face)
        event.view.set_ghost([*squares, *(self._bench.preview(built) if built.is_made else ())], built.reason)

    def put(self, event: PointerEvent) -> bool:
        built = self._built(face_at(self._bench, event))
        if built is not None and self._bench.take(built):
            event.view.set_ghost(())
        return built is not None

    def clear(self) -> None:
        if self._view is not None:
            self._view.set_ghost(())

    def _built(self, face: PlacedFace | None) -> Built | None:
        source, assembly = self._source(), self._bench.assembly
        if face is None or source is None or assembly is None or source >= len(assembly.tree):
            return None
        return copied(assembly, source, (face.block, face.face), self._bench.level)


class SelectTool(MoveSelection):
    """A click selects a block; dragging it to another face moves it there, with all that hangs on it."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self._bench = bench
        self._held: int | None = None
        self._view: SceneView | None = None

    def element(self, event: PointerEvent) -> str | None:
        self._held = block_at(event)
        return None if self._held is None else f"block {self._held}"

    def clear(self) -> None:
        if self._view is not None:
            self._view.set_ghost(())

    def show_move(self, event: PointerEvent) -> None:
        self._view = event.view
        command = self._command(event)
        if command is None:
            event.view.set_ghost(())
            return
        built = self._bench.with_move(command)
        face = face_at(self._bench, event)
        squares = self._bench.face_squares(face.block, face) if face is not None else []
        event.view.set_ghost(self._bench.preview(built) if built.is_made else squares, built.reason)

    def move_there(self, event: PointerEvent) -> None:
        command = self._command(event)
        if command is not None:
            self._bench.take(self._bench.with_move(command))

    def _command(self, event: PointerEvent) -> Move | None:
        """The move to the face under the pointer."""
        face, assembly = face_at(self._bench, event), self._bench.assembly
        if self._held is None or face is None or assembly is None:
            return None
        if face.block in assembly.subtree(self._held) or kind_of(assembly.tree[self._held]).is_linear:
            return None
        return Move(self._held, face.block, face.face)
