"""Searches by random edits: what they repeat, what they resume, and how they run in several processes."""

import json
import os
import signal
from dataclasses import replace

import pytest

from spatial_workbench.engine.core import Cancelled
from spatial_workbench.engine.executor import JobOutcome, open_executor
from spatial_workbench.engine.machines.building.edits import apply_lines
from spatial_workbench.engine.machines.building.tree import MachineBlock, read_tree, write_tree
from spatial_workbench.engine.machines.designing.strategies import Strategy
from spatial_workbench.engine.machines.levels.catalogue import level_of
from spatial_workbench.engine.machines.levels.references import references
from spatial_workbench.engine.search.machine_search import SIMULATION, MachineSearch, SearchPlan, require_start
from spatial_workbench.engine.search.node_file import SearchError
from tests.search.search_tools import STUB, Direct

M1 = level_of("M1")
CAR = references()["M1"].tree
ROOT = (MachineBlock(0, 0, -1, -1),)
PLAN = SearchPlan(M1, CAR, rounds=3, candidates=3, seed=4)


def searched(plan=PLAN, path=None, executor=None, **more):
    search = MachineSearch(plan, executor or Direct(), path, simulation=STUB, **more)
    search.run()
    return search


@pytest.mark.parametrize("strategy", Strategy)
def test_equal_seeds_search_alike_in_whatever_order_simulations_end(strategy):
    plan = replace(PLAN, strategy=strategy)
    rows = searched(plan).rows
    assert searched(plan, executor=Direct(takes_last=True)).rows == rows
    assert searched(replace(plan, seed=5)).rows != rows


@pytest.mark.parametrize("strategy", Strategy)
@pytest.mark.parametrize("share", [0.0, 0.3, 0.55, 0.8, 1.0])
def test_a_search_that_was_killed_goes_on_to_the_same_result(strategy, share, tmp_path):
    plan = replace(PLAN, strategy=strategy)
    searched(plan, tmp_path / "whole")
    whole = (tmp_path / "whole").read_bytes()
    header = whole.index(b"\n") + 1
    (tmp_path / "cut").write_bytes(whole[: header + int(share * (len(whole) - header))])
    searched(plan, tmp_path / "cut")
    assert (tmp_path / "cut").read_bytes() == whole


def test_what_is_stored_is_not_simulated_again(tmp_path):
    first = searched(PLAN, tmp_path / "nodes")
    again = searched(PLAN, tmp_path / "nodes")
    assert (again.simulated, again.rows) == (0, first.rows)
    more = searched(replace(PLAN, rounds=4), tmp_path / "nodes")
    assert more.rows[: len(first.rows)] == first.rows
    assert more.simulated == len(more.rows) - len(first.rows) > 0


