"""The leaderboard as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.columns import ScoredColumns, Truths, columns_of
from spatial_workbench.engine.evaluation.comparing.leaderboard import (
    COST,
    TIME,
    TOKENS,
    Leaderboard,
    LeaderboardRow,
    UsedAmount,
    leaderboard,
)
from spatial_workbench.engine.evaluation.comparing.paired import LEAST_CLUSTERS
from spatial_workbench.engine.evaluation.results.tables import (
    Heading,
    Table,
    TableCell,
    TableLine,
    TableNote,
    percent,
    span,
)
from spatial_workbench.engine.evaluation.scored import Scored
from spatial_workbench.engine.evaluation.scores import OVERRIDDEN, family_of

_RANKS = (
    "A rank is 1 and how many runs score higher; each two are compared on the subtasks that both have a score for. "
    "Below it are the ranks between which it lies in 95 % of the draws of a bootstrap, in which subtasks that share an "
    "answer are drawn together."
)
_SCORES = (
    "Scores are means over subtasks, with intervals at 95 % from the same bootstrap. Errors, answers without a verdict "
    "and unfinished items are in no mean."
)
_ERRORS_AS_ZERO = (
    "Scores are means over subtasks, with intervals at 95 % from the same bootstrap. Errors count 0; answers without a "
    "verdict and unfinished items are in no mean."
)
_USED = "Cost, output tokens and time are means of an answer, with the sum below; time is active time for people."
_FRONT = "On a Pareto front, no other run scores as much for less, or more for as little."
_ALIKE = "All its scores are the same, so its interval is Wilson's."
_APART = (
    "The runs do not have scores for the same subtasks, so ranks need not follow the mean scores beside them. A rank "
    "that rests on fewer subtasks than others says on how many."
)
_NO_RANK = f"It shares fewer than {LEAST_CLUSTERS} independent subtasks with every other run, so it has no rank."
_NOBODY_FIRST = (
    "No run ranks first in 2.5 % of the draws or more: each ranks behind another on the subtasks that both have a "
    "score for."
)
_PLACES = ("", "low", "high", "share first", "compared with", "fewest shared", "most shared")
_SHOWN_RANKS = 6
_FEW = 0.9
"""Runs that have a score for a smaller share of the subtasks are named above the table."""
_MOST_NAMED = 4


def leaderboard_tables(
    runs: Mapping[str, Sequence[Scored]], everything: Leaderboard, remarks: Sequence[str] = ()
) -> tuple[Table, ...]:
    """All runs on all subtasks, and then on those of each system, if there are several.

    everything: The leaderboard of all subtasks. remarks: What was left out, in sentences.
    """
    tables = [leaderboard_table(everything, "Leaderboard", remarks)]
    columns = {title: columns_of(items) for title, items in runs.items()}
    systems = sorted({family_of(task) for items in columns.values() for task in items.text("task").present()})
    for system in systems if len(systems) > 1 else ():
        of_system = {title: items.at(_is_of(items, system)) for title, items in columns.items()}
        asked = {title: items for title, items in of_system.items() if items}
        if len(asked) > 1:
            tables.append(leaderboard_table(leaderboard(asked), f"Leaderboard, {system}"))
    return tuple(tables)


def _is_of(items: ScoredColumns, system: str) -> Truths:
    """Whether each record is of a task of a system."""
    return items.text("task").holds(lambda task: family_of(task) == system)


def leaderboard_table(found: Leaderboard, title: str, remarks: Sequence[str] = ()) -> Table:
    """A row for each run, the best first."""
    marks = _Marks(found)
    errors_are_zero = any(row.accuracy.errors_are_zero for row in found.rows)
    notes = (
        *(TableNote(text) for text in remarks),
        *([] if found.is_one_set else [TableNote(_APART)]),
        *(TableNote(text) for text in (_RANKS, _ERRORS_AS_ZERO if errors_are_zero else _SCORES, _USED, _FRONT)),
    )
    lines = tuple(_line(row, found, marks) for row in found.rows)
    return Table(
        title=title,
        first="Run",
        headings=_HEADINGS,
        lines=lines,
        notes=(*marks.listed, *notes),
        about=f"{counted(len(found.rows), 'run')} on {counted(found.subtasks, 'subtask')}.",
        words=leaderboard_words(found),
        is_sortable=True,
    )


def leaderboard_words(found: Leaderboard) -> str:
    """Who is first, and whether the runs can be compared, in a sentence or two."""
    ranked = [row for row in found.rows if row.place is not None]
    if not ranked:
        return "No two runs share enough subtasks to be ranked."
    best = [row for row in ranked if row.place is not None and row.place.rank == 1]
    possible = [row.title for row in ranked if row.place is not None and row.place.low == 1]
    if len(best) == 1 and possible == [best[0].title]:
        words = f"{best[0].title} ranks first, with no other run among the first in 95 % of the draws."
    elif possible:
        words = f"{counted(len(possible), 'run')} can be first: {_listed(possible)}."
    else:
        words = _NOBODY_FIRST
    few = [row for row in ranked if row.accuracy.n < _FEW * found.most]
    if few:
        named = [f"{row.title} ({row.accuracy.n:,})" for row in few[:_MOST_NAMED]]
        named += [f"{len(few) - _MOST_NAMED} more"] if len(few) > _MOST_NAMED else []
        words += (
            f" Only some of the {found.most:,} subtasks have a score for {_listed(named)}; "
            f"{'its rank rests' if len(few) == 1 else 'their ranks rest'} on these alone."
        )
    return words


_USES = ("", "sum", "known", "answers")
_HEADINGS = (
    Heading("Rank", tip="With its interval at 95 %", fields=_PLACES, low_first=True),
    Heading("Score", "%", "Mean over subtasks, with its interval at 95 %", ("", "low", "high")),
    Heading("Subtasks", tip="With a score, of those that any run was asked", fields=("", "of", "clusters")),
    Heading("Passed", tip="Subtasks whose every repeat passed"),
    Heading("Errors", tip="Items that ended with an error", low_first=True),
    Heading("Unjudged", tip="Answers without a verdict of the judge that counts", low_first=True),
    Heading("Unfinished", tip="Items whose batch has not come to its end", low_first=True),
    Heading("Cost", "$", "Of an answer; below it the sum", _USES, low_first=True),
    Heading("Tokens", "", "Output tokens of an answer, with reasoning; below it the sum", _USES, low_first=True),
    Heading("Time", "s", "Of an answer; below it the sum", _USES, low_first=True),
    Heading("Kind", is_text=True, tip="Who answered"),
    Heading("Pareto front", is_text=True, tip="Against cost, tokens or time"),
)


class _Marks:
    """Collects the footnotes of the rows and gives each a sign."""

    def __init__(self, found: Leaderboard) -> None:
        self._found = found
        self._ranked = sum(row.place is not None for row in found.rows)
        self._signs: dict[str, str] = {}

    def about(self, row: LeaderboardRow) -> tuple[str, str]:
        """The signs of a row's notes, and their texts."""
        texts = list(self._texts(row))
        for text in texts:
            self._signs.setdefault(text, "abcdefghijklmnopqrstuvwxyz"[len(self._signs) % 26])
        return "".join(sorted(self._signs[text] for text in texts)), "\n".join(texts)

    @property
    def listed(self) -> tuple[TableNote, ...]:
        """All notes that rows have, in the order of their signs."""
        return tuple(TableNote(text, sign) for text, sign in self._signs.items())

    def _texts(self, row: LeaderboardRow) -> list[str]:
        texts = [_ALIKE] if row.all_alike else []
        if row.place is None and len(self._found.rows) > 1:
            texts.append(_NO_RANK)
        elif row.place is not None and row.place.rivals < self._ranked - 1:
            texts.append(
                f"It shares enough subtasks with {row.place.rivals} of the {self._ranked - 1} other runs that have a "
                "rank, and is ranked among these."
            )
        if row.accuracy.overrides:
            texts.append(f"{OVERRIDDEN} Scores of it were overridden by a person.")
        return texts


