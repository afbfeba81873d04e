"""Attempts as one long list: every filter, search by words, sorting, and judgements beside the verifiers'."""

import pytest

from spatial_workbench.engine.core import Check, Figure, Instance, Problem, Verdict
from spatial_workbench.engine.core.reading.how_read import HowRead
from spatial_workbench.engine.store import Actor, Asked, MissingRecord, Project, RunFilter, Transcript
from spatial_workbench.engine.store.runs import SORTED_BY

DOME = Instance.published("lego_hemisphere", 0, {"inner_mm": 40, "outer_mm": 70})
LAKES = Instance.published("fluid_simulation", 3, {"lakes": 3})


def verdict(score, verifier="default", failing=()):
    checks = [Check.of(name, [Problem("Wrong")] if name in failing else []) for name in ("no overlap", "connected")]
    return Verdict(instance="x:0", verifier=verifier, version="1", score=score, passed=score == 1, checks=tuple(checks))


@pytest.fixture
def project(tmp_path):
    """1: a person's dome, passed. 2: a model's dome with tools, 0.4, disputed. 3: a model's lakes, not judged yet."""
    with Project.create(tmp_path / "work.workbench") as opened:
        opened.attempts.add(DOME, '{"bricks": "scarlet"}', Actor.PERSON, "Ada", 300.0, (verdict(1.0),))
        batch = opened.batches.add("first", "{}", [(0, DOME.address, DOME.task, 0, None)])
        item = opened.items.of_batch(batch)[0].number
        opened.items.add_reply(item, 0, "Build a hollow dome", "the answer", "because", "{}")
        opened.attempts.add(
            DOME,
            '{"bricks": "indigo"}',
            Actor.MODEL,
            "birch",
            20.0,
            (verdict(0.4, failing=["connected"]), verdict(1.0, "crosscheck")),
            asked=Asked(
                batch=batch, item=item, tools=True, output_tokens=900, cost_usd=0.02, prompt=1, reasoning="studs first"
            ),
        )
        transcript = Transcript(kind="cube", record="{}", words="turned the left face")
        opened.attempts.add(LAKES, "{}", Actor.MODEL, "cedar", transcript=transcript, asked=Asked(output_tokens=50))
        opened.judgements.add_label(2, "labelled", "lost track", "{}")
        yield opened


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        ({}, [1, 2, 3]),
        ({"tasks": ("fluid_simulation",)}, [3]),
        ({"tasks": ()}, []),
        ({"address": "lego_hemisphere:0"}, [1, 2]),
        ({"who": ("Ada", "cedar")}, [1, 3]),
        ({"actor": Actor.MODEL}, [2, 3]),
        ({"batch": 1}, [2]),
        ({"score_min": 0.4, "score_max": 0.9}, [2]),
        ({"measured_min": 1.0}, []),
        ({"passed": True}, [1]),
        ({"passed": False}, [2]),
        ({"labels": ("lost track",)}, [2]),
        ({"tools": True}, [2]),
        ({"disagrees": True}, [2]),
        ({"seconds_min": 20.0, "seconds_max": 299.0}, [2]),
        ({"tokens_min": 50, "tokens_max": 899}, [3]),
        ({"since": "2020-01-01", "until": "2020-12-31"}, []),
        ({"since": "2020-01-01"}, [1, 2, 3]),
        ({"text": "scarlet"}, [1]),
        ({"text": "hollow DOME"}, [2]),
        ({"text": "studs indi"}, [2]),
        ({"text": "left face"}, [3]),
        ({"text": "lego_hemisphere"}, [1, 2]),
        ({"text": "scarlet indigo"}, []),
        ({"text": "birch", "passed": True}, []),
        ({"text": "lego_hemisphere:0"}, [1, 2]),
        ({"text": "lego_hemisphere:0 studs"}, [2]),
        ({"text": "fluid_simulation:3 lego_hemisphere:0"}, [1, 2, 3]),
        ({"text": ":3"}, [3]),
        ({"failed_checks": ("connected",)}, [2]),
        ({"is_read": True}, [1, 2, 3]),
        ({"repeat_min": 1, "repeat_max": 1, "actor": Actor.MODEL}, [2, 3]),
    ],
)
def test_a_filter_keeps_the_attempts_that_fit_all_of_it(project, wanted, numbers):
    assert sorted(project.runs.numbers(RunFilter(**wanted))) == numbers
    assert [row.number for row in project.runs.select(RunFilter(**wanted))] == numbers


