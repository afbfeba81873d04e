"""uvicorn, as this program uses it: quiet, bounded, and behind trusted proxies only."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from spatial_workbench.app.serving.addresses import ServingAddress
from spatial_workbench.app.serving.deadlines import protocols
from spatial_workbench.app.serving.forwarding import with_proxies

MOST_FRAME_BYTES = 1_000_000
END_S = 10
"""At the end, what is still being answered is not waited for longer."""


class _QuietServer(uvicorn.Server):
    """Leaves signals alone: it would raise them again at its end, before the last results are merged."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def web_server(application: ASGIApp, address: ServingAddress) -> uvicorn.Server:
    """A server of a program at an address; it leaves signals to its caller."""
    config = uvicorn.Config(
        with_proxies(application, address),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ssl_certfile=address.certificate,
        ssl_keyfile=address.key,
        **protocols(address.proxies),
        ws_max_size=MOST_FRAME_BYTES,
        timeout_graceful_shutdown=END_S,
        ws_per_message_deflate=False,
    )
    return _QuietServer(config)


def allow_many_connections() -> None:
    """Lets this process hold as many connections as the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
