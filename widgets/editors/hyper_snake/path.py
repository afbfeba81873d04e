"""The path of the answer: its cells, where it can go on, and words for cells."""

from __future__ import annotations

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.tasks.hyper_snake import SnakePath, answer_of
from spatial_workbench.engine.tasks.hyper_snake.editing import FreeWalk, Walk, prospects_of
from spatial_workbench.engine.tasks.hyper_snake.field import SnakeField, way_name, written
from spatial_workbench.engine.tasks.hyper_snake.layout import sheet_of
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.scene_views.view import Pick


class GrownPath:
    """The path of a document. If it may not be judged, it may cross walls and itself."""

    def __init__(self, document: AnswerDocument[SnakePath], is_judged: bool) -> None:
        self.field = SnakeField.of(document.instance.parameters)
        self.sheet = sheet_of(self.field)
        self.is_judged = is_judged
        self._document = document
        self.read_answer()

    def read_answer(self) -> None:
        """Reads the answer."""
        kind = Walk if self.is_judged else FreeWalk
        self.cells = self._document.answer.cells
        self.walk: Walk = kind.of(self.field, self.cells)
        self.prospects = prospects_of(self.walk)

    @property
    def next_moves(self) -> dict[int, int]:
        """The head's next cells by way; none if the answer may not be judged."""
        return self.walk.moves if self.is_judged else {}

    def describe(self, pick: Pick) -> tuple[str, str]:
        """The text of the label beside the pointer for a cell."""
        if pick.id.startswith("food "):
            number = self.field.food_numbers[int(pick.id.split()[1])]
        elif pick.id.startswith("cell "):
            number = self.field.number(cell_in(pick.id))
        else:
            return pick.id, ""
        return f"Cell {written(self.field.cell(number))}", self._describe_cell(number)

    def _describe_cell(self, number: int) -> str:
        if self.field.is_wall[number]:
            return marked("wall")
        food = f"{marked('food')}, " if self.field.is_food[number] else ""
        if number in self.walk.place:
            return f"{food}step {self.walk.place[number]} of the path"
        way = next((way for way, other in self.next_moves.items() if other == number), None)
        next_step = "" if way is None else f", next by {way_name(way)}"
        return f"{food}{marked('free')}{next_step}"

    def replace_path(self, label: str, walk: Walk) -> None:
        """Replaces the path, as a step of the history."""
        self._document.edit(label, answer_of(self.field, walk.path))


def cell_in(name: str) -> tuple[int, ...]:
    """The cell of an id such as "cell 0,1,2"."""
    return tuple(map(int, name.split()[1].split(",")))
