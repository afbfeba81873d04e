"""Takes the word of a trusted proxy for where a request comes from, and of nobody else."""

from __future__ import annotations

from http import HTTPStatus

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from spatial_workbench.app.serving.addresses import ServingAddress, is_one_of


def with_proxies(app: ASGIApp, address: ServingAddress) -> ASGIApp:
    """A program whose requests come from where the trusted proxies say; without proxies, from where they do."""
    if not address.proxies:
        return app
    # uvicorn declares types of its own for the same protocol.
    believing: ASGIApp = ProxyHeadersMiddleware(app, list(address.proxies))  # type: ignore[arg-type, assignment]
    return OnlyProxies(believing, address.proxies) if address.is_behind_proxy else believing


class OnlyProxies:
    """Answers proxies only: anybody else would reach the gate in the clear.

    proxies: addresses, or networks of addresses.
    """

    def __init__(self, app: ASGIApp, proxies: tuple[str, ...]) -> None:
        self._app = app
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self._is_proxy(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close"})
        else:
            await PlainTextResponse("", HTTPStatus.FORBIDDEN)(scope, receive, send)

    def _is_proxy(self, scope: Scope) -> bool:
        return scope["client"] is not None and is_one_of(scope["client"][0], self._proxies)
