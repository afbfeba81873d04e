"""Seconds of the processor, with those of children."""

import subprocess
import sys
import time

import pytest

from spatial_workbench.engine.children.processor import ProcessorClock

COMPUTES = "import time\nwhile time.process_time() < 0.3: pass\nprint('done', flush=True)\n"


def test_own_seconds_count() -> None:
    clock = ProcessorClock()
    before, mine = clock(), time.process_time()
    while time.process_time() < mine + 0.05:
        pass
    assert clock() >= before + 0.05


def test_a_child_that_has_ended_counts() -> None:
    clock = ProcessorClock()
    before = clock()
    subprocess.run([sys.executable, "-c", COMPUTES], check=True, capture_output=True)
    time.sleep(0.03)
    assert clock() >= before + 0.25


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a child takes that runs")
def test_a_child_that_runs_counts() -> None:
    clock = ProcessorClock()
    before = clock()
    command = [sys.executable, "-c", f"{COMPUTES}input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "done\n"
        assert clock() >= before + 0.25
        child.communicate("\n")
