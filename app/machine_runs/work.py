"""Functions of background processes for the browser of machines: draw, judge, simulate, search. Free of Qt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core import Progress, Scene, Verdict, moving_scene, resolve, silent

if TYPE_CHECKING:
    from spatial_workbench.engine.search.run_tree import RunTree


@dataclass(frozen=True)
class SearchOrder:
    """A search that a person asks for; `start` is an answer as text, empty: the level's reference machine."""

    address: str
    strategy: str
    rounds: int
    seed: int
    workers: int
    path: Path
    start: str = ""


def drawn(address: str, text: str, progress: Progress = silent) -> Scene:
    """A machine where it starts in its level."""
    task, instance = resolve(address)
    return task.scene(instance, task.parse(text))


def judged(address: str, text: str, progress: Progress = silent) -> Verdict:
    """The verdict of the default verifier."""
    task, instance = resolve(address)
    return task.verify(instance, text, progress=progress)


def moving(address: str, text: str, progress: Progress = silent) -> Scene:
    """A machine as it moves in its level."""
    task, instance = resolve(address)
    return moving_scene(task, instance, task.parse(text), progress)


def read_search(path: Path, progress: Progress = silent) -> RunTree:
    """The search in a file, in its current state.

    Raises:
        SearchError: The file holds no search in a published level.
    """
    from spatial_workbench.engine.search.node_file import read_nodes
    from spatial_workbench.engine.search.run_tree import tree_of_search

    return tree_of_search(*read_nodes(path))


def run_search(order: SearchOrder, progress: Progress = silent) -> dict[str, Any] | None:
    """Searches, and stores every machine in the file of the order; the best one.

    Raises:
        SearchError: The machine to start with is not valid, or the file holds another search.
        Cancelled: Raised by `progress`; what was simulated is stored.
    """
    from spatial_workbench.engine.executor import open_executor
    from spatial_workbench.engine.machines.designing.strategies import Strategy
    from spatial_workbench.engine.search.machine_search import MachineSearch, SearchPlan, require_start
    from spatial_workbench.engine.tasks.machine.task import level_of_instance

    task, instance = resolve(order.address)
    level = level_of_instance(instance)
    answer = task.parse(order.start) if order.start else task.solve(instance, progress)
    start = require_start(answer.reading, level)
    plan = SearchPlan(level, start, Strategy(order.strategy), order.rounds, seed=order.seed)
    with open_executor(order.workers) as executor:
        search = MachineSearch(plan, executor, order.path, progress)
        search.run()
        return search.best


def address_of(level: str) -> str:
    """The address of a published level.

    Raises:
        KeyError: There is no such level.
    """
    from spatial_workbench.engine.core import task as task_of
    from spatial_workbench.engine.machines.levels.catalogue import level_of

    task = task_of(f"machine_{level_of(level).task}")
    return next(known.address for known in task.instances() if known.parameters["level"] == level)
