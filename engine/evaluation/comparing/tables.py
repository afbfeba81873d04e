"""A comparison of two runs as tables."""

from __future__ import annotations

from collections.abc import Sequence

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.comparing.comparison import ComparedPart, RunComparison
from spatial_workbench.engine.evaluation.comparing.flips import by_difficulty, flipped
from spatial_workbench.engine.evaluation.comparing.paired import PairedDifference, ScorePair
from spatial_workbench.engine.evaluation.comparing.repeats import repeated_passes, score_spread
from spatial_workbench.engine.evaluation.results.tables import (
    Heading,
    Table,
    TableCell,
    TableLine,
    TableNote,
    number_cell,
    percent,
    steady,
)
from spatial_workbench.engine.evaluation.scored import Scored

SIZES = (0.01, 0.02, 0.05, 0.10)
"""Differences for which it is told how many subtasks would show them."""
MOST_FLIPS = 500
_KS = (1, 2, 4, 8, 16)
_TESTS = (
    "Differences are paired: both answered the same subtasks. Intervals come from a bootstrap over subtasks, in "
    "which subtasks that share an answer are drawn together; p is that of a permutation test."
)
_HOLM = "p is corrected for the number of rows of its kind by Holm's method; for all subtasks, there is one test only."
_PASSED = (
    "Passed or not is tested by McNemar's exact test, on the subtasks that only one of them passed; those that share "
    "an answer count once."
)


def comparison_tables(
    comparison: RunComparison, of_first: Sequence[Scored] = (), of_second: Sequence[Scored] = ()
) -> tuple[Table, ...]:
    """The differences, the flipped subtasks, by difficulty, how many subtasks it takes, and what repeats tell.

    of_first, of_second: The records of the runs, for what repeats tell.
    """
    repeats = repeats_table({comparison.first: of_first, comparison.second: of_second})
    tables = (
        differences_table(comparison),
        flips_table(comparison),
        difficulty_table(comparison),
        sizes_table(comparison),
    )
    return tables if repeats is None else (*tables, repeats)


def differences_table(comparison: RunComparison) -> Table:
    """Mean scores of both, and their difference, for all subtasks and for parts of them."""
    first, second = comparison.first, comparison.second
    headings = (
        Heading("Subtasks", tip="Those that both have a score for", fields=("n", "clusters")),
        Heading(first, "%", "Mean score"),
        Heading(second, "%", "Mean score"),
        Heading("Difference", "points", f"{first} minus {second}, with its interval at 95 %", ("", "low", "high")),
        Heading("p", tip="Permutation test, corrected", fields=("", "uncorrected")),
        Heading("Only one passed", tip=f"{first} : {second}", fields=(first, second)),
        Heading("p of passing", tip="McNemar's exact test, corrected", fields=("", "uncorrected")),
        Heading("Agreement", "%", "Both passed, or both failed; below it Cohen's kappa", ("", "kappa")),
        Heading("Design effect", tip="By how much subtasks that share an answer widen the variance"),
    )
    notes = [TableNote(_TESTS), TableNote(_HOLM), TableNote(_PASSED)]
    for name, count in ((first, comparison.only_first), (second, comparison.only_second)):
        if count:
            notes.append(
                TableNote(f"{counted(count, 'subtask')} of {name} alone left out: the other has no score there.")
            )
    return Table(
        title=f"{first} and {second}",
        first="Subtasks",
        headings=headings,
        lines=tuple(map(_line, comparison.rows)),
        notes=tuple(notes),
        words=verdict_words(comparison),
    )


def verdict_words(comparison: RunComparison) -> str:
    """What the comparison says on all subtasks that they have in common, in a sentence or two."""
    found = comparison.overall
    better, worse = (comparison.first, comparison.second)
    if found.difference < 0:
        better, worse = worse, better
    on = f"On {counted(found.n, 'subtask')} that both have a score for"
    if found.p is None or found.low is None or found.high is None:
        return f"{on}, there are too few to tell a difference from chance."
    points = abs(steady(100 * found.difference))
    ends = sorted((abs(found.low), abs(found.high))) if found.low * found.high > 0 else None
    if found.p < 0.05 and ends:
        return (
            f"{on}, {better} scores {points:.1f} points more than {worse} "
            f"(95 % interval {100 * ends[0]:.1f} to {100 * ends[1]:.1f}, {p_words(found.p)})."
        )
    return (
        f"{on}, the difference of {points:.1f} points can be chance "
        f"(95 % interval {100 * found.low:+.1f} to {100 * found.high:+.1f}, {p_words(found.p)})."
    )


def flips_table(comparison: RunComparison) -> Table:
    """The subtasks that only one of them passed."""
    found = flipped(comparison.pairs)
    return Table(
        title="Flipped subtasks",
        first="Subtask",
        headings=(
            Heading("Passed by", is_text=True),
            Heading(comparison.first, "%"),
            Heading(comparison.second, "%"),
            Heading(
                "Attempts", tip="The newest; a double click shows them", fields=(comparison.first, comparison.second)
            ),
        ),
        lines=tuple(_flip(comparison, pair) for pair in found[:MOST_FLIPS]),
        about=f"{counted(len(found), 'subtask')} that only one of them passed in all repeats.",
        notes=(TableNote(f"{len(found) - MOST_FLIPS} more are not shown."),) if len(found) > MOST_FLIPS else (),
    )


