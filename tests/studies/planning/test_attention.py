"""Attention items: easy instances of the plan's own tasks, each met once."""

import pytest

from spatial_workbench.engine.core import resolve, task
from spatial_workbench.engine.studies.planning.attention import EASY, attention_address
from tests.sweeps import some


def task_of(address):
    return resolve(address)[0].id


@pytest.mark.parametrize("task_id", sorted(EASY))
def test_each_task_with_easy_instances_finds_one_like_its_own_that_its_solution_passes(task_id):
    published = [instance.address for instance in task(task_id).instances()[:3]]
    chosen, instance = resolve(attention_address(published))
    assert chosen.id == task_id
    assert chosen.verify(instance, chosen.solve(instance)).score == 1
    assert chosen.question_key(instance) not in {chosen.question_key(resolve(address)[1]) for address in published}


@pytest.mark.parametrize("task_id", some(sorted(EASY)))
def test_every_easy_instance_can_be_made_and_solved(task_id):
    for address in EASY[task_id](task(task_id).instances()):
        chosen, instance = resolve(address)
        assert chosen.verify(instance, chosen.solve(instance)).score == 1, address


def test_it_is_of_the_task_that_the_main_items_are_most_of():
    assert task_of(attention_address(["shikaku:0", "pipe_loop:0", "pipe_loop:1"])) == "pipe_loop"


def test_several_are_of_all_tasks_in_turn():
    main = ["shikaku:0", "pipe_loop:0", "pipe_loop:1", "csg_union:3"]
    added = []
    for _ in range(4):
        added.append(attention_address(main, added))
    assert [task_of(address) for address in added] == ["pipe_loop", "shikaku"] * 2
    assert len(set(added)) == 4


@pytest.mark.parametrize(
    ("main", "size"),
    [("hamiltonian_loop@3?blocked=4&height=6&width=8", (6, 8)), ("hamiltonian_loop@3?height=20&width=20", (8, 8))],
)
def test_a_loop_is_as_large_as_those_of_the_plan_up_to_eight_by_eight(main, size):
    _, instance = resolve(attention_address([main]))
    assert (instance.parameters["height"], instance.parameters["width"]) == size
    assert not instance.parameters["blocked"]


def test_an_instance_that_asks_the_same_under_another_address_is_not_drawn():
    """The published loop 0 is the grid of 4 × 4 cells without obstacles, whatever seed it has otherwise."""
    address = attention_address(["hamiltonian_loop:1"], others=["hamiltonian_loop:0"])
    asked = [task("hamiltonian_loop").prompt(resolve(one)[1]).text for one in (address, "hamiltonian_loop:0")]
    assert asked[0] != asked[1]


@pytest.mark.parametrize(
    ("main", "expected"),
    [
        ("cube_face_view:7", "cube_full_visual"),
        ("classify_behaviour:0", "two_segments"),
        ("fluid_simulation:0", "hamiltonian_loop"),
        ("machine_throw:0", "hamiltonian_loop"),
        ("no_such_task:0", "hamiltonian_loop"),
    ],
)
def test_a_task_without_easy_instances_has_one_of_its_kind_or_a_loop(main, expected):
    assert task_of(attention_address([main])) == expected


def test_a_plan_without_items_has_a_small_loop():
    assert task_of(attention_address([])) == "hamiltonian_loop"


def test_a_generated_cube_is_not_drawn_again_to_compare_it(monkeypatch):
    monkeypatch.setattr(type(task("cube_full_visual")), "generate", None)
    assert attention_address(["cube_full_visual@7?depth=9"]) == "cube_full_visual:0"
