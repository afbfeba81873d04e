"""Tables and projects as other programs read them: pandas, polars, DuckDB and Datasette.

Tests import the program that they try, since all of them would take 120 MB in every process of a run.
"""

import asyncio
import json
import sqlite3

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.engine.core import CannotRepresent, Verdict, resolve
from spatial_workbench.engine.evaluation.export import export_runs
from spatial_workbench.engine.evaluation.export.parquet import write_parquet
from spatial_workbench.engine.store import Actor, Asked, Project
from spatial_workbench.engine.store.views import VIEWS, metadata

MODEL = Asked(tools=True, output_tokens=900, cost_usd=0.25)


def verdicts(address, score):
    def of(name, value):
        return Verdict(instance=address, verifier=name, version="1", score=value, passed=value == 1)

    return of("default", score), of("crosscheck", 1.0)


@pytest.fixture
def project(tmp_path):
    """Two models at two tasks; one verdict is disputed; a person was faster than both."""
    with Project.create(tmp_path / "runs.workbench") as opened:
        for name, scores in {"oak": (1.0, 0.5), "elm": (0.0, 1.0)}.items():
            for address, score in zip(("shikaku:0", "maze_3d:0"), scores, strict=True):
                instance = resolve(address)[1]
                opened.attempts.add(instance, "{}", Actor.MODEL, name, 3.0, verdicts(address, score), asked=MODEL)
        opened.attempts.add(resolve("shikaku:0")[1], "{}", Actor.PERSON, "Ada", 61.5, verdicts("shikaku:0", 1.0))
        yield opened


def exported(project, tmp_path, kind):
    path = tmp_path / f"runs.{kind}"
    export_runs(project, path, kind)
    return path


def test_polars_reads_parquet_with_types(project, tmp_path):
    import polars

    frame = polars.read_parquet(exported(project, tmp_path, "parquet"))
    kinds = dict(zip(frame.columns, map(str, frame.dtypes), strict=True))
    assert (kinds["attempt"], kinds["score"], kinds["passed"], kinds["actor"]) == (
        "Int64",
        "Float64",
        "Boolean",
        "String",
    )
    assert kinds["submitted_at"].startswith("Datetime")
    assert kinds["cost_usd"] == "Float64"


def test_pandas_reads_parquet_with_types(project, tmp_path):
    import pandas

    frame = pandas.read_parquet(exported(project, tmp_path, "parquet"))
    assert frame["score"].sum() == pytest.approx(3.5)
    assert str(frame["submitted_at"].dtype).startswith("datetime64")
    assert frame["output_tokens"].isna().sum() == 1


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_duckdb_reads_both_forms_with_types(project, tmp_path, kind):
    import duckdb

    path = exported(project, tmp_path, kind)
    kinds = dict(duckdb.sql(f"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '{path}')").fetchall())
    assert (kinds["attempt"], kinds["score"], kinds["passed"]) == ("BIGINT", "DOUBLE", "BOOLEAN")
    assert kinds["submitted_at"].startswith("TIMESTAMP")


def test_both_forms_hold_the_same(project, tmp_path):
    import duckdb

    table, typed = (exported(project, tmp_path, kind) for kind in ("csv", "parquet"))
    columns = "attempt, address, actor_name, score, passed, cost_usd, seconds"
    rows = [duckdb.sql(f"SELECT {columns} FROM '{path}' ORDER BY attempt").fetchall() for path in (table, typed)]
    assert rows[0] == rows[1]


def test_a_project_without_attempts_gives_an_empty_table_with_types(tmp_path):
    import polars

    with Project.create(tmp_path / "p.workbench") as empty:
        frame = polars.read_parquet(exported(empty, tmp_path, "parquet"))
    assert (frame.height, str(frame.schema["score"])) == (0, "Float64")


def test_a_column_of_several_kinds_holds_text(tmp_path):
    import polars

    write_parquet(tmp_path / "t.parquet", ["mixed", "numbers", "nothing"], [("a", 1, None), (2, 2.5, None)])
    frame = polars.read_parquet(tmp_path / "t.parquet")
    assert frame.to_dicts() == [
        {"mixed": "a", "numbers": 1.0, "nothing": None},
        {"mixed": "2", "numbers": 2.5, "nothing": None},
    ]


def test_without_pyarrow_it_is_said_what_to_install(project, tmp_path, monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.core.extras.find_spec", lambda name: None)
    with pytest.raises(CannotRepresent, match=r"spatial-workbench\[data\]"):
        exported(project, tmp_path, "parquet")


def test_results_are_written_with_types(project, tmp_path, capsys):
    import polars

    assert main(["results", str(project.path), "--section", "scores", "--parquet", str(tmp_path / "r"), "--json"]) == 0
    (path, *_) = json.loads(capsys.readouterr().out)["files"]
    frame = polars.read_parquet(path)
    assert frame["Task"].dtype == polars.String
    assert str(frame["oak (tools) (%) score"].dtype) == "Float64"


def rows(project, view):
    connection = sqlite3.connect(f"file:{project.path}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    return [dict(row) for row in connection.execute(f"SELECT * FROM {view}")]


@pytest.mark.parametrize("view", [view.name for view in VIEWS])
def test_every_view_can_be_read_and_its_columns_are_there(project, view):
    connection = sqlite3.connect(f"file:{project.path}?mode=ro", uri=True)
    names = {column[0] for column in connection.execute(f"SELECT * FROM {view}").description}
    described = next(known for known in VIEWS if known.name == view)
    assert described.columns.keys() | described.units.keys() <= names


def test_the_best_run_of_each_task(project):
    best = {row["task"]: (row["who"], row["mean_score"]) for row in rows(project, "best_per_task")}
    assert best["maze_3d"] == ("elm", 1.0)
    assert best["shikaku"][1] == 1.0


def test_disagreements_are_listed_with_both_scores(project):
    found = {
        (row["address"], row["who"], row["first_score"], row["second_score"]) for row in rows(project, "disagreements")
    }
    assert ("shikaku:0", "elm", 0.0, 1.0) in found


def test_the_cost_of_a_model_and_of_what_it_passed(project):
    costs = {row["who"]: (row["cost_usd"], row["usd_per_pass"]) for row in rows(project, "cost_per_model")}
    assert costs == {"oak": (0.5, 0.5), "elm": (0.5, 0.5)}


def test_people_are_listed_with_their_times(project):
    (row,) = rows(project, "time_per_person")
    assert (row["who"], row["mean_active_s"]) == ("Ada", 61.5)


@pytest.mark.slow
def test_datasette_opens_a_project_with_its_views(project):
    from datasette.app import Datasette

    async def asked():
        datasette = Datasette([str(project.path)], metadata=metadata("runs"))
        listed = (await datasette.client.get("/runs.json")).json()
        found = (await datasette.client.get("/runs/best_per_task.json?_shape=array")).json()
        page = (await datasette.client.get("/runs/cost_per_model")).text
        return listed, found, page

    listed, found, page = asyncio.run(asked())
    assert {view.name for view in VIEWS} <= {view["name"] for view in listed["views"]}
    assert {row["task"] for row in found} == {"shikaku", "maze_3d"}
    assert "What each model cost" in page


def test_the_metadata_are_written_for_datasette(project, tmp_path, capsys):
    target = tmp_path / "metadata.json"
    assert main(["metadata", str(project.path), "-o", str(target)]) == 0
    assert json.loads(target.read_text())["databases"]["runs"]["tables"]["words"] == {"hidden": True}
    assert "datasette" in capsys.readouterr().out