def difficulty_table(comparison: RunComparison) -> Table:
    """Where one is better: from the easiest subtasks to the hardest."""
    bands = by_difficulty(comparison.pairs)
    return Table(
        title="By difficulty",
        first="Subtasks",
        headings=(
            Heading("Subtasks"),
            Heading(comparison.first, "%"),
            Heading(comparison.second, "%"),
            Heading("Difference", "points"),
        ),
        lines=tuple(
            TableLine(
                band.title,
                (
                    TableCell(str(band.n), values=(band.n,)),
                    share_cell(band.first),
                    share_cell(band.second),
                    _points(band.first - band.second),
                ),
            )
            for band in bands
        ),
        about="Difficulty is the mean score of both, or the depth of a cube's state.",
    )


def sizes_table(comparison: RunComparison) -> Table:
    """How many subtasks would show differences of several sizes."""
    found = comparison.overall
    return Table(
        title="How many subtasks it takes",
        first="Difference",
        headings=(Heading("Subtasks", tip="So that 4 of 5 such experiments show it, at a level of 5 %"),),
        lines=tuple(TableLine(f"{100 * size:.0f} points", (number_cell(found.needed(size), 0),)) for size in SIZES),
        about=f"If differences vary as on these {counted(found.n, 'subtask')}.",
        notes=(TableNote("A repeat of the same subtasks takes away what varies between repeats, and nothing else."),),
    )


def repeats_table(runs: dict[str, Sequence[Scored]]) -> Table | None:
    """pass@k, all-of-k and the spread of scores; None if no run has repeats."""
    lines = [line for name, records in runs.items() for line in _repeat_lines(name, records)]
    if not lines:
        return None
    return Table(
        title="Repeats",
        first="Run",
        headings=(
            Heading("k"),
            Heading("pass@k", "%", "How often at least one of k answers passes"),
            Heading("All of k", "%", "How often all k answers pass"),
            Heading("Subtasks", tip="Those with at least k repeats"),
            Heading("Spread of repeats", "points", "Standard deviation between repeats of a subtask"),
            Heading("Spread of subtasks", "points", "Standard deviation between subtasks, without that of repeats"),
        ),
        lines=tuple(lines),
        about="Estimates without bias, from all repeats of a subtask.",
    )


def p_words(p: float) -> str:
    """A probability in a sentence."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _repeat_lines(name: str, records: Sequence[Scored]) -> list[TableLine]:
    spread = score_spread(records)
    if spread is None:
        return []
    found = [passes for k in _KS if (passes := repeated_passes(records, k)) is not None]
    return [
        TableLine(
            name,
            (
                TableCell(str(passes.k), values=(passes.k,)),
                share_cell(passes.any_of),
                share_cell(passes.all_of),
                TableCell(str(passes.n), values=(passes.n,)),
                _points(spread.repeats, signed=False),
                _points(spread.subtasks, signed=False),
            ),
        )
        for passes in found
    ]


def _line(row: ComparedPart) -> TableLine:
    found = row.found
    p = found.p if row.kind == "overall" else row.p_corrected
    p_passed = found.p_passed if row.kind == "overall" else row.p_passed_corrected
    cells = (
        size_cell(found),
        share_cell(found.first),
        share_cell(found.second),
        difference_cell(found),
        p_cell(p, found.p),
        TableCell(f"{found.only_first} : {found.only_second}", values=(found.only_first, found.only_second)),
        p_cell(p_passed, found.p_passed),
        TableCell(
            percent(found.agreement),
            "" if found.kappa is None else f"κ {found.kappa:.2f}",
            values=(found.agreement, found.kappa),
        ),
        number_cell(found.design_effect, 2),
    )
    return TableLine(row.title, cells, is_sum=row.kind != "task")


def size_cell(found: PairedDifference) -> TableCell:
    """How many subtasks, and below it how many of them are independent, if that is less."""
    detail = "" if found.clusters == found.n else counted(found.clusters, "cluster")
    return TableCell(str(found.n), detail, values=(found.n, found.clusters))


def difference_cell(found: PairedDifference) -> TableCell:
    """A difference in points with its interval."""
    cell = _points(found.difference)
    values = (*cell.values, found.low, found.high)
    if found.low is None or found.high is None:
        return TableCell(cell.text, "too few", "Too few independent subtasks for an interval.", values)
    return TableCell(cell.text, f"{100 * found.low:+.1f} to {100 * found.high:+.1f}", values=values)


def p_cell(corrected: float | None, uncorrected: float | None) -> TableCell:
    """A corrected probability; files have the uncorrected one, too."""
    if corrected is None:
        return TableCell(tip="There is nothing to test.", values=(None, None))
    text = "< 0.001" if corrected < 0.001 else f"{corrected:.3f}"
    return TableCell(text, "" if corrected >= 0.05 else "significant at 5 %", values=(corrected, uncorrected))


def _flip(comparison: RunComparison, pair: ScorePair) -> TableLine:
    attempts = (pair.first_attempt, pair.second_attempt)
    shown = " : ".join("–" if number is None else str(number) for number in attempts)
    winner = comparison.first if pair.first_passed else comparison.second
    cells = (
        TableCell(winner, values=(winner,)),
        share_cell(pair.first),
        share_cell(pair.second),
        TableCell(shown, values=attempts),
    )
    return TableLine(pair.address, cells, attempts=tuple(number for number in attempts if number is not None))


def share_cell(value: float) -> TableCell:
    """A mean score in percent."""
    return TableCell(percent(value), values=(value,))


def _points(value: float, signed: bool = True) -> TableCell:
    shown = steady(100 * value)
    return TableCell(f"{shown:+.1f}" if signed and round(shown, 1) else f"{abs(shown):.1f}", values=(value,))
