"""The results of puzzles: accuracy and stepwise scores with their breakdowns, judges, and the published table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core import Instance, InstanceError, resolve
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.evaluation.results.charts import (
    Axis,
    Chart,
    ChartKey,
    ChartMark,
    ChartTarget,
    Kind,
    Series,
    natural,
)
from spatial_workbench.engine.evaluation.results.colors import model_roles
from spatial_workbench.engine.evaluation.results.puzzle_failures import failure_table
from spatial_workbench.engine.evaluation.results.puzzle_judges import comparisons_of_judges
from spatial_workbench.engine.evaluation.results.tables import (
    Heading,
    Table,
    TableCell,
    TableLine,
    TableNote,
    percent,
    span,
)
from spatial_workbench.engine.evaluation.scored import Ending, Scored
from spatial_workbench.engine.evaluation.scores import grouped
from spatial_workbench.engine.puzzles.answers import solved, solved_as_published
from spatial_workbench.engine.puzzles.judging import StepsJudgement, stored_judgement
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.engine.puzzles.statistics import (
    Agreement,
    Interval,
    PuzzleResult,
    agreement,
    breakdown,
    histogram,
)
from spatial_workbench.engine.puzzles.statistics import PuzzleCell as Group
from spatial_workbench.engine.store import Actor, JudgementSource, StepJudgement
from spatial_workbench.engine.tasks.puzzle_hunt.source import source_of

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

TASK = "puzzle_hunt"
BINS = 10
PUBLISHED_NAMES = {"overall": "All", "text": "Text", "visual": "Visual", "structured": "Structured"}
_FIELDS = ("mean", "low", "high", "n")
_TITLES = {"modality": "modality", "skill": "skill", "difficulty": "difficulty", "steps": "number of steps"}
MEANING = (
    "The stepwise score is the position of the last annotated step that was met, divided by the number of steps. A "
    "right answer therefore scores 1 whatever was written before it, and steps that were not met before the last one "
    "that was do not count against a solver. “Met” is the share of all steps that were met."
)
BY_ANSWER = (
    "“Stepwise” is the judge's verdict on all steps, the last one included, as published. In “By answer” the last "
    "step is met if the final answer is the solution; the judge decides it only where no answer was given."
)
EARLIER = (
    "Judged by an earlier version, which left the last step to the final answer: {count}. Judge again to complete them."
)
BY_PEOPLE = "people"
"""The judge's name where people tick."""
PEOPLE = "Of each person, the newest attempt at a puzzle counts; n is the number of people."


@dataclass(frozen=True)
class PuzzleAttempt:
    """An attempt at a puzzle, or a question that ended without one.

    Attributes:
        run: The model's name, or a name for all people.
        judgement: The newest judgement of the chosen judge; None: it has not judged the attempt.
        by_judge: The newest judgement of each judge, by its name.
        by_person: The newest judgement by a person.
        failed: The judges that tried, and whose last try gave no judgement.
    """

    item: Scored
    run: str
    result: PuzzleResult
    judgement: StepsJudgement | None
    by_judge: Mapping[str, StepsJudgement]
    by_person: StepsJudgement | None
    failed: frozenset[str] = frozenset()

    def judged_by(self, judge: str) -> StepsJudgement | None:
        """The newest judgement of a judge, or of people."""
        return self.by_person if judge == BY_PEOPLE else self.by_judge.get(judge)


@dataclass(frozen=True)
class PuzzleResults:
    """Attempts at puzzles, and how many were left out because their puzzles are gone.

    `judge` is the one whose stepwise scores count; no figure mixes judges. Empty: nobody has judged.
    """

    attempts: tuple[PuzzleAttempt, ...]
    gone: int = 0
    judge: str = ""

    @property
    def judges(self) -> tuple[str, ...]:
        """All judges, the one that judged most attempts first; people come last."""
        return judges_of(self.attempts)


