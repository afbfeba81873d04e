"""A set of 667 puzzles, as many as were published: listing it, and exporting all of it.

Run as a module, it takes one measurement in its own process; `python -m tools.bench.puzzles make FOLDER` makes the set.
"""

from __future__ import annotations

import random
import struct
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.engine.puzzles.puzzle import Puzzle, PuzzleStep, write_metadata
from spatial_workbench.engine.puzzles.sets.folders import METADATA, PuzzleSet
from spatial_workbench.engine.puzzles.sets.pages import png_of

if TYPE_CHECKING:
    from tools.bench.main import Measurement

COUNT = 667
PAGE_PX = (1275, 1650)
SCAN_PX = (4000, 6000)
SCANS = 20
"""Puzzles whose page is a large scan."""
_PICTURES = 12
"""Different pages; puzzles share them."""
_END_BYTES = 12
_ACTIONS = ("Pattern discovery", "Sketching", "Manipulation", "Combining / Chaining", "Extraction")


def make_set(folder: Path) -> PuzzleSet:
    """Makes the set in a folder: about 1.2 pages and 5 steps a puzzle, and a figure for every eighth step."""
    rng = random.Random(667)
    pages = [_page(rng, PAGE_PX) for _ in range(_PICTURES)]
    scans = [_page(rng, SCAN_PX) for _ in range(2)]
    for number in range(COUNT):
        _make_puzzle(folder / f"Puzzle_{number:03}", number, rng, scans if number < SCANS else pages)
    return PuzzleSet(folder)


def _make_puzzle(folder: Path, number: int, rng: random.Random, pages: list[bytes]) -> None:
    folder.mkdir(parents=True)
    count = 1 if rng.random() < 0.85 else rng.randint(2, 3)
    names = ["content.png"] if count == 1 else [f"content_{k}.png" for k in range(1, count + 1)]
    for name in names:
        (folder / name).write_bytes(_named(rng.choice(pages), rng))
    steps = []
    figures = 0
    for k in range(rng.randint(3, 8)):
        figure = None
        if rng.random() < 0.123:
            figures += 1
            figure = f"figure_{figures}.png"
            (folder / figure).write_bytes(rng.choice(pages))
        words = " ".join(rng.choice(("letter", "clue", "grid", "word", "order", "count")) for _ in range(20))
        steps.append(PuzzleStep(f"{_ACTIONS[k % 5]}: {words}, which gives SOLUTION", figure))
    puzzle = Puzzle(
        f"Puzzle {number:03}",
        "A text that hints at something.",
        rng.choice(("easy", "medium", "hard")),
        "SOLUTION",
        tuple(steps),
        ("text",),
        ("logic",),
        "original",
    )
    (folder / METADATA).write_text(write_metadata(puzzle), "utf-8")


def _named(page: bytes, rng: random.Random) -> bytes:
    """The same picture as another file: with a text in front of its end, which is read quickly."""
    text = b"tEXtComment\0" + rng.randbytes(8 + rng.randrange(4000)).hex().encode()
    chunk = struct.pack(">I", len(text) - 4) + text + struct.pack(">I", zlib.crc32(text))
    return page[:-_END_BYTES] + chunk + page[-_END_BYTES:]


def _page(rng: random.Random, size: tuple[int, int]) -> bytes:
    """A page of lines of text with a grey picture, which compresses like a real one."""
    from PIL import Image, ImageDraw

    page = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(page)
    for y in range(60, size[1] - 60, 40):
        draw.text((80, y), "".join(rng.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ ", k=60)), fill="black", font_size=26)
    noise = Image.effect_noise((size[0] // 2, size[1] // 4), 40).convert("RGB")
    page.paste(noise, (size[0] // 4, size[1] // 2))
    return png_of(page)


def measurements() -> list[Measurement]:
    """What is measured of the set."""
    from tools.bench.main import Measurement, alone

    def of(name: str) -> Callable[[], Iterator[float]]:
        return lambda: alone(name, "puzzles")

    return [
        Measurement("puzzles: list of 667", "s", "< 1", of("list")),
        Measurement("puzzles: list of 667 with all pictures read through", "s", "", of("thorough_list")),
        Measurement("puzzles: export of 667, as files", "s", "< 60", of("export_files")),
        Measurement("puzzles: export of 667, as data URLs", "s", "< 60", of("export_data_urls")),
        Measurement("puzzles: memory of these exports", "MB", "< 500", of("export_memory")),
        Measurement("puzzles: plan of an import of 667", "s", "", of("import_plan")),
    ]


def _listed(puzzles: PuzzleSet, is_thorough: bool = False) -> float:
    from spatial_workbench.app.puzzles.set_work import listing

    start = time.perf_counter()
    rows = listing(puzzles.path, False, is_thorough).rows
    assert len(rows) == COUNT
    assert not any(row.errors for row in rows)
    return time.perf_counter() - start


def _exported(puzzles: PuzzleSet, layout: str) -> float:
    from spatial_workbench.engine.puzzles.sets.tuning import TuningForm, export_for_tuning
    from spatial_workbench.engine.puzzles.sets.tuning_rows import TuningLayout

    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "out"
        export_for_tuning(puzzles, puzzles.names(), target, TuningForm(TuningLayout(layout)))
    return time.perf_counter() - start


def _planned(puzzles: PuzzleSet) -> float:
    from spatial_workbench.engine.puzzles.sets.import_plan import plan_import
    from spatial_workbench.engine.puzzles.sets.import_survey import survey

    start = time.perf_counter()
    plan_import(survey([puzzles.path]).puzzles, puzzles.path)
    return time.perf_counter() - start


def _peak_mb() -> float:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _exports_memory(puzzles: PuzzleSet) -> float:
    for layout in ("llama-factory", "data-urls"):
        _exported(puzzles, layout)
    return _peak_mb()


_RUNS: dict[str, Callable[[PuzzleSet], float]] = {
    "list": _listed,
    "thorough_list": lambda puzzles: _listed(puzzles, True),
    "export_files": lambda puzzles: _exported(puzzles, "llama-factory"),
    "export_data_urls": lambda puzzles: _exported(puzzles, "data-urls"),
    "export_memory": _exports_memory,
    "import_plan": _planned,
}


def main() -> None:
    """Takes one measurement, or makes the set."""
    if sys.argv[1] == "make":
        make_set(Path(sys.argv[2]))
        return
    with tempfile.TemporaryDirectory() as folder:
        print(_RUNS[sys.argv[1]](make_set(Path(folder) / "hunt")))


if __name__ == "__main__":
    main()