@pytest.mark.parametrize("most", [0, 1, 2, 5])
def test_an_interrupted_search_keeps_what_was_simulated(most, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        searched(PLAN, tmp_path / "nodes", Direct(most=most))
    assert len((tmp_path / "nodes").read_text().splitlines()) == 1 + most
    assert searched(PLAN, tmp_path / "nodes").rows == searched().rows


def test_an_interrupted_search_leaves_no_simulation_waiting():
    executor = Direct(most=2)
    with pytest.raises(KeyboardInterrupt):
        searched(executor=executor)
    assert executor.waiting == []


def test_a_search_can_be_cancelled_by_its_progress():
    def progress(done, total, text=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        searched(progress=progress)


@pytest.mark.slow
def test_equal_machines_are_simulated_once_but_stand_in_the_tree_each_time():
    few = replace(M1, types=frozenset((15,)), size_limits=(1.0, 1.0, 2.0))
    executor = Direct()
    search = searched(SearchPlan(few, ROOT, Strategy.RANDOM, rounds=6, candidates=4), executor=executor)
    trees = {json.dumps(row["tree"]) for row in search.rows}
    assert len(executor.begun) == search.simulated == len(trees) < len(search.rows)


def test_each_machine_follows_from_its_parent_by_its_lines():
    rows = searched().rows
    for row in rows[1:]:
        parent = read_tree(rows[row["parent"]]["tree"]).tree
        assert write_tree(apply_lines(parent, row["lines"]).tree) == row["tree"]


def test_the_best_is_the_machine_of_the_highest_rank():
    search = searched()
    assert search.best["rank"] == max(row["rank"] for row in search.rows)
    assert MachineSearch(PLAN, Direct()).best is None


def test_only_blocks_of_the_level_are_added():
    types = {row["type"] for machine in searched(replace(PLAN, rounds=6)).rows for row in machine["tree"]}
    assert types <= M1.types


def test_every_type_may_be_added_where_the_level_names_none():
    rows = searched(replace(PLAN, level=replace(M1, types=frozenset()), rounds=6)).rows
    assert {row["type"] for machine in rows for row in machine["tree"]} - M1.types


# What goes wrong -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "name"),
    [
        (replace(PLAN, seed=5), "seed"),
        (replace(PLAN, strategy=Strategy.MCTS), "strategy"),
        (replace(PLAN, candidates=4), "candidates"),
        (replace(PLAN, start=ROOT), "start"),
        (replace(PLAN, level=level_of("M2")), "level"),
        (replace(PLAN, level=replace(M1, window_s=1.0)), "rules"),
    ],
)
def test_the_file_of_another_search_is_refused_and_left_alone(other, name, tmp_path):
    searched(PLAN, tmp_path / "nodes")
    before = (tmp_path / "nodes").read_bytes()
    with pytest.raises(SearchError, match=f"holds another search: the {name} differs"):
        searched(other, tmp_path / "nodes")
    assert (tmp_path / "nodes").read_bytes() == before


@pytest.mark.parametrize("text", ["hello", "hello\n", "[1]\n", "\x00\xff\n", '{"search": "mach'])
def test_a_file_that_is_no_search_is_refused_and_left_alone(text, tmp_path):
    (tmp_path / "nodes").write_text(text, "utf-8")
    with pytest.raises(SearchError, match=r"is not the file of a search|holds another search"):
        searched(PLAN, tmp_path / "nodes")
    assert (tmp_path / "nodes").read_text("utf-8") == text


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda lines: [*lines[:2], "{", *lines[3:]], "damaged in line 3"),
        (lambda lines: [*lines[:2], *lines[3:]], "machines are missing"),
        (lambda lines: [lines[0], lines[1].replace('"rank"', '"rang"')], "has no 'rank'"),
        (lambda lines: [lines[0], lines[1].replace('"type": 0', '"type": 9')], "Machine 0 .* is damaged"),
        (
            lambda lines: [*lines[:2], lines[2].replace('"parent": 0, "lines"', '"parent": 1, "lines"')],
            "has changed",
        ),
    ],
)
def test_a_damaged_file_is_refused_with_the_place(spoil, reason, tmp_path):
    searched(PLAN, tmp_path / "nodes")
    lines = spoil((tmp_path / "nodes").read_text().splitlines())
    (tmp_path / "nodes").write_text("\n".join(lines) + "\n")
    with pytest.raises(SearchError, match=reason):
        searched(PLAN, tmp_path / "nodes")


@pytest.mark.parametrize("outcome", [JobOutcome.CRASHED, JobOutcome.TIMED_OUT, JobOutcome.OUT_OF_MEMORY])
def test_a_machine_whose_simulation_crashes_counts_nothing(outcome):
    search = searched(replace(PLAN, rounds=1), executor=Direct(outcome=outcome))
    assert {row["rank"] for row in search.rows} == {0.0}
    assert search.rows[0]["notes"] == ["The simulation failed: it went wrong"]


def test_a_search_that_cannot_simulate_says_why():
    with pytest.raises(SearchError, match="A machine cannot be simulated: it went wrong"):
        searched(executor=Direct(outcome=JobOutcome.FAILED))


