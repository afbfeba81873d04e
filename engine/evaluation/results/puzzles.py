"""The results of puzzles: accuracy and stepwise scores with their breakdowns, judges, and the published table."""

from __future__ import annotations

import json
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
from spatial_workbench.engine.evaluation.results.puzzle_judges import (
    agreement_of,
    comparisons_of_judges,
    judge_pairs,
    judge_table,
    judges_of,
)
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
    Interval,
    PuzzleResult,
    breakdown,
    histogram,
)
from spatial_workbench.engine.puzzles.statistics import PuzzleCell as Group
from spatial_workbench.engine.store import Actor, JudgementSource, StepJudgement
from spatial_workbench.engine.store.step_judges import judge_titles
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
PEOPLE = "Of each person, the newest attempt at a puzzle counts; n is the number of people."


@dataclass(frozen=True)
class PuzzleAttempt:
    """An attempt at a puzzle, or a question that ended without one.

    Attributes:
        run: The model's name, or a name for all people.
        judgement: The newest judgement of the chosen judge; None: it has not judged the attempt.
        by_judge: The newest judgement of each model that judges, by its title, which no two judges share.
        by_hand: The newest judgement of each person who ticked by hand, in the order of time.
        failed: The judges that tried, and whose last try gave no judgement.
    """

    item: Scored
    run: str
    result: PuzzleResult
    judgement: StepsJudgement | None
    by_judge: dict[str, StepsJudgement]
    by_hand: dict[str, StepsJudgement]
    failed: frozenset[str] = frozenset()

    @property
    def by_person(self) -> StepsJudgement | None:
        """The newest judgement by a person, whoever it was."""
        return next(reversed(self.by_hand.values()), None)

    def judged_by(self, judge: str) -> StepsJudgement | None:
        """The newest judgement of a judge."""
        return self.by_judge.get(judge) or self.by_hand.get(judge)


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

    judge: Whose stepwise scores count, by the judge's key or title; without one, the model that judged the most
        attempts, or the person if no model has judged.
    """
    items = [item for item in records if item.task == TASK and (item.state is Ending.DONE or item.error_is_zero)]
    items = _newest_of_people(items)
    puzzles = _puzzles(items)
    texts = project.attempts.answers([item.attempt for item in items if item.attempt is not None])
    judged = grouped(project.puzzles.step_judgements(), lambda judgement: judgement.attempt) if items else {}
    titles = judge_titles(project.puzzles.step_judges()) if judged else {}
    people = len({item.model for item in items if item.actor == Actor.PERSON and not item.study})
    attempts = tuple(
        _attempt(
            item,
            *puzzles[item.address],
            texts.get(item.attempt or 0, ""),
            [(titles[judgement.judge], judgement) for judgement in judged.get(item.attempt or 0, [])],
            people,
        )
        for item in items
        if item.address in puzzles
    )
    by_key = {known.key: title for known, title in titles.items()}
    chosen = by_key.get(judge, judge) or next(iter(judges_of(attempts)), "")
    return PuzzleResults(tuple(_counted(a, chosen) for a in attempts), len(items) - len(attempts), chosen)


def _counted(attempt: PuzzleAttempt, judge: str) -> PuzzleAttempt:
    """An attempt with the stepwise score of a judge."""
    judgement = attempt.judged_by(judge)
    if judgement is None:
        return replace(attempt, result=replace(attempt.result, judge_failed=judge in attempt.failed))
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
    item: Scored, puzzle: Puzzle, version: str, text: str, judgements: Sequence[tuple[str, StepJudgement]], people: int
) -> PuzzleAttempt:
    of_version = [
        (who, j, read) for who, j in judgements if j.version == version and (read := _read(j, puzzle)) is not None
    ]
    by_judge = {who: read for who, j, read in of_version if j.source is JudgementSource.JUDGE}
    newest = {who: (j, read) for who, j, read in of_version if j.source is JudgementSource.PERSON}
    by_hand = {who: read for who, (_, read) in sorted(newest.items(), key=lambda known: known[1][0].at)}
    tried = {who for who, j in judgements if j.source is JudgementSource.JUDGE and j.steps == "[]"}
    is_solved = solved(text, puzzle.solution) if item.passed is None else bool(item.passed)
    result = PuzzleResult(puzzle, is_solved, solved_as_published(text, puzzle.solution))
    run = f"human ({people})" if item.actor == Actor.PERSON and not item.study else item.model
    return PuzzleAttempt(item, run, result, None, by_judge, by_hand, frozenset(tried - set(by_judge)))


def _read(stored: StepJudgement, puzzle: Puzzle) -> StepsJudgement | None:
    judgement = stored_judgement(stored.steps)
    return judgement if judgement and len(judgement.steps) == len(puzzle.reasoning) else None


# Tables --------------------------------------------------------------------------------------------------------------


def puzzle_tables(results: PuzzleResults, with_published: bool = True) -> tuple[Table, ...]:
    """Accuracy and stepwise scores by model, their breakdowns, the judges, then the published table."""
    runs = _by_run(results)
    own = (overall_table(runs, results), *map(_Breakdown(runs, results).table, _TITLES)) if runs else ()
    others = filter(None, (failure_table(runs), judge_table(results), *comparisons_of_judges(results, runs)))
    return (*own, *others, *([published_table()] if with_published else []))


def overall_table(runs: Mapping[str, Sequence[PuzzleAttempt]], results: PuzzleResults) -> Table:
    """A line for each model, and one for all people."""
    earlier = sum(a.judgement is not None and not a.judgement.is_complete for a in results.attempts)
    notes = [TableNote(MEANING), TableNote(BY_ANSWER)]
    notes += [TableNote(EARLIER.format(count=earlier))] if earlier else []
    notes += [TableNote(PEOPLE)] if any(_is_human(of) for of in runs.values()) else []
    notes += (
        [TableNote(f"Left out, because their puzzles are not there any more: {results.gone}.")] if results.gone else []
    )
    return Table(
        title="Accuracy and stepwise scores",
        first="Model or people",
        headings=_HEADINGS,
        lines=tuple(TableLine(name, _cells(_breakdown(of)["overall"][0], results.judge)) for name, of in runs.items()),
        notes=tuple(notes),
        about=f"{_by(results)}Means with bootstrap intervals of 95 % (1,000 draws).",
    )


def _by(results: PuzzleResults) -> str:
    """Who judged the steps, in a sentence that goes with each table."""
    return f"Steps judged by {results.judge} alone. " if results.judge else ""


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
    Heading(
        "Judged",
        tip="Attempts whose steps the judge has judged; the others are left out of stepwise and met",
        fields=("", "failed", "by"),
    ),
)


class _Breakdown:
    """Tables by modality, skill, difficulty or number of steps."""

    def __init__(self, runs: Mapping[str, Sequence[PuzzleAttempt]], results: PuzzleResults) -> None:
        self._by = _by(results)
        self._judge = results.judge
        self._by_run = {name: _breakdown(of) for name, of in runs.items()}

    def table(self, kind: str) -> Table:
        lines = [
            TableLine(name, (TableCell(group.group, values=(group.group,)), *_cells(group, self._judge)))
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
            about=f"{self._by}{tags}".strip(),
        )


def _breakdown(attempts: Sequence[PuzzleAttempt]) -> dict[str, list[Group]]:
    return breakdown([attempt.result for attempt in attempts])


def _cells(group: Group, judge: str) -> tuple[TableCell, ...]:
    intervals = (group.accuracy, group.published_accuracy, group.stepwise, group.stepwise_by_answer, group.met)
    return (
        TableCell(str(group.count), values=(group.count,)),
        *map(_interval_cell, intervals),
        TableCell(
            f"{group.judged} of {group.count}",
            f"{group.failed} failed" if group.failed else "",
            values=(group.judged, group.failed, judge),
        ),
    )


def _interval_cell(interval: Interval | None) -> TableCell:
    if interval is None:
        return TableCell(tip="There is nothing to average.", values=(None,) * len(_FIELDS))
    ends = interval.low, interval.high
    tip = f"Mean of {interval.count}; 95 % interval {span(ends)} %"
    return TableCell(
        percent(interval.mean), f"n {interval.count} · {span(ends)}", tip, (interval.mean, *ends, interval.count)
    )


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
    histograms = (_histogram(name, of, roles[name], results.judge) for name, of in runs.items())
    scatters = (_scatter(who, judged) for who, judged in judge_pairs(results).items())
    return tuple(chart for chart in (*histograms, *scatters) if not chart.is_empty)


def _histogram(name: str, attempts: Sequence[PuzzleAttempt], role: str, judge: str) -> Chart:
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
        about=f"Attempts judged by {judge}, by stepwise score, n = {len(scores)}"
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
