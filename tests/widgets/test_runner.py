"""Work of which only the newest matters."""

from widgets.editing.runner import Newest


class PatientRunner:
    """Keeps work until a test ends it."""

    def __init__(self):
        self.done, self.cancelled = [], 0

    def run(self, label, function, *arguments, done, failed=None, quiet=False):
        self.done.append(done)
        return self

    def cancel(self):
        self.cancelled += 1


def asked(newest, told):
    newest.ask(str, done=told.append, failed=told.append)


def test_what_is_asked_for_last_takes_the_place_of_what_is_still_being_done():
    runner, told = PatientRunner(), []
    newest = Newest(runner, "Measuring")
    asked(newest, told)
    asked(newest, told)
    assert (runner.cancelled, newest.is_busy) == (1, True)


def test_work_that_has_ended_is_not_cancelled():
    runner, told = PatientRunner(), []
    newest = Newest(runner, "Measuring")
    asked(newest, told)
    runner.done[0]("result")
    asked(newest, told)
    assert (runner.cancelled, told) == (0, ["result"])
