"""Tables of results, read from a project: what stands beside what, and what is said about it."""

import csv
from dataclasses import replace

import pytest

from spatial_workbench.engine.core import Aid, Verdict, resolve
from spatial_workbench.engine.cube.agent import AgentKind, CubeSetting, EndReason
from spatial_workbench.engine.evaluation.results.chart_making import reading_chart
from spatial_workbench.engine.evaluation.results.charts import ChartTarget
from spatial_workbench.engine.evaluation.results.contents import ResultsChoice, read
from spatial_workbench.engine.evaluation.results.cube import cube_tables
from spatial_workbench.engine.evaluation.results.score_tables import generated_scores, published_scores
from spatial_workbench.engine.evaluation.results.sweep_table import sweep_table
from spatial_workbench.engine.evaluation.scored import Ending, Scored
from spatial_workbench.engine.evaluation.sweep import published_points
from spatial_workbench.engine.store import Actor, Project, Transcript
from tests.cube.test_agent_metrics import run
from tools.studio.quickstart import add_recorded_run
from tools.studio.results import add_example_results


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "results.workbench") as opened:
        yield opened


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """The results of an evaluation that was made up."""
    with Project.create(tmp_path_factory.mktemp("results") / "example.workbench") as opened:
        add_example_results(opened)
        yield opened


def item(task="shikaku", number=0, score=1.0, model="m", **rest):
    address = rest.pop("address", f"{task}:{number}")
    return Scored(task=task, address=address, number=number, model=model, score=score, passed=score == 1, **rest)


def line(table, title):
    return next(row for row in table.lines if row.title == title)


def cell(table, title, heading):
    place = [column.title for column in table.headings].index(heading)
    return line(table, title).cells[place]


def section(results, name):
    return next(part for part in results.sections if part.id == name)


def add_attempt(project, address, score, actor=Actor.MODEL, name="m", published=None):
    verdicts = [("default", score)] + ([("published", published)] if published is not None else [])
    stored = tuple(
        Verdict(instance=address, verifier=verifier, version="1", score=value, passed=value == 1)
        for verifier, value in verdicts
    )
    return project.attempts.add(resolve(address)[1], "{}", actor, name, None, stored)


def test_a_cell_has_the_mean_the_count_and_the_interval():
    mean = cell(published_scores([item(number=n) for n in range(4)]), "Shikaku rectangles", "m")
    assert (mean.text, mean.detail) == ("100.0", "n 4 of 6 · 51–100")


def test_a_cell_says_how_much_was_cut_off_and_by_what():
    items = [item(number=n, score=0.0, cut_off=what) for n, what in enumerate(("steps", "steps", "output limit", None))]
    mean = cell(published_scores(items), "Shikaku rectangles", "m")
    assert mean.detail.endswith(" · 3 cut off")
    assert "Cut off: 2 by steps, 1 by output limit." in mean.tip


def test_published_figures_stand_beside_ours_with_their_source():
    table = published_scores([item()])
    assert cell(table, "Shikaku rectangles", "GPT-5.2").text == "100.0"
    assert cell(table, "Shikaku rectangles", "Published in").text == "SCBench, table of accuracies"
    assert "Computed from" in cell(table, "Mean over tasks, unweighted", "Published in").text
    assert "effort=xhigh" in next(heading.tip for heading in table.headings if heading.title == "GPT-5.2")


def test_every_published_column_names_its_source():
    table = published_scores([])
    assert all("SCBench" in heading.tip for heading in table.headings if heading.is_published)
    assert sum(heading.is_published for heading in table.headings) == 6


@pytest.mark.parametrize("records", [[], [item()], [item("cube_full_symbolic")]])
def test_rows_stand_in_the_published_order_also_where_nothing_was_asked(records):
    lines = published_scores(records).lines
    assert [row.title for row in lines[:2]] == ["Topology enumeration", "Enumerate edges"]
    assert [row.title for row in lines if row.is_sum][:4] == ["Axiomatic", "Constructive", "Planning", "Overall"]


def test_known_ceilings_and_early_fail_are_marked_and_explained():
    table = published_scores([item()])
    delaunay = line(table, "Delaunay triangulation")
    assert "64.0 %" in delaunay.tip
    assert [note.mark for note in table.notes if "64.0 %" in note.text] == [delaunay.marks]
    assert "The published runs used early fail" in line(table, "Lego hemispherical shell").tip
    assert line(table, "Shikaku rectangles").marks == ""


def test_errors_and_what_was_not_asked_are_told_in_the_cell():
    states = (Ending.ERROR, Ending.NOT_ASKED)
    records = [item(number=n, score=None, state=state) for n, state in enumerate(states)]
    tip = cell(published_scores(records), "Shikaku rectangles", "m").tip
    assert "1 were not asked" in tip
    assert "In no mean: 1 error." in tip
    as_zero = [replace(record, error_is_zero=True) for record in records]
    assert "1 error counts 0." in cell(published_scores(as_zero), "Shikaku rectangles", "m").tip


