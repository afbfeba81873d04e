"""The search for better machines of a level."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.commands.plumbing import (
    NOT_PASSED,
    PASSED,
    AddCommand,
    Refused,
    natural,
    output_file,
    positive,
    printing_progress,
    read,
    resolve,
    show,
)

if TYPE_CHECKING:
    from spatial_workbench.engine.core import Instance
    from spatial_workbench.engine.search.machine_search import MachineSearch, SearchPlan
    from spatial_workbench.engine.tasks.machine.task import MachineDesign

_STRATEGIES = ("best-of-n", "mcts", "random")


def add_commands(add: AddCommand) -> None:
    """Adds the command to the parser that `add` belongs to."""
    command = add("search", _search, "Search for a better machine of a level, by random legal edits.")
    command.add_argument("level", metavar="LEVEL", help="a level such as T2, or TASK:N or TASK@SEED")
    command.add_argument(
        "--start", metavar="FILE", help="the machine to start with; by default the level's reference machine"
    )
    command.add_argument("--strategy", choices=_STRATEGIES, default="best-of-n")
    command.add_argument("--rounds", type=positive, default=5, metavar="N")
    command.add_argument(
        "--candidates", type=positive, metavar="N", help="machines a round makes; by default 5, with mcts 4"
    )
    command.add_argument("--seed", type=natural, default=0, metavar="S")
    command.add_argument(
        "--workers", type=positive, metavar="W", help="processes that simulate; by default one for each core"
    )
    command.add_argument("--cluster", metavar="ADDRESS", help="of a Dask scheduler that simulates instead")
    command.add_argument("-o", "--output", metavar="FILE", help="where the best machine is written")
    command.add_argument(
        "--nodes", metavar="FILE", help="every machine as a line of JSON; a search that is stored there is resumed"
    )


def _search(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.executor import ExecutorUnavailable, open_executor
    from spatial_workbench.engine.search.machine_search import MachineSearch
    from spatial_workbench.engine.search.node_file import SearchError

    task, instance = _place(options.level)
    _require_folder(options.output)
    try:
        plan = _plan(options, task, instance)
        with open_executor(options.workers or os.cpu_count() or 1, options.cluster) as executor:
            search = MachineSearch(plan, executor, Path(options.nodes) if options.nodes else None, printing_progress())
            try:
                search.run()
            except KeyboardInterrupt:
                _finish(options, task, instance, search)
                raise
    except (SearchError, ExecutorUnavailable) as error:
        raise Refused(str(error)) from None
    return _finish(options, task, instance, search)


def _place(level: str) -> tuple[MachineDesign, Instance]:
    """The task and the instance of a level."""
    from spatial_workbench.engine.core import task as task_of
    from spatial_workbench.engine.machines.levels.catalogue import levels
    from spatial_workbench.engine.tasks.machine.task import MachineDesign

    if ":" in level or "@" in level:
        task, instance = resolve(level)
        if not isinstance(task, MachineDesign):
            raise Refused(f"“{task.title}” is not a machine task.")
        return task, instance
    if level not in levels():
        raise Refused(f"There is no level “{level}”. Levels: {', '.join(levels())}.")
    chosen = task_of(f"machine_{levels()[level].task}")
    assert isinstance(chosen, MachineDesign)
    return chosen, next(known for known in chosen.instances() if known.parameters["level"] == level)


def _require_folder(output: str | None) -> None:
    """Refuses a place that could not be written to, before a long search instead of behind it."""
    if output and not Path(output).parent.is_dir():
        raise Refused(f"There is no folder “{Path(output).parent}”.")


def _plan(options: argparse.Namespace, task: MachineDesign, instance: Instance) -> SearchPlan:
    from spatial_workbench.engine.machines.designing.strategies import Strategy
    from spatial_workbench.engine.search.machine_search import SearchPlan, require_start
    from spatial_workbench.engine.tasks.machine.task import level_of_instance

    level = level_of_instance(instance)
    answer = task.solve(instance) if options.start is None else task.parse(read(options.start))
    start = require_start(answer.reading, level)
    return SearchPlan(level, start, Strategy(options.strategy), options.rounds, options.candidates, options.seed)


def _finish(options: argparse.Namespace, task: MachineDesign, instance: Instance, search: MachineSearch) -> int:
    """Writes and prints the best machine; nothing where no machine was simulated yet."""
    from spatial_workbench.engine.core.files import write_whole
    from spatial_workbench.engine.exchange import format_of, write_answer

    best = search.best
    if best is None:
        return NOT_PASSED
    answer = task.parse(best["tree"])
    if options.output:
        suffix = format_of(task, options.output, reading=False)
        content = write_answer(task, instance, answer, suffix) if suffix else (task.format(answer) + "\n").encode()
        with output_file(options) as path:
            write_whole(path, content)
    about = {name: getattr(options, name) for name in ("strategy", "rounds", "candidates", "seed")}
    data = {
        "address": instance.address,
        **about,
        "machines": len(search.rows),
        "simulated": search.simulated,
        "best": best,
    }
    show(options, data, _words(search, best))
    return PASSED if best["score"] > 0 else NOT_PASSED


def _words(search: MachineSearch, best: dict[str, Any]) -> str:
    from spatial_workbench.engine.core.words import counted

    name, value, unit = best["shown"]
    first = search.rows[0]["shown"][1]
    figure = f"{name} {value:.4g} {unit}".rstrip()
    words = (
        f"Best of {counted(len(search.rows), 'machine')}, {search.simulated} of them simulated now: "
        f"machine {best['id']}, {figure} (at the start {first:.4g}), R {best['score']:.4g}."
    )
    return "\n".join([words, *(f"  ! {note}" for note in best["notes"])])
