"""The parts of an answer in their places: which are selected, and what they snap to and overlap when dragged."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.scene import Floats, Mesh
from spatial_workbench.engine.tasks.interlocking_parts import Cage, Part, Parts
from spatial_workbench.engine.tasks.interlocking_parts.assembly import SHARED_MM3, Posed, common, posed
from spatial_workbench.engine.tasks.interlocking_parts.cage import name_of
from spatial_workbench.engine.tasks.interlocking_parts.drawing import matrix_of
from spatial_workbench.engine.tasks.interlocking_parts.editing import bounds_of, face_snap
from spatial_workbench.engine.tasks.interlocking_parts.making import known
from spatial_workbench.engine.tasks.interlocking_parts.rays import transformed
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.selection import NumberedSelection
from spatial_workbench.widgets.scene_views.view import SceneView

FINE_MM, STEP_MM = 0.1, 1.0
MOST_REACH_MM = 5.0
LIVE_TRIANGLES = 6000
"""While parts are dragged, overlaps are not computed for parts with more triangles."""
Box = tuple[Floats, Floats]
"""The lowest and the highest corner."""


class Assembly:
    """The parts, as the view shows them; `say` shows what a drag results in, as far as `aids` allow it."""

    def __init__(
        self,
        document: AnswerDocument[Parts],
        view: SceneView,
        say: Callable[[str], None],
        aids: frozenset[Aid],
    ) -> None:
        self.document = document
        self.cage = Cage.of(document.instance.parameters)
        self.clearance_mm = Setting(0.2)
        """The gap between faces that snap together."""
        self._view = view
        self._say = say
        self._aids = aids
        self.selection = NumberedSelection(view, "part", lambda: len(self.parts))
        self._shown = 0
        self._way = np.zeros(3)
        self._is_dragged = False

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the answer."""
        return self.document.answer.parts

    @property
    def selected(self) -> list[int]:
        """The selected parts, in the answer's order."""
        return self.selection.numbers

    @property
    def shown(self) -> int | None:
        """The part on the bed: the first selected part, or else the last one shown; None if there are no parts."""
        if self.selected:
            self._shown = self.selected[0]
        count = len(self.parts)
        return min(self._shown, count - 1) if count else None

    def has_part(self) -> bool:
        """Whether there is a part to show on the bed."""
        return bool(self.parts)

    def place_of(self, number: int) -> Posed | None:
        """A part in its place; None if its mesh is not known."""
        solid = known(self.parts[number]).solid
        return None if solid is None else posed(solid, matrix_of(self.parts[number]))

    def bounds_of(self, number: int) -> Box | None:
        """The box around a part."""
        place = self.place_of(number)
        return None if place is None else place.bounds

    @property
    def bounds(self) -> Box | None:
        """The box around the selected parts; None while there are none."""
        return bounds_of(self.parts[i] for i in self.selected)

    @property
    def middle(self) -> Floats | None:
        """The middle of the selected parts, which follows a drag; None while there are none."""
        box = self.bounds
        return None if box is None else np.asarray((box[0] + box[1]) / 2 + self._way)

    # Dragging ----------------------------------------------------------------------------------------------------

    def drag_to(self, axis: int, distance: float, fine: bool, reach: float) -> Floats:
        """Shows the selected parts moved along an axis, snapped to faces of others; returns the move (3,) in mm."""
        step = FINE_MM if fine else STEP_MM
        name = ""
        way = round(distance / step) * step
        if not fine and (box := self.bounds) is not None:
            low, high = box[0][axis] + distance, box[1][axis] + distance
            others = [place for _, place in self._others()]
            clearance = self.clearance_mm.value
            move, name = face_snap(self.cage, low, high, axis, others, clearance, min(reach, MOST_REACH_MM))
            way = distance + move if name else way
        self._is_dragged = True
        self._way = np.eye(3)[axis] * round(way, 6)
        problem = self._overlap() if Aid.JUDGING in self._aids else ""
        self._view.set_hidden([name_of(i) for i in self.selected])
        self._view.set_ghost(list(self._moved()), problem)
        words = f"{'xyz'[axis]} {way:+.4g} mm" if Aid.MEASURING in self._aids else ""
        self._say(problem or ", ".join(filter(None, (words, name and f"meets {name}"))))
        return self._way

    def end_drag(self) -> None:
        """Ends the drag."""
        if self._is_dragged:
            self._is_dragged = False
            self._way = np.zeros(3)
            self._view.set_ghost(())
            self._view.set_hidden(())
            self._say("")

    def _others(self) -> Iterator[tuple[int, Posed]]:
        """The parts that are not selected, with their numbers."""
        chosen = set(self.selected)
        for i in range(len(self.parts)):
            if i not in chosen and (place := self.place_of(i)) is not None:
                yield i, place

    def _dragged(self) -> Iterator[tuple[int, Posed]]:
        lift = np.eye(4)
        lift[:3, 3] = self._way
        for i in self.selected:
            if (place := self.place_of(i)) is not None:
                yield i, Posed(place.solid, lift @ place.matrix)

    def _overlap(self) -> str:
        """Which part the dragged parts would overlap, and by how much; "" if none, or if the parts are too large."""
        others = [(i, place) for i, place in self._others() if len(place.solid.triangles) <= LIVE_TRIANGLES]
        for _, moved in self._dragged():
            if len(moved.solid.triangles) > LIVE_TRIANGLES:
                continue
            for j, other in others:
                both = common(moved, other)
                if both is not None and both.volume() > SHARED_MM3:
                    return f"overlaps part {j} by {both.volume():.0f} mm³"
        return ""

    def _moved(self) -> Iterator[Mesh]:
        for i, moved in self._dragged():
            yield Mesh(
                id=name_of(i), vertices=transformed(moved.solid.vertices, moved.matrix), faces=moved.solid.triangles
            )
