"""How scores are averaged: what counts 0, what weighs how much, and what is compared with what."""

import math
import random

import pytest

from spatial_workbench.engine.evaluation.scored import Ending, Scored
from spatial_workbench.engine.evaluation.scores import RowKind, ScoreColumn, accuracy, by_run, scoreboard

MODEL = ScoreColumn("m", False)


def item(task="shikaku", number=0, score=1.0, **rest):
    address = rest.pop("address", f"{task}:{number}")
    passed = rest.pop("passed", score == 1)
    return Scored(
        task=task, address=address, number=number, model=rest.pop("model", "m"), score=score, passed=passed, **rest
    )


def test_a_task_is_the_mean_over_its_subtasks():
    mean = accuracy([item(number=0, score=1.0), item(number=1, score=0.5)], total=6)
    assert (mean.value, mean.n, mean.passed) == (0.75, 2, 1)


def test_a_bucket_weighs_subtasks_and_not_tasks():
    pipes = [item("pipe_loop", n, 0.0) for n in range(3)]
    board = scoreboard([*pipes, item("shikaku", 0, 1.0)])
    assert board.cell("constructive", MODEL).value == board.cell("overall", MODEL).value == 0.25


def test_the_unweighted_mean_over_tasks_is_a_row_of_its_own():
    pipes = [item("pipe_loop", n, 0.0) for n in range(3)]
    mean = scoreboard([*pipes, item("shikaku", 0, 1.0)]).cell("task_mean", MODEL)
    assert (mean.value, mean.coverage) == (0.5, "2 of 22 tasks")


@pytest.mark.parametrize("score", [None, math.nan])
def test_an_answer_that_waits_for_a_judge_is_in_no_mean_and_is_counted(score):
    mean = accuracy([item(), item(number=1, score=score)])
    assert (mean.value, mean.n, mean.unjudged, mean.without_score) == (1.0, 1, 1, "1 waiting to be checked")


def test_scores_are_clamped_before_they_are_averaged():
    assert accuracy([item(score=7.0), item(number=1, score=-3.0)]).value == 0.5


def test_an_error_is_no_score_whatever_score_stands_beside_it():
    mean = accuracy([item(), item(number=1, score=1.0, state=Ending.ERROR, error="timeout")], 6)
    assert (mean.value, mean.n, mean.asked, mean.errors) == (1.0, 1, 2, 1)
    assert (mean.coverage, mean.without_score) == ("2 of 6 subtasks", "1 error")


def test_nothing_but_errors_is_no_score_of_0():
    mean = accuracy([item(number=n, score=None, state=Ending.ERROR, error="rate limit") for n in range(3)], 40)
    assert (mean.value, mean.n, mean.errors, mean.without_score) == (None, 0, 3, "3 errors")


def test_errors_count_0_where_that_is_asked_for():
    mean = accuracy([item(), item(number=1, score=None, state=Ending.ERROR, error_is_zero=True)])
    assert (mean.value, mean.n, mean.errors, mean.without_score) == (0.5, 2, 1, "")


def test_of_repeats_those_with_a_score_are_averaged():
    mean = accuracy([item(), item(repeat=1, score=0.5), item(repeat=2, score=None, state=Ending.ERROR)])
    assert (mean.value, mean.n, mean.errors, mean.passed) == (0.75, 1, 1, 0)


def test_what_is_not_finished_is_in_no_mean_and_was_not_asked():
    mean = accuracy([item(), item(number=1, score=None, state=Ending.UNFINISHED)], 10)
    assert (mean.value, mean.n, mean.unfinished, mean.coverage) == (1.0, 1, 1, "1 of 10 subtasks")


def test_a_later_question_without_a_score_hides_no_score():
    for state in (Ending.ERROR, Ending.UNFINISHED):
        board = scoreboard([item(score=1.0), item(score=None, state=state)])
        assert board.cell("shikaku", board.columns[0]).value == 1.0


def test_what_was_not_asked_counts_0_and_is_told_apart():
    mean = accuracy([item(score=0.0), *(item(number=n, score=None, state=Ending.NOT_ASKED) for n in (1, 2, 3))])
    assert (mean.value, mean.n, mean.not_asked, mean.coverage) == (0.0, 4, 3, "1 of 4 subtasks")


def test_repeats_of_a_subtask_are_averaged_first():
    repeats = [item(repeat=n, score=0.0) for n in range(3)]
    mean = accuracy([*repeats, item(number=1, score=1.0)])
    assert (mean.value, mean.n, mean.items) == (0.5, 2, 4)


def test_a_subtask_passes_if_all_its_repeats_do():
    assert accuracy([item(repeat=0), item(repeat=1, score=0.0)]).passed == 0


def test_a_task_that_was_asked_in_part_says_so():
    mean = scoreboard([item(number=n) for n in range(4)]).cell("shikaku", MODEL)
    assert (mean.value, mean.coverage, mean.is_partial) == (1.0, "4 of 6 subtasks", True)


def test_the_interval_of_six_passes_in_six_is_wide():
    low, high = accuracy([item(number=n) for n in range(6)]).interval
    assert (low, high) == (pytest.approx(0.61, abs=0.001), 1.0)


def test_the_interval_of_scores_that_are_all_0_is_not_a_point():
    assert accuracy([item("terrain_levelling", n, 0.0) for n in range(9)]).interval[1] > 0.25


