"""Whatever an answer holds, it is read or refused: no task raises anything but `AnswerError`.

Spoiled answers go through everything that happens to an answer. HOSTILE_ANSWERS=10000 tries more of them, every one by
all verifiers.
"""

import json
import os

import numpy as np
import pytest

from spatial_workbench.engine.core import AnswerError
from spatial_workbench.engine.core import tasks as all_tasks
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.machines.building.blocks import BOULDER
from spatial_workbench.engine.physics.rocks.rolling import Blast
from tests.machines.traces import at_rest, trace_of
from tests.mutations import hostile_answers
from tests.sweeps import few, some_tasks

COUNT = int(os.environ.get("HOSTILE_ANSWERS") or few(200, 2000))
LONGEST_LIST = 4
"""Elements that are kept of each list of a right answer: the short answers are judged soon."""
JUDGED_EVERY = {"lego_hemisphere": 10, "tetrahedra_shadow": 10, "hide_and_seek": 10, "fluid_simulation": 10}
JUDGED_EVERY |= {"interlocking_parts": 20}
"""Of tasks whose verifiers take long, one in so many answers is judged, unless more are asked for."""

CUBE = """solid part
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 0 9 0
vertex 9 0 0
endloop
endfacet
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 9 0 0
vertex 0 0 9
endloop
endfacet
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 0 0 9
vertex 0 9 0
endloop
endfacet
facet normal 0 0 0
outer loop
vertex 9 0 0
vertex 0 9 0
vertex 0 0 9
endloop
endfacet
endsolid part
"""


class EverythingRests:
    """In place of the physics process, which is not what is attacked: rock stays where it falls, machines stand."""

    def version(self):
        return "none"

    def blast(self, profile, heights, row, column, depth, **_):
        return Blast(np.array([[row * heights.shape[1] + column, depth]]), lost=0.0, steps=1, is_still=True)

    def machine(self, tree, level, rate, progress):
        blocks = {k: at_rest(0, 1, 0) for k in range(len(tree))}
        boulders = [f"block {k}" for k, entry in enumerate(tree) if entry.type == BOULDER]
        names = [*boulders, *(ball.name for ball in level.balls)]
        return trace_of(others=blocks, balls={name: at_rest(0, 5, 0) for name in names})


@pytest.fixture(autouse=True)
def no_physics(monkeypatch):
    for module in (
        "spatial_workbench.engine.tasks.terrain_levelling.simulation",
        "spatial_workbench.engine.physics.machine_results",
    ):
        monkeypatch.setattr(f"{module}.physics", EverythingRests)


def shortened(data):
    if isinstance(data, list):
        return [shortened(entry) for entry in data[:LONGEST_LIST]]
    if isinstance(data, dict):
        return {name: CUBE if name == "fileContents" else shortened(value) for name, value in data.items()}
    return data


def right_answer(task):
    text = task.format(task.solve(task.instances()[0]))
    return shortened(json.loads(text)) if task.answer_format == "json" else {"maze": text}


def treated(task, raw, is_judged):
    """Everything that happens to an answer."""
    try:
        answer = task.parse(raw)
    except AnswerError as error:
        str(error).encode()
        return
    texts = [task.format(answer), packed(task, answer)]
    if is_judged:
        texts += [verdict.model_dump_json() for verdict in task.verify_all(task.instances()[0], answer)]
    assert all(text.encode() for text in texts) or task.answer_format == "text"


@pytest.mark.timeout(600)
@pytest.mark.parametrize("task", some_tasks(all_tasks(), 12), ids=lambda task: task.id)
def test_a_spoiled_answer_is_read_or_refused_and_nothing_else(task):
    every = JUDGED_EVERY.get(task.id, 1) if COUNT <= 2000 else 1
    for number, raw in enumerate(hostile_answers(right_answer(task), 7, COUNT)):
        treated(task, raw, number % every == 0)
