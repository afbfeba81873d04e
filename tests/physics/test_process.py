"""Machines in the physics process: progress, cancelling, and results that are remembered."""

import hashlib
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from spatial_workbench.engine.children import steady_arithmetic
from spatial_workbench.engine.core.interpreter import python_command, python_environment
from spatial_workbench.engine.core.progress import Cancelled
from spatial_workbench.engine.machines.levels.catalogue import level_of
from spatial_workbench.engine.machines.levels.references import references
from spatial_workbench.engine.machines.results.trace import read_trace, write_trace
from spatial_workbench.engine.physics import machine_results, stored
from spatial_workbench.engine.physics.client import PhysicsProcess, PhysicsProcesses
from spatial_workbench.engine.physics.machine_results import simulated, stored_trace, trace_name

pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")

CAR = references()["M1"].tree
FLAT = level_of("M1")


@pytest.fixture
def process():
    process = PhysicsProcess()
    yield process
    process.close()


@pytest.mark.slow
def test_progress_is_told_while_a_machine_runs(process):
    shares = []
    process.machine(references()["T2"].tree, level_of("T2"), 480, lambda done, total, text: shares.append(done / total))
    assert shares == sorted(shares)
    assert shares
    assert 0 < shares[0] < 1


@pytest.mark.slow
def test_a_cancelled_simulation_ends_its_process_and_the_next_one_starts_afresh(process):
    def cancel(done, total, text):
        raise Cancelled

    with pytest.raises(Cancelled):
        process.machine(references()["T2"].tree, level_of("T2"), 480, cancel)
    assert process._child is None
    assert len(process.machine(CAR, FLAT, 240).positions) == 181


@pytest.mark.slow
def test_calls_from_several_threads_are_answered_by_several_processes():
    processes = PhysicsProcesses(2)
    both_are_busy = threading.Barrier(2, timeout=60)
    waited = threading.local()

    def wait_once(done, total, text):
        if not getattr(waited, "is_over", False):
            waited.is_over = True
            both_are_busy.wait()

    with ThreadPoolExecutor(2) as pool:
        begun = [pool.submit(processes.machine, CAR, FLAT, 240, wait_once) for _ in range(2)]
        first, second = [future.result().positions for future in begun]
    processes.close()
    assert np.array_equal(first, second, equal_nan=True)


@pytest.mark.slow
def test_a_cancelled_simulation_gives_its_process_back():
    processes = PhysicsProcesses(1)

    def cancel(done, total, text):
        raise Cancelled

    with pytest.raises(Cancelled):
        processes.machine(CAR, FLAT, 240, cancel)
    assert len(processes.machine(CAR, FLAT, 240).positions) == 181
    processes.close()


def test_a_trace_survives_being_written():
    trace = simulated(CAR, FLAT)
    again = read_trace(*write_trace(trace))
    assert again.breaks == trace.breaks
    assert again.bonds == trace.bonds
    assert np.array_equal(again.positions, trace.positions, equal_nan=True)
    assert again.attached.dtype == bool


def test_a_machine_is_simulated_once_and_found_again_by_its_name(monkeypatch):
    first = simulated(CAR, FLAT)
    machine_results._traces.clear()
    monkeypatch.setattr(machine_results.physics(), "machine", None)
    assert np.array_equal(simulated(CAR, FLAT).positions, first.positions, equal_nan=True)
    assert stored_trace(trace_name(CAR, FLAT)) is not None


def test_the_name_of_a_trace_depends_on_machine_level_and_step():
    names = {
        trace_name(CAR, FLAT),
        trace_name(references()["T2"].tree, FLAT),
        trace_name(CAR, level_of("M2")),
        trace_name(CAR, FLAT, 480),
    }
    assert len(names) == 4


def test_a_damaged_file_is_passed_over():
    simulated(CAR, FLAT)
    name = trace_name(CAR, FLAT)
    machine_results._traces.clear()
    (stored._folder() / f"{name}.npz").write_bytes(b"junk")
    assert stored_trace(name) is None
    assert stored_trace("no name") is None
    assert len(simulated(CAR, FLAT).positions) == 181


def test_a_level_that_is_called_otherwise_is_the_same_simulation():
    from dataclasses import replace

    assert trace_name(CAR, replace(FLAT, title="Other words")) == trace_name(CAR, FLAT)


@pytest.mark.slow
def test_the_process_gives_the_same_to_the_last_bit_as_a_world_of_one_s_own(process):
    program = (
        "import hashlib\n"
        "from spatial_workbench.engine.machines.levels.catalogue import level_of\n"
        "from spatial_workbench.engine.machines.levels.references import references\n"
        "from spatial_workbench.engine.physics.machine_run import simulate\n"
        "positions = simulate(references()['M1'].tree, level_of('M1')).positions\n"
        "print(hashlib.sha256(positions.tobytes()).hexdigest())\n"
    )
    environment = python_environment(**steady_arithmetic())
    own = subprocess.run(python_command("-c", program), env=environment, capture_output=True, text=True, check=True)
    there = process.machine(references()["M1"].tree, FLAT, 240)
    assert hashlib.sha256(there.positions.tobytes()).hexdigest() in own.stdout
