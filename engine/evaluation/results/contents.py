"""The contents of the Results page and of the report, as sections of tables and charts. Free of Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.agents import HANDS
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.collect import cube_runs, plans, scored
from spatial_workbench.engine.evaluation.columns import ScoredColumns
from spatial_workbench.engine.evaluation.comparing.front_charts import front_charts, front_words
from spatial_workbench.engine.evaluation.comparing.judges import score_judges, with_one_judge
from spatial_workbench.engine.evaluation.comparing.leaderboard import leaderboard
from spatial_workbench.engine.evaluation.comparing.leaderboard_tables import leaderboard_tables
from spatial_workbench.engine.evaluation.comparing.runs import runs_in, told_apart
from spatial_workbench.engine.evaluation.results.chart_making import (
    depth_chart,
    failure_chart,
    reading_chart,
    subtask_chart,
    sweep_chart,
)
from spatial_workbench.engine.evaluation.results.charts import Chart
from spatial_workbench.engine.evaluation.results.cube import cube_tables
from spatial_workbench.engine.evaluation.results.failures import failure_table, reading_table
from spatial_workbench.engine.evaluation.results.grid_table import grid_table
from spatial_workbench.engine.evaluation.results.hands_table import hands_table
from spatial_workbench.engine.evaluation.results.machines import (
    best_of_charts,
    machine_results,
    machine_tables,
    node_expansions,
)
from spatial_workbench.engine.evaluation.results.puzzle_judges import judge_words
from spatial_workbench.engine.evaluation.results.puzzles import puzzle_charts, puzzle_results, puzzle_tables
from spatial_workbench.engine.evaluation.results.score_tables import generated_scores, published_scores
from spatial_workbench.engine.evaluation.results.settings_table import settings_table
from spatial_workbench.engine.evaluation.results.sweep_table import sweep_table
from spatial_workbench.engine.evaluation.results.tables import Table, TableNote
from spatial_workbench.engine.evaluation.results.verifiers_table import verifiers_tables
from spatial_workbench.engine.evaluation.scbench import published
from spatial_workbench.engine.evaluation.sweep import has_line, published_points, sweep_points
from spatial_workbench.engine.store import Actor
from spatial_workbench.engine.store.facts import is_own
from spatial_workbench.engine.store.step_judges import judge_titles

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

NOTHING = (
    "There are no attempts to count; those made with solving aids are left out unless you include them. Ask models "
    "with Evaluate › New batch, solve a subtask and submit it (F9), or look around with File › Open the example "
    "project. Until then, only the published results are shown."
)
_NO_RUNS = (
    "There are no runs yet. Ask models with Evaluate › New batch, import answers, or solve a subtask and submit it "
    "(F9); each model and each person is a row here."
)
_ONE_RUN = "There is only one run, so nothing is ranked yet. Ask another model with Evaluate › New batch."
_NO_AMOUNTS = (
    "Once there are answers whose cost, tokens or time are known, each run is a point here: its score against what an "
    "answer takes. Prices are part of a model's settings."
)
_NO_CUBE = (
    "No agent's run on the cube is stored yet. File › Open the example project has one to replay; Evaluate › New batch "
    "lets a model play."
)
NOTHING_HERE = "There are no attempts at published instances yet, so only the published results are shown."


@dataclass(frozen=True)
class ResultsChoice:
    """Which results to show.

    Attributes:
        batches: Only these; None: all, and attempts outside of batches.
        people: Whether people's attempts count.
        published: Whether published results are shown beside ours.
        verifier: Whose scores count where it judged: "default" or "published". Of "own:NAME" (the newest version) or
            "own:NAME@VERSION", nothing counts but its own verdicts, and no override.
        helped: Whether attempts with solving aids count, as separate runs.
        overrides: Whether people's overrides of scores count.
        errors_are_zero: Whether errors count as a score of 0, as in SCBench's own figures.
        step_judge: Whose judgements of the steps of puzzles count, by the judge's key (`Results.step_judges`); empty:
            of the judge that judged the most attempts.
    """

    batches: tuple[int, ...] | None = None
    people: bool = True
    published: bool = True
    verifier: str = "default"
    helped: bool = False
    overrides: bool = True
    errors_are_zero: bool = False
    step_judge: str = ""

    @property
    def counts_overrides(self) -> bool:
        """Whether people's overrides count; those of our verifiers' scores are none of somebody else's verifier."""
        return self.overrides and not is_own(self.verifier)


EVERYTHING = ResultsChoice()
FIRST_SECTION = "scores"