def test_machines_that_are_not_valid_are_stored_but_never_kept():
    search = MachineSearch(PLAN, Direct(), simulation="tests.search.search_jobs:never_valid")
    with pytest.raises(SearchError, match="not valid"):
        search.run()
    assert (len(search.rows), search.best) == (1, None)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (
            [{"type": 0, "id": 0, "parent": -1, "face_id": -1}, {"type": 15, "id": 1, "parent": 4, "face_id": 0}],
            "block 1",
        ),
        ([], r"A list of blocks is expected \(NOT_A_LIST\)"),
        ([*write_tree(CAR), {"type": 15, "id": 7, "parent": 0, "face_id": 0}], "FACE_OCCUPIED"),
    ],
)
def test_a_start_that_is_no_machine_is_refused_with_the_place(rows, reason):
    with pytest.raises(SearchError, match=reason):
        require_start(read_tree(rows), M1)


# In processes --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_processes_find_what_is_found_here():
    with open_executor(2, allowed=("spatial_workbench.engine.", "tests.")) as executor:
        assert searched(executor=executor).rows == searched().rows


@pytest.mark.slow
def test_a_search_simulates_as_the_verdict_does():
    pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")
    with open_executor(2) as executor:
        search = MachineSearch(replace(PLAN, rounds=1), executor)
        search.run()
    assert search.rows[0]["score"] == pytest.approx(references()["M1"].rewards["default"], abs=0.01)
    assert len(search.rows) == 4


@pytest.mark.slow
@pytest.mark.parametrize(("simulation", "rounds"), [(SIMULATION, 1), (STUB, 20)], ids=["simulated", "a thousand"])
def test_a_cluster_of_two_workers_searches(tmp_path, simulation, rounds):
    """A thousand simulations take over a minute; their number is tried without the physics, the physics on fifty."""
    distributed = pytest.importorskip("distributed")
    pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")
    plan = SearchPlan(M1, CAR, rounds=rounds, candidates=50)
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "host": "127.0.0.1"}
    allowed = ("spatial_workbench.engine.", "tests.")
    with (
        distributed.LocalCluster(**options) as cluster,
        open_executor(cluster=cluster.scheduler_address, allowed=allowed) as executor,
    ):
        search = MachineSearch(plan, executor, tmp_path / "nodes", simulation=simulation)
        search.run()
    assert len(search.rows) == 1 + 50 * rounds
    assert search.best["rank"] >= search.rows[0]["rank"]


@pytest.mark.slow
@pytest.mark.parametrize("strategy", [Strategy.BEST_OF_N, Strategy.MCTS])
def test_four_workers_in_two_processes_of_which_one_is_killed_find_what_is_found_alone(strategy, tmp_path):
    distributed = pytest.importorskip("distributed")
    pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")
    plan = SearchPlan(M1, CAR, strategy, rounds=3, candidates=5, seed=7)
    with open_executor(1) as executor:
        alone = MachineSearch(plan, executor, tmp_path / "alone")
        alone.run()
    options = {"n_workers": 2, "threads_per_worker": 2, "dashboard_address": None, "host": "127.0.0.1"}
    with (
        distributed.LocalCluster(**options) as cluster,
        open_executor(cluster=cluster.scheduler_address) as executor,
    ):
        with distributed.Client(cluster) as client:
            processes = list(client.run(os.getpid).values())
        workers = cluster.scheduler_info["workers"].values()
        assert (len(processes), sum(worker["nthreads"] for worker in workers)) == (2, 4)

        def kill_one(done, total, text=""):
            if len(search.rows) > 3 and len(processes) == 2:
                os.kill(processes.pop(), signal.SIGKILL)

        search = MachineSearch(plan, executor, tmp_path / "killed", kill_one)
        search.run()
    assert len(processes) == 1
    assert search.rows == alone.rows
    assert (tmp_path / "killed").read_bytes() == (tmp_path / "alone").read_bytes()
