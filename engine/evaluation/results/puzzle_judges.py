"""Several judges of the same attempts at puzzles: their stepwise scores in columns, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from spatial_workbench.engine.evaluation.results.tables import Heading, Table, TableCell, TableLine, TableNote, percent
from spatial_workbench.engine.puzzles.statistics import agreement

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.results.puzzles import PuzzleAttempt, PuzzleResults
    from spatial_workbench.engine.puzzles.judging import StepsJudgement

ABOUT = "Each column is one judge. The attempts that it read are counted beside the mean."
COMMON = "Only attempts that both have judged. r and MAE, of the stepwise scores, take at least 3 of them."


def comparisons_of_judges(results: PuzzleResults, runs: Mapping[str, Sequence[PuzzleAttempt]]) -> Iterator[Table]:
    """Stepwise scores by judge, and the agreement of each two; nothing if there is only one."""
    judges = results.judges
    if len(judges) > 1:
        yield _scores(judges, runs)
        yield _agreements(judges, results.attempts)


def _scores(judges: Sequence[str], runs: Mapping[str, Sequence[PuzzleAttempt]]) -> Table:
    return Table(
        title="Stepwise scores by judge",
        first="Model or people",
        headings=tuple(Heading(who, "%") for who in judges),
        lines=tuple(TableLine(name, tuple(_mean(of, who) for who in judges)) for name, of in runs.items()),
        notes=(TableNote(ABOUT),),
    )


def _mean(attempts: Sequence[PuzzleAttempt], judge: str) -> TableCell:
    scores = [judged.score for attempt in attempts if (judged := attempt.judged_by(judge)) is not None]
    if not scores:
        return TableCell("n/a", f"0 of {len(attempts)}", values=(None,))
    mean = sum(scores) / len(scores)
    return TableCell(percent(mean), f"{len(scores)} of {len(attempts)}", values=(mean,))


def _agreements(judges: Sequence[str], attempts: Sequence[PuzzleAttempt]) -> Table:
    return Table(
        title="Agreement of judges",
        first="Judges",
        headings=(
            Heading("Both judged", "attempts"),
            Heading("Same verdict", "% of steps", "Steps on which both say the same"),
            Heading("r", tip="Pearson's r of the stepwise scores; n/a if one side is constant"),
            Heading("MAE", tip="Mean absolute error of the stepwise scores"),
        ),
        lines=tuple(_pair(first, second, attempts) for first, second in combinations(judges, 2)),
        notes=(TableNote(COMMON),),
    )


def _pair(first: str, second: str, attempts: Sequence[PuzzleAttempt]) -> TableLine:
    from spatial_workbench.engine.evaluation.results.puzzles import agreement_cells

    both: list[tuple[StepsJudgement, StepsJudgement]] = [
        (a, b)
        for attempt in attempts
        if (a := attempt.judged_by(first)) is not None and (b := attempt.judged_by(second)) is not None
    ]
    same = [x == y for a, b in both for x, y in zip(a.met, b.met, strict=True)]
    share = sum(same) / len(same) if same else None
    agreed = agreement([a.score for a, _ in both], [b.score for _, b in both])
    cells = (
        TableCell(str(len(both)), values=(len(both),)),
        TableCell("n/a" if share is None else percent(share), values=(share,)),
        *agreement_cells(agreed),
    )
    return TableLine(f"{first} and {second}", cells)
