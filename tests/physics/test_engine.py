"""The connection to the physics engine, which one world leaves to the next."""

import numpy as np
import pytest

from spatial_workbench.engine.machines.levels.catalogue import level_of
from spatial_workbench.engine.machines.levels.references import references

pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")

from spatial_workbench.engine.physics import engine, machine_run
from spatial_workbench.engine.physics.machine_run import simulate


def throw():
    return simulate(references()["T8n"].tree, level_of("T8n"))


def same(first, second):
    return np.array_equal(first.positions, second.positions, equal_nan=True) and first.breaks == second.breaks


@pytest.mark.slow
def test_nothing_is_left_of_a_world_with_another_step_wind_obstacles_and_pieces():
    engine._IDLE.clear()
    fresh = throw()
    simulate(references()["T7"].tree, level_of("T7"), 480)
    assert len(engine._IDLE) == 1
    assert same(throw(), fresh)


@pytest.mark.slow
def test_nothing_is_left_of_a_world_that_was_given_up(monkeypatch):
    fresh = throw()
    with monkeypatch.context() as patch:
        patch.setattr(machine_run.MachineWorld, "state", lambda world: 1 / 0)
        assert simulate(references()["M5"].tree, level_of("M5")).fault
    assert same(throw(), fresh)


def test_worlds_at_the_same_time_have_engines_of_their_own():
    first, second = engine.EmptiedEngine(), engine.EmptiedEngine()
    first.createCollisionShape(first.GEOM_SPHERE, radius=1)
    first.createMultiBody(1, 0)
    assert (first.getNumBodies(), second.getNumBodies()) == (1, 0)
    first.leave()
    second.leave()
    assert len(engine._IDLE) == 1
