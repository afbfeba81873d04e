"""The process of the simulated people: `python -m spatial_workbench.app.serving.load.crowd FOLDER SECONDS`.

FOLDER is the one that is served. Each line that it prints is JSON; where it says that a phase begins (`phase`), it
goes on once a line comes in: so whoever has started it can measure between phases. Once its standard input is closed,
it ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Any

from websockets.exceptions import WebSocketException

from spatial_workbench.app.serving.load.crowd_report import WORKED, WORKING, together
from spatial_workbench.app.serving.load.simulated_page import PageFailed
from spatial_workbench.app.serving.load.simulated_person import NeverInItem, SimulatedPerson
from spatial_workbench.engine.studies.files.serving_state import SeatedPerson, ServingState, running_server

LOOK_S = 0.3
SETTLE_S = 3.0
"""After the last window has opened; its item is drawn for the first time meanwhile."""


class CrowdFailed(RuntimeError):
    """Somebody cannot take part; says who and why."""


class SimulatedCrowd:
    """Simulated people of a server.

    folder: the folder that is served. orders: the lines that come in.
    """

    def __init__(self, folder: Path, orders: asyncio.Queue[bytes]) -> None:
        self._folder = folder
        self._orders = orders
        self._state: ServingState | None = running_server(folder)
        links = {} if self._state is None else self._state.links
        self._people = {
            code: SimulatedPerson(link, number, partial(self._seat_of, code))
            for number, (code, link) in enumerate(links.items())
        }
        self._shown: set[asyncio.Task[None]] = set()
        self._is_over = asyncio.Event()

    async def run(self, seconds: float) -> None:
        """Lets all take part, and work for so long; less if an interrupt comes.

        Raises:
            CrowdFailed: Somebody cannot.
        """
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._is_over.set)
        looking = asyncio.create_task(self._look())
        try:
            await self._enter()
            await self._phase(WORKING)
            await self._work(seconds)
            await self._phase(WORKED)
            await asyncio.gather(*(person.hand_in() for person in self._people.values()))
            say(report=together(person.report.settled() for person in self._people.values()).model_dump())
        finally:
            for task in (looking, *self._shown):
                task.cancel()

    async def _enter(self) -> None:
        """Opens the windows one after another, as the server does, and goes to an item in each."""
        for number, (code, person) in enumerate(self._people.items(), 1):
            try:
                await person.page.begin()
            except PageFailed as error:
                raise CrowdFailed(f"{code} cannot take part: {error}.") from None
            self._shown.add(asyncio.create_task(person.page.show()))
            say(open=number)
        await asyncio.sleep(SETTLE_S)
        await asyncio.gather(*(self._to_item(code, person) for code, person in self._people.items()))

    async def _to_item(self, code: str, person: SimulatedPerson) -> None:
        try:
            await person.go_to_item()
        except NeverInItem:
            raise CrowdFailed(f"{code} did not come to an item within two minutes.") from None
        await person.look_over()

    async def _work(self, seconds: float) -> None:
        work = [asyncio.create_task(person.work(self._is_over)) for person in self._people.values()]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._is_over.wait()
        self._is_over.set()
        await asyncio.gather(*work)

    async def _phase(self, name: str) -> None:
        say(phase=name)
        await self._orders.get()

    async def _look(self) -> None:
        while True:
            self._state = await asyncio.to_thread(running_server, self._folder)
            await asyncio.sleep(LOOK_S)

    def _seat_of(self, code: str) -> SeatedPerson | None:
        seated = () if self._state is None else self._state.seated
        return next((person for person in seated if person.code == code), None)


def say(**told: Any) -> None:
    """Tells whoever has started the process."""
    print(json.dumps(told), flush=True)


async def _run(folder: Path, seconds: float) -> None:
    orders: asyncio.Queue[bytes] = asyncio.Queue()
    taking_part = asyncio.create_task(SimulatedCrowd(folder, orders).run(seconds))
    reading = asyncio.create_task(_read(orders))
    reading.add_done_callback(lambda _: taking_part.cancel())
    try:
        await taking_part
    except CrowdFailed as error:
        say(failed=str(error))
    except (OSError, WebSocketException) as error:
        say(failed=f"A connection to the server was lost ({type(error).__name__}).")
    except asyncio.CancelledError:
        return
    reading.cancel()


async def _read(orders: asyncio.Queue[bytes]) -> None:
    """Reads lines until the input is closed."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        orders.put_nowait(line)


def main(folder: str, seconds: str) -> None:
    """Runs the process."""
    asyncio.run(_run(Path(folder), float(seconds)))


if __name__ == "__main__":
    main(*sys.argv[1:])