def _line(row: LeaderboardRow, found: Leaderboard, marks: _Marks) -> TableLine:
    signs, tip = marks.about(row)
    one = row.accuracy
    cells = (
        _rank(row, found),
        _score(row),
        TableCell(
            f"{one.n:,}",
            f"of {one.total:,}" + ("" if row.clusters == one.n else f" · {counted(row.clusters, 'cluster')}"),
            f"{one.n:,} of {one.total:,} subtasks have a score; {row.clusters:,} of these are independent.",
            (one.n, one.total, row.clusters),
        ),
        _count(one.passed or 0),
        _count(one.errors),
        _count(one.unjudged),
        _count(one.unfinished),
        _used(row.used[COST], _dollars, "Its price"),
        _used(row.used[TOKENS], lambda value: f"{value:,.0f}", "The count of tokens"),
        _used(row.used[TIME], lambda value: f"{value:,.{1 if value < 1000 else 0}f}", "Its time"),
        TableCell(row.kind, values=(row.kind,)),
        TableCell(", ".join(row.fronts) or "–", values=(", ".join(row.fronts) or None,)),
    )
    return TableLine(row.title, cells, signs, tip)


def _rank(row: LeaderboardRow, found: Leaderboard) -> TableCell:
    place = row.place
    if place is None:
        return TableCell(tip="It is compared with no other run.", values=(None,) * len(_PLACES))
    ends = f"{place.low}–{place.high}" if place.low < place.high else f"{place.low}"
    few = f" · on {place.most_shared:,}" if place.most_shared < found.most else ""
    often = sorted(((share, rank) for rank, share in enumerate(place.shares, start=1) if share), reverse=True)
    tip = f"Compared with {counted(place.rivals, 'run')} on {place.least_shared:,}"
    tip += f" to {place.most_shared:,}" if place.least_shared < place.most_shared else ""
    tip += " subtasks. In the bootstrap: "
    tip += ", ".join(f"rank {rank} in {100 * share:.1f} %" for share, rank in often[:_SHOWN_RANKS])
    values = (
        *(place.rank, place.low, place.high, place.shares[0]),
        *(place.rivals, place.least_shared, place.most_shared),
    )
    return TableCell(str(place.rank), f"{ends}{few}", f"{tip}.", values)


