"""The notebook of the documentation: its code cells run in order, in one namespace, as a kernel would run them.

There is no Jupyter among the packages of the tests, so this is Python and not a kernel. What a cell ends with is asked
for its HTML before the next one runs, as a notebook asks.
"""

import ast
import json
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
NOTEBOOK = DOCS / "library.ipynb"
SHOWS_A_PICTURE = {"instance", "verdict", "text", "evaluate", "attempt"}


@pytest.fixture(scope="module")
def notebook():
    return json.loads(NOTEBOOK.read_text("utf-8"))


def run_cell(source, namespace):
    """Runs a cell; returns the value of its last line, if that is an expression."""
    *first, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        first, last = [*first, last], None
    exec(compile(ast.Module(first, []), "cell", "exec"), namespace)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)


@pytest.fixture(scope="module")
def shown(notebook):
    """What each code cell ends with, by the cell's id: the value, and its HTML."""
    namespace = {"__name__": "notebook"}
    found = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            value = run_cell("".join(cell["source"]), namespace)
            found[cell["id"]] = value, value._repr_html_() if hasattr(value, "_repr_html_") else ""
    return found


def test_it_is_a_notebook_without_outputs(notebook):
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in notebook["cells"]:
        wanted = {"cell_type", "id", "metadata", "source"}
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)
            wanted |= {"outputs", "execution_count"}
        assert set(cell) == wanted
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", cell["id"])


@pytest.mark.slow
def test_every_cell_runs_and_ends_with_something_to_show(shown):
    assert [name for name, (value, _) in shown.items() if value is None] == []


def test_verdicts_drawings_and_projects_are_shown_with_a_picture(shown):
    assert {name for name, (_, html) in shown.items() if "data:image/png;base64," in html} == SHOWS_A_PICTURE


def test_its_words_are_true(shown):
    values = {name: value for name, (value, _) in shown.items()}
    assert not values["verdict"].passed
    assert values["text"].passed
    assert list(values["table"].columns) == ["reference", "says_nothing"]
    assert values["attempt"].score == 0


def test_the_library_page_names_it():
    assert "(library.ipynb)" in (DOCS / "library.md").read_text("utf-8")
