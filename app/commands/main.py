"""The command line: everything the window can do that needs no screen.

Exit codes: 0 passed (or done), 1 not passed, 2 bad input.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from app.commands.evaluation import add_commands
from app.source import NotFromSource, tool

PASSED, NOT_PASSED, BAD_INPUT = 0, 1, 2
INTERRUPTED, NOBODY_READS = 130, 141
"""As shells have it for what ends by Ctrl-C, or because a program such as `head` reads no further."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; without any, opens the window."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or (len(words) == 1 and words[0].endswith(".workbench")):
        return _open_window(Path(words[0]) if words else None)
    options = _parser().parse_args(words)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Python writes what is left at its end, and would complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOBODY_READS
    except Exception as error:
        # Asked only now, for the names of the errors are a second's load.
        if not isinstance(error, _bad_input_errors()):
            raise
        return _refuse(_sentence(error), options)
    return code


def _open_window(project: Path | None) -> int:
    from app.window.application import has_display, refuse_bad_platform, run

    reason = refuse_bad_platform()
    if reason is None and not has_display():
        reason = (
            "No display was found, so no window can open.\n"
            "On a virtual screen:  xvfb-run -s '-screen 0 1600x1000x24' spatial-workbench\n"
            "Without any screen:   spatial-workbench --help"
        )
    if reason is not None:
        print(reason, file=sys.stderr)
        return BAD_INPUT
    return run(project)


# Commands --------------------------------------------------------------------------------------------------------


def _tasks(options: argparse.Namespace) -> int:
    from app.commands.summaries import summaries

    rows = summaries()
    width = max(len(row["id"]) for row in rows)
    lines = [f"{row['id']:{width}}  {row['bucket']:12} {row['instances']:4}  {row['title']}" for row in rows]
    return _print(options, rows, "\n".join(lines))


def _show(options: argparse.Namespace) -> int:
    task, instance = _resolve(options.address)
    prompt = task.prompt(instance)
    data = {
        "address": instance.address,
        "caption": task.caption(instance),
        "parameters": instance.parameters,
        "prompt": prompt.text,
        "pictures": len(prompt.pictures),
        "schema": task.schema(),
    }
    return _print(options, data, f"{task.title}, {task.caption(instance)} ({instance.address})\n\n{prompt.text}")


def _solve(options: argparse.Namespace) -> int:
    task, instance = _resolve(options.address)
    answer = task.solve(instance)
    text = task.format(answer)
    if options.json and task.answer_format == "json":
        text = json.dumps(answer.model_dump(mode="json"))
    print(text)
    return PASSED


def _verify(options: argparse.Namespace) -> int:
    from engine.core.consent import allow_programs

    task, instance = _resolve(options.address)
    _require_verifier(task, options.verifier)
    answer = task.parse(_read(options.answer))
    with allow_programs():
        verdict = task.verify(instance, answer, options.verifier)
        other = task.crosscheck(instance, answer) if options.crosscheck else None
    data = verdict.model_dump(mode="json", exclude={"details"})
    text = format_verdict(verdict)
    if other is not None:
        differs = verdict.disagrees_with(other, task.score_tolerance)
        data |= {"crosscheck": other.model_dump(mode="json", exclude={"details"}), "disagreement": differs}
        text += f"\n\n{format_verdict(other)}\n\n{'The methods disagree.' if differs else 'The methods agree.'}"
    _print(options, data, text)
    return PASSED if verdict.passed else NOT_PASSED


def _convert(options: argparse.Namespace) -> int:
    from engine.exchange import formats_of, read_answer, write_answer

    task, instance = _resolve(options.address)
    source, goal = (Path(name).suffix.lower().lstrip(".") for name in (options.answer, options.output))
    if source in formats_of(task, reading=True):
        answer = read_answer(task, instance, options.answer, Path(options.answer).read_bytes())
    else:
        answer = task.parse(_read(options.answer))
    if goal in ("json", "txt"):
        data = (task.format(answer) + "\n").encode()
    else:
        data = write_answer(task, instance, answer, goal)
    Path(options.output).write_bytes(data)
    return _print(options, {"file": options.output}, f"The answer is in {options.output}.")


