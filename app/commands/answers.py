"""Commands about tasks and answers: list, show, solve, judge, convert."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.commands.plumbing import (
    NOT_PASSED,
    PASSED,
    STANDARD_OUTPUT,
    AddCommand,
    Refused,
    opened,
    output_file,
    print_message,
    read,
    resolve,
    show,
)
from spatial_workbench.app.commands.terminal import escaped, escaped_line

if TYPE_CHECKING:
    from spatial_workbench.engine.core import Verdict


def add_commands(add: AddCommand) -> None:
    """Adds the commands to the parser that `add` belongs to."""
    add("tasks", _tasks, "List the tasks.")
    add("show", _show_prompt, "Print the prompt.").add_argument("address", metavar="TASK:N")
    address = add("address", _address, "Print the address of an instance that a seed or parameters describe.")
    address.add_argument("task", metavar="TASK")
    address.add_argument("--seed", type=int, metavar="N", help="the seed of the generator")
    address.add_argument(
        "--parameters", metavar="JSON", help="those of the generator or, without a seed, of the instance; - reads them"
    )
    add("solve", _solve, "Print the reference solution.").add_argument("address", metavar="TASK:N")
    verify = add("verify", _verify, "Check an answer.")
    verify.add_argument("address", metavar="TASK:N")
    verify.add_argument("answer", metavar="ANSWER.json", help="a file, or - for standard input")
    verify.add_argument("--verifier", default="default", help="the task's verifier that checks")
    verify.add_argument("--crosscheck", action="store_true", help="also check by another method, and compare")
    verify.add_argument(
        "--with", dest="with_own", action="append", default=[], metavar="NAME", help="also ask a verifier of your own"
    )
    verify.add_argument(
        "--store", metavar="PROJECT", help="keep the answer as an attempt, with the verdicts of all verifiers"
    )
    whose = verify.add_mutually_exclusive_group()
    whose.add_argument("--model", metavar="NAME", help="the model that gave the answer that is stored")
    whose.add_argument("--person", metavar="NAME", help="the person who gave it")
    convert = add("convert", _convert, "Convert an answer to a file of another program, or such a file to an answer.")
    convert.add_argument("address", metavar="TASK:N")
    convert.add_argument(
        "answer", metavar="FILE", help="an answer as JSON, or a file of another program (docs/files.md)"
    )
    convert.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="the file to write; its suffix determines the format; - prints the answer itself",
    )


def _tasks(options: argparse.Namespace) -> int:
    from spatial_workbench.app.commands.summaries import listing

    found = listing()
    rows = found.rows
    for sentence in found.broken:
        print_message(sentence)
    width = max(len(row["id"]) for row in rows)
    lines = [f"{row['id']:{width}}  {row['bucket']:12} {row['instances']:4}  {row['title']}" for row in rows]
    return show(options, rows, lines)


def _show_prompt(options: argparse.Namespace) -> int:
    task, instance = resolve(options.address)
    prompt = task.prompt(instance)
    data = {
        "address": instance.address,
        "caption": task.caption(instance),
        "parameters": task.visible_parameters(instance),
        "prompt": prompt.whole_text,
        "pictures": len(prompt.pictures),
        "schema": task.schema(),
        "generator_parameters": [parameter.as_data() for parameter in task.generator_parameters],
    }
    return show(options, data, f"{task.title}, {task.caption(instance)} ({instance.address})\n\n{prompt.whole_text}")


def _address(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.core.errors import UnknownName
    from spatial_workbench.engine.core.registry import instance_with

    given = read("-") if options.parameters == "-" else options.parameters
    try:
        parameters = None if given is None else json.loads(given)
    except ValueError as error:
        raise Refused(f"--parameters: {error}. JSON is expected, such as '{{\"width\": 10}}'.") from None
    try:
        address = instance_with(options.task, parameters, options.seed).address
    except UnknownName as error:
        raise Refused(str(error)) from None
    return show(options, {"address": address}, address)


def _solve(options: argparse.Namespace) -> int:
    task, instance = resolve(options.address)
    answer = task.solve(instance)
    text = task.format(answer)
    if options.json and task.answer_format == "json":
        text = json.dumps(answer.model_dump(mode="json"))
    print(escaped(text))
    return PASSED


def _verify(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.core.consent import allow_programs

    task, instance = resolve(options.address)
    _require_verifier(task, options.verifier)
    given = read(options.answer)
    stored = _stored(options, task, instance, given) if options.store else {}
    answer = task.parse(given)
    with allow_programs():
        verdict = stored.get(options.verifier) or task.verify(instance, answer, options.verifier)
        other = (stored.get("crosscheck") or task.crosscheck(instance, answer)) if options.crosscheck else None
    data = verdict.model_dump(mode="json", exclude={"details"})
    text = format_verdict(verdict)
    if other is not None:
        differs = verdict.disagrees_with(other, task.score_tolerance)
        data |= {"crosscheck": other.model_dump(mode="json", exclude={"details"}), "disagreement": differs}
        text += f"\n\n{format_verdict(other)}\n\n{'The methods disagree.' if differs else 'The methods agree.'}"
    for name in options.with_own:
        ruled = _asked_own(name, instance, given)
        data.setdefault("own", []).append(ruled)
        text += f"\n\n{ruled['words']}"
    show(options, data, text)
    return PASSED if verdict.passed else NOT_PASSED


def _asked_own(name: str, instance: Any, given: bytes) -> dict[str, Any]:
    """What a verifier of the user's own says of an answer, as data and in words."""
    from spatial_workbench.app.commands.laboratory.choosing import own_verifier
    from spatial_workbench.engine.evaluation.laboratory import Trouble
    from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifierError, asked

    own = own_verifier(name)
    if own.task != instance.task:
        raise Refused(f"“{name}” judges answers to {own.task}, not to {instance.task}.")
    try:
        with asked(own) as verifier:
            ruled = verifier.verifier.ask(instance, given.decode("utf-8", "replace"))
    except OwnVerifierError as error:
        raise Refused(str(error)) from None
    if isinstance(ruled, Trouble):
        words = f"{ruled.verifier}: no verdict: {ruled.message}"
        return {"verifier": ruled.verifier, "kind": ruled.kind, "error": ruled.message, "words": words}
    return ruled.model_dump(mode="json", exclude={"details"}) | {"words": format_verdict(ruled)}