def puzzle_results(project: Project, records: Sequence[Scored], judge: str = "") -> PuzzleResults:
    """The attempts at puzzles among some records; questions that were not asked, or have no answer, are left out.

    judge: Whose stepwise scores count; without one, the one that judged the most attempts, and people if there is none.
    """
    items = [item for item in records if item.task == TASK and (item.state is Ending.DONE or item.error_is_zero)]
    items = _newest_of_people(items)
    puzzles = _puzzles(items)
    texts = project.attempts.answers([item.attempt for item in items if item.attempt is not None])
    judged = grouped(project.puzzles.step_judgements(), lambda judgement: judgement.attempt) if items else {}
    people = len({item.model for item in items if item.actor == Actor.PERSON and not item.study})
    attempts = tuple(
        _attempt(
            item, *puzzles[item.address], texts.get(item.attempt or 0, ""), judged.get(item.attempt or 0, []), people
        )
        for item in items
        if item.address in puzzles
    )
    chosen = judge or next(iter(judges_of(attempts)), "")
    return PuzzleResults(tuple(_counted(a, chosen) for a in attempts), len(items) - len(attempts), chosen)


def judges_of(attempts: Sequence[PuzzleAttempt]) -> tuple[str, ...]:
    """The judges of some attempts, the one that judged most of them first; people come last."""
    counts = Counter(who for attempt in attempts for who in attempt.by_judge)
    counts.update({who: 0 for attempt in attempts for who in attempt.failed if who not in counts})
    judges = sorted(counts, key=lambda who: (-counts[who], natural(who)))
    return (*judges, *([BY_PEOPLE] if any(attempt.by_person for attempt in attempts) else []))


def _counted(attempt: PuzzleAttempt, judge: str) -> PuzzleAttempt:
    """An attempt with the stepwise score of a judge."""
    judgement = attempt.judged_by(judge)
    if judgement is None:
        return attempt
    result = replace(
        attempt.result,
        stepwise=judgement.score,
        stepwise_by_answer=judgement.score_by_rule,
        met=judgement.share,
    )
    return replace(attempt, judgement=judgement, result=result)


def _newest_of_people(items: Sequence[Scored]) -> list[Scored]:
    alone = {id(item) for item in items if item.actor == Actor.PERSON and not item.study}
    newest = {(item.model, item.address): item for item in items if id(item) in alone}
    return [item for item in items if id(item) not in alone or newest[item.model, item.address] is item]


def _puzzles(items: Sequence[Scored]) -> dict[str, tuple[Puzzle, str]]:
    """The puzzles by address, each with its version; those that are gone are left out."""
    puzzles = {}
    for address in dict.fromkeys(item.address for item in items):
        try:
            instance: Instance = resolve(address)[1]
            puzzles[address] = source_of(instance).puzzle, str(instance.parameters["version"])
        except InstanceError:
            continue
    return puzzles


def _attempt(
    item: Scored, puzzle: Puzzle, version: str, text: str, judgements: Sequence[StepJudgement], people: int
) -> PuzzleAttempt:
    of_version = [(j, read) for j in judgements if j.version == version and (read := _read(j, puzzle)) is not None]
    by_judge = {j.who: read for j, read in of_version if j.source is JudgementSource.JUDGE}
    by_person = next((read for j, read in reversed(of_version) if j.source is JudgementSource.PERSON), None)
    tried = {j.who for j in judgements if j.source is JudgementSource.JUDGE and j.steps == "[]"}
    is_solved = solved(text, puzzle.solution) if item.passed is None else bool(item.passed)
    result = PuzzleResult(puzzle, is_solved, solved_as_published(text, puzzle.solution))
    run = f"human ({people})" if item.actor == Actor.PERSON and not item.study else item.model
    return PuzzleAttempt(item, run, result, None, by_judge, by_person, frozenset(tried - set(by_judge)))


def _read(stored: StepJudgement, puzzle: Puzzle) -> StepsJudgement | None:
    judgement = stored_judgement(stored.steps)
    return judgement if judgement and len(judgement.steps) == len(puzzle.reasoning) else None


# Tables --------------------------------------------------------------------------------------------------------------


