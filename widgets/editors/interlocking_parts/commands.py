"""Commands of buttons and keys on parts: each is one step of the history, or says why it is not done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.mesh_limits import MAX_FILE_BYTES
from spatial_workbench.engine.tasks.interlocking_parts import Form, Part
from spatial_workbench.engine.tasks.interlocking_parts.answer import IDENTITY
from spatial_workbench.engine.tasks.interlocking_parts.drawing import matrix_of
from spatial_workbench.engine.tasks.interlocking_parts.editing import (
    CageBox,
    Hole,
    bounds_of,
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
from spatial_workbench.widgets.editors.interlocking_parts.changes import CageChanges, parts_label


class CageCommands:
    """The commands that add parts and delete them."""

    def __init__(self, changes: CageChanges) -> None:
        self._changes = changes
        self._assembly = changes.assembly

    def new_panel(self, across: float, up: float, pitch: float) -> None:
        """Adds a flat grid of bars that lies on the floor of the assembly."""
        self._changes.make_part(
            "Making a panel", grid_panel, self._assembly.cage, across, up, pitch, done=self._changes.adding("New panel")
        )

    def import_file(self, path: str) -> None:
        """Adds the mesh in a file as a part."""
        try:
            with Path(path).open("rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
        except OSError as error:
            self._changes.message(f"“{path}” cannot be read: {error.strerror}.")
            return
        self._changes.make_part("Importing", imported, Path(path).name, data, done=self._changes.adding("Import part"))

    def add_source(self, form: Form, contents: str) -> None:
        """Adds a part from its source."""
        self._changes.add_parts("New part", [Part(fileContents=contents, fileType=form, transform=IDENTITY)])

    def copy(self) -> None:
        """Adds copies of the selected parts beside them."""
        beside = self._changes.beside(self._assembly.bounds)
        self._changes.add_parts(
            "Duplicate", [part.placed(beside @ matrix_of(part)) for part in self._changes.chosen.values()]
        )

    def copy_opposite(self) -> None:
        """Adds copies of the selected parts on the opposite side of the cage."""
        copies = [part.placed(opposite(matrix_of(part))) for part in self._changes.chosen.values()]
        self._changes.add_parts("Copy to the opposite side", copies)

    def mirror(self) -> None:
        """Adds the mirror image of the part on the bed, as another kind of part."""
        number = self._assembly.shown
        if number is None:
            return
        part = self._assembly.parts[number]
        place = self._changes.beside(self._assembly.bounds) @ matrix_of(part)

        def add(text: str) -> None:
            mirror = part.model_copy(update={"fileContents": text, "fileType": Form.STL})
            self._changes.add_parts("Mirror as a new part", [mirror.placed(place)])

        self._changes.make_part("Mirroring", mirrored, part, done=add)

    def delete(self) -> None:
        """Deletes the selected parts."""
        chosen = self._changes.chosen
        if chosen:
            left = [part for i, part in enumerate(self._assembly.parts) if i not in chosen]
            self._changes.replace_parts(parts_label("Delete", len(chosen)), left, ())

    def paste(self, label: str, parts: Sequence[Part]) -> None:
        """Adds parts where they are or, if that is taken, beside it."""
        move = self._changes.beside(bounds_of(parts), first=0)
        self._changes.add_parts(label, [part.placed(move @ matrix_of(part)) for part in parts])


class PlaceCommands:
    """The commands that move and turn the selected parts, or the part on the bed."""

    def __init__(self, changes: CageChanges) -> None:
        self._changes = changes
        self._assembly = changes.assembly

    def move_by(self, way: Floats, merge: str = "") -> None:
        """Moves the selected parts, in mm."""
        lift = np.eye(4)
        lift[:3, 3] = way
        self._changes.move_parts("Move", {i: lift @ matrix_of(part) for i, part in self._changes.chosen.items()}, merge)

    def nudge(self, way: Floats) -> None:
        """Moves the selected parts by key; consecutive moves are one step."""
        self.move_by(way, merge=f"nudge {self._assembly.selected}")

    def turn_parts(self, axis: int, angle_deg: float) -> None:
        """Turns the selected parts about the middle of the boxes around them."""
        middle = self._assembly.middle
        if middle is not None:
            chosen = self._changes.chosen.items()
            self._changes.move_parts(
                "Turn", {i: turned(matrix_of(part), axis, angle_deg, middle) for i, part in chosen}
            )

    def set_pose(self, index: int, value: float) -> None:
        """Sets x, y, z (0 to 2, mm) or the angles about them (3 to 5, degrees) of the part on the bed."""
        number = self._assembly.shown
        if number is None:
            return
        position, angles = pose_of(matrix_of(self._assembly.parts[number]))
        numbers = [*position, *angles]
        numbers[index] = value
        self._changes.move_parts("Place", {number: placed(numbers[:3], numbers[3:])}, merge=f"pose {number} {index}")

    def stand(self, face: str) -> None:
        """Stands the selected parts on a face of the cage, at their present height."""
        cage = self._assembly.cage
        places = {i: standing(cage, face, round(self._height_on(face, i), 3)) for i in self._changes.chosen}
        self._changes.move_parts(f"Stand on the {face}", places)

    def _height_on(self, face: str, number: int) -> float:
        """The height at which the middle of a part belongs on a face."""
        cage = self._assembly.cage
        box = self._assembly.bounds_of(number)
        if face == "top":
            return cage.levels_at(cage.pitch) * cage.pitch if cage.pitch else cage.bar + cage.height
        return cage.outer_height / 2 if box is None else float((box[0] + box[1])[2]) / 2


class ShapeCommands:
    """The commands that change what parts are, in the background."""

    def __init__(self, changes: CageChanges) -> None:
        self.changes_alike = Setting(True)
        """Whether parts with the same contents change together."""
        self._changes = changes
        self._assembly = changes.assembly

    def change_shape(self, label: str, change: CageBox | Hole) -> None:
        """Changes the solid of the part on the bed and, with `changes_alike`, of equal parts."""
        number = self._assembly.shown
        if number is not None:
            part = self._assembly.parts[number]
            done = self._replacing(label, part, number)
            self._changes.make_part(
                label, changed, self._assembly.cage, part, change, done=lambda text: done(text, Form.STL)
            )

    def set_source(self, number: int, contents: str, form: Form) -> None:
        """Replaces the source of a part."""
        self._replacing("Edit source", self._assembly.parts[number], number)(contents, form)

    def run_selected(self) -> None:
        """Runs the programs of the selected parts, equal ones only once."""
        programs = {part.fileContents: i for i, part in reversed(self._changes.chosen.items()) if part.is_program}
        for number in sorted(programs.values()):
            self.run_program(number)

    def run_program(self, number: int) -> None:
        """Runs the program of a part in the sandbox."""

        def done(result: tuple[str, bool]) -> None:
            problem, _ = result
            self._changes.say(f"Part {number}: {problem}" if problem else f"Part {number} has been made.")
            self._assembly.document.judge_again()

        part = self._assembly.parts[number]
        self._changes.runner.run(f"Running part {number}", run_part, part, done=done, failed=self._changes.refuse)

    def _replacing(self, label: str, part: Part, number: int) -> Callable[[str, Form], None]:
        """A function that replaces the contents of a part and, with `changes_alike`, of equal parts."""

        def replace(contents: str, form: Form) -> None:
            parts = list(self._assembly.parts)
            for i, other in enumerate(parts):
                alike = other.fileContents == part.fileContents and other.fileType == part.fileType
                if i == number or (self.changes_alike.value and alike):
                    parts[i] = other.model_copy(update={"fileContents": contents, "fileType": str(form)})
            self._changes.replace_parts(label, parts)

        return replace
