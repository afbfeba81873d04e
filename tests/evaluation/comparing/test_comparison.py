"""Two runs are compared on what both have a score for, with rows, flips and repeats."""

from itertools import combinations

import pytest

from spatial_workbench.engine.evaluation.comparing.comparison import NothingToCompare, cluster_of, compared
from spatial_workbench.engine.evaluation.comparing.flips import by_difficulty, flipped
from spatial_workbench.engine.evaluation.comparing.repeats import (
    all_of_k,
    pass_at_k,
    repeated_passes,
    score_spread,
)
from spatial_workbench.engine.evaluation.comparing.runs import runs_in
from spatial_workbench.engine.evaluation.comparing.tables import comparison_tables, verdict_words
from spatial_workbench.engine.evaluation.scored import Ending, Scored


def item(task="shikaku", number=0, score=1.0, repeat=0, **more):
    given = {"model": "oak", "passed": score == 1, **more}
    return Scored(task=task, address=f"{task}:{number}", number=number, repeat=repeat, score=score, **given)


def run(scores, task="shikaku", **more):
    return [item(task, number, score, **more) for number, score in enumerate(scores)]


def test_only_subtasks_that_both_have_a_score_for_are_compared():
    first = [*run([1, 1, 0]), item(number=3, score=None, state=Ending.ERROR), item(number=4)]
    second = [*run([0, 1]), item(number=3), item(number=5)]
    found = compared("oak", "elm", first, second)
    assert [pair.address for pair in found.pairs] == ["shikaku:0", "shikaku:1"]
    assert (found.only_first, found.only_second) == (2, 2)


def test_runs_without_a_common_subtask_are_refused_with_a_sentence():
    with pytest.raises(NothingToCompare, match="oak and elm have no subtask in common"):
        compared("oak", "elm", run([1]), run([1], "maze_3d"))


def test_repeats_are_averaged_first_and_a_subtask_is_passed_if_all_its_repeats_are():
    first = [item(score=1.0), item(score=0.0, repeat=1)]
    found = compared("oak", "elm", first, [item(score=0.25)])
    assert (found.pairs[0].first, found.pairs[0].second, found.pairs[0].first_passed) == (0.5, 0.25, False)


def test_parts_are_corrected_for_their_number_and_a_part_that_is_all_is_left_out():
    first = [*run([1] * 6), *run([1] * 6, "maze_3d")]
    second = [*run([0] * 6), *run([1, 1, 0, 0, 1, 1], "maze_3d")]
    found = compared("oak", "elm", first, second)
    assert [(row.kind, row.id) for row in found.rows] == [
        ("overall", "overall"),
        ("bucket", "planning"),
        ("bucket", "constructive"),
        ("task", "maze_3d"),
        ("task", "shikaku"),
    ]
    by_id = {row.id: row for row in found.rows}
    assert by_id["shikaku"].found.p == 2 / 64
    assert by_id["shikaku"].p_corrected == 4 / 64
    assert by_id["maze_3d"].p_corrected == by_id["maze_3d"].found.p == 0.5
    assert by_id["shikaku"].p_passed_corrected == pytest.approx(2 * 2 / 64)


def test_the_criteria_of_one_answer_are_a_cluster():
    assert cluster_of("interlocking_parts:0") == cluster_of("interlocking_parts:5")
    assert cluster_of("shikaku:0") != cluster_of("shikaku:1")
    assert cluster_of("no_such_task:3") == "no_such_task:3"


