"""Sets for fine-tuning, in the layouts that LLaMA-Factory and TRL load (docs/puzzles.md, "Export for fine-tuning")."""

from __future__ import annotations

import csv
import json
import math
import random
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.puzzles.annotation.validation import ORIGINAL
from spatial_workbench.engine.puzzles.prompting import answer_line, solution_text
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.engine.puzzles.sets.export_folder import export_folder
from spatial_workbench.engine.puzzles.sets.folders import PuzzleFolder, PuzzleSet, SetError
from spatial_workbench.engine.puzzles.sets.pages import MODEL_SIDE_PX, PictureError, for_export, size_of_file
from spatial_workbench.engine.puzzles.sets.tuning_rows import PARTS, RowWriter, TuningLayout, row_writers, tuning_row

SEED = 45
TRAIN_SHARE = 0.8
SPLIT = "split.json"
NON_COMMERCIAL = "CC BY-NC-SA 4.0"
OWN_LICENCE = "Apache-2.0"
_HOSTS_NON_COMMERCIAL = ("puzzledpint.",)
_THREADS = 4
_BATCH = 16
_LARGE_PIXELS = 8_000_000

Part = Literal["train", "test"]

NOTE = """\
A set of puzzles for fine-tuning, in two forms: train_answer asks for the answer alone, train_reasoning for the steps
and the answer. test holds the puzzles that were kept out of both; split.json says which puzzle is where, and keeps
doing so when puzzles are added. left_out.csv names every puzzle that gave no row, and why.

The longer side of each picture has at most {side_px:,} pixels.
{loading}

The published experiment with such sets tuned InternVL3-8B by LoRA (rank 8, learning rate 1e-6, 3 epochs) in
LLaMA-Factory. Stepwise accuracy was 4.78 % before, 2.96 % after tuning on answers, 11.00 % on reasoning; accuracy of
answers 0.76 %, 0.00 % and 0.76 %.
"""
_NON_COMMERCIAL_NOTE = """
This set holds material under {licence}: it may be used for non-commercial purposes only, its authors have to be
named, and what is made from it has to be shared under the same licence. licenses.json says which puzzles are concerned.
"""


def split(names: Iterable[str], seed: int = SEED, before: Mapping[str, Part] | None = None) -> dict[str, Part]:
    """Which puzzles are for training and which for testing; those that have a place already keep it.

    New ones are sorted, shuffled and cut among themselves.
    """
    kept = dict(before or {})
    new = sorted(set(names) - set(kept))
    random.Random(seed).shuffle(new)
    cut = math.floor(TRAIN_SHARE * len(new))
    return kept | {name: "train" if i < cut else "test" for i, name in enumerate(new)}


def licence_of(puzzle: Puzzle) -> str:
    """The licence of a puzzle: what its metadata state, or what its source is known to have; otherwise "unknown"."""
    stated = puzzle.extra.get("license") or puzzle.extra.get("licence")
    if isinstance(stated, str) and stated.strip():
        return stated.strip()
    if puzzle.source.strip() == ORIGINAL:
        return OWN_LICENCE
    return NON_COMMERCIAL if any(host in puzzle.source.lower() for host in _HOSTS_NON_COMMERCIAL) else "unknown"


@dataclass(frozen=True)
class TuningForm:
    """How puzzles are written.

    Attributes:
        layout: Of the rows.
        side_px: The longer side of pictures has at most so many pixels.
        seed: Of the split.
        with_figures: Whether the figures of steps are named in the texts.
    """

    layout: TuningLayout = TuningLayout.LLAMA_FACTORY
    side_px: int = MODEL_SIDE_PX
    seed: int = SEED
    with_figures: bool = False


@dataclass(frozen=True)
class TuningExport:
    """What an export wrote, and which puzzles gave no row, with the reason."""

    train: int
    test: int
    left_out: Mapping[str, str]


@dataclass(frozen=True)
class _Prepared:
    """A puzzle with its pages as they are written."""

    puzzle: Puzzle
    pictures: Mapping[str, bytes]


def export_for_tuning(
    puzzles: PuzzleSet,
    names: Sequence[str],
    target: Path,
    form: TuningForm | None = None,
    dropped: Mapping[str, str] | None = None,
    progress: Progress = silent,
) -> TuningExport:
    """Writes the puzzles of these names into a folder; an earlier export there keeps its split.

    Everything is written beside the folder first: if it is cancelled, fails or is killed, the folder stays as it was.

    dropped: Puzzles that are left out, with the reason; they are listed with those that cannot be read.

    Raises:
        SetError: The folder holds something else, its split cannot be read, or a library is missing.
        OSError: It cannot be written.
        Cancelled: Raised by `progress`.
    """
    form = form or TuningForm()
    with export_folder(target) as folder:
        parts = split(names, form.seed, _former_split(target))
        return _Export(puzzles, parts, folder, form).write(sorted(names), dropped or {}, progress)


