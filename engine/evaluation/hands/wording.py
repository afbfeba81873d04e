"""What a model with hands is told: the first message, verdicts, and what is left of its limits."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from spatial_workbench.engine.core import Check, State, Verdict
from spatial_workbench.engine.core.words import counted, score_words
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions
from spatial_workbench.engine.evaluation.hands.tools import HandsTool

MOST_PROBLEMS = 20
MAX_RESULT_CHARS = 60_000
_NOUNS = {
    "boxes": ("box", "boxes"),
    "numberSequence": ("digit", "digits"),
    "path": ("cell", "cells"),
    "people": ("person", "people"),
    "vertices": ("vertex", "vertices"),
}
"""Elements of lists that are not named by their plural with an s."""
_MARKS = {State.PASSED: "passed", State.FAILED: "failed", State.NOT_REACHED: "not reached"}


def first_message(
    prompt: str,
    tools: Mapping[str, HandsTool],
    options: HandsOptions,
    minutes: float,
    how: str,
    lists_tools: bool,
) -> str:
    """The task, how to act, the tools unless the endpoint tells them, and the limits."""
    listed = "" if not lists_tools else f"\n\nThe tools:\n{listed_tools(tools)}"
    limits = [counted(options.calls, "call"), f"{minutes:g} minutes"]
    limits += [f"{options.tokens} output tokens"] if options.tokens else []
    limits += [counted(options.pictures, "picture")] if "look" in tools else []
    return f"""You build the answer to the task below step by step with tools, as a person does in an editor. It is \
empty at first. Whatever the task says about the form of a written answer does not apply here: what counts is what \
you have built when you submit.

{how}{listed}

Your limits: {", ".join(limits)}. At a limit, the answer counts as it is then.

The task:

{prompt}"""


def listed_tools(tools: Mapping[str, HandsTool]) -> str:
    """The tools with their arguments, a line each."""
    return "\n".join(map(_described, tools.values()))


def in_words(verdict: Verdict) -> str:
    """A live verdict as lines: checks with what is wrong, figures and warnings."""
    lines = []
    if not verdict.is_of_form and not verdict.is_partial:
        lines.append(f"Score {score_words(verdict.score)}, {'passed' if verdict.passed else 'not passed'}")
    for check in verdict.checks:
        lines.append(f"{_MARKS[check.state]}: {check.name}")
        told = [problem.message for problem in check.problems[:MOST_PROBLEMS]]
        lines += [f"  {message}" for message in told or _message(check)]
        rest = check.problem_count - len(told)
        lines += [f"  and {rest} more"] if told and rest > 0 else []
    lines += [f"{figure.name}: {figure.value} {figure.unit}".rstrip() for figure in verdict.figures]
    return "\n".join([*lines, *verdict.warnings])


def _message(check: Check) -> list[str]:
    """What a check says beside its name; that an earlier one failed is seen anyway."""
    says_more = check.message and (check.state is not State.NOT_REACHED or check.is_decided_later)
    return [check.message] if says_more else []


def contents_in_words(data: Any) -> str:
    """How much a state holds: "The answer holds 137 bricks"; a state may also be a text."""
    lists = data.items() if isinstance(data, dict) else ()
    counts = [counted(len(value), *_nouns(name)) for name, value in lists if isinstance(value, list)]
    return f"Done. The answer holds {', '.join(counts)}." if counts else "Done."


def _nouns(name: str) -> tuple[str, str]:
    """What one element, and several elements, of a list are called."""
    return _NOUNS.get(name, (name.removesuffix("s"), name))


def shortened(data: Any, first: int, count: int) -> str:
    """An answer as JSON with a part of each list, and what was left out in words; a text as it is."""
    if isinstance(data, str):
        return cut(data)
    if not isinstance(data, dict):
        return cut(json.dumps(data, ensure_ascii=False))
    parts = {name: value[first : first + count] if isinstance(value, list) else value for name, value in data.items()}
    left_out = [
        f"{name}: {len(parts[name])} of {len(value)} are shown"
        for name, value in data.items()
        if isinstance(value, list) and len(parts[name]) < len(value)
    ]
    return cut("\n".join([json.dumps(parts, ensure_ascii=False), *left_out]))


def left_in_words(left: Iterable[tuple[str, float]]) -> str:
    """What is left of the limits, on one line."""
    return "Left: " + ", ".join(f"{_amount(amount)} {name}" for name, amount in left)


def cut(text: str) -> str:
    """A text of at most MAX_RESULT_CHARS characters; says how much was cut off."""
    if len(text) <= MAX_RESULT_CHARS:
        return text
    return text[:MAX_RESULT_CHARS] + f"\n(cut: {len(text) - MAX_RESULT_CHARS:,} more characters)"


def _described(tool: HandsTool) -> str:
    fields = tool.schema.get("properties", {})
    required = tool.schema.get("required", [])
    definitions = tool.schema.get("$defs", {})
    told = [_field(name, field, name in required, definitions) for name, field in fields.items()]
    return f"- {tool.name}: {tool.about}" + "".join(f"\n    {line}" for line in told)


def _field(name: str, field: Mapping[str, Any], is_required: bool, definitions: Mapping[str, Any]) -> str:
    if "$ref" in field:
        field = {**definitions.get(field["$ref"].rpartition("/")[2], {}), **field}
    choices = field.get("enum")
    kind = " | ".join(map(json.dumps, choices)) if choices else field.get("type", "object")
    about = f": {field['description']}" if "description" in field else ""
    default = "" if is_required else f" (default {json.dumps(field.get('default'))})"
    return f"{name} ({kind}){about}{default}"


def _amount(amount: float) -> str:
    return f"{amount:,.0f}" if amount == int(amount) or amount >= 100 else f"{amount:.2g}"
