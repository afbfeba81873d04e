"""The process that serves a copy of a study: `python -m spatial_workbench.app.serving.load.hosting FOLDER PEOPLE`.

It is the server that people reach otherwise, on a free port of this machine. It ends once its standard input is closed,
so that nothing is left behind however its parent ends.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from spatial_workbench.app.serving.addresses import listening_at, serving_address
from spatial_workbench.app.serving.served_study import BUNDLE, ServedStudy
from spatial_workbench.app.serving.server import StudyServer
from spatial_workbench.app.serving.system_parts import found_parts
from spatial_workbench.engine.studies.files.bundles import read_bundle

HOST = "127.0.0.1"


async def _serve(server: StudyServer) -> None:
    left = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(left), sys.stdin)
    serving = asyncio.create_task(server.serve())
    await left.read()
    server.stop()
    await serving


def main(folder: str, people: str) -> None:
    """Serves until nobody needs it any more."""
    listening = listening_at(HOST, 0)
    address = serving_address(f"{HOST}:{listening.getsockname()[1]}")
    served = Path(folder)
    study = ServedStudy(None, read_bundle(served / BUNDLE), served, address, int(people))
    asyncio.run(_serve(StudyServer(study, found_parts(), listening, lambda sentence: print(sentence, file=sys.stderr))))


if __name__ == "__main__":
    main(*sys.argv[1:])
