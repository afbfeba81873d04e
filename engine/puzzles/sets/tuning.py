"""Sets for fine-tuning, in the ShareGPT form that LLaMA-Factory and `datasets` read (docs/puzzles.md, "Export")."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.puzzles.annotation.validation import ORIGINAL
from spatial_workbench.engine.puzzles.prompting import SYSTEM, answer_line, solution_text, user_text
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.engine.puzzles.sets.folders import PuzzleFolder, PuzzleSet, SetError
from spatial_workbench.engine.puzzles.sets.pages import PictureError, for_models

SEED = 45
TRAIN_SHARE = 0.8
SPLIT = "split.json"
NON_COMMERCIAL = "CC BY-NC-SA 4.0"
OWN_LICENCE = "Apache-2.0"
_HOSTS_NON_COMMERCIAL = ("puzzledpint.",)
_IMAGE = "<image>"

Part = Literal["train", "test"]

NOTE = """\
A set of puzzles for fine-tuning, in two forms: train_answer.jsonl asks for the answer alone, train_reasoning.jsonl for
the steps and the answer. test.jsonl holds the puzzles that were kept out of both; split.json says which puzzle is
where, and keeps doing so when puzzles are added. dataset_info.json is for LLaMA-Factory.

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
class TuningExport:
    """What an export wrote."""

    train: int
    test: int
    left_out: tuple[str, ...]


def export_for_tuning(
    puzzles: PuzzleSet,
    names: Sequence[str],
    target: Path,
    seed: int = SEED,
    with_figures: bool = False,
    progress: Progress = silent,
) -> TuningExport:
    """Writes the puzzles of these names into a folder; an earlier export there keeps its split.

    Raises:
        SetError: The folder holds something else, or its split cannot be read.
        OSError: It cannot be written.
        Cancelled: Raised by `progress`.
    """
    parts = split(names, seed, _former_split(target))
    (target / "images").mkdir(parents=True, exist_ok=True)
    lines: dict[str, list[dict[str, Any]]] = {"train_answer": [], "train_reasoning": [], "test": []}
    licences: dict[str, str] = {}
    left_out = []
    for k, name in enumerate(sorted(names)):
        progress(k, len(names), name)
        try:
            folder = puzzles.folder(name)
            puzzle = folder.read().puzzle
            images = list(_images(folder, target))
        except (SetError, PictureError) as error:
            left_out.append(str(error))
            continue
        licences[name] = licence_of(puzzle)
        reasoning = _line(name, puzzle, images, solution_text(puzzle, with_figures))
        if parts[name] == "train":
            lines["train_answer"].append(_line(name, puzzle, images, answer_line(puzzle.solution)))
        lines["train_reasoning" if parts[name] == "train" else "test"].append(reasoning)
    for file, rows in lines.items():
        _write(target / f"{file}.jsonl", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    _write_rest(target, parts, licences)
    return TuningExport(len(lines["train_answer"]), len(lines["test"]), tuple(left_out))


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


def _images(folder: PuzzleFolder, target: Path) -> Iterator[str]:
    for page in folder.pages():
        name = f"images/{folder.name}_{page}"
        (target / name).write_bytes(for_models(folder.bytes_of(page), f"{folder.name}/{page}"))
        yield name


def _line(name: str, puzzle: Puzzle, images: list[str], answer: str) -> dict[str, Any]:
    question = _IMAGE * len(images) + user_text(puzzle, len(images))
    turns = (("system", SYSTEM), ("user", question), ("assistant", answer))
    return {"id": name, "images": images, "messages": [{"role": role, "content": text} for role, text in turns]}


def _write_rest(target: Path, parts: Mapping[str, Part], licences: Mapping[str, str]) -> None:
    _write(target / SPLIT, _json(dict(sorted(parts.items()))))
    _write(target / "licenses.json", _json(licences))
    _write(target / "dataset_info.json", _json(_dataset_info()))
    notice = NON_COMMERCIAL in licences.values()
    _write(target / "README.md", NOTE)
    if notice:
        _write(target / "NOTICE.md", _NON_COMMERCIAL_NOTE.format(licence=NON_COMMERCIAL).lstrip())


def _dataset_info() -> dict[str, Any]:
    tags = {"role_tag": "role", "content_tag": "content", "user_tag": "user", "assistant_tag": "assistant"}
    return {
        file: {
            "file_name": f"{file}.jsonl",
            "formatting": "sharegpt",
            "columns": {"messages": "messages", "images": "images"},
            "tags": tags | {"system_tag": "system"},
        }
        for file in ("train_answer", "train_reasoning", "test")
    }


def _json(data: Any) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