@pytest.mark.parametrize("text", ['"', "scarlet OR indigo", "NEAR(", "who:Ada", "*", "a' --", "-", "^", "AND", "("])
def test_quotes_and_operators_in_a_search_are_words_like_any_other(project, text):
    assert set(project.runs.numbers(RunFilter(text=text))) <= {1, 2, 3}


def test_a_search_without_a_word_finds_everything(project):
    assert len(project.runs.numbers(RunFilter(text=' "* '))) == 3


@pytest.mark.parametrize("by", SORTED_BY)
def test_a_list_can_be_sorted_both_ways_by_everything_it_offers(project, by):
    assert sorted(project.runs.numbers(RunFilter(), by, False)) == [1, 2, 3]
    assert sorted(project.runs.numbers(RunFilter(), by, True)) == [1, 2, 3]


def test_what_is_not_known_comes_last_either_way(project):
    assert project.runs.numbers(RunFilter(), "score", descending=False) == [2, 1, 3]
    assert project.runs.numbers(RunFilter(), "score", descending=True) == [1, 2, 3]


def test_instances_are_sorted_as_numbers_and_published_ones_come_first(project):
    shikaku = [Instance.generated("shikaku", seed, {}) for seed in (12, 3)]
    shikaku += [Instance.published("shikaku", number, {}) for number in (10, 9)]
    for instance in (Instance.published("two_segments", 2, {}), *shikaku):
        project.attempts.add(instance, "{}", Actor.MODEL, "elm", 1.0, ())
    rows = project.runs.rows(project.runs.numbers(RunFilter(who=("elm",)), "address", False))
    addresses = ["shikaku:9", "shikaku:10", "shikaku@3", "shikaku@12", "two_segments:2"]
    assert [row.address for row in rows] == addresses


def test_a_list_cannot_be_sorted_by_what_it_does_not_offer(project):
    with pytest.raises(KeyError):
        project.runs.numbers(RunFilter(), "attempt; DROP TABLE facts")


@pytest.mark.parametrize(
    ("ask", "named"),
    [
        (lambda project: project.attempts.get(77), "Attempt 77"),
        (lambda project: project.batches.get(77), "Batch 77"),
        (lambda project: project.batches.plan(77), "Batch 77"),
        (lambda project: project.runs.prompt_text(77), "Prompt 77"),
        (lambda project: project.drafts.add_edit("shikaku:0", "Draw", []), "The draft of shikaku:0"),
    ],
)
def test_what_is_not_in_a_project_is_named_in_a_sentence(project, ask, named):
    with pytest.raises(MissingRecord, match=rf"^{named} is not in this project"):
        ask(project)


def test_rows_come_in_the_order_of_their_numbers_and_missing_ones_are_left_out(project):
    assert [row.number for row in project.runs.rows([3, 99, 1])] == [3, 1]


def test_the_choices_are_what_occurs(project):
    assert project.runs.choices() == {
        "tasks": ["fluid_simulation", "lego_hemisphere"],
        "who": ["Ada", "birch", "cedar"],
        "labels": ["lost track"],
        "how_read": [],
        "failed_checks": ["connected"],
        "run_ends": [],
        "finish_reasons": [],
        "tags": [],
    }


