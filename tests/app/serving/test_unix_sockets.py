"""Connections to screens whose queue is full."""

import asyncio
import socket

import pytest

from spatial_workbench.app.serving.web import unix_sockets
from spatial_workbench.app.serving.web.unix_sockets import connected_to


@pytest.fixture
def crowded(tmp_path):
    """Somebody who listens, with a queue that is full."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "rfb"))
    listener.listen(0)
    waiting = socket.socket(socket.AF_UNIX)
    waiting.connect(str(tmp_path / "rfb"))
    with listener, waiting:
        yield listener


def test_a_full_queue_is_waited_for(crowded, tmp_path):
    async def run():
        connecting = asyncio.ensure_future(connected_to(tmp_path / "rfb"))
        await asyncio.sleep(0.1)
        assert not connecting.done()
        crowded.accept()[0].close()
        reader, writer = await connecting
        accepted, _ = crowded.accept()
        with accepted:
            accepted.sendall(b"RFB")
            assert await reader.readexactly(3) == b"RFB"
        writer.close()

    asyncio.run(run())


def test_a_queue_that_stays_full_is_given_up(crowded, tmp_path, monkeypatch):
    monkeypatch.setattr(unix_sockets, "CONNECT_S", 0.1)
    with pytest.raises(TimeoutError):
        asyncio.run(connected_to(tmp_path / "rfb"))


def test_where_nobody_listens_nothing_is_waited_for(tmp_path):
    with pytest.raises(FileNotFoundError):
        asyncio.run(connected_to(tmp_path / "rfb"))
