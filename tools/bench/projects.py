"""Measurements of large projects without a window: opening them, their results, and answers that come in."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.engine.models import write_answers
from tools.bench.evaluation import recorded
from tools.bench.runs import MANY, fill

if TYPE_CHECKING:
    from tools.bench.main import Measurement

INCOMING = 10_000
_REPEATS = 3


def measurements() -> list[Measurement]:
    """The rows of the table."""
    from tools.bench.main import Measurement

    return [
        Measurement(f"project: opening {MANY} attempts, first", "s", "< 1", opening_first),
        Measurement(f"project: opening {MANY} attempts, again", "s", "< 1", opening_again),
        Measurement(f"results: {MANY} attempts, what is shown at first, processor time", "s", "< 2", first_results),
        Measurement(f"results: {MANY} attempts, all sections, processor time", "s", "", all_results),
        Measurement("import: attempts of an export restored, by processor time", "1/s", "> 1000", restored),
        Measurement("import: answers stored, by processor time", "1/s", "> 1000", stored),
    ]


def opening_first() -> Iterator[float]:
    """Seconds to check and open a project that this computer has not seen in its present state."""
    from spatial_workbench.engine.store import sound_files

    for _ in range(_REPEATS):
        sound_files.forget(_made(MANY))
        yield _opened()


def opening_again() -> Iterator[float]:
    """Seconds to open a project that was closed before."""
    _opened()
    for _ in range(_REPEATS):
        yield _opened()


def _opened() -> float:
    """Seconds to open a project and close it."""
    from spatial_workbench.engine.store import Project

    path = _made(MANY)
    start = time.perf_counter()
    Project.open(path).close()
    return time.perf_counter() - start


def first_results() -> Iterator[float]:
    """Seconds of the processor for what *Results* shows when it is opened; the first time reads the tasks, too."""
    return _results(only=True)


def all_results() -> Iterator[float]:
    """Seconds of the processor for everything that *Results* can show, as a report has it."""
    return _results(only=False)


def _results(only: bool) -> Iterator[float]:
    from spatial_workbench.engine.evaluation.results.contents import EVERYTHING, FIRST_SECTION, read
    from spatial_workbench.engine.store import Project

    with Project.open(_made(MANY)) as project:
        for _ in range(_REPEATS):
            start = time.process_time()
            read(project, EVERYTHING, only=FIRST_SECTION if only else None)
            yield time.process_time() - start


def restored() -> Iterator[float]:
    """Attempts a second of the processor out of an export in JSON lines."""
    from spatial_workbench.engine.evaluation.export import export_runs
    from spatial_workbench.engine.evaluation.importing.json_lines import restore
    from spatial_workbench.engine.store import Project

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "attempts.jsonl"
        with Project.open(_made(INCOMING)) as project:
            export_runs(project, path, "jsonl")
        with Project.create(Path(folder) / "restored.workbench") as project:
            start = time.process_time()
            yield restore(project, path).attempts / (time.process_time() - start)


def stored() -> Iterator[float]:
    """Answers a second of the processor that are read from a file and stored, without their verdicts."""
    from spatial_workbench.engine.evaluation.planning.starting import import_answers
    from spatial_workbench.engine.store import Project

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        write_answers(path, itertools.islice(recorded(), INCOMING))
        with Project.create(Path(folder) / "stored.workbench") as project:
            start = time.process_time()
            yield import_answers(project, path).count / (time.process_time() - start)


@cache
def _made(count: int) -> Path:
    """A project with made-up attempts."""
    from spatial_workbench.engine.store import Project

    path = Path(_folder().name) / f"{count}.workbench"
    with Project.create(path) as project:
        fill(project, count)
    return path


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """A folder that is removed when the process ends."""
    return tempfile.TemporaryDirectory()
