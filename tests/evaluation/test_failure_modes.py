"""The judge of failed attempts: whom it judges, what it is shown, how strictly it is read, and the task cards."""

import json

import pytest

from spatial_workbench.engine.core import AnswerError, Check, Verdict, answer_group_of, resolve, task, tasks
from spatial_workbench.engine.core.checks import Problem
from spatial_workbench.engine.core.contract import READABLE
from spatial_workbench.engine.evaluation.failure_modes import (
    DecisionStatus,
    Evidence,
    FailureMode,
    LabelEligibility,
    RuleBroken,
    card_of,
    card_text,
    csv_rows,
    explanation,
    explanation_as_list,
    failure_modes,
    judge,
    judge_settings,
    judgement_schema,
    prompt_text,
    read_judgement,
    select,
    user_text,
)
from spatial_workbench.engine.evaluation.failure_modes.prompt import batches
from spatial_workbench.engine.evaluation.scbench import published
from spatial_workbench.engine.evaluation.scored import Ending, Scored
from spatial_workbench.engine.evaluation.scores import ScoreColumn
from spatial_workbench.engine.models import ErrorKind, ModelError, ModelSettings, ReasoningEffort, Response
from spatial_workbench.engine.models.structured import strict

FAILED = {"score": 0.0, "passed": False, "text_length": 9}


def scored(address="shikaku:0", **rest):
    number = int(address.partition(":")[2])
    fields = {"task": address.partition(":")[0], "address": address, "number": number, "model": "m"}
    return Scored(**(fields | FAILED | rest))


def evidence(address="shikaku:0", output='{"rectangles": []}', reasoning=None, **rest):
    asked_task, instance = resolve(address)
    return Evidence.of(
        scored(address, **rest), asked_task, instance, output, asked_task.verify(instance, output), reasoning=reasoning
    )


def decision(subpass=0, **rest):
    return {
        "subpass": subpass,
        "failure_mode": "Near-Miss Edge Case",
        "confidence": 0.9,
        "justification": "One rectangle is off by one.",
        "evidence_tags": ["off by one"],
    } | rest


def answer(*decisions):
    return json.dumps({"decisions": decisions})


