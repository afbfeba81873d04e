"""The environments: what Gymnasium asks of them, and that their actions mean what the tasks' own rules say."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env, data_equivalence  # noqa: E402

import spatial_workbench as sw  # noqa: E402
from spatial_workbench.engine.machines.building.edits import apply_lines  # noqa: E402
from spatial_workbench.engine.tasks.lego_hemisphere.editing import propose  # noqa: E402
from spatial_workbench.engine.tasks.lego_hemisphere.placement import Placement  # noqa: E402
from spatial_workbench.environments import ENVIRONMENTS, NAMESPACE  # noqa: E402

SMALL = {
    "Cube-v0": {"depth": 2},
    "HyperSnake-v0": {"size": "4,4"},
    "MazeDrawing-v0": {"size": 6},
    "FluidEarthworks-v0": {"size": 8, "goal": "surface"},
    "LegoBuilding-v0": {"inner_mm": 40, "outer_mm": 70},
    "MachineEditing-v0": {"max_blocks": 6},
    "MachineEditing-v1": {"max_blocks": 6, "edits": 4, "outlook_s": 0.2},
}
ADDRESSES = {
    "Cube-v0": "cube_full_symbolic:0",
    "HyperSnake-v0": "hyper_snake:0",
    "MazeDrawing-v0": "maze_3d:0",
    "FluidEarthworks-v0": "fluid_simulation:0",
    "LegoBuilding-v0": "lego_hemisphere:0",
    "MachineEditing-v0": "machine_throw:0",
    "MachineEditing-v1": "machine_movement:0",
}
OTHER_ADDRESSES = {
    "Cube-v0": "cube_full_symbolic:1",
    "MachineEditing-v0": "machine_throw:1",
    "MachineEditing-v1": "machine_movement:1",
}


SLOW = [pytest.param(name, marks=pytest.mark.slow) if "Machine" in name else name for name in ENVIRONMENTS]
CHECKED = [pytest.param(name, marks=pytest.mark.slow) if name != "LegoBuilding-v0" else name for name in ENVIRONMENTS]
"""The checker of Gymnasium plays for seconds."""


def make(name, **arguments):
    return gymnasium.make(f"{NAMESPACE}/{name}", **arguments)


def episode(environment, seed, steps):
    """What an agent sees that chooses at random among the possible actions."""
    rng = np.random.default_rng(seed)
    observation, info = environment.reset(seed=seed)
    seen = [(observation, info)]
    for _ in range(steps):
        size = environment.action_space
        mask = info.get("action_mask")
        action = rng.integers(size.nvec) if mask is None and hasattr(size, "nvec") else rng.choice(possible(size, mask))
        *rest, info = environment.step(action)
        seen.append((*rest, info))
        if rest[2] or rest[3]:
            break
    return seen


def possible(space, mask):
    return np.flatnonzero(np.ones(space.n) if mask is None else mask)


@pytest.mark.parametrize("name", CHECKED)
@pytest.mark.filterwarnings("ignore:.*not within the observation space:DeprecationWarning")
def test_gymnasium_finds_no_fault_with_an_environment(name):
    check_env(make(name, render_mode="rgb_array", **SMALL[name]).unwrapped)


@pytest.mark.parametrize("name", SLOW)
def test_equal_seeds_and_actions_give_equal_episodes(name):
    first, second = (episode(make(name, **SMALL[name]), 5, 6) for _ in range(2))
    assert data_equivalence(first, second)


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_other_seeds_give_other_instances(name):
    environment = make(name, **(SMALL[name] if name != "LegoBuilding-v0" else {}))
    addresses = {environment.reset(seed=seed)[1]["address"] for seed in (1, 2)}
    assert len(addresses) == 2


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_an_address_gives_the_same_instance_in_every_episode(name):
    environment = make(name, address=ADDRESSES[name])
    addresses = [environment.reset(seed=seed)[1]["address"] for seed in (1, 2)]
    assert addresses == [ADDRESSES[name]] * 2


@pytest.mark.parametrize("name", SLOW)
def test_rewards_add_up_to_the_score_of_the_answer(name):
    environment = make(name, **SMALL[name])
    (_, begun), *steps = episode(environment, 3, 8)
    score = begun["verdict"]["score"] + sum(step[1] for step in steps)
    assert score == pytest.approx(steps[-1][-1]["verdict"]["score"])
    judged = sw.verify(steps[-1][-1]["address"], environment.unwrapped.answer())
    assert judged.score == pytest.approx(score)


@pytest.mark.parametrize("name", ["HyperSnake-v0", "MazeDrawing-v0", "LegoBuilding-v0", "MachineEditing-v0"])
def test_an_action_that_the_mask_excludes_changes_nothing_and_says_why(name):
    environment = make(name, **SMALL[name])
    observation, info = environment.reset(seed=1)
    action = int(np.flatnonzero(info["action_mask"] == 0)[0])
    after, reward, ended, _, told = environment.step(action)
    assert data_equivalence(observation, after)
    assert (reward, ended) == (0, False)
    assert told["refused"]


def test_the_turn_that_solves_the_cube_is_rewarded():
    environment = make("Cube-v0", depth=1)
    _, info = environment.reset(seed=1)
    inner = environment.unwrapped
    turns = sw.solve(info["address"]).moves
    meanings = [inner.meaning(action) for action in range(inner.action_space.n)]
    steps = [environment.step(meanings.index(turn)) for turn in turns]
    assert [step[1] for step in steps] == [0.0] * (len(turns) - 1) + [1.0]
    assert steps[-1][2]


def test_the_reference_maze_can_be_drawn():
    environment = make("MazeDrawing-v0", address="maze_3d:0")
    observation, _ = environment.reset()
    rows = sw.solve("maze_3d:0").maze.split()
    size = len(observation["heights"])
    for place, letter in enumerate("".join(rows)):
        if letter.isdigit():
            _, reward, ended, *_ = environment.step(place * 10 + int(letter))
    assert size == len(rows)
    assert (reward, ended) == (1.0, True)


def test_a_dug_pit_fills_with_water():
    environment = make("FluidEarthworks-v0", size=8, goal="surface")
    environment.reset(seed=1)
    observation, *_ = environment.step(np.array([2, 2, 2, 5, 5, 2, 0]))
    assert observation["water"][2:6, 2:6, 2].all()
    assert observation["meters"][0, 0] == 16


@pytest.mark.slow
def test_a_brick_is_possible_where_the_editor_allows_it():
    environment = make("LegoBuilding-v0", **SMALL["LegoBuilding-v0"]).unwrapped
    rng = np.random.default_rng(2)
    environment.reset(seed=1)
    for _ in range(25):
        environment.step(rng.choice(np.flatnonzero(environment.action_mask())))
    placement = Placement(environment._begun, environment.answer().bricks)
    mask = environment.action_mask()
    for action in rng.integers(len(mask), size=400).tolist() + rng.choice(np.flatnonzero(mask), 100).tolist():
        brick = environment._brick(action)
        allowed = not propose(placement, [[*brick.Centroid, brick.RotationDegrees]]).problems
        assert allowed == bool(mask[action]), environment.meaning(action)


def test_an_edit_is_possible_where_the_rules_of_machines_allow_it():
    environment = make("MachineEditing-v0", **SMALL["MachineEditing-v0"]).unwrapped
    environment.reset(seed=1)
    environment._change(sw.solve("machine_movement:0").reading.tree[:5])
    mask = environment.action_mask()
    types = environment._level.types
    for action in range(len(mask)):
        command = environment._command(action)
        kind = getattr(command, "type", None)
        if kind in (7, 9) or (kind is not None and kind not in types):
            continue
        edited = apply_lines(environment._tree, [str(command)], environment._level.size_limits)
        assert edited.is_complete == bool(mask[action]), str(command)


def test_a_brace_takes_two_actions():
    environment = make("MachineEditing-v0", address="machine_throw:0").unwrapped
    environment.reset()
    environment._change(sw.solve("machine_movement:0").reading.tree[:3])
    brace = next(a for a in np.flatnonzero(environment.action_mask()) if "[7]" in environment.meaning(a)[:8])
    assert environment.step(brace)[0]["pending"][0] == 7
    observation, *_ = environment.step(np.flatnonzero(environment.action_mask())[0])
    assert (observation["blocks"][3, 0], observation["pending"][0]) == (7, -1)


def test_a_machine_that_drives_is_rewarded():
    blocks = list(sw.solve("machine_movement:0").blocks)
    environment = make("MachineEditing-v0", address="machine_movement:0", machine=blocks[:-1])
    _, info = environment.reset()
    last = blocks[-1]
    names = (last["type"], last["parent"], last["face_id"])
    add = "Add [{}] to [{}] in [{}]".format(*names)
    inner = environment.unwrapped
    action = next(a for a in np.flatnonzero(info["action_mask"]) if inner.meaning(a) == add)
    _, reward, *_, info = environment.step(action)
    assert info["verdict"]["score"] == pytest.approx(1)
    assert reward == pytest.approx(1 - (info["verdict"]["score"] - reward))


def test_an_episode_of_some_edits_is_judged_at_its_end_over_the_horizon():
    blocks = list(sw.solve("machine_movement:0").blocks)
    chosen = {"machine": blocks[:-1], "edits": 2, "horizon_s": 0.5}
    environment = make("MachineEditing-v0", address="machine_movement:0", **chosen)
    _, info = environment.reset()
    last = blocks[-1]
    add = f"Add [{last['type']}] to [{last['parent']}] in [{last['face_id']}]"
    inner = environment.unwrapped
    ballast = next(a for a in np.flatnonzero(info["action_mask"]) if inner.meaning(a).startswith("Add [35] to [0]"))
    _, reward, ended, _, info = environment.step(ballast)
    assert (reward, ended) == (0.0, False)
    _, info = environment.reset()
    environment.step(next(a for a in np.flatnonzero(info["action_mask"]) if inner.meaning(a) == add))
    again = next(a for a in np.flatnonzero(inner.action_mask()) if inner.meaning(a).startswith("Add [15]"))
    _, reward, ended, _, info = environment.step(again)
    assert ended
    assert reward > 0.05


def test_over_a_horizon_the_reference_machine_still_scores_1():
    blocks = list(sw.solve("machine_movement:0").blocks)
    environment = make("MachineEditing-v0", address="machine_movement:0", machine=blocks, horizon_s=0.5)
    _, info = environment.reset()
    assert info["verdict"]["score"] == pytest.approx(1)
    assert info["address"] == "machine_movement:0"


def test_a_machine_that_has_not_changed_is_not_judged_again(monkeypatch):
    environment = make("MachineEditing-v0", address="machine_throw:0", horizon_s=0.1).unwrapped
    environment.reset()
    environment._change(sw.solve("machine_movement:0").reading.tree[:3])
    environment._judge()
    monkeypatch.setattr(environment.task, "verify", lambda *_: pytest.fail("it was judged again"))
    brace = next(a for a in np.flatnonzero(environment.action_mask()) if "[7]" in environment.meaning(a)[:8])
    environment.step(brace)


def test_a_brace_that_only_strengthens_is_not_simulated(monkeypatch):
    machine = list(sw.solve("machine_throw:0").blocks)
    environment = make("MachineEditing-v0", address="machine_throw:0", machine=machine, horizon_s=0.3).unwrapped
    _, info = environment.reset()
    score = info["verdict"]["score"]
    brace = next(row for row in machine if row["type"] == 7)
    monkeypatch.setattr(environment.task, "verify", lambda *_: pytest.fail("it was simulated"))
    lines = [f"Add [7] to [{brace['parent_a']}] in [{brace['face_id_a']}]"]
    lines.append(f"{lines[0]} to [{brace['parent_b']}] in [{brace['face_id_b']}]")
    for line in lines:
        action = next(a for a in np.flatnonzero(environment.action_mask()) if environment.meaning(a) == line)
        _, reward, *_, info = environment.step(action)
    assert (info["verdict"]["score"], reward) == (score, 0.0)
    assert len(environment.answer().blocks) == len(machine) + 1


def test_an_episode_of_version_1_has_forty_edits_of_which_the_last_is_judged(monkeypatch):
    environment = make("MachineEditing-v1", address="machine_movement:0").unwrapped
    _, info = environment.reset()
    judged = []
    verdict = environment.verdict
    monkeypatch.setattr(environment.task, "verify", lambda *given: judged.append(given) or verdict)
    ended = False
    edits = 0
    while not ended:
        edits += 1
        *_, ended, _, info = environment.step(np.flatnonzero(info["action_mask"])[0])
        assert len(judged) == int(ended)
    assert edits == 40


def test_rewards_by_the_outlook_add_up_to_the_change_of_the_score():
    blocks = list(sw.solve("machine_movement:0").blocks)
    chosen = {"machine": blocks[:-2], "edits": 2, "outlook_s": 0.5}
    environment = make("MachineEditing-v1", address="machine_movement:0", **chosen)
    _, info = environment.reset()
    began, outlook = info["verdict"]["score"], info["outlook"]
    inner = environment.unwrapped
    rewards = []
    for block in blocks[-2:]:
        add = f"Add [{block['type']}] to [{block['parent']}] in [{block['face_id']}]"
        action = next(a for a in np.flatnonzero(info["action_mask"]) if inner.meaning(a) == add)
        _, reward, ended, _, info = environment.step(action)
        rewards.append(reward)
        if not ended:
            assert reward == pytest.approx(info["outlook"] - outlook)
            assert info["verdict"]["score"] == began
    assert ended
    assert info["verdict"]["score"] == pytest.approx(1)
    assert sum(rewards) == pytest.approx(info["verdict"]["score"] - began)


@pytest.mark.parametrize(
    "argument", [{"edits": 0}, {"horizon_s": 0.0}, {"edits": 3, "outlook_s": -1.0}, {"outlook_s": 0.5}]
)
def test_an_episode_without_edits_or_time_is_refused(argument):
    with pytest.raises(ValueError, match=r"it has to be|at least one|for episodes with edits"):
        make("MachineEditing-v0", address="machine_movement:0", **argument)


@pytest.mark.slow
def test_machines_are_edited_in_several_processes_at_once_as_in_one():
    chosen = {"address": "machine_movement:0", "edits": 2, "horizon_s": 0.2}
    options = {"vectorization_mode": "async", "vector_kwargs": {"context": "spawn"}}
    name = "spatial_workbench.environments:SpatialWorkbench/MachineEditing-v0"
    vector = gymnasium.make_vec(name, num_envs=2, **options, **chosen)
    try:
        alone = make("MachineEditing-v0", **chosen)
        _, info = alone.reset()
        _, infos = vector.reset()
        for place in (3, 40):
            action = np.flatnonzero(info["action_mask"])[place]
            *_, ended, _, info = alone.step(action)
            *_, all_ended, _, infos = vector.step(np.array([action, action]))
            assert (infos["action_mask"] == info["action_mask"]).all() or ended
        assert ended
        assert all_ended.all()
    finally:
        vector.close()


def test_the_examples_in_the_documentation_are_true():
    import spatial_workbench.environments

    page = Path(__file__).resolve().parents[2] / "docs" / "environments.md"
    assert doctest.testfile(str(page), module_relative=False).failed == 0
    assert doctest.testmod(spatial_workbench.environments).failed == 0


def test_arguments_that_make_no_sense_are_told():
    with pytest.raises(ValueError, match="not both"):
        make("HyperSnake-v0", address="hyper_snake:0", size="4,4")
    with pytest.raises(sw.InstanceError, match="no instance of hyper_snake"):
        make("HyperSnake-v0", address="shikaku:0")
    with pytest.raises(sw.InstanceError, match="size"):
        make("MazeDrawing-v0", size=2)


@pytest.mark.slow
def test_without_gymnasium_the_library_works_and_the_environments_say_what_to_install():
    code = (
        "import sys; sys.modules['gymnasium'] = None\n"
        "import importlib.util as u; old = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'gymnasium' else old(name, *rest)\n"
        "import spatial_workbench\n"
        "try: import spatial_workbench.environments.cube\n"
        "except ImportError as error: print(error)"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert "pip install 'spatial-workbench[gym]'" in done.stdout


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_an_address_in_the_options_of_reset_is_the_instance_of_that_episode_alone(name):
    environment = make(name, address=OTHER_ADDRESSES.get(name, ADDRESSES[name]))
    usual = environment.reset(seed=1)[1]["address"]
    observation, info = environment.reset(seed=1, options={"address": ADDRESSES[name]})
    assert info["address"] == ADDRESSES[name]
    assert environment.observation_space.contains(observation)
    assert environment.reset(seed=1)[1]["address"] == usual


def test_an_address_in_the_options_takes_the_place_of_the_seed():
    environment = make("HyperSnake-v0", size="4,4")
    address = sw.generate("hyper_snake", 9, size="4,4").address
    assert environment.reset(seed=7, options={"address": address})[1]["address"] == address
    assert environment.reset(seed=7)[1]["address"].startswith("hyper_snake@7")


def test_a_smaller_shell_fits_where_there_is_room_for_a_larger_one():
    environment = make("LegoBuilding-v0", inner_mm=50, outer_mm=90)
    address = sw.generate("lego_hemisphere", 1, inner_mm=40, outer_mm=70).address
    observation, info = environment.reset(options={"address": address})
    assert info["address"] == address
    assert environment.observation_space.contains(observation)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("HyperSnake-v0", {"address": "hyper_snake@1?size=%225%2C5%22"}, "its grid is 5 x 5, and this one is 4 x 4"),
        ("MazeDrawing-v0", {"address": "maze_3d@1?size=7"}, "it has 7 cells along a side, and this one 6"),
        ("FluidEarthworks-v0", {"address": "fluid_simulation@1?size=10"}, "it has 10 columns along a side"),
        (
            "LegoBuilding-v0",
            {"address": "lego_hemisphere@1?inner_mm=40&outer_mm=80"},
            "its radius is 80 mm, and this one has room for 70 mm",
        ),
        ("MachineEditing-v1", {"address": "machine_throw:0"}, "no instance of machine_movement"),
        ("Cube-v0", {"address": "shikaku:0"}, "no instance of cube_full_symbolic"),
        ("Cube-v0", {"address": "cube_full_symbolic:99999"}, "has the instances 0 to"),
        ("Cube-v0", {"adress": "cube_full_symbolic:0"}, "“adress” is no option of reset; did you mean “address”?"),
    ],
)
def test_options_of_reset_that_cannot_be_obeyed_are_refused_and_the_episode_goes_on(name, options, words):
    environment = make(name, **SMALL[name])
    before = environment.reset(seed=1)[1]["address"]
    with pytest.raises(ValueError, match=re.escape(words)):
        environment.reset(options=options)
    assert environment.unwrapped.instance.address == before
