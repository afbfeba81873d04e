"""Does what a browser does with a link to the workbench, and says what it sees.

It presses the button of the link, and asks for the picture until the window is seen there.
"""

import asyncio
import struct
import sys
import urllib.request

import websockets

LINK = sys.argv[1]
ORIGIN = LINK.partition("/open/")[0]
COOKIES = urllib.request.HTTPCookieProcessor()


async def main():
    browser = urllib.request.build_opener(COOKIES)
    page = browser.open(urllib.request.Request(LINK, b"", {"Origin": ORIGIN})).read().decode()
    assert 'id="screen"' in page, page
    cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in COOKIES.cookiejar)
    address = f"ws{ORIGIN.removeprefix('http')}/workbench/picture"
    is_old = int(websockets.__version__.partition(".")[0]) < 14
    headers = {"extra_headers" if is_old else "additional_headers": {"Cookie": cookie}}
    async with websockets.connect(address, origin=ORIGIN, **headers) as socket:
        await see(socket)


async def see(socket):
    pending = b""

    async def read(count):
        nonlocal pending
        while len(pending) < count:
            pending += await socket.recv()
        taken, pending = pending[:count], pending[count:]
        return taken

    version = await read(12)
    await socket.send(version)
    await read((await read(1))[0])
    await socket.send(b"\x01")
    assert await read(4) == bytes(4)
    await socket.send(b"\x00")
    width, height = struct.unpack(">HH", (await read(24))[:4])
    pending = b""
    await socket.send(struct.pack(">BxHi", 2, 1, 0))
    colours = set()
    while len(colours) < 100:
        await asyncio.sleep(0.5)
        await socket.send(struct.pack(">BBHHHH", 3, 0, 0, 0, width, height))
        kind, pieces = struct.unpack(">BxH", await read(4))
        assert kind == 0, kind
        for _ in range(pieces):
            _, _, across, down, _ = struct.unpack(">HHHHi", await read(12))
            pixels = await read(4 * across * down)
            colours |= {pixels[i : i + 3] for i in range(0, len(pixels), 4)}
    print(f"{width} x {height} pixels, {len(colours)} colours")


asyncio.run(asyncio.wait_for(main(), 90))
