"""The agreement of verifiers as tables."""

import pytest

from spatial_workbench.engine.evaluation.laboratory.agreement import JudgedByAll
from spatial_workbench.engine.evaluation.laboratory.agreement_tables import agreement_section


def attempt(number, ours, theirs=None, task="shikaku"):
    passes = {"default": ours} | ({} if theirs is None else {"own:theirs": theirs})
    said = {name: "passed, 1.00" if passed else "not passed, 0.00: overlaps" for name, passed in passes.items()}
    return JudgedByAll(task, f"{task}:{number}", passes, number, "birch", said)


JUDGED = [
    *(attempt(k, True, True) for k in range(1, 5)),
    *(attempt(k, False, False) for k in range(5, 8)),
    attempt(8, True, False),
    attempt(9, True),
    attempt(10, False, True, "maze_3d"),
]


@pytest.fixture
def tables():
    return {table.title: table for table in agreement_section(JUDGED).tables}


def texts(line):
    return [cell.text for cell in line.cells]


def test_the_matrix_says_how_often_each_two_say_the_same(tables):
    matrix = tables["Agreement between verifiers"]
    assert [(line.title, texts(line)) for line in matrix.lines] == [
        ("default", ["n 10", "77.8"]),
        ("own:theirs", ["77.8", "n 9"]),
    ]
    assert matrix.lines[0].cells[1].detail == "κ 0.550 · n 9"


def test_each_pair_has_kappa_and_its_interval(tables):
    (line,) = tables["Pairs of verifiers"].lines
    assert line.title == "default / own:theirs"
    assert texts(line) == ["9", "77.8", "0.550", "1", "1"]
    assert " to " in line.cells[2].detail


def test_disagreement_is_told_by_task(tables):
    lines = tables["Disagreement by task"].lines
    assert [(line.title, line.cells[0].text, line.cells[0].detail) for line in lines] == [
        ("3D maze with jumps", "100.0", "1 of 1"),
        ("Shikaku rectangles", "12.5", "1 of 8"),
    ]


def test_every_attempt_on_which_they_differ_is_listed_with_what_each_said(tables):
    first, second = tables["Attempts on which verifiers differ"].lines
    assert (first.title, first.attempts, second.title) == ("8", (8,), "10")
    assert texts(first) == ["shikaku:8", "birch", "passed, 1.00", "not passed, 0.00"]
    assert first.cells[3].detail == "overlaps"


def test_the_whole_is_summed_up():
    assert agreement_section(JUDGED).words == (
        "9 attempts at 9 instances judged by two verifiers or more; on 2 of them, they disagree about passing.",
    )


def test_without_a_pair_that_is_said():
    section = agreement_section([attempt(1, True)])
    assert section.lacking == "No attempt was judged by two verifiers."
    assert section.tables == ()
