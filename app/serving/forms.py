"""Reads the forms that browsers send."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.requests import Request


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form, whose length has been limited."""
    return dict(parse_qsl((await request.body()).decode("utf-8", "replace")))
