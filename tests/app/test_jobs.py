"""Work in the background: results come back, can be cancelled, and survive a crash."""

import os
import signal
import threading
import time

import pytest
import shiboken6
from PySide6.QtCore import QObject

from spatial_workbench.app.background.delivery import Delivery
from spatial_workbench.app.background.jobs import Lane, Pool
from spatial_workbench.engine.children import ChildProcess
from spatial_workbench.engine.core import silent


def add(a, b, progress=silent):
    return a + b


def count_slowly(progress=silent):
    for i in range(1000):
        progress(i, 1000, f"step {i}")
        time.sleep(0.01)


def sleep_deaf(progress=silent):
    time.sleep(60)


def length(text, progress=silent):
    return len(text)


def fail(progress=silent):
    raise ValueError("no such brick")


def give_a_thread(progress=silent):
    return threading.Lock()


class Unreadable:
    """Can be handed over, and not be read again."""

    def __reduce__(self):
        return int, ("no number",)


def give_what_cannot_be_read(progress=silent):
    return Unreadable()


def die(progress=silent):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(autouse=True)
def own_processes(monkeypatch):
    """These tests are about the processes themselves, so none is lent."""
    monkeypatch.setattr("spatial_workbench.app.background.jobs.ChildProcess", ChildProcess)


@pytest.fixture
def lane(qtbot):
    new_lane = Lane("test")
    yield new_lane
    new_lane.close()


class Heard:
    def __init__(self):
        self.done = []
        self.failed = []
        self.progress = []

    def callbacks(self):
        return {
            "done": self.done.append,
            "failed": self.failed.append,
            "progressed": lambda *state: self.progress.append(state),
        }


@pytest.mark.slow
def test_a_result_comes_back(lane, qtbot):
    heard = Heard()
    lane.run("Adding", add, 2, 3, **heard.callbacks())
    qtbot.waitUntil(lambda: heard.done == [5])


def test_a_long_answer_is_handed_over_without_waiting_for_the_process(lane, qtbot):
    heard = Heard()
    resumed = []
    lane.start()
    os.kill(lane._child.pid, signal.SIGSTOP)
    resume = threading.Timer(5.0, lambda: (resumed.append(True), os.kill(lane._child.pid, signal.SIGCONT)))
    resume.start()
    lane.run("Measuring", length, "x" * 1_000_000, **heard.callbacks())
    assert not resumed
    resume.cancel()
    os.kill(lane._child.pid, signal.SIGCONT)
    qtbot.waitUntil(lambda: heard.done == [1_000_000])


@pytest.mark.slow
def test_jobs_run_one_after_the_other(lane, qtbot):
    heard = Heard()
    for i in range(5):
        lane.run("Adding", add, i, 0, **heard.callbacks())
    qtbot.waitUntil(lambda: heard.done == [0, 1, 2, 3, 4])


@pytest.mark.slow
def test_progress_is_told_now_and_then(lane, qtbot):
    heard = Heard()
    job = lane.run("Counting", count_slowly, **heard.callbacks())
    qtbot.waitUntil(lambda: len(heard.progress) >= 3)
    assert heard.progress[0][1] == 1000
    job.cancel()


@pytest.mark.slow
def test_a_cancelled_job_is_never_heard_of_again_and_the_next_one_runs(lane, qtbot):
    heard = Heard()
    following = Heard()
    job = lane.run("Counting", count_slowly, **heard.callbacks())
    lane.run("Adding", add, 1, 1, **following.callbacks())
    qtbot.waitUntil(lambda: bool(heard.progress))
    job.cancel()
    qtbot.waitUntil(lambda: following.done == [2])
    assert (heard.done, heard.failed) == ([], [])


@pytest.mark.slow
def test_a_job_that_does_not_listen_is_ended_with_its_process(lane, qtbot):
    following = Heard()
    job = lane.run("Sleeping", sleep_deaf, **Heard().callbacks())
    lane.run("Adding", add, 1, 1, **following.callbacks())
    qtbot.waitUntil(lambda: lane.current is job)
    job.cancel()
    qtbot.waitUntil(lambda: following.done == [2])


@pytest.mark.slow
def test_an_error_is_told_in_a_sentence(lane, qtbot):
    heard = Heard()
    lane.run("Failing", fail, **heard.callbacks())
    qtbot.waitUntil(lambda: bool(heard.failed))
    assert heard.failed == ["ValueError: no such brick"]


@pytest.mark.slow
def test_a_crash_is_told_and_the_next_job_gets_a_new_process(lane, qtbot):
    heard = Heard()
    following = Heard()
    lane.run("Dying", die, **heard.callbacks())
    lane.run("Adding", add, 1, 1, **following.callbacks())
    qtbot.waitUntil(lambda: following.done == [2])
    assert heard.failed == [
        "The process that did this work ended unexpectedly by SIGKILL (perhaps the machine ran out of memory)"
    ]


