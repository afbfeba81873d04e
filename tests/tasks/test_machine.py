"""Machines as tasks: reading answers, validity, scores, references, and drawings."""

import json

import pytest

from spatial_workbench.engine.core import AnswerError
from spatial_workbench.engine.core.checks import State
from spatial_workbench.engine.core.registry import resolve, task
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.machines.building.positions import write_positions
from spatial_workbench.engine.machines.building.spatial import spatial_faults
from spatial_workbench.engine.machines.building.tree import read_tree, write_tree
from spatial_workbench.engine.machines.building.wording import block_list
from spatial_workbench.engine.machines.levels.catalogue import levels
from spatial_workbench.engine.machines.levels.level import read_level, write_level
from spatial_workbench.engine.machines.levels.references import references
from spatial_workbench.engine.tasks.machine import MachineAnswer
from tests.sweeps import some

pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")

EXAMPLES = {
    row["name"]: row["tree"] for row in json.loads(resource("machines", "examples.json").read_text("utf-8"))["machines"]
}
CAR = EXAMPLES["four_wheel_car"]
CATAPULT = EXAMPLES["rotating_block_catapult"]
KINDS = ("machine_movement", "machine_throw", "machine_delivery", "machine_pick")
ROOT = {"type": 0, "id": 0, "parent": -1, "face_id": -1}


def verdict_of(address, raw, verifier="default"):
    judge, instance = resolve(address)
    return judge.verify(instance, raw, verifier)


def state_of(verdict, name):
    return next(check.state for check in verdict.checks if check.name == name)


# Instances -----------------------------------------------------------------------------------------------------------


def test_the_published_instances_are_the_levels_in_order():
    names = [instance.parameters["level"] for kind in KINDS for instance in task(kind).instances()]
    assert names == list(levels())


@pytest.mark.parametrize(
    ("number", "level", "digest"),
    [
        (5, "D6", "851f541134f24ad2bac603e28ebde8b654d87d494387a9e06f8e046fddcb7cc5"),
        (6, "D7", "f0b69e920b959d5050f1b223bc7f65e984618e838afb690b2c3c6994c71e2ee2"),
        (14, "D6-15", "82e2ac4212e579e2f1fb2c3dcb0d5d7de99c1c21774b710173264e8c319690fc"),
        (15, "D7-15", "7c25a0f3e9446ce2b024f8d7b7341e53b7953dd4bd49fdedd279c24763fcadc5"),
    ],
)
def test_the_addresses_of_the_platforms_keep_their_prompts_to_the_byte(number, level, digest):
    instance = task("machine_delivery").instances()[number]
    assert instance.parameters == {"level": level}
    assert task("machine_delivery").prompt(instance).digest == digest


@pytest.mark.parametrize("kind", KINDS)
def test_equal_seeds_give_equal_levels(kind):
    first, second = (task(kind).generate(3) for _ in range(2))
    assert first == second
    assert first != task(kind).generate(4)


def test_a_level_survives_being_written():
    for level in levels().values():
        assert read_level(json.loads(json.dumps(write_level(level)))) == level


@pytest.mark.parametrize("kind", KINDS)
def test_the_prompt_holds_the_blocks_of_the_level_and_the_form(kind):
    for instance in task(kind).instances()[:2]:
        text = task(kind).prompt(instance).text
        assert block_list(levels()[instance.parameters["level"]].types) in text
        assert '"face_id": F' in text


def test_the_prompt_of_the_low_level_names_its_limit():
    assert "5 m high" in task("machine_throw").prompt(task("machine_throw").instances()[11]).text


# Answers -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        json.dumps(CAR),
        f"<cot>A car.</cot>\nIt has wheels.\n```json\n{json.dumps(CAR)}\n```\nDone.",
        str(CAR),
        {"reasoning": "wheels", "blocks": CAR},
        [{"id": r["type"], "order_id": r["id"], "parent": r["parent"], "bp_id": r["face_id"]} for r in CAR],
        write_positions(read_tree(CAR).tree),
        [{name: str(value) for name, value in row.items()} for row in CAR],
    ],
    ids=["JSON", "fenced", "Python", "with reasoning", "reference naming", "global positions", "numeric text"],
)
def test_a_machine_is_read_in_every_form(raw):
    tree = task("machine_movement").parse(raw).reading.tree
    assert [entry.type for entry in tree] == [row["type"] for row in CAR]


@pytest.mark.parametrize("raw", ["[{'type': 0 / root\n}]", '[{"type": 0}, {"type": 1} {"type": 2}]', "a car", "", "7"])
def test_text_that_is_no_data_is_refused(raw):
    with pytest.raises(AnswerError):
        task("machine_movement").parse(raw)


