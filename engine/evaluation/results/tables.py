"""Tables of results as plain data: the page, the report and CSV files show the same ones. Free of Qt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from spatial_workbench.engine.core.rates import Rate
from spatial_workbench.engine.evaluation.export import write_rows

Value = str | int | float | bool | None


@dataclass(frozen=True)
class Heading:
    """A column.

    Attributes:
        title: For a person.
        unit: Such as "tokens"; may be empty.
        tip: More about it, and where it was published.
        fields: Names of its cells' values in a file, such as ("score", "low", "high"); one unnamed value by default.
        is_published: Whether others measured it.
        is_text: Whether it is aligned to the left.
        low_first: Whether low figures are the better ones, with which sorting begins.
    """

    title: str
    unit: str = ""
    tip: str = ""
    fields: tuple[str, ...] = ("",)
    is_published: bool = False
    is_text: bool = False
    low_first: bool = False

    @property
    def label(self) -> str:
        """Title with unit."""
        return f"{self.title} ({self.unit})" if self.unit else self.title


@dataclass(frozen=True)
class TableCell:
    """A cell.

    Attributes:
        text: The figure itself.
        detail: A second, smaller line, such as its count and interval.
        tip: All of it in a sentence.
        values: The same for files, one for each of the column's `fields`.
    """

    text: str = "–"
    detail: str = ""
    tip: str = ""
    values: tuple[Value, ...] = ()


@dataclass(frozen=True)
class TableLine:
    """A row.

    Attributes:
        title: What it is about.
        marks: Signs of the notes that apply to it, such as "ab".
        tip: The texts of these notes.
        is_sum: Whether it summarises other rows, and is emphasised.
        is_published: Whether others measured it.
        attempts: Numbers of the attempts behind it, which a double click shows.
    """

    title: str
    cells: tuple[TableCell, ...]
    marks: str = ""
    tip: str = ""
    is_sum: bool = False
    is_published: bool = False
    attempts: tuple[int, ...] = ()


@dataclass(frozen=True)
class TableNote:
    """A remark below a table.

    Attributes:
        mark: The sign of the rows that it applies to; empty: it applies to the whole table.
    """

    text: str
    mark: str = ""


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        first: Heading of the column that holds the rows' titles.
        about: What it counts, in a short line.
        words: What it says, in a paragraph of plain sentences.
        is_sortable: Whether people may sort its rows by any column.
        pinned: How many columns stay visible, as the titles do, when the table is scrolled sideways.
    """

    title: str
    first: str
    headings: tuple[Heading, ...]
    lines: tuple[TableLine, ...]
    notes: tuple[TableNote, ...] = ()
    about: str = field(default="")
    pinned: int = 0
    words: str = ""
    is_sortable: bool = False

    @property
    def header(self) -> list[str]:
        """The first row of a file."""
        return [
            self.first,
            *(f"{heading.label} {name}".strip() for heading in self.headings for name in heading.fields),
        ]

    @property
    def rows(self) -> list[list[Value]]:
        """The rows of a file: plain values, in full precision."""
        return [[line.title, *self._values(line)] for line in self.lines]

    def sorted_by(self, column: int, descending: bool = False) -> Table:
        """The table with its rows sorted by the first value of a column, -1 for the titles; unknown values are last."""
        known = [line for line in self.lines if _sort_key(line, column) is not None]
        unknown = [line for line in self.lines if _sort_key(line, column) is None]
        known.sort(key=lambda line: _sort_key(line, column) or (), reverse=descending)
        return replace(self, lines=(*known, *unknown))

    def save_csv(self, path: Path) -> None:
        """Writes the table as CSV. Raises OSError."""
        write_rows(path, self.header, self.rows)

    def as_text(self) -> str:
        """The table for the clipboard, with tabs between cells, as spreadsheets expect it."""
        lines = [self.header, *([("" if value is None else str(value)) for value in row] for row in self.rows)]
        return "\n".join("\t".join(line) for line in lines) + "\n"

    def _values(self, line: TableLine) -> list[Value]:
        row: list[Value] = []
        for heading, cell in zip(self.headings, line.cells, strict=True):
            values = cell.values or ((None,) * len(heading.fields))
            row += values
        return row


def _sort_key(line: TableLine, column: int) -> tuple[bool, float, str] | None:
    """Figures come before words; None: there is no value."""
    if column < 0:
        return True, 0.0, line.title.casefold()
    cell = line.cells[column]
    value = cell.values[0] if cell.values else cell.text
    if value is None or value in ("", "–"):
        return None
    return (True, 0.0, value.casefold()) if isinstance(value, str) else (False, float(value), "")


def percent(value: float | None, digits: int = 1) -> str:
    """A share as tables show it: "53.3"; the column's heading has the percent sign."""
    return "–" if value is None else f"{steady(100 * value):.{digits}f}"


def steady(value: float) -> float:
    """A value without what rounding left in its last bits, so that equal figures read alike; never minus zero."""
    return round(value, 9) + 0.0


def span(interval: tuple[float, float]) -> str:
    """An interval of shares in percent, as a second line: "38–68"."""
    return f"{100 * interval[0]:.0f}–{100 * interval[1]:.0f}"


def rate_cell(rate: Rate | None, unit: str = "") -> TableCell:
    """A rate in percent with its counts and interval."""
    if rate is None or rate.value is None:
        return TableCell(tip="not reported")
    tip = f"{rate.hits} of {rate.n}{f' {unit}' if unit else ''}; 95 % interval {span(rate.interval)} %"
    values = (rate.value, *rate.interval, rate.hits, rate.n)
    return TableCell(percent(rate.value), f"{rate.hits}/{rate.n} · {span(rate.interval)}", tip, values)


RATE_FIELDS = ("share", "low", "high", "count", "of")


def number_cell(value: float | None, digits: int = 2) -> TableCell:
    """A figure, without trailing zeros."""
    if value is None:
        return TableCell(values=(None,))
    text = f"{value:,.{digits}f}"
    return TableCell(text.rstrip("0").rstrip(".") if "." in text else text, values=(value,))
