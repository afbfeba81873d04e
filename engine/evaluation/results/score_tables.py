"""The tables of scores: our runs beside the published ones, and generated instances by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.results.chart_making import in_order
from spatial_workbench.engine.evaluation.results.tables import (
    Heading,
    Table,
    TableCell,
    TableLine,
    TableNote,
    percent,
    span,
)
from spatial_workbench.engine.evaluation.scbench import published
from spatial_workbench.engine.evaluation.scored import Scored
from spatial_workbench.engine.evaluation.scores import (
    OVERRIDDEN,
    Accuracy,
    RowKind,
    Scoreboard,
    ScoreColumn,
    ScoreRow,
    scoreboard,
)
from spatial_workbench.engine.store.facts import is_own

FIELDS = (
    *("score", "low", "high", "counted", "of", "asked"),
    *("errors", "waiting to be checked", "unfinished", "overridden", "cut off"),
)
MOST_OVERRIDES = 50
EARLY_FAIL = ("lego_hemisphere", "terrain_levelling")
"""Tasks in whose published runs subtasks were left out after a failed first one (docs/scoring.md)."""
_SOURCE = Heading("Published in", is_text=True, tip="Where the published figures of the row come from")
_SIGNS = "abcdefghijklmnop"


def published_scores(records: Iterable[Scored], with_published: bool = True, verifier: str = "default") -> Table:
    """The scores at the published instances, beside the published ones, in their order."""
    board = scoreboard(records, whole=with_published)
    theirs = _their_columns() if with_published else {}
    notes = _Notes(with_published)
    lines = tuple(_line(board, row, theirs, notes) for row in board.rows)
    columns = in_order(board.columns)
    return Table(
        title="Published instances",
        first="Task",
        headings=(*theirs.values(), *_our_headings(columns), *([_SOURCE] if theirs else [])),
        lines=lines,
        notes=(*_override_notes(board), *notes.listed, *_general_notes(with_published, verifier)),
        about="Mean score in percent; below it the number of subtasks and the interval at 95 %.",
        pinned=len(theirs),
    )


def generated_scores(records: Iterable[Scored]) -> Table | None:
    """The scores at generated instances, which cannot be compared with published results; None if there are none."""
    board = scoreboard(records, generated=True)
    rows = [row for row in board.rows if row.cells]
    if not rows:
        return None
    return Table(
        title="Generated instances",
        first="Task",
        headings=_our_headings(in_order(board.columns)),
        lines=tuple(_line(board, row, {}, None) for row in rows),
        notes=_override_notes(board),
        about="Mean score in percent. There are no published results to compare with.",
    )


def _override_notes(board: Scoreboard) -> tuple[TableNote, ...]:
    """Every overridden score, with who overrode it and why."""
    cells = [(column, cell) for row in board.rows if row.kind is RowKind.TASK for column, cell in row.cells.items()]
    texts = [f"{column.title}, {words}." for column, cell in cells for words in cell.overrides]
    more = len(texts) - MOST_OVERRIDES
    shown = [TableNote(f"Overridden by a person: {text}", OVERRIDDEN) for text in texts[:MOST_OVERRIDES]]
    return (*shown, *([TableNote(f"{more} more scores were overridden.", OVERRIDDEN)] if more > 0 else []))


def _our_headings(columns: Sequence[ScoreColumn]) -> tuple[Heading, ...]:
    return tuple(Heading(column.title, "%", "A run of this project", FIELDS) for column in columns)


def _their_columns() -> dict[ScoreColumn, Heading]:
    """The published runs by model and tools, with how they were asked."""
    facts = published()
    runs = {run.model: run for run in facts.runs}
    headings = {}
    for model in facts.models:
        for tools in (False, True):
            run = runs[model.id]
            had = f"with {', '.join(run.tools)}" if tools else "without tools"
            tip = (
                f"Published run {run.name_tools if tools else run.name_no_tools} of {run.provider}: {run.reasoning}, "
                f"temperature {run.temperature}, {had}. One sample for each subtask. {run.source}."
            )
            title = f"{model.title}{', tools' if tools else ''}"
            headings[ScoreColumn(model.id, tools)] = Heading(title, "%", tip, FIELDS, is_published=True)
    return headings


class _Notes:
    """Collects the footnotes of the rows and gives each a sign."""

    def __init__(self, with_published: bool) -> None:
        self._with_published = with_published
        self._signs: dict[str, str] = {}

    def about(self, row: ScoreRow) -> tuple[str, str]:
        """The signs of a row's notes, and their texts."""
        texts = list(self._texts(row.id)) if self._with_published and row.kind is RowKind.TASK else []
        for text in texts:
            self._signs.setdefault(text, _SIGNS[len(self._signs) % len(_SIGNS)])
        return "".join(self._signs[text] for text in texts), "\n".join(texts)

    @property
    def listed(self) -> tuple[TableNote, ...]:
        """All notes that rows have asked for, in the order of their signs."""
        return tuple(TableNote(text, sign) for text, sign in self._signs.items())

    def _texts(self, task: str) -> Iterable[str]:
        facts = published()
        ceiling = facts.ceiling(task)
        if ceiling is not None:
            which = ", ".join(map(str, ceiling.subtasks))
            most = f" Nobody can score more than {ceiling.percent:.1f} %." if ceiling.percent is not None else ""
            yield f"Known ceiling, subtasks {which}: {ceiling.reason}{most} {ceiling.source}."
        yield from (note.text for note in facts.notes if note.topic == task)
        if task in EARLY_FAIL:
            yield "The published runs used early fail: subtasks that were never asked count 0 there."


