"""Commands of gestures, buttons and keys on the crowd: each is one step of the history, or says why it is not done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.hide_and_seek.field import PERSON_M
from spatial_workbench.widgets.editing.nudging import Way
from spatial_workbench.widgets.editors.hide_and_seek.aiming import CrowdAim
from spatial_workbench.widgets.editors.hide_and_seek.crowd import NOBODY, PlacedCrowd

FARTHEST_ASIDE = 8
"""How far pasted people may be from where they were, in widths of a person along each axis."""
STEPS_ASIDE = PERSON_M * np.array(
    sorted(
        product(range(-FARTHEST_ASIDE, FARTHEST_ASIDE + 1), repeat=2),
        key=lambda step: (step[0] ** 2 + step[1] ** 2, -step[0], -step[1]),
    )
)
"""The steps by which pasted people are moved, the shortest first."""


class CrowdCommands:
    """The commands; `say` shows why one is not done."""

    def __init__(self, crowd: PlacedCrowd, aim: CrowdAim, say: Callable[[str], object]) -> None:
        self._crowd = crowd
        self._aim = aim
        self._say = say

    def place_person(self, place: Floats) -> None:
        """Places a person, or says why not."""
        why = self._crowd.refusal(place, self._crowd.neighbors) or ("" if self._crowd.room else self._crowd.why_full())
        if why:
            self._say(f"Nobody can be placed here: {why}.")
        else:
            self._crowd.replace_making_room(
                "Place person", np.vstack([self._crowd.centers, place]), [len(self._crowd.centers)]
            )

    def place_block(self, block: Floats) -> None:
        """Places people at all of these places, as one step."""
        if len(block):
            label = f"Place {len(block):,} people" if len(block) > 1 else "Place 1 person"
            self._crowd.replace_crowd(label, np.vstack([self._crowd.centers, block]))
        else:
            no_room = "Nobody was placed: there are no free places."
            self._say(no_room if self._crowd.room else "Everybody has been placed.")

    def add_missing(self) -> None:
        """Adds everybody who is missing, on free safe places."""
        self.place_block(self._crowd.free(self._crowd.field.places(self._aim.spacing.value))[: self._crowd.missing])

    def move_people(self, step: Floats, merges: bool = False) -> None:
        """Moves the selected people, unless they would overlap others or stand where nobody may."""
        chosen = self._crowd.selection.numbers
        if not chosen or not np.any(step):
            return
        moved = self._crowd.centers.copy()
        moved[chosen] = np.round(moved[chosen] + step, 7)
        others = NOBODY if self._crowd.pushes.value else np.delete(moved, chosen, axis=0)
        why = next((why for i in chosen if (why := self._crowd.refusal(moved[i], others))), "")
        if why:
            self._say(f"They cannot go there: {why}.")
            return
        self._crowd.replace_making_room("Move people", moved, chosen, merge=f"move {chosen}" if merges else "")

    def nudge(self, way: Way, length_m: float) -> None:
        """Moves the selected people by a key."""
        self.move_people(length_m * np.array(way[:2]), merges=True)

    def remove(self, people: Sequence[int]) -> None:
        """Deletes people."""
        if people:
            self._crowd.selection.select(())
            self._crowd.replace_crowd("Delete people", np.delete(self._crowd.centers, people, axis=0))

    def remove_selected(self) -> None:
        """Deletes the selected people."""
        self.remove(self._crowd.selection.numbers)

    def paste(self, label: str, places: Floats) -> None:
        """Adds people where they are or at the nearest places where all of them may stand, or says why not."""
        if not len(places):
            return
        count = len(self._crowd.centers)
        if len(places) > self._crowd.room:
            self._say(f"Nobody was pasted: {self._crowd.why_full()}.")
            return
        goal = next((moved for step in STEPS_ASIDE if self._crowd.may_stand(moved := places + step)), None)
        if goal is None:
            self._say("Nobody was pasted: there is no room for them near there.")
            return
        self._crowd.replace_crowd(label, np.vstack([self._crowd.centers, np.round(goal, 7)]))
        self._crowd.selection.select(range(count, count + len(places)))
