"""The runs of grids in tables and files."""

import csv
import json

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.evaluation.export import export_runs
from spatial_workbench.engine.evaluation.importing.json_lines import restore
from spatial_workbench.engine.evaluation.planning.expanding import expanded
from spatial_workbench.engine.evaluation.planning.grid import make_grid
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.evaluation.planning.variants import PromptVariant
from spatial_workbench.engine.evaluation.results.contents import read
from spatial_workbench.engine.models import ModelSettings
from spatial_workbench.engine.store import Project
from tests.evaluation.conftest import run, store
from tests.models.conftest import chat

TERSE = PromptVariant(name="terse", text="Be brief. {prompt}")


@pytest.fixture
def batch(project, server):
    """A model that answers correctly at temperature 0 only, asked with two prompts."""
    task, instance = resolve("shikaku:0")
    right = task.format(task.solve(instance))
    server.answers.append(lambda body: chat("no" if body["temperature"] else right))
    settings = ModelSettings(name="tiny", model="tiny", base_url=server.url)
    grid = make_grid({"temperature": [0, 1], "variants": [None, TERSE]})
    runs = expanded(Contender(settings=settings), grid)
    number, plan = store(project, BatchPlan(name="b", contenders=runs, addresses=["shikaku:0"], grid=grid))
    run(project, number, plan)
    return number


def test_results_have_a_line_for_each_run_and_a_column_for_each_axis(project, batch):
    (table,) = next(part.tables for part in read(project).sections if part.id == "grids")
    assert [heading.title for heading in table.headings][:3] == ["Model", "Temperature", "Prompt"]
    assert [[cell.text for cell in line.cells[:4]] for line in table.lines] == [
        ["tiny", "0", "own", "100.0"],
        ["tiny", "0", TERSE.label, "100.0"],
        ["tiny", "1", "own", "0.0"],
        ["tiny", "1", TERSE.label, "0.0"],
    ]
    assert all(len(line.attempts) == 1 for line in table.lines)


def test_without_a_grid_there_is_no_such_section(project, batch_of, server):
    server.answers.append(chat("no"))
    run(project, *batch_of(server.url, "shikaku:0"))
    assert "grids" not in [part.id for part in read(project).sections]


def test_parameters_are_columns_of_the_table_and_fields_of_the_lines(project, batch, tmp_path):
    export_runs(project, tmp_path / "runs.csv", "csv")
    export_runs(project, tmp_path / "runs.jsonl", "jsonl")
    with (tmp_path / "runs.csv").open() as file:
        rows = [(row["temperature"], row["variant"], row["score"]) for row in csv.DictReader(file)]
    lines = [json.loads(line) for line in (tmp_path / "runs.jsonl").read_text().splitlines()[1:]]
    assert sorted(rows)[-1] == ("1.0", TERSE.label, "0.0")
    assert {(line["temperature"], line["variant"]) for line in lines} == {
        (temperature, variant) for temperature in (0, 1) for variant in (None, TERSE.label)
    }


def test_parameters_come_back_from_an_export(project, batch, tmp_path):
    export_runs(project, tmp_path / "runs.jsonl", "jsonl")
    with Project.create(tmp_path / "other.workbench") as other:
        restore(other, tmp_path / "runs.jsonl")
        rows = [(row.temperature, row.variant) for row in other.runs.select()]
    assert sorted(rows, key=str) == sorted(
        ((temperature, variant) for temperature in (0, 1) for variant in (None, TERSE.label)), key=str
    )
