"""The sentences in the sources that are made in English and translated where they are shown.

What editors, verifiers and readers of answers say is not passed to `tr` where it is made. Their texts are found by what
they look like: several words, or one with a capital. An f-string is a text with places, and `counted` is one about a
number of things.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import TypeGuard

from spatial_workbench.engine.core.acting.commands import words_of_argument
from spatial_workbench.engine.core.languages.sayings import LONGEST, NUMBER, PARTS
from spatial_workbench.root import ROOT

ROOMS = (
    "engine/core/answer.py",
    "engine/core/checks.py",
    "engine/core/reading",
    "engine/cube/notation.py",
    "engine/cube/optimal.py",
    "engine/cube/states.py",
    "engine/cube/validity.py",
    "engine/geometry/gltf.py",
    "engine/geometry/mesh_files.py",
    "engine/geometry/polyhedron/modelling.py",
    "engine/geometry/stl.py",
    "engine/geometry/threemf.py",
    "engine/geometry/welding.py",
    "engine/machines/building",
    "engine/machines/levels/examples.py",
    "engine/machines/results/scoring.py",
    "engine/physics/live.py",
    "engine/physics/machine_run.py",
    "engine/sandbox/bubblewrap.py",
    "engine/sandbox/openscad.py",
    "engine/sandbox/running.py",
    "engine/sandbox/webassembly.py",
    "engine/tasks",
    "widgets/editing",
    "widgets/editors",
    "widgets/panels/meter.py",
    "widgets/scene_views",
    "widgets/sketch",
)
UNSEEN = re.compile(
    "(prompt|generator|crosscheck|published_verifier|kernels|solver|study|ldraw|agent|wording|information).*"
)
"""Modules that say nothing to somebody who solves a task."""
_UNSEEN_CALLS = {
    "Field",
    "TypeVar",
    "getLogger",
    "prose",
    "TypeError",
    "KeyError",
    "ImportError",
    "NotImplementedError",
}
_SEEN_CALLS = {"Entry", "Figure", "FluidMeter", "Measure", "Things", "at_most", "step", "of"}
"""What is called with texts that somebody reads though they are one small word."""
UNIT_WORD = 4
"""Units of at least as many letters are words, such as “cells”; shorter ones are written alike in every language."""
_UNSEEN_ARGUMENTS = {"id", "description", "summary", "key", "icon", "color", "outline", "object_name", "format"}
_UNSEEN_NAMES = {"__all__"}
PAGE_LINES = 3
_ROLE = re.compile(r"(series|scale) (\d|\{.*\})")
_KEYS = re.compile(r"((Ctrl|Shift|Alt|Meta)\+)*([A-Z][A-Za-z]*|.)(, (((Ctrl|Shift|Alt|Meta)\+)*([A-Z][A-Za-z]*|.)))*")
_CODE = re.compile(
    r"True|False|None|NaN|Infinity|[A-Z0-9_]+|[A-Za-z]+(_[A-Za-z]+)+|([A-Z][a-z0-9]+){2,}|[A-Za-z0-9_./\[\]]*[./\[\]][A-Za-z0-9_./\[\]]*"
)
_KEY_AND_PLACE = re.compile(r"((Ctrl|Shift|Alt|Meta)\+)+({\w+})?")
_STYLE = re.compile(r".*(\{\{|(?<![A-Za-z])[a-z-]+: ?[\w{}#-]+;|</?\w+).*")
_REGEX = re.compile(r".*(\[[^\]]*\*|\(\?|\\| \| None).*")
_UNIT = re.compile(r"[cmk]?m[²³]?|kg|ms")
_WORD = re.compile(r"[A-Za-z]{2}")
_PLACE = re.compile(r"\{[^{}]*\}")


def sources_of_sayings() -> Iterator[Path]:
    """The modules that say something."""
    for room in ROOMS:
        path = ROOT / room
        files = [path] if path.suffix else sorted(path.rglob("*.py"))
        yield from (file for file in files if not UNSEEN.fullmatch(file.stem))


def sayings_in(source: str) -> Iterator[list[str]]:
    """The texts of a module in their order, each with its plural if it has one."""
    tree = ast.parse(source)
    unseen = set(_unseen_nodes(tree))
    seen = set(_seen_nodes(tree))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.expr) and id(node) not in unseen]
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
        texts = _texts_of(node)
        if len(texts) > 1:
            yield texts
        else:
            yield from (
                [_with_own_names(part)]
                for text in texts
                for part in parts_of(text)
                if (id(node) in seen and part and not part.isdecimal()) or is_shown(part)
            )


def arguments_in(source: str) -> Iterator[list[str]]:
    """What forms call the arguments of the commands in a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            fields = [part.target.id for part in node.body if isinstance(part, ast.AnnAssign) and _is_name(part.target)]
            yield from ([words] for words, _ in map(words_of_argument, fields) if has_words(words))


def _is_name(node: ast.expr) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)


