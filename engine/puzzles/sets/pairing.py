"""Pages that are files: pictures that belong together, and puzzles paired with their solutions by name."""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from spatial_workbench.engine.puzzles.sets.found_files import FoundFile

LEAST_SIMILARITY = 80.0
PDF = ".pdf"
PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp")
_NUMBERED = re.compile(
    r"(?P<base>.*?[^\W\d_].*?)(?:[\s_-]+(?:page|p)[\s_.-]*|[\s_-]*)(?P<number>\d{1,5})", re.IGNORECASE
)
_SOLUTION = "solution"


class RangeError(ValueError):
    """A range of pages that cannot be read, or that a file does not have; says why."""


@dataclass(frozen=True)
class PuzzleSheets:
    """The pages of a puzzle or of a solution: one PDF, or pictures in their order. TIFF files may have several.

    Attributes:
        title: From the name of the file.
        files: One PDF, or the pictures.
        file_pages: How many pages each file has; empty while it is not known.
        numbers: The pages of all files that are wanted, from 1 on, in this order; empty for all.
    """

    title: str
    files: tuple[FoundFile, ...]
    file_pages: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()

    @property
    def is_pdf(self) -> bool:
        """Whether the pages have to be drawn."""
        return self.files[0].suffix == PDF

    @property
    def is_solution(self) -> bool:
        """Whether the file, or its folder, is named as a solution."""
        first = self.files[0]
        return _SOLUTION in first.stem.lower() or any(_SOLUTION in name.lower() for name in first.folders[-1:])

    @property
    def total(self) -> int:
        """How many pages the files have."""
        return sum(self.file_pages) or len(self.files)

    @property
    def has_range(self) -> bool:
        """Whether a range of pages can be given: for PDFs, and if a picture has several pages."""
        return self.is_pdf or self.total > len(self.files)

    @property
    def count(self) -> int:
        """How many pages are wanted."""
        return len(self.numbers) or self.total

    @property
    def places(self) -> list[tuple[FoundFile, int]]:
        """The wanted pages in their order: the file, and the number of the page in it, from 1 on."""
        counts = self.file_pages or (1,) * len(self.files)
        pages = [(file, n) for file, count in zip(self.files, counts, strict=True) for n in range(1, count + 1)]
        return [pages[number - 1] for number in self.numbers] if self.numbers else pages

    def with_range(self, text: str) -> PuzzleSheets:
        """The same files with other pages; see `page_numbers`."""
        return replace(self, numbers=page_numbers(text, self.total))


def page_numbers(text: str, pages: int) -> tuple[int, ...]:
    """The numbers of pages that a text such as "3-7" or "1, 3-7" names; empty for an empty text, which means all.

    Raises:
        RangeError: The text is something else, or there is no such page.
    """
    numbers: list[int] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        match = re.fullmatch(r"(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?", part)
        if match is None:
            raise RangeError(f"“{part[:40]}” is no page and no range of pages, such as 3-7")
        first = int(match[1])
        last = int(match[2] or first)
        if not 1 <= first <= last <= pages:
            raise RangeError(f"“{part}” is not within the pages 1 to {pages}")
        numbers += range(first, last + 1)
    return tuple(numbers)


def sheets_of(files: Iterable[FoundFile], join_pictures: bool = True) -> list[PuzzleSheets]:
    """PDFs and pictures as pages of puzzles or solutions.

    join_pictures: Whether pictures whose names differ by a number at the end alone, as in "Neon 1.png" and
        "Neon 2.jpg", are pages of one puzzle.
    """
    alone: list[PuzzleSheets] = []
    numbered: dict[tuple[tuple[str, ...], str], list[tuple[int, FoundFile]]] = defaultdict(list)
    for file in files:
        match = _NUMBERED.fullmatch(file.stem) if join_pictures and file.suffix != PDF else None
        if match is None:
            alone.append(PuzzleSheets(title_of(file.stem), (file,)))
        else:
            numbered[file.folders, match["base"].lower()].append((int(match["number"]), file))
    return sorted([*alone, *map(_joined, numbered.values())], key=lambda sheets: sheets.title.lower())


def _joined(pages: list[tuple[int, FoundFile]]) -> PuzzleSheets:
    """Numbered pictures as one puzzle, in the order of their numbers; one alone keeps its number in the title."""
    if len(pages) == 1:
        return PuzzleSheets(title_of(pages[0][1].stem), (pages[0][1],))
    files = tuple(file for _, file in sorted(pages, key=lambda page: (page[0], page[1].name)))
    match = _NUMBERED.fullmatch(files[0].stem)
    assert match is not None
    return PuzzleSheets(title_of(match["base"]), files)


def title_of(stem: str) -> str:
    """A puzzle's title, from the name of a file."""
    return re.sub(r"[\s_-]+", " ", stem).strip() or stem


@dataclass(frozen=True)
class Pair:
    """A puzzle's pages with those of its solution, if there is a similar name; `similarity` is from 0 to 100."""

    puzzle: PuzzleSheets
    solution: PuzzleSheets | None = None
    similarity: float = 0.0


def paired(puzzles: Sequence[PuzzleSheets], solutions: Sequence[PuzzleSheets]) -> list[Pair]:
    """Pairs puzzles with their solutions, most similar names first; each solution is used once."""
    pairs = sorted(
        (
            (-name_similarity(p.title, s.title), k, m)
            for k, p in enumerate(puzzles)
            for m, s in enumerate(solutions)
        )
    )  # fmt: skip
    partner: dict[int, Pair] = {}
    taken: set[int] = set()
    for negative, k, m in pairs:
        if -negative >= LEAST_SIMILARITY and k not in partner and m not in taken:
            partner[k] = Pair(puzzles[k], solutions[m], -negative)
            taken.add(m)
    return [partner.get(k, Pair(puzzle)) for k, puzzle in enumerate(puzzles)]


def name_similarity(first: str, second: str) -> float:
    """How similar two names are, from 0 to 100, the word "solution" aside."""
    a, b = (re.sub(r"[\W_]+", " ", name.lower().replace(_SOLUTION, " ")).strip() for name in (first, second))
    return 100 * difflib.SequenceMatcher(None, a, b).ratio()