def test_of_nothing_there_is_no_accuracy():
    mean = accuracy([])
    assert (mean.value, mean.interval) == (None, (0.0, 1.0))


def test_generated_instances_do_not_enter_tables_that_compare_with_published_ones():
    records = [item(), item(address="shikaku@7", number=None, score=0.0)]
    assert scoreboard(records).cell("shikaku", MODEL).value == 1.0
    assert scoreboard(records, generated=True).cell("shikaku", MODEL).value == 0.0


def test_rows_stand_in_the_published_order():
    rows = scoreboard([item()]).rows
    assert [row.id for row in rows[:2]] == ["topology_enumeration", "enumerate_edges"]
    assert [row.kind for row in rows[22:]] == [*[RowKind.BUCKET] * 3, RowKind.OVERALL, RowKind.TASK_MEAN]


def test_the_cube_is_a_family_of_its_own_and_not_in_the_overall():
    board = scoreboard([item(score=0.0), item("cube_full_symbolic", 0, 1.0, depth=1)])
    assert board.cell("overall", MODEL).value == 0.0
    assert board.cell("cube", MODEL).value == 1.0
    assert [row.id for row in board.rows[-2:]] == ["cube_full_symbolic", "cube"]


def test_without_tasks_of_scbench_there_are_no_rows_of_it():
    rows = scoreboard([item("cube_full_symbolic", 0, 1.0)]).rows
    assert [row.kind for row in rows] == [RowKind.TASK, RowKind.FAMILY]


def test_a_task_that_is_not_installed_keeps_its_row():
    row = scoreboard([item("gone", 0, 1.0)]).rows[0]
    assert (row.title, row.cells[MODEL].value) == ("gone", 1.0)


def test_a_run_with_tools_is_a_column_of_its_own():
    board = scoreboard([item(), item(score=0.0, tools=True)])
    assert [column.title for column in board.columns] == ["m", "m (tools)"]


def test_an_item_that_was_asked_again_counts_once_as_it_ended_last():
    mean = scoreboard([item(score=None, state=Ending.ERROR), item(score=1.0)]).cell("shikaku", MODEL)
    assert (mean.value, mean.items, mean.errors) == (1.0, 1, 0)


def test_the_order_of_records_does_not_matter():
    records = [item("pipe_loop", n, n / 4, repeat=r) for n in range(4) for r in range(2)]
    assert scoreboard(records) == scoreboard(reversed(records))


def test_published_figures_stand_beside_rows_with_counts_intervals_and_source():
    board = scoreboard([item()])
    rows = {row.id: board.published(row) for row in board.rows}
    cell = rows["shikaku"][ScoreColumn("gpt-5.2", False)]
    assert (cell.value, cell.n, cell.source) == (1.0, 6, "SCBench, table of accuracies")
    assert cell.interval[0] == pytest.approx(0.61, abs=0.001)
    assert rows["overall"][ScoreColumn("gpt-5.2", True)].value == pytest.approx(0.644)


def test_beside_the_cube_nothing_was_published():
    board = scoreboard([item("cube_full_symbolic", 0, 1.0)])
    assert [board.published(row) for row in board.rows] == [{}, {}]


def test_beside_generated_instances_nothing_published_stands():
    board = scoreboard([item(address="shikaku@7", number=None)], generated=True)
    assert not any(board.published(row) for row in board.rows)


def some_records(rng, count=400):
    """Records of two runs at ten subtasks, in which everything occurs: repeats, errors, no score, no question."""
    for _ in range(count):
        state = rng.choice([*[Ending.DONE] * 4, *Ending])
        score = rng.choice([None, math.nan, rng.random(), 1.0]) if state is Ending.DONE else None
        yield item(number=rng.randrange(10), score=score, model=rng.choice("ab"), state=state, passed=score == 1)


def looped(records):
    """Mean, subtasks in it, and those that were asked, passed and left out: one record after the other."""
    values, asked, passed, left_out = {}, set(), {}, {}
    for record in records:
        if record.state in (Ending.DONE, Ending.ERROR):
            asked.add(record.address)
        if record.state is Ending.NOT_ASKED or (record.score is not None and not math.isnan(record.score)):
            values.setdefault(record.address, []).append(record.score or 0.0)
            passed[record.address] = passed.get(record.address, True) and record.passed
            is_left_out = record.state is Ending.NOT_ASKED
            left_out[record.address] = left_out.get(record.address, True) and is_left_out
    means = [math.fsum(of) / len(of) for of in values.values()]
    return math.fsum(means) / len(means), len(means), len(asked), sum(passed.values()), sum(left_out.values())


@pytest.mark.parametrize(("seed", "count"), [(0, 400), (1, 40), (2, 10)])
def test_figures_are_those_of_a_plain_loop(seed, count):
    records = list(some_records(random.Random(seed), count))
    found = accuracy(records)
    assert (found.value, found.n, found.asked, found.passed, found.not_asked) == looped(records)


def test_runs_are_told_apart_by_name_and_tools_in_the_order_of_their_first_records():
    records = [item(model="b"), item(model="a", tools=True), item(model="a"), item(model="b")]
    assert [(column.title, len(of)) for column, of in by_run(records).items()] == [("b", 2), ("a (tools)", 1), ("a", 1)]
