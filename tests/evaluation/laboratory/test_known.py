"""The known differences between verifiers: each is shown by its example, and told by the task's page."""

import json
import re

import pytest

from spatial_workbench.engine.core import Check, Instance, State, Verdict, resolve
from spatial_workbench.engine.core.registry import tasks
from spatial_workbench.engine.evaluation.laboratory import KnownDifference, known_differences, recognised
from spatial_workbench.engine.evaluation.laboratory.known import DifferenceSignature, differences_of_rules
from tests.sweeps import some

KNOWN = [(task.id, known) for task in tasks() for known in known_differences(task.id)]
SLOW = ("terrain_levelling", "interlocking_parts", "fluid_simulation", "machine_")
QUICK = [(task, known) for task, known in KNOWN if not task.startswith(SLOW)]
LONG = [(task, known) for task, known in KNOWN if task.startswith(SLOW)]


def named(value: object) -> str:
    return value.id if isinstance(value, KnownDifference) else str(value)


def shows(known: KnownDifference) -> bool:
    """Whether the example is judged differently, and the difference recognised as this one and no other."""
    task, instance = resolve(known.example.address)
    answer = known.example.answer
    default = task.verify(instance, answer)
    is_crosscheck = known.verifier == "crosscheck"
    other = task.crosscheck(instance, answer) if is_crosscheck else task.verify(instance, answer, known.verifier)
    return [each.id for each in recognised(instance.address, answer, (default, other))] == [known.id]


@pytest.mark.parametrize(("task", "known"), QUICK, ids=named)
def test_the_example_shows_its_difference_and_no_other(task: str, known: KnownDifference) -> None:
    assert shows(known)


@pytest.mark.parametrize(("task", "known"), some(LONG, 3), ids=named)
def test_the_example_of_a_simulation_shows_its_difference_and_no_other(task: str, known: KnownDifference) -> None:
    assert shows(known)


@pytest.mark.parametrize("task", sorted({task for task, _ in KNOWN}))
def test_the_page_of_the_task_lists_the_same_differences(task: str) -> None:
    """Tasks that share a page share its table."""
    page = next(each for each in tasks() if each.id == task).rules()
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| (\w+) \| (.+) \|$", page.partition("## Known differences")[2], re.M)
    sharing = [each.id for each in tasks() if each.rules() == page]
    listed = [(known.id, known.verifier, known.says) for each in sharing for known in known_differences(each)]
    assert sorted(rows) == sorted(set(listed))


def test_every_published_verifier_that_differs_is_listed() -> None:
    listed = {(task, known.verifier) for task, known in KNOWN}
    with_others = {(task.id, name) for task in tasks() for name in task.verifiers() if name != "default"}
    # Its key is compared as a set of labels, by which nothing in a published instance differs.
    unlisted = {("topology_enumeration", "published")}
    # These tasks have the verifiers of all machine tasks, which differ where something is thrown or drives.
    unlisted |= {
        (task, name) for task in ("machine_delivery", "machine_pick") for name in ("landing", "reference_reward")
    }
    unlisted.add(("machine_movement", "landing"))
    assert with_others - {pair for pair in listed if pair[1] != "crosscheck"} == unlisted


def test_a_task_of_another_package_has_no_known_differences() -> None:
    assert known_differences("theirs") == ()


def verdict(passed: bool, *failed: str, message: str = "") -> Verdict:
    checks = tuple(Check(name=name, state=State.FAILED, message=message) for name in failed)
    return Verdict(instance="x:0", verifier="published", version="1", score=float(passed), passed=passed, checks=checks)


@pytest.mark.parametrize(
    ("signature", "fits"),
    [
        ({}, True),
        ({"more": "other"}, True),
        ({"more": "default"}, False),
        ({"default_fails": "overlaps"}, True),
        ({"default_fails": "form"}, False),
        ({"other_fails": "overlaps"}, False),
        ({"says": r"by \d mm"}, True),
        ({"says": "by a mile"}, False),
        ({"addresses": ("x:0",)}, True),
        ({"addresses": ("x:1",)}, False),
        ({"answer": "1.5"}, True),
        ({"answer": "2.5"}, False),
    ],
)
def test_a_signature_fits_if_all_that_it_asks_for_holds(signature: dict[str, object], fits: bool) -> None:
    instance = Instance.published("x", 0, {})
    default = verdict(False, "overlaps", message="Bricks overlap by 3 mm")
    assert DifferenceSignature.model_validate(signature).fits(instance, "[1.5]", default, verdict(True)) is fits


def test_a_signature_may_ask_for_near_scores_and_parameters() -> None:
    _, instance = resolve("two_segments:2")
    low = Verdict(instance=instance.address, verifier="default", version="1", score=0.95, passed=False, checks=())
    full = Verdict(instance=instance.address, verifier="crosscheck", version="1", score=1, passed=True, checks=())
    assert DifferenceSignature(least=0.94, within=0.06).fits(instance, "", low, full)
    assert not DifferenceSignature(least=0.96).fits(instance, "", low, full)
    assert not DifferenceSignature(within=0.01).fits(instance, "", low, full)
    assert DifferenceSignature(parameters='"frame":"explicit"').fits(instance, "", low, full)
    assert not DifferenceSignature(parameters='"frame":"unit"').fits(instance, "", low, full)


def test_what_the_cross_check_cannot_tell_is_no_difference_of_rules() -> None:
    assert "near-95-percent" in [known.id for known in known_differences("csg_union")]
    assert "near-95-percent" not in [known.id for known in differences_of_rules("csg_union")]


def test_a_cover_with_an_open_seam_that_cells_cannot_show_is_known() -> None:
    task, instance = resolve("tetrahedra_shadow:3")
    answer = json.loads(task.format(task.solve(instance)))
    answer["tetrahedrons"][0]["y"] -= 1e-7
    text = json.dumps(answer)
    default, other = task.verify(instance, text), task.crosscheck(instance, text)
    assert (default.passed, other.passed) == (False, True)
    assert [known.id for known in recognised(instance.address, text, (default, other))] == ["counted-cells"]


def test_a_car_that_moves_with_one_time_step_only_is_known() -> None:
    blocks = [(0, -1, -1), (1, 0, 2), (2, 1, 1)]
    names = ("type", "parent", "face_id")
    listed = [dict(zip(names, block, strict=True)) | {"id": number} for number, block in enumerate(blocks)]
    task, instance = resolve("machine_movement:2")
    text = json.dumps({"blocks": listed})
    default, other = task.verify(instance, text), task.crosscheck(instance, text)
    assert (default.passed, other.passed) == (True, False)
    assert [known.id for known in recognised(instance.address, text, (default, other))] == ["half-the-time-step"]