@dataclass(frozen=True)
class ReportSection:
    """A section of the Results page, or of a report.

    Attributes:
        id: A short name.
        charts: Drawn above the tables.
        one_chart: Whether the charts are alternatives, of which the page shows one at a time.
        lacking: What to do to see results of one's own here; empty if there are some.
        words: Paragraphs above the tables.
        is_read: Whether it has been read; if not, nothing is known of it but its title.
    """

    id: str
    title: str
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    one_chart: bool = False
    lacking: str = ""
    words: tuple[str, ...] = ()
    is_read: bool = True


@dataclass(frozen=True)
class Results:
    """The results of a project that a `ResultsChoice` selects.

    Attributes:
        runs: The names of the runs, in order.
        attempts: How many there are.
        batches: Numbers and names of all batches of the project, the newest first.
        remarks: What could not be read, and what the choice leaves out.
        verifiers: Names and versions of the verifiers with stored verdicts, and how many attempts each has judged.
        step_judges: The judges of the steps of puzzles, each with its key and what it is called; the one that read the
            most attempts comes first.
    """

    choice: ResultsChoice
    sections: tuple[ReportSection, ...]
    runs: tuple[str, ...]
    attempts: int
    batches: tuple[tuple[int, str], ...]
    remarks: tuple[str, ...] = ()
    verifiers: tuple[tuple[str, str, int], ...] = ()
    step_judges: tuple[tuple[str, str], ...] = ()

    def with_sections_of(self, newer: Results) -> Results:
        """The newer results of the same choice, with what only these have read."""
        known = {section.id: section for section in self.sections}
        sections = (part if part.is_read else known.get(part.id, part) for part in newer.sections)
        remarks = tuple(dict.fromkeys((*newer.remarks, *self.remarks)))
        return replace(newer, sections=tuple(sections), remarks=remarks)

    @property
    def is_empty(self) -> bool:
        """Whether there is no attempt among them."""
        return self.attempts == 0


@dataclass(frozen=True)
class ChosenRecords:
    """The records of a project that a choice selects.

    Attributes:
        helped: How many attempts were made with solving aids, whether they are among the records or not.
        unjudged: How many attempts are left out because the verifier of somebody else's has not judged them.
    """

    records: ScoredColumns
    helped: int
    unjudged: int = 0


def read(
    project: Project,
    choice: ResultsChoice = EVERYTHING,
    progress: Progress = silent,
    only: str | None = None,
    chosen: ChosenRecords | None = None,
) -> Results:
    """Reads the results of a project.

    Args:
        only: The id of the one section that is wanted now; the others that take time are not read. None: all.
        chosen: The records that the choice selects, if they have been read before.

    Raises:
        Cancelled: Raised by `progress`.
    """
    progress(0, 1, "Reading attempts")
    chosen = chosen or choose(project, choice)
    records = chosen.records
    unread: list[int] = []
    parts = _parts(project, records, choice, unread)
    sections: list[ReportSection] = []
    for k, (titles, make) in enumerate(parts):
        progress(k + 1, len(parts) + 1, "Averaging")
        if only is None or only in titles or not titles:
            sections += make()
        else:
            sections += [ReportSection(name, title, is_read=False) for name, title in titles.items()]
    remarks = tuple(f"The run of attempt {number} cannot be read and is left out." for number in unread)
    remarks += _choice_remarks(choice, chosen, int(records.truths("is_overridden").sum()))
    return Results(
        choice=choice,
        sections=tuple(sections),
        runs=tuple(runs_in(records)),
        attempts=int(np.isfinite(records.figures("attempt")).sum()),
        batches=tuple((row.number, row.name) for row in project.batches.all()),
        remarks=remarks,
        verifiers=tuple(project.runs.verifiers()),
        step_judges=tuple((j.key, title) for j, title in judge_titles(project.puzzles.step_judges()).items()),
    )


def _parts(
    project: Project, records: ScoredColumns, choice: ResultsChoice, unread: list[int]
) -> tuple[tuple[dict[str, str], Callable[[], tuple[ReportSection, ...]]], ...]:
    """What makes the sections, with their ids and titles if they are there and take time.

    unread: Receives the numbers of the attempts whose run on the cube cannot be read.
    """
    plain = told_apart(records.at(~has_line(records)))
    generated = {"generated": "Generated instances"} if np.isnan(plain.figures("number")).any() else {}
    has_sweep = len(plain) < len(records)
    by_verifiers = {"verifiers": "Verifiers"} if project.runs.own_verifiers() else {}
    return (
        ({FIRST_SECTION: "Scores"}, lambda: (_scores(plain, choice, has_sweep),)),
        (
            {"leaderboard": "Leaderboard", "fronts": "Cost and score"},
            lambda: leaderboard_sections(project, records, choice),
        ),
        ({"subtasks": "Subtasks"}, lambda: (_subtasks(told_apart(records)),)),
        ({"failures": "How attempts failed"}, lambda: (_failures(records, choice),)),
        ({"sweep": "Budget sweep"}, lambda: (_sweep(records, choice),)),
        ({"cube": "Cube"}, lambda: (_cube(project, records, choice, unread),)),
        ({"machines": "Machines"}, lambda: (_machines(project, records, choice),)),
        ({"puzzles": "Puzzles"}, lambda: (_puzzles(project, records, choice),)),
        (generated, lambda: _generated(plain)),
        ({}, lambda: _grids(project, choice.batches, records)),
        ({}, lambda: _hands(project, records, choice)),
        (by_verifiers, lambda: _by_verifiers(project, choice)),
        ({}, lambda: _settings(project, choice.batches)),
    )


