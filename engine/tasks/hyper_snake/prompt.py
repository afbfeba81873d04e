"""What a solver of hyper_snake is told."""

from __future__ import annotations

from collections.abc import Sequence

from spatial_workbench.engine.tasks.hyper_snake.field import Cell, SnakeField


def prompt_text(field: SnakeField) -> str:
    """The field, the rules, the score, and the answer's form."""
    return "\n\n".join([_grid(field), _rules(field), _score(field), _form(field)])


def _grid(field: SnakeField) -> str:
    walls = f"Walls: {_listed(field.walls)}." if field.walls else "There are no walls."
    return (
        f"A snake lives in a grid with {field.axes} dimensions. A cell has {field.axes} coordinates, one for "
        f"each axis, counted from 0. The grid's size is {_list(field.size)}: on axis k a coordinate runs from 0 to "
        "size[k] - 1.\n"
        f"Start: {_list(field.start)}.\n"
        f"{walls}\n"
        f"Food: {_listed(field.food)}."
    )


def _rules(field: SnakeField) -> str:
    return (
        "Find a path for the snake's head:\n"
        "- The path begins with the start cell itself.\n"
        "- Each step changes exactly one coordinate, by +1 or -1.\n"
        "- It stays inside the grid and enters no wall.\n"
        "- It visits no cell twice: the snake never gets shorter.\n"
        "- Food is collected when the path enters its cell."
    )


def _score(field: SnakeField) -> str:
    relief = (
        " Since there are walls, this share is divided by 0.98, and 1 is the most that counts." if field.walls else ""
    )
    return (
        f"The longer the path, the better: the score is its number of cells (with the start) divided by the "
        f"{field.free_count} free cells.{relief} Then it is divided by 1 + the number of food cells that were not "
        "reached. One illegal step anywhere voids the whole answer: the score is then 0."
    )


def _form(field: SnakeField) -> str:
    example = f'{{"pos": {_list(field.start)}}}'
    return (
        f'Answer with JSON: {{"path": [{example}, {{"pos": [...]}}, ...]}}, one entry for each cell in order, the '
        f"start first, each with {field.axes} whole numbers, and no other field."
    )


def _list(numbers: Sequence[int]) -> str:
    return f"[{', '.join(map(str, numbers))}]"


def _listed(cells: Sequence[Cell]) -> str:
    return ", ".join(map(_list, cells))