def _render(options: argparse.Namespace) -> int:
    from app.studio.pictures import save_picture

    task, instance = _resolve(options.address)
    answer = verdict = None
    if options.answer:
        answer = task.parse(_read(options.answer))
        verdict = task.verify(instance, answer)
    save_picture(task.scene(instance, answer, verdict), Path(options.output), options.size, options.theme)
    return _print(options, {"picture": options.output}, f"The picture is in {options.output}.")


def _screenshot(options: argparse.Namespace) -> int:
    tool("tests.studio.screenshots").save_screenshot(options.page, Path(options.output), options.size, options.theme)
    return _print(options, {"screenshot": options.output}, f"The screenshot is in {options.output}.")


def _bench(options: argparse.Namespace) -> int:
    if options.holds is not None:
        return _print(options, *tool("tests.bench.slots").measure_holds(options.holds))
    bench = tool("tests.bench.main")
    rows = bench.measure(options.only, report=lambda text: print(text, file=sys.stderr, flush=True))
    return _print(options, [row.__dict__ for row in rows], bench.format_table(rows))


def _example(options: argparse.Namespace) -> int:
    path = tool("tests.studio.quickstart").make_example(Path(options.output))
    return _print(options, {"project": str(path)}, f"The example project is in {path}.")


def _report(options: argparse.Namespace) -> int:
    from app.results.report import save_report
    from engine.evaluation.results.contents import Choice
    from engine.store import Project, ProjectError

    try:
        with Project.open(Path(options.project)) as project:
            choice = Choice(
                batches=tuple(options.batch) if options.batch else None,
                helped=options.with_help,
                overrides=not options.without_overrides,
            )
            save_report(project, Path(options.output), choice)
    except ProjectError as error:
        return _refuse(str(error), options)
    return _print(options, {"report": options.output}, f"The report is in {options.output}.")


def _pictures(options: argparse.Namespace) -> int:
    made = [str(path) for path in tool("tests.studio.thumbnails").make_thumbnails(Path(options.output), options.task)]
    return _print(options, made, "\n".join(made))


# Plumbing --------------------------------------------------------------------------------------------------------


def format_verdict(verdict: Any) -> str:
    """A verdict for people, as text."""
    signs = {"passed": "✓", "failed": "✗", "not reached": "–"}
    word = "passed" if verdict.passed else "not passed"
    lines = [f"{verdict.instance}  {word}, score {verdict.score:.4f}  ({verdict.verifier} {verdict.version})"]
    for check in verdict.checks:
        lines.append(f"  {signs[check.state.value]} {check.name}")
        lines += [f"      {problem.message}" for problem in check.problems[:10]]
        if check.problem_count > 10:
            lines.append(f"      … and {check.problem_count - 10} more")
    lines += [_figure_line(figure) for figure in verdict.figures]
    lines += [f"  ! {warning}" for warning in verdict.warnings]
    return "\n".join(lines)


def _figure_line(figure: Any) -> str:
    from engine.core.words import unit_for

    value = f"{figure.value:.6g}" if isinstance(figure.value, float) else str(figure.value)
    return f"    {figure.name}: {value} {unit_for(figure.value, figure.unit)}".rstrip()


def _resolve(address: str) -> tuple[Any, Any]:
    from engine.core import resolve

    return resolve(address)


def _require_verifier(task: Any, name: str) -> None:
    from engine.core import InstanceError

    if name not in task.verifiers():
        raise InstanceError(f"{task.id} has the verifiers {', '.join(task.verifiers())}, not '{name}'")


def _read(source: str) -> bytes:
    return sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()


def _print(options: argparse.Namespace, data: Any, text: str) -> int:
    print(json.dumps(data, ensure_ascii=False) if options.json else text)
    return PASSED


def _refuse(message: str, options: argparse.Namespace) -> int:
    if options.json:
        print(json.dumps({"error": message}, ensure_ascii=False))
    print(message, file=sys.stderr)
    return BAD_INPUT


def _sentence(error: Exception) -> str:
    """An error in words; of data that does not fit, the place and what is wrong there."""
    from pydantic import ValidationError

    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])


