"""Measurements of batches: a thousand recorded answers, verified and stored."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from spatial_workbench.engine.core import Task, tasks
from spatial_workbench.engine.models import RecordedAnswer, write_answers

ANSWERS = 1000
WORKERS = 2
_TOO_SLOW = ("terrain_levelling", "interlocking_parts")


def recorded_answers() -> Iterator[float]:
    """Seconds to judge, by all verifiers and the cross-check, and to store reference solutions of all tasks in turn."""
    from spatial_workbench.engine.evaluation.planning.starting import import_answers
    from spatial_workbench.engine.evaluation.runner import run_batch
    from spatial_workbench.engine.store import ItemState, Project

    with tempfile.TemporaryDirectory() as folder:
        answers = Path(folder) / "answers.jsonl"
        path = Path(folder) / "bench.workbench"
        write_answers(answers, itertools.islice(recorded(), ANSWERS))
        begin = time.perf_counter()
        with Project.create(path) as project:
            batch = import_answers(project, answers, WORKERS).batch
        run_batch(path, batch)
        yield time.perf_counter() - begin
        with Project.open(path) as project:
            assert project.batches.get(batch).counts == {ItemState.DONE: ANSWERS}


def recorded() -> Iterator[RecordedAnswer]:
    """An answer to each task in turn, always to its next instance."""
    series = [_of_task(task) for task in tasks() if task.id not in _TOO_SLOW]
    while True:
        for answers in series:
            yield next(answers)


def _of_task(task: Task) -> Iterator[RecordedAnswer]:
    texts: dict[str, str] = {}
    for repeat in itertools.count():
        for instance in task.instances():
            if instance.address not in texts:
                texts[instance.address] = task.format(task.solve(instance))
            yield RecordedAnswer(
                task=task.id, instance=instance.address, model="recorded", text=texts[instance.address], repeat=repeat
            )
