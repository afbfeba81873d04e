"""Data sets of generated instances, for training and for other programs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.commands.plumbing import (
    NOT_PASSED,
    PASSED,
    AddCommand,
    Refused,
    opened,
    output_folder,
    printing_progress,
    show,
)

if TYPE_CHECKING:
    from spatial_workbench.engine.core import Task


def add_commands(add: AddCommand) -> None:
    """Adds the command to the parser that `add` belongs to."""
    command = add("dataset", _dataset, "Write different instances, with reference answers, as Parquet files.")
    command.add_argument(
        "-o", "--output", required=True, metavar="FOLDER", help="if it holds the same data set, this is continued"
    )
    command.add_argument(
        "--tasks",
        default="all",
        help="tasks, buckets or families with commas between them, or all; a task may have parameters, "
        "as in maze_3d?size=10&cap=0.25",
    )
    command.add_argument("--generate", type=int, default=100, metavar="N", help="different instances of each task")
    command.add_argument("--seed", type=int, default=0, help="the first seed that is tried")
    command.add_argument(
        "--vary", action="store_true", help="let generators also draw sizes and limits, where they can"
    )
    command.add_argument("--published", action="store_true", help="the published instances too, as the split “test”")
    command.add_argument(
        "--rates", metavar="PROJECT", help="grade instances by how often the models of this project passed"
    )
    command.add_argument("--workers", type=int, help="processes; by default one less than there are cores")
    command.add_argument("--cluster", metavar="ADDRESS", help="make them on a Dask cluster instead")


def _dataset(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.core.version import application_version
    from spatial_workbench.engine.evaluation.datasets import DatasetError, DatasetPlan, measured_rates, write_dataset
    from spatial_workbench.engine.executor import open_executor

    if not 0 <= options.generate <= 1_000_000 or options.seed < 0:
        raise Refused("--generate must be from 0 to 1,000,000, and --seed at least 0.")
    sources = tuple(dict.fromkeys(_sources(options)))
    plan = DatasetPlan.of(sources, options.generate, options.seed, options.published, application_version())
    rates = {}
    if options.rates:
        with opened(Path(options.rates)) as project:
            rates = measured_rates(project)
    try:
        with open_executor(options.workers, options.cluster) as executor:
            written = write_dataset(output_folder(options), plan, executor, rates, printing_progress())
    except DatasetError as error:
        raise Refused(str(error)) from None
    lines = [f"The data set is in {options.output}."]
    lines += [f"Fewer than wanted: {sentence}." for sentence in written.shortages]
    lines += [f"Left out: {failure}" for failure in written.failures]
    data = {"folder": options.output, "fewer": list(written.shortages), "left_out": list(written.failures)}
    show(options, data, lines)
    return NOT_PASSED if written.failures or written.shortages else PASSED


def _sources(options: argparse.Namespace) -> Iterator[str]:
    """The tasks of the selection, each with the parameters for its generator."""
    from spatial_workbench.engine.core.registry import arguments_of
    from spatial_workbench.engine.evaluation.datasets import source_of

    for part in filter(None, (part.strip() for part in options.tasks.split(","))):
        name, _, query = part.partition("?")
        for known in _tasks(name):
            if not known.generates and not options.published:
                if known.id == name:
                    raise Refused(f"{name} has no generator. With --published, its published instances are written.")
                continue
            told = arguments_of(query)
            if options.vary and "vary" in known.difficulty.model_fields:
                told["vary"] = True
            yield source_of(known.id, told)


def _tasks(name: str) -> Sequence[Task[Any]]:
    """The task of that name, or those of a bucket, a family, or all."""
    from spatial_workbench.engine.core import task, task_of_address
    from spatial_workbench.engine.evaluation.planning.plan import select

    found = dict.fromkeys(task_of_address(address) for address in select(name))
    return [task(one) for one in found]