FAULTS = {
    "NOT_A_LIST": [],
    "BAD_KEYS": [{"type": 0, "id": 0}],
    "BAD_NUMBER": [{**ROOT, "type": "zero"}],
    "BAD_ID": [{**ROOT, "id": 1}],
    "BAD_ROOT": [{**ROOT, "type": 1}],
    "SECOND_ROOT": [ROOT, {"type": 0, "id": 1, "parent": 0, "face_id": 0}],
    "UNKNOWN_TYPE": [ROOT, {"type": 99, "id": 1, "parent": 0, "face_id": 0}],
    "BAD_PARENT": [ROOT, {"type": 1, "id": 1, "parent": 1, "face_id": 0}],
    "PARENT_INVALID": [
        ROOT,
        {"type": 99, "id": 1, "parent": 0, "face_id": 0},
        {"type": 1, "id": 2, "parent": 1, "face_id": 0},
    ],
    "NO_SUCH_FACE": [ROOT, {"type": 1, "id": 1, "parent": 0, "face_id": 6}],
    "LINEAR_MISMATCH": [ROOT, {"type": 7, "id": 1, "parent": 0, "face_id": 0}],
}


@pytest.mark.parametrize("code", FAULTS)
def test_a_broken_rule_of_files_is_named_with_its_code(code):
    verdict = verdict_of("machine_movement:0", FAULTS[code])
    assert (verdict.score, verdict.passed) == (0, False)
    assert any(code in problem.message for problem in verdict.checks[0].problems)
    assert verdict.figure("file validity") == 0
    assert "spatial validity" not in {figure.name for figure in verdict.figures}


SPACE = {
    "FACE_OCCUPIED": [*CAR, {"type": 15, "id": 7, "parent": 0, "face_id": 0}],
    "OVERLAP": [
        *CAR,
        {"type": 15, "id": 7, "parent": 0, "face_id": 2},
        {"type": 15, "id": 8, "parent": 7, "face_id": 1},
    ],
}
SPACE["OVERLAP"] += [{"type": 15, "id": 9, "parent": 1, "face_id": 1}]


@pytest.mark.parametrize("code", SPACE)
def test_a_broken_rule_of_space_is_named_and_nothing_is_simulated(code):
    verdict = verdict_of("machine_movement:0", SPACE[code])
    assert any(code in problem.message for check in verdict.checks for problem in check.problems)
    assert state_of(verdict, "the simulation runs to its end") is State.NOT_REACHED
    assert (verdict.figure("file validity"), verdict.figure("machine validity")) == (1, 0)


def test_the_low_level_refuses_a_machine_that_the_others_take():
    assert verdict_of("machine_throw:11", CATAPULT).checks[3].problems[0].message.endswith("(SIZE)")


@pytest.mark.parametrize(
    "rows",
    [
        [ROOT] * 10_000,
        [{**ROOT, "type": 10**400}],
        [{**ROOT, "type": float("nan")}],
        [{**ROOT, "parent": None}],
        [ROOT, {"type": 1, "id": 1, "parent": 2, "face_id": 0}, {"type": 1, "id": 2, "parent": 1, "face_id": 0}],
    ],
    ids=["10,000 blocks", "a huge number", "NaN", "null", "parents in a circle"],
)
def test_a_hopeless_list_gets_a_verdict_with_a_message(rows):
    verdict = verdict_of("machine_throw:1", rows)
    assert verdict.score == 0
    assert verdict.checks[0].message


# Scores --------------------------------------------------------------------------------------------------------------


def test_the_example_car_reaches_the_reference_on_the_flat_level():
    verdict = verdict_of("machine_movement:0", CAR)
    assert (verdict.score, verdict.passed) == (1, True)
    assert verdict.figure("distance") == pytest.approx(43.86, rel=0.03)
    assert verdict.figure("times the reference machine") == pytest.approx(1, abs=0.01)


def test_rolling_counts_by_default_and_not_for_the_landing():
    default, landing = (verdict_of("machine_throw:1", CATAPULT, name) for name in ("default", "landing"))
    assert default.figure("distance") == pytest.approx(47.3, rel=0.03)
    assert landing.figure("R") == pytest.approx(252, rel=0.06)
    assert default.passed
    assert landing.passed


def test_a_backward_throw_scores_nothing_and_says_what_broke():
    verdict = verdict_of("machine_throw:1", EXAMPLES["published_layered_catapult"])
    assert (verdict.score, verdict.passed) == (0, False)
    assert any(warning.startswith("Block 7, Wooden Block, broke off") for warning in verdict.warnings)


def test_odd_blocks_are_warned_about():
    rows = [*CAR, {"type": 36, "id": 7, "parent": 0, "face_id": 4}]
    assert "Not meant for this level: Boulder" in verdict_of("machine_movement:0", rows).warnings
    assert "The machine has no boulder." in verdict_of("machine_throw:1", CAR).warnings


def test_a_machine_on_which_the_engine_loses_control_scores_nothing(monkeypatch):
    from spatial_workbench.engine.physics import machine_run

    monkeypatch.setattr(machine_run, "FASTEST_M_S", 0.5)
    trace = machine_run.simulate(read_tree(CAR).tree, levels()["M1"])
    assert "lost control" in trace.fault
    from spatial_workbench.engine.machines.results.scoring import score_of

    assert score_of(levels()["M1"], read_tree(CAR).tree, trace).reward == 0