def _general_notes(with_published: bool, verifier: str) -> tuple[TableNote, ...]:
    if not with_published:
        return ()
    judged = (
        "Our runs are judged by the default verifiers, the published ones by theirs; choose the published verifiers "
        "to compare like with like."
        if verifier == "default"
        else f"Our runs are judged by {verifier} alone, the published ones by theirs."
        if is_own(verifier)
        else "Where a task has a published verifier, our runs are judged by it."
    )
    topics = ("tools", "axiomatic", "scoring")
    errors = "SCBench's own figures count errors as 0; ours do not, unless you choose so."
    return (
        TableNote(judged),
        TableNote(errors),
        *(TableNote(note.text) for note in published().notes if note.topic in topics),
    )


def _line(board: Scoreboard, row: ScoreRow, theirs: Mapping[ScoreColumn, Heading], notes: _Notes | None) -> TableLine:
    marks, tip = notes.about(row) if notes else ("", "")
    ours = [_cell(row.cells.get(column)) for column in in_order(board.columns)]
    if not theirs:
        return TableLine(row.title, tuple(ours), marks, tip, row.kind is not RowKind.TASK)
    shown = board.published(row)
    sources = "; ".join(dict.fromkeys(cell.source for cell in shown.values()))
    cells = (
        *(_cell(shown.get(column)) for column in theirs),
        *ours,
        TableCell(sources, tip=sources, values=(sources,)),
    )
    return TableLine(row.title, cells, marks, tip, row.kind is not RowKind.TASK)


def _cell(accuracy: Accuracy | None) -> TableCell:
    if accuracy is None or accuracy.value is None:
        return _empty_cell(accuracy)
    if accuracy.people is not None:
        return _people_cell(accuracy)
    asked = f"{accuracy.n} of {accuracy.total}" if accuracy.is_partial else str(accuracy.n)
    cut_off = sum(count for _, count in accuracy.cut_off)
    marks = f"{cut_off:,} cut off" if cut_off else ""
    detail = " · ".join(filter(None, (f"n {asked}", span(accuracy.interval), accuracy.without_score, marks)))
    tip = f"{percent(accuracy.value)} % over {asked} {accuracy.unit}, 95 % interval {span(accuracy.interval)} %."
    if accuracy.passed is not None:
        tip += f" {accuracy.passed} passed."
    if accuracy.not_asked:
        tip += f" {accuracy.not_asked} were not asked and count 0."
    if accuracy.without_score:
        tip += f" In no mean: {accuracy.without_score}."
    if accuracy.errors and accuracy.errors_are_zero:
        tip += f" {counted(accuracy.errors, 'error counts', 'errors count')} 0."
    if accuracy.cut_off:
        tip += f" Cut off: {', '.join(f'{count:,} by {what}' for what, count in accuracy.cut_off)}."
    if accuracy.read:
        tip += f" Read: {', '.join(f'{count:,} {how}' for how, count in accuracy.read)}."
    if accuracy.overrides:
        detail += f" · {OVERRIDDEN} {len(accuracy.overrides)}"
        tip += "\nScores overridden by a person:\n" + "\n".join(accuracy.overrides[:5])
    if accuracy.source:
        tip += f" Source: {accuracy.source}."
    values = (
        accuracy.value,
        *accuracy.interval,
        accuracy.n,
        accuracy.total,
        accuracy.asked,
        *_counts(accuracy),
    )
    return TableCell(percent(accuracy.value), detail, tip, values)


def _empty_cell(accuracy: Accuracy | None) -> TableCell:
    """A cell without a score; it says what there is instead."""
    if accuracy is None or not accuracy.without_score:
        return TableCell(tip="None of it was asked.")
    values = (None, None, None, 0, accuracy.total, accuracy.asked, *_counts(accuracy))
    return TableCell("–", accuracy.without_score, f"Nothing has a score: {accuracy.without_score}.", values)


def _counts(accuracy: Accuracy) -> tuple[int, int, int, int, int]:
    """Errors, items that wait for a judge, unfinished ones, overrides, and what was cut off."""
    cut_off = sum(count for _, count in accuracy.cut_off)
    return accuracy.errors, accuracy.unjudged, accuracy.unfinished, len(accuracy.overrides), cut_off


def _people_cell(accuracy: Accuracy) -> TableCell:
    """A cell of a study: its interval is over people, and other runs are reported on the same subtasks."""
    asked = f"{accuracy.n} of {accuracy.total}" if accuracy.is_partial else str(accuracy.n)
    people = counted(accuracy.people or 0, "person", "people")
    ends = accuracy.people_interval
    interval = f"{percent(ends[0])}–{percent(ends[1])}" if ends else "too few people"
    tip = f"{percent(accuracy.value)} % over {asked} {accuracy.unit}, {people}; "
    tip += f"95 % interval over people {interval} %." if ends else "too few people for an interval."
    tip += f" {percent(accuracy.pass_rate)} % passed."
    if accuracy.on_common:
        tip += "\nOn the same subtasks:\n"
        tip += "\n".join(f"{title}: {percent(value)} % (n {n})" for title, value, n in accuracy.on_common[:8])
    values = (accuracy.value, *(ends or (None, None)), accuracy.n, accuracy.total, accuracy.asked, *_counts(accuracy))
    return TableCell(percent(accuracy.value), f"n {asked} · {people} · {interval}", tip, values)
