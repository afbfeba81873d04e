"""A grader is wrapped and compared over 225 imported answers, right and spoiled ones, all from the window."""

import json
import sys

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.attempts.columns import COLUMNS
from spatial_workbench.app.evaluation.watch import BatchStatus
from spatial_workbench.app.runs.own.dialog import EMPTY
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.evaluation.laboratory.own import OwnKind, OwnVerifiers
from tests.app.evaluation.conftest import page_of

WAIT_MS = 60_000
TASK = task("delaunay")
INSTANCES = TASK.instances()[:25]
WRAPPED = """
import json, sys

def published_grade(triangles, points):
    \"\"\"Stands for a benchmark's grader, with a fault: it counts triangles, and looks whether points are used.\"\"\"
    used = {corner for triangle in triangles for corner in triangle}
    return float(len(triangles) >= len(points) - 2 and used == set(range(len(points))))

for line in sys.stdin:
    case = json.loads(line)
    answer = case["answer"]
    points = case["instance"]["parameters"]["points"]
    score = published_grade(answer["triangles"], points) if isinstance(answer, dict) else 0.0
    print(json.dumps({"score": score, "passed": score == 1.0}), flush=True)
"""


def spoiled(triangles, way):
    """The triangles of an answer, with some kind of fault, or as they are."""
    first, *rest = triangles
    return {
        0: triangles,
        1: triangles[::-1],
        2: [triangle[::-1] for triangle in triangles],
        3: rest,
        4: [*triangles, first],
        5: [[first[0], first[0], first[1]], *rest],
        6: triangles[: len(triangles) // 2],
        7: [],
        8: [first[1:] + first[:1], *rest],
    }[way]


def lines():
    """Nine answers to each of 25 published instances, of three models."""
    for k, instance in enumerate(INSTANCES):
        triangles = [list(triangle) for triangle in json.loads(TASK.format(TASK.solve(instance)))["triangles"]]
        for way in range(9):
            answer = {"triangles": spoiled(triangles, way)}
            model = ("ash", "birch", "cedar")[(k + way) % 3]
            yield json.dumps({"task": "delaunay", "instance": k, "model": model, "text": json.dumps(answer)})


@pytest.fixture(autouse=True)
def no_verifiers():
    yield
    kept = OwnVerifiers()
    for verifier in kept.all():
        kept.remove(verifier.name)


def add_and_judge(window, qtbot, path):
    """Adds the grader in the dialog, and judges all attempts by it."""
    window.actions_registry["runs.verifiers"].trigger()
    dialog = window.laboratory.verifiers
    qtbot.waitUntil(lambda: dialog.words.text() == EMPTY, timeout=WAIT_MS)
    qtbot.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
    adding = dialog.adding
    qtbot.keyClicks(adding.name, "origin")
    adding.task.setCurrentIndex(adding.task.findData("delaunay"))
    adding.kind.setCurrentIndex(adding.kind.findData(OwnKind.COMMAND))
    qtbot.keyClicks(adding.place, f"{sys.executable} {path}")
    adding.lasting.setChecked(True)
    qtbot.mouseClick(adding.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.chosen is not None and dialog.judge.isEnabled(), timeout=WAIT_MS)
    qtbot.mouseClick(dialog.judge, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "225 attempts judged" in dialog.words.text(), timeout=WAIT_MS)
    return dialog


@pytest.mark.slow
def test_it_is_compared_over_225_answers_from_the_window(window, qtbot, tmp_path):
    grader, answers = tmp_path / "wrapped.py", tmp_path / "answers.jsonl"
    grader.write_text(WRAPPED)
    answers.write_text("\n".join(lines()))
    window.evaluations.import_answers(answers)
    qtbot.waitUntil(lambda: len(window.evaluations.watch.batches) == 1, timeout=WAIT_MS)
    batches = page_of(window)
    qtbot.waitUntil(lambda: batches.chosen() is not None, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: batches.chosen().state is BatchStatus.FINISHED, timeout=WAIT_MS)
    assert batches.chosen().row.ended == 225
    add_and_judge(window, qtbot, grader).reject()

    window.actions_registry["runs.browse"].trigger()
    runs = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: runs.model.columnCount() == len(COLUMNS) + 1, timeout=WAIT_MS)
    assert runs.model.columns[-1].title == "own:origin"

    window.actions_registry["runs.agreement"].trigger()
    agreement = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: agreement.area.section is not None and agreement.is_idle, timeout=WAIT_MS)
    pairs = {line.title: line for line in agreement.area.section.tables[1].lines}
    theirs = pairs["default / own:origin"]
    # Of nine answers to each instance, it takes the doubled triangle and some without one for right.
    assert theirs.cells[0].text == "225"
    assert int(theirs.cells[4].text) >= 25
    assert theirs.cells[2].values[0] is not None

    window.actions_registry["runs.results"].trigger()
    results = window.tabs.currentWidget()
    qtbot.waitUntil(lambda: results.results is not None and results.is_idle, timeout=WAIT_MS)
    results.show_section("verifiers")
    qtbot.waitUntil(lambda: results.results.sections[results.sections.currentIndex()].is_read, timeout=WAIT_MS)
    (table,) = results.results.sections[results.sections.currentIndex()].tables
    assert table.lines[-1].cells[-1].values[2] == 225
