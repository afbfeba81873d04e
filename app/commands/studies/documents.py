"""Commands about studies: check a document, list its slots, plan how many people it needs."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.app.commands import serving
from spatial_workbench.app.commands.leading import (
    bundling,
    checklist,
    collecting,
    deciding,
    deleting,
    drafting,
    freezing,
    records,
)
from spatial_workbench.app.commands.plumbing import (
    NOT_PASSED,
    PASSED,
    AddCommand,
    Refused,
    add_action,
    opened,
    print_message,
    read,
    show,
    wide_prompts,
)
from spatial_workbench.app.commands.studies import recruiting, results, taking_part

if TYPE_CHECKING:
    from spatial_workbench.engine.studies.planning.document import Study


_LEADING = (drafting, freezing, bundling, collecting, checklist, records, deciding, deleting)
"""The modules with actions of a study's leader, in the order of the help."""


def add_commands(add: AddCommand) -> None:
    """Adds the commands to the parser that `add` belongs to."""
    command = add("study", lambda options: 0, "Check and plan studies of human baselines.")
    actions = command.add_subparsers(required=True, metavar="ACTION")
    check = add_action(actions, "check", _check, "List errors and warnings of a study's document.")
    check.add_argument("file", metavar="FILE", help="a document, a project followed by a study, or a Psych-DS folder")
    check.add_argument("study", metavar="STUDY", nargs="?", help="its id, its name, or the beginning of its hash")
    check.add_argument("--plan", metavar="PLAN.md", help="write the plan for a registry")
    slots = add_action(actions, "slots", _slots, "List the places of a study: codes, conditions, orders of items.")
    slots.add_argument("file", metavar="FILE.json")
    for module in _LEADING:
        module.add_actions(actions)
    taking_part.add_actions(actions)
    serving.add_actions(actions)
    recruiting.add_actions(actions)
    results.add_actions(actions)
    plan = add_action(actions, "plan", _plan, "Calculate how many people a study needs.")
    plan.add_argument("--items", type=int, required=True, help="how many items each person gets")
    plan.add_argument(
        "--scores", choices=("pass-fail", "graded"), default="pass-fail", help="of the items: the deviations follow"
    )
    plan.add_argument("--sd-people", type=float, help="how scores vary from person to person; by default assumed")
    plan.add_argument("--sd-rest", type=float, help="how they vary within a person; by default assumed")
    plan.add_argument("--half-width", type=float, help="half-width of the interval of the mean")
    plan.add_argument("--difference", type=float, help="the difference from a model that is to be detected")
    plan.add_argument("--groups", type=int, choices=(1, 2), default=1, help="2: the difference of two conditions")
    plan.add_argument("--power", type=float, default=0.8)
    plan.add_argument("--dropout", type=float, default=0.0, help="the share of people who will not finish")
    plan.add_argument("--multiple", type=int, default=1, help="rows times conditions")


def _read(options: argparse.Namespace) -> Study:
    from spatial_workbench.engine.studies.planning.document import read_study

    return read_study(read(options.file))


def _chosen(options: argparse.Namespace) -> Study:
    """The document in a file, or of a study of a project."""
    if options.study is None:
        return _read(options)
    with opened(Path(options.file)) as project:
        return project.studies.document(project.studies.find(options.study))


def _check(options: argparse.Namespace) -> int:
    if Path(options.file).is_dir():
        return results.check_folder(options, Path(options.file))
    from spatial_workbench.engine.core.files import write_whole
    from spatial_workbench.engine.studies.planning.checking import check_study
    from spatial_workbench.engine.studies.planning.keyboard import by_pointer
    from spatial_workbench.engine.studies.planning.preregistration import plan_text

    study = _chosen(options)
    problems = [*wide_prompts(study), *check_study(study)]
    lines = [f"{'error' if p.is_error else 'warning':8} {p.place}: {p.message}" for p in problems]
    needs_pointer = by_pointer(study)
    data = {"hash": study.hash, "problems": [asdict(problem) for problem in problems], "by_pointer": needs_pointer}
    if needs_pointer and not options.json:
        items = ", ".join(needs_pointer)
        print_message(f"Not for places with the keyboard alone, since these items need a pointer: {items}")
    show(options, data, lines or f"Nothing is wrong with “{study.name}” ({study.hash[:12]}).")
    if options.plan:
        write_whole(Path(options.plan), plan_text(study, date.today()).encode())
    return NOT_PASSED if any(problem.is_error for problem in problems) else PASSED


def _slots(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.studies.planning.slots import slots_of

    slots = slots_of(_read(options))
    lines = [
        f"{slot.code}  {slot.condition:12} {' '.join(trial.item for trial in slot.trials)}"
        + ("  (reserve)" if slot.is_reserve else "")
        for slot in slots
    ]
    return show(options, [asdict(slot) for slot in slots], lines)


def _plan(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.studies.planning.sample_size import (
        ASSUMED_SDS,
        ScoreKind,
        Spread,
        effective_trials,
        people_for_difference,
        people_for_half_width,
        slots_for,
    )

    if (options.half_width is None) == (options.difference is None):
        raise Refused("Give either --half-width or --difference.")
    if not (options.items >= 1 and 0 <= options.dropout < 1 and options.multiple >= 1 and 0 < options.power < 1):
        raise Refused("--items and --multiple are at least 1, --dropout and --power shares of 1.")
    wish = options.half_width if options.difference is None else options.difference
    people, rest = ASSUMED_SDS[ScoreKind.GRADED if options.scores == "graded" else ScoreKind.PASS_FAIL]
    sd_people = people if options.sd_people is None else options.sd_people
    sd_rest = rest if options.sd_rest is None else options.sd_rest
    if not (wish > 0 and sd_people >= 0 and sd_rest >= 0):
        raise Refused("Widths, differences and deviations are positive numbers.")
    spread = Spread(sd_people, sd_rest, options.items)
    if options.difference is None:
        needed = people_for_half_width(spread, wish)
        aim = f"an interval of ±{wish:g}"
    else:
        needed = people_for_difference(spread, wish, options.power, groups=options.groups)
        aim = f"a difference of {wish:g}" + (" between two conditions, in each" if options.groups == 2 else "")
    if needed is None:
        raise Refused(f"No number of people that can be planned is enough for {aim}.")
    slots = slots_for(needed * options.groups, options.dropout, options.multiple)
    effective = effective_trials(needed, options.items, spread.correlation)
    data = {"people": needed, "slots": slots, "sd_of_person_means": spread.of_person_means}
    data |= {"trials": needed * options.items, "effective_trials": effective}
    words = f"Their {needed * options.items} trials are worth {effective:.1f} independent ones."
    return show(options, data, f"{needed} people for {aim}; plan {slots} places. {words}")
