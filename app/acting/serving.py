"""Runs a server of the Model Context Protocol: on standard input and output, or as streamable HTTP on this machine."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.stdio import stdio_server

from spatial_workbench.app.acting.protocol import server_of

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from spatial_workbench.engine.evaluation.hands.desk import HandsDesk

HOST = "127.0.0.1"


def serve_standard_streams(desk: HandsDesk) -> None:
    """Serves the one client at standard input and output until it leaves."""
    server = server_of(desk)

    async def serve() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(serve)


def serve_http(desk: HandsDesk, port: int, token: str) -> None:
    """Serves clients that know the token, at http://127.0.0.1:PORT/mcp, until it is interrupted."""
    import uvicorn

    uvicorn.run(http_application(desk, token), host=HOST, port=port, log_level="warning")


def http_application(desk: HandsDesk, token: str) -> Starlette:
    """The application that answers requests with the right token, and no others."""
    application = server_of(desk).streamable_http_app(host=HOST)
    application.add_middleware(_TokenCheck, token=token)
    return application


class _TokenCheck:
    """Refuses requests that do not bear the token."""

    def __init__(self, app: Any, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        from starlette.responses import PlainTextResponse

        if scope["type"] == "http":
            borne = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(borne, self._expected):
                await PlainTextResponse("The token is missing or wrong.", 401)(scope, receive, send)
                return
        await self._app(scope, receive, send)
