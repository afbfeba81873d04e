"""Records in columns are the same records, and what is counted and averaged in columns is what one counts by hand."""

import random
from collections import Counter
from dataclasses import replace
from operator import attrgetter
from statistics import fmean

import numpy as np
import pytest

from spatial_workbench.engine.evaluation.columns import (
    TextColumn,
    columns_of,
    counted_before,
    groups,
    joined,
    means,
    numbered,
)
from spatial_workbench.engine.evaluation.comparing.runs import told_apart, way_of
from spatial_workbench.engine.evaluation.failure_modes.eligibility import select, selected
from spatial_workbench.engine.evaluation.scored import Ending, Scored
from spatial_workbench.engine.evaluation.scores import accuracy, latest
from spatial_workbench.engine.evaluation.sweep import has_line, line_of


def record(rng):
    """A record with anything in it."""
    task = rng.choice(("shikaku", "maze_3d", "cube_face_view"))
    number = rng.randrange(4)
    return Scored(
        task=task,
        address=f"{task}:{number}",
        number=rng.choice((number, None)),
        model=rng.choice(("oak", "oak-256", "elm")),
        repeat=rng.randrange(3),
        tools=rng.random() < 0.5,
        state=rng.choice((Ending.DONE, Ending.DONE, *Ending)),
        score=rng.choice((None, 0.0, 0.1, 0.2, 0.3, 0.7, 1.0, -3.0, 7.0)),
        passed=rng.choice((None, False, True)),
        output_tokens=rng.choice((None, 0, 17, 3_000_000_000)),
        budget=rng.choice((None, 256)),
        error=rng.choice((None, "timeout")),
        cost_usd=rng.choice((None, 0.1, 1e-9)),
        text_length=rng.choice((None, 0, 12)),
        failure_mode=rng.choice((None, "gave up")),
        how_read=rng.choice((None, "mended", "refused")),
        cut_off=rng.choice((None, None, "steps", "time")),
        attempt=rng.choice((None, rng.randrange(1000))),
        agent=rng.choice(("", "", "hands")),
        condition=rng.choice(("", "judged")),
        override=rng.choice(("", "", "0.00 → 1.00 by Ada: right")),
        error_is_zero=rng.random() < 0.2,
    )


@pytest.fixture(params=range(6))
def records(request):
    rng = random.Random(request.param)
    return [record(rng) for _ in range(rng.choice((1, 5, 60)))]


def by(items, key):
    found = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


def test_records_come_back_out_of_their_columns(records):
    columns = columns_of(records)
    assert list(columns) == records
    assert [item.value for item in columns] == [item.value for item in records]
    assert (columns[0], columns[-1], list(columns[1:3])) == (records[0], records[-1], records[1:3])


def test_the_value_in_columns_is_that_of_each_record(records):
    values = [None if np.isnan(value) else value for value in columns_of(records).figures("value")]
    assert values == [item.value for item in records]


def test_some_of_the_records_are_chosen_and_some_of_these(records):
    chosen = columns_of(records).at(np.array([item.tools for item in records]))
    expected = [item for item in records if item.tools]
    assert chosen == expected
    assert chosen.at(np.arange(len(expected))[::-1]) == expected[::-1]


def test_another_column_changes_what_follows_from_it(records):
    changed = columns_of(records).with_columns(error_is_zero=np.ones(len(records), dtype=bool))
    expected = [replace(item, error_is_zero=True) for item in records]
    assert [item.value for item in changed] == [item.value for item in expected]


def test_records_without_scores_are_as_if_nobody_had_judged_them(records):
    columns = columns_of(records).without_scores(np.array([0]))
    assert list(columns) == [replace(records[0], score=None, passed=None), *records[1:]]


def test_joined_records_follow_one_another(records):
    assert joined([columns_of(records), columns_of([]), columns_of(records[:2])]) == [*records, *records[:2]]
    assert joined([]) == []


