"""Draws the pages of PDF files in a process of its own: drawing a page cannot be interrupted, a process can."""

from __future__ import annotations

import queue
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from spatial_workbench.engine.children import ChildProcess, Line, Message
from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.puzzles.sets.folders import SetError
from spatial_workbench.engine.puzzles.sets.pages import MOST_PIXELS

MOST_PAGES = 100
MOST_PIXELS_OF_ALL = 1_000_000_000
"""Of all pages of a file together: four hundred sheets of A4."""
PDF_DPI = 150
PAGE_LIMIT_S = 30.0
"""How long reading the file, and drawing each page, may take."""
_PATIENCE_S = 0.1
_MEMORY_BYTES = 3 << 30


def draw_pages(path: Path, folder: Path, progress: Progress = silent) -> list[Path]:
    """Draws the pages of a PDF at PDF_DPI; returns PNG files in `folder`, in order.

    progress: Called with the number of pages done and how many there are.

    Raises:
        SetError: The file cannot be read, has too many or too large pages, or a page takes too long.
        Cancelled: Raised by `progress`.
    """
    inbox: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
    child = ChildProcess(f"{__name__}:serve", str(path), str(folder), deliver=inbox.put)
    try:
        child.wait_until_ready()
        return _pages_from(child, inbox, path.name, folder, progress)
    finally:
        child.close()


def _pages_from(
    child: ChildProcess, inbox: queue.SimpleQueue[Message | None], name: str, folder: Path, progress: Progress
) -> list[Path]:
    done = 0
    total = 1
    while True:
        message = _next_message(child, inbox, name, lambda: progress(done, total, f"page {done + 1}"))  # noqa: B023
        if "error" in message.data:
            raise SetError(f"{name} {message.data['error']}")
        if "pages" in message.data:
            total = message.data["pages"]
        else:
            done = message.data["page"]
            progress(done, total, f"page {done} of {total}")
        if done == total and "page" in message.data:
            return [_page_file(folder, page) for page in range(1, total + 1)]


def _next_message(
    child: ChildProcess, inbox: queue.SimpleQueue[Message | None], name: str, look: Callable[[], None]
) -> Message:
    """Waits for the child's next message, and looks now and then whether the work is still wanted."""
    deadline = time.monotonic() + PAGE_LIMIT_S
    while time.monotonic() < deadline:
        try:
            message = inbox.get(timeout=_PATIENCE_S)
        except queue.Empty:
            look()
            continue
        if message is None:
            raise SetError(f"{name} cannot be read as PDF: the process that draws it ended {child.obituary()}")
        return message
    raise SetError(f"{name} has a page that takes longer than {PAGE_LIMIT_S:g} s to draw")


def _page_file(folder: Path, page: int) -> Path:
    return folder / f"page_{page}.png"


# The child's side ----------------------------------------------------------------------------------------------------


def serve(line: Line, path: str, folder: str) -> None:
    """Draws a file and says {"pages": how many}, then {"page": number} after each; or {"error": end of a sentence}."""
    _limit_memory()
    import pypdfium2

    try:
        _draw_all(line, pypdfium2.PdfDocument(path), Path(folder))
    except (pypdfium2.PdfiumError, OSError, ValueError) as error:
        line.send(Message({"error": f"cannot be read as PDF: {error}"}))
    except MemoryError:
        line.send(Message({"error": "has a page that needs too much memory"}))


def _draw_all(line: Line, document: Any, folder: Path) -> None:
    scale = PDF_DPI / 72 * (1 - 1e-9)  # Sizes are rounded up: 1650.0000001 would give a line too many.
    if refusal := _refusal(document, scale):
        line.send(Message({"error": refusal}))
        return
    line.send(Message({"pages": len(document)}))
    for number in range(len(document)):
        page = document[number]
        page.render(scale=scale).to_pil().convert("RGB").save(_page_file(folder, number + 1), "PNG")
        page.close()
        line.send(Message({"page": number + 1}))


def _refusal(document: Any, scale: float) -> str:
    """Why a file is not drawn, as the end of a sentence; empty if it is."""
    if not 1 <= len(document) <= MOST_PAGES:
        return f"has {len(document)} pages; 1 to {MOST_PAGES} can be taken over"
    total = 0.0
    for number in range(len(document)):
        width, height = document.get_page_size(number)
        total += width * height * scale**2
        if width * height * scale**2 > MOST_PIXELS:
            return f"has a page of {width / 72:.0f} × {height / 72:.0f} inches, which is too large"
    if total > MOST_PIXELS_OF_ALL:
        most = f"the limit is {MOST_PIXELS_OF_ALL // 10**6:,} million"
        return f"has {total / 1e6:,.0f} million pixels on its pages; {most}"
    return ""


def _limit_memory() -> None:
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY_BYTES, _MEMORY_BYTES))