def _bad_input_errors() -> tuple[type[Exception], ...]:
    from pydantic import ValidationError

    from app.commands.evaluation import Refused
    from engine.core import AnswerError, CannotRepresent, InstanceError
    from engine.models import LibraryProblem, ModelError
    from engine.store import MissingRecord, ProjectError

    own = (
        NotFromSource,
        AnswerError,
        CannotRepresent,
        InstanceError,
        LibraryProblem,
        MissingRecord,
        ModelError,
        ProjectError,
        Refused,
    )
    return *own, OSError, ValidationError


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 1200x800") from None
    if not (16 <= width <= 8192 and 16 <= height <= 8192):
        raise argparse.ArgumentTypeError("a size lies between 16x16 and 8192x8192")
    return width, height


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="spatial-workbench",
        description="Build, solve and inspect spatial-reasoning tasks. Without arguments the window opens.",
        epilog="Addresses: TASK:N is a published instance, TASK@SEED a generated one. '-' reads standard input. "
        "Exit codes: 0 passed, 1 not passed, 2 bad input.",
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def add(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(run=run)
        command.add_argument("--json", action="store_true", help="print machine-readable output")
        return command

    def add_picture_options(command: argparse.ArgumentParser, size: tuple[int, int]) -> None:
        command.add_argument("-o", "--output", required=True, help="the PNG file to write")
        command.add_argument("--size", type=_size, default=size, help="WIDTHxHEIGHT in pixels")
        command.add_argument("--theme", choices=("light", "dark"), default="light")

    add("tasks", _tasks, "List the tasks.")
    add("show", _show, "Show what a solver is told.").add_argument("address", metavar="TASK:N")
    add("solve", _solve, "Print the reference solution.").add_argument("address", metavar="TASK:N")
    verify = add("verify", _verify, "Judge an answer.")
    verify.add_argument("address", metavar="TASK:N")
    verify.add_argument("answer", metavar="ANSWER.json", help="a file, or - for standard input")
    verify.add_argument("--verifier", default="default", help="which of the task's verifiers judges")
    verify.add_argument("--crosscheck", action="store_true", help="judge by another method too, and compare")
    convert = add("convert", _convert, "Turn an answer into a file of another program, or such a file into an answer.")
    convert.add_argument("address", metavar="TASK:N")
    convert.add_argument(
        "answer", metavar="FILE", help="an answer as JSON, or .stl, .obj, .3mf, .glb, .gltf, .ldr, .mpd"
    )
    convert.add_argument("-o", "--output", required=True, metavar="FILE", help="the file to write; its ending says how")
    render = add("render", _render, "Draw an instance, with an answer if one is given.")
    render.add_argument("address", metavar="TASK:N")
    render.add_argument("answer", metavar="ANSWER.json", nargs="?", help="a file, or - for standard input")
    add_picture_options(render, (1200, 800))
    screenshot = add("screenshot", _screenshot, "Take a picture of a page of the window.")
    screenshot.add_argument(
        "page", metavar="PAGE", help="catalogue, log, settings, palette, compare, runs, results, … or TASK:N"
    )
    add_picture_options(screenshot, (1440, 900))
    bench = add("bench", _bench, "Measure speed and memory; prints a table of medians.")
    bench.add_argument("--only", default="", help="only the rows whose name holds this")
    bench.add_argument(
        "--holds",
        nargs="*",
        metavar="TASK",
        help="instead, what in the editors of these tasks (none: all) holds the window",
    )
    example = add("example", _example, "Make the example project anew.")
    example.add_argument("-o", "--output", default="projects/quickstart.workbench")
    report = add("report", _report, "Report on the results of a project, as one HTML file.")
    report.add_argument("project", metavar="PROJECT")
    report.add_argument("-o", "--output", required=True, metavar="FILE.html")
    report.add_argument("--batch", type=int, action="append", help="only this batch; may be given several times")
    report.add_argument("--with-help", action="store_true", help="count attempts with solving aids too")
    report.add_argument("--without-overrides", action="store_true", help="count the verifiers' scores alone")
    add_commands(add)
    pictures = add("pictures", _pictures, "Draw the catalogue's thumbnails anew.")
    pictures.add_argument("task", nargs="*", help="only these tasks")
    pictures.add_argument("-o", "--output", default="resources/thumbnails")
    return parser


if __name__ == "__main__":
    sys.exit(main())