def parts_of(text: str) -> list[str]:
    """The parts of a line, without what stands between them; none of a whole page, which is a prompt."""
    if text.count("\n") >= PAGE_LINES:
        return []
    parts = [part.strip(" ,;:–(") for part in PARTS.split(text)[::2]]
    return [part.rstrip(")") if part.count(")") > part.count("(") else part for part in parts]


def has_words(text: str) -> bool:
    """Whether a text has a word besides its places, and is not just a unit."""
    return _WORD.search(_PLACE.sub("", text)) is not None and not _UNIT.fullmatch(text)


def is_shown(text: str) -> bool:
    """Whether a text looks like one that somebody reads."""
    words = _PLACE.sub("", text)
    if not has_words(text) or len(text) > LONGEST:
        return False
    if any(form.fullmatch(text) for form in (_ROLE, _CODE, _KEY_AND_PLACE, _STYLE, _REGEX)):
        return False
    if _KEYS.fullmatch(text) and re.search("[+,]", text):
        return False
    return " " in text.strip() or words[:1].isupper()


def _texts_of(node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(value=str() as text):
            return [text.replace("{", "{{").replace("}", "}}")]
        case ast.JoinedStr(values=parts):
            return [_with_places(parts)]
        case ast.Call(func=ast.Name(id="counted"), args=[_, ast.Constant(value=str() as noun), *plural]):
            several = plural[0].value if plural and isinstance(plural[0], ast.Constant) else f"{noun}s"
            return [f"{{{NUMBER}}} {noun}", f"{{{NUMBER}}} {several}"]
    return []


def _with_places(parts: list[ast.expr]) -> str:
    text = ""
    for part in parts:
        if isinstance(part, ast.FormattedValue):
            text += f"{{{_name_of(part.value)}}}"
        elif isinstance(part, ast.Constant):
            text += str(part.value).replace("{", "{{").replace("}", "}}")
    return text


def _with_own_names(text: str) -> str:
    """The text with a number after the name of each place whose name occurs before."""
    names: Counter[str] = Counter()
    named = ""
    for literal, name, _, _ in Formatter().parse(text):
        named += literal.replace("{", "{{").replace("}", "}}")
        if name is not None:
            names[name] += 1
            named += f"{{{name}{names[name] if names[name] > 1 else ''}}}"
    return named


def _name_of(value: ast.expr) -> str:
    """A name for a place: that of the variable, of the attribute, or of what a function is called with."""
    match value:
        case ast.Name(id=name):
            return name.strip("_").lower()
        case ast.Attribute(attr=name):
            return name.strip("_").lower()
        case ast.Subscript(value=whole):
            return _name_of(whole)
        case ast.Call(args=[first, *_]):
            return _name_of(first)
        case ast.Call(func=function):
            return _name_of(function)
    return "value"


def _unseen_nodes(tree: ast.Module) -> Iterator[int]:
    """The nodes inside of what nobody reads: docstrings, parts of f-strings, names, and arguments that are keys."""
    told = set(_told_docstrings(tree))
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as docstring) if id(docstring) not in told:
                yield id(docstring)
            case ast.JoinedStr(values=parts):
                for part in parts:
                    yield from _strings_in(part)
            case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)) if name in _UNSEEN_CALLS:
                yield from map(id, ast.walk(node))
            case ast.Call(func=ast.Name(id=("counted" | "marked" | "tr" | "ntr")), args=arguments):
                yield from map(id, arguments)
            case ast.keyword(arg=name, value=value) if name in _UNSEEN_ARGUMENTS:
                yield from map(id, ast.walk(value))
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in _UNSEEN_NAMES:
                yield from map(id, ast.walk(value))
            case ast.Assign(targets=[ast.Name(id=("summary" | "description"))], value=value):
                yield from map(id, ast.walk(value))
            case ast.Match() | ast.Compare():
                yield from _compared(node)


def _told_docstrings(tree: ast.Module) -> Iterator[int]:
    """The docstrings of commands and questions of a task, which say what they do."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(
                decorator_list=[ast.Call(func=ast.Attribute(value=ast.Name(id="commands" | "questions"), attr="add"))],
                body=[ast.Expr(value=ast.Constant() as docstring), *_],
            ):
                yield id(docstring)


def _seen_nodes(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)) if name in _SEEN_CALLS:
                yield from map(id, (*node.args, *(keyword.value for keyword in node.keywords)))
            case ast.keyword(arg="unit", value=ast.Constant(value=str() as unit)) if len(unit) >= UNIT_WORD:
                yield id(node.value)


def _strings_in(part: ast.expr) -> Iterator[int]:
    """A constant part of an f-string, or the format of a value; texts inside of the value are texts of their own."""
    if isinstance(part, ast.Constant):
        yield id(part)
    elif isinstance(part, ast.FormattedValue) and part.format_spec is not None:
        yield from map(id, ast.walk(part.format_spec))


def _compared(node: ast.Match | ast.Compare) -> Iterator[int]:
    if isinstance(node, ast.Compare):
        for value in (node.left, *node.comparators):
            if isinstance(value, ast.Constant):
                yield id(value)
