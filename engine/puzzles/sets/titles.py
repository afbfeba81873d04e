"""Titles of a set's puzzles, as people know them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from spatial_workbench.engine.puzzles.puzzle import MetadataError, read_metadata
from spatial_workbench.engine.puzzles.sets.folders import METADATA, PuzzleSet, SetError, shown_folder


class PuzzleTitles:
    """Reads the titles of a set, each anew only after its file has changed."""

    def __init__(self, puzzles: PuzzleSet) -> None:
        self._puzzles = puzzles
        self._known: dict[str, tuple[tuple[int, int], str]] = {}

    def read(self, names: Iterable[str], texts: Mapping[str, str] | None = None) -> dict[str, str]:
        """The title of each puzzle by its folder. Puzzles with the same title have their folders in brackets.

        texts: Metadata of puzzles whose folders may not be here.
        """
        texts = texts or {}
        titles = {name: self._title(name) or _title_in(texts.get(name, "")) or shown_folder(name) for name in names}
        counts = Counter(titles.values())
        return {name: title if counts[title] == 1 else f"{title} ({name})" for name, title in titles.items()}

    def _title(self, name: str) -> str:
        try:
            folder = self._puzzles.folder(name)
            status = folder.file(METADATA).stat()
            stamp = status.st_mtime_ns, status.st_size
            if self._known.get(name, ((), ""))[0] != stamp:
                self._known[name] = stamp, " ".join(folder.read().puzzle.title.split())
        except (SetError, OSError):
            return ""
        return self._known[name][1]


def _title_in(metadata: str) -> str:
    try:
        return " ".join(read_metadata(metadata).puzzle.title.split()) if metadata else ""
    except MetadataError:
        return ""
