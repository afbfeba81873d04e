"""Checks of a puzzle and its annotation, each with a code (docs/puzzles.md, "Checks").

Errors keep a puzzle from review and export; warnings do not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path as FilePath

from spatial_workbench.engine.core.formats.jsontext import Path, format_path
from spatial_workbench.engine.puzzles.annotation.vocabulary import (
    Modality,
    PuzzleAction,
    PuzzleDifficulty,
    Skill,
    action_of,
    actions_named,
    folded,
)
from spatial_workbench.engine.puzzles.answers import normalised
from spatial_workbench.engine.puzzles.puzzle import Misread, Puzzle, PuzzleStep
from spatial_workbench.engine.puzzles.sets.folders import PuzzleFolder, SetError, folder_name, is_plain_name
from spatial_workbench.engine.puzzles.sets.pages import (
    CONTENT,
    FIGURE,
    LEAST_SIDE_PX,
    PictureError,
    check_picture,
    is_figure_name,
)

MOST_WORDS = 60
LEAST_WORDS = 5
ORIGINAL = "original"
_ALTERNATIVES = re.compile(r"[/;]| or ", re.IGNORECASE)
_LINK = re.compile(r"https?://[^\s/]+\.?[^\s]*")


class PuzzleLevel(StrEnum):
    """Whether a finding keeps a puzzle from review and export."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class PuzzleFinding:
    """Something wrong with a puzzle.

    Attributes:
        code: Such as "P_TITLE".
        path: The field, such as ("reasoning", 2, "figure").
        message: A sentence for a person.
    """

    code: str
    level: PuzzleLevel
    path: Path
    message: str

    @property
    def is_error(self) -> bool:
        """Whether it keeps the puzzle from review and export."""
        return self.level is PuzzleLevel.ERROR

    @property
    def place(self) -> str:
        """The field in the usual notation."""
        return format_path(self.path)


@dataclass(frozen=True)
class Files:
    """What the checks know of a puzzle's files: for each picture what is wrong with it, or nothing."""

    folder: str
    pages: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[str, ...] = ()


def look_at(folder: PuzzleFolder, check: Callable[[FilePath, int], None] = check_picture) -> Files:
    """Looks at the pages and figures of a folder.

    check: Judges a picture, which has to have a least side in pixels; raises PictureError or OSError. `check_ends` is
        quick, and does not see damage in the middle of a file.

    Raises:
        SetError: The folder cannot be listed.
    """
    try:
        linked = folder.links()
        pages = (*folder.pages(), *filter(CONTENT.fullmatch, linked))
        figures = (*folder.figures(), *filter(FIGURE.fullmatch, linked))
    except OSError as error:
        raise SetError(f"{folder.name} cannot be read: {error.strerror}") from None
    return Files(
        folder.name,
        {name: _fault_of(folder, name, LEAST_SIDE_PX, check) for name in pages},
        {name: _fault_of(folder, name, 1, check) for name in figures},
    )


def _fault_of(folder: PuzzleFolder, name: str, least_side_px: int, check: Callable[[FilePath, int], None]) -> str:
    try:
        check(folder.file(name), least_side_px)
    except (SetError, PictureError, OSError) as error:
        return str(error)
    return ""


def findings(puzzle: Puzzle, files: Files, misread: tuple[Misread, ...] = ()) -> tuple[PuzzleFinding, ...]:
    """Everything wrong with a puzzle: errors first, each kind in the order of the fields."""
    all_findings = [PuzzleFinding("P_JSON", PuzzleLevel.ERROR, part.path, part.message) for part in misread]
    unread = {part.path for part in misread}
    for code, (level, rule) in RULES.items():
        all_findings += [
            PuzzleFinding(code, level, path, text) for path, text in rule(puzzle, files) if path not in unread
        ]
    return tuple(sorted(all_findings, key=lambda finding: finding.level is PuzzleLevel.WARNING))


Rule = Callable[[Puzzle, Files], Iterator[tuple[Path, str]]]
RULES: dict[str, tuple[PuzzleLevel, Rule]] = {}
"""The rules by code, in the order in which they are reported."""


