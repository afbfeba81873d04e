"""The leaderboard ranks runs on the subtasks that they share, and says how certain that is and what answers took."""

from itertools import product

import numpy as np
import pytest

from spatial_workbench.engine.evaluation.comparing.leaderboard import COST, TIME, TOKENS, leaderboard, used_amount
from spatial_workbench.engine.evaluation.comparing.leaderboard_tables import leaderboard_table, leaderboard_tables
from spatial_workbench.engine.evaluation.comparing.paired import bootstrap_interval
from spatial_workbench.engine.evaluation.comparing.runs import kind_of_run, runs_in
from spatial_workbench.engine.evaluation.scored import Ending, Scored

CLUSTER = "interlocking_parts"
"""Its nine subtasks share an answer."""


def item(number=0, score=1.0, task="maze_3d", **more):
    given = {"model": "oak", "passed": score == 1, **more}
    return Scored(task=task, address=f"{task}:{number}", number=number, score=score, **given)


def run(scores, first=0, **more):
    return [item(first + number, score, **more) for number, score in enumerate(scores)]


def rows(runs, **more):
    return {row.title: row for row in leaderboard(runs, **more).rows}


def cell(table, title, heading):
    place = [column.title for column in table.headings].index(heading)
    return next(line for line in table.lines if line.title == title).cells[place]


def ranks_of_all_draws(runs):
    """How often each run has each rank, if every draw of subtasks is tried; all runs have the same subtasks."""
    scores = np.array(list(runs.values()))
    count = scores.shape[1]
    shares = np.zeros((len(runs), len(runs)))
    for drawn in product(range(count), repeat=count):
        sums = scores[:, list(drawn)].sum(axis=1)
        for k, total in enumerate(sums):
            shares[k, sum(other > total + 1e-9 for other in sums)] += 1
    return shares / count**count


def test_ranks_come_up_as_often_as_among_all_draws():
    scores = {"oak": [1, 0.5, 0, 1, 0], "elm": [0, 1, 0.25, 0, 1], "ash": [0, 0, 1, 0.5, 0]}
    found = rows({title: run(of) for title, of in scores.items()}, draws=20_000)
    expected = ranks_of_all_draws(scores)
    drawn = [found[title].place.shares for title in scores]
    assert np.abs(np.array(drawn) - expected).max() < 0.015


def test_the_interval_of_a_rank_holds_the_ranks_that_come_up_in_95_percent():
    found = rows({"oak": run([1] * 12), "elm": run([0] * 12), "ash": run([0, 1] * 6), "fir": run([1, 0] * 6)})
    assert [(found[name].place.rank, found[name].place.low, found[name].place.high) for name in ("oak", "elm")] == [
        (1, 1, 1),
        (4, 4, 4),
    ]
    assert (found["ash"].place.rank, found["ash"].place.low, found["ash"].place.high) == (2, 2, 3)


def test_the_interval_of_a_score_is_that_of_all_draws():
    scores = [1, 0.5, 0, 1, 0, 0.25]
    means = [sum(drawn) / 6 for drawn in product(scores, repeat=6)]
    found = rows({"oak": run(scores), "elm": run(scores)})["oak"]
    assert found.interval == pytest.approx(np.quantile(means, [0.025, 0.975]), abs=0.05)


def test_a_run_with_few_errors_has_nearly_the_interval_of_its_own_bootstrap():
    scores = [1, 0.5, 0, 1] * 10
    found = rows({"oak": run(scores[:38]), "elm": run(scores)})
    alone = bootstrap_interval(np.array(scores[:38], dtype=float), np.ones(38))
    assert found["oak"].interval == pytest.approx(alone, abs=0.015)


def test_subtasks_that_share_an_answer_are_drawn_together():
    together = rows({"oak": run([1] * 9 + [0] * 0, task=CLUSTER) + run([0, 0])})["oak"]
    assert (together.accuracy.n, together.clusters) == (11, 3)
    assert together.interval == (0.0, 1.0)


def test_scores_that_are_all_the_same_are_not_called_certain():
    found = rows({"oak": run([0] * 9), "elm": run([1] * 9)})["oak"]
    assert found.all_alike
    # Wilson: z² / (n + z²)
    assert found.interval == pytest.approx((0, 1.96**2 / (9 + 1.96**2)), abs=1e-3)


def test_each_two_runs_are_compared_on_what_both_have_a_score_for():
    runs = {"oak": run([1, 1, 1, 0, 0, 0]), "elm": run([0, 0, 1, 1, 1, 1]), "ash": run([0.5] * 3, first=3)}
    found = rows(runs)
    # On 3 to 5, oak has 0 of 3, ash 1.5, elm 3; on 0 to 5, oak has 3 of 6 and elm 4.
    assert {name: row.place.rank for name, row in found.items()} == {"elm": 1, "ash": 2, "oak": 3}
    assert (found["ash"].place.most_shared, found["oak"].place.most_shared) == (3, 6)


def test_a_run_on_few_subtasks_is_not_first_without_a_word():
    runs = {"oak": run([0.5] * 30), "elm": run([0, 1] * 15), "tiny": run([1] * 3)}
    table = leaderboard_table(leaderboard(runs), "Leaderboard")
    assert cell(table, "tiny", "Rank").detail.endswith("· on 3")
    assert cell(table, "tiny", "Subtasks").text + cell(table, "tiny", "Subtasks").detail == "3of 30"
    assert "Only some of the 30 subtasks have a score for tiny (3); its rank rests on these alone." in table.words
    assert any(note.text.startswith("The runs do not have scores for the same subtasks") for note in table.notes)


