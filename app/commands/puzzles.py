"""Commands about sets of puzzles: check, import, export, statistics, review, flags and judged steps."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.commands.plumbing import (
    NOT_PASSED,
    PASSED,
    Actions,
    AddCommand,
    Refused,
    add_action,
    opened,
    output_file,
    output_folder,
    plain,
    print_message,
    printing_progress,
    show,
)
from spatial_workbench.app.commands.reviewing import ReviewPlaces, add_review_actions

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.planning.plan import Contender
    from spatial_workbench.engine.puzzles.annotation.review import ReviewStatistics
    from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet
    from spatial_workbench.engine.puzzles.sets.import_plan import ImportOrder
    from spatial_workbench.engine.puzzles.statistics import SetStatistics

_LAYOUT = "how rows hold texts and pictures: for LLaMA-Factory, for TRL (files or Parquet), or with data URLs"
_SET = "name of a set that was added, or its folder"


def add_commands(add: AddCommand) -> None:
    """Adds the commands to the parser that `add` belongs to."""
    command = add("puzzles", lambda options: 0, "Check, import, export, review and judge sets of puzzles.")
    commands = command.add_subparsers(required=True, metavar="ACTION")
    _add_set_commands(commands)
    _add_review_commands(commands)
    _add_model_commands(commands)


def _add_set_commands(commands: Actions) -> None:
    check = add_action(commands, "check", _check, "List errors and warnings of the puzzles of a set.")
    check.add_argument("set", metavar="SET", help=_SET)
    about = "Import puzzles into a set, from folders, zip files, PDFs and pictures."
    bring = add_action(commands, "import", _import, about)
    bring.add_argument("sources", metavar="SOURCE", nargs="+")
    bring.add_argument("set", metavar="SET", help=f"{_SET}; a folder that does not exist is created")
    bring.add_argument("--name", default="", help="the name under which the set is added")
    choices = ("skip", "replace", "keep")
    bring.add_argument(
        "--duplicates", default="keep", choices=choices, help="puzzles that are there already; keep gives a number"
    )
    bring.add_argument(
        "--pages", default="", metavar="RANGE", help="of each PDF and TIFF file with several pages, as in 3-7"
    )
    bring.add_argument("--plan", action="store_true", help="only show what would be imported")
    export = add_action(commands, "export", _export, "Write the verified puzzles of a set for fine-tuning.")
    export.add_argument("set", metavar="SET", help=_SET)
    export.add_argument("-o", "--output", required=True, metavar="DIR")
    export.add_argument("--all", action="store_true", help="all puzzles without errors, verified or not")
    export.add_argument("--seed", type=int, default=45, help="of the split into training and test")
    export.add_argument(
        "--layout", default="llama-factory", choices=("llama-factory", "chat", "parquet", "data-urls"), help=_LAYOUT
    )
    export.add_argument("--side", type=int, default=1024, metavar="PIXELS", help="longer side of pictures at most")
    export.add_argument("--figures", action="store_true", help="name the figures of steps in the texts")
    _project(export)
    stats = add_action(commands, "stats", _stats, "Show statistics of a set and of its review.")
    stats.add_argument("set", metavar="SET", help=_SET)
    _project(stats)


def _add_review_commands(commands: Actions) -> None:
    review = commands.add_parser("review", help="Review puzzles, and carry reviews between machines.")
    actions = review.add_subparsers(required=True, metavar="ACTION")
    export = add_action(
        actions, "export", _review_export, "Write the log of a set's reviews, or of all sets, to a file."
    )
    export.add_argument("set", metavar="SET", nargs="?", help=_SET)
    export.add_argument("-o", "--output", required=True, metavar="FILE")
    merge = add_action(
        actions, "merge", _review_merge, "Add the logs of other machines, in any order, any number of times."
    )
    merge.add_argument("files", metavar="FILE", nargs="+")
    merge.add_argument("--set", metavar="SET", help="the set that they are about, if it has another name here")
    send = add_action(actions, "send", _review_send, "Send the drafts of a set that have no errors to review.")
    send.add_argument("set", metavar="SET", help=_SET)
    send.add_argument("--author", required=True, metavar="NAME", help="who annotated them, and cannot review them")
    apply = add_action(actions, "apply", _review_apply, "Write the results of reviews to the folders of a set.")
    apply.add_argument("set", metavar="SET", help=_SET)
    single = add_review_actions(actions, ReviewPlaces(_project_path, _set, _log_name), _SET)
    for command in (export, merge, send, apply, *single):
        _project(command)


def _add_model_commands(commands: Actions) -> None:
    flag = add_action(
        commands, "flag", _flag, "Ask a model to flag doubtful steps of the puzzles that were sent to review."
    )
    flag.add_argument("set", metavar="SET", help=_SET)
    flag.add_argument("--model", required=True, metavar="NAME")
    _project(flag)
    judge = add_action(commands, "judge", _judge, "Ask a model which annotated steps attempts at puzzles met.")
    judge.add_argument("project", metavar="PROJECT")
    judge.add_argument("--model", required=True, metavar="NAME")
    judge.add_argument("--batch", type=int)
    judge.add_argument("--together", action="store_true", help="one question for all steps of an attempt")
    judge.add_argument("--again", action="store_true", help="also attempts that this judge has judged")
    judges = add_action(commands, "judges", _judges, "List the judges of steps, with their endpoints and settings.")
    judges.add_argument("project", metavar="PROJECT")


def _project(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--project", metavar="PROJECT", help="where reviews are kept; the scratch project if none is given"
    )


# Sets ----------------------------------------------------------------------------------------------------------------


def _check(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.core.words import counted
    from spatial_workbench.engine.evaluation.puzzles.reviews import check
    from spatial_workbench.engine.puzzles.sets.folders import SetError

    rows: list[dict[str, Any]] = []
    puzzles = _set(options.set)
    names = puzzles.names()
    for name in names:
        try:
            found = check(puzzles.folder(name))
        except SetError as error:
            rows.append(_row(name, "P_JSON", "error", "", str(error).removeprefix(f"{name}: ")))
            continue
        rows += [_row(name, finding.code, finding.level.value, finding.place, finding.message) for finding in found]
    errors = sum(row["level"] == "error" for row in rows)
    lines = [f"{row['puzzle']}: {row['code']} {row['level']}: {row['message']}" for row in rows]
    lines.append(
        f"{counted(len(names), 'puzzle')}: {counted(errors, 'error')}, {counted(len(rows) - errors, 'warning')}."
    )
    data = {"puzzles": len(names), "errors": errors, "warnings": len(rows) - errors, "findings": rows}
    show(options, data, lines)
    return NOT_PASSED if errors else PASSED


def _row(puzzle: str, code: str, level: str, place: str, message: str) -> dict[str, Any]:
    return {"puzzle": puzzle, "code": code, "level": level, "place": place, "message": message}


def _import(options: argparse.Namespace) -> int:
    from dataclasses import replace

    from spatial_workbench.engine.puzzles.sets.folders import SetError
    from spatial_workbench.engine.puzzles.sets.import_plan import DuplicateChoice
    from spatial_workbench.engine.puzzles.sets.importing import carry_out, decide_import
    from spatial_workbench.engine.puzzles.sets.known_sets import known_sets

    sources = [Path(source) for source in options.sources]
    if missing := next((source for source in sources if not source.exists()), None):
        raise Refused(f"There is no file or folder “{missing}”.")
    is_known = options.set in known_sets()
    target = _set(options.set).path if is_known else Path(options.set)
    progress = printing_progress()
    try:
        order = decide_import(sources, target, DuplicateChoice(options.duplicates), options.pages, progress)
        if options.plan:
            return _print_plan(options, order)
        imported = carry_out(replace(order, adds_set=not is_known, name=options.name), progress)
    except SetError as error:
        raise Refused(f"{error}.") from None
    name = options.set if is_known else imported.set_name
    count = len(imported.folders)
    left_out = [entry.words for entry in imported.left_out]
    lines = [f"{count} imported into “{name}” ({target})." if count else "Nothing imported."]
    lines += [f"Left out: {words}" for words in left_out]
    show(options, {"set": name, "folder": str(target), "puzzles": imported.folders, "skipped": left_out}, lines)
    return NOT_PASSED if left_out or not count else PASSED


def _print_plan(options: argparse.Namespace, order: ImportOrder) -> int:
    rows = [{"puzzle": s.puzzle.source, "folder": s.folder, "replaces": s.replaces} for s in order.steps]
    left_out = [entry.words for entry in order.left_out]
    lines = [f"{row['puzzle']} → {row['folder']}{' (replaced)' if row['replaces'] else ''}" for row in rows]
    lines += [f"Left out: {words}" for words in left_out]
    show(options, {"folder": str(order.target), "puzzles": rows, "skipped": left_out}, lines)
    return NOT_PASSED if left_out or not rows else PASSED


def _export(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.puzzles.reviews import check, no_longer_verified, verified
    from spatial_workbench.engine.puzzles.sets.folders import SetError
    from spatial_workbench.engine.puzzles.sets.tuning import TuningForm, export_for_tuning
    from spatial_workbench.engine.puzzles.sets.tuning_rows import TuningLayout

    puzzles = _set(options.set)
    with opened(_project_path(options), create=True) as project:
        chosen = list(puzzles.names()) if options.all else verified(project, puzzles)
        changed = {} if options.all else no_longer_verified(project, puzzles)
    try:
        names = [name for name in chosen if not any(finding.is_error for finding in check(puzzles.folder(name)))]
        if not names:
            raise Refused(
                "No puzzle of this set is verified and free of errors. With --all, those without errors are written."
                + "".join(f"\n{name}: {reason}." for name, reason in sorted(changed.items()))
                if not options.all
                else "No puzzle of this set is free of errors; “puzzles check” lists them."
            )
        if not 32 <= options.side <= 16_384:
            raise Refused("--side: from 32 to 16384 pixels.")
        form = TuningForm(TuningLayout(options.layout), options.side, options.seed, options.figures)
        dropped = {name: "It has errors; “puzzles check” lists them" for name in chosen if name not in names} | changed
        written = export_for_tuning(puzzles, names, output_folder(options), form, dropped, printing_progress())
    except SetError as error:
        raise Refused(f"{error}.") from None
    text = f"{written.train} for training, {written.test} for testing, in {options.output}."
    left_out = [f"{name}: {reason}" for name, reason in sorted(written.left_out.items())]
    lines = [text, *(f"Left out: {reason}" for reason in left_out)]
    return show(options, {"train": written.train, "test": written.test, "left_out": left_out}, lines)


def _stats(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.puzzles.reviews import log_name, reviews_in
    from spatial_workbench.engine.puzzles.annotation.review import review_statistics
    from spatial_workbench.engine.puzzles.sets.folders import SetError
    from spatial_workbench.engine.puzzles.statistics import set_statistics

    puzzles = _set(options.set)
    read = []
    unread = []
    for folder in puzzles.folders():
        try:
            read.append(folder.read().puzzle)
        except SetError as error:
            unread.append(str(error))
    statistics = set_statistics(read)
    with opened(_project_path(options), create=True) as project:
        reviews = reviews_in(project, log_name(puzzles))
    reviewed = review_statistics(reviews.values())
    states: dict[str, int] = {}
    for review in reviews.values():
        states[review.state.value] = states.get(review.state.value, 0) + 1
    data = {"set": asdict(statistics), "review": asdict(reviewed), "states": states, "unread": unread}
    return show(options, data, [*_set_lines(statistics), *_review_lines(reviewed), *unread])


def _set_lines(figures: SetStatistics) -> list[str]:
    lines = [
        f"Puzzles                  {figures.puzzles}",
        f"Steps                    {_number(figures.mean_steps)} on average, median {_number(figures.median_steps)}",
        f"Steps with a figure      {_share(figures.share_with_figure)}",
        f"Words per step           {_number(figures.mean_words)}",
        f"Difficulty and steps     r = {_number(figures.difficulty_and_steps, 2)}",
        "Number of steps          " + (", ".join(f"{steps}: {count}" for steps, count in figures.steps.items()) or "–"),
    ]
    for modality, row in figures.by_modality.items():
        cells = ", ".join(f"{count} {difficulty.value}" for difficulty, count in row.items())
        lines.append(f"{modality.value.capitalize():24} {cells}")
    lines.append("Skills                   " + ", ".join(f"{n} {skill.label}" for skill, n in figures.by_skill.items()))
    return lines


def _review_lines(figures: ReviewStatistics) -> list[str]:
    kappa = f"kappa {_number(figures.kappa, 2)} (n = {figures.pairs})"
    return [
        f"Sent to review           {figures.reviewed}",
        f"Flagged, of those sent   {_share(figures.flagged)}",
        f"Changed                  {_share(figures.changed)}",
        f"Audit correct            {_share(figures.audit_correct)}",
        f"Reviewers agree          {_share(figures.agreement)}, {kappa}; kappa is 0 by chance, and 1 for always",
    ]


def _number(value: float | None, digits: int = 1) -> str:
    return "n/a" if value is None else f"{value:.{digits}f}"


def _share(value: float | None) -> str:
    return "n/a" if value is None else f"{100 * value:.1f} %"


# Review --------------------------------------------------------------------------------------------------------------


def _review_export(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.puzzles.reviews import export_review

    with opened(_project_path(options), create=True) as project:
        name = None if options.set is None else _log_name(options.set)
        with output_file(options, ".jsonl") as path:
            count = export_review(project, path, name)
    return show(options, {"events": count, "file": options.output}, f"{count} events written to {options.output}.")


def _review_merge(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.puzzles.reviews import merge_review

    lines = []
    rows = []
    with opened(_project_path(options), create=True) as project:
        name = None if options.set is None else _log_name(options.set)
        for file in options.files:
            outcome = merge_review(project, Path(file), name)
            lines.append(f"{file}: {outcome.new} new, {outcome.known} known ({', '.join(outcome.sets) or 'no set'}).")
            lines += [f"{file}, line {number} cannot be read: {why}" for number, why in outcome.damaged]
            lines += [f"{file}: {conflict}" for conflict in outcome.conflicts]
            rows.append({"file": file} | asdict(outcome))
    show(options, rows, lines)
    return NOT_PASSED if any(row["damaged"] for row in rows) else PASSED


def _review_send(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.puzzles.reviews import send

    puzzles = _set(options.set)
    with opened(_project_path(options), create=True) as project:
        sent, refused = send(project, puzzles, puzzles.names(), options.author)
    return _print_changes(options, "sent", sent, refused)


def _review_apply(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.puzzles.reviews import apply_results

    with opened(_project_path(options), create=True) as project:
        changed, refused = apply_results(project, _set(options.set))
    return _print_changes(options, "changed", changed, refused)


def _print_changes(options: argparse.Namespace, verb: str, names: Sequence[str], refused: Sequence[str]) -> int:
    lines = [f"{len(names)} {verb}{': ' if names else ''}{', '.join(names)}", *refused]
    show(options, {verb: names, "refused": refused}, lines)
    return NOT_PASSED if refused else PASSED


# Models --------------------------------------------------------------------------------------------------------------


def _flag(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.puzzles.flagging import flag_set, waiting_for_flags

    puzzles = _set(options.set)
    path = _project_path(options)
    with opened(path, create=True) as project:
        waiting = len(waiting_for_flags(project, puzzles))
    if not waiting:
        print_message("No puzzle of this set waits for a model. “puzzles review send” sends drafts to review.")
    outcome = flag_set(path, _contender(options.model), puzzles, printing_progress())
    text = f"{outcome.flagged} flagged, {outcome.clear} clear, {outcome.unreadable} to be asked again."
    show(options, plain(outcome), [text, *outcome.failed])
    return NOT_PASSED if outcome.failed or outcome.unreadable else PASSED


def _judge(options: argparse.Namespace) -> int:
    from spatial_workbench.app.evaluation.words import judging_expectation
    from spatial_workbench.engine.evaluation.puzzles.candidates import StepJudging
    from spatial_workbench.engine.evaluation.puzzles.judging import estimate_steps, judge_steps

    judge = _contender(options.model)
    path = Path(options.project)
    what = StepJudging(batch=options.batch, together=options.together, again=options.again)
    with opened(path) as project:
        print_message(judging_expectation(estimate_steps(project, judge.settings, what), judge.settings))
    outcome = judge_steps(path, judge, what, printing_progress())
    lines = [f"Judged: {outcome.judged}. Not judged: {outcome.unjudged}. {outcome.last_error}".strip()]
    lines.append(f"{outcome.requests} requests, {outcome.cached} answers known from before.")
    show(options, plain(outcome), lines)
    return NOT_PASSED if outcome.unjudged else PASSED


def _judges(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.core.words import counted
    from spatial_workbench.engine.store.step_judges import judge_titles

    with opened(Path(options.project)) as project:
        read = project.puzzles.step_judges()
    titles = judge_titles(read)
    data = [
        {"key": judge.key, "title": titles[judge], "name": judge.name, "by_hand": judge.is_person, "read": count}
        | {"settings": judge.settings}
        for judge, count in read.items()
    ]
    lines = [
        f"{judge.key}  {titles[judge]}: {counted(count, 'attempt')} read"
        + ("" if judge.is_person else f"; {judge.words}")
        for judge, count in read.items()
    ]
    show(options, data, lines or ["Nobody has judged steps in this project."])
    return PASSED


def _contender(name: str) -> Contender:
    from spatial_workbench.engine.evaluation.planning.plan import Contender
    from spatial_workbench.engine.models import ModelLibrary

    known = ModelLibrary().priced(name)
    return Contender(settings=known.settings, capabilities=known.capabilities)


# Arguments -----------------------------------------------------------------------------------------------------------


def _set(text: str) -> PuzzleSet:
    """The set of a name, or in a folder."""
    from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet
    from spatial_workbench.engine.puzzles.sets.known_sets import known_sets, set_named

    if text not in known_sets() and Path(text).is_dir():
        return PuzzleSet(Path(text))
    return set_named(text)


def _log_name(text: str) -> str:
    """The name under which a set's reviews are kept; the set itself need not be here."""
    from spatial_workbench.engine.evaluation.puzzles.reviews import log_name

    return log_name(_set(text)) if Path(text).is_dir() else text


def _project_path(options: argparse.Namespace) -> Path:
    from platformdirs import user_data_path

    if options.project:
        return Path(options.project)
    return user_data_path("spatial-workbench", appauthor=False, ensure_exists=True) / "scratch.workbench"