def _rule(code: str, level: PuzzleLevel) -> Callable[[Rule], Rule]:
    def register(rule: Rule) -> Rule:
        RULES[code] = (level, rule)
        return rule

    return register


@_rule("P_TITLE", PuzzleLevel.ERROR)
def _title(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    if not puzzle.title.strip():
        yield ("title",), "The title is empty"


@_rule("P_SOLUTION", PuzzleLevel.ERROR)
def _solution(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    if not puzzle.solution.strip():
        yield ("solution",), "The solution is empty"


@_rule("P_DIFFICULTY", PuzzleLevel.ERROR)
def _difficulty(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    if folded(puzzle.difficulty) not in list(PuzzleDifficulty):
        yield ("difficulty",), _choose("The difficulty", puzzle.difficulty, PuzzleDifficulty)


@_rule("P_MODALITY", PuzzleLevel.ERROR)
def _modality(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    yield from _tags("modality", puzzle.modality, Modality)


@_rule("P_SKILLS", PuzzleLevel.ERROR)
def _skills(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    yield from _tags("skills", puzzle.skills, Skill)


def _tags(name: str, given: tuple[str, ...], known: type[StrEnum]) -> Iterator[tuple[Path, str]]:
    if not given:
        yield (name,), f"At least one of {_list(known)} is needed"
    for i, tag in enumerate(given):
        if folded(tag) not in list(known):
            yield (name, i), _choose(f"{name}[{i}]", tag, known)
        elif folded(tag) in [folded(other) for other in given[:i]]:
            yield (name, i), f"“{tag}” is named twice"


@_rule("P_CONTENT", PuzzleLevel.ERROR)
def _content(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    if not {"content.png", "content_1.png"} & set(files.pages):
        yield ("content",), "There is no page: content.png or content_1.png is needed"
    for fault in filter(None, files.pages.values()):
        yield ("content",), fault


@_rule("P_STEPS", PuzzleLevel.ERROR)
def _steps(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    if not puzzle.reasoning:
        yield ("reasoning",), "There is no step; write at least one"
    for i, step in enumerate(puzzle.reasoning):
        if not step.explanation.strip():
            yield ("reasoning", i, "explanation"), f"Step {i + 1} has no explanation"


@_rule("P_FIGURE", PuzzleLevel.ERROR)
def _figure(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    for i, name in _figures_of(puzzle):
        path: Path = ("reasoning", i, "figure")
        if not is_plain_name(name):
            yield path, f"Step {i + 1}: “{name[:80]}” must be the name of a file in the folder, without a path"
        elif not is_figure_name(name):
            yield path, f"Step {i + 1}: the figure must be called figure_1.png, figure_2.png, …, not “{name[:80]}”"
        elif name not in files.figures:
            yield path, f"Step {i + 1}: there is no file {name}"
        elif files.figures[name]:
            yield path, f"Step {i + 1}: {files.figures[name]}"


@_rule("P_MULTI", PuzzleLevel.ERROR)
def _multi(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    if match := _ALTERNATIVES.search(puzzle.solution):
        yield ("solution",), f"The solution names alternatives (“{match[0]}”); a puzzle has one answer"


@_rule("P_NUMBERING", PuzzleLevel.WARNING)
def _numbering(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    named = list(dict.fromkeys(name for _, name in _figures_of(puzzle) if is_figure_name(name)))
    if named != [f"figure_{i}.png" for i in range(1, len(named) + 1)]:
        yield ("reasoning",), "Figures are not numbered 1, 2, … in the order of the steps"


@_rule("P_ORPHAN", PuzzleLevel.WARNING)
def _orphan(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    named = {name for _, name in _figures_of(puzzle)}
    for name in files.figures:
        if name not in named:
            yield ("reasoning",), f"No step names {name}"


@_rule("P_ACTION", PuzzleLevel.WARNING)
def _action(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    for i, step in _written(puzzle):
        if action_of(step.explanation) is None:
            yield ("reasoning", i, "explanation"), f"Step {i + 1} does not begin with one of the five actions"


@_rule("P_ATOMIC", PuzzleLevel.WARNING)
def _atomic(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    for i, step in _written(puzzle):
        path: Path = ("reasoning", i, "explanation")
        if step.words > MOST_WORDS:
            yield path, f"Step {i + 1} has {step.words} words, more than {MOST_WORDS}; perhaps it is several steps"
        elif _joins_actions(step.explanation):
            yield path, f"Step {i + 1} joins two actions by “then”; perhaps it is several steps"


@_rule("P_OUTCOME", PuzzleLevel.WARNING)
def _outcome(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    for i, step in _written(puzzle):
        if step.words < LEAST_WORDS:
            yield ("reasoning", i, "explanation"), f"Step {i + 1} is too short to name its outcome"


@_rule("P_LAST", PuzzleLevel.WARNING)
def _last(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    solution = normalised(puzzle.solution)
    if puzzle.reasoning and solution and solution not in normalised(puzzle.reasoning[-1].explanation):
        yield ("reasoning", len(puzzle.reasoning) - 1, "explanation"), "The last step does not name the solution"


@_rule("P_LEAK", PuzzleLevel.WARNING)
def _leak(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    solution = normalised(puzzle.solution)
    texts = (("title", "title", puzzle.title), ("flavor_text", "introductory text", puzzle.flavor_text))
    for name, called, text in texts:
        if solution and solution in normalised(text):
            yield (name,), f"The solution stands in the {called}"


@_rule("P_FOLDER", PuzzleLevel.WARNING)
def _folder(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    expected = folder_name(puzzle.title)
    if puzzle.title.strip() and re.sub(r"_\d+$", "", files.folder) != expected and files.folder != expected:
        yield ("title",), f"The folder is called {files.folder}; by the title it would be {expected}"


@_rule("P_SOURCE", PuzzleLevel.WARNING)
def _source(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    if puzzle.source.strip() != ORIGINAL and not _LINK.fullmatch(puzzle.source.strip()):
        yield ("source",), f"The source is neither a link nor the word “{ORIGINAL}”"


@_rule("P_VISUAL", PuzzleLevel.WARNING)
def _visual(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    for i, step in _written(puzzle):
        if action_of(step.explanation) is PuzzleAction.SKETCHING and not step.figure:
            yield ("reasoning", i, "figure"), f"Step {i + 1} is a sketch, but has no figure"


@_rule("P_SPELLING", PuzzleLevel.WARNING)
def _spelling(puzzle: Puzzle, files: Files) -> Iterator[tuple[Path, str]]:
    known: set[str] = {*Modality, *Skill, *PuzzleDifficulty}
    tags = [(("difficulty",), puzzle.difficulty), *_placed("modality", puzzle.modality)]
    for path, tag in (*tags, *_placed("skills", puzzle.skills)):
        if tag != folded(tag) and folded(tag) in known:
            yield path, f"“{tag}” is read as “{folded(tag)}”"


def _placed(name: str, tags: tuple[str, ...]) -> list[tuple[Path, str]]:
    return [((name, i), tag) for i, tag in enumerate(tags)]


def _written(puzzle: Puzzle) -> Iterator[tuple[int, PuzzleStep]]:
    return ((i, step) for i, step in enumerate(puzzle.reasoning) if step.explanation.strip())


def _figures_of(puzzle: Puzzle) -> Iterator[tuple[int, str]]:
    return ((i, step.figure) for i, step in enumerate(puzzle.reasoning) if step.figure)


def _joins_actions(explanation: str) -> bool:
    """Whether an explanation names an action, then another one."""
    before, then, after = explanation.lower().partition(" then ")
    return bool(then) and bool(actions_named(before)) and bool(actions_named(after))


def _choose(what: str, given: str, known: type[StrEnum]) -> str:
    stated = f", not “{given[:40]}”" if given else ""
    return f"{what} must be one of {_list(known)}{stated}"


def _list(known: type[StrEnum]) -> str:
    return ", ".join(known)
