"""Rows of sets for fine-tuning in the layouts that trainers load (docs/puzzles.md, "Export for fine-tuning")."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from spatial_workbench.engine.core.extras import how_to_get
from spatial_workbench.engine.puzzles.prompting import SYSTEM, user_text
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.engine.puzzles.sets.folders import SetError

_IMAGE = "<image>"
_MARKS = (_IMAGE, "<video>", "<audio>")
_GROUP = 16
"""Rows of a group in a Parquet file."""
PARTS = ("train_answer", "train_reasoning", "test")
"""The files of an export, without their endings."""


class TuningLayout(StrEnum):
    """How rows hold their texts and pictures."""

    LLAMA_FACTORY = "llama-factory"
    CHAT = "chat"
    PARQUET = "parquet"
    DATA_URLS = "data-urls"

    @property
    def words(self) -> str:
        """The layout for people."""
        return _WORDS[self]

    @property
    def loading(self) -> str:
        """How it is loaded, for the note beside an export."""
        return _LOADING[self]

    @property
    def has_files(self) -> bool:
        """Whether pictures are files beside the rows."""
        return self in (TuningLayout.LLAMA_FACTORY, TuningLayout.CHAT)


_WORDS = {
    TuningLayout.LLAMA_FACTORY: "LLaMA-Factory: <image> marks, pictures as files",
    TuningLayout.CHAT: "TRL: chat with picture parts, pictures as files",
    TuningLayout.PARQUET: "TRL: chat with picture parts, pictures in Parquet files",
    TuningLayout.DATA_URLS: "Chat with pictures as data URLs in the messages",
}
_LOADING = {
    TuningLayout.LLAMA_FACTORY: "LLaMA-Factory: give this folder as dataset_dir and media_dir.",
    TuningLayout.CHAT: (
        'TRL: load_dataset("json", data_files="train_reasoning.jsonl"), in this folder, and then\n'
        'cast_column("images", Sequence(Image())) of the library datasets.'
    ),
    TuningLayout.PARQUET: (
        'TRL: load_dataset("parquet", data_files="train_reasoning.parquet"); the pictures are in the column images.'
    ),
    TuningLayout.DATA_URLS: "Each picture is an image_url part of the user's message.",
}


def tuning_row(
    name: str, puzzle: Puzzle, pictures: Mapping[str, bytes], answer: str, layout: TuningLayout
) -> dict[str, Any]:
    """A row: the question with the pages, and the answer.

    pictures: PNG by the name of their file in the export, "images/...", in the order of the pages.
    """
    question = user_text(puzzle, len(pictures))
    if layout is TuningLayout.LLAMA_FACTORY:
        shown_first = _IMAGE * len(pictures) + _without_marks(question)
        turns = (("system", SYSTEM), ("user", shown_first), ("assistant", _without_marks(answer)))
        messages: list[dict[str, Any]] = [{"role": role, "content": text} for role, text in turns]
        return {"id": name, "images": list(pictures), "messages": messages}
    shown = [_picture_part(raw, layout) for raw in pictures.values()]
    parts = (("system", [_text(SYSTEM)]), ("user", [*shown, _text(question)]), ("assistant", [_text(answer)]))
    messages = [{"role": role, "content": content} for role, content in parts]
    if layout is TuningLayout.DATA_URLS:
        return {"id": name, "messages": messages}
    if layout is TuningLayout.CHAT:
        return {"id": name, "images": list(pictures), "messages": messages}
    held = [{"path": Path(file).name, "bytes": raw} for file, raw in pictures.items()]
    return {"id": name, "images": held, "messages": messages}


def _without_marks(text: str) -> str:
    """A text in which nothing is taken for the place of a picture, a video or a sound."""
    for mark in _MARKS:
        text = text.replace(mark, mark.replace(">", " >"))
    return text


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _picture_part(raw: bytes, layout: TuningLayout) -> dict[str, Any]:
    if layout is TuningLayout.DATA_URLS:
        url = "data:image/png;base64," + base64.b64encode(raw).decode("ascii")
        return {"type": "image_url", "image_url": {"url": url}}
    return {"type": "image", "text": None}


class RowWriter(Protocol):
    """Writes rows one by one, so that thousands with their pictures need not be in memory."""

    def add(self, row: Mapping[str, Any]) -> None:
        """Writes a row."""

    def close(self) -> None:
        """Completes the file."""


@contextmanager
def row_writers(folder: Path, layout: TuningLayout) -> Iterator[dict[str, RowWriter]]:
    """A writer for each part, of a file in the layout.

    Raises:
        SetError: Parquet files need the library datasets, which is not installed.
        OSError: A file cannot be written.
    """
    make = _ParquetRows if layout is TuningLayout.PARQUET else _JsonRows
    with ExitStack() as stack:
        writers: dict[str, RowWriter] = {}
        for part in PARTS:
            writers[part] = make(folder, part)
            stack.callback(writers[part].close)
        yield writers


class _JsonRows:
    def __init__(self, folder: Path, part: str) -> None:
        self._file = (folder / f"{part}.jsonl").open("w", encoding="utf-8")

    def add(self, row: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def close(self) -> None:
        self._file.close()


class _ParquetRows:
    """Writes groups of rows. Pictures have the features of the library datasets, which it reads from the schema."""

    def __init__(self, folder: Path, part: str) -> None:
        try:
            import pyarrow.parquet
            from datasets import Features, Image, List, Value
        except ImportError:
            raise SetError(how_to_get("data")) from None
        text = Value("string")
        messages = List({"role": text, "content": List({"type": text, "text": text})})
        self._schema = Features({"id": text, "images": List(Image()), "messages": messages}).arrow_schema
        self._writer = pyarrow.parquet.ParquetWriter(folder / f"{part}.parquet", self._schema)
        self._rows: list[Mapping[str, Any]] = []

    def add(self, row: Mapping[str, Any]) -> None:
        self._rows.append(row)
        if len(self._rows) >= _GROUP:
            self._write()

    def close(self) -> None:
        self._write()
        self._writer.close()

    def _write(self) -> None:
        import pyarrow

        if self._rows:
            self._writer.write_table(pyarrow.Table.from_pylist(self._rows, schema=self._schema))
            self._rows = []
