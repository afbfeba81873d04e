"""The people who are placed: where they stand, who is missing, and where somebody may stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.hide_and_seek import MAX_PEOPLE, Crowd, reasons
from spatial_workbench.engine.tasks.hide_and_seek.editing import pushed_apart
from spatial_workbench.engine.tasks.hide_and_seek.field import PERSON_M, CrowdField
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.selection import NumberedSelection
from spatial_workbench.widgets.scene_views.view import SceneView

NOBODY = np.zeros((0, 2))


class PlacedCrowd:
    """The crowd of a document, and who of it is selected in a view.

    say: shows why something was not done.
    is_judged: whether what breaks a rule of the task is refused.
    judges: returns whether it may be told now who can be seen.
    """

    def __init__(
        self,
        document: AnswerDocument[Crowd],
        view: SceneView,
        say: Callable[[str], object],
        is_judged: bool,
        judges: Callable[[], bool],
    ) -> None:
        self.field = CrowdField.of(document.instance.parameters)
        self.selection = NumberedSelection(view, "person", lambda: len(self.centers))
        self.is_judged = is_judged
        self.judges = judges
        self.pushes = Setting(False)
        """Whether people who stand in the way make room."""
        self._document = document
        self._say = say

    @property
    def neighbors(self) -> Floats:
        """The people whom somebody placed may not overlap: nobody, if they make room."""
        return NOBODY if self.pushes.value else self.centers

    @property
    def centers(self) -> Floats:
        """Where people stand, (n, 2)."""
        return self._document.answer.centers

    @property
    def missing(self) -> int:
        """How many people are still to be placed."""
        return max(0, self.field.people - len(self.centers))

    @property
    def room(self) -> int:
        """How many more people may be placed by hand: those missing or, without judging, up to the answer's limit."""
        return self.missing if self.is_judged else MAX_PEOPLE - len(self.centers)

    def refusal(self, place: Floats, others: Floats) -> str:
        """Why nobody may stand at a place, or "". Being visible is no reason: it only costs points."""
        if not self.is_judged:
            return ""
        if np.hypot(*place) > self.field.radius:
            return f"more than {self.field.radius:g} m from the middle"
        if self.field.touches_building(place[None])[0]:
            return "in the building"
        if len(others) and (np.abs(others - place) < PERSON_M - 1e-9).all(axis=1).any():
            return "somebody stands there"
        return ""

    def why_full(self) -> str:
        """Why nobody more may be placed."""
        judged = self.is_judged
        return "everybody has been placed" if judged else f"an answer may have at most {MAX_PEOPLE} people"

    def free(self, grid: Floats) -> Floats:
        """The places where somebody may stand without overlapping anybody."""
        if not len(grid):
            return grid
        fits = (np.hypot(*grid.T) <= self.field.radius) & ~self.field.touches_building(grid)
        if len(self.centers):
            gaps = np.abs(grid[:, None] - self.centers[None]).max(axis=2).min(axis=1)
            fits &= gaps >= PERSON_M - 1e-9
        return np.asarray(grid[fits])

    def may_stand(self, places: Floats) -> bool:
        """Whether people may stand at all of these places, (n, 2)."""
        gaps = np.abs(places[:, None] - self.centers[None]).max(axis=2)
        if gaps.size and gaps.min() < PERSON_M - 1e-9:
            return False
        return not any(self.refusal(place, NOBODY) for place in places)

    def replace_making_room(self, label: str, centers: Floats, fixed: list[int], merge: str = "") -> None:
        """Replaces the crowd; if others are pushed aside, they make room for the people in `fixed`."""
        apart = pushed_apart(self.field, centers, fixed) if self.pushes.value else centers
        if apart is None:
            self._say("They cannot go there: the others have no room to move aside.")
        else:
            self.replace_crowd(label, apart, merge)

    def replace_crowd(self, label: str, centers: Floats, merge: str = "") -> None:
        """Replaces the crowd, as one step of the history."""
        self._document.edit(label, Crowd.of(centers), merge)

    def reasons(self) -> Mapping[int, str]:
        """What is wrong with people, by their numbers; who can be seen only while wrong ones may be told."""
        if not self.is_judged:
            return {}
        return reasons(self.field, self.centers, with_sight=self.judges())
