"""The compiled loops from which loads follow."""

import numpy as np
import pytest

from spatial_workbench.engine.physics.load_kernels import average, nearest_block, turned_by

STEPS = 3
LOADS = np.zeros((4, 2, 6))
LOADS[:, 0, 0] = [0, 6, 12, 12]
LOADS[:, 1, 5] = [3, 0, 0, 0]


def averaged(loads, limits, missing=0):
    peaks = np.zeros(2)
    waiting = np.full(2, missing)
    found = average(np.zeros((STEPS - 1, 2, 6)), np.arange(2), loads, waiting, np.array(limits, float), peaks)
    return found, peaks, waiting


def test_loads_are_averaged_over_the_last_steps_and_the_largest_share_is_kept():
    found, peaks, _ = averaged(LOADS, [[100, 1], [1, 2]])
    assert peaks == pytest.approx([0.1, 0.5])
    assert found[0] == -1


def test_the_worst_overload_is_found():
    found, _, _ = averaged(LOADS, [[5, 1], [1, 0.9]])
    assert found == pytest.approx((0, 10, 0, 2))


def test_a_connection_is_not_judged_before_its_first_average_is_whole():
    found, peaks, waiting = averaged(LOADS[:2], [[1, 1], [1, 0.1]], missing=2)
    assert found[0] == -1
    assert not peaks.any()
    assert not waiting.any()


def test_loads_of_one_call_or_of_several_have_the_same_averages():
    measured = np.zeros((STEPS - 1, 2, 6))
    peaks = np.zeros(2)
    limits = np.array([[100.0, 1.0], [1.0, 2.0]])
    for step in range(len(LOADS)):
        average(measured, np.arange(2), LOADS[step : step + 1], np.zeros(2, int), limits, peaks)
    assert peaks == pytest.approx(averaged(LOADS, limits)[1])


def test_the_block_that_is_nearest_is_touched_and_the_first_of_equally_near_ones():
    blocks = np.array([[7, 8, 9, -1]])
    centers = np.array([[[0, 0, 0], [1, 0, 0], [2, 0, 0], [np.inf] * 3]], float)
    links = np.zeros(1, int), blocks, centers, np.full((1, 4, 3), 0.5)
    origin = np.array([0.0, 0.0, 5.0])
    touched = [nearest_block(links, 0, origin, np.eye(3), np.array([x, 0.0, 4.5])) for x in (1.7, 0.5, 0.6)]
    assert touched == [9, 7, 8]


def test_a_quaternion_turns_axes():
    turned = np.empty((3, 3))
    turned_by(np.array([0.0, 0.0, 0.5**0.5, 0.5**0.5]), np.eye(3), turned)
    assert turned == pytest.approx(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]))
