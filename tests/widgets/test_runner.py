"""Work of which only the newest request matters."""

from spatial_workbench.widgets.editing.runner import Newest


class PatientRunner:
    """A runner whose work ends when the test says so."""

    def __init__(self):
        self.done = []
        self.cancelled = 0

    def run(self, label, function, *arguments, done, failed=None, quiet=False):
        self.done.append(done)
        return self

    def cancel(self):
        self.cancelled += 1


def asked(newest, results):
    newest.ask(str, done=results.append, failed=results.append)


def test_what_is_asked_for_last_takes_the_place_of_what_is_still_being_done():
    runner = PatientRunner()
    results = []
    newest = Newest(runner, "Measuring")
    asked(newest, results)
    asked(newest, results)
    assert (runner.cancelled, newest.is_busy) == (1, True)


def test_work_that_has_ended_is_not_cancelled():
    runner = PatientRunner()
    results = []
    newest = Newest(runner, "Measuring")
    asked(newest, results)
    runner.done[0]("result")
    asked(newest, results)
    assert (runner.cancelled, results) == (0, ["result"])