def _score(row: LeaderboardRow) -> TableCell:
    value = row.accuracy.value
    if value is None:
        return TableCell(tip="Nothing has a score.", values=(None, None, None))
    if row.interval is None:
        return TableCell(
            percent(value), "too few", "Too few independent subtasks for an interval.", (value, None, None)
        )
    tip = f"{percent(value)} %, 95 % interval {percent(row.interval[0])} to {percent(row.interval[1])} %."
    return TableCell(percent(value), span(row.interval), tip, (value, *row.interval))


def _count(count: int) -> TableCell:
    return TableCell(f"{count:,}", values=(count,))


def _used(used: UsedAmount, shown: Callable[[float], str], what: str) -> TableCell:
    values = (used.mean, used.total, used.known, used.answers)
    if used.mean is None or used.total is None:
        return TableCell("–", "unknown" if used.answers else "", f"{what} is not known.", values)
    part = "" if used.known == used.answers else f" · {used.known:,} of {used.answers:,}"
    tip = f"{what} is known of {used.known:,} of {counted(used.answers, 'answer')}."
    return TableCell(shown(used.mean), f"Σ {shown(used.total)}{part}", tip, values)


def _dollars(value: float) -> str:
    """Cents, or two digits of less than ten cents."""
    return f"{value:,.2g}" if 0 < value < 0.1 else f"{value:,.2f}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
