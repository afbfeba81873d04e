"""Many records in columns, so that a hundred thousand attempts are counted and averaged in a moment.

Texts are numbers into a list of the different ones; figures are arrays in which NaN means that there is none. Whoever
goes through the records one by one gets each as `Scored`; whoever counts many asks for the columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import fsum
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.evaluation.scored import Ending, Scored

Figures = NDArray[np.float64]
Truths = NDArray[np.bool_]
Places = NDArray[np.intp]

_TEXTS = {
    **dict.fromkeys(("task", "address", "model"), ""),
    "state": Ending.DONE,
    **dict.fromkeys(("finish_reason", "error", "failure_mode", "how_read", "cut_off")),
    **dict.fromkeys(("agent", "condition"), ""),
    "actor": "model",
    **dict.fromkeys(("override", "study"), ""),
}
"""The columns of texts, with what a record has that says nothing about them."""
_COUNTS = ("number", "budget", "text_length", "attempt", "depth", "input_tokens", "output_tokens", "reasoning_tokens")
_FIGURES = ("score", "cost_usd", "seconds", "measured")
_TRUTHS = ("tools", "is_helped", "is_overridden", "error_is_zero")
_UNKNOWN = -1


@dataclass(frozen=True)
class TextColumn:
    """Texts, or None, of which each different one is kept once.

    Attributes:
        codes: Shape (records,): the place of each record's text in `words`.
        words: The different texts.
    """

    codes: Places
    words: tuple[Any, ...]

    @classmethod
    def of(cls, texts: Iterable[Any]) -> TextColumn:
        """The column of a text for each record."""
        texts = list(texts)
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        return cls(np.fromiter(map(places.__getitem__, texts), np.intp, len(texts)), tuple(places))

    @property
    def first(self) -> Any:
        """The text of the first record."""
        return self.words[self.codes[0]]

    def crossed(self, other: TextColumn) -> TextColumn:
        """The column of pairs of both texts; some of its words may not occur."""
        pairs = tuple(product(self.words, other.words))
        return TextColumn(self.codes * len(other.words) + other.codes, pairs)

    def is_any(self, *texts: Any) -> Truths:
        """Shape (records,): whether a record has one of the texts."""
        return self.holds(lambda word: word in texts)

    def holds(self, condition: Callable[[Any], bool]) -> Truths:
        """Shape (records,): whether a condition holds for a record's text; it is asked once for each different one."""
        return np.array([condition(word) for word in self.words], dtype=bool)[self.codes]

    def mapped(self, change: Callable[[Any], Any]) -> TextColumn:
        """The column with another text for each different one."""
        changed = TextColumn.of(map(change, self.words))
        return TextColumn(changed.codes[self.codes], changed.words)

    def at(self, rows: Places | Truths) -> TextColumn:
        """The texts of some records."""
        return TextColumn(self.codes[rows], self.words)

    def texts(self) -> list[Any]:
        """The text of each record."""
        return [self.words[code] for code in self.codes.tolist()]

    def present(self) -> list[Any]:
        """The different texts that records have, in the order in which they first occur."""
        codes, first = np.unique(self.codes, return_index=True)
        return [self.words[code] for code in codes[np.argsort(first)].tolist()]

    def counts(self) -> Counter[Any]:
        """How many records have each text, in the order in which they first occur."""
        counts = np.bincount(self.codes, minlength=len(self.words))
        codes, first = np.unique(self.codes, return_index=True)
        return Counter({self.words[code]: int(counts[code]) for code in codes[np.argsort(first)].tolist()})


Column = TextColumn | NDArray[Any]