class Scripted:
    """Answers, or raises, as it is told; keeps the questions. The last answer is given for ever."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def ask(self, request, progress=None):
        self.asked.append(request)
        progress(1, 2, "thinking")
        text = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(text, Exception):
            raise text
        return Response(text=text, reasoning="hm", finish_reason="stop", model="judge-1")

    def close(self):
        pass


# Whom it judges ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("item", "selection"),
    [
        (scored(score=0.59), LabelEligibility.SELECTED),
        (scored(score=0.6), LabelEligibility.GOOD_ENOUGH),
        (scored(score=None), LabelEligibility.SELECTED),
        (scored(score=0.0, text_length=0), LabelEligibility.SELECTED),
        (scored(score=None, text_length=None), LabelEligibility.LOST),
        (scored(state=Ending.NOT_ASKED), LabelEligibility.NOT_ASKED),
        (scored(state=Ending.ERROR, error="timeout"), LabelEligibility.ERROR),
    ],
)
def test_failed_attempts_are_selected_and_what_is_no_failure_of_a_model_is_kept_apart(item, selection):
    assert select(item) is selection


def test_an_attempt_without_verifier_output_is_refused():
    asked_task, instance = resolve("shikaku:0")
    with pytest.raises(ValueError, match="no verdict"):
        Evidence.of(scored(), asked_task, instance, "{}", None)


def test_a_score_that_is_good_enough_is_not_selected_and_nobody_is_asked():
    answerer = Scripted(answer(decision()))
    (decided,) = judge(answerer, [evidence(score=0.7)])
    assert (decided.status, decided.label, answerer.asked) == (DecisionStatus.NOT_SELECTED, None, [])


# What it is shown ----------------------------------------------------------------------------------------------------


def test_a_verdict_is_explained_in_plain_text_with_its_first_problems_and_a_count_of_the_rest():
    failed = Check.of("no overlap", (Problem(f"brick {n} overlaps") for n in range(20)))
    verdict = Verdict(
        instance="x:0",
        verifier="default",
        version="1",
        score=0,
        passed=False,
        checks=(Check.of("layer", ()), failed, Check.not_reached("stable")),
        warnings=("late",),
    )
    lines = explanation(verdict).splitlines()
    assert lines[:4] == [
        "Verifier “default”: score 0, failed.",
        "passed: layer",
        "failed: no overlap",
        "  - brick 0 overlaps",
    ]
    assert lines[-3:] == ["  - and 12 more", "not reached: stable", "warning: late"]
    items = explanation_as_list(verdict).splitlines()
    assert items[1:5] == ["", "- passed: layer", "- failed: no overlap", "  - brick 0 overlaps"]
    assert items[-2:] == ["- not reached: stable", "- warning: late"]


def test_pictures_are_replaced_by_a_note():
    asked_task, instance = resolve("cube_full_visual:0")
    assert prompt_text(asked_task, instance).endswith("[1 picture left out]")


def test_a_request_holds_card_output_reasoning_verifier_and_metadata():
    text = user_text([evidence(reasoning="I guessed.", finish_reason="length")])
    parts = (
        "# Task card: Shikaku",
        '> {"rectangles": []}',
        "> I guessed.",
        "failed: every cell covered",
        "ended by: length",
    )
    assert all(part in text for part in parts)


def test_reasoning_that_the_provider_hides_is_said_to_be_hidden():
    assert "### Reasoning\n(not shown by the provider)" in user_text([evidence()])


def test_the_request_depends_on_the_evidence_alone():
    assert user_text([evidence(), evidence("shikaku:1")]) == user_text([evidence(), evidence("shikaku:1")])


@pytest.mark.parametrize("unit", ["x", "\n", "x\n", "# Attempts\n", "> "])
def test_a_long_output_is_cut_in_the_middle_so_that_an_attempt_stays_bounded(unit):
    text = user_text([evidence(output=unit * 200_000, reasoning=unit * 200_000)])
    assert len(text) < 30_000 + len(card_text(task("shikaku"))) + 1000


def test_a_cut_output_keeps_its_beginning_and_its_end():
    text = user_text([evidence(output="begin" + "x" * 50_000 + "end")])
    assert "> begin" in text
    assert "the middle of 50008 characters is left out" in text
    assert "xend\n" in text


def test_no_line_of_an_output_stands_in_the_request_without_its_mark():
    output = "## Attempt, subpass 7\n" * 5000 + "x\u2028## Attempt, subpass 7\r## Attempt, subpass 7"
    text = user_text([evidence(output=output)])
    assert [line for line in text.splitlines() if line.startswith("## Attempt")] == ["## Attempt, subpass 0"]


def test_at_most_five_attempts_of_one_task_share_a_request():
    mixed = [evidence("shikaku:0"), evidence("maze_3d:0")] * 6
    assert batches(mixed) == [(0, 2, 4, 6, 8), (10,), (1, 3, 5, 7, 9), (11,)]


# What it answers -----------------------------------------------------------------------------------------------------


def test_labels_are_spelled_as_published():
    assert {label.value for label in FailureMode} == set(published().failures("gpt-5.2", False).counts)


def test_a_good_answer_is_read_also_out_of_a_code_fence():
    (judged,) = read_judgement(f"Here you are:\n```json\n{answer(decision())}\n```", 1)
    assert (judged.failure_mode, judged.confidence) == (FailureMode.NEAR_MISS, 0.9)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("I cannot say.", "No JSON"),
        ('{"decisions": [', "not JSON"),
        (answer(), "wanted for the subpasses"),
        (answer(decision(1)), "wanted for the subpasses"),
        (answer(decision(), decision()), "wanted for the subpasses"),
        (answer(decision(), decision(1)), "wanted for the subpasses"),
        (answer(decision(-1)), "subpass"),
        (answer(decision(note="x")), "note"),
        (json.dumps({"decisions": [decision()], "summary": ""}), "summary"),
        (answer(decision(failure_mode="near-miss edge case")), "failure_mode"),
        (answer(decision(failure_mode="Local-Only")), "failure_mode"),
        (answer(decision(confidence=1.2)), "confidence"),
        (answer(decision(confidence="0.9")), "confidence"),
        (answer(decision(confidence=float("nan"))), "confidence"),
        (answer(decision(justification="")), "justification"),
        (answer(decision(justification="  ")), "justification"),
        (answer(decision(evidence_tags=["x"] * 9)), "evidence_tags"),
        (answer({"subpass": 0}), "failure_mode"),
    ],
)
def test_an_answer_that_breaks_the_rules_is_refused_with_the_place(text, complaint):
    with pytest.raises(RuleBroken, match=complaint):
        read_judgement(text, 1)


def test_the_schema_for_a_judge_survives_strict_mode():
    schema = strict(judgement_schema())["$defs"]["JudgedAttempt"]
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) == {"subpass", "failure_mode", "confidence", "justification", "evidence_tags"}


# Asking it -----------------------------------------------------------------------------------------------------------


def test_many_missing_and_extra_triangles_are_local_only():
    # The published example of a judgement: Delaunay with 28 points, Claude Sonnet 4.5 without tools.
    fan = json.dumps({"triangles": [[0, n, n + 1] for n in range(1, 27)]})
    sample = evidence("delaunay:5", fan)
    verdict = decision(failure_mode="Local-Only (Global Constraint Integration Failure)")
    (decided,) = judge(Scripted(answer(verdict)), [sample])
    assert (decided.label, decided.confidence, decided.status) == (FailureMode.LOCAL_ONLY, 0.9, DecisionStatus.OK)
    assert "failed: no triangles overlap" in decided.trace.prompt


def test_decisions_come_in_the_order_of_the_attempts_and_repeats_do_not_collide():
    attempts = [evidence(repeat=0), evidence("maze_3d:0", "AB"), evidence(repeat=1)]
    far = decision(1, failure_mode="Evasion / Forfeit")
    decisions = judge(Scripted(answer(far, decision()), answer(decision())), attempts)
    assert [(decided.address, decided.repeat, decided.label) for decided in decisions] == [
        ("shikaku:0", 0, FailureMode.NEAR_MISS),
        ("maze_3d:0", 0, FailureMode.NEAR_MISS),
        ("shikaku:0", 1, FailureMode.EVASION),
    ]


def test_a_broken_answer_is_asked_for_again_with_what_was_wrong():
    answerer = Scripted(answer(decision(confidence=1.2)), answer(decision()))
    (decided,) = judge(answerer, [evidence()])
    assert (decided.status, decided.trace.tries, decided.judge) == (DecisionStatus.OK, 2, "judge-1")
    assert "Your last answer broke the rules: decisions[0].confidence" in answerer.asked[1].text


def test_after_two_retries_all_attempts_of_the_request_are_errors():
    answerer = Scripted(answer(decision()))
    decisions = judge(answerer, [evidence(), evidence("shikaku:1")])
    assert len(answerer.asked) == 3
    assert {(failed.status, failed.label, failed.message) for failed in decisions} == {
        (DecisionStatus.ERROR, None, "Decisions are wanted for the subpasses [0, 1], not [0]")
    }
    assert decisions[0].trace.answer == answer(decision())


def test_an_error_of_the_model_is_an_error_of_the_request_and_the_next_one_is_asked():
    answerer = Scripted(ModelError(ErrorKind.TIMEOUT), answer(decision()))
    decisions = judge(answerer, [evidence(), evidence("maze_3d:0", "AB")])
    assert [decided.status for decided in decisions] == [DecisionStatus.ERROR, DecisionStatus.OK]
    assert decisions[0].message == ErrorKind.TIMEOUT.sentence


def test_a_decision_keeps_what_was_asked_and_answered():
    (decided,) = judge(Scripted(answer(decision())), [evidence(attempt=12)])
    assert (decided.attempt, decided.prompt_version, decided.trace.reasoning) == (12, "spatial-workbench-judge-1", "hm")
    assert type(decided).model_validate_json(decided.model_dump_json()) == decided


def test_progress_counts_decided_attempts():
    reports = []
    judge(Scripted(answer(decision())), [evidence(), evidence("maze_3d:0", "AB")], lambda *now: reports.append(now[:2]))
    assert reports == [(0, 2), (0, 2), (1, 2), (1, 2), (2, 2)]


def test_settings_for_judging():
    base = ModelSettings(name="j", base_url="http://127.0.0.1:1/v1", model="x", tools=True)
    settings = judge_settings(base)
    assert (settings.max_output_tokens, settings.timeout_s, settings.max_tries) == (16384, 180, 3)
    assert (settings.effort, settings.tools) == (ReasoningEffort.MEDIUM, False)


# How failures spread --------------------------------------------------------------------------------------------------


def test_shares_are_of_the_judged_and_what_is_no_failure_is_counted_apart():
    near = FailureMode.NEAR_MISS.value
    lost = {"score": None, "text_length": None}
    items = [
        scored(failure_mode=near),
        scored("shikaku:1", failure_mode=FailureMode.EVASION.value),
        scored("shikaku:2"),
        scored("shikaku:3", score=1.0),
        scored("maze_3d:0", failure_mode=near),
        scored("maze_3d:1", state=Ending.NOT_ASKED),
        scored("maze_3d:2", **lost),
    ]
    modes = failure_modes(items)[ScoreColumn("m", False)]
    assert (modes.judged, modes.share(FailureMode.NEAR_MISS)) == ((3, 4), (2, 3))
    assert modes.apart == {LabelEligibility.NOT_ASKED: 1, LabelEligibility.ERROR: 0, LabelEligibility.LOST: 1}
    assert list(modes.tasks) == ["shikaku", "maze_3d"]
    assert csv_rows(modes)[1:] == [["shikaku", 3, 2, 1, 0, 1, 0, 0], ["maze_3d", 1, 1, 0, 0, 1, 0, 0]]


# Cards ----------------------------------------------------------------------------------------------------------------

SECTIONS = ("Intent", "Output contract", "Hard constraints", "Verifier signals", "Tie-breaks", "To do")


@pytest.mark.parametrize("each_task", tasks(), ids=lambda each_task: each_task.id)
def test_a_card_has_its_sections_and_a_cue_for_each_label(each_task):
    card = card_of(each_task)
    text = card_text(each_task)
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == list(SECTIONS)
    assert text.startswith(f"# Task card: {each_task.title} ({each_task.id})")
    assert set(card.tie_breaks) == set(FailureMode)
    assert card.malformed


def checks_of_a_solution(solved_task):
    instance = solved_task.instances()[0]
    return {check.name for check in solved_task.verify(instance, solved_task.solve(instance)).checks}


def checks_of_empty_answers(asked_task):
    """The names of all checks that the verifiers make on the published instances."""
    shown = (
        asked_task.instances()[:1] if answer_group_of(asked_task, asked_task.instances()[0]) else asked_task.instances()
    )
    if asked_task.id == "fluid_simulation":
        # Only generated worlds limit the operations.
        shown = [*shown, asked_task.generate(1, limit="loose")]
    verdicts = (
        asked_task.verify(instance, asked_task.empty(instance), name)
        for instance in shown
        for name in asked_task.verifiers()
    )
    return {check.name for verdict in verdicts for check in verdict.checks}


SLOW = {"interlocking_parts", "terrain_levelling"}


@pytest.mark.parametrize(
    "each_task", [pytest.param(t, id=t.id, marks=[pytest.mark.slow] if t.id in SLOW else []) for t in tasks()]
)
def test_every_check_of_a_solution_is_a_signal_of_the_card(each_task):
    names = checks_of_a_solution(each_task) | {READABLE}
    assert {name for name in names if card_of(each_task).signal_of(name) is None} == set()


@pytest.mark.parametrize("each_task", tasks(), ids=lambda each_task: each_task.id)
def test_signals_and_the_checks_of_the_verifiers_are_the_same(each_task):
    names = checks_of_empty_answers(each_task)
    card = card_of(each_task)
    assert {name for name in names if card.signal_of(name) is None} == set()
    assert [signal.check for signal in card.signals if not any(map(signal.names, names))] == []


@pytest.mark.parametrize("each_task", tasks(), ids=lambda each_task: each_task.id)
def test_checks_of_other_verifiers_are_no_constraints(each_task):
    instance = each_task.instances()[0]
    names = {check.name for check in each_task.verify(instance, each_task.empty(instance)).checks}
    foreign = [signal for signal in card_of(each_task).signals if signal.verifier != "default"]
    assert not any(signal.names(name) for signal in foreign for name in names)


def test_what_the_request_says_itself_never_bears_the_mark_of_quotations():
    assert not any(line.startswith("> ") for known in tasks() for line in card_text(known).splitlines())


def test_an_answer_that_cannot_be_read_has_a_signal_for_every_task():
    with pytest.raises(AnswerError):
        task("shikaku").parse("no")
    assert all(READABLE in card_text(known) for known in tasks())
