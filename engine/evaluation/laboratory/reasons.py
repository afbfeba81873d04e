"""Why a verifier judged as it did: the rule in words, what it said, and the code that judged.

The rule is read from the task's page, `docs/tasks/<task>.md` or the page that a plug-in brings; the code is found by
the check's name in the sources of the task's own package.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core import Instance, State, Task, Verdict
from spatial_workbench.engine.core.verdict import FULL_SCORE
from spatial_workbench.engine.store.facts import CROSSCHECK

CODE_LINES = 60
"""The most lines of a function that are shown."""


SCORES = (FULL_SCORE, "score")
"""Names under which a score is explained instead of a check."""


@dataclass(frozen=True)
class JudgingCode:
    """The function that made a check.

    Attributes:
        file: The source file.
        line: Its first line, from 1.
        name: Name of the function.
        doc: Its docstring, or "".
        text: Its source, at most CODE_LINES lines.
    """

    file: Path
    line: int
    name: str
    doc: str
    text: str


@dataclass(frozen=True)
class SaidOfCheck:
    """What a verifier said of a check.

    Attributes:
        verifier: Its name.
        sentences: How the check ended, and its problems, one by one.
        code: The function that made it; None if it is not known.
    """

    verifier: str
    sentences: tuple[str, ...]
    code: JudgingCode | None


@dataclass(frozen=True)
class CheckReason:
    """Why a check ended as it did in two verdicts.

    Attributes:
        check: Its name.
        rule: What the task's page says of it, as Markdown; "" if it says nothing.
        said: What each verifier said.
    """

    check: str
    rule: str
    said: tuple[SaidOfCheck, ...]


def reason_for(task: Task[Any], instance: Instance, check: str, verdicts: tuple[Verdict, ...]) -> CheckReason:
    """Why a check ended as it did in these verdicts on one answer to an instance."""
    said = tuple(
        SaidOfCheck(verdict.verifier, _sentences(verdict, check), code_of(task, verdict.verifier, check))
        for verdict in verdicts
    )
    return CheckReason(check, rule_of(task.rules(), check, [verdict.verifier for verdict in verdicts]), said)


def rule_of(page: str, check: str, verifiers: list[str]) -> str:
    """What a page of rules says of a check and of verifiers other than the default: rows of tables, and paragraphs."""
    found = [*_scoring(page)] if check in SCORES else [*_rows(page, check)] or [*_paragraphs(page, check)]
    for verifier in verifiers:
        if verifier != "default":
            found += [block for block in _blocks(page) if re.match(rf"(- )?\*\*`?{re.escape(verifier)}`?\*\*", block)]
    return "\n\n".join(dict.fromkeys(found))


def code_of(task: Task[Any], verifier: str, check: str) -> JudgingCode | None:
    """The function of a task's package that makes a check for a verifier; else the verifier's own method."""
    method = _method(task, verifier)
    if method is None:
        return None
    home = Path(inspect.getsourcefile(type(task)) or "")
    files = [*sorted(home.parent.glob("*.py"))] if home.name == "__init__.py" or home.stem == "task" else [home]
    named = [code for file in files for code in _functions_naming(file, check)]
    suited = [code for code in named if _is_of(code, verifier)]
    return (suited or [_code_of_function(method)])[0]


def _sentences(verdict: Verdict, name: str) -> tuple[str, ...]:
    check = next((check for check in verdict.checks if check.name == name), None)
    if check is None:
        return ("It has no such check.",)
    if check.state is not State.FAILED:
        return (check.message or f"The check is {check.state.value}.",)
    said = tuple(problem.message for problem in check.problems) or (check.message,)
    more = check.problem_count - len(check.problems)
    return (*said, f"and {more:,} more") if more > 0 else said


def _blocks(page: str) -> list[str]:
    return [block.strip() for block in re.split(r"\n\s*\n|\n(?=- )", page) if block.strip()]


def _rows(page: str, check: str) -> Iterator[str]:
    """The rows of tables whose first cells are the check, under the head of their table."""
    head: list[str] = []
    for line in page.splitlines():
        if not line.startswith("|"):
            head = []
        elif len(head) < 2:
            head.append(line)
        elif check.lower() in [cell.strip(" `*").lower() for cell in line.strip("|").split("|")[:1]]:
            yield "\n".join([*head, line])


def _scoring(page: str) -> Iterator[str]:
    """The section or the paragraph on the score."""
    section = re.search(r"^## Score\n(.*?)(?=^## |\Z)", page, re.S | re.M)
    if section:
        yield section[1].strip()
    else:
        yield from (block for block in _blocks(page) if "**Score.**" in block)


def _paragraphs(page: str, check: str) -> Iterator[str]:
    for block in _blocks(page):
        if check.lower() in block.lower() and not block.startswith(("|", "#")):
            yield block


def _method(task: Task[Any], verifier: str) -> Any:
    if verifier == CROSSCHECK:
        return type(task)._crosscheck
    known = task.verifiers().get(verifier)
    return known.run if known is not None else None


def _functions_naming(file: Path, check: str) -> Iterator[JudgingCode]:
    """The functions of a file that name a check: in a decorator, in their body, or by a constant that holds it."""
    text = file.read_text("utf-8")
    tree = ast.parse(text)
    constants = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and _holds(node.value, check)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(_names(part, check, constants) for part in ast.walk(node)):
            yield _code_of_node(file, text, node)


def _holds(node: ast.expr, check: str) -> bool:
    if isinstance(node, ast.Call) and node.args:
        return _holds(node.args[0], check)
    return isinstance(node, ast.Constant) and node.value == check


def _names(node: ast.AST, check: str, constants: set[str]) -> bool:
    return (isinstance(node, ast.Constant) and node.value == check) or (
        isinstance(node, ast.Name) and node.id in constants
    )


def _is_of(code: JudgingCode, verifier: str) -> bool:
    """Whether a function belongs to a verifier, by the names of its file and of what it decorates."""
    place = f"{code.file.stem} {code.name} {code.text.partition(chr(10))[0]}".lower()
    others = [name for name in ("published", CROSSCHECK, "geometric", "polygons") if name != verifier and name in place]
    return not others if verifier == "default" else verifier in place


def _code_of_function(function: Any) -> JudgingCode:
    lines, first = inspect.getsourcelines(function)
    file = Path(inspect.getsourcefile(function) or "")
    return JudgingCode(file, first, function.__name__, inspect.getdoc(function) or "", _shortened(lines))


def _code_of_node(file: Path, text: str, node: ast.FunctionDef) -> JudgingCode:
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    lines = text.splitlines(keepends=True)[first - 1 : node.end_lineno]
    return JudgingCode(file, first, node.name, ast.get_docstring(node) or "", _shortened(lines))


def _shortened(lines: list[str]) -> str:
    text = inspect.cleandoc("".join(lines[:CODE_LINES])) if not lines[0].startswith(" ") else _dedented(lines)
    return text if len(lines) <= CODE_LINES else f"{text}\n…"


def _dedented(lines: list[str]) -> str:
    import textwrap

    return textwrap.dedent("".join(lines[:CODE_LINES])).rstrip()
