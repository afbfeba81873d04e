"""A file has the same name wherever it holds the same thing; docs/architecture.md lists the names."""

import re
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


@pytest.mark.parametrize("folder", ["engine/tasks"])
def test_a_file_is_called_what_its_like_is_called_elsewhere(folder):
    misnamed = {path for path in (ROOT / folder).rglob("*.py") if path.stem in OTHER_NAMES}
    assert {str(path.relative_to(ROOT)): OTHER_NAMES[path.stem] for path in misnamed} == {}


@pytest.mark.parametrize("folder", ["spatial_workbench", "app", "widgets", "engine", "tools"])
def test_nothing_outside_of_the_tests_imports_them(folder):
    imports = re.compile(r"^\s*(from|import) tests\b", re.MULTILINE)
    found = [path for path in (ROOT / folder).rglob("*.py") if imports.search(path.read_text("utf-8"))]
    assert found == []