def test_how_an_answer_was_read_is_listed_and_filtered(project):
    mended = verdict(0.5).model_copy(update={"how_read": HowRead.MENDED, "mending": "code block"})
    unread = verdict(0.0).model_copy(update={"how_read": HowRead.UNREADABLE})
    first = project.attempts.add(DOME, "{}", Actor.MODEL, "elm", verdicts=(mended,))
    cut = project.attempts.add(DOME, "{", Actor.MODEL, "elm", verdicts=(unread,), asked=Asked(finish_reason="length"))
    assert [row.how_read for row in project.runs.rows([1, first, cut])] == [None, HowRead.MENDED, HowRead.TRUNCATED]
    assert project.runs.rows([first])[0].mending == "code block"
    assert project.runs.numbers(RunFilter(how_read=(HowRead.TRUNCATED,))) == [cut]
    assert project.runs.choices()["how_read"] == ["mended", "truncated"]


def test_an_overridden_score_counts_until_it_is_withdrawn_and_both_stay_on_record(project):
    project.judgements.override_score(2, 1.0, True, "the rule is ambiguous", "Ada")
    row = project.runs.rows([2])[0]
    assert (row.score, row.passed, row.first_score, row.is_overridden) == (1.0, True, 0.4, True)
    assert project.runs.numbers(RunFilter(is_overridden=True)) == [2]
    project.judgements.withdraw_override(2)
    assert project.runs.rows([2])[0].score == 0.4
    assert [(override.reason, override.withdrawn_at is None) for override in project.judgements.overrides(2)] == [
        ("the rule is ambiguous", False)
    ]


def test_a_new_verdict_does_not_take_an_override_back(project):
    project.judgements.override_score(2, 1.0, True, "seen by eye", "Ada")
    project.attempts.add_verdicts(2, [verdict(0.1)])
    assert project.runs.rows([2])[0].score == 1.0


@pytest.mark.parametrize(("score", "reason"), [(1.5, "good"), (0.5, " ")])
def test_an_override_needs_a_score_and_a_reason(project, score, reason):
    with pytest.raises(ValueError):
        project.judgements.override_score(2, score, True, reason, "Ada")


def test_a_difference_names_the_first_check_that_differs_and_the_newest_ruling(project):
    project.judgements.rule(2, "default", "crosscheck", "both", "", "Ada")
    project.judgements.rule(2, "default", "crosscheck", "default", "seen by eye", "Ada")
    (difference,) = project.judgements.differences()
    assert (difference.attempt, difference.second, difference.by_check) == (2, "crosscheck", "connected")
    assert (difference.first_score, difference.second_score) == (0.4, 1.0)
    assert (difference.ruling, difference.note) == ("default", "seen by eye")


def test_a_difference_is_gone_when_the_verifiers_agree(project):
    project.attempts.add_verdicts(2, [verdict(0.4, "crosscheck", failing=["connected"])])
    assert project.judgements.differences() == []
    assert project.runs.numbers(RunFilter(disagrees=True)) == []


def test_a_ruling_names_one_of_the_two_both_or_neither(project):
    with pytest.raises(ValueError, match="not a ruling"):
        project.judgements.rule(2, "default", "crosscheck", "published", "", "Ada")


def test_attempts_are_filtered_and_sorted_by_what_was_measured(project):
    level = Instance.published("machine_movement", 0, {"level": "M1"})
    for metres in (43.9, 8.1, 120.0):
        figures = (Figure("R", metres, "m"), Figure("distance", metres, "m"))
        project.attempts.add(
            level, "{}", Actor.MODEL, "birch", verdicts=(verdict(1.0).model_copy(update={"figures": figures}),)
        )
    assert project.runs.numbers(RunFilter(measured_min=10.0), "measured") == [6, 4]
    assert project.runs.rows([6])[0].measured == 120.0


