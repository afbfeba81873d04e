"""The scripts and the style sheet that pages ask for: ours, and those of noVNC."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from spatial_workbench.app.serving.pages.templates import part

_SCRIPTS = (
    *("check.js", "clipboard.js", "exact.js", "files.js", "keys.js", "looks.js", "picture.js", "quality.js"),
    *("queue.js", "scale.js", "texts.js", "typing.js", "viewer.js", "workbench.js"),
)
_PARTS = {"style.css": "text/css", **dict.fromkeys(_SCRIPTS, "text/javascript")}


class PageParts:
    """Gives the parts of pages to everybody; nothing in them is secret.

    novnc: the folder of noVNC; None where no page shows a screen.
    """

    def __init__(self, novnc: Path | None = None) -> None:
        self._root = None if novnc is None else novnc.resolve()

    def routes(self) -> list[BaseRoute]:
        """The addresses of the parts."""
        parts = Route("/parts/{name}", self._part)
        return [parts] if self._root is None else [parts, Route("/novnc/{path:path}", self._novnc)]

    async def _part(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _PARTS:
            return PlainTextResponse("", HTTPStatus.NOT_FOUND)
        return Response(part(name), media_type=_PARTS[name])

    async def _novnc(self, request: Request) -> Response:
        """A script of noVNC; nothing else of its folder."""
        assert self._root is not None
        path = (self._root / request.path_params["path"]).resolve()
        inside = path.is_relative_to(self._root / "core") or path.is_relative_to(self._root / "vendor")
        if not (inside and path.suffix == ".js" and path.is_file()):
            return PlainTextResponse("", HTTPStatus.NOT_FOUND)
        return FileResponse(path, media_type="text/javascript")