def test_the_crosscheck_agrees_on_the_examples():
    judge = task("machine_movement")
    verdict, other = (
        method(judge.instances()[0], MachineAnswer.of(read_tree(CAR).tree))
        for method in (judge.verify, judge.crosscheck)
    )
    assert not verdict.disagrees_with(other, judge.score_tolerance)


def test_the_crosscheck_says_if_only_the_way_after_the_landing_depends_on_the_step():
    """Where the quarter-pipe of T7 begins, the boulder lands alike, and bounces elsewhere."""
    judge, instance = resolve("machine_throw:6")
    answer = judge.solve(instance)
    verdict, other = judge.verify(instance, answer), judge.crosscheck(instance, answer)
    assert verdict.disagrees_with(other, judge.score_tolerance)
    assert any("how the boulder bounces and rolls" in warning for warning in other.warnings)
    levelled = judge.crosscheck(judge.instances()[5], answer)
    assert not any("bounces" in warning for warning in levelled.warnings)


@pytest.mark.parametrize("code", SPACE)
def test_the_crosscheck_finds_the_same_faults_of_space(code):
    judge = task("machine_movement")
    assert judge.crosscheck(judge.instances()[0], SPACE[code]).score == 0


# References ----------------------------------------------------------------------------------------------------------

OUT_OF_REACH = {"T8", "T9", "T10", "T11"}


def test_every_level_has_a_valid_reference_machine():
    for name, level in levels().items():
        assert not spatial_faults(references()[name].tree, level.size_limits)
        assert (references()[name].rewards["default"] > 0) == (name not in OUT_OF_REACH)


@pytest.mark.parametrize("address", ["machine_throw:12", "machine_throw:13", "machine_delivery:9", "machine_pick:0"])
def test_a_reference_machine_passes_its_level(address):
    judge, instance = resolve(address)
    verdict = judge.verify(instance, judge.solve(instance))
    assert verdict.passed
    assert verdict.score == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize("address", ["machine_pick:0", "machine_pick:1"])
def test_a_machine_that_picks_up_its_stone_does_so_by_the_cross_check_too(address):
    judge, instance = resolve(address)
    answer = judge.solve(instance)
    verdict = judge.verify(instance, answer)
    assert verdict.passed
    assert not verdict.disagrees_with(judge.crosscheck(instance, answer), judge.score_tolerance)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_every_reference_machine_is_worth_what_is_stored():
    for kind in KINDS:
        for instance in some(task(kind).instances()):
            verdict = task(kind).verify(instance, task(kind).solve(instance))
            stored = references()[instance.parameters["level"]].rewards["default"]
            assert verdict.figure("R") == pytest.approx(stored, rel=0.03, abs=0.01)


# Drawings ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_every_level_is_drawn(kind):
    for instance in task(kind).instances():
        scene = task(kind).scene(instance, task(kind).solve(instance))
        assert "block 0" in set(scene.ids())


def test_a_simulated_machine_is_drawn_as_it_moved():
    judge = task("machine_delivery")
    instance = judge.instances()[0]
    answer = judge.solve(instance)
    scene = judge.scene(instance, answer, judge.verify(instance, answer))
    assert len(scene.frames) == 181
    assert scene.frames[30].time == pytest.approx(0)
    start, end = (scene.at(k).item("blocks").positions[0] for k in (30, 180))
    assert end[1] - start[1] > 30
    assert scene.at(180).item("balls").positions[0][1] > 40


def test_a_block_whose_connection_broke_is_red_from_then_on():
    judge = task("machine_throw")
    instance = judge.instances()[1]
    answer = judge.parse(EXAMPLES["published_layered_catapult"])
    scene = judge.scene(instance, answer, judge.verify(instance, answer))
    colors = [scene.at(k).item("blocks").colors[7] for k in (30, 180)]
    assert colors[0] != "failed" == colors[1]


def test_a_machine_that_cannot_be_read_is_drawn_as_its_level():
    judge = task("machine_movement")
    scene = judge.scene(judge.instances()[0], judge.parse([{**ROOT, "type": 1}]))
    assert "block 0" not in set(scene.ids())


def test_a_tree_survives_being_an_answer():
    tree = read_tree(CATAPULT).tree
    answer = MachineAnswer.of(tree)
    assert answer.reading.tree == tree
    assert task("machine_throw").parse(task("machine_throw").format(answer)) == answer
    assert write_tree(answer.reading.tree) == [dict(row) for row in answer.blocks]


# Parameters ----------------------------------------------------------------------------------------------------------


def with_parameters(rows, kind, **parameters):
    return [row | {"parameters": parameters} if row["type"] == kind else row for row in rows]


def test_parameters_do_not_count_in_published_levels_and_the_verdict_says_so():
    plain = verdict_of("machine_movement:0", CAR)
    faster = verdict_of("machine_movement:0", with_parameters(CAR, 2, speed=4, key="W"))
    assert [figure.value for figure in faster.figures] == [figure.value for figure in plain.figures]
    assert "The parameter “speed” does not count in this level and was ignored: block 3, 4, 5, 6" in faster.warnings
    assert not any("key" in warning for warning in faster.warnings)
    assert faster.details["trace"] == plain.details["trace"]
