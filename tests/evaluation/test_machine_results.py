"""Results of machines: validity, two means, rankings, best-of-N, expansions, and the published tables apart."""

import json
from dataclasses import replace

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.engine.core import Figure, Verdict, resolve
from spatial_workbench.engine.core.agents import AgentPlan
from spatial_workbench.engine.evaluation.collect import scored
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.evaluation.results.chart_making import subtask_chart
from spatial_workbench.engine.evaluation.results.contents import ResultsChoice, read
from spatial_workbench.engine.evaluation.results.html import report_html
from spatial_workbench.engine.evaluation.results.machines import (
    best_of_charts,
    machine_results,
    machine_tables,
    node_expansions,
)
from spatial_workbench.engine.models import ModelSettings
from spatial_workbench.engine.store import Actor, Project, Transcript

LEVEL = resolve("machine_throw:1")[1]
TARGET = resolve("machine_throw:7")[1]


def verdict(metres, level=LEVEL, *, file=1, space=1, targets=None):
    validity = [Figure("file validity", file), *([Figure("spatial validity", space)] if file else [])]
    hit = [] if targets is None else [Figure("targets hit", targets)]
    figures = (*validity, Figure("R", 9 * metres, "m²"), Figure("distance", metres, "m"), *hit)
    score = min(1.0, metres / 25)
    return Verdict(instance=level.address, verifier="default", version="1", score=score, passed=True, figures=figures)


@pytest.fixture
def project(tmp_path):
    """At T2: birch throws 10 and 30 m, with one overlap and one list that cannot be read; Ada throws 147.2 m."""
    with Project.create(tmp_path / "machines.workbench") as opened:
        search = {"expanded": [4, 0, 2]}
        record = json.dumps({"workflow": "hierarchical", "options": {"strategy": "mcts"}, "searches": [search]})
        for judged in (verdict(10.0), verdict(30.0), verdict(0.0, space=0), verdict(0.0, file=0)):
            transcript = Transcript(kind="machine", record=record)
            opened.attempts.add(LEVEL, "{}", Actor.MODEL, "birch", verdicts=(judged,), transcript=transcript)
        opened.attempts.add(LEVEL, "{}", Actor.PERSON, "Ada", verdicts=(verdict(147.2),))
        yield opened


def tables(project, with_published=False, errors_are_zero=False):
    records = [replace(item, error_is_zero=errors_are_zero) for item in scored(project)]
    results = machine_results(project, records)
    return machine_tables(results, node_expansions(project), with_published)


def line(table, title):
    return next([cell.text for cell in line.cells] for line in table.lines if line.title == title)


def test_validity_means_maximum_and_deviation_stand_by_model_workflow_and_level(project):
    summary = tables(project)[0]
    assert line(summary, "birch")[0] == "Hierarchical design"
    assert line(summary, "birch")[2:] == ["4", "3/4", "2/3", "2/4", "20.0 m", "10.0 m", "30.0 m", "14.1 m"]


def test_people_and_models_are_ranked_together_by_metres_that_are_never_cut(project):
    ranking = tables(project)[1]
    assert [each.title for each in ranking.lines] == ["Ada", "birch"]
    assert line(ranking, "Ada")[:3] == ["1", "By hand", "147.2 m"]
    assert line(ranking, "birch")[:3] == ["2", "Hierarchical design", "30.0 m"]


def test_levels_with_targets_keep_the_score(project):
    project.attempts.add(TARGET, "{}", Actor.MODEL, "birch", verdicts=(verdict(25.0, TARGET, targets=1),))
    ranking = tables(project)[2]
    assert (ranking.headings[2].title, line(ranking, "birch")[2]) == ("Score", "1.00")


def test_a_best_of_n_curve_needs_two_samples_and_ends_at_the_maximum(project):
    (chart,) = best_of_charts(machine_results(project, scored(project)))
    assert [series.name for series in chart.series] == ["birch, hierarchical design"]
    assert len(chart.series[0].marks) == 4
    assert chart.rows[-1] == ("birch", "Hierarchical design", 4, 30.0)


def test_expansions_are_told_by_round_for_workflows_that_are_stored(project):
    expansions = next(table for table in tables(project) if table.title == "Node expansions per round")
    assert line(expansions, "birch") == ["Hierarchical design", "Tree search", "4", "6", "4", "0", "2"]


def test_published_tables_stand_apart_and_say_that_they_come_from_another_engine(project):
    published = [table for table in tables(project, with_published=True) if table.title.startswith("Published")]
    assert len(published) == 12
    assert all("another physics engine" in table.about for table in published)
    assert not any(line.is_published for table in tables(project) for line in table.lines)


def test_a_project_without_machines_says_how_they_come_about(tmp_path):
    with Project.create(tmp_path / "new.workbench") as project:
        section = next(section for section in read(project).sections if section.id == "machines")
    assert section.lacking.startswith("No machine is stored yet.")


def test_a_question_that_ended_with_an_error_is_no_machine_unless_errors_count_0(project):
    plan = BatchPlan(
        name="first",
        contenders=(Contender(settings=ModelSettings(name="cedar", model="cedar", base_url="http://localhost")),),
        addresses=(LEVEL.address,),
        agent=AgentPlan(kind="iterative"),
    )
    batch = project.batches.add("first", plan.model_dump_json(), [(0, LEVEL.address, LEVEL.task, 0, None)])
    project.database.execute("UPDATE items SET state = 'error', error = 'timeout' WHERE batch = ?", batch)
    assert "cedar" not in [line.title for line in tables(project)[0].lines]
    summary = tables(project, errors_are_zero=True)[0]
    assert line(summary, "cedar")[:4] == ["Iterative editing", "T2 · Walled", "1", "0/1"]
    assert line(summary, "cedar")[6:8] == ["–", "0.0 m"]


def test_a_transcript_that_cannot_be_read_has_no_searches(project):
    project.database.execute("UPDATE transcripts SET record = 'nothing'")
    assert node_expansions(project) == {}


def test_the_report_and_the_command_show_the_same_machines(project, tmp_path, capsys):
    path = str(project.path)
    assert main(["results", path, "--section", "machines", "--without-published"]) == 0
    assert "147.2 m" in capsys.readouterr().out
    assert main(["results", path, "--section", "machines", "--csv", str(tmp_path / "tables")]) == 0
    assert "147.2" in (tmp_path / "tables" / "machines-ranking-t2-walled.csv").read_text("utf-8")


def test_machines_are_in_the_html_report(project):
    from datetime import UTC, datetime

    text = report_html("machines", datetime.now(UTC), read(project, ResultsChoice(published=False)), {})
    assert "147.2 m" in text


def test_the_strips_of_subtasks_show_the_mean_metres_with_machines_that_are_not_valid_as_0(project):
    chart = subtask_chart(scored(project), "machine_throw", "Machines: throw")
    assert chart.about.startswith("Distance in m (the colour is the score)")
    assert {series.name: series.marks[0].text for series in chart.series} == {"Ada": "147.2", "birch": "10.0"}


def test_a_record_that_names_no_workflow_is_shown_as_a_single_question(project):
    project.database.execute("UPDATE transcripts SET record = '{}'")
    assert line(tables(project)[0], "birch")[0] == "Single question"