def test_records_are_split_in_the_order_in_which_texts_first_occur(records):
    split = columns_of(records).split("model")
    expected = by(records, attrgetter("model"))
    assert list(split) == list(expected)
    assert {name: list(of) for name, of in split.items()} == expected


def test_texts_are_counted_in_the_order_in_which_they_first_occur():
    column = TextColumn.of(["b", None, "a", "b"])
    assert list(column.counts().items()) == [("b", 2), (None, 1), ("a", 1)]
    assert column.at(np.array([2, 1])).present() == ["a", None]


def test_codes_are_grouped_numbered_and_counted():
    codes = np.array([3, 1, 3, 3, 1])
    assert [(code, rows.tolist()) for code, rows in groups(codes)] == [(3, [0, 2, 3]), (1, [1, 4])]
    assert counted_before(codes).tolist() == [0, 0, 1, 2, 1]
    same = numbered(codes, np.array([0, 0, 1, 0, 0]))
    assert [same[0] == same[3], same[1] == same[4], same[0] == same[2]] == [True, True, False]


def test_the_sum_behind_a_mean_is_rounded_once():
    codes, found = means(np.array([7, 2, 7, 7, 2]), np.array([0.1, np.nan, 0.2, 0.3, np.nan]))
    assert (codes.tolist(), found.tolist()) == ([7], [fmean([0.1, 0.2, 0.3])])


def test_an_accuracy_is_what_one_counts_by_hand(records):
    found = accuracy(records, 40)
    subtasks = by(records, attrgetter("address")).values()
    judged = [having for of in subtasks if (having := [item for item in of if item.value is not None])]
    never = (Ending.NOT_ASKED, Ending.UNFINISHED)
    each = [fmean([item.value for item in of]) for of in judged]
    assert found.value == (fmean(each) if each else None)
    assert (found.n, found.total, found.items) == (len(judged), 40, len(records))
    assert found.asked == sum(any(item.state not in never for item in of) for of in subtasks)
    assert found.passed == sum(all(item.passed for item in of) for of in judged)
    assert found.not_asked == sum(all(item.state is Ending.NOT_ASKED for item in of) for of in judged)
    assert found.errors == sum(item.state is Ending.ERROR for item in records)
    assert found.errors_are_zero == any(item.error_is_zero for item in records)
    assert found.unjudged == sum(item.is_unjudged for item in records)
    assert found.unfinished == sum(item.state is Ending.UNFINISHED for item in records)
    assert found.cut_off == tuple(Counter(i.cut_off for i in records if i.cut_off).most_common())
    assert found.read == tuple(Counter(i.how_read for i in records if i.how_read).most_common())
    assert found.overrides == tuple(f"{item.address}: {item.override}" for item in records if item.override)


def test_of_one_question_the_last_record_with_a_score_counts(records):
    questions = by(records, attrgetter("model", "tools", "address", "repeat")).values()
    expected = [([item for item in of if item.value is not None] or of)[-1] for of in questions]
    assert latest(records) == expected


def test_records_are_told_apart_by_how_they_were_asked(records):
    several = {
        run
        for run, items in by(records, attrgetter("model", "tools")).items()
        if any(len(set(map(way_of, of))) > 1 for of in by(items, attrgetter("address")).values())
    }
    expected = [
        f"{item.model} · {way_of(item)}" if way_of(item) and (item.model, item.tools) in several else item.model
        for item in records
    ]
    assert [item.model for item in told_apart(records)] == expected


def test_what_is_judged_in_columns_is_what_is_judged_one_by_one(records):
    found = selected(columns_of(records))
    assert [next(k for k, mask in found.items() if mask[n]) for n in range(len(records))] == list(map(select, records))


def test_runs_under_an_output_limit_are_known_by_their_names(records):
    assert has_line(columns_of(records)).tolist() == [line_of(item) != item.model for item in records]
