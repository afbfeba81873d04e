"""What can be done to parts: each is one step of the history. Solids are changed in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.core.scene import Floats
from engine.geometry.mesh_limits import MAX_FILE_BYTES
from engine.tasks.interlocking_parts import Form, Part, Parts
from engine.tasks.interlocking_parts.answer import IDENTITY, MAX_PARTS
from engine.tasks.interlocking_parts.drawing import matrix_of
from engine.tasks.interlocking_parts.editing import (
    Box,
    Hole,
    changed,
    grid_panel,
    imported,
    mirrored,
    opposite,
    placed,
    pose_of,
    run_part,
    turned,
)
from engine.tasks.interlocking_parts.solver import standing

if TYPE_CHECKING:
    from widgets.editors.interlocking_parts.editor import InterlockingEditor

BESIDE_MM = 20.0
"""Room between parts and their copies."""


class Commands:
    """The commands of an editor."""

    def __init__(self, editor: InterlockingEditor) -> None:
        self.editor = editor

    # New parts ---------------------------------------------------------------------------------------------------

    def new_panel(self, across: float, up: float, pitch: float) -> None:
        """Adds a flat grid of bars, lying on the floor of the assembly."""
        self._solid("Making a panel", grid_panel, self.editor.cage, across, up, pitch,
                    done=lambda text: self._add("New panel", [_stl(text)]))  # fmt: skip

    def import_file(self, path: str) -> None:
        """Adds the mesh in a file as a part."""
        try:
            with Path(path).open("rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
        except OSError as error:
            self.editor.message.emit(f"“{path}” cannot be read: {error.strerror}.")
            return
        self._solid("Importing", imported, Path(path).name, data,
                    done=lambda text: self._add("Import part", [_stl(text)]))  # fmt: skip

    def add_source(self, form: Form, contents: str) -> None:
        """Adds a part that is written as source."""
        self._add("New part", [Part(fileContents=contents, fileType=form, transform=IDENTITY)])

    def copy(self) -> None:
        """Copies the selected parts beside them."""
        chosen = [self.editor.parts[i] for i in self.editor.selected]
        self._add("Copy", [part.placed(self._beside() @ matrix_of(part)) for part in chosen])

    def _beside(self) -> Floats:
        """The move (4, 4) along x that takes the selected parts past the boxes around all others."""
        move = np.eye(4)
        boxes = [self.editor.bounds_of(i) for i in range(len(self.editor.parts))]
        chosen = [box for i in self.editor.selected if (box := boxes[i]) is not None]
        if not chosen:
            return move
        low, high = np.min([box[0] for box in chosen], axis=0), np.max([box[1] for box in chosen], axis=0)
        for count in range(1, MAX_PARTS + 1):
            move[0, 3] = count * (high[0] - low[0] + BESIDE_MM)
            way = move[:3, 3]
            if not any(_meet((low + way, high + way), box) for box in boxes if box is not None):
                break
        return move

    def copy_opposite(self) -> None:
        """Copies the selected parts to the opposite side of the cage."""
        chosen = [self.editor.parts[i] for i in self.editor.selected]
        self._add("Copy to the opposite side", [part.placed(opposite(matrix_of(part))) for part in chosen])

    def mirror(self) -> None:
        """Adds the mirror image of the selected part, as another kind of part."""
        number = self.editor.shown
        if number is None:
            return
        part = self.editor.parts[number]
        place = self._beside() @ matrix_of(part)

        def add(text: str) -> None:
            mirror = part.model_copy(update={"fileContents": text, "fileType": Form.STL})
            self._add("Mirror as a new part", [mirror.placed(place)])

        self._solid("Mirroring", mirrored, part, done=add)

    def delete(self) -> None:
        """Removes the selected parts."""
        chosen = set(self.editor.selected)
        if chosen:
            kept = [part for i, part in enumerate(self.editor.parts) if i not in chosen]
            self._put("Delete part" if len(chosen) == 1 else f"Delete {len(chosen)} parts", kept, ())

    # Places ------------------------------------------------------------------------------------------------------

    def move_by(self, way: Floats, merge: str = "") -> None:
        """Moves the selected parts, in mm."""
        lift = np.eye(4)
        lift[:3, 3] = way
        self._replace("Move", {i: lift @ matrix_of(self.editor.parts[i]) for i in self.editor.selected}, merge)

    def turn(self, axis: int, angle_deg: float) -> None:
        """Turns the selected parts about the middle of the boxes around them."""
        center = self.editor.grip
        if center is None:
            return
        self._replace(
            "Turn",
            {i: turned(matrix_of(self.editor.parts[i]), axis, angle_deg, center) for i in self.editor.selected},
        )

    def set_pose(self, index: int, value: float) -> None:
        """Sets x, y, z (0 to 2, mm) or the angles about them (3 to 5, degrees) of the part on the bed."""
        number = self.editor.shown
        if number is None:
            return
        position, angles = pose_of(matrix_of(self.editor.parts[number]))
        numbers = [*position, *angles]
        numbers[index] = value
        self._replace("Place", {number: placed(numbers[:3], numbers[3:])}, merge=f"pose {number} {index}")

    def stand(self, face: str) -> None:
        """Stands the selected parts on a face of the cage, at the height where they are."""
        cage = self.editor.cage
        found = {}
        for i in self.editor.selected:
            box = self.editor.bounds_of(i)
            middle = cage.outer_height / 2 if box is None else float((box[0] + box[1])[2]) / 2
            if face == "top":
                pitch = cage.pitch
                middle = cage.levels_at(pitch) * pitch if pitch else cage.bar + cage.height
            found[i] = standing(cage, face, round(middle, 3))
        self._replace(f"Stand on the {face}", found)

    # Solids ------------------------------------------------------------------------------------------------------

    def change_shape(self, label: str, change: Box | Hole) -> None:
        """Changes the solid of the part on the bed, and of those like it if that is wanted."""
        number = self.editor.shown
        if number is None:
            return
        part = self.editor.parts[number]
        self._solid(label, changed, self.editor.cage, part, change,
                    done=lambda text: self._set_contents(label, part, number, text, Form.STL))  # fmt: skip

    def set_source(self, number: int, contents: str, form: Form) -> None:
        """Takes over an edited source."""
        self._set_contents("Edit source", self.editor.parts[number], number, contents, form)

    def run(self, number: int) -> None:
        """Runs the program of a part in the sandbox."""
        part = self.editor.parts[number]

        def done(result: tuple[str, bool]) -> None:
            problem, _ = result
            self.editor.say(f"Part {number}: {problem}" if problem else f"Part {number} is made.")
            self.editor.solids_changed()

        self.editor.runner.run(f"Running part {number}", run_part, part, done=done, failed=self._refused)

    def _set_contents(self, label: str, part: Part, number: int, contents: str, form: Form) -> None:
        """Gives a part, and those like it if that is wanted, other contents."""
        parts = list(self.editor.parts)
        for i, other in enumerate(parts):
            alike = self.editor.changes_alike and other.fileContents == part.fileContents
            if (alike and other.fileType == part.fileType) or i == number:
                parts[i] = other.model_copy(update={"fileContents": contents, "fileType": str(form)})
        self._put(label, parts, None)

    # Own ---------------------------------------------------------------------------------------------------------

    def _solid(self, label: str, function: Callable[..., str], *arguments: Any, done: Callable[[str], None]) -> None:
        self.editor.runner.run(label, function, *arguments, done=done, failed=self._refused)

    def _refused(self, why: str) -> None:
        """Says why something was not done."""
        self.editor.message.emit(f"Not done. {why}")

    def _add(self, label: str, new: Sequence[Part]) -> None:
        count = len(self.editor.parts)
        if not new:
            return
        if count + len(new) > MAX_PARTS:
            self.editor.message.emit(f"Not done. An answer holds {MAX_PARTS} parts at most.")
            return
        self._put(label, [*self.editor.parts, *new], range(count, count + len(new)))

    def _replace(self, label: str, matrices: dict[int, Floats], merge: str = "") -> None:
        parts = list(self.editor.parts)
        for i, matrix in matrices.items():
            parts[i] = parts[i].placed(matrix)
        if matrices:
            self._put(f"{label} part" if len(matrices) == 1 else f"{label} {len(matrices)} parts", parts, None, merge)

    def _put(self, label: str, parts: Sequence[Part], select: Iterable[int] | None, merge: str = "") -> None:
        answer = self.editor.document.answer
        self.editor.edit(label, Parts(reasoning=answer.reasoning, parts=tuple(parts)), merge)
        if select is not None:
            self.editor.select(select)


def _meet(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> bool:
    return bool((first[0] < second[1]).all() and (second[0] < first[1]).all())


def _stl(text: str) -> Part:
    return Part(fileContents=text, fileType=Form.STL, transform=IDENTITY)
