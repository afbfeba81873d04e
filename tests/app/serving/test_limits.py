"""Failures are counted by addresses and links, for a while."""

import pytest

from spatial_workbench.app.serving import limits
from spatial_workbench.app.serving.limits import WITHIN_S, RecentFailures, network_of
from tests.app.serving.test_seats import Clock


@pytest.fixture
def clock():
    return Clock()


def noted(failures, *keys):
    for key in keys:
        failures.note(key)
    return failures


def test_so_many_failures_are_allowed_and_no_more(clock):
    failures = noted(RecentFailures(3, clock), "a", "a", "b")
    assert not failures.are_too_many("a")
    assert noted(failures, "a").are_too_many("a")
    assert not failures.are_too_many("b")


def test_failures_are_forgotten_after_ten_minutes(clock):
    failures = noted(RecentFailures(2, clock), "a")
    clock.now += 100
    noted(failures, "a")
    clock.now += WITHIN_S - 101
    assert failures.are_too_many("a")
    clock.now += 2
    assert not failures.are_too_many("a")


def test_thousands_of_addresses_take_no_memory_without_end(clock, monkeypatch):
    monkeypatch.setattr(limits, "_MOST_KEYS", 100)
    failures = noted(RecentFailures(2, clock), "a", "a", *map(str, range(99)))
    assert failures.are_too_many("a")
    noted(failures, "one", "more")
    assert not failures.are_too_many("a")
    assert len(failures._times) == 100


@pytest.mark.parametrize(
    ("host", "key"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("unknown", "unknown"),
        ("x" * 1000, "x" * 64),
    ],
)
def test_an_address_counts_as_the_network_that_one_side_has(host, key):
    assert network_of((host, 1)) == key


def test_somebody_without_an_address_counts_too():
    assert network_of(None) == ""
