"""Judges the stored answers of a data set again, and compares."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core import Instance, Progress, Task, Verdict, resolve, silent
from spatial_workbench.engine.core.words import SCORE_ROUNDING, counted
from spatial_workbench.engine.evaluation.datasets.ids import instance_id
from spatial_workbench.engine.evaluation.datasets.plan import DatasetError
from spatial_workbench.engine.evaluation.datasets.stored import (
    RowPlace,
    StoredRow,
    checksum_faults,
    files_of,
    rows_in,
    stored_rows,
)
from spatial_workbench.engine.executor import Executor, ExecutorJob, Finished, JobOutcome, run_jobs

ROW_LIMIT_S = 1800.0
_MOST_SHOWN = 100


@dataclass
class CheckedDataset:
    """What came of judging the answers of a data set again.

    Attributes:
        judged: How many answers were judged.
        differences: Rows and files that are not as stored, each with what differs.
        bad_rows: Rows that could not be judged, each with the reason.
    """

    judged: int = 0
    differences: list[tuple[RowPlace, str]] = field(default_factory=list)
    bad_rows: list[tuple[RowPlace, str]] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether all rows could be judged, and all is as stored."""
        return not self.differences and not self.bad_rows

    def lines(self) -> list[str]:
        """The result in sentences; what is wrong is named by file and number."""
        answers = counted(self.judged, "answer was", "answers were")
        if self.is_clean:
            return [f"{answers} judged again; all is as stored."]
        found = sorted(self.differences + self.bad_rows)
        lines = [f"{place}: {what}" for place, what in found[:_MOST_SHOWN]]
        if len(found) > _MOST_SHOWN:
            lines.append(f"… and {len(found) - _MOST_SHOWN:,} more; --json lists all.")
        differing = counted(len(self.differences), "difference")
        bad = counted(len(self.bad_rows), "bad line")
        return [*lines, f"{answers} judged again: {differing}, {bad}."]

    def as_data(self) -> dict[str, Any]:
        """The result as JSON data."""
        return {
            "judged": self.judged,
            "differences": [_as_data(*entry) for entry in sorted(self.differences)],
            "bad": [_as_data(*entry) for entry in sorted(self.bad_rows)],
        }


def check_dataset(path: Path, executor: Executor, progress: Progress = silent) -> CheckedDataset:
    """Judges every stored answer of a data set again, and compares scores, ids, prompts and checksums.

    Args:
        path: The folder of a data set, one of its files, or JSON lines with the same columns.

    Raises:
        DatasetError: There is no data set, or a file of it cannot be read at all.
        CannotRepresent: pyarrow is missing, and the files are Parquet.
        OSError: A file cannot be read.
        Cancelled: Raised by `progress`.
    """
    files = files_of(path)
    total = sum(map(rows_in, files))
    check = _Check(CheckedDataset())
    rows = (row for file in files for row in stored_rows(file, _name(file, path)))
    for finished in run_jobs(
        executor, lambda: check.next_job(rows), lambda count: progress(count, total, "Judging answers again")
    ):
        check.add(finished)
    if not check.found.judged and not check.found.bad_rows:
        raise DatasetError(f"{path} holds no rows.")
    check.name_repeated()
    if path.is_dir():
        check.found.differences.extend(checksum_faults(path))
    return check.found


def _name(file: Path, path: Path) -> str:
    return file.relative_to(path).as_posix() if path.is_dir() else file.name


def _as_data(place: RowPlace, what: str) -> dict[str, Any]:
    return {"file": place.file, "number": place.number or None, "what": what}


class _Check:
    """Hands rows out to be judged, and collects what came of them."""

    def __init__(self, found: CheckedDataset) -> None:
        self.found = found
        self._places: dict[str, RowPlace] = {}
        self._places_of_id: dict[str, list[RowPlace]] = {}

    def next_job(self, rows: Iterator[StoredRow]) -> ExecutorJob | None:
        """The job for the next row that can be judged; None: there are no more."""
        for row in rows:
            if row.fault:
                self.found.bad_rows.append((row.place, row.fault))
                continue
            key = f"check {row.place}"
            self._places[key] = row.place
            return ExecutorJob(key, f"{__name__}:judged_again", {"stored": dict(row.data)}, ROW_LIMIT_S)
        return None

    def add(self, finished: Finished) -> None:
        """Adds what came of a row."""
        place = self._places.pop(finished.key)
        if finished.outcome is not JobOutcome.DONE:
            self.found.bad_rows.append((place, finished.message or str(finished.outcome)))
            return
        self.found.judged += 1
        self._places_of_id.setdefault(finished.value["id"], []).append(place)
        self.found.differences += [(place, what) for what in finished.value["differences"]]

    def name_repeated(self) -> None:
        """Names the rows whose instance another row holds, too."""
        for places in self._places_of_id.values():
            first, *repeated = sorted(places)
            self.found.differences += [(place, f"the same instance is in {first}") for place in repeated]


# In a process of the executor ---------------------------------------------------------------------------------------


def judged_again(stored: Mapping[str, Any]) -> dict[str, Any]:
    """The id of a row's instance, and what differs from the row, in sentences.

    Raises:
        InstanceError: There is no such instance.
    """
    known, instance = resolve(stored["address"])
    verdict = known.verify(instance, stored["reference_answer"])
    return {
        "id": instance_id(known, instance),
        "differences": [*_of_verdict(stored, verdict), *_of_instance(stored, known, instance)],
    }


def _of_verdict(stored: Mapping[str, Any], verdict: Verdict) -> Iterator[str]:
    score = stored["reference_score"]
    if abs(verdict.score - score) > SCORE_ROUNDING:
        yield f"the score is {verdict.score:.9g} when judged again, not {score:.9g}"
    if verdict.passed != stored["reference_passed"]:
        yield "it passes when judged again" if verdict.passed else "it does not pass when judged again"


def _of_instance(stored: Mapping[str, Any], known: Task[Any], instance: Instance) -> Iterator[str]:
    true_id = instance_id(known, instance)
    if stored.get("id", true_id) != true_id:
        yield f"its id is not that of its instance, {true_id}"
    if "prompt" in stored and stored["prompt"] != known.prompt(instance).text:
        yield "its prompt is not that of its instance"
    if "parameters" in stored and not _is_json_of(stored["parameters"], known.visible_parameters(instance)):
        yield "its parameters are not those of its instance"


def _is_json_of(text: str, data: object) -> bool:
    try:
        return bool(json.loads(text) == data)
    except (ValueError, RecursionError):
        return False
