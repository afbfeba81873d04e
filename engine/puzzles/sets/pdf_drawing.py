"""Draws the pages of PDF files in a process of its own: drawing a page cannot be interrupted, a process can."""

from __future__ import annotations

import queue
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
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
_FILES_AT_ONCE = 50
_MEMORY_BYTES = 3 << 30


def draw_pages(path: Path, folder: Path, progress: Progress = silent, numbers: Sequence[int] = ()) -> list[Path]:
    """Draws the pages of a PDF at PDF_DPI; returns PNG files in `folder`, in order.

    progress: Called with the number of pages done and how many there are.
    numbers: The pages that are drawn, from 1 on; all by default.

    Raises:
        SetError: The file cannot be read, has too many or too large pages, or a page takes too long.
        Cancelled: Raised by `progress`.
    """
    inbox: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
    wanted = ",".join(map(str, numbers))
    child = ChildProcess(f"{__name__}:serve", str(path), str(folder), wanted, deliver=inbox.put)
    try:
        child.wait_until_ready()
        return _pages_from(child, inbox, path.name, folder, progress)
    finally:
        child.close()


def count_pages(paths: Sequence[Path], progress: Progress = silent) -> list[int | str]:
    """How many pages PDFs have; for one that cannot be read, why, as the end of a sentence.

    Raises Cancelled where `progress` does.
    """
    counts: list[int | str] = []
    while len(counts) < len(paths):
        # A file that ends the process costs a start of another one, and nothing else.
        counts += _counts_from(paths[len(counts) :][:_FILES_AT_ONCE], len(counts), len(paths), progress)
    return counts


def _counts_from(paths: Sequence[Path], before: int, total: int, progress: Progress) -> list[int | str]:
    inbox: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
    child = ChildProcess(f"{__name__}:serve_counts", *map(str, paths), deliver=inbox.put)
    counts: list[int | str] = []
    try:
        child.wait_until_ready()
        for k, path in enumerate(paths, before):
            message = _next_message(child, inbox, "", partial(progress, k, total, path.name))
            counts.append(message.data["error"] if "error" in message.data else message.data["pages"])
    except SetError as error:
        counts.append(str(error).strip())
    finally:
        child.close()
    return counts


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
            raise SetError(f"{name} cannot be read as PDF: the process that reads it ended {child.obituary()}")
        return message
    raise SetError(f"{name} takes longer than {PAGE_LIMIT_S:g} s for a page")


def _page_file(folder: Path, page: int) -> Path:
    return folder / f"page_{page}.png"


# The child's side ----------------------------------------------------------------------------------------------------


def serve(line: Line, path: str, folder: str, numbers: str) -> None:
    """Draws a file and says {"pages": how many}, then {"page": number} after each; or {"error": end of a sentence}."""
    _limit_memory()
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
        _draw(
            line, document, [int(n) - 1 for n in numbers.split(",")] if numbers else range(len(document)), Path(folder)
        )
    except (pypdfium2.PdfiumError, OSError, ValueError) as error:
        line.send(Message({"error": f"cannot be read as PDF: {error}"}))
    except MemoryError:
        line.send(Message({"error": "has a page that needs too much memory"}))


def serve_counts(line: Line, *paths: str) -> None:
    """Says {"pages": how many} of each file, or {"error": end of a sentence}."""
    _limit_memory()
    import pypdfium2

    for path in paths:
        try:
            document = pypdfium2.PdfDocument(path)
            line.send(Message({"pages": len(document)} if len(document) else {"error": "has no pages"}))
            document.close()
        except (pypdfium2.PdfiumError, OSError, ValueError) as error:
            line.send(Message({"error": f"cannot be read as PDF: {error}"}))


def _draw(line: Line, document: Any, places: Sequence[int], folder: Path) -> None:
    scale = PDF_DPI / 72 * (1 - 1e-9)  # Sizes are rounded up: 1650.0000001 would give a line too many.
    if refusal := _refusal(document, places, scale):
        line.send(Message({"error": refusal}))
        return
    line.send(Message({"pages": len(places)}))
    for number, place in enumerate(places, 1):
        page = document[place]
        page.render(scale=scale).to_pil().convert("RGB").save(_page_file(folder, number), "PNG")
        page.close()
        line.send(Message({"page": number}))


def _refusal(document: Any, places: Sequence[int], scale: float) -> str:
    """Why these pages of a file are not drawn, as the end of a sentence; empty if they are."""
    if not 1 <= len(places) <= MOST_PAGES:
        return f"has {len(places)} pages; 1 to {MOST_PAGES} can be imported, or a range of them"
    if max(places) >= len(document):
        return f"has {len(document)} pages, and no page {max(places) + 1}"
    total = 0.0
    for place in places:
        width, height = document.get_page_size(place)
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