def test_an_instance_is_not_made_to_say_that_it_shares_no_answer(monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.evaluation.comparing.comparison.resolve", lambda address: 1 / 0)
    assert cluster_of("lego_hemisphere@123456") == "lego_hemisphere@123456"


def test_flips_are_what_only_one_passed_with_their_newest_attempts():
    first = [item(number=n, score=s, attempt=10 + n) for n, s in enumerate([1, 1, 0.5])]
    second = [item(number=n, score=s, attempt=20 + n) for n, s in enumerate([1, 0, 1])]
    found = flipped(compared("oak", "elm", first, second).pairs)
    assert [(pair.address, pair.first_attempt, pair.second_attempt) for pair in found] == [
        ("shikaku:1", 11, 21),
        ("shikaku:2", 12, 22),
    ]


def test_difficulty_goes_from_the_easiest_subtasks_to_the_hardest():
    first = run([1, 1, 1, 0, 0, 0, 1, 0])
    second = run([1, 1, 0, 0, 1, 0, 1, 0])
    bands = by_difficulty(compared("oak", "elm", first, second).pairs)
    assert [band.title for band in bands] == ["easiest", "band 2 of 4", "band 3 of 4", "hardest"]
    assert [(band.n, band.first + band.second) for band in bands] == [(2, 2.0), (2, 1.5), (2, 0.5), (2, 0.0)]


def test_states_of_the_cube_are_banded_by_their_depth():
    first = run([1, 0, 1, 0, 1, 0, 0, 0], "cube_full_symbolic")
    bands = by_difficulty(compared("oak", "elm", first, first).pairs)
    assert all(band.title.startswith("depth ") for band in bands)


@pytest.mark.parametrize(("passed", "n", "k"), [(0, 5, 2), (2, 5, 2), (5, 5, 3), (1, 4, 4), (3, 6, 1)])
def test_pass_at_k_and_all_of_k_are_the_shares_of_all_choices(passed, n, k):
    answers = [True] * passed + [False] * (n - passed)
    choices = list(combinations(answers, k))
    assert pass_at_k(passed, n, k) == pytest.approx(sum(map(any, choices)) / len(choices))
    assert all_of_k(passed, n, k) == pytest.approx(sum(map(all, choices)) / len(choices))


def test_repeats_are_means_over_the_subtasks_with_enough_of_them():
    records = [item(number=0, score=s, repeat=r) for r, s in enumerate([1, 0, 0, 0])]
    records += [item(number=1, score=1, repeat=r) for r in range(4)]
    records += [item(number=2, score=1)]
    found = repeated_passes(records, 2)
    assert (found.n, found.any_of, found.all_of) == (2, pytest.approx((0.5 + 1) / 2), pytest.approx((0 + 1) / 2))
    assert repeated_passes(records, 5) is None


def test_the_spread_of_repeats_is_told_apart_from_that_of_subtasks():
    alike = [item(number=n, score=n % 2, repeat=r) for n in range(10) for r in range(4)]
    spread = score_spread(alike)
    assert (spread.repeats, spread.subtasks) == (0, pytest.approx((5 / 18) ** 0.5))
    noisy = [item(number=n, score=r % 2, repeat=r) for n in range(10) for r in range(4)]
    spread = score_spread(noisy)
    assert (spread.repeats, spread.subtasks) == (pytest.approx((1 / 3) ** 0.5), 0)
    assert score_spread([item()]) is None


def test_runs_are_known_by_their_titles():
    records = [item(), item(model="elm", tools=True), item(model="elm")]
    assert list(runs_in(records)) == ["elm", "elm (tools)", "oak"]


def test_the_tables_say_in_plain_words_what_was_found():
    first, second = run([1] * 20), run([0] * 14 + [1] * 6)
    found = compared("oak", "elm", first, second)
    words = verdict_words(found)
    assert words.startswith("On 20 subtasks that both have a score for, oak scores 70.0 points more than elm")
    assert "p < 0.001" in words
    tables = comparison_tables(found, first, second)
    assert [table.title for table in tables] == [
        "oak and elm",
        "Flipped subtasks",
        "By difficulty",
        "How many subtasks it takes",
    ]
    assert tables[0].rows[0][:6] == ["All subtasks in common", 20, 20, 1.0, 0.3, 0.7]
    assert len(tables[1].lines) == 14


def test_a_difference_that_can_be_chance_is_not_called_one():
    found = compared("oak", "elm", run([1, 0, 1, 0, 1]), run([0, 1, 1, 0, 1]))
    assert "the difference of 0.0 points can be chance" in verdict_words(found)
    few = compared("oak", "elm", run([1]), run([0]))
    assert "too few to tell a difference from chance" in verdict_words(few)


def test_the_lower_run_is_never_called_the_better_one():
    words = verdict_words(compared("oak", "elm", run([0] * 12), run([1] * 12)))
    assert "elm scores 100.0 points more than oak" in words