def puzzle_tables(results: PuzzleResults, with_published: bool = True) -> tuple[Table, ...]:
    """Accuracy and stepwise scores by model, their breakdowns, the judges, then the published table."""
    runs = _by_run(results)
    own = (overall_table(runs, results), *map(_Breakdown(runs).table, _TITLES)) if runs else ()
    others = filter(None, (failure_table(runs), judge_table(results), *comparisons_of_judges(results, runs)))
    return (*own, *others, *([published_table()] if with_published else []))


def overall_table(runs: Mapping[str, Sequence[PuzzleAttempt]], results: PuzzleResults) -> Table:
    """A line for each model, and one for all people."""
    earlier = sum(a.judgement is not None and not a.judgement.is_complete for a in results.attempts)
    notes = [TableNote(_judge_note(results)), TableNote(MEANING), TableNote(BY_ANSWER)]
    notes += [TableNote(EARLIER.format(count=earlier))] if earlier else []
    notes += [TableNote(PEOPLE)] if any(_is_human(of) for of in runs.values()) else []
    notes += (
        [TableNote(f"Left out, because their puzzles are not there any more: {results.gone}.")] if results.gone else []
    )
    return Table(
        title="Accuracy and stepwise scores",
        first="Model or people",
        headings=_HEADINGS,
        lines=tuple(TableLine(name, _cells(_breakdown(of)["overall"][0])) for name, of in runs.items()),
        notes=tuple(notes),
        about="Means with bootstrap intervals of 95 % (1,000 draws).",
    )


def _judge_note(results: PuzzleResults) -> str:
    if not results.judge:
        return "Nobody has judged steps yet."
    read = sum(attempt.judgement is not None for attempt in results.attempts)
    failed = sum(results.judge in attempt.failed for attempt in results.attempts)
    count = len(results.attempts)
    return (
        f"Steps are judged by {results.judge} alone, who read {read} of {count}; {failed} could not be judged, "
        f"{count - read - failed} were not asked about. These are left out of the means, and never count as 0."
    )


_SHARES = (
    Heading(
        "Accuracy",
        "%",
        "Final answers that are the solution, case and accents aside: the stored verdicts that count",
        _FIELDS,
    ),
    Heading("As published", "%", "The solution occurs anywhere in the text, case kept: how it was counted", _FIELDS),
    Heading("Stepwise", "%", "The last step that was met, over the number of steps, by the judge alone", _FIELDS),
    Heading("By answer", "%", "Stepwise, but the last step is met if the final answer is the solution", _FIELDS),
    Heading("Met", "%", "Share of the steps that were met", _FIELDS),
)
_HEADINGS = (
    Heading("Attempts"),
    *_SHARES,
    Heading("Judged", tip="Attempts whose steps the judge has judged; the others are left out of stepwise and met"),
)


class _Breakdown:
    """Tables by modality, skill, difficulty or number of steps."""

    def __init__(self, runs: Mapping[str, Sequence[PuzzleAttempt]]) -> None:
        self._by_run = {name: _breakdown(of) for name, of in runs.items()}

    def table(self, kind: str) -> Table:
        lines = [
            TableLine(name, (TableCell(group.group, values=(group.group,)), *_cells(group)))
            for name, groups in self._by_run.items()
            for group in groups[kind]
            if group.count
        ]
        tags = "A puzzle with several tags counts in each of them." if kind in ("modality", "skill") else ""
        return Table(
            title=f"Puzzles by {_TITLES[kind]}",
            first="Model or people",
            headings=(Heading(_TITLES[kind].capitalize(), is_text=True), *_HEADINGS),
            lines=tuple(lines),
            about=tags,
        )


def _breakdown(attempts: Sequence[PuzzleAttempt]) -> dict[str, list[Group]]:
    return breakdown([attempt.result for attempt in attempts])