def choose(project: Project, choice: ResultsChoice = EVERYTHING) -> ChosenRecords:
    """The records that a choice selects, and how many in all were made with solving aids."""
    records = scored(project, choice.batches, choice.verifier, choice.counts_overrides)
    unjudged = 0
    if is_own(choice.verifier):
        records, unjudged = _judged_only(records)
    if not choice.people:
        records = records.at(~records.text("actor").is_any(Actor.PERSON))
    if choice.errors_are_zero:
        records = records.with_columns(error_is_zero=np.ones(len(records), dtype=bool))
    helped = records.truths("is_helped")
    return ChosenRecords(records if choice.helped else records.at(~helped), int(helped.sum()), unjudged)


def _judged_only(records: ScoredColumns) -> tuple[ScoredColumns, int]:
    """The attempts with a score, the items without an attempt of the same tasks, and how many attempts are left out."""
    is_attempt = np.isfinite(records.figures("attempt"))
    is_judged = is_attempt & np.isfinite(records.figures("score"))
    tasks = records.text("task")
    of_task = tasks.is_any(*tasks.at(is_judged).present())
    return records.at(is_judged | (~is_attempt & of_task)), int((is_attempt & ~is_judged).sum())


def chosen_records(project: Project, choice: ResultsChoice = EVERYTHING) -> ScoredColumns:
    """The records that a choice selects."""
    return choose(project, choice).records


def leaderboard_sections(
    project: Project, records: ScoredColumns, choice: ResultsChoice = EVERYTHING
) -> tuple[ReportSection, ReportSection]:
    """All runs with scores, ranks and what they took, and their scores against that."""
    chosen, remarks = with_one_judge(records, score_judges(project, choice.verifier))
    runs = runs_in(chosen)
    found = leaderboard(runs)
    charts = front_charts(found)
    return (
        ReportSection(
            "leaderboard",
            "Leaderboard",
            leaderboard_tables(runs, found, remarks) if runs else (),
            lacking="" if len(runs) > 1 else _ONE_RUN if runs else _NO_RUNS,
        ),
        ReportSection(
            "fronts",
            "Cost and score",
            charts=charts,
            lacking="" if charts else _NO_AMOUNTS,
            words=front_words(found) if charts else (),
        ),
    )


def _cube(project: Project, records: ScoredColumns, choice: ResultsChoice, unread: list[int]) -> ReportSection:
    runs, broken = cube_runs(project, choice.batches)
    unread += broken
    people = records.at(records.text("study").holds(bool) & np.isfinite(records.figures("depth")))
    charts = (depth_chart(runs),) if runs else ()
    return ReportSection(
        "cube", "Cube", cube_tables(runs, choice.published, people), charts, lacking="" if runs else _NO_CUBE
    )


def _choice_remarks(choice: ResultsChoice, chosen: ChosenRecords, overridden: int) -> tuple[str, ...]:
    """What the choice leaves out, in sentences."""
    remarks = []
    helped = chosen.helped
    if chosen.unjudged:
        verb = "is" if chosen.unjudged == 1 else "are"
        remarks.append(f"{counted(chosen.unjudged, 'attempt')} that {choice.verifier} has not judged {verb} left out.")
    if helped and not choice.helped:
        verb = "was made with solving aids and is" if helped == 1 else "were made with solving aids and are"
        remarks.append(f"{counted(helped, 'attempt')} {verb} left out.")
    if overridden and not choice.counts_overrides:
        remarks.append(f"{counted(overridden, 'override does', 'overrides do')} not count.")
    if choice.errors_are_zero:
        remarks.append("Errors count 0.")
    return tuple(remarks)


def _scores(records: ScoredColumns, choice: ResultsChoice, has_sweep: bool) -> ReportSection:
    table = published_scores(records, choice.published, choice.verifier)
    if has_sweep:
        table = replace(
            table, notes=(*table.notes, TableNote("Runs under an output limit are shown under Budget sweep."))
        )
    own = bool(np.isfinite(records.figures("number")).any())
    todo = NOTHING_HERE if records or has_sweep else NOTHING
    return ReportSection("scores", "Scores", (table,), lacking="" if own else todo)