class ScoredColumns(Sequence[Scored]):
    """Records as columns, which have the names of the attributes of `Scored`."""

    def __init__(
        self, columns: Mapping[str, Column], count: int, base: ScoredColumns | None = None, rows: Any = None
    ) -> None:
        self._columns = dict(columns)
        self._count = count
        self._base = base
        self._rows = rows

    @classmethod
    def of_lists(cls, lists: Mapping[str, Sequence[Any]], count: int) -> ScoredColumns:
        """Records from a value for each of them, by attribute; attributes that are missing have the usual value."""
        columns: dict[str, Column] = {}
        for name, usual in _TEXTS.items():
            given = lists.get(name)
            columns[name] = TextColumn.of(given) if given is not None else _all_alike(usual, count)
        for name in (*_FIGURES, *_COUNTS):
            columns[name] = np.array(lists[name], dtype=float) if name in lists else np.full(count, np.nan)
        for name in _TRUTHS:
            columns[name] = np.array(lists[name]).astype(bool) if name in lists else np.zeros(count, dtype=bool)
        columns["repeat"] = np.array(lists["repeat"], dtype=np.int64) if "repeat" in lists else np.zeros(count, int)
        passed = lists.get("passed", (None,) * count)
        columns["passed"] = np.array([_UNKNOWN if value is None else bool(value) for value in passed], np.int8)
        return cls(columns, count)

    @overload
    def __getitem__(self, place: int) -> Scored: ...

    @overload
    def __getitem__(self, place: slice) -> ScoredColumns: ...

    def __getitem__(self, place: int | slice) -> Scored | ScoredColumns:
        if isinstance(place, slice):
            return self.at(np.arange(self._count)[place])
        return next(iter(self.at(np.arange(self._count)[place : place + 1 or None])))

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Scored]:
        if not self._count:
            return iter(())
        values = [
            *(self.text(name).texts() for name in _TEXTS),
            *(_or_none(self.figures(name), float) for name in _FIGURES),
            *(_or_none(self.figures(name), int) for name in _COUNTS),
            *(self.truths(name).tolist() for name in _TRUTHS),
            self._array("repeat").tolist(),
            [None if value == _UNKNOWN else bool(value) for value in self._array("passed").tolist()],
        ]
        names = (*_TEXTS, *_FIGURES, *_COUNTS, *_TRUTHS, "repeat", "passed")
        return (Scored(**dict(zip(names, row, strict=True))) for row in zip(*values, strict=True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    # Columns ----------------------------------------------------------------------------------------------------------

    def text(self, name: str) -> TextColumn:
        """A column of texts."""
        column = self._column(name)
        assert isinstance(column, TextColumn)
        return column

    def figures(self, name: str) -> Figures:
        """A column of figures or counts; NaN: there is none. `value` is the score that counts."""
        return self._array(name)

    def truths(self, name: str) -> Truths:
        """A column of truths. `passed` is false where it is not known."""
        column = self._array(name)
        return column > 0 if name == "passed" else column

    @property
    def has_value(self) -> Truths:
        """Whether a record has a score that counts."""
        return np.isfinite(self.figures("value"))

    # Other records from these -----------------------------------------------------------------------------------------

    def at(self, rows: Places | Truths) -> ScoredColumns:
        """Some of the records: their places in order, or whether each is among them."""
        if rows.dtype == bool:
            rows = np.flatnonzero(rows)
        return ScoredColumns({}, len(rows), self, rows)

    def with_columns(self, **columns: Column) -> ScoredColumns:
        """The records with other columns."""
        return ScoredColumns(columns, self._count, self)

    def without_scores(self, rows: Places) -> ScoredColumns:
        """The records, of which those at some places have no score, as if nobody had judged them."""
        scores = self.figures("score").copy()
        passed = self._array("passed").copy()
        scores[rows] = np.nan
        passed[rows] = _UNKNOWN
        return self.with_columns(score=scores, passed=passed)

    def split(self, name: str) -> dict[Any, ScoredColumns]:
        """The records by a column of texts, in the order in which these first occur."""
        column = self.text(name)
        return {column.words[code]: self.at(rows) for code, rows in groups(column.codes)}

    # ------------------------------------------------------------------------------------------------------------------

    def _array(self, name: str) -> NDArray[Any]:
        column = self._column(name)
        assert isinstance(column, np.ndarray)
        return column

    def _column(self, name: str) -> Column:
        if name not in self._columns:
            self._columns[name] = self._made(name)
        return self._columns[name]

    def _made(self, name: str) -> Column:
        if name == "value" and (self._base is None or self._rows is None):
            return self._counting_scores()
        assert self._base is not None
        column = self._base._column(name)
        if self._rows is None:
            return column
        return column.at(self._rows) if isinstance(column, TextColumn) else column[self._rows]

    def _counting_scores(self) -> Figures:
        """The rule of `Scored.value` for all records."""
        state = self.text("state")
        values = np.where(state.is_any(Ending.DONE), np.clip(self.figures("score"), 0.0, 1.0), np.nan)
        is_zero = state.is_any(Ending.NOT_ASKED) | (state.is_any(Ending.ERROR) & self.truths("error_is_zero"))
        return np.where(is_zero, 0.0, values)


def columns_of(records: Iterable[Scored]) -> ScoredColumns:
    """Records as columns; they may be columns already."""
    if isinstance(records, ScoredColumns):
        return records
    items = list(records)
    names = (*_TEXTS, *_FIGURES, *_COUNTS, *_TRUTHS, "repeat", "passed")
    return ScoredColumns.of_lists({name: [getattr(item, name) for item in items] for name in names}, len(items))


def joined(parts: Sequence[ScoredColumns]) -> ScoredColumns:
    """The records of all parts, one part after the other."""
    parts = [part for part in parts if len(part)]
    if len(parts) == 1:
        return parts[0]
    columns: dict[str, Column] = {}
    for name in _TEXTS:
        columns[name] = _joined_texts([part.text(name) for part in parts])
    for name in (*_FIGURES, *_COUNTS, *_TRUTHS, "repeat", "passed"):
        columns[name] = np.concatenate([part._array(name) for part in parts]) if parts else np.zeros(0)
    return ScoredColumns(columns, sum(map(len, parts))) if parts else columns_of(())


def groups(codes: NDArray[np.integer[Any]]) -> list[tuple[int, Places]]:
    """The places of each code in order; codes come in the order in which they first occur."""
    if not len(codes):
        return []
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=codes[order[0]] - 1))
    parts = np.split(order, starts[1:])
    return [(int(codes[part[0]]), part) for part in sorted(parts, key=lambda part: int(part[0]))]


