"""A simulation that raises, or on which the process dies, is worth nothing and says why; it ends nothing else."""

import json

import numpy as np
import pytest

from spatial_workbench.engine.children import Message
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.progress import Cancelled
from spatial_workbench.engine.machines.building.tree import write_tree
from spatial_workbench.engine.machines.levels.catalogue import level_of
from spatial_workbench.engine.machines.levels.level import write_level
from spatial_workbench.engine.machines.levels.references import references
from spatial_workbench.engine.physics import live, machine_results, machine_run
from spatial_workbench.engine.physics.client import SimulationDied
from spatial_workbench.engine.physics.failures import failed_trace
from spatial_workbench.engine.physics.machine_jobs import measured
from spatial_workbench.engine.physics.machine_judging import simulate_and_score

pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")

CAR = references()["M1"].tree
FLAT = level_of("M1")


def give_up(*arguments, **more):
    raise RuntimeError("invalid jointIndex")


@pytest.fixture(params=["while it is built", "while it runs"])
def failing(request, monkeypatch):
    method = "_set_parameters" if request.param == "while it is built" else "step"
    monkeypatch.setattr(machine_run.MachineWorld, method, give_up)


def test_a_machine_that_the_engine_refuses_counts_nothing_and_says_why(failing):
    trace, score = simulate_and_score(CAR, FLAT, simulate=machine_run.simulate)
    assert "invalid jointIndex" in trace.fault
    assert score.reward == score.rank == 0
    assert "invalid jointIndex" in score.notes[0]


def test_a_search_scores_it_with_nothing(failing):
    result = measured(write_tree(CAR), json.dumps(write_level(FLAT)))
    assert (result["valid"], result["score"]) == (True, 0)
    assert "invalid jointIndex" in result["notes"][0]


class OneRequest:
    """A line on which one request comes, and then none."""

    def __init__(self, data):
        self.requests = iter([Message(data)])
        self.sent = []

    def receive(self):
        return next(self.requests)

    def send(self, message):
        self.sent.append(message)


def test_free_play_ends_and_says_why(failing):
    line = OneRequest({"tree": write_tree(CAR), "level": write_level(FLAT), "own": [], "policy": {}})
    with pytest.raises(StopIteration):
        live.serve(line)
    moment = live._read(line.sent[0])
    assert moment.fault == "the physics engine gave up on the machine (invalid jointIndex)"


def test_what_ends_a_simulation_from_outside_is_no_fault_of_the_machine():
    def cancel(share):
        raise Cancelled

    with pytest.raises(Cancelled):
        machine_run.simulate(CAR, FLAT, report=cancel)


def test_a_machine_on_which_the_process_dies_has_a_verdict_of_nothing(monkeypatch):
    def die(*arguments):
        raise SimulationDied("the physics engine died twice on the same simulation")

    machine_results._traces.clear()
    monkeypatch.setattr(machine_results, "_load", lambda key: None)
    monkeypatch.setattr(machine_results.physics(), "machine", die)
    task, instance = resolve("machine_movement:0")
    verdict = task.verify(instance, task.solve(instance))
    other = task.crosscheck(instance, task.solve(instance))
    machine_results._traces.clear()
    assert (verdict.passed, verdict.score) == (other.passed, other.score) == (False, 0)
    assert any("died twice" in check.message for check in verdict.checks)
    assert any("died twice" in warning for warning in other.warnings)


def test_the_trace_of_a_machine_that_was_not_simulated_shows_it_where_it_starts():
    trace = failed_trace(CAR, FLAT, 240, "no reason")
    started = machine_run.simulate(CAR, FLAT)
    assert np.allclose(trace.positions[0], started.positions[0], equal_nan=True)
    assert trace.ball_names == started.ball_names