def _subtasks(records: ScoredColumns) -> ReportSection:
    by_task = records.at(np.isfinite(records.figures("number"))).split("task")
    published_order = {task.id: i for i, task in enumerate(published().tasks)}
    order = sorted(by_task, key=lambda task: (published_order.get(task, len(published_order)), task))
    charts = tuple(subtask_chart(by_task[task], task, _title(task)) for task in order)
    todo = "Once there are attempts at published instances, each run is a strip here, with a cell for each subtask."
    return ReportSection("subtasks", "Subtasks", charts=charts, one_chart=True, lacking="" if charts else todo)


def _failures(records: ScoredColumns, choice: ResultsChoice) -> ReportSection:
    models = records.at(records.text("actor").is_any(Actor.MODEL))
    charts = (failure_chart(models, choice.published), reading_chart(models))
    own = bool(models.text("failure_mode").holds(bool).any())
    todo = "None of your failed attempts is labelled yet. In Evaluate › Batches, a model can label those of a batch."
    table = failure_table(models, choice.published)
    return ReportSection(
        "failures",
        "How attempts failed",
        (table, reading_table(models)),
        tuple(chart for chart in charts if not chart.is_empty),
        lacking="" if own else todo,
    )


def _sweep(records: ScoredColumns, choice: ResultsChoice) -> ReportSection:
    points = sweep_points(records.at(records.text("actor").is_any(Actor.MODEL)))
    shown = (*points, *(published_points() if choice.published else ()))
    chart = sweep_chart(points, choice.published)
    todo = "No sweep of yours yet. Give a batch of the axiomatic bucket several budgets, and its line appears here."
    return ReportSection(
        "sweep",
        "Budget sweep",
        (sweep_table(shown),),
        () if chart.is_empty else (chart,),
        lacking="" if points else todo,
    )


def _machines(project: Project, records: ScoredColumns, choice: ResultsChoice) -> ReportSection:
    results = machine_results(project, records)
    tables = machine_tables(results, node_expansions(project) if results else {}, choice.published)
    todo = (
        "No machine is stored yet. Open a level of Machines, build or load a machine and submit it (F9), or let a "
        "model design machines with Evaluate › New batch. Several repeats make best-of-N curves."
    )
    return ReportSection("machines", "Machines", tables, best_of_charts(results), True, lacking="" if results else todo)


def _puzzles(project: Project, records: ScoredColumns, choice: ResultsChoice) -> ReportSection:
    results = puzzle_results(project, records, choice.step_judge)
    todo = (
        "No attempt at a puzzle is stored yet. Solve one, or ask a model with Evaluate › New batch; then let a model "
        "judge the steps of the attempts in the runs browser."
    )
    tables = puzzle_tables(results, choice.published)
    return ReportSection(
        "puzzles",
        "Puzzles",
        tables,
        puzzle_charts(results),
        True,
        lacking="" if results.attempts else todo,
        words=(judge_words(results),) if results.attempts else (),
    )


def _generated(records: ScoredColumns) -> tuple[ReportSection, ...]:
    table = generated_scores(records)
    return (ReportSection("generated", "Generated instances", (table,)),) if table else ()


def _grids(project: Project, batches: Sequence[int] | None, records: ScoredColumns) -> tuple[ReportSection, ...]:
    there = [row.number for row in reversed(project.batches.all()) if batches is None or row.number in batches]
    table = grid_table(plans(project, there).values(), records)
    return (ReportSection("grids", "Grids", (table,)),) if table else ()


def _hands(project: Project, records: ScoredColumns, choice: ResultsChoice) -> tuple[ReportSection, ...]:
    if not (records.text("agent").is_any(HANDS) | records.text("study").holds(bool)).any():
        return ()
    chosen, remarks = with_one_judge(records, score_judges(project, choice.verifier))
    table = hands_table(project, chosen)
    if table is None:
        return ()
    table = replace(table, notes=(*table.notes, *map(TableNote, remarks)))
    return (ReportSection("hands", "Text and hands", (table,)),)


def _by_verifiers(project: Project, choice: ResultsChoice) -> tuple[ReportSection, ...]:
    if not project.runs.own_verifiers():
        return ()
    # Whose scores count elsewhere changes nothing here, where each verifier has a column.
    tables = verifiers_tables(project, chosen_records(project, replace(choice, verifier="default")))
    return (ReportSection("verifiers", "Verifiers", tables),) if tables else ()


def _settings(project: Project, batches: Sequence[int] | None) -> tuple[ReportSection, ...]:
    table = settings_table(project, batches)
    return (ReportSection("settings", "Settings", (table,)),) if table.lines else ()


def _title(task_id: str) -> str:
    from spatial_workbench.engine.core import task

    try:
        return task(task_id).title
    except KeyError:
        return task_id
