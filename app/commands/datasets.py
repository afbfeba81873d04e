"""Data sets of generated instances, for training and for other programs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
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
    from spatial_workbench.engine.evaluation.datasets import DatasetAbout, DatasetPlan, SolveRate
    from spatial_workbench.engine.executor import Executor


def add_commands(add: AddCommand) -> None:
    """Adds the command to the parser that `add` belongs to."""
    command = add("dataset", _dataset, "Write different instances, with reference answers, as Parquet files.")
    target = command.add_mutually_exclusive_group(required=True)
    target.add_argument("-o", "--output", metavar="FOLDER", help="if it holds the same data set, this is continued")
    target.add_argument(
        "--check", metavar="FILE", help="judge the stored answers of a folder, a Parquet file or JSON lines again"
    )
    command.add_argument(
        "--tasks",
        default="all",
        help="tasks, buckets or families with commas between them, or all; a task may have parameters, "
        "as in maze_3d?size=10&cap=0.25",
    )
    command.add_argument("--generate", type=int, metavar="N", help="different instances of each task; usually 100")
    command.add_argument(
        "--split", metavar="NAME=N,...", help="different instances of each task for each split: train=800,test=200"
    )
    command.add_argument("--seed", type=int, default=0, help="the first seed that is tried")
    command.add_argument(
        "--vary", action="store_true", help="let generators also draw sizes and limits, where they can"
    )
    command.add_argument(
        "--published", action="store_true", help="the published instances, too, as a split of their own"
    )
    command.add_argument(
        "--rates", metavar="PROJECT", help="grade instances by how often the models of this project passed"
    )
    command.add_argument("--by-difficulty", action="store_true", help="divide splits by --rates: train_easy and so on")
    command.add_argument("--title", help="what the data set is called")
    command.add_argument("--url", help="where the data set will be found, for its metadata")
    command.add_argument("--canary", metavar="GUID", help="the canary's GUID, if it is not to follow from the rest")
    command.add_argument("--workers", type=int, help="processes; by default one less than there are cores")
    command.add_argument("--cluster", metavar="ADDRESS", help="make them on a Dask cluster instead")


def _dataset(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.datasets import DatasetError
    from spatial_workbench.engine.executor import open_executor

    run = _checked if options.check else _written
    try:
        with open_executor(options.workers, options.cluster) as executor:
            return run(options, executor)
    except DatasetError as error:
        raise Refused(str(error)) from None


def _written(options: argparse.Namespace, executor: Executor) -> int:
    from spatial_workbench.engine.evaluation.datasets import measured_rates, write_dataset

    folder = output_folder(options)
    rates = {}
    if options.rates:
        with opened(Path(options.rates)) as project:
            rates = measured_rates(project)
    written = write_dataset(folder, _plan(options, rates), executor, rates, printing_progress())
    splits = ", ".join(f"{name} {rows:,}" for name, rows in written.splits.items())
    lines = [f"The data set is in {options.output}: {splits or 'no instances'}."]
    lines += [f"Fewer than wanted: {sentence}." for sentence in written.shortages]
    lines += [f"Left out: {failure}" for failure in written.failures]
    data = {
        "folder": options.output,
        "splits": dict(written.splits),
        "fewer": list(written.shortages),
        "left_out": list(written.failures),
    }
    show(options, data, lines)
    return NOT_PASSED if written.failures or written.shortages else PASSED


def _plan(options: argparse.Namespace, rates: Mapping[str, SolveRate]) -> DatasetPlan:
    from spatial_workbench.engine.core.version import application_version
    from spatial_workbench.engine.evaluation.datasets import DatasetPlan

    if options.split and options.generate is not None:
        raise Refused("--generate and --split both say how many instances there are; use one of them.")
    count = 100 if options.generate is None else options.generate
    if not 0 <= count <= 1_000_000 or options.seed < 0:
        raise Refused("--generate must be from 0 to 1,000,000, and --seed at least 0.")
    return DatasetPlan.of(
        tuple(dict.fromkeys(_sources(options))),
        count,
        options.seed,
        options.published,
        application_version(),
        splits=_sizes(options.split),
        rates=rates,
        by_difficulty=options.by_difficulty,
        about=_about(options),
    )


def _sizes(text: str | None) -> dict[str, int]:
    from spatial_workbench.engine.evaluation.datasets.splits import read_sizes

    try:
        return read_sizes(text) if text else {}
    except ValueError as error:
        raise Refused(str(error)) from None


def _about(options: argparse.Namespace) -> DatasetAbout:
    from spatial_workbench.engine.evaluation.datasets import DatasetAbout
    from spatial_workbench.engine.evaluation.datasets.canary import require_guid

    told = {"title": options.title, "url": options.url, "canary": options.canary}
    try:
        if options.canary:
            require_guid(options.canary)
        return DatasetAbout(date=date.today().isoformat(), **{name: word for name, word in told.items() if word})
    except ValueError as error:
        raise Refused(str(error)) from None


def _checked(options: argparse.Namespace, executor: Executor) -> int:
    from spatial_workbench.engine.evaluation.datasets.checking import check_dataset

    found = check_dataset(Path(options.check), executor, printing_progress())
    show(options, found.as_data(), found.lines())
    return PASSED if found.is_clean else NOT_PASSED


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
