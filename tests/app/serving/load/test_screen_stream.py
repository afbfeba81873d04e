"""What a screen sends is read however it is cut into frames, and without decoding a picture."""

import random
import struct

import pytest

from spatial_workbench.app.serving.load.browser_messages import (
    RETURN,
    area_request,
    change_request,
    continuous_request,
    encodings,
    pixel_format,
    pointer_event,
    size_request,
    stroke,
)
from spatial_workbench.app.serving.load.screen_stream import (
    ChangedArea,
    ContinuousOffer,
    PictureUpdate,
    ScreenAnswer,
    ScreenSize,
    ScreenStream,
    ScreenStreamBroken,
)
from spatial_workbench.app.serving.rfb import RfbGatekeeper

GREETING = b"RFB 003.008\n" + b"\1\1" + bytes(4) + struct.pack(">HH16xI", 1280, 720, 5) + b"study"
FENCE = struct.pack(">B3xIB", 248, 1 << 31 | 1 << 30 | 3, 4) + b"abcd"
AREA = ChangedArea(10, 20, 30, 40)


def rectangle(encoding, data=b"", area=AREA):
    return struct.pack(">HHHHi", area.x, area.y, area.width, area.height, encoding) + data


def update(*rectangles, count=None):
    return struct.pack(">BxH", 0, len(rectangles) if count is None else count) + b"".join(rectangles)


def greeted():
    stream = ScreenStream()
    stream.feed(GREETING)
    return stream


def compact(length):
    """A length as Tight writes it: seven bits a byte, the lowest first."""
    if length < 1 << 7:
        return bytes([length])
    if length < 1 << 14:
        return bytes([length & 0x7F | 0x80, length >> 7])
    return bytes([length & 0x7F | 0x80, length >> 7 & 0x7F | 0x80, length >> 14])


def packed(length):
    return compact(length) + bytes(length)


FILLED = b"\x80" + bytes(3)
LOSSY = b"\x90" + packed(20_000)
COLOURS = b"\x00" + packed(300)
TWO_COLOURS = b"\x50\x01\x01" + bytes(6) + packed(90)
MANY_COLOURS = b"\x40\x01\x0f" + bytes(48) + packed(130)
GRADIENT = b"\x40\x02" + packed(16_384)
SMALL = ChangedArea(1, 2, 3, 1)


def test_the_greeting_is_answered_and_tells_the_size():
    found = ScreenStream().feed(GREETING)
    assert found == [
        ScreenAnswer(b"RFB 003.008\n"),
        ScreenAnswer(b"\1"),
        ScreenAnswer(b"\0"),
        ScreenSize(1280, 720),
    ]


@pytest.mark.parametrize(
    ("encoding", "data"),
    [
        (0, bytes(30 * 40 * 4)),
        (1, bytes(4)),
        *((7, data) for data in (FILLED, COLOURS, TWO_COLOURS, MANY_COLOURS, GRADIENT)),
    ],
)
def test_each_kind_of_picture_ends_where_its_data_end(encoding, data):
    stream = greeted()
    assert stream.feed(update(rectangle(encoding, data))[:-1]) == []
    assert stream.feed(data[-1:] + b"\2" + update(rectangle(7, FILLED))) == 2 * [PictureUpdate((AREA,))]


def test_of_a_picture_it_is_known_what_came_as_jpeg():
    assert greeted().feed(update(rectangle(7, LOSSY), rectangle(7, FILLED, SMALL))) == [
        PictureUpdate((AREA, SMALL), (AREA,))
    ]


def test_less_than_twelve_bytes_are_not_compressed():
    assert greeted().feed(update(rectangle(7, b"\x00" + bytes(9), SMALL))) == [PictureUpdate((SMALL,))]


def test_a_picture_of_unknown_length_ends_with_its_last_rectangle():
    last = rectangle(-224, area=ChangedArea(0, 0, 0, 0))
    assert greeted().feed(update(rectangle(7, FILLED), last, count=0xFFFF)) == [PictureUpdate((AREA,))]


def test_the_shape_of_the_pointer_changes_no_area():
    assert greeted().feed(update(rectangle(-239, bytes(30 * 40 * 4 + 4 * 40)))) == [PictureUpdate(())]


def test_a_size_comes_with_the_number_of_its_screen():
    screens = struct.pack(">B3xIHHHHI", 1, 9, 0, 0, 1280, 800, 0)
    told = greeted().feed(update(rectangle(-308, screens, ChangedArea(0, 0, 1280, 800))))
    assert told == [ScreenSize(1280, 800, 9), PictureUpdate(())]


def test_a_fence_is_answered_with_what_it_holds():
    (answer,) = greeted().feed(FENCE)
    assert answer == ScreenAnswer(struct.pack(">B3xIB", 248, 3, 4) + b"abcd")


def test_frames_are_not_messages():
    pictures = update(rectangle(7, LOSSY), rectangle(7, TWO_COLOURS), rectangle(0, bytes(4800)))
    told = GREETING + bytes([150]) + FENCE + pictures + b"\3" + bytes(3) + struct.pack(">I", 7) + b"clipped" + pictures
    whole = ScreenStream().feed(told)
    assert whole[-1] == PictureUpdate((AREA, AREA, AREA), (AREA,))
    assert ContinuousOffer() in whole
    dice = random.Random(3)
    for _ in range(20):
        stream, found, rest = ScreenStream(), [], told
        while rest:
            length = dice.choice((1, 2, 13, 700, 20_000))
            found += stream.feed(rest[:length])
            rest = rest[length:]
        assert found == whole


@pytest.mark.parametrize(
    "data", [b"\x63", update(rectangle(5)), update(rectangle(7, b"\xa0")), update(rectangle(7, b"\x40\x07"))]
)
def test_what_was_not_asked_for_is_not_guessed_at(data):
    with pytest.raises(ScreenStreamBroken):
        greeted().feed(data)


def test_a_screen_that_shows_another_browser_is_told():
    with pytest.raises(ScreenStreamBroken, match="busy"):
        ScreenStream().feed(b"RFB 003.008\n\0" + struct.pack(">I", 4) + b"busy")


def test_the_gate_passes_on_all_that_simulated_people_say():
    gatekeeper = RfbGatekeeper()
    gatekeeper.feed(b"".join(one.content for one in ScreenStream().feed(GREETING)[:3]))
    said = [pixel_format(), encodings(), encodings(loses=False), area_request(AREA), change_request(1280, 800)]
    said += [continuous_request(1280, 800), size_request(1280, 800, 9), pointer_event(3, 4, 2), stroke(RETURN)]
    (answer,) = greeted().feed(FENCE)
    for message in (*said, answer.content):
        assert gatekeeper.feed(message) == message


def test_an_area_is_near_what_lies_inside_or_beside_it():
    assert AREA.is_near(15, 25, 0)
    assert AREA.is_near(0, 15, 10)
    assert not AREA.is_near(0, 15, 9)


def test_two_areas_are_joined_to_the_smallest_that_holds_both():
    assert AREA.joined(SMALL) == ChangedArea(1, 2, 39, 58)
