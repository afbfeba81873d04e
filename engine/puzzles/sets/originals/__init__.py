"""The six original puzzles: drawn by code from data, figures included, so that the pages look the same everywhere.

braille_menu    “Supper Without a Lamp”: clues, and braille digits that count into their answers
dials           “Harbour Clocks”: dials whose hands are semaphore, ordered by waves
mazes           “Five Small Gardens”: mazes whose routes are letters
nets            “Packing Room”: cube nets
nonogram        “Switch Off the Bulb”: a nonogram over a grid of letters
page            the page with its title and introductory text, which all share
pots            “One New Leaf”: flower pots with clues to a chain of anagrams
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.puzzles.annotation.layers import (
    PuzzleLayer,
    Shape,
    blank_page,
    draw_shapes,
    figure_of,
    write_layer,
)
from spatial_workbench.engine.puzzles.puzzle import Puzzle, read_metadata, write_metadata
from spatial_workbench.engine.puzzles.sets.originals import braille_menu, dials, mazes, nets, nonogram, pots
from spatial_workbench.engine.puzzles.sets.originals.page import heading
from spatial_workbench.engine.puzzles.sets.pages import png_of

SET_NAME = "originals"
PAGE = "content.png"
FIGURE = "figure_1.png"

_DRAWN: dict[str, Callable[[Mapping[str, Any]], Iterator[Shape]]] = {
    "dials": dials.draw,
    "braille_menu": braille_menu.draw,
    "mazes": mazes.draw,
    "nonogram_letters": nonogram.draw,
    "anagram_pots": pots.draw,
    "cube_nets": nets.draw,
}
_FIGURES: dict[str, Callable[[Mapping[str, Any], Mapping[str, Any]], Iterator[Shape]]] = {
    "dials": dials.figure,
    "mazes": mazes.figure,
    "nonogram_letters": nonogram.figure,
    "cube_nets": nets.figure,
}


@dataclass(frozen=True)
class Original:
    """An original puzzle.

    Attributes:
        folder: Its name.
        puzzle: Its metadata.
        content: What its page shows.
        key: What its figures show in addition.
    """

    folder: str
    puzzle: Puzzle
    content: Mapping[str, Any]
    key: Mapping[str, Any]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the page in pixels."""
        width, height = self.content["canvas"]
        return width, height

    def shapes(self) -> list[Shape]:
        """What the page shows, title and introductory text included."""
        head = heading(self.size[0], self.puzzle.title, self.puzzle.flavor_text)
        return [*head, *_DRAWN[self.content["type"]](self.content)]

    def layer(self) -> PuzzleLayer | None:
        """The layer over the page that makes the figure; None for a puzzle without one."""
        draw = _FIGURES.get(self.content["type"])
        if draw is None:
            return None
        return PuzzleLayer(page=PAGE, size=self.size, shapes=tuple(draw(self.content, self.key)))

    def checksum(self) -> str:
        """A hash of what is drawn, by its geometry."""
        shapes = [shape.model_dump(mode="json") for shape in self.shapes()]
        return hashlib.sha256(json.dumps(shapes, sort_keys=True).encode()).hexdigest()

    @property
    def version(self) -> str:
        """A hash of what a solver sees and of the annotation."""
        return hashlib.sha256(f"{self.checksum()}\0{write_metadata(self.puzzle)}".encode()).hexdigest()[:32]

    def files(self) -> dict[str, bytes]:
        """All files of the puzzle's folder, by name."""
        page = page_of(self.folder)
        drawn = {PAGE: page, "metadata.json": write_metadata(self.puzzle).encode()}
        if layer := self.layer():
            drawn |= {FIGURE: figure_of(page, layer), "layers/figure_1.json": write_layer(layer)}
        return drawn


@cache
def originals() -> tuple[Original, ...]:
    """The six puzzles, in their order."""
    raw = resource("puzzles", "originals.json").read_text("utf-8")
    return tuple(_original(entry) for entry in json.loads(raw)["puzzles"])


def _original(entry: Mapping[str, Any]) -> Original:
    reading = read_metadata(json.dumps(entry["metadata"]))
    assert not reading.misread
    return Original(entry["folder"], reading.puzzle, entry["content"], entry["key"])


def original(folder: str) -> Original:
    """The puzzle of that name.

    Raises:
        KeyError: There is none.
    """
    return {puzzle.folder: puzzle for puzzle in originals()}[folder]


@cache
def page_of(folder: str) -> bytes:
    """The page of an original puzzle as PNG."""
    puzzle = original(folder)
    picture = blank_page(puzzle.size)
    draw_shapes(picture, puzzle.shapes())
    return png_of(picture)
