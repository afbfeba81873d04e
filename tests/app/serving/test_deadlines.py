"""Connections end although the other side does not want to, and nothing that nobody reads piles up."""

import asyncio
import contextlib
import logging
import socket

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from spatial_workbench.app.serving import deadlines, gate, limits
from spatial_workbench.app.serving.faults import tell_faults
from spatial_workbench.app.serving.limits import MOST_BODY_BYTES, RequestLimits
from spatial_workbench.app.serving.session_host import SessionHost
from spatial_workbench.app.serving.web import sockets
from tests.app.serving.test_gate import Study, connected

LONG = 64 << 20
SOON_S = 0.3


async def long_answer(_):
    return Response(bytes(LONG))


async def echo(request):
    return PlainTextResponse(str(len(await request.body())))


async def flood(web_socket):
    await web_socket.accept()
    with contextlib.suppress(WebSocketDisconnect):
        for _ in range(LONG // 65536):
            await web_socket.send_bytes(bytes(65536))


async def quiet(web_socket):
    await web_socket.accept()
    with contextlib.suppress(WebSocketDisconnect):
        await web_socket.receive_text()


APP = Starlette(
    routes=[
        Route("/", long_answer),
        Route("/", echo, methods=["POST"]),
        WebSocketRoute("/flood", flood),
        WebSocketRoute("/quiet", quiet),
    ]
)


@contextlib.asynccontextmanager
async def serving():
    """A server of our kind; gives its address, and how many connections there are."""
    app = RequestLimits(APP, lambda status: status.phrase)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(
            app, log_config=None, ws_max_size=1_000_000, ws_per_message_deflate=False, **deadlines.protocols(())
        )
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve([listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield listening.getsockname(), server.server_state.connections
        finally:
            server.should_exit = True
            server.force_exit = True
            await task


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    """Deadlines that a test can wait for."""
    for name in ("HEAD_S", "READ_S"):
        monkeypatch.setattr(deadlines, name, SOON_S)
    monkeypatch.setattr(limits, "BODY_S", SOON_S)
    monkeypatch.setattr(sockets, "GREETING_S", SOON_S)
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)


async def answer_to(address, *pieces, every=0.0):
    """All that the server says to somebody who sends pieces, until it ends the connection."""
    reader, writer = await asyncio.open_connection(*address)
    answering = asyncio.create_task(_read_to_the_end(reader))
    with contextlib.suppress(ConnectionError):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(every)
    try:
        return await asyncio.wait_for(answering, 10)
    finally:
        writer.close()


async def _read_to_the_end(reader):
    answer = b""
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65536):
            answer += data
    return answer


def ask(*pieces, every=0.0):
    async def run():
        async with serving() as (address, _):
            return await answer_to(address, *pieces, every=every)

    return asyncio.run(run())


POST = b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n"


def test_somebody_who_says_nothing_is_cut_off():
    assert ask() == b""


def test_a_head_that_comes_too_slowly_is_cut_off():
    slowly = [b"GET / HTTP/1.1\r\n", *[b"X-A: b\r\n"] * 20]
    assert ask(*slowly, every=0.05) == b""


def test_a_second_head_that_comes_too_slowly_is_cut_off():
    whole = POST + bytes(100)
    answer = ask(whole, *[b"P", b"O", b"S", b"T", b" ", b"/"] * 4, every=0.05)
    assert answer.count(b"HTTP/1.1 200") == 1
    assert answer.count(b"HTTP/1.1") == 1


def test_a_head_that_is_too_long_is_refused():
    answer = ask(b"GET / HTTP/1.1\r\n", b"X-A: " + b"b" * 100_000)
    assert b"200 OK" not in answer


def test_a_body_that_comes_too_slowly_is_refused():
    assert ask(POST, *[b"x"] * 20, every=0.05).startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize("head", [b"Content-Length: 64001", b"Transfer-Encoding: chunked"])
def test_a_body_that_is_too_long_is_refused(head):
    chunk = b"fa01\r\n" + bytes(MOST_BODY_BYTES + 1)
    body = chunk if b"chunked" in head else bytes(MOST_BODY_BYTES + 1)
    assert ask(b"POST / HTTP/1.1\r\nHost: h\r\n" + head + b"\r\n\r\n" + body).startswith(b"HTTP/1.1 413")


def test_a_body_within_the_limit_is_taken():
    body = bytes(MOST_BODY_BYTES)
    head = b"POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 64000\r\n\r\n"
    assert ask(head + body).endswith(b"64000")


UPGRADE = (
    b"GET /flood HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
)


@pytest.mark.parametrize(
    ("asked", "may_wait"),
    [(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n", LONG + 1000), (UPGRADE, 200_000)],
    ids=["answer", "socket"],
)
def test_what_nobody_reads_does_not_pile_up_and_does_not_wait_for_long(asked, may_wait):
    async def run():
        async with serving() as (address, connections):
            _, writer = await asyncio.open_connection(*address, limit=1)
            writer.write(asked)
            await writer.drain()
            waiting = []
            for _ in range(100):
                await asyncio.sleep(0.05)
                if not connections:
                    break
                waiting += [one.transport.get_write_buffer_size() for one in connections]
            left = len(connections)
            writer.close()
            return max(waiting, default=0), left

    most, left = asyncio.run(run())
    assert left == 0
    assert 0 < most <= may_wait


def test_a_socket_over_which_nothing_is_said_stays_open():
    async def run():
        async with serving() as (address, _):
            reader, writer = await asyncio.open_connection(*address)
            writer.write(UPGRADE.replace(b"/flood", b"/quiet"))
            assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(reader.read(1), 4 * SOON_S)
            writer.close()

    asyncio.run(run())


def test_an_address_has_no_more_connections_than_its_limit(monkeypatch):
    monkeypatch.setattr(deadlines, "MOST_OF_ADDRESS", 5)
    monkeypatch.setattr(deadlines, "HEAD_S", 5)

    async def run():
        async with serving() as (address, connections):
            idle = [await asyncio.open_connection(*address) for _ in range(9)]
            await asyncio.sleep(0.2)
            held = len(connections)
            for _, writer in idle:
                writer.close()
            await asyncio.sleep(0.2)
            return held, await answer_to(address, POST.replace(b"Host", b"Connection: close\r\nHost") + bytes(100))

    held, answer = asyncio.run(run())
    assert held == 5
    assert answer.startswith(b"HTTP/1.1 200")


class Screen:
    """Something that takes what a browser says to its screen."""

    def __init__(self, path):
        self.rfb_socket = path


@pytest.mark.parametrize("said", [b"", b"RFB 003.008\n", b"RFB 003.008\n\x01", b"R"])
def test_a_greeting_of_a_screen_that_does_not_end_is_cut_off(tmp_path, said):
    study = Study(tmp_path)
    heard = []

    async def listen(reader, writer):
        heard.append(await reader.read())
        writer.close()

    with study.browser() as browser:
        study.begin(browser)
        host = study.gate.seats.host_of("P001H")
        host.screen = Screen(str(tmp_path / "rfb"))
        browser.portal.call(asyncio.start_unix_server, listen, host.screen.rfb_socket)
        with connected(browser, "picture") as picture:
            picture.send_bytes(said)
            with pytest.raises(WebSocketDisconnect):
                picture.receive_bytes()
        assert study.gate.seats.watchers_of("P001H") == 0
        with connected(browser, "presence"):
            pass


def test_one_person_has_no_more_pictures_than_the_limit(tmp_path):
    study = Study(tmp_path)
    with study.browser() as browser:
        study.begin(browser)
        study.gate.seats.host_of("P001H").screen = Screen(str(tmp_path / "none"))
        for _ in range(gate.MOST_PICTURES):
            study.gate.seats.arrive("P001H")
        with pytest.raises(WebSocketDisconnect), connected(browser, "picture"):
            pass


def test_what_a_window_does_not_read_does_not_pile_up(tmp_path):
    class Stuck:
        transport = None
        written = 0

        def is_closing(self):
            return False

        def get_write_buffer_size(self):
            return self.written

        def write(self, data):
            self.written += len(data)

    host = SessionHost("Xvnc", tmp_path, tmp_path / "bundle", tmp_path, "P001H")
    stuck = host._to_window = Stuck()
    stuck.transport = stuck
    for _ in range(100_000):
        host.tell_browser({"browser": "Chrome 156"})
    assert stuck.written < 300_000


def test_of_a_fault_only_kind_and_place_are_told(caplog):
    told = []
    names = ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi", "asyncio", "websockets")
    before = {name: (logging.getLogger(name).handlers, logging.getLogger(name).level) for name in names}

    async def failing(scope, receive, send):
        raise KeyError("somebody@example.org at 192.0.2.1")

    tell_faults(told.append)
    try:
        logger = logging.getLogger("uvicorn.error")
        logger.info('%s - "WebSocket %s" [accepted]', "192.0.2.1:5", "/take-part?PROLIFIC_PID=5f")
        logger.error("192.0.2.1 asked for /?PROLIFIC_PID=5f")
        for _ in range(2):
            try:
                TestClient(failing).get("/?PROLIFIC_PID=5f")
            except KeyError as error:
                logger.error("Exception in ASGI application\n", exc_info=error)
    finally:
        for name, (handlers, level) in before.items():
            logger = logging.getLogger(name)
            logger.handlers = handlers
            logger.setLevel(level)
            logger.propagate = True
    (fault,) = told
    assert fault.startswith("A request could not be answered: KeyError in test_deadlines.py:")
    assert caplog.records == []