def test_an_address_finds_its_instance_and_no_other_that_begins_alike(project):
    for number in (1, 10, 13, 30):
        project.attempts.add(Instance.published("shikaku", number, {}), "{}", Actor.MODEL, "elm")
    for seed, parameters in ((1, {}), (1, {"size": 10}), (11, {})):
        project.attempts.add(Instance.generated("shikaku", seed, parameters), "{}", Actor.MODEL, "elm")
    chosen = {
        text: [row.address for row in project.runs.select(RunFilter(text=text))] for text in ("shikaku:1", "shikaku@1")
    }
    assert chosen["shikaku:1"] == ["shikaku:1"]
    assert [address.partition("?")[0] for address in chosen["shikaku@1"]] == ["shikaku@1", "shikaku@1"]


def test_what_cannot_be_read_is_told_apart_from_what_did_not_pass(project):
    unread = verdict(0.0, failing=["no overlap"]).model_copy(update={"how_read": HowRead.UNREADABLE})
    number = project.attempts.add(DOME, "nothing", Actor.MODEL, "elm", verdicts=(unread,))
    assert project.runs.numbers(RunFilter(is_read=False)) == [number]
    assert project.runs.numbers(RunFilter(passed=False, is_read=True)) == [2]
    assert project.runs.rows([number])[0].is_unread


def test_groups_have_a_count_and_a_mean_of_what_has_a_score(project):
    project.attempts.add(DOME, "{}", Actor.MODEL, "birch")
    groups = {group.key: group for group in project.runs.groups(RunFilter(), "who")}
    assert {key: (group.numbers, group.scored) for key, group in groups.items()} == {
        "Ada": ((1,), 1),
        "birch": ((4, 2), 1),
        "cedar": ((3,), 0),
    }
    assert groups["birch"].mean == pytest.approx(0.4)
    assert groups["cedar"].mean is None


def test_groups_by_instance_come_in_the_order_of_their_numbers(project):
    for number in (10, 9):
        project.attempts.add(Instance.published("shikaku", number, {}), "{}", Actor.MODEL, "elm")
    keys = [group.key for group in project.runs.groups(RunFilter(), "address", "score")]
    assert keys == ["fluid_simulation:3", "lego_hemisphere:0", "shikaku:9", "shikaku:10"]


def test_attempts_cannot_be_grouped_by_anything_else(project):
    with pytest.raises(KeyError):
        project.runs.groups(RunFilter(), "score; DROP TABLE facts")


@pytest.fixture
def judged(project):
    """1 and 2 were judged by a verifier of somebody else's, 2 by two versions of it."""
    project.attempts.add_verdicts(1, [verdict(0.5, "own:theirs")], 0.01)
    project.attempts.add_verdicts(2, [verdict(0.9, "own:theirs")], 0.01)
    newer = verdict(0.25, "own:theirs").model_copy(update={"version": "2"})
    project.attempts.add_verdicts(2, [newer], 0.01)
    return project


def test_rows_hold_what_other_peoples_verifiers_said_last(judged):
    rows = judged.runs.rows([2, 1, 3])
    assert [{name: (own.score, own.version) for name, own in row.own.items()} for row in rows] == [
        {"own:theirs": (0.25, "2")},
        {"own:theirs": (0.5, "1")},
        {},
    ]
    assert judged.runs.own_verifiers() == ["own:theirs"]


def test_a_list_can_be_sorted_by_what_such_a_verifier_gave(judged):
    assert judged.runs.numbers(RunFilter(), "own:theirs", False) == [2, 1, 3]
    assert judged.runs.numbers(RunFilter(), "own:theirs", True) == [1, 2, 3]
    assert sorted(judged.runs.numbers(RunFilter(), "own:it's; DROP TABLE facts", True)) == [1, 2, 3]


def test_scores_of_such_a_verifier_are_of_one_version_and_never_the_defaults(judged):
    newest = judged.runs.scored(verifier="own:theirs")
    first = judged.runs.scored(verifier="own:theirs@1", overrides=False)
    assert dict(zip(newest["attempt"], newest["score"], strict=True)) == {1: None, 2: 0.25, 3: None}
    assert dict(zip(first["attempt"], first["score"], strict=True)) == {1: 0.5, 2: 0.9, 3: None}
    assert judged.runs.judges("own:theirs")["attempt"] == [2]
