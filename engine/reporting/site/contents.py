"""What a site says, as plain data. Pages and JSON files are made from this alone, never from the project.

Every field is listed here on purpose: what a project holds besides is not published.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from spatial_workbench.engine.core import AnswerError, Progress, Task, Verdict, silent
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.agents import HANDS
from spatial_workbench.engine.core.instance import address_order
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.columns import ScoredColumns
from spatial_workbench.engine.evaluation.comparing.comparison import NothingToCompare, compared
from spatial_workbench.engine.evaluation.comparing.front_charts import front_charts
from spatial_workbench.engine.evaluation.comparing.leaderboard import Leaderboard, leaderboard
from spatial_workbench.engine.evaluation.comparing.leaderboard_tables import leaderboard_tables
from spatial_workbench.engine.evaluation.comparing.runs import kind_of_run, runs_in, told_apart
from spatial_workbench.engine.evaluation.comparing.tables import comparison_tables
from spatial_workbench.engine.evaluation.edit_histories import NoEditHistory, history_of_hands, history_of_person
from spatial_workbench.engine.evaluation.results.charts import Chart
from spatial_workbench.engine.evaluation.results.score_tables import generated_scores, published_scores
from spatial_workbench.engine.evaluation.results.tables import Table
from spatial_workbench.engine.evaluation.sweep import has_line
from spatial_workbench.engine.reporting.site.audience import Clean, ShownRecords, cleaner, shown_records
from spatial_workbench.engine.reporting.site.built_scene import history_text
from spatial_workbench.engine.reporting.site.choice import SiteChoice
from spatial_workbench.engine.reporting.site.kept_tables import KeptTables
from spatial_workbench.engine.reporting.site.studies import SiteStudy, site_studies
from spatial_workbench.engine.store import Actor, RunRow

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

MOST_COMPARED = 6
"""So many runs, the best of the leaderboard, are compared with each other."""
_REASONING = "reasoning"
_MOST_CHARS = 100_000
"""Longer answers are not shown as text."""
_UNREAD = "The answer could not be read."
_RIGHT = "The answer is right, and only one is: it is not shown, so that it stays a question."
_LONG = "The answer is too long to be shown as text."
_NOT_HERE = "The task is not installed where the site was made."
_BAD_IN_NAMES = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class SiteCheck:
    """A check of an attempt: "passed", "failed" or "not reached", what it says, and the elements that it names."""

    name: str
    state: str
    message: str
    elements: tuple[str, ...]


@dataclass(frozen=True)
class SiteAttempt:
    """An attempt on a site.

    Attributes:
        run: The slug of its run.
        day: When it was made; empty for people.
        seconds, output_tokens, cost_usd: What it took; None: not known.
        verifier: Who judged it, with the version; empty: nobody.
        figures: What was measured: name, value and unit.
        answer: As text; empty if it is not shown.
        withheld: Why it is not shown; empty if it is.
        verdict: What the drawing may show of the verdict; None: nothing, because it would tell the right answer.
        history: How it was built, as `history_text` writes it; empty: not known, or not shown.
        parameters: Those of a generated instance, as they were stored, from which it is drawn; never shown.
    """

    number: int
    task: str
    address: str
    run: str
    repeat: int
    score: float | None
    passed: bool | None
    is_overridden: bool
    day: str
    seconds: float | None
    output_tokens: int | None
    cost_usd: float | None
    measured: float | None
    how_read: str
    cut_off: str
    verifier: str
    checks: tuple[SiteCheck, ...]
    figures: tuple[tuple[str, str | float, str], ...]
    answer: str
    withheld: str
    verdict: Verdict | None = None
    history: str = ""
    parameters: str = ""


@dataclass(frozen=True)
class SiteRun:
    """A run: the attempts of a model, a person, or the people of a study.

    Attributes:
        kind: "model", "person", "people", "agent hands" and so on.
        asked: How a model was asked: names with values.
        attempts: The numbers of its attempts on the site.
    """

    slug: str
    title: str
    kind: str
    asked: tuple[tuple[str, str], ...]
    attempts: tuple[int, ...]


@dataclass(frozen=True)
class SiteTask:
    """A task with attempts on the site.

    Attributes:
        bucket: Its title.
        rules: Markdown; empty if there are none.
    """

    id: str
    title: str
    bucket: str
    summary: str
    rules: str
    attempts: tuple[int, ...]


@dataclass(frozen=True)
class SiteComparison:
    """Two runs, compared in pairs."""

    slug: str
    first: str
    second: str
    tables: tuple[Table, ...]


@dataclass(frozen=True)
class SiteContents:
    """All that a site says.

    Attributes:
        scores: Scores by task, bucket and overall.
        left_out: What is not published, in sentences.
        has_seeds: Whether some addresses hold a seed, from which an instance can be made again.
    """

    choice: SiteChoice
    board: Leaderboard
    leaderboard: tuple[Table, ...]
    charts: tuple[Chart, ...]
    scores: tuple[Table, ...]
    runs: tuple[SiteRun, ...]
    tasks: tuple[SiteTask, ...]
    attempts: Mapping[int, SiteAttempt]
    comparisons: tuple[SiteComparison, ...]
    studies: tuple[SiteStudy, ...]
    left_out: tuple[str, ...]
    has_seeds: bool


def site_contents(
    project: Project, choice: SiteChoice, progress: Progress = silent, kept: Path | None = None
) -> SiteContents:
    """Reads what a choice publishes.

    kept: The folder in which comparisons are kept; None: they are not.

    Raises:
        CannotPublish: Something that was chosen cannot be published.
        Cancelled: Raised by `progress`.
    """
    progress(0, 4, "Reading studies")
    studies = site_studies(project, choice.studies)
    progress(1, 4, "Reading attempts")
    clean = cleaner(project)
    shown = shown_records(project, choice, [study.outcomes for study in studies], clean)
    by_title = runs_in(shown.one_judge)
    board = leaderboard(by_title)
    slugs = _slugs(by_title)
    attempts = dict(_attempts(project, by_title, slugs, clean, progress, choice.pictures and choice.motion))
    progress(3, 4, "Comparing")
    return SiteContents(
        choice,
        board,
        leaderboard_tables(by_title, board, shown.remarks) if by_title else (),
        front_charts(board) if by_title else (),
        tuple(_scores(shown)),
        tuple(_run(title, items, slugs[title], attempts, project) for title, items in by_title.items()),
        tuple(_tasks(attempts)),
        attempts,
        tuple(_comparisons(board, by_title, slugs, KeptTables(kept), progress)),
        studies,
        (*shown.left_out, *_withheld(attempts)),
        any("@" in attempt.address for attempt in attempts.values()),
    )


def _slugs(titles: Iterable[str]) -> dict[str, str]:
    """The name of each run in addresses of pages: letters, digits and dashes only."""
    slugs: dict[str, str] = {}
    for title in titles:
        plain = _BAD_IN_NAMES.sub("-", title.casefold())[:60].strip("-") or "run"
        taken = set(slugs.values())
        slugs[title] = next(
            slug for slug in (plain, *(f"{plain}-{k}" for k in range(2, len(taken) + 3))) if slug not in taken
        )
    return slugs


def _scores(shown: ShownRecords) -> Iterator[Table]:
    # Runs under an output limit stand in no table of scores.
    plain = told_apart(shown.everything.at(~has_line(shown.everything)))
    if np.isfinite(plain.figures("number")).any():
        yield published_scores(plain, with_published=False)
    if (generated := generated_scores(plain)) is not None:
        yield generated


# Attempts --------------------------------------------------------------------------------------------------------


def _attempts(
    project: Project,
    runs: Mapping[str, ScoredColumns],
    slugs: Mapping[str, str],
    clean: Clean,
    progress: Progress,
    with_histories: bool,
) -> Iterator[tuple[int, SiteAttempt]]:
    """The attempts of all runs by number; those of studies stay sealed among the data of their study."""
    run_of = {
        int(number): title
        for title, items in runs.items()
        for number in items.at(items.text("study").is_any("")).figures("attempt")
        if np.isfinite(number)
    }
    numbers = sorted(run_of)
    answers = project.attempts.answers(numbers)
    verdicts = project.attempts.newest_verdicts(numbers, "default")
    parameters = project.attempts.generated_parameters(numbers)
    for k, row in enumerate(project.runs.rows(numbers)):
        if k % 50 == 0:
            progress(1 + k / len(numbers), 4, "Reading attempts")
        verdict = verdicts.get(row.number)
        found = _attempt(row, slugs[run_of[row.number]], answers[row.number], verdict, clean)
        if with_histories and not found.withheld:
            found = replace(found, history=clean(_history(project, row)))
        yield row.number, replace(found, parameters=parameters.get(row.number, ""))


def _history(project: Project, row: RunRow) -> str:
    """How an answer was built by a person or a model with hands; empty: not known, or not to be shown.

    Where all right answers are alike, a wrong answer may have been the right one on the way.
    """
    known = _known_task(row.task)
    if known is None or known.has_one_answer or known.answer_format != "json":
        return ""
    try:
        if row.actor is Actor.PERSON and row.edit_count:
            return history_text(history_of_person(row.address, row.number, project.attempts.edits(row.number)))
        transcript = project.attempts.transcript(row.number) if row.transcript == HANDS else None
        if transcript is not None:
            return history_text(history_of_hands(row.address, row.number, transcript.record, row.submitted_at))
    except NoEditHistory:
        pass
    return ""


def _attempt(row: RunRow, run: str, answer: str, verdict: Verdict | None, clean: Clean) -> SiteAttempt:
    known = _known_task(row.task)
    # What is missing from an answer tells a part of the key.
    told = verdict.while_building() if verdict is not None else None
    is_key = known is not None and known.has_one_answer
    is_reticent = is_key or known is None or hides_figures(known.id)
    text = "" if known is None or row.is_unread else _bare_answer(known, answer)
    withheld = _why_withheld(row, text, is_key, known)
    by_model = row.actor is Actor.MODEL
    return SiteAttempt(
        number=row.number,
        task=row.task,
        address=row.address,
        run=run,
        repeat=row.repeat or 0,
        score=row.score,
        passed=row.passed,
        is_overridden=row.is_overridden,
        day=f"{row.submitted_at:%Y-%m-%d}" if by_model else "",
        seconds=row.seconds,
        output_tokens=row.output_tokens,
        cost_usd=row.cost_usd,
        measured=row.measured,
        how_read=str(row.how_read or ""),
        cut_off=row.cut_off or "",
        verifier=f"{told.verifier} {told.version}" if told is not None else "",
        checks=tuple(_checks(told, is_reticent, clean)) if told is not None else (),
        figures=tuple(_figures(told, clean)) if told is not None and not is_reticent else (),
        answer="" if withheld else clean(text),
        withheld=withheld,
        verdict=None if is_reticent or told is not verdict else verdict,
    )


def _why_withheld(row: RunRow, answer: str, is_key: bool, known: Task[Any] | None) -> str:
    if known is None:
        return _NOT_HERE
    if not answer:
        return _UNREAD
    if is_key and row.passed is not False:
        return _RIGHT
    return _LONG if len(answer) > _MOST_CHARS else ""


def _bare_answer(known: Task[Any], text: str) -> str:
    """An answer without reasoning and without what does not belong to it; empty if it cannot be read."""
    try:
        data = json.loads(text) if known.answer_format == "json" else None
    except ValueError:
        data = None
    if not isinstance(data, dict):
        # Something stands around it; reading takes longer.
        try:
            return known.format(known.parse(text))
        except AnswerError:
            return ""
    fields = {field.alias or name for name, field in known.answer_type.model_fields.items()} - {_REASONING}
    return json.dumps({name: value for name, value in data.items() if name in fields}, ensure_ascii=False)


@cache
def hides_figures(task: str) -> bool:
    """Whether a task hides figures or words from solvers, which sentences and figures of verdicts may tell.

    Hidden lists, such as a stored solution, are in no verdict.
    """
    known = task_of(task)
    instances = known.instances()
    if not known.hidden or not instances:
        return bool(known.hidden)
    hidden = [value for name, value in instances[0].parameters.items() if name in known.hidden]
    return any(isinstance(value, int | float | str) for value in hidden)


def _checks(verdict: Verdict, is_reticent: bool, clean: Clean) -> Iterator[SiteCheck]:
    """The checks; if a task is reticent, only how they ended."""
    for check in verdict.checks:
        message, elements = ("", ()) if is_reticent else (clean(check.message), check.elements)
        yield SiteCheck(check.name, check.state.value, message, elements)


def _figures(verdict: Verdict, clean: Clean) -> Iterator[tuple[str, str | float, str]]:
    for figure in verdict.figures:
        if not figure.is_of_key:
            value = clean(figure.value) if isinstance(figure.value, str) else figure.value
            yield figure.name, value, figure.unit


def _withheld(attempts: Mapping[int, SiteAttempt]) -> Iterator[str]:
    count = sum(attempt.withheld == _RIGHT for attempt in attempts.values())
    if count:
        yield (
            f"{counted(count, 'answer that is', 'answers that are')} right at tasks with one right answer, and what "
            "verdicts say of these tasks and of those that hide figures from solvers."
        )


def _known_task(task: str) -> Task[Any] | None:
    try:
        return task_of(task)
    except KeyError:
        return None


# Runs and tasks --------------------------------------------------------------------------------------------------


def _run(title: str, items: ScoredColumns, slug: str, attempts: Mapping[int, SiteAttempt], project: Project) -> SiteRun:
    own = sorted((a for a in attempts.values() if a.run == slug), key=lambda a: (address_order(a.address), a.repeat))
    numbers = tuple(attempt.number for attempt in own)
    return SiteRun(slug, title, kind_of_run(items), tuple(_how_asked(project.runs.rows(numbers))), numbers)


def _how_asked(rows: Sequence[RunRow]) -> Iterator[tuple[str, str]]:
    """How a run was asked; several values mean that its questions were not all asked alike."""
    of_models = [row for row in rows if row.actor is Actor.MODEL]
    named = {
        "Tools": {"yes" if row.tools else "no" for row in of_models},
        "Reasoning effort": {str(row.effort) for row in of_models if row.effort},
        "Temperature": {f"{row.temperature:g}" for row in of_models if row.temperature is not None},
        "Top-p": {f"{row.top_p:g}" for row in of_models if row.top_p is not None},
        "Output limit": {f"{row.budget:,} tokens" for row in of_models if row.budget},
        "Prompt": {"the task's own words" if row.variant is None else "a variant" for row in of_models},
        "Asked as": {"agent with hands" if row.transcript == HANDS else "agent" for row in of_models if row.transcript},
    }
    return ((name, ", ".join(sorted(values))) for name, values in named.items() if values)


def _tasks(attempts: Mapping[int, SiteAttempt]) -> Iterator[SiteTask]:
    by_task: dict[str, list[SiteAttempt]] = {}
    for attempt in attempts.values():
        by_task.setdefault(attempt.task, []).append(attempt)
    for name, group in sorted(by_task.items()):
        known = _known_task(name)
        group.sort(key=lambda attempt: (address_order(attempt.address), attempt.run, attempt.repeat))
        numbers = tuple(attempt.number for attempt in group)
        if known is None:
            yield SiteTask(name, name, "", "", "", numbers)
        else:
            yield SiteTask(name, known.title, known.bucket.label, known.summary, known.rules(), numbers)


def _comparisons(
    board: Leaderboard,
    runs: Mapping[str, ScoredColumns],
    slugs: Mapping[str, str],
    kept: KeptTables,
    progress: Progress,
) -> Iterator[SiteComparison]:
    """The best runs with each other, the better one first."""
    ranked = [row.title for row in board.rows if row.place is not None][:MOST_COMPARED]
    for first, second in combinations(ranked, 2):
        progress(3, 4, "Comparing")
        both = [runs[first], runs[second]]
        try:
            tables = kept.of(f"{first}\0{second}", both, partial(_compared, first, second, both))
        except NothingToCompare:
            continue
        yield SiteComparison(f"{slugs[first]}--{slugs[second]}", first, second, tables)


def _compared(first: str, second: str, records: Sequence[ScoredColumns]) -> tuple[Table, ...]:
    return comparison_tables(compared(first, second, *records), *records)
