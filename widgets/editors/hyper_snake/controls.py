"""The controls in the panel, by section."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtWidgets import QLabel

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.tasks.hyper_snake.field import way_name
from spatial_workbench.widgets.editing.controls import (
    Action,
    Buttons,
    CustomPart,
    Gauge,
    Keys,
    Note,
    Number,
    Section,
    Setting,
    Switch,
)
from spatial_workbench.widgets.editors.hyper_snake.commands import SnakeCommands
from spatial_workbench.widgets.editors.hyper_snake.figures import (
    best_reading,
    food_words,
    length_reading,
    problem_words,
    score_reading,
)
from spatial_workbench.widgets.editors.hyper_snake.path import GrownPath
from spatial_workbench.widgets.editors.hyper_snake.plan import SnakePlan


def path_section(path: GrownPath, plan: SnakePlan, commands: SnakeCommands, best: Setting[bool]) -> Section:
    """The path, and what is known about it."""
    is_judged = path.is_judged
    most = float(max(1, path.field.free_count))
    problems = plan.marks_problems
    crosses = "Crosses: cut off. Triangles: dead ends"
    still = "Show the best score that the path can still reach"
    cut = "Type a length to cut the path to it"
    fault = "Cut the path before the first step that breaks a rule"
    longer = "Look for a longer path in the background"
    return Section(
        "Path",
        Gauge(
            "Cells of the path",
            lambda: length_reading(path.field, path.prospects, is_judged),
            aid=Aid.MEASURING,
        ),
        Gauge("Score now", lambda: score_reading(path.prospects)),
        Gauge("Best score", lambda: best_reading(path.prospects), aid=Aid.SOLVING, shown=best.get),
        CustomPart("Food", QLabel, aid=Aid.MEASURING, refresh=partial(_show_food, path)),
        Note("Problems", lambda: problem_words(path.prospects), aid=Aid.JUDGING),
        Switch("Mark pockets and dead ends", problems.get, problems.put, crosses, Aid.JUDGING),
        Switch("Best still possible", best.get, best.put, still, Aid.SOLVING),
        Number("Length", commands.length, commands.cut_to, (1, most), cut, aid=Aid.MEASURING),
        Buttons(
            Action("Continue", commands.extend, "E", "solve", longer, Aid.SOLVING),
            Action("Step back", commands.step_back, "Backspace", "undo", "Remove the last cell"),
            Action("Cut at fault", commands.cut_at_fault, "C", "warning", fault, Aid.JUDGING),
            Action("Cut to start", commands.cut_to_start, "Shift+Delete", "delete", "Start again"),
            columns=2,
        ),
    )


def key_actions(path: GrownPath, commands: SnakeCommands) -> Iterable[Keys]:
    """The actions that only have keys."""
    for way in range(2 * path.field.axes):
        name = way_name(way)
        key = f"{'Shift+' if way % 2 else ''}{(way // 2 + 1) % 10}"
        yield Keys(
            Action(f"Step {name}", partial(commands.step, way), key),
            Action(f"Run {name}", partial(commands.go_straight, way), f"Ctrl+{key}"),
        )
    roomy = "Backbite so that the new head has the most free neighbours"
    yield Keys(
        Action("Sweep now", commands.sweep, "Return, Enter"),
        Action("Backbite now", commands.bite_best, "Shift+B", tip=roomy, aid=Aid.SOLVING),
    )


def _show_food(path: GrownPath, food: QLabel) -> None:
    food.setWordWrap(True)
    food.setText(said(food_words(path.field, path.prospects, path.is_judged)))