def _stored(options: argparse.Namespace, task: Any, instance: Any, given: bytes) -> dict[str, Verdict]:
    """Keeps an answer as an attempt, also one that cannot be read, and says which; its verdicts by verifier."""
    from spatial_workbench.engine.core.consent import allow_programs
    from spatial_workbench.engine.store import Actor

    name = options.model or options.person
    if not name:
        raise Refused("An attempt says who made it: give --model NAME or --person NAME with --store.")
    actor = Actor.MODEL if options.model else Actor.PERSON
    text = given.decode("utf-8", "replace")
    with allow_programs(), opened(Path(options.store), create=True) as project:
        verdicts = task.verify_all(instance, text)
        tolerance = task.score_tolerance
        number = project.attempts.add(instance, text, actor, name, verdicts=verdicts, tolerance=tolerance)
    print_message(f"Stored as attempt {number} of {name} in {options.store}.")
    return {verdict.verifier: verdict for verdict in verdicts}


def _convert(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.core.files import is_special, write_whole
    from spatial_workbench.engine.exchange import format_of, left_out, read_answer, write_answer

    task, instance = resolve(options.address)
    notes: Sequence[str] = ()
    if format_of(task, options.answer, reading=True):
        answer = read_answer(task, instance, options.answer, Path(options.answer).read_bytes())
    else:
        answer = task.parse(read(options.answer))
    goal = format_of(task, options.output, reading=False) or Path(options.output).suffix.lower().lstrip(".")
    if goal in ("json", "txt") or options.output == STANDARD_OUTPUT or is_special(Path(options.output)):
        data = (task.format(answer) + "\n").encode()
    else:
        data = write_answer(task, instance, answer, goal)
        notes = left_out(task, instance, answer, goal)
    with output_file(options) as path:
        write_whole(path, data)
    words = [f"The answer is in {options.output}.", *(f"  ! {note}" for note in notes)]
    return show(options, {"file": options.output, "left_out": list(notes)}, "\n".join(words))


def format_verdict(verdict: Any) -> str:
    """A verdict for people, as text."""
    from spatial_workbench.engine.core.words import score_words

    signs = {"passed": "✓", "failed": "✗", "not reached": "–"}
    word = "passed" if verdict.passed else "not passed"
    score = score_words(verdict.score, 4)
    lines = [f"{verdict.instance}  {word}, score {score}  ({verdict.verifier} {verdict.version})"]
    for check in verdict.checks:
        lines.append(f"  {signs[check.state.value]} {check.name}")
        lines += [f"      {problem.message}" for problem in check.problems[:10]]
        if check.problem_count > 10:
            lines.append(f"      … and {check.problem_count - 10} more")
    lines += [_figure_line(figure) for figure in verdict.figures]
    lines += [f"  ! {warning}" for warning in verdict.warnings]
    lines += ["    cached: the simulation was there already"] if verdict.is_cached else []
    return "\n".join(map(escaped_line, lines))


def _figure_line(figure: Any) -> str:
    from spatial_workbench.engine.core.words import unit_for

    value = f"{figure.value:.6g}" if isinstance(figure.value, float) else str(figure.value)
    return f"    {figure.name}: {value} {unit_for(figure.value, figure.unit)}".rstrip()


def _require_verifier(task: Any, name: str) -> None:
    from spatial_workbench.engine.core.contract import known_verifier
    from spatial_workbench.engine.core.errors import UnknownName

    try:
        known_verifier(task, name)
    except UnknownName as error:
        raise Refused(str(error)) from None
