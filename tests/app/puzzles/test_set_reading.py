"""A large set is listed at once; its pictures are read through behind that."""

import pytest

from spatial_workbench.app.puzzles.set_reading import SetReading
from spatial_workbench.app.puzzles.set_work import SetEntry, SetListing
from spatial_workbench.engine.puzzles.statistics import set_statistics


class HeldLane:
    """Holds jobs until a test ends them."""

    def __init__(self):
        self.jobs = []

    @property
    def is_idle(self):
        return not self.jobs

    def run(self, label, function, *arguments, done, failed=None, progressed=None):
        self.jobs.append((done, failed))
        return self.jobs[-1]

    def drop(self, job):
        self.jobs.remove(job)

    def end(self, value):
        self.jobs.pop(0)[0](value)


def listed(is_thorough):
    return SetListing((), set_statistics([]), is_thorough)


@pytest.fixture
def reading(qapp, tmp_path):
    made = SetReading(HeldLane(), None)
    made._pictures = HeldLane()
    made.got = []
    made.listed.connect(made.got.append)
    made.read_set(SetEntry("hunt", tmp_path))
    return made


def test_a_small_set_is_read_once(reading):
    reading._lane.end(listed(True))
    assert len(reading.got) == 1
    assert reading.is_idle


def test_a_large_set_is_listed_and_listed_again_when_its_pictures_are_read(reading):
    reading._lane.end(listed(False))
    assert len(reading.got) == 1
    assert not reading.is_idle
    reading._pictures.end(listed(True))
    assert [listing.is_thorough for listing in reading.got] == [False, True]


def test_another_set_ends_the_reading_of_pictures(reading, tmp_path):
    reading._lane.end(listed(False))
    reading.read_set(SetEntry("other", tmp_path))
    assert reading._pictures.is_idle
