"""Simulated people ask again for what JPEG has drawn, when and as the page does."""

import asyncio

from spatial_workbench.app.serving.load import exact_requests
from spatial_workbench.app.serving.load.browser_messages import area_request, encodings
from spatial_workbench.app.serving.load.exact_requests import MOST_PIXELS, ExactRequests, bands
from spatial_workbench.app.serving.load.screen_stream import ChangedArea, PictureUpdate

AREA = ChangedArea(100, 200, 300, 40)


def test_a_large_area_is_asked_for_in_parts():
    parts = list(bands(ChangedArea(10, 20, 1000, 300)))
    assert [part.pixels <= MOST_PIXELS for part in parts] == [True] * 3
    assert (parts[0].y, parts[-1].y + parts[-1].height) == (20, 320)
    assert sum(part.pixels for part in parts) == 300_000


def test_what_was_lost_is_asked_for_once_nothing_moves(monkeypatch):
    monkeypatch.setattr(exact_requests, "REST_S", 0.01)
    monkeypatch.setattr(exact_requests, "COME_S", 0.01)

    async def rest():
        said = []
        asking = ExactRequests(said.append)
        asking.lose([AREA])
        assert said == []
        await asyncio.sleep(0.1)
        assert said == [encodings(loses=False), area_request(AREA)]
        asking.take()
        await asyncio.sleep(0.1)
        assert said[2:] == [encodings()]

    asyncio.run(rest())


def test_whoever_moves_on_does_not_wait_for_it():
    async def move_on():
        said = []
        asking = ExactRequests(said.append)
        asking.lose([AREA])
        asking.wait()
        asking.stop()
        return said

    assert asyncio.run(move_on()) == []


def test_what_was_asked_for_again_is_no_change(monkeypatch):
    monkeypatch.setattr(exact_requests, "REST_S", 0.01)

    async def rest():
        asking = ExactRequests(lambda _: None)
        asking.lose([AREA])
        assert not asking.has_asked_for(PictureUpdate((AREA,)))
        await asyncio.sleep(0.1)
        assert not asking.has_asked_for(PictureUpdate((ChangedArea(100, 200, 5, 5),)))
        assert asking.has_asked_for(PictureUpdate((AREA,)))
        assert not asking.has_asked_for(PictureUpdate((AREA,)))
        asking.stop()

    asyncio.run(rest())
