"""Who has a window on the server, who waits for one, and when windows are closed."""

import asyncio

import pytest

from spatial_workbench.app.serving.pages.entry_form import NOTHING_TOLD
from spatial_workbench.app.serving.seats import IDLE_S, OVER_S, WAITS_S, SeatOffer, Seats
from spatial_workbench.app.serving.session_host import HostFailed
from spatial_workbench.app.serving.window_news import WindowNews


class FakeHost:
    def __init__(self, code, fails=False):
        self.code = code
        self.fails = fails
        self.is_running = False
        self.is_over = False
        self.scale = 1.0
        self.answers = []
        self.typed = []
        self.browser = None
        self.entry = NOTHING_TOLD
        self.chosen_language = ""
        self.news = WindowNews()
        self.takes_too_much = ""

    def excess(self, table):
        return self.takes_too_much

    async def kill(self):
        self.is_running = False

    @property
    def language(self):
        return self.chosen_language or self.entry.language

    def tell_entry(self, entry):
        self.entry = entry

    def tell_answer(self, answer, behind_ms):
        self.answers.append((answer, behind_ms))

    def tell_typed(self, typed):
        self.typed.append(typed)

    def tell_browser(self, description):
        self.browser = description

    async def start(self):
        if self.fails:
            raise HostFailed("no")
        self.is_running = True

    async def stop(self):
        self.is_running = False


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def seats(clock):
    return Seats(FakeHost, 2, clock)


def take(seats, *codes):
    return [asyncio.run(seats.take(code, NOTHING_TOLD)) for code in codes]


def test_people_get_a_window_while_there_are_seats_and_others_wait_in_their_order(seats):
    assert take(seats, "A", "B", "C", "D") == [SeatOffer.TAKEN, SeatOffer.TAKEN, SeatOffer.QUEUED, SeatOffer.QUEUED]
    assert (seats.taken, seats.place_of("C"), seats.place_of("D"), seats.place_of("E")) == (["A", "B"], 1, 2, 3)


def test_a_free_seat_belongs_to_the_first_in_the_queue(seats):
    take(seats, "A", "B", "C", "D")
    asyncio.run(seats.host_of("A").stop())
    assert take(seats, "D", "E", "C") == [SeatOffer.QUEUED, SeatOffer.QUEUED, SeatOffer.TAKEN]
    assert seats.taken == ["B", "C"]


def test_somebody_who_looks_no_more_loses_the_place_in_the_queue(seats, clock):
    take(seats, "A", "B", "C", "D")
    clock.now += WAITS_S - 1
    seats.look("D")
    clock.now += 2
    assert seats.place_of("D") == 1


def test_the_same_person_comes_back_to_the_same_window(seats):
    take(seats, "A")
    first = seats.host_of("A")
    assert take(seats, "A") == [SeatOffer.TAKEN]
    assert seats.host_of("A") is first


def test_a_window_that_nobody_sees_is_closed_after_an_hour(seats, clock):
    take(seats, "A", "B")
    seats.arrive("A")
    clock.now += IDLE_S + 1
    asyncio.run(seats.tidy())
    assert seats.taken == ["A"]
    seats.leave("A")
    clock.now += IDLE_S - 1
    asyncio.run(seats.tidy())
    assert seats.taken == ["A"]
    clock.now += 2
    asyncio.run(seats.tidy())
    assert seats.taken == []


def test_a_window_whose_session_is_over_is_closed_sooner(seats, clock):
    take(seats, "A")
    seats.host_of("A").is_over = True
    clock.now += OVER_S + 1
    asyncio.run(seats.tidy())
    assert seats.taken == []


def test_a_window_that_does_not_start_takes_no_seat(clock):
    seats = Seats(lambda code: FakeHost(code, fails=True), 1, clock)
    assert take(seats, "A") == [SeatOffer.FAILED]
    assert seats.taken == []


def test_two_requests_at_once_open_one_window(clock):
    made = []

    def make(code):
        made.append(FakeHost(code))
        return made[-1]

    async def both():
        seats = Seats(make, 2, clock)
        return await asyncio.gather(seats.take("A", NOTHING_TOLD), seats.take("A", NOTHING_TOLD))

    assert asyncio.run(both()) == [SeatOffer.TAKEN, SeatOffer.TAKEN]
    assert len(made) == 1


def test_a_window_can_be_closed_although_somebody_sees_it(seats):
    take(seats, "A", "B", "C")
    seats.arrive("A")
    assert seats.is_watched("A")
    asyncio.run(seats.dismiss("A"))
    asyncio.run(seats.dismiss("A"))
    assert seats.taken == ["B"]
    seats.leave("A")
    assert not seats.is_watched("A")


def test_only_a_window_that_takes_too_much_is_ended_and_the_leader_hears_of_it(seats):
    take(seats, "A", "B")
    seats.host_of("A").takes_too_much = "more than 1,024 MB of memory"
    told = asyncio.run(seats.hold_to_limits())
    assert told == ["The window of A was ended, since it took more than 1,024 MB of memory."]
    assert seats.taken == ["B"]
    assert asyncio.run(seats.hold_to_limits()) == []