def test_runs_with_the_same_subtasks_need_no_such_word():
    table = leaderboard_table(leaderboard({"oak": run([1] * 8), "elm": run([0] * 8)}), "Leaderboard")
    assert table.words == "oak ranks first, with no other run among the first in 95 % of the draws."
    assert not any("same subtasks" in note.text for note in table.notes)


def test_a_run_that_shares_too_little_with_others_has_no_rank():
    runs = {"oak": run([1] * 6), "elm": run([0] * 6), "apart": run([1] * 2)}
    table = leaderboard_table(leaderboard(runs), "Leaderboard")
    assert cell(table, "apart", "Rank").text == "–"
    assert table.lines[-1].title == "apart"
    assert "no rank" in table.lines[-1].tip


def test_errors_are_counted_and_in_no_mean():
    items = [*run([1, 1, 0]), item(3, None, state=Ending.ERROR), item(4, None), item(5, None, state=Ending.UNFINISHED)]
    table = leaderboard_table(leaderboard({"oak": items, "elm": run([1] * 6)}), "Leaderboard")
    counts = [cell(table, "oak", name).text for name in ("Score", "Subtasks", "Errors", "Unjudged", "Unfinished")]
    assert counts == ["66.7", "3", "1", "1", "1"]


def test_an_unknown_price_is_not_a_price_of_0():
    items = [item(0, cost_usd=0.5), item(1, cost_usd=0.1), item(2), item(3, None, state=Ending.ERROR)]
    found = used_amount(items, COST)
    assert (found.mean, found.total, found.known, found.answers) == (pytest.approx(0.3), pytest.approx(0.6), 2, 3)
    assert used_amount(items, TOKENS).mean is None
    table = leaderboard_table(leaderboard({"oak": items, "elm": run([1] * 4)}), "Leaderboard")
    assert (cell(table, "oak", "Cost").detail, cell(table, "elm", "Cost").text) == ("Σ 0.60 · 2 of 3", "–")


def surpassed(k, runs):
    """Whether another run scores as much for less, or more for as little, by looking at every one."""
    value, price = runs[k]
    return any(v >= value and p <= price and (v, p) != (value, price) for v, p in runs.values())


@pytest.mark.parametrize("seed", range(5))
def test_the_pareto_front_is_what_no_other_run_surpasses(seed):
    rng = np.random.default_rng(seed)
    drawn = {f"run {k}": (rng.integers(0, 2, 10), int(rng.integers(1, 6))) for k in range(8)}
    runs = {title: run(map(float, scores), seconds=float(price)) for title, (scores, price) in drawn.items()}
    figures = {title: (scores.mean(), price) for title, (scores, price) in drawn.items()}
    front = {row.title for row in leaderboard(runs, draws=10).front(TIME)}
    assert front == {title for title in figures if not surpassed(title, figures)}


def test_a_cheap_run_on_few_subtasks_surpasses_others_only_where_they_meet():
    big = [item(n, float(n < 20), cost_usd=1.0) for n in range(30)]
    tiny = [item(n, 1.0, cost_usd=0.5) for n in range(3)]
    other = [item(n, 0.0, cost_usd=2.0) for n in range(30)]
    fronts = {name: row.fronts for name, row in rows({"big": big, "tiny": tiny, "other": other}).items()}
    # On the three that they share, tiny scores as much for less.
    assert fronts == {"big": (), "tiny": (COST,), "other": ()}


def test_a_model_asked_in_several_ways_is_a_run_for_each():
    records = [*run([1, 0]), *run([0, 0], agent="hands")]
    assert {title: len(items) for title, items in runs_in(records).items()} == {"oak": 2, "oak · hands": 2}
    assert [kind_of_run(items) for items in runs_in(records).values()] == ["model", "agent hands"]


def test_a_model_with_tools_keeps_its_name_in_every_way():
    records = run([1], tools=True) + run([0], tools=True, agent="hands", condition="judged") + run([1])
    assert list(runs_in(records)) == ["oak", "oak (tools)", "oak · hands, judged (tools)"]


def test_of_a_question_that_two_batches_asked_the_later_answer_counts():
    assert [i.score for i in runs_in([item(score=0.0), item(score=1.0)])["oak"]] == [1.0]


def test_several_systems_have_a_leaderboard_each():
    runs = {name: run([1, 0, 1, 1]) + run([1, 1, 1], task="cube_full_symbolic") for name in ("oak", "elm")}
    tables = leaderboard_tables(runs, leaderboard(runs))
    assert [table.title for table in tables] == ["Leaderboard", "Leaderboard, cube", "Leaderboard, scbench"]
    assert cell(tables[1], "oak", "Subtasks").text == "3"


def test_rows_are_sorted_by_any_column_with_unknown_values_last():
    runs = {"oak": run([1] * 4, seconds=9.0), "elm": run([0] * 4, seconds=80.0), "Ash": run([0.5] * 4)}
    table = leaderboard_table(leaderboard(runs), "Leaderboard")
    place = [heading.title for heading in table.headings].index("Time")
    assert [line.title for line in table.sorted_by(place).lines] == ["oak", "elm", "Ash"]
    assert [line.title for line in table.sorted_by(place, descending=True).lines] == ["elm", "oak", "Ash"]
    assert [line.title for line in table.sorted_by(-1).lines] == ["Ash", "elm", "oak"]


def test_three_runs_that_beat_each_other_in_a_ring_have_no_first():
    ring = {"oak": (0, 1), "elm": (1, 2), "ash": (2, 0)}
    runs = {name: [*run([1] * 40, 100 * wins), *run([0] * 40, 100 * loses)] for name, (wins, loses) in ring.items()}
    table = leaderboard_table(leaderboard(runs), "Leaderboard")
    assert table.words.startswith("No run ranks first")
