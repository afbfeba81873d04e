"""A file has the same name wherever it holds the same thing, and each package lists its modules.

docs/architecture.md has the names.
"""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OTHER_NAMES = {
    "otherwise": "crosscheck",
    "plain": "crosscheck",
    "solving": "solver",
    "reference": "solver",
    "answers": "answer",
    "scene": "drawing",
    "generate": "generator",
    "published": "published_verifier",
}
"""Names that were in use for the same thing, with the one that stays."""
FOUND_BY_NAME = ("engine/tasks", "widgets/editors")
"""Packages that list nothing: their modules are found by the names of tasks, so that a new task changes no list."""


@pytest.mark.parametrize("folder", ["engine/tasks"])
def test_a_file_is_called_what_its_like_is_called_elsewhere(folder):
    misnamed = {path for path in (ROOT / folder).rglob("*.py") if path.stem in OTHER_NAMES}
    assert {str(path.relative_to(ROOT)): OTHER_NAMES[path.stem] for path in misnamed} == {}


@pytest.mark.parametrize("folder", ["spatial_workbench", "app", "widgets", "engine", "tools"])
def test_nothing_outside_of_the_tests_imports_them(folder):
    imports = re.compile(r"^\s*(from|import) tests\b", re.MULTILINE)
    found = [path for path in (ROOT / folder).rglob("*.py") if imports.search(path.read_text("utf-8"))]
    assert found == []


def packages_with_lists():
    """The packages with more than two modules, subpackages included, by their folders."""
    folders = ["spatial_workbench", "app", "widgets", "engine", "tools"]
    inits = [init for folder in folders for init in (ROOT / folder).rglob("__init__.py")]
    names = {init.parent.relative_to(ROOT).as_posix(): module_names(init.parent) for init in inits}
    return {folder: names[folder] for folder in sorted(names) if len(names[folder]) > 2 and folder not in FOUND_BY_NAME}


def module_names(package):
    modules = {path.stem for path in package.glob("*.py")} - {"__init__", "__main__"}
    return modules | {path.parent.name for path in package.glob("*/__init__.py") if not path.parent.is_symlink()}


def listed_names(docstring):
    """The names that lines of a list begin with: one, or several with commas, and two spaces before the text."""
    found = re.findall(r"^ *(\w+(?:, \w+)*)  +\S", docstring, re.MULTILINE)
    return {name for names in found for name in names.split(", ")}


@pytest.mark.parametrize(("folder", "names"), packages_with_lists().items())
def test_a_package_lists_its_modules_with_a_line_each(folder, names):
    docstring = ast.get_docstring(ast.parse((ROOT / folder / "__init__.py").read_text("utf-8"))) or ""
    assert names - listed_names(docstring) == set()


RUNS_ALONE = {"engine/sandbox/guest.py"}
"""What runs in the sandbox imports nothing of ours, and so has a few names of its own."""


@pytest.mark.slow
def test_a_public_class_has_a_name_of_its_own():
    owners = defaultdict(list)
    for path in _sources_of("app", "engine", "widgets"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                owners[node.name].append(str(path.relative_to(ROOT)))
    assert {name: paths for name, paths in owners.items() if len(set(paths) - RUNS_ALONE) > 1} == {}


@pytest.mark.slow
def test_a_class_with_more_than_25_methods_says_why():
    long = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in _sources_of("app", "engine", "widgets", "tools", "spatial_workbench")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
        and sum(isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) for part in node.body) > 25
        and "more than 25 methods" not in (ast.get_docstring(node) or "")
    ]
    assert long == []


def _sources_of(*folders):
    return (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
