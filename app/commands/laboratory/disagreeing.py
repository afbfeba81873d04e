"""The search for answers that verifiers judge differently."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.commands.laboratory.choosing import chosen_tasks, own_verifier
from spatial_workbench.app.commands.plumbing import (
    NOT_PASSED,
    PASSED,
    AddCommand,
    Refused,
    natural,
    opened,
    output_file,
    positive,
    printing_progress,
    show,
)

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.laboratory.searching.lanes import KeepsSearches, LabPlan, SearchRun
    from spatial_workbench.engine.evaluation.laboratory.searching.task_search import FindingGroup
    from spatial_workbench.engine.store import Project

MOST_MINUTES = 100_000.0
_ANSWER_CHARACTERS = 200


def add_commands(add: AddCommand) -> None:
    """Adds the command to the parser that `add` belongs to."""
    command = add("disagree", _disagree, "Search for answers that two verifiers judge differently.")
    command.add_argument("tasks", metavar="TASKS", help="ids of tasks with commas between them, or “all”")
    command.add_argument("--minutes", type=_minutes, default=5.0, metavar="M", help="for each task; by default 5")
    command.add_argument(
        "--answers", type=positive, metavar="N", help="ask about N answers of each task instead; repeats exactly"
    )
    command.add_argument("--seed", type=natural, default=1, metavar="S")
    command.add_argument(
        "--project",
        metavar="PROJECT",
        help="where the search is stored, and resumed; its attempts are asked about, too",
    )
    command.add_argument(
        "--with",
        dest="with_own",
        action="append",
        default=[],
        metavar="NAME",
        help="also ask a verifier of your own (docs/own_verifiers.md)",
    )
    command.add_argument("--workers", type=positive, default=1, metavar="W", help="processes; by default 1")
    command.add_argument("--cluster", metavar="ADDRESS", help="of a Dask scheduler that searches instead")
    command.add_argument(
        "--allow-programs", action="store_true", help="run programs in answers, in the sandbox (docs/sandbox.md)"
    )
    command.add_argument(
        "--measure", action="store_true", help="say which of the known differences were found, as a table"
    )
    command.add_argument(
        "--processor-time", action="store_true", help="minutes are those of the processor, not of the clock"
    )
    command.add_argument(
        "--until-known", action="store_true", help="leave a task as soon as all its known differences are found"
    )
    command.add_argument("-o", "--output", metavar="FILE", help="where the table of --measure is written")


def _disagree(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.laboratory.searching.lanes import LabPlan

    lanes = max(1, options.workers // len(chosen := chosen_tasks(options.tasks)))
    seconds = None if options.answers else options.minutes * 60
    own = [own_verifier(name) for name in options.with_own]
    if strange := [verifier for verifier in own if verifier.task not in chosen]:
        raise Refused(f"“{strange[0].name}” judges answers to {strange[0].task}, which is not searched.")
    plan = LabPlan(
        chosen,
        seconds,
        options.answers,
        options.seed,
        lanes,
        options.allow_programs,
        own,
        options.processor_time,
        options.until_known,
    )
    with _place(options) as (keeps, project):
        run = _run(options, plan, keeps, project)
        return _show_what_was_found(options, keeps, run)


def _run(options: argparse.Namespace, plan: LabPlan, keeps: KeepsSearches, project: Project | None) -> SearchRun:
    """Searches; after Ctrl-C, what was found until then is shown."""
    from spatial_workbench.engine.evaluation.laboratory.searching.lanes import SearchRun, stored_answers
    from spatial_workbench.engine.executor import ExecutorUnavailable, open_executor

    stored = {} if project is None else {task: stored_answers(project, task) for task in plan.tasks}
    try:
        with open_executor(options.workers, options.cluster) as executor:
            run = SearchRun(plan, executor, keeps, stored, printing_progress())
            try:
                run.run()
            except KeyboardInterrupt:
                _show_what_was_found(options, keeps, run)
                raise
    except ExecutorUnavailable as error:
        raise Refused(str(error)) from None
    return run


@contextmanager
def _place(options: argparse.Namespace) -> Iterator[tuple[KeepsSearches, Project | None]]:
    """Where the search is stored: in a project, which is made if there is none; else nowhere."""
    from spatial_workbench.engine.evaluation.laboratory.searching.lanes import SearchMemory

    if options.project is None:
        yield SearchMemory(), None
        return
    with opened(Path(options.project), create=True) as project:
        yield project.searches, project


# What is shown -------------------------------------------------------------------------------------------------------


def _show_what_was_found(options: argparse.Namespace, keeps: KeepsSearches, run: SearchRun) -> int:
    if options.measure:
        return _show_measure(options, keeps, run.plan.tasks)
    return _show(options, keeps, run)


def _show(options: argparse.Namespace, keeps: KeepsSearches, run: SearchRun) -> int:
    from spatial_workbench.engine.evaluation.laboratory.searching.lanes import groups_in

    found = {task: groups_in(keeps, task) for task in run.plan.tasks}
    lines = [*_lines(found), *run.notes]
    data = {task: [_data(group) for group in groups] for task, groups in found.items()}
    show(options, {"tasks": data, "notes": run.notes}, lines)
    return NOT_PASSED if any(group.is_question for groups in found.values() for group in groups) else PASSED


def _lines(found: dict[str, list[FindingGroup]]) -> Iterator[str]:
    from spatial_workbench.engine.core.words import counted

    for task, groups in found.items():
        questions = sum(group.is_question for group in groups)
        yield f"{task}: {counted(len(groups), 'group')} of differences, {counted(questions, 'question')}"
        for group in groups:
            yield from _lines_of(group)


def _lines_of(group: FindingGroup) -> Iterator[str]:
    from spatial_workbench.engine.evaluation.laboratory.searching.asking import words_of

    finding, way = group.smallest, group.smallest.divergence
    what = "question" if group.is_question else f"known: {', '.join(group.known)}" if group.known else "difference"
    pair = way.first if way.first == way.second else f"{way.first} and {way.second}"
    yield f"  {what} · {pair} at “{way.by_check}” ({way.direction}) × {group.count}"
    yield f"    {way.first}: {words_of(finding.first)}; {way.second}: {words_of(finding.second)}"
    answer = finding.answer
    short = answer if len(answer) <= _ANSWER_CHARACTERS else f"{answer[:_ANSWER_CHARACTERS]}…"
    yield f"    {finding.address} ({finding.source}): {short}"


def _data(group: FindingGroup) -> dict[str, Any]:
    from spatial_workbench.engine.evaluation.laboratory.searching.task_search import group_as_data

    return {**group_as_data(group), "question": group.is_question}


def _show_measure(options: argparse.Namespace, keeps: KeepsSearches, chosen: Sequence[str]) -> int:
    from spatial_workbench.engine.core.files import write_whole
    from spatial_workbench.engine.evaluation.laboratory.measuring import SearchedTask, as_table, found_differences
    from spatial_workbench.engine.evaluation.laboratory.searching.lanes import groups_in

    groups = {task: groups_in(keeps, task) for task in chosen}
    found = [row for task in chosen for row in found_differences(task, groups[task])]
    searched = {
        task: SearchedTask(keeps.asked(task), keeps.seconds(task), sum(not group.known for group in groups[task]))
        for task in chosen
    }
    table = as_table(found, searched)
    if options.output:
        with output_file(options) as path:
            write_whole(path, table.encode())
    return show(options, {"found": [vars(row) for row in found]}, table)


def _minutes(text: str) -> float:
    try:
        minutes = float(text)
    except ValueError:
        minutes = -1.0
    if not 0 < minutes <= MOST_MINUTES:
        raise argparse.ArgumentTypeError(f"{text[:20]} is no number of minutes")
    return minutes