def means(codes: NDArray[np.integer[Any]], values: Figures) -> tuple[Places, Figures]:
    """The codes with a value, in order, and the mean of the values of each, whose sum is rounded once."""
    known = np.flatnonzero(np.isfinite(values))
    known = known[np.argsort(codes[known], kind="stable")]
    if not len(known):
        return np.zeros(0, dtype=np.intp), np.zeros(0)
    sorted_codes = codes[known]
    starts = np.flatnonzero(np.diff(sorted_codes, prepend=sorted_codes[0] - 1))
    ends = [*starts[1:].tolist(), len(known)]
    plain = values[known].tolist()
    found = [
        plain[begin] if end == begin + 1 else fsum(plain[begin:end]) / (end - begin)
        for begin, end in zip(starts.tolist(), ends, strict=True)
    ]
    return sorted_codes[starts].astype(np.intp), np.array(found)


def numbered(*columns: NDArray[Any]) -> Places:
    """A number for each record, the same for those that are alike in all columns of whole numbers."""
    found = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        _, codes = np.unique(column, return_inverse=True)
        _, found = np.unique(found * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)
    return found.astype(np.intp)


def counted_before(codes: Places) -> NDArray[np.int64]:
    """How many records before each one have its code."""
    counts = np.zeros(len(codes), dtype=np.int64)
    for _, rows in groups(codes):
        counts[rows] = np.arange(len(rows))
    return counts


def _all_alike(text: Any, count: int) -> TextColumn:
    return TextColumn(np.zeros(count, dtype=np.intp), (text,))


def _joined_texts(columns: Sequence[TextColumn]) -> TextColumn:
    whole = TextColumn.of(word for column in columns for word in column.words)
    starts = np.cumsum([0, *(len(column.words) for column in columns)])
    codes = [whole.codes[start + column.codes] for start, column in zip(starts, columns, strict=False)]
    return TextColumn(np.concatenate(codes) if codes else np.zeros(0, dtype=np.intp), whole.words)


def _or_none(values: Figures, kind: Callable[[float], Any]) -> list[Any]:
    return [kind(value) if value == value else None for value in values.tolist()]
