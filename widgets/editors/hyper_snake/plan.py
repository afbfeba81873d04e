"""What the gesture under the pointer would do, and what is marked on the sheet."""

from __future__ import annotations

from collections.abc import Callable

from spatial_workbench.engine.core.scene import Item, Polyline
from spatial_workbench.engine.tasks.hyper_snake.editing import Walk
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editors.hyper_snake.path import GrownPath, cell_in
from spatial_workbench.widgets.scene_views.view import SceneView


class SnakePlan:
    """Shows plans in a view; `is_biting` returns whether the tool that reverses parts of the path is active."""

    def __init__(self, path: GrownPath, view: SceneView, is_biting: Callable[[], bool]) -> None:
        self.path = path
        self.cells: tuple[int, ...] = ()
        """The cells that the gesture would add or reverse."""
        self.marks_problems = Setting(True, view.update)
        """Whether pockets and dead ends are marked where that is allowed."""
        self.is_biting = is_biting
        self._view = view

    def show_plan(
        self, plan: Walk | None, target: int | None = None, reason: str = "", turned: int | None = None
    ) -> None:
        """Shows what a gesture would do: new cells, or the part that is reversed; and why it ends early."""
        cells = added(self.path.walk, plan)
        if turned is not None:
            cells = self.path.walk.path[turned + 1 :]
        ghost: list[Item] = []
        if target is not None and self.path.walk.head is not None:
            ends = self.path.sheet.places[[self.path.walk.head, target]]
            ghost.append(Polyline(id="way", points=ends, dashed=True))
        self._view.set_ghost(ghost, reason if ghost else "")
        if cells != self.cells:
            self.cells = cells
            self._view.update()

    @property
    def shows_problems(self) -> bool:
        """Whether pockets and dead ends are marked."""
        return self.path.is_judged and self.marks_problems.value

    @property
    def shows_bites(self) -> bool:
        """Whether the cells at which the head can backbite are marked."""
        return self.path.is_judged and self.is_biting()

    @property
    def shows_next(self) -> bool:
        """Whether the head's next cells are marked on the sheet."""
        return self.path.is_judged and not self.is_biting()

    def hovered_number(self, view: SceneView) -> int | None:
        """The number of the cell under the pointer."""
        pick = getattr(view, "hover", None)
        if pick is None or not pick.id.startswith("cell "):
            return None
        return self.path.field.number(cell_in(pick.id))


def added(before: Walk, after: Walk | None) -> tuple[int, ...]:
    """What a path adds to an earlier one, starting with the earlier head; empty if it does not continue it."""
    if after is None or not before.path or after.path[: len(before.path)] != before.path:
        return ()
    return after.path[len(before.path) - 1 :]
