"""The judges of steps: one of them counts, all are shown in columns, with how far each two of them agree.

No figure mixes judges. A model is a judge, and so is each person who ticks by hand; only where a judge is compared with
people, whoever ticked last speaks for all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.comparing.kappa import LEAST_GROUPS, KappaOfTwo, kappa_of_two
from spatial_workbench.engine.evaluation.results.charts import natural
from spatial_workbench.engine.evaluation.results.tables import Heading, Table, TableCell, TableLine, TableNote, percent
from spatial_workbench.engine.puzzles.statistics import Agreement, agreement

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.results.puzzles import PuzzleAttempt, PuzzleResults
    from spatial_workbench.engine.puzzles.judging import StepsJudgement

NOBODY = "Nobody has judged steps yet, so there are no stepwise scores: Evaluate › Judge steps of puzzles…"
ABOUT = "Each column is one judge. Below a mean stands how many attempts the judge read, and on how many it failed."
COMMON = (
    "Only attempts that both have judged. r and MAE, of the stepwise scores, take at least 3 of them. Kappa (Cohen's) "
    "says how far two agree about steps beyond chance, from 0 (as by chance) to 1 (always). Its 95 % interval "
    f"comes from drawing puzzles, and takes at least {LEAST_GROUPS} of them."
)
R_TIP = "Pearson's r of the stepwise scores; n/a if one side is constant"
MAE_TIP = "Mean absolute error of the stepwise scores"


# Who judges ----------------------------------------------------------------------------------------------------------


def judges_of(attempts: Sequence[PuzzleAttempt]) -> tuple[str, ...]:
    """The judges of some attempts, the one that judged most of them first; people come last."""
    models = Counter(who for attempt in attempts for who in attempt.by_judge)
    failed = {who for attempt in attempts for who in attempt.failed}
    models.update({who: 0 for who in failed if who not in models})
    people = Counter(who for attempt in attempts for who in attempt.by_hand)
    return (*_most_first(models), *_most_first(people))


def _most_first(counts: Mapping[str, int]) -> list[str]:
    return sorted(counts, key=lambda who: (-counts[who], natural(who)))


def judge_words(results: PuzzleResults) -> str:
    """Whose stepwise scores are shown, and how many attempts that judge has read."""
    if not results.judge:
        return NOBODY
    count = len(results.attempts)
    read = sum(attempt.judgement is not None for attempt in results.attempts)
    failed = sum(results.judge in attempt.failed for attempt in results.attempts)
    others = ", ".join(who for who in results.judges if who != results.judge)
    words = (
        f"Steps are judged by {results.judge} alone, who read {read} of {counted(count, 'attempt')}; {failed} "
        f"could not be judged, {count - read - failed} were not asked about. These are left out of stepwise means, and "
        "never count as 0."
    )
    return f"{words} Others who judged: {others}." if others else words


# One judge beside people ---------------------------------------------------------------------------------------------


def judge_table(results: PuzzleResults) -> Table | None:
    """How many attempts each judge judged, and how far it agrees with people; None if no judge has judged."""
    judges = [who for who in results.judges if not any(who in attempt.by_hand for attempt in results.attempts)]
    if not judges:
        return None
    pairs = judge_pairs(results)
    lines = tuple(_judge_line(who, pairs.get(who, []), results) for who in judges)
    return Table(
        title="Judges of steps",
        first="Judge",
        headings=(
            Heading("Judged", tip="Attempts of which it read all steps, of all attempts", fields=("", "of")),
            Heading(
                "Failed",
                tip="Attempts whose steps it could not judge, for instance because its answer could not be read",
            ),
            Heading("Mean stepwise", "%"),
            Heading("Also by people", "attempts", "Of each, the newest judgement by a person counts"),
            Heading("r", tip=R_TIP),
            Heading("MAE", tip=MAE_TIP),
        ),
        lines=lines,
        notes=(
            TableNote(
                "Published for GPT-4o on 20 puzzles: r = 0.829, MAE = 0.083. Agreement takes at least 3 attempts."
            ),
        ),
    )


def judge_pairs(results: PuzzleResults) -> dict[str, list[tuple[PuzzleAttempt, float, float | None]]]:
    """For each judge the attempts that it judged, with its score and that of a person, if there is one."""
    pairs: dict[str, list[tuple[PuzzleAttempt, float, float | None]]] = {}
    for attempt in results.attempts:
        person = attempt.by_person.score if attempt.by_person else None
        for who, judgement in attempt.by_judge.items():
            pairs.setdefault(who, []).append((attempt, judgement.score, person))
    return {who: pairs[who] for who in sorted(pairs, key=natural)}


def agreement_of(judged: Sequence[tuple[PuzzleAttempt, float, float | None]]) -> tuple[int, Agreement | None]:
    """How many attempts a person has judged too, and the agreement if there are enough of them."""
    both = [(score, person) for _, score, person in judged if person is not None]
    return len(both), agreement([score for score, _ in both], [person for _, person in both])


def _judge_line(
    who: str, judged: Sequence[tuple[PuzzleAttempt, float, float | None]], results: PuzzleResults
) -> TableLine:
    count, agreed = agreement_of(judged)
    failed = sum(who in attempt.failed for attempt in results.attempts)
    mean = sum(score for _, score, _ in judged) / len(judged) if judged else None
    cells = (
        TableCell(f"{len(judged)} of {len(results.attempts)}", values=(len(judged), len(results.attempts))),
        TableCell(str(failed), values=(failed,)),
        _share_cell(mean),
        TableCell(str(count), values=(count,)),
        *_agreement_cells(agreed),
    )
    return TableLine(who, cells)


def _agreement_cells(agreed: Agreement | None) -> tuple[TableCell, ...]:
    r, error = (agreed.r, agreed.mean_absolute_error) if agreed else (None, None)
    return tuple(TableCell("n/a" if value is None else f"{value:.3f}", values=(value,)) for value in (r, error))


def _share_cell(share: float | None) -> TableCell:
    return TableCell("n/a" if share is None else percent(share), values=(share,))


# Several judges ------------------------------------------------------------------------------------------------------


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
        headings=tuple(Heading(who, "%", fields=("mean", "read", "failed", "of")) for who in judges),
        lines=tuple(TableLine(name, tuple(_mean(of, who) for who in judges)) for name, of in runs.items()),
        notes=(TableNote(ABOUT),),
    )


def _mean(attempts: Sequence[PuzzleAttempt], judge: str) -> TableCell:
    scores = [judged.score for attempt in attempts if (judged := attempt.judged_by(judge)) is not None]
    failed = sum(judge in attempt.failed for attempt in attempts)
    mean = sum(scores) / len(scores) if scores else None
    detail = f"{len(scores)} of {len(attempts)}{f' · {failed} failed' if failed else ''}"
    text = "n/a" if mean is None else percent(mean)
    return TableCell(text, detail, values=(mean, len(scores), failed, len(attempts)))


def _agreements(judges: Sequence[str], attempts: Sequence[PuzzleAttempt]) -> Table:
    return Table(
        title="Agreement of judges",
        first="Judges",
        headings=(
            Heading("Both judged", "attempts"),
            Heading("Same verdict", "% of steps", "Steps on which both say the same"),
            Heading(
                "Kappa",
                tip="Cohen's kappa of the verdicts on steps, with a 95 % interval; n/a if one always says the same",
                fields=("", "low", "high"),
            ),
            Heading("Only the first", "% of steps", "Steps that only the judge named first calls met"),
            Heading("Only the second", "% of steps", "Steps that only the judge named second calls met"),
            Heading("r", tip=R_TIP),
            Heading("MAE", tip=MAE_TIP),
        ),
        lines=tuple(_pair(first, second, attempts) for first, second in combinations(judges, 2)),
        notes=(TableNote(COMMON),),
    )


def _pair(first: str, second: str, attempts: Sequence[PuzzleAttempt]) -> TableLine:
    both: list[tuple[str, StepsJudgement, StepsJudgement]] = [
        (attempt.item.address, a, b)
        for attempt in attempts
        if (a := attempt.judged_by(first)) is not None and (b := attempt.judged_by(second)) is not None
    ]
    verdicts = [(address, x, y) for address, a, b in both for x, y in zip(a.met, b.met, strict=True)]
    found = kappa_of_two(verdicts)
    shares = [
        count / len(verdicts) if verdicts else None for count in (found.same, found.only_first, found.only_second)
    ]
    agreed = agreement([a.score for _, a, _ in both], [b.score for _, _, b in both])
    cells = (
        TableCell(str(len(both)), values=(len(both),)),
        _share_cell(shares[0]),
        _kappa_cell(found),
        *map(_share_cell, shares[1:]),
        *_agreement_cells(agreed),
    )
    return TableLine(f"{first} and {second}", cells)


def _kappa_cell(found: KappaOfTwo) -> TableCell:
    values = (found.kappa, found.low, found.high)
    if found.kappa is None:
        return TableCell("n/a", tip="One of the two says the same of all steps.", values=values)
    detail = "" if found.low is None or found.high is None else f"{_signed(found.low)} to {_signed(found.high)}"
    tip = f"95 % interval {detail}" if detail else f"An interval takes at least {LEAST_GROUPS} puzzles."
    return TableCell(_signed(found.kappa), detail, tip, values)


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")