def test_a_run_of_nothing_but_errors_has_no_score_and_says_so():
    errors = [item(number=n, score=None, state=Ending.ERROR) for n in range(3)]
    shown = cell(published_scores(errors), "Shikaku rectangles", "m")
    assert (shown.text, shown.detail) == ("–", "3 errors")
    assert shown.values == (None, None, None, 0, 6, 3, 3, 0, 0, 0, 0)


def test_generated_instances_have_a_table_of_their_own_without_published_figures():
    table = generated_scores([item(address="shikaku@7", number=None), item()])
    assert [heading.title for heading in table.headings] == ["m"]
    assert generated_scores([item()]) is None


def test_a_table_is_saved_with_full_precision_and_all_counts(tmp_path):
    published_scores([item(number=n, score=1 / 3) for n in range(3)], with_published=False).save_csv(tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(newline="", encoding="utf-8") as file:
        row = next(row for row in csv.DictReader(file) if row["Task"] == "Shikaku rectangles")
    assert float(row["m (%) score"]) == pytest.approx(1 / 3, abs=1e-12)
    assert (row["m (%) counted"], row["m (%) of"]) == ("3", "6")


def test_diagnostics_of_the_published_sweep_say_what_nobody_told():
    table = sweep_table(published_points())
    first = table.lines[0]
    assert (first.title, first.cells[0].text, first.cells[3].text) == ("Claude Sonnet 4.5 (published)", "1,025", "33.3")
    assert cell(table, "Claude Sonnet 4.5 (published)", "Errors").text == "–"


# The cube ----------------------------------------------------------------------------------------------------------


def test_the_cubes_rates_stand_beside_the_published_ones():
    table = cube_tables({"A": [run()] * 3 + [run(EndReason.TIMEOUT)]})[0]
    ours = next(cell for cell in line(table, "A").cells if cell.text != "–")
    assert (ours.text, ours.detail) == ("75", "n 4 · 30–95")
    titles = [row.title for row in table.lines]
    assert "GPT-5 (published)" in titles
    assert "GPT-5, ideal-solver (published)" in titles


def test_the_gaps_are_told_where_there_are_runs_of_both_sides():
    runs = [run(EndReason.STEP_LIMIT, depth=8)] * 5 + [run(depth=8, agent=AgentKind.STANDARD_SOLVER)] * 5
    gaps = cube_tables({"A": runs})[-1]
    assert gaps.lines[0].title.startswith("Tracking the state and planning")
    assert gaps.lines[0].cells[2].text == "+100"
    assert len(cube_tables({"A": [run(setting=CubeSetting.FACE_VIEW)]})) == 2


def test_what_is_wrong_in_the_cubes_paper_is_said():
    assert any("repeats the #MM values" in note.text for note in cube_tables({})[0].notes)


# The whole ---------------------------------------------------------------------------------------------------------


def test_an_empty_project_shows_published_results_and_says_what_to_do(project):
    results = read(project)
    assert results.is_empty
    assert "Evaluate › New batch" in section(results, "scores").lacking
    assert len(section(results, "scores").tables[0].lines) == 27


def test_people_and_batches_are_chosen(project):
    add_attempt(project, "shikaku:0", 1.0, Actor.PERSON, "Ada")
    add_attempt(project, "shikaku:0", 0.0)
    assert len(read(project).runs) == 2
    assert read(project, ResultsChoice(people=False)).runs == ("m",)
    assert read(project, ResultsChoice(batches=(7,))).is_empty


def scores_of(project, **choice):
    return section(read(project, ResultsChoice(**choice)), "scores").tables[0]


def test_an_overridden_score_is_marked_with_who_did_it_and_why(project):
    number = add_attempt(project, "two_segments:2", 0.0)
    project.judgements.override_score(number, 1.0, True, "the rule is ambiguous", "Ada")
    table = scores_of(project)
    marked = cell(table, "Two segments", "m")
    assert (marked.text, marked.detail.endswith("✎ 1")) == ("100.0", True)
    assert "two_segments:2: 0.00 → 1.00 by Ada: the rule is ambiguous" in marked.tip
    assert any("by Ada: the rule is ambiguous" in note.text for note in table.notes)


@pytest.mark.parametrize("verifier", ["default", "published"])
def test_the_figures_without_overrides_are_the_verifiers(project, verifier):
    number = add_attempt(project, "two_segments:2", 0.0, published=0.0)
    project.judgements.override_score(number, 1.0, True, "the rule is ambiguous", "Ada")
    plain = cell(scores_of(project, overrides=False, verifier=verifier), "Two segments", "m")
    assert (plain.text, "✎" in plain.detail) == ("0.0", False)
    assert cell(scores_of(project, verifier=verifier), "Two segments", "m").text == "100.0"


def test_an_override_without_a_verdict_leaves_no_score_when_overrides_are_left_out(project):
    number = project.attempts.add(resolve("two_segments:2")[1], "{}", Actor.MODEL, "m")
    project.judgements.override_score(number, 1.0, True, "seen by hand", "Ada")
    assert cell(scores_of(project, overrides=False), "Two segments", "m").detail == "1 waiting to be checked"


def test_attempts_with_solving_aids_are_left_out_unless_asked_for_and_never_mixed_in(project):
    instance = resolve("two_segments:2")[1]
    add_attempt(project, "two_segments:1", 0.0, Actor.PERSON, "Ada")
    project.drafts.add_aid(instance, "Load reference solution", Aid.SOLVING, 3.0, "Ada")
    add_attempt(project, "two_segments:2", 1.0, Actor.PERSON, "Ada")
    results = read(project)
    assert cell(section(results, "scores").tables[0], "Two segments", "Ada").text == "0.0"
    assert results.remarks == ("1 attempt was made with solving aids and is left out.",)
    both = scores_of(project, helped=True)
    assert [cell(both, "Two segments", name).text for name in ("Ada", "Ada (with help)")] == ["0.0", "100.0"]


def test_only_overrides_of_the_chosen_attempts_are_said_not_to_count(project):
    for actor in (Actor.MODEL, Actor.PERSON):
        project.judgements.override_score(
            add_attempt(project, "two_segments:2", 0.0, actor, "m"), 1.0, True, "ambiguous", "Ada"
        )
    remarks = [read(project, ResultsChoice(overrides=False, people=people)).remarks for people in (True, False)]
    assert remarks == [("2 overrides do not count.",), ("1 override does not count.",)]


def test_runs_can_be_judged_by_the_published_verifiers(project):
    add_attempt(project, "two_segments:2", 1.0, published=0.0)

    def score(verifier):
        table = section(read(project, ResultsChoice(verifier=verifier)), "scores").tables[0]
        return cell(table, "Two segments", "m").text

    assert (score("default"), score("published")) == ("100.0", "0.0")


def test_a_run_that_cannot_be_read_is_named_and_the_rest_is_shown(project):
    _, instance = resolve("cube_full_symbolic:0")
    number = project.attempts.add(instance, "", Actor.MODEL, transcript=Transcript(kind="cube", record="{}"))
    add_recorded_run(project)
    results = read(project)
    assert results.remarks == (f"The run of attempt {number} cannot be read and is left out.",)
    assert section(results, "cube").charts[0].series[0].name == "Scripted agent"


@pytest.mark.slow
def test_an_evaluation_fills_every_section_of_which_it_asked_something(example):
    results = read(example)
    assert [part.id for part in results.sections] == [
        *("scores", "leaderboard", "fronts", "subtasks", "failures", "sweep", "cube", "machines", "puzzles"),
        "generated",
        "settings",
    ]
    assert [part.id for part in results.sections if part.lacking] == ["machines", "puzzles"]
    assert len(section(results, "subtasks").charts) == 23


@pytest.mark.slow
def test_runs_under_a_budget_stand_in_the_sweep_and_not_among_the_scores(example):
    results = read(example)
    titles = [heading.title for heading in section(results, "scores").tables[0].headings]
    assert "birch" in titles
    assert not any(title.startswith("birch-") for title in titles)
    assert section(results, "sweep").charts[0].series[0].name == "birch"


@pytest.mark.slow
def test_what_people_did_is_no_failure_of_a_model(example):
    titles = [row.title for row in section(read(example), "failures").tables[0].lines]
    assert "Ada" not in titles


def test_how_answers_were_read_is_told_for_each_run_and_with_each_score():
    records = [
        *(item(number=n, how_read="as it is") for n in range(3)),
        item(number=3, how_read="mended"),
        item(number=4, score=None, state=Ending.ERROR, how_read="error"),
        item(number=5, score=None, state=Ending.UNFINISHED),
    ]
    chart = reading_chart(records)
    assert chart.rows == (("m", False, 3, 1, 0, 0, 0, 0, 0, 1),)
    widths = {series.name: series.marks[0].width for series in chart.series}
    assert (widths["as it is"], widths["mended"], widths["error"], sum(widths.values())) == (0.6, 0.2, 0.2, 1.0)
    assert chart.series[1].marks[0].target == ChartTarget(model="m", tools=False, how_read="mended")
    assert "Read: 3 as it is, 1 mended, 1 error." in cell(published_scores(records), "Shikaku rectangles", "m").tip
    assert reading_chart([]).is_empty
