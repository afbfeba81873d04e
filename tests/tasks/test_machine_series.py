"""The curves of a simulation."""

import numpy as np

from spatial_workbench.engine.machines.levels.catalogue import level_of
from spatial_workbench.engine.machines.levels.references import references
from spatial_workbench.engine.tasks.machine.series import PLOTS
from tests.machines.traces import at_rest, moving, thrown, trace_of

BY_TITLE = {plot.title: plot for plot in PLOTS}
CATAPULT = references()["T2"].tree


def curves(title, level, tree, trace):
    return BY_TITLE[title].curves(level_of(level), tree, trace)


def test_a_car_s_curves_are_those_of_its_starting_block():
    trace = trace_of(moving((0, 1, 0), (0, 0, 4)))
    (speed,) = curves("Speed", "M1", references()["M1"].tree, trace)
    assert speed.name == "machine"
    assert np.allclose(speed.y[40:], 4)


def test_a_throw_is_drawn_as_height_over_distance():
    trace = trace_of(balls={"block 11": thrown((0, 5, 0), (0, 8, 6))})
    (flight,) = curves("Height over distance", "T2", CATAPULT, trace)
    assert flight.name == "block 11"
    assert flight.y.max() == np.clip(flight.y, None, 5 + 8**2 / (2 * 9.81) + 1e-6).max() > 8


def test_a_machine_without_springs_has_no_spring_curves():
    others = {k: at_rest(0, 1, 0) for k in range(len(CATAPULT))}
    assert curves("Springs", "T2", CATAPULT, trace_of(others=others)) == []
