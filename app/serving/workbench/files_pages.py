"""The page of files: uploads, downloads, and deleting after a question."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import AsyncIterator
from http import HTTPStatus
from urllib.parse import quote

from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from spatial_workbench.app.serving.web.our_origin import page_with_form
from spatial_workbench.app.serving.workbench.exchange_folder import (
    ExchangeFolder,
    FileExists,
    FileRefused,
    FileTooLarge,
)
from spatial_workbench.app.serving.workbench.pages import WorkbenchPages

FILES = "/workbench/files"
UPLOADS = f"{FILES}/put/"
PIECE_S = 30
"""The next piece of a file has to have come after so long."""
_NOT_THERE = ("There is no such file", "It may have been deleted or renamed.")


class FilesPages:
    """Shows a folder, and does what its page asks for."""

    def __init__(self, folder: ExchangeFolder, pages: WorkbenchPages) -> None:
        self._folder = folder
        self._pages = pages

    def routes(self) -> list[BaseRoute]:
        """The addresses of the page and of its files."""
        return [
            Route(FILES, self._list),
            Route(f"{FILES}/get/{{name}}", self._get),
            Route(f"{UPLOADS}{{name}}", self._put, methods=["POST"]),
            Route(f"{FILES}/delete/{{name}}", self._delete, methods=["GET", "POST"]),
        ]

    async def _list(self, _: Request) -> Response:
        try:
            files = await asyncio.to_thread(self._folder.files)
        except OSError as error:
            words = ("The folder cannot be read", f"{self._folder.path}: {os.strerror(error.errno or 0)}.")
            return HTMLResponse(self._pages.message(words), HTTPStatus.INTERNAL_SERVER_ERROR)
        return page_with_form(self._pages.files(files, self._folder.path, self._folder.most_bytes))

    async def _get(self, request: Request) -> Response:
        path = self._folder.find(request.path_params["name"])
        if path is None:
            return self._not_there()
        # Whatever it holds, the browser stores it, and shows nothing of it as a page of ours.
        return FileResponse(path, media_type="application/octet-stream", filename=path.name)

    async def _put(self, request: Request) -> Response:
        """Takes a file; answers with a sentence if it cannot be taken."""
        length = request.headers.get("content-length", "")
        if length.isdigit() and int(length) > self._folder.most_bytes:
            return _refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, str(self._folder.too_large()))
        name = request.path_params["name"]
        replaces = request.query_params.get("replace") == "yes"
        try:
            return PlainTextResponse(await self._folder.take(name, _pieces(request), replaces))
        except FileExists as error:
            return _refused(HTTPStatus.CONFLICT, str(error))
        except FileTooLarge as error:
            return _refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, str(error))
        except FileRefused as error:
            return _refused(HTTPStatus.BAD_REQUEST, str(error))
        except (TimeoutError, ClientDisconnect):
            return _refused(HTTPStatus.REQUEST_TIMEOUT, "The connection is too slow, or was lost.")
        except OSError as error:
            return _refused(HTTPStatus.INSUFFICIENT_STORAGE, _why(error))

    async def _delete(self, request: Request) -> Response:
        """Asks first; the button of that page deletes."""
        name = request.path_params["name"]
        if self._folder.find(name) is None:
            return self._not_there()
        if request.method != "POST":
            return page_with_form(self._pages.delete(name, f"{FILES}/delete/{quote(name, safe='')}"))
        try:
            await asyncio.to_thread(self._folder.delete, name)
        except OSError as error:
            words = (f"{name} could not be deleted", _why(error))
            return HTMLResponse(self._pages.message(words), HTTPStatus.INTERNAL_SERVER_ERROR)
        return RedirectResponse(FILES, HTTPStatus.SEE_OTHER)

    def _not_there(self) -> Response:
        return HTMLResponse(self._pages.message(_NOT_THERE), HTTPStatus.NOT_FOUND)


async def _pieces(request: Request) -> AsyncIterator[bytes]:
    """The body of a request as it comes.

    Raises:
        TimeoutError: Nothing came for too long.
        ClientDisconnect: The browser is gone.
    """
    pieces = aiter(request.stream())
    while True:
        try:
            async with asyncio.timeout(PIECE_S):
                piece = await anext(pieces)
        except StopAsyncIteration:
            return
        yield piece


def _why(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "The server's disk is full. Delete files that are not needed any more, and try again."
    return f"The server cannot write it: {os.strerror(error.errno or 0)}."


def _refused(status: HTTPStatus, why: str) -> Response:
    """Says why; the rest of the file is not read."""
    return PlainTextResponse(why, status, {"Connection": "close"})
