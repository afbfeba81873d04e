"""Checks what concerns a few files: linters, types, the direction of imports and the tests nearest to them.

    python3 run.py check FILES…     these files
    python3 run.py check            what changed since the last commit

It is for the minutes between two commits. What it leaves out, `python3 run.py test` and `.ci/run` prove.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tools.parallel import ToolStep, run_steps

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "spatial_workbench"
ROOMS = ("app", "engine", "resources", "widgets")
"""The top folders that are imported as parts of the package."""
EDITOR_SWEEPS = (
    "tests/editors/test_by_keys.py",
    "tests/editors/test_controls.py",
    "tests/editors/test_documented_keys.py",
    "tests/editors/test_every_editor.py",
)
"""Tests of every editor; those of one have the name of its task in their parameters."""
SWEEPS = (
    *EDITOR_SWEEPS,
    "tests/tasks/test_commands.py",
    "tests/tasks/test_short_scores.py",
    "tests/evaluation/hands/test_nothing_is_revealed.py",
    "tests/test_hostile_answers.py",
)
"""Tests of every task."""
MOST_USERS = 4
"""A module that more test files use is checked by its own tests only."""


def main(arguments: Sequence[str]) -> int:
    files = [_from_root(name) for name in arguments] or changed_files()
    if not files:
        print("Nothing has changed since the last commit.")
        return 0
    present = [file for file in files if (ROOT / file).is_file()]
    return run_steps(list(_steps(present)))


def changed_files() -> list[str]:
    """What differs from the last commit, new files included, as paths from the root."""
    commands = (["diff", "--name-only", "HEAD"], ["ls-files", "--others", "--exclude-standard"])
    outputs = [subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True) for command in commands]
    return sorted({line for output in outputs for line in output.stdout.splitlines()})


def _from_root(name: str) -> str:
    path = Path(name).absolute()
    if not path.exists():
        sys.exit(f"There is no file {name}.")
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[1:] if parts[0] == PACKAGE and parts[1] in ROOMS else parts)


def _steps(files: list[str]) -> Iterator[ToolStep]:
    sources = [file for file in files if file.endswith(".py")]
    if sources:
        yield ToolStep("ruff", ("ruff", "check", *sources))
        yield ToolStep("ruff format", ("ruff", "format", "--check", *sources))
    if modules := [module for file in sources if (module := module_of(file))]:
        yield ToolStep("mypy", ("mypy", *(part for module in modules for part in ("-m", module))))
        yield ToolStep("lint-imports", ("lint-imports",))
    tests = concerned_tests(files)
    if tests.whole or tests.tasks:
        yield ToolStep("tests", ("pytest", "-q", *tests.arguments()))
    else:
        print("No test is near these files: run `python3 run.py test` before you commit.")


def module_of(file: str) -> str | None:
    """The name under which a file is imported, or None for what is not part of the package."""
    parts = Path(file).with_suffix("").parts
    if parts[0] == PACKAGE:
        parts = parts[1:]
    elif parts[0] not in ROOMS:
        return None
    return ".".join((PACKAGE, *parts)).removesuffix(".__init__")


class Concerned(NamedTuple):
    """The test files to run whole, and the sweeps of which only the part of some tasks is run."""

    whole: list[str]
    sweeps: list[str]
    tasks: list[str]

    def arguments(self) -> list[str]:
        """What tells pytest to run them; sweeps begin with loading all tasks, so they are worth a second process."""
        if not self.tasks:
            return ["-n", "0", *self.whole]
        names = {*self.tasks, *(Path(test).stem for test in self.whole)}
        asked = [f"--task={task}" for task in self.tasks]
        chosen = ["-k", " or ".join(sorted(names))]
        return ["-n", "auto", "--dist", "worksteal", *self.whole, *self.sweeps, *asked, *chosen]


def concerned_tests(files: Iterable[str]) -> Concerned:
    """The tests that concern files: an editor's are those of editors, since no rule knows its editor."""
    whole: set[str] = set()
    sweeps: set[str] = set()
    tasks: set[str] = set()
    for file in files:
        if file.startswith("tests/"):
            whole |= {file} & set(_test_files())
        elif name := task_of(file):
            is_editor = file.startswith("widgets/")
            folder = "tests/editors/" if is_editor else "tests/tasks/"
            whole |= {test for test in _test_files() if test.startswith(folder) and _is_named(test, name)}
            sweeps |= set(EDITOR_SWEEPS if is_editor else SWEEPS)
            tasks.add(name)
        elif module := module_of(file):
            own = set(_own_tests(file))
            whole |= own | set(_users(module, own))
    return Concerned(sorted(whole), sorted(sweeps - whole), sorted(tasks))


def task_of(file: str) -> str | None:
    """The name of the task whose rules or editor a file holds."""
    parts = Path(file).with_suffix("").parts
    if parts[:2] in (("engine", "tasks"), ("widgets", "editors")) and len(parts) > 2 and parts[2] != "__init__":
        return parts[2]
    return None


def _own_tests(file: str) -> list[str]:
    """The tests that mirror a module: those in its folder's mirror that begin with its name."""
    path = Path(file).with_suffix("")
    folders = [Path("tests", *path.parts[1:-1]), Path("tests", *path.parent.parts)]
    names = {path.name, path.parent.name} if path.name == "__init__" else {path.name}
    return [test for test in _test_files() if Path(test).parent in folders and any(_is_named(test, n) for n in names)]


def _users(module: str, own: Collection[str]) -> list[str]:
    """The test files, apart from its own, that import a module by its name; none if they are many."""
    parent, _, name = module.rpartition(".")
    imports = re.compile(
        rf"^\s*(?:from {re.escape(module)} |import {re.escape(module)}\b"
        rf"|from {re.escape(parent)} import (?:\([^)]*)?[^\n]*\b{name}\b)",
        re.MULTILINE,
    )
    others = (test for test in _test_files() if test not in own)
    users = [test for test in others if imports.search((ROOT / test).read_text("utf-8"))]
    return users if len(users) <= MOST_USERS else []


def _is_named(test: str, name: str) -> bool:
    path = Path(test)
    return name in path.parts or path.stem == f"test_{name}" or path.stem.startswith(f"test_{name}_")


def _test_files() -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
