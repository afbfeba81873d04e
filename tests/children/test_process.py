"""Child processes: what they print is no message, and none outlives its parent."""

import os
import queue
import signal
import subprocess
import sys
import time

import pytest

from spatial_workbench.engine.children import ChildProcess, Message
from spatial_workbench.engine.core.interpreter import python_command, python_environment


def echo(line, *arguments):
    """Says what it was told, and much that is no message."""
    os.write(1, b"printed by a library")
    print("printed", flush=True)
    while True:
        message = line.receive()
        line.send(Message({**message.data, "arguments": list(arguments)}, content=message.content))


def crash(line):
    print("the last words", flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)


def leave_slowly(line):
    os.close(line._replies.fileno())
    time.sleep(0.2)
    os._exit(3)


def babble(line):
    line._replies.write((6).to_bytes(8, "little") + b"no msg")
    line._replies.flush()
    line.receive()


def start_another(line):
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    line.send(Message({"pid": other.pid}))
    line.receive()


@pytest.fixture
def start():
    children = []

    def start(function, *arguments):
        said = queue.SimpleQueue()
        child = ChildProcess(f"{__name__}:{function.__name__}", *arguments, deliver=said.put)
        children.append(child)
        return child, said

    yield start
    for child in children:
        child.kill()


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_what_a_child_prints_is_no_message(start):
    child, said = start(echo, "a", "b")
    child.send(Message({"n": 1}, content=b"x" * 1_000_000))
    message = said.get(timeout=60)
    assert message.data == {"n": 1, "arguments": ["a", "b"]}
    assert len(message.content) == 1_000_000


@pytest.mark.slow
def test_the_death_of_a_child_is_told_with_its_last_words(start):
    child, said = start(crash)
    assert said.get(timeout=60) is None
    assert child.obituary() == 'by SIGSEGV. It said: "the last words"'


def test_a_child_that_is_slow_to_end_is_told_with_its_own_exit_code(start):
    child, said = start(leave_slowly)
    assert said.get(timeout=60) is None
    assert child.obituary().startswith("with exit code 3")


@pytest.mark.slow
def test_a_child_that_says_what_is_no_message_is_ended(start):
    child, said = start(babble)
    assert said.get(timeout=60) is None
    assert "SIGKILL" in child.obituary()


@pytest.mark.slow
def test_a_function_that_is_not_there_is_a_death_with_a_reason(start):
    said = queue.SimpleQueue()
    child = ChildProcess(f"{__name__}:missing", deliver=said.put)
    assert said.get(timeout=60) is None
    assert "has no attribute 'missing'" in child.obituary()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_what_a_child_started_ends_with_it(start):
    child, said = start(start_another)
    grandchild = said.get(timeout=60).data["pid"]
    child.close()
    deadline = time.monotonic() + 20
    while is_running(grandchild) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(grandchild)


PARENT = f"""
import os, queue, signal
from spatial_workbench.engine.children import ChildProcess
said = queue.SimpleQueue()
child = ChildProcess("{__name__}:echo", deliver=said.put)
child.wait_until_ready()
print(child.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_child_ends_with_its_parent_however_that_ends():
    killed = subprocess.run(python_command("-c", PARENT), env=python_environment(), capture_output=True, text=True)
    child = int(killed.stdout)
    deadline = time.monotonic() + 20
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(child)
