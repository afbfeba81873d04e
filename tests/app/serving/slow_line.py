"""A line between browser and server that is as slow as said: round trips, a rate, and loss.

It passes TCP on, so what is lost is not seen as such: whatever comes after a lost segment waits for one round trip, in
which TCP would send it again. All connections share the rate of a direction.
"""

import asyncio
import contextlib
import random
import socket
from dataclasses import dataclass, field

SEGMENT = 1448
QUEUE_S = 0.2
"""So much waits at the narrow place before senders are held up, as in a router."""
LEAST_BUFFER = 1 << 16


@dataclass
class SlowLine:
    """What a line is like.

    round_trip_s: how long a byte takes there and back on an empty line. bytes_per_s: its rate, in each direction.
    loss: the share of segments that are lost.
    """

    round_trip_s: float
    bytes_per_s: float
    loss: float = 0.0
    _free_at: dict[str, float] = field(default_factory=dict)
    _dice: random.Random = field(default_factory=lambda: random.Random(1))

    @contextlib.asynccontextmanager
    async def leading(self, port, target):
        """Connections to a port of this machine go over the line to another one."""
        tasks = set()

        async def serve(reader, writer):
            tasks.add(asyncio.current_task())
            there, back = await asyncio.open_connection("127.0.0.1", target, limit=SEGMENT)
            passing = (self._pass(reader, back, "up"), self._pass(there, writer, "down"))
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await asyncio.gather(*passing)
            for one in (writer, back):
                one.close()

        listening = socket.create_server(("127.0.0.1", port))
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self._buffer)
        server = await asyncio.start_server(serve, sock=listening, limit=SEGMENT)
        try:
            yield
        finally:
            server.close()
            for task in tasks:
                task.cancel()

    @property
    def _buffer(self):
        return max(LEAST_BUFFER, int(2 * self.round_trip_s * self.bytes_per_s))

    async def _pass(self, reader, writer, direction):
        """Delivers what is read, in order, when it would arrive."""
        loop = asyncio.get_running_loop()
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        arrives_at = 0.0
        under_way = asyncio.Queue()

        async def deliver():
            while (piece := await under_way.get()) is not None:
                at, data = piece
                await asyncio.sleep(max(0, at - loop.time()))
                writer.write(data)
                await writer.drain()

        delivering = asyncio.create_task(deliver())
        try:
            while data := await reader.read(SEGMENT):
                sent_at = max(loop.time(), self._free_at.get(direction, 0)) + len(data) / self.bytes_per_s
                self._free_at[direction] = sent_at
                is_lost = self._dice.random() < self.loss
                arrives_at = max(arrives_at, sent_at + self.round_trip_s * (1.5 if is_lost else 0.5))
                under_way.put_nowait((arrives_at, data))
                await asyncio.sleep(max(0, sent_at - QUEUE_S - loop.time()))
            under_way.put_nowait(None)
            await delivering
            writer.write_eof()
        finally:
            delivering.cancel()
