"""Limits on what an endpoint may send: so many bytes, lines of limited length, no compression, no redirection to
another host.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.models.contracts import ErrorKind
from spatial_workbench.engine.models.faults import Broken

if TYPE_CHECKING:
    import httpx2

ANSWER_BYTES = 128 << 20
"""The longest answer that is accepted is 16 million characters, and each piece of it comes in an envelope."""
LINE_BYTES = 32 << 20
ERROR_BYTES = 1 << 20
NO_COMPRESSION = {"Accept-Encoding": "identity"}
"""Asks for bytes as they are: a small compressed body may become an endless one."""


def hooks() -> dict[str, list[Any]]:
    """Event hooks for a client of httpx: every response is checked before its body is read."""
    return {"response": [_check]}


async def _check(response: httpx2.Response) -> None:
    """Raises Broken if the response leads elsewhere or is compressed; bounds what is read of it."""
    _refuse_other_host(response)
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("", "identity"):
        raise Broken(ErrorKind.BAD_RESPONSE, f"it sent compressed data ({encoding[:20]}), which nobody asked for")
    limit = ANSWER_BYTES if response.status_code < 300 else ERROR_BYTES
    response.stream = _bounded(response.stream, limit)


def _refuse_other_host(response: httpx2.Response) -> None:
    if not response.has_redirect_location:
        return
    asked = response.request.url
    target = asked.join(response.headers["location"])
    if _origin(target) != _origin(asked):
        there = f"{target.scheme}://{target.host}" + (f":{target.port}" if target.port else "")
        raise Broken(
            ErrorKind.BAD_RESPONSE,
            f"it redirects to {there[:200]}, and prompts and keys go to no other host or port. If you trust it, enter "
            "that address",
        )


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port or {"http": 80, "https": 443}.get(url.scheme)


def _bounded(stream: Any, limit: int) -> Any:
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        """A stream that ends with an error where it exceeds a limit."""

        async def __aiter__(self) -> AsyncIterator[bytes]:
            total = 0
            line = 0
            async for chunk in stream:
                total += len(chunk)
                last = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
                line = len(chunk) - last - 1 + (line if last < 0 else 0)
                if total > limit:
                    raise Broken(ErrorKind.BAD_RESPONSE, f"it sent more than {limit:,} bytes")
                if line > LINE_BYTES:
                    raise Broken(ErrorKind.BAD_RESPONSE, f"it sent a line of more than {LINE_BYTES:,} bytes")
                yield chunk

        async def aclose(self) -> None:
            await stream.aclose()

    return Bounded()
