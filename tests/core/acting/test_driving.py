"""The loop of agents: a model is asked until the run is over, and hears all that was said."""

import pytest

from spatial_workbench.engine.core import silent
from spatial_workbench.engine.core.acting.driving import drive
from spatial_workbench.engine.core.agents import NoReply, Reply, Turn


class Echo:
    """Says back what was said, so many times."""

    seconds_left = 5.0

    def __init__(self, times):
        self.turns = [Turn("user", "begin")]
        self.left = times
        self.passed = 0.0

    def is_over(self, progress):
        return not self.left

    def let_pass(self, seconds):
        self.passed += seconds

    def act(self, reply, progress):
        self.left -= 1
        return Turn("user", f"you said {reply.text}")


def test_each_reply_and_what_came_of_it_are_told_to_the_model():
    heard = []

    def ask(turns, seconds_left):
        heard.append([turn.text for turn in turns])
        return Reply("yes")

    drive(Echo(2), ask, silent)
    assert heard == [["begin"], ["begin", "yes", "you said yes"]]


def test_nobody_is_asked_if_the_run_is_over():
    drive(Echo(0), lambda turns, seconds_left: pytest.fail("asked"))


def test_time_before_an_interruption_counts():
    run = Echo(2)
    drive(run, lambda turns, seconds_left: Reply("yes", earlier_seconds=1.5))
    assert run.passed == 3


def test_a_model_that_gives_no_reply_ends_the_loop():
    def ask(turns, seconds_left):
        raise NoReply("gone")

    with pytest.raises(NoReply):
        drive(Echo(1), ask)
