"""The commands on parts: each is one step of the history. Solids are changed in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.mesh_limits import MAX_FILE_BYTES
from spatial_workbench.engine.tasks.interlocking_parts import Form, Part, Parts
from spatial_workbench.engine.tasks.interlocking_parts.answer import IDENTITY, MAX_PARTS
from spatial_workbench.engine.tasks.interlocking_parts.drawing import matrix_of
from spatial_workbench.engine.tasks.interlocking_parts.editing import (
    CageBox,
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
from spatial_workbench.engine.tasks.interlocking_parts.solver import standing
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editing.runner import Runner
from spatial_workbench.widgets.editors.interlocking_parts.assembly import Assembly, bounds_of

BESIDE_MM = 20.0
"""Room between parts and their copies."""


class CageCommands:
    """The commands on the selected parts, or on the part on the bed.

    Args:
        say: Shows the result of running a program.
        message: Shows why something was not done.
    """

    def __init__(
        self,
        assembly: Assembly,
        runner: Callable[[], Runner],
        say: Callable[[str], None],
        message: Callable[[str], object],
    ) -> None:
        self.changes_alike = Setting(True)
        """Whether parts with the same contents change together."""
        self._assembly = assembly
        self._document = assembly.document
        self._runner = runner
        self._say = say
        self._message = message

    @property
    def _chosen(self) -> dict[int, Part]:
        """The selected parts, by number."""
        return {i: self._assembly.parts[i] for i in self._assembly.selected}

    # New parts ---------------------------------------------------------------------------------------------------

    def new_panel(self, across: float, up: float, pitch: float) -> None:
        """Adds a flat grid of bars that lies on the floor of the assembly."""
        self._make("Making a panel", grid_panel, self._assembly.cage, across, up, pitch, done=self._adding("New panel"))

    def import_file(self, path: str) -> None:
        """Adds the mesh in a file as a part."""
        try:
            with Path(path).open("rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
        except OSError as error:
            self._message(f"“{path}” cannot be read: {error.strerror}.")
            return
        self._make("Importing", imported, Path(path).name, data, done=self._adding("Import part"))

    def add_source(self, form: Form, contents: str) -> None:
        """Adds a part from its source."""
        self._add("New part", [Part(fileContents=contents, fileType=form, transform=IDENTITY)])

    def copy(self) -> None:
        """Adds copies of the selected parts beside them."""
        beside = self._beside(self._assembly.bounds)
        self._add("Duplicate", [part.placed(beside @ matrix_of(part)) for part in self._chosen.values()])

    def copy_opposite(self) -> None:
        """Adds copies of the selected parts on the opposite side of the cage."""
        copies = [part.placed(opposite(matrix_of(part))) for part in self._chosen.values()]
        self._add("Copy to the opposite side", copies)

    def mirror(self) -> None:
        """Adds the mirror image of the part on the bed, as another kind of part."""
        number = self._assembly.shown
        if number is None:
            return
        part = self._assembly.parts[number]
        place = self._beside(self._assembly.bounds) @ matrix_of(part)

        def add(text: str) -> None:
            mirror = part.model_copy(update={"fileContents": text, "fileType": Form.STL})
            self._add("Mirror as a new part", [mirror.placed(place)])

        self._make("Mirroring", mirrored, part, done=add)

    def delete(self) -> None:
        """Deletes the selected parts."""
        chosen = self._chosen
        if chosen:
            left = [part for i, part in enumerate(self._assembly.parts) if i not in chosen]
            self._edit_parts("Delete part" if len(chosen) == 1 else f"Delete {len(chosen)} parts", left, ())

    def paste(self, label: str, parts: Sequence[Part]) -> None:
        """Adds parts where they are or, if that is taken, beside it."""
        move = self._beside(bounds_of(parts), first=0)
        self._add(label, [part.placed(move @ matrix_of(part)) for part in parts])

    def _beside(self, around: tuple[Floats, Floats] | None, first: int = 1) -> Floats:
        """The move (4, 4) along x after which a box meets that of no part; with `first` 0 it may stay."""
        move = np.eye(4)
        if around is None:
            return move
        low, high = around
        boxes = [self._assembly.bounds_of(i) for i in range(len(self._assembly.parts))]
        for count in range(first, MAX_PARTS + 1):
            move[0, 3] = count * (high[0] - low[0] + BESIDE_MM)
            way = move[:3, 3]
            if not any(_meet((low + way, high + way), box) for box in boxes if box is not None):
                break
        return move

    # Places ------------------------------------------------------------------------------------------------------

    def move_by(self, way: Floats, merge: str = "") -> None:
        """Moves the selected parts, in mm."""
        lift = np.eye(4)
        lift[:3, 3] = way
        self._replace("Move", {i: lift @ matrix_of(part) for i, part in self._chosen.items()}, merge)

    def nudge(self, way: Floats) -> None:
        """Moves the selected parts by key; consecutive moves are one step."""
        self.move_by(way, merge=f"nudge {self._assembly.selected}")

    def turn(self, axis: int, angle_deg: float) -> None:
        """Turns the selected parts about the middle of the boxes around them."""
        middle = self._assembly.middle
        if middle is not None:
            chosen = self._chosen.items()
            self._replace("Turn", {i: turned(matrix_of(part), axis, angle_deg, middle) for i, part in chosen})

    def set_pose(self, index: int, value: float) -> None:
        """Sets x, y, z (0 to 2, mm) or the angles about them (3 to 5, degrees) of the part on the bed."""
        number = self._assembly.shown
        if number is None:
            return
        position, angles = pose_of(matrix_of(self._assembly.parts[number]))
        numbers = [*position, *angles]
        numbers[index] = value
        self._replace("Place", {number: placed(numbers[:3], numbers[3:])}, merge=f"pose {number} {index}")

    def stand(self, face: str) -> None:
        """Stands the selected parts on a face of the cage, at their present height."""
        cage = self._assembly.cage
        places = {i: standing(cage, face, round(self._height_on(face, i), 3)) for i in self._chosen}
        self._replace(f"Stand on the {face}", places)

    def _height_on(self, face: str, number: int) -> float:
        """The height at which the middle of a part belongs on a face."""
        cage = self._assembly.cage
        box = self._assembly.bounds_of(number)
        if face == "top":
            return cage.levels_at(cage.pitch) * cage.pitch if cage.pitch else cage.bar + cage.height
        return cage.outer_height / 2 if box is None else float((box[0] + box[1])[2]) / 2

    # Solids ------------------------------------------------------------------------------------------------------

    def change_shape(self, label: str, change: CageBox | Hole) -> None:
        """Changes the solid of the part on the bed and, with `changes_alike`, of equal parts."""
        number = self._assembly.shown
        if number is not None:
            part = self._assembly.parts[number]
            done = self._replacing(label, part, number)
            self._make(label, changed, self._assembly.cage, part, change, done=lambda text: done(text, Form.STL))

    def set_source(self, number: int, contents: str, form: Form) -> None:
        """Replaces the source of a part."""
        self._replacing("Edit source", self._assembly.parts[number], number)(contents, form)

    def run_selected(self) -> None:
        """Runs the programs of the selected parts, equal ones only once."""
        programs = {part.fileContents: i for i, part in reversed(self._chosen.items()) if part.is_program}
        for number in sorted(programs.values()):
            self.run(number)

    def run(self, number: int) -> None:
        """Runs the program of a part in the sandbox."""

        def done(result: tuple[str, bool]) -> None:
            problem, _ = result
            self._say(f"Part {number}: {problem}" if problem else f"Part {number} has been made.")
            self._document.judge_again()

        part = self._assembly.parts[number]
        self._runner().run(f"Running part {number}", run_part, part, done=done, failed=self._refuse)

    def _replacing(self, label: str, part: Part, number: int) -> Callable[[str, Form], None]:
        """A function that replaces the contents of a part and, with `changes_alike`, of equal parts."""

        def replace(contents: str, form: Form) -> None:
            parts = list(self._assembly.parts)
            for i, other in enumerate(parts):
                alike = other.fileContents == part.fileContents and other.fileType == part.fileType
                if i == number or (self.changes_alike.value and alike):
                    parts[i] = other.model_copy(update={"fileContents": contents, "fileType": str(form)})
            self._edit_parts(label, parts)

        return replace

    # Internal ----------------------------------------------------------------------------------------------------

    def _make(self, label: str, function: Callable[..., str], *arguments: Any, done: Callable[[str], None]) -> None:
        self._runner().run(label, function, *arguments, done=done, failed=self._refuse)

    def _refuse(self, why: str) -> None:
        """Says why something was not done."""
        self._message(f"Not done. {why}")

    def _adding(self, label: str) -> Callable[[str], None]:
        """A function that adds a part from STL text."""
        return lambda text: self._add(label, [Part(fileContents=text, fileType=Form.STL, transform=IDENTITY)])

    def _add(self, label: str, new: Sequence[Part]) -> None:
        count = len(self._assembly.parts)
        if count + len(new) > MAX_PARTS:
            self._refuse(f"An answer may have at most {MAX_PARTS} parts.")
        elif new:
            self._edit_parts(label, [*self._assembly.parts, *new], range(count, count + len(new)))

    def _replace(self, label: str, matrices: dict[int, Floats], merge: str = "") -> None:
        parts = list(self._assembly.parts)
        for i, matrix in matrices.items():
            parts[i] = parts[i].placed(matrix)
        if matrices:
            label = f"{label} part" if len(matrices) == 1 else f"{label} {len(matrices)} parts"
            self._edit_parts(label, parts, merge=merge)

    def _edit_parts(
        self, label: str, parts: Sequence[Part], select: Iterable[int] | None = None, merge: str = ""
    ) -> None:
        self._say("")
        reasoning = self._document.answer.reasoning
        self._document.edit(label, Parts(reasoning=reasoning, parts=tuple(parts)), merge)
        if select is not None:
            self._assembly.selection.select(select)


def _meet(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> bool:
    return bool((first[0] < second[1]).all() and (second[0] < first[1]).all())
