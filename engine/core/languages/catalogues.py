"""Catalogues of translations: the .po files of gettext.

A catalogue is read as it is, and compiled in memory into what Python's `gettext` reads, so that adding a language
means adding one file.
"""

from __future__ import annotations

import io
import json
import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from gettext import GNUTranslations

_FIELD = re.compile(r"(msgid|msgid_plural|msgstr)(?:\[(\d+)\])?\s+(\".*\")")
_MAGIC = 0x950412DE
_HEAD_BYTES = 28


class CatalogueError(ValueError):
    """A catalogue cannot be read; the message names the line."""


@dataclass(frozen=True)
class CatalogueMessage:
    """A text of the program with its translation.

    Attributes:
        id: The text in English; empty for the header, whose translation says how plurals are formed.
        plural: The text for several things; empty if there is only one form.
        texts: The translation, or one for each form of the plural; empty where there is none yet.
        sources: The files in which the text occurs.
        notes: Comments of the translator, with their "# ".
        is_fuzzy: Whether somebody still has to check the translation; until then, it is not used.
    """

    id: str
    plural: str = ""
    texts: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    is_fuzzy: bool = False

    @property
    def is_translated(self) -> bool:
        """Whether the translation can be used."""
        return bool(self.texts) and all(self.texts) and not self.is_fuzzy

    @property
    def key(self) -> str:
        """The text as gettext looks it up."""
        return f"{self.id}\0{self.plural}" if self.plural else self.id


def read_catalogue(text: str) -> list[CatalogueMessage]:
    """The messages of a catalogue in their order, the header included.

    Raises:
        CatalogueError: A line is neither a comment nor a field of a message.
    """
    return [_message(lines) for lines in _paragraphs(text)]


def write_catalogue(messages: Iterable[CatalogueMessage]) -> str:
    """The text of a catalogue, with an empty line between messages."""
    return "\n".join(f"{_text_of(message)}\n" for message in messages)


def translations_of(messages: Sequence[CatalogueMessage]) -> GNUTranslations:
    """The translations as Python's `gettext` uses them; messages without a translation stay in English."""
    return GNUTranslations(io.BytesIO(compiled(messages)))


def compiled(messages: Iterable[CatalogueMessage]) -> bytes:
    """The translated messages in gettext's binary form (.mo): two tables of lengths and offsets, then the texts."""
    pairs = sorted((m.key.encode(), "\0".join(m.texts).encode()) for m in messages if m.is_translated)
    table_bytes = 8 * len(pairs)
    head = struct.pack("<7I", _MAGIC, 0, len(pairs), _HEAD_BYTES, _HEAD_BYTES + table_bytes, 0, 0)
    texts = [key for key, _ in pairs] + [text for _, text in pairs]
    tables = io.BytesIO()
    offset = _HEAD_BYTES + 2 * table_bytes
    for text in texts:
        tables.write(struct.pack("<2I", len(text), offset))
        offset += len(text) + 1
    return head + tables.getvalue() + b"".join(text + b"\0" for text in texts)


def _paragraphs(text: str) -> Iterator[list[tuple[int, str]]]:
    """The numbered lines of each message; messages are divided by empty lines."""
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            lines.append((number, line.strip()))
        elif lines:
            yield lines
            lines = []
    if lines:
        yield lines


def _message(lines: Sequence[tuple[int, str]]) -> CatalogueMessage:
    fields: dict[str, str] = {}
    sources: list[str] = []
    notes: list[str] = []
    is_fuzzy = False
    field = ""
    for number, line in lines:
        if line.startswith("#"):
            is_fuzzy |= line.startswith("#,") and "fuzzy" in line
            sources += line[2:].split() if line.startswith("#:") else []
            notes += [line] if line.startswith("# ") else []
            continue
        if match := _FIELD.fullmatch(line):
            field = f"{match[1]}{match[2] or ''}"
            line = match[3]
        fields[field] = fields.get(field, "") + _unquoted(line, number)
    texts = tuple(fields[name] for name in sorted(fields) if name.startswith("msgstr"))
    one, many = fields.get("msgid", ""), fields.get("msgid_plural", "")
    return CatalogueMessage(one, many, texts, tuple(sources), tuple(notes), is_fuzzy)


def _unquoted(line: str, number: int) -> str:
    try:
        text = json.loads(line)
    except ValueError:
        text = None
    if not isinstance(text, str):
        raise CatalogueError(f"line {number} is neither a comment nor a text: {line[:60]}")
    return text


def _text_of(message: CatalogueMessage) -> str:
    lines = [*message.notes, *(f"#: {source}" for source in message.sources)]
    if message.is_fuzzy:
        lines.append("#, fuzzy")
    lines.append(f"msgid {_quoted(message.id)}")
    if message.plural:
        lines.append(f"msgid_plural {_quoted(message.plural)}")
        lines += [f"msgstr[{n}] {_quoted(text)}" for n, text in enumerate(message.texts or ("", ""))]
    else:
        lines.append(f"msgstr {_quoted(message.texts[0] if message.texts else '')}")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """A text in quotation marks; one that has several lines is written on several lines."""
    lines = text.splitlines(keepends=True)
    quoted = [json.dumps(line, ensure_ascii=False) for line in lines]
    return "\n".join(['""', *quoted]) if len(lines) > 1 else (quoted or ['""'])[0]