def _cells(group: Group) -> tuple[TableCell, ...]:
    intervals = (group.accuracy, group.published_accuracy, group.stepwise, group.stepwise_by_answer, group.met)
    return (
        TableCell(str(group.count), values=(group.count,)),
        *map(_interval_cell, intervals),
        TableCell(f"{group.judged} of {group.count}", values=(group.judged,)),
    )


def _interval_cell(interval: Interval | None) -> TableCell:
    if interval is None:
        return TableCell(tip="There is nothing to average.", values=(None,) * len(_FIELDS))
    ends = interval.low, interval.high
    tip = f"Mean of {interval.count}; 95 % interval {span(ends)} %"
    return TableCell(
        percent(interval.mean), f"n {interval.count} · {span(ends)}", tip, (interval.mean, *ends, interval.count)
    )


def judge_table(results: PuzzleResults) -> Table | None:
    """How many attempts each judge judged, and how far it agrees with people; None if no judge has judged."""
    judges = [who for who in results.judges if who != BY_PEOPLE]
    if not judges:
        return None
    pairs = judge_pairs(results)
    lines = tuple(_judge_line(who, pairs.get(who, []), results) for who in judges)
    return Table(
        title="Judges of steps",
        first="Judge",
        headings=(
            Heading("Judged", tip="Attempts of which it read all steps, of all attempts"),
            Heading(
                "Failed",
                tip="Attempts whose steps it could not judge, for instance because its answer could not be read",
            ),
            Heading("Mean stepwise", "%"),
            Heading("Also by people", "attempts"),
            Heading("r", tip="Pearson's r of the stepwise scores of judge and people; n/a if one side is constant"),
            Heading("MAE", tip="Mean absolute error of the stepwise scores"),
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
        TableCell(f"{len(judged)} of {len(results.attempts)}", values=(len(judged),)),
        TableCell(str(failed), values=(failed,)),
        TableCell("n/a" if mean is None else percent(mean), values=(mean,)),
        TableCell(str(count), values=(count,)),
        *agreement_cells(agreed),
    )
    return TableLine(who, cells)


def agreement_cells(agreed: Agreement | None) -> tuple[TableCell, ...]:
    """Pearson's r and the mean absolute error."""
    r, error = (agreed.r, agreed.mean_absolute_error) if agreed else (None, None)
    return tuple(TableCell("n/a" if value is None else f"{value:.3f}", values=(value,)) for value in (r, error))


def published() -> dict[str, Any]:
    """The published figures, as JSON data."""
    text = resource("puzzles", "published_results.json").read_text("utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


def published_table() -> Table:
    """The published accuracies and stepwise scores."""
    data = published()
    columns = data["models_table2"]["columns"]
    headings = [
        Heading(f"{PUBLISHED_NAMES[column]}, {measure}", "%", is_published=True)
        for column in columns
        for measure in ("accuracy", "stepwise")
    ]
    errors = data["error_analysis"]
    return Table(
        title=f"Published for {data['dataset']['puzzles']} puzzles",
        first="Model",
        headings=tuple(headings),
        lines=tuple(_published_line(row, columns) for row in data["models_table2"]["rows"]),
        notes=(
            TableNote("Accuracy was counted as in “As published”; the judge was GPT-4o."),
            TableNote(
                f"Of the failing steps in {errors['puzzles']} failed puzzles of {errors['model']}, "
                f"{errors['spatial_or_sketching_percent']} % were spatial or sketching steps."
            ),
        ),
        about="PuzzleWorld paper, table 2. Other puzzles than those above, so the figures stand beside them.",
    )


def _published_line(row: Mapping[str, Any], columns: Sequence[str]) -> TableLine:
    values = [row[column][measure] for column in columns for measure in ("accuracy", "stepwise")]
    return TableLine(row["model"], tuple(TableCell(f"{v:.2f}", values=(v,)) for v in values), is_published=True)


# Charts --------------------------------------------------------------------------------------------------------------


def puzzle_charts(results: PuzzleResults) -> tuple[Chart, ...]:
    """A histogram of stepwise scores for each model, and a scatter plot for each judge that people checked."""
    runs = _by_run(results)
    roles = model_roles(runs)
    histograms = (_histogram(name, of, roles[name]) for name, of in runs.items())
    scatters = (_scatter(who, judged) for who, judged in judge_pairs(results).items())
    return tuple(chart for chart in (*histograms, *scatters) if not chart.is_empty)


def _histogram(name: str, attempts: Sequence[PuzzleAttempt], role: str) -> Chart:
    scores = [attempt.result.stepwise for attempt in attempts if attempt.result.stepwise is not None]
    counts = histogram(scores, BINS)
    most = max([*counts, 1])
    rows = [(_bin(k), count) for k, count in enumerate(counts)]
    marks = (
        ChartMark(count / 2, k, width=count, height=0.7, text=str(count) if count else "", tip=f"{label}: {count}.")
        for k, (label, count) in enumerate(rows)
    )
    unjudged = len(attempts) - len(scores)
    return Chart(
        title=f"Stepwise scores: {name}",
        about=f"Judged attempts by stepwise score, n = {len(scores)}"
        + (f"; {unjudged} more not judged." if unjudged else "."),
        kind=Kind.BARS,
        x=Axis("Attempts", 0.0, float(most), ticks=_count_ticks(most)),
        y=Axis(
            "Score", -0.5, BINS - 0.5, ticks=tuple((k, label) for k, (label, _) in enumerate(rows)), is_category=True
        ),
        series=(Series(name, role, tuple(marks)),) if scores else (),
        keys=(ChartKey(name, role),),
        header=("score", "attempts"),
        rows=tuple(rows),
    )


def _bin(k: int) -> str:
    return f"{k / BINS:.1f}–{(k + 1) / BINS:.1f}"


def _count_ticks(most: int) -> tuple[tuple[float, str], ...]:
    step = next(size for size in (1, 2, 5, 10, 20, 50, 100, 200, 500, most) if most / size <= 8)
    return tuple((n, str(n)) for n in range(0, most + 1, step))


def _scatter(who: str, judged: Sequence[tuple[PuzzleAttempt, float, float | None]]) -> Chart:
    points = [(attempt, score, person) for attempt, score, person in judged if person is not None]
    count, agreed = agreement_of(judged)
    words = f"n = {count}; r and MAE take at least 3 attempts."
    if agreed:
        r = "n/a" if agreed.r is None else f"{agreed.r:.3f}"
        words = f"n = {count}, r = {r}, MAE = {agreed.mean_absolute_error:.3f}."
    ticks = tuple((k / 4, f"{k / 4:g}") for k in range(5))
    return Chart(
        title=f"Agreement with people: {who}",
        about=f"Stepwise scores of the same attempts. {words}",
        kind=Kind.LINES,
        x=Axis("By people", -0.03, 1.03, ticks=ticks),
        y=Axis(f"By {who}", -0.03, 1.03, ticks=ticks),
        # Each point is a series of its own: the points of one series are joined by a line.
        series=tuple(Series(who, "series 0", (_point(*point),)) for point in points),
        keys=(ChartKey("an attempt", "series 0"),),
        header=("attempt", "address", "by people", "by judge"),
        rows=tuple((attempt.item.attempt, attempt.item.address, person, score) for attempt, score, person in points),
    )


def _point(attempt: PuzzleAttempt, score: float, person: float) -> ChartMark:
    tip = f"{attempt.item.model} at {attempt.result.puzzle.title}: {person:.2f} by people, {score:.2f} by the judge."
    return ChartMark(person, score, tip=tip, target=ChartTarget(attempt=attempt.item.attempt))


def _by_run(results: PuzzleResults) -> dict[str, list[PuzzleAttempt]]:
    """Attempts by model in natural order; people come last."""
    runs = grouped(results.attempts, lambda attempt: attempt.run)
    return {name: runs[name] for name in sorted(runs, key=lambda name: (_is_human(runs[name]), natural(name)))}


def _is_human(attempts: Sequence[PuzzleAttempt]) -> bool:
    return attempts[0].item.actor == Actor.PERSON
