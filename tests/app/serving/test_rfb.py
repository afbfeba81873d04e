"""A browser says to the picture's server only what is on the list, however its bytes are cut into frames."""

import random
import struct
import time

import pytest

from spatial_workbench.app.serving import rfb
from spatial_workbench.app.serving.rfb import ENCODINGS, LARGEST, RfbGatekeeper, RfbRefused, largest_page

GREETING = b"RFB 003.008\n\x01\x01"
PIXELS = bytes([0, 0, 0, 0]) + bytes(16)
REQUEST = struct.pack(">BBHHHH", 3, 1, 0, 0, 1280, 720)
KEY = struct.pack(">BBxxI", 4, 1, 0xFF0D)
POINTER = struct.pack(">BBHH", 5, 1, 100, 200)
FENCE = struct.pack(">BxxxIB", 248, 1, 4) + b"abcd"
UPDATES = struct.pack(">BBHHHH", 150, 1, 0, 0, 1280, 720)


def encodings(*values):
    return struct.pack(f">BxH{len(values)}i", 2, len(values), *values)


def size(width, height, screens=1):
    return struct.pack(">BxHHBx", 251, width, height, screens) + screens * struct.pack(
        ">IHHHHI", 7, 3, 4, width, height, 9
    )


def greeted():
    gatekeeper = RfbGatekeeper()
    assert gatekeeper.feed(GREETING) == b"RFB 003.008\n\x01\x00"
    return gatekeeper


def test_nobody_else_may_watch_whatever_the_browser_asks_for():
    assert RfbGatekeeper().feed(GREETING)[-1] == 0


@pytest.mark.parametrize("message", [PIXELS, REQUEST, KEY, POINTER, FENCE, UPDATES], ids=lambda m: str(m[0]))
def test_what_is_on_the_list_passes_unchanged(message):
    assert greeted().feed(message) == message


def test_frames_are_not_messages():
    messages = GREETING + PIXELS + encodings(7, 0, -223) + REQUEST + 20 * (KEY + POINTER) + FENCE + UPDATES
    whole = RfbGatekeeper().feed(messages)
    dice = random.Random(3)
    for _ in range(50):
        gatekeeper = RfbGatekeeper()
        passed = b""
        rest = messages
        while rest:
            length = dice.randint(1, 40)
            passed += gatekeeper.feed(rest[:length])
            rest = rest[length:]
        assert passed == whole


def test_half_a_message_waits_for_its_other_half():
    gatekeeper = greeted()
    assert gatekeeper.feed(KEY[:5]) == b""
    assert gatekeeper.feed(KEY[5:] + POINTER[:1]) == KEY
    assert gatekeeper.feed(POINTER[1:]) == POINTER


def test_encodings_for_the_clipboard_files_and_other_keyboards_are_left_out():
    clipboard = 0xC0A1E5CE - (1 << 32)
    assert greeted().feed(encodings(7, clipboard, -258, -309, 0)) == encodings(7, 0)
    assert clipboard not in ENCODINGS


@pytest.mark.parametrize(
    ("asked", "given"),
    [((1600, 900), (1600, 900)), ((10, 10), (1280, 720)), ((65535, 65535), (2560, 1440)), ((1300, 600), (1300, 720))],
)
def test_sizes_of_the_screen_are_kept_within_limits(asked, given):
    message = greeted().feed(size(*asked))
    assert message == struct.pack(">BxHHBxIHHHHI", 251, *given, 1, 7, 0, 0, *given, 0)


@pytest.mark.parametrize(
    ("scale", "asked", "given"),
    [
        (2, (1280, 720), (2560, 1440)),
        (2, (1400, 900), (2560, 1440)),
        (1.5, (1440, 800), (2160, 1200)),
        (1.5, (100, 100), (1920, 1080)),
        (1.25, (1537, 730), (1921, 912)),
    ],
)
def test_where_pixels_are_small_the_screen_has_more_of_them_within_the_same_limits(scale, asked, given):
    gatekeeper = RfbGatekeeper(scale=scale)
    gatekeeper.feed(GREETING)
    assert gatekeeper.feed(size(*asked)) == struct.pack(">BxHHBxIHHHHI", 251, *given, 1, 7, 0, 0, *given, 0)
    assert all(length * scale <= most for length, most in zip(largest_page(scale), LARGEST, strict=True))


CLIPBOARD = struct.pack(">BxxxI", 6, 4) + b"text"
EXTENDED_CLIPBOARD = struct.pack(">Bxxxi", 6, -8) + bytes(8)


@pytest.mark.parametrize(
    "message",
    [
        CLIPBOARD,
        EXTENDED_CLIPBOARD,
        bytes([255, 0]) + bytes(10),
        bytes([250, 0, 1, 2]),
        bytes([252]),
        bytes([1]),
        b"GET / HTTP/1.1\r\n",
        struct.pack(">BxH", 2, 65535),
        struct.pack(">BxxxIB", 248, 1, 255),
        size(1600, 900, screens=0),
        size(1600, 900, screens=200),
    ],
)
def test_anything_else_ends_the_connection(message):
    with pytest.raises(RfbRefused):
        greeted().feed(message)


@pytest.mark.parametrize("greeting", [b"RFB 003.003\n", b"GET / HTTP/1", b"RFB 003.008\n\x02", b"RFB 003.008\n\x13"])
def test_other_greetings_end_the_connection(greeting):
    with pytest.raises(RfbRefused):
        RfbGatekeeper().feed(greeting)


def test_garbage_is_refused_or_waited_for_and_never_fails_otherwise():
    dice = random.Random(5)
    for _ in range(2000):
        gatekeeper = greeted()
        try:
            for _ in range(4):
                gatekeeper.feed(dice.randbytes(dice.randint(1, 40)))
        except RfbRefused:
            pass


def test_a_large_frame_of_small_messages_takes_no_longer_than_its_length():
    messages = 100_000 * KEY
    begin = time.process_time()
    assert greeted().feed(messages) == messages
    assert time.process_time() - begin < 2


def test_the_greeting_is_over_with_its_last_byte():
    gatekeeper = RfbGatekeeper()
    gatekeeper.feed(GREETING[:-1])
    assert not gatekeeper.has_greeted
    gatekeeper.feed(GREETING[-1:])
    assert gatekeeper.has_greeted


MOST_CUT = 1000


def cut(text, length=None):
    return struct.pack(">Bxxxi", 6, len(text) if length is None else length) + text


@pytest.mark.parametrize("message", [cut(b"abc"), cut(b""), cut(bytes(MOST_CUT)), cut(bytes(40), -40)])
def test_where_the_clipboard_is_connected_what_was_copied_passes_unchanged(message):
    gatekeeper = RfbGatekeeper(MOST_CUT)
    gatekeeper.feed(GREETING)
    assert gatekeeper.feed(message + KEY) == message + KEY


@pytest.mark.parametrize("length", [MOST_CUT + 1, -MOST_CUT - 1, 2**31 - 1, -(2**31)])
def test_a_clipboard_that_is_too_long_ends_the_connection(length):
    gatekeeper = RfbGatekeeper(MOST_CUT)
    gatekeeper.feed(GREETING)
    with pytest.raises(RfbRefused):
        gatekeeper.feed(cut(b"", length))


def test_a_clipboard_of_any_characters_is_offered_only_where_it_is_connected():
    connected = RfbGatekeeper(MOST_CUT)
    connected.feed(GREETING)
    asked = encodings(7, rfb.EXTENDED_CLIPBOARD)
    assert connected.feed(asked) == asked
    assert greeted().feed(asked) == encodings(7)