class _Export:
    """Writes an export into an empty folder. Pages are read and reduced by several threads, in batches."""

    def __init__(self, puzzles: PuzzleSet, parts: Mapping[str, Part], folder: Path, form: TuningForm) -> None:
        self._puzzles = puzzles
        self._parts = parts
        self._folder = folder
        self._form = form
        self._counts = dict.fromkeys(PARTS, 0)
        self._licences: dict[str, str] = {}
        self._left_out: dict[str, str] = {}
        self._large = ThreadPoolExecutor(1, "large pictures")

    def write(self, names: Sequence[str], dropped: Mapping[str, str], progress: Progress) -> TuningExport:
        self._left_out.update(dropped)
        if self._form.layout.has_files:
            (self._folder / "images").mkdir()
        with (
            row_writers(self._folder, self._form.layout) as writers,
            self._large,
            ThreadPoolExecutor(_THREADS, "export") as pool,
        ):
            for start in range(0, len(names), _BATCH):
                batch = names[start : start + _BATCH]
                for k, (name, prepared) in enumerate(zip(batch, pool.map(self._prepare, batch), strict=True), start):
                    progress(k, len(names), name)
                    self._add(name, prepared, writers)
        self._write_rest()
        return TuningExport(self._counts["train_answer"], self._counts["test"], self._left_out)

    def _prepare(self, name: str) -> _Prepared | str:
        """A puzzle as it is written, or why it cannot be."""
        try:
            folder = self._puzzles.folder(name)
            puzzle = folder.read().puzzle
            pictures = {f"images/{name}_{page}": self._picture(folder, page) for page in folder.pages()}
        except (SetError, PictureError) as error:
            return str(error)
        except OSError as error:
            return f"{name} cannot be read: {error.strerror}"
        return _Prepared(puzzle, pictures) if pictures else "It has no page"

    def _picture(self, folder: PuzzleFolder, page: str) -> bytes:
        """A page in its size for models.

        Large scans are decoded by one thread, one after another: the memory that they need stays with the thread.
        """
        width, height = size_of_file(folder.file(page))
        reduced = partial(for_export, folder.bytes_of(page), f"{folder.name}/{page}", self._form.side_px)
        return self._large.submit(reduced).result() if width * height > _LARGE_PIXELS else reduced()

    def _add(self, name: str, prepared: _Prepared | str, writers: Mapping[str, RowWriter]) -> None:
        if isinstance(prepared, str):
            self._left_out[name] = prepared
            return
        if self._form.layout.has_files:
            for file, raw in prepared.pictures.items():
                (self._folder / file).write_bytes(raw)
        puzzle = prepared.puzzle
        self._licences[name] = licence_of(puzzle)
        texts = {"train_answer": answer_line(puzzle.solution)}
        texts["train_reasoning"] = texts["test"] = solution_text(puzzle, self._form.with_figures)
        for part in ("train_answer", "train_reasoning") if self._parts[name] == "train" else ("test",):
            row = tuning_row(name, puzzle, prepared.pictures, texts[part], self._form.layout)
            writers[part].add(row)
            self._counts[part] += 1

    def _write_rest(self) -> None:
        layout = self._form.layout
        _write(self._folder / SPLIT, _json(dict(sorted(self._parts.items()))))
        _write(self._folder / "licenses.json", _json(self._licences))
        if layout is TuningLayout.LLAMA_FACTORY:
            _write(self._folder / "dataset_info.json", _json(_dataset_info()))
        _write(self._folder / "README.md", NOTE.format(side_px=self._form.side_px, loading=layout.loading))
        if NON_COMMERCIAL in self._licences.values():
            _write(self._folder / "NOTICE.md", _NON_COMMERCIAL_NOTE.format(licence=NON_COMMERCIAL).lstrip())
        with (self._folder / "left_out.csv").open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file)
            table.writerow(("puzzle", "reason"))
            table.writerows(sorted(self._left_out.items()))


def _former_split(target: Path) -> dict[str, Part]:
    path = target / SPLIT
    if not path.exists():
        if target.is_dir() and any(target.iterdir()):
            raise SetError(f"{target} is not empty, and holds no earlier export")
        return {}
    try:
        data = json.loads(path.read_text("utf-8"))
        return {str(name): "train" if part == "train" else "test" for name, part in data.items()}
    except (ValueError, AttributeError):
        raise SetError(f"{path} cannot be read; it says which puzzles are for training") from None


def _dataset_info() -> dict[str, Any]:
    tags = {"role_tag": "role", "content_tag": "content", "user_tag": "user", "assistant_tag": "assistant"}
    return {
        file: {
            "file_name": f"{file}.jsonl",
            "formatting": "sharegpt",
            "columns": {"messages": "messages", "images": "images"},
            "tags": tags | {"system_tag": "system"},
        }
        for file in PARTS
    }


def _json(data: Any) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
