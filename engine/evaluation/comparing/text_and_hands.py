"""Text against hands: the same model, or the people of one study, answering in text and with the editor's commands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from spatial_workbench.engine.core.agents import HANDS
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.columns import columns_of
from spatial_workbench.engine.evaluation.comparing.comparison import NothingToCompare, RunComparison, compared
from spatial_workbench.engine.evaluation.comparing.leaderboard import COST, TIME, TOKENS, used_amount
from spatial_workbench.engine.evaluation.comparing.paired import holm
from spatial_workbench.engine.evaluation.comparing.tables import difference_cell, p_cell, share_cell, size_cell
from spatial_workbench.engine.evaluation.results.tables import (
    Heading,
    Table,
    TableCell,
    TableLine,
    TableNote,
    number_cell,
)
from spatial_workbench.engine.evaluation.scored import Scored
from spatial_workbench.engine.evaluation.scores import by_run, latest

TEXT = "text"
_UNKNOWN = "unknown"
_NOTES = (
    "Each line compares in pairs, on the subtasks that have a score both ways; repeats, and the people of a study, are "
    "averaged first. Intervals come from a bootstrap over subtasks, in which subtasks that share an answer are drawn "
    "together; p is that of a permutation test, corrected for the number of lines by Holm's method.",
    "Tokens, cost and time are means of an answer over all its subtasks, in text and with hands.",
)


@dataclass(frozen=True)
class TextAndHands:
    """One way of using hands beside text.

    Attributes:
        who: The model, or the study.
        condition: Which aids the hands had, such as "judged".
        text, hands: The records of both.
    """

    who: str
    condition: str
    text: Sequence[Scored]
    hands: Sequence[Scored]


def models_with_hands(records: Iterable[Scored]) -> list[TextAndHands]:
    """Each model that answered in text and with hands, once for each condition of its hands."""
    pairs = []
    records = columns_of(records)
    columns = by_run(records.at(records.text("study").is_any("")))
    for column in sorted(columns):
        ways = columns[column].split("agent")
        by_condition = ways[HANDS].split("condition") if HANDS in ways else {}
        if "" in ways:
            text = latest(ways[""])
            pairs += [
                TextAndHands(column.title, name, text, latest(by_condition[name])) for name in sorted(by_condition)
            ]
    return pairs


def text_and_hands_table(pairs: Iterable[TextAndHands]) -> Table | None:
    """A line for each pair with a subtask in common; None if there is none."""
    found: list[tuple[TextAndHands, RunComparison]] = []
    apart = []
    for pair in pairs:
        try:
            found.append((pair, compared(HANDS, TEXT, pair.hands, pair.text)))
        except NothingToCompare:
            apart.append(f"{pair.who}, {pair.condition}")
    if not found:
        return None
    scores = holm([comparison.overall.p for _, comparison in found])
    passed = holm([comparison.overall.p_passed for _, comparison in found])
    lines = (
        _line(pair, comparison, p, p_passed)
        for (pair, comparison), p, p_passed in zip(found, scores, passed, strict=True)
    )
    notes = [*_NOTES, *([f"Nothing in common, so left out: {'; '.join(apart)}."] if apart else [])]
    return Table(
        title="Text against hands",
        first="Who",
        headings=_HEADINGS,
        lines=tuple(lines),
        notes=tuple(map(TableNote, notes)),
        about="The same subtasks, answered as text and built with the commands of the editor.",
        words=" ".join(_words(pair, comparison, p) for (pair, comparison), p in zip(found, scores, strict=True)),
        is_sortable=True,
    )


_BOTH = (TEXT, HANDS)
_HEADINGS = (
    Heading("Aids", is_text=True, tip="What the hands may use (docs/hands.md); for people, the condition of the study"),
    Heading("Subtasks", tip="Those with a score both ways", fields=("n", "clusters")),
    Heading("Text", "%", "Mean score"),
    Heading("Hands", "%", "Mean score"),
    Heading("Difference", "points", "Hands minus text, with its interval at 95 %", ("", "low", "high")),
    Heading("p", tip="Permutation test, corrected", fields=("", "uncorrected"), low_first=True),
    Heading("Only one passed", tip="text : hands", fields=_BOTH),
    Heading("p of passing", tip="McNemar's exact test, corrected", fields=("", "uncorrected"), low_first=True),
    Heading("Tokens", tip="Output tokens of an answer; hands below", fields=_BOTH),
    Heading("Cost", "$", "Of an answer; hands below", _BOTH),
    Heading("Time", "s", "Of an answer; hands below", _BOTH),
)
_MEASURES = ((TOKENS, 0), (COST, 4), (TIME, 1))


def _line(pair: TextAndHands, comparison: RunComparison, p: float | None, p_passed: float | None) -> TableLine:
    found = comparison.overall
    cells = (
        TableCell(pair.condition, values=(pair.condition,)),
        size_cell(found),
        share_cell(found.second),
        share_cell(found.first),
        difference_cell(found),
        p_cell(p, found.p),
        TableCell(f"{found.only_second} : {found.only_first}", values=(found.only_second, found.only_first)),
        p_cell(p_passed, found.p_passed),
        *(_used(pair, measure, digits) for measure, digits in _MEASURES),
    )
    return TableLine(pair.who, cells)


def _used(pair: TextAndHands, measure: str, digits: int) -> TableCell:
    text, hands = (used_amount(items, measure).mean for items in (pair.text, pair.hands))
    shown = [_UNKNOWN if value is None else number_cell(value, digits).text for value in (text, hands)]
    return TableCell(shown[0], f"hands {shown[1]}", f"text {shown[0]}, hands {shown[1]}", (text, hands))


def _words(pair: TextAndHands, comparison: RunComparison, p: float | None) -> str:
    """What a pair says, in a sentence."""
    found = comparison.overall
    on = f"{pair.who} ({pair.condition}), on {counted(found.n, 'subtask')}:"
    if p is None or found.low is None or found.high is None:
        return f"{on} too few to tell a difference from chance."
    if p >= 0.05 or found.low * found.high <= 0:
        return f"{on} the difference can be chance."
    better = HANDS if found.difference > 0 else TEXT
    return f"{on} {better} scores {abs(100 * found.difference):.1f} points more."
