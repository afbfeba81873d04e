"""Writes a data set in pieces, each completely or not at all, so that it can be resumed after it was killed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.files import replacing
from spatial_workbench.engine.evaluation.datasets.canary import canary
from spatial_workbench.engine.evaluation.datasets.card import shortages, write_card
from spatial_workbench.engine.evaluation.datasets.choice import ChosenInstance, DatasetChoice, choose
from spatial_workbench.engine.evaluation.datasets.contents import dataset_contents, write_checksums
from spatial_workbench.engine.evaluation.datasets.croissant import write_croissant
from spatial_workbench.engine.evaluation.datasets.plan import DatasetError, DatasetPlan, Shard, folder_of, task_id
from spatial_workbench.engine.evaluation.datasets.rows import SolveRate, graded, write_rows
from spatial_workbench.engine.evaluation.export.parquet import require_pyarrow
from spatial_workbench.engine.executor import Executor, ExecutorJob, Finished, JobOutcome, run_jobs

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

PLAN = "plan.json"
FAILURES = "failures"
CHOICES = "choices"
ROW_LIMIT_S = 1800.0


@dataclass(frozen=True)
class WrittenDataset:
    """How large a data set has become, and what is missing from it.

    Attributes:
        splits: How many instances each split holds.
        failures: What could not be made, a sentence for each instance.
        shortages: Which generators gave fewer different instances than were wanted, a sentence for each.
    """

    splits: Mapping[str, int]
    failures: Sequence[str]
    shortages: Sequence[str]


def write_dataset(
    folder: Path,
    plan: DatasetPlan,
    executor: Executor,
    rates: Mapping[str, SolveRate] | None = None,
    progress: Progress = silent,
) -> WrittenDataset:
    """Writes a data set into a folder, or the rest of one that was interrupted.

    Args:
        rates: How often models passed instances, by address, for the columns about difficulty.

    Raises:
        CannotRepresent: pyarrow is missing.
        DatasetError: The folder holds another data set, or a task has published instances that cannot be read.
        OSError: A file cannot be written.
        Cancelled: Raised by `progress`; what is complete stays.
    """
    require_pyarrow()
    folder.mkdir(parents=True, exist_ok=True)
    plan = _kept_plan(folder, plan)
    choices: dict[str, DatasetChoice] = {}
    for source in plan.tasks:
        others = [one for other in choices if task_id(other) == task_id(source) for one in choices[other].chosen]
        choices[source] = _chosen(folder, source, plan, executor, progress, others)
    shards = list(plan.shards(choices, rates))
    _write_shards(folder, shards, executor, _Writer(folder, rates or {}, canary(plan.guid)), progress)
    failures = _failures(folder, choices)
    contents = dataset_contents(folder, plan, shards)
    write_card(folder, contents, choices, len(failures))
    write_croissant(folder, contents)
    write_checksums(folder)
    return WrittenDataset(contents.splits(), failures, shortages(plan, choices))


def measured_rates(project: Project) -> dict[str, SolveRate]:
    """How often models passed each instance of a project, by address."""
    rows = project.runs.model_pass_rates()
    return {address: SolveRate(passed, attempts) for address, passed, attempts in rows}


def _kept_plan(folder: Path, plan: DatasetPlan) -> DatasetPlan:
    """The plan of the folder: one that was begun keeps its date, an empty folder gets the new plan."""
    path = folder / PLAN
    if path.exists():
        try:
            known = DatasetPlan.model_validate_json(path.read_bytes())
        except ValidationError:
            raise DatasetError(f"{path} cannot be read. Choose an empty folder.") from None
        if known.undated() != plan.undated():
            raise DatasetError(_why_not_continued(folder, known, plan))
        return known
    if any(folder.iterdir()):
        raise DatasetError(f"{folder} is not empty, and holds no data set.")
    _write_text(path, plan.model_dump_json(indent=2))
    return plan


def _why_not_continued(folder: Path, known: DatasetPlan, wanted: DatasetPlan) -> str:
    if (known.format, known.version) != (wanted.format, wanted.version):
        return (
            f"{folder} holds a data set that version {known.version} began and this one cannot continue: choose an "
            f"empty folder, or go on with version {known.version}; `dataset --check` judges what it holds."
        )
    return f"{folder} holds another data set. {_what_to_do(known, wanted)}"


def _what_to_do(known: DatasetPlan, wanted: DatasetPlan) -> str:
    if known.rates != wanted.rates:
        return "Since it was begun, the results of --rates have changed. Choose an empty folder."
    return "Choose an empty folder, or the same options."


def _chosen(
    folder: Path,
    source: str,
    plan: DatasetPlan,
    executor: Executor,
    progress: Progress,
    others: Sequence[ChosenInstance],
) -> DatasetChoice:
    """The instances of a source: those that were chosen before, or else a new choice, which is kept."""
    path = folder / CHOICES / f"{folder_of(source)}.json"
    if path.exists():
        try:
            return DatasetChoice.model_validate_json(path.read_bytes())
        except ValidationError:
            raise DatasetError(f"{path} cannot be read. Delete it, and the choice is made again.") from None
    choice = choose(source, plan, executor, progress, others)
    path.parent.mkdir(exist_ok=True)
    _write_text(path, choice.model_dump_json(indent=1))
    return choice


def _write_shards(
    folder: Path, shards: Sequence[Shard], executor: Executor, writer: _Writer, progress: Progress
) -> None:
    missing = [shard for shard in shards if not (folder / shard.file).exists()]
    total = sum(len(shard.addresses) for shard in shards)
    done = total - sum(len(shard.addresses) for shard in missing)
    rows = {f"{shard.file} {address}": (shard, address) for shard in missing for address in shard.addresses}
    jobs = (_job(key, address) for key, (_, address) in rows.items())
    for finished in run_jobs(
        executor, lambda: next(jobs, None), lambda count: progress(done + count, total, "Making instances")
    ):
        writer.add_row(*rows[finished.key], finished)


def _job(key: str, address: str) -> ExecutorJob:
    return ExecutorJob(key, "spatial_workbench.engine.evaluation.datasets.rows:row", {"address": address}, ROW_LIMIT_S)


class _Writer:
    """Collects the rows of each piece, and writes the piece when it is complete."""

    def __init__(self, folder: Path, rates: Mapping[str, SolveRate], sentence: str) -> None:
        self._folder = folder
        self._rates = rates
        self._canary = sentence
        self._rows: dict[Shard, dict[str, dict[str, Any] | str]] = {}

    def add_row(self, shard: Shard, address: str, finished: Finished) -> None:
        """Adds the row of an instance, or the reason why there is none; writes the piece once it is complete."""
        rows = self._rows.setdefault(shard, {})
        rows[address] = finished.value if finished.outcome is JobOutcome.DONE else finished.message
        if len(rows) == len(shard.addresses):
            self._write_shard(shard, self._rows.pop(shard))

    def _write_shard(self, shard: Shard, rows: Mapping[str, dict[str, Any] | str]) -> None:
        failed = {address: rows[address] for address in shard.addresses if isinstance(rows[address], str)}
        made = [row for address in shard.addresses if isinstance(row := rows[address], dict)]
        target = self._folder / shard.file
        target.parent.mkdir(parents=True, exist_ok=True)
        if failed:
            list_of = self._folder / FAILURES / f"{shard.name}.json"
            list_of.parent.mkdir(exist_ok=True)
            _write_text(list_of, json.dumps(failed, ensure_ascii=False, indent=1))
        rows_of_piece = [graded(row, self._rates.get(row["address"])) for row in made]
        write_rows(target, [{**row, "canary": self._canary} for row in rows_of_piece])


def _failures(folder: Path, choices: Mapping[str, DatasetChoice]) -> list[str]:
    """What could not be made, a sentence each: instances, then reference answers."""
    failed: dict[str, str] = {}
    for choice in choices.values():
        failed |= choice.failed
    for path in sorted((folder / FAILURES).glob("*.json")):
        failed |= json.loads(path.read_text("utf-8"))
    return [f"{address}: {why}" for address, why in failed.items()]


def _write_text(path: Path, text: str) -> None:
    with replacing(path) as part:
        part.write_text(text + "\n", "utf-8")
