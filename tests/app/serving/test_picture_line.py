"""How far behind a page is that draws what has been sent of the picture."""

import pytest

from spatial_workbench.app.serving.picture_line import PictureLine
from tests.app.serving.test_seats import Clock


def sent_each_second(count):
    """A line over which so many pieces went, one at each whole second, and its clock at the last of them."""
    clock = Clock()
    line = PictureLine(clock)
    for second in range(count):
        clock.now = float(second)
        line.send()
    return line, clock


def test_a_page_that_has_drawn_all_is_never_behind():
    line, clock = sent_each_second(5)
    clock.now += 1000
    assert line.behind_ms(5) == 0


def test_where_nothing_was_sent_nothing_is_missing():
    assert PictureLine(Clock()).behind_ms(0) == 0


def test_a_page_is_behind_since_the_first_piece_that_it_has_not_drawn():
    line, clock = sent_each_second(5)
    clock.now += 0.25
    assert [line.behind_ms(drawn) for drawn in range(6)] == [4250, 3250, 2250, 1250, 250, 0]


def test_the_oldest_moments_are_forgotten():
    line, _ = sent_each_second(10_000)
    assert line.behind_ms(9_999) == 0
    assert line.behind_ms(9_000) == 999_000
    assert line.behind_ms(0) == 4095_000


def test_nobody_has_drawn_more_than_was_sent():
    line, _ = sent_each_second(3)
    with pytest.raises(ValueError, match="more was drawn than sent"):
        line.behind_ms(4)