@pytest.mark.slow
def test_what_cannot_be_handed_back_is_an_error_and_the_process_goes_on(lane, qtbot):
    heard = Heard()
    following = Heard()
    lane.run("Returning", give_a_thread, **heard.callbacks())
    lane.run("Adding", add, 1, 1, **following.callbacks())
    qtbot.waitUntil(lambda: following.done == [2])
    assert "pickle" in heard.failed[0]


@pytest.mark.slow
def test_a_result_that_cannot_be_read_is_an_error_and_the_lane_goes_on(lane, qtbot):
    heard = Heard()
    following = Heard()
    lane.run("Returning", give_what_cannot_be_read, **heard.callbacks())
    lane.run("Adding", add, 1, 1, **following.callbacks())
    qtbot.waitUntil(lambda: following.done == [2])
    assert "no number" in heard.failed[0]


@pytest.fixture
def pool(qtbot):
    pool = Pool("test", most=2)
    yield pool
    pool.close()


@pytest.mark.slow
def test_a_quick_job_does_not_wait_for_the_slow_one_of_another_tab(pool, qtbot):
    heard = Heard()
    pool.run("Sleeping", sleep_deaf, done=heard.done.append, owner="terrain")
    pool.run("Adding", add, 2, 3, done=heard.done.append, owner="fluid")
    qtbot.waitUntil(lambda: heard.done == [5])


@pytest.mark.slow
def test_the_tab_in_front_takes_the_place_of_another_one_whose_job_is_begun_again(pool, qtbot):
    heard = Heard()
    slow = [pool.run("Counting", count_slowly, done=heard.done.append, owner=name) for name in ("a", "b")]
    qtbot.waitUntil(lambda: all(job.lane.current is job for job in slow))
    pool.front = "c"
    pool.run("Adding", add, 2, 3, done=heard.done.append, owner="c")
    qtbot.waitUntil(lambda: heard.done[:1] == [5])
    assert all(job.is_pending for job in slow)


def test_of_those_that_wait_the_tab_in_front_goes_first(qtbot):
    pool = Pool("test", most=1)
    heard = Heard()
    first = pool.run("Adding", add, 1, 0, done=heard.done.append, owner="front")
    pool.front = "front"
    pool.run("Adding", add, 2, 0, done=heard.done.append, owner="behind")
    pool.run("Adding", add, 3, 0, done=heard.done.append, owner="front")
    assert first.is_pending
    qtbot.waitUntil(lambda: heard.done == [1, 3, 2])
    pool.close()


def test_a_waiting_job_of_a_pool_can_be_cancelled(qtbot):
    pool = Pool("test", most=1)
    heard = Heard()
    pool.run("Adding", add, 1, 0, done=heard.done.append)
    pool.run("Adding", add, 2, 0, done=heard.done.append).cancel()
    pool.run("Adding", add, 3, 0, done=heard.done.append)
    qtbot.waitUntil(lambda: heard.done == [1, 3])
    pool.close()


@pytest.mark.slow
def test_processes_beyond_the_first_are_let_go_when_they_are_idle(pool, qtbot):
    heard = Heard()
    for i in range(2):
        pool.run("Adding", add, i, 0, done=heard.done.append)
    qtbot.waitUntil(lambda: len(heard.done) == 2)
    pool._retire_spare_lanes()
    assert len(pool._lanes) == 1


class Receiver(QObject):
    def receive(self, sent):
        pass


@pytest.mark.slow
def test_what_a_thread_holds_last_is_deleted_in_the_thread_of_the_window(qapp, qtbot):
    deleted_in = []
    delivery = Delivery(Receiver(qapp).receive)
    delivery._relay.destroyed.connect(lambda: deleted_in.append(threading.current_thread()))
    holder = [delivery]
    del delivery
    thread = threading.Thread(target=holder.clear)
    thread.start()
    thread.join()
    assert deleted_in == []
    qtbot.waitUntil(lambda: bool(deleted_in))
    assert deleted_in == [threading.main_thread()]


def test_a_thread_can_hand_something_over_while_the_receiver_is_deleted(qapp):
    def keep_sending(delivery, stopped):
        while not stopped.is_set():
            delivery.send("message")

    for _ in range(200):
        receiver = Receiver()
        stopped = threading.Event()
        thread = threading.Thread(target=keep_sending, args=(Delivery(receiver.receive), stopped))
        thread.start()
        time.sleep(0.001)
        shiboken6.delete(receiver)
        stopped.set()
        thread.join()
