"""Reads the forms that browsers send."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.requests import Request

MOST_FORM_BYTES = 64_000


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form; none if it is too long."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_FORM_BYTES:
            return {}
    return dict(parse_qsl(body.decode("utf-8", "replace")))
