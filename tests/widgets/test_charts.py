"""Charts: their data, and the widget that shows them."""

import csv

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtSvg import QSvgRenderer

from spatial_workbench.engine.cube.agent import AgentKind, CubeSetting, EndReason, RunRecord
from spatial_workbench.engine.evaluation.results.chart_making import (
    depth_chart,
    failure_chart,
    subtask_chart,
    sweep_chart,
)
from spatial_workbench.engine.evaluation.results.charts import Kind, natural, nice_ticks, short
from spatial_workbench.engine.evaluation.scored import Ending, Scored
from spatial_workbench.engine.evaluation.sweep import sweep_points

EVASION = "Evasion / Forfeit"
NEAR_MISS = "Near-Miss Edge Case"


def item(number=0, score=1.0, model="m", task="shikaku", **rest):
    return Scored(task=task, address=f"{task}:{number}", number=number, model=model, score=score, **rest)


def failures(evasions, near_misses, **rest):
    labels = [EVASION] * evasions + [NEAR_MISS] * near_misses
    return [item(n, 0.0, failure_mode=label, text_length=1, **rest) for n, label in enumerate(labels)]


def run(depth=1, solved=True):
    return RunRecord(
        state="",
        depth=depth,
        setting=CubeSetting.FULL_SYMBOLIC,
        agent=AgentKind.BASIC,
        uses_code=True,
        reward="no_reward",
        end=EndReason.SOLVED if solved else EndReason.STEP_LIMIT,
        moves=(),
        steps=(),
        views=0,
        invalid=0,
        seconds=1.0,
        terminal_reward=1.0,
    )


def sweep(*budgets, **rest):
    return sweep_points(
        item(model=f"m-{b}", task="two_segments", budget=b, output_tokens=b // 2, **rest) for b in budgets
    )


def test_a_sweep_has_a_line_a_model_with_the_published_ones_dashed():
    chart = sweep_chart(sweep(1024, 4096))
    assert [(series.name, series.dashed) for series in chart.series] == [
        ("m", False),
        ("Claude Sonnet 4.5 (published)", True),
        ("GPT-5.2 (published)", True),
    ]
    assert [(mark.x, mark.y, mark.text) for mark in chart.series[0].marks] == [(512, 1.0, "1k"), (2048, 1.0, "4k")]


def test_each_point_of_a_sweep_has_its_interval_and_says_what_it_rests_on():
    mark = sweep_chart(sweep(1024)).series[0].marks[0]
    assert mark.low < 0.3
    assert mark.high == 1.0
    assert "1 of 75 subtasks" in mark.tip


def test_a_point_whose_tokens_nobody_told_is_in_the_table_and_not_in_the_picture():
    points = sweep_points([item(model="m-64", task="two_segments", budget=64)])
    chart = sweep_chart(points, with_published=False)
    assert (chart.is_empty, chart.rows[0][:3]) == (True, ("m", 64, None))


def test_failure_modes_of_a_run_fill_its_bar_and_small_shares_have_no_text():
    chart = failure_chart(failures(24, 1) * 1 + failures(0, 0), with_published=False)
    evasion, near_miss = (
        next(series for series in chart.series if series.name == name) for name in (EVASION, NEAR_MISS)
    )
    assert (evasion.marks[0].text, near_miss.marks[0].text) == ("96 %", "4 %")
    assert sum(series.marks[0].width for series in chart.series) == pytest.approx(1.0)
    chart = failure_chart(failures(25, 1), with_published=False)
    assert next(series for series in chart.series if series.name == NEAR_MISS).marks[0].text == ""


def test_runs_with_and_without_tools_stand_side_by_side():
    chart = failure_chart([*failures(1, 0), *failures(1, 0, tools=True)])
    assert [text for _, text in chart.y.ticks][:3] == [
        "m  n=1",
        "m (tools)  n=1",
        "Claude Sonnet 4.5, no tools (published)  n=190",
    ]


def test_a_segment_leads_to_the_attempts_of_its_run_and_label_and_a_published_one_nowhere():
    chart = failure_chart(failures(1, 0, tools=True))
    segment, published, *_ = chart.series[0].marks
    assert (segment.target.model, segment.target.tools, segment.target.label) == ("m", True, EVASION)
    assert published.target is None


def test_subtasks_are_cells_that_average_repeats_and_lead_to_the_last_attempt():
    chart = subtask_chart([item(0, 1.0, attempt=4), item(0, 0.5, repeat=1, attempt=9), item(3, 0.0)], "shikaku", "S")
    cell = chart.series[0].marks[0]
    assert (cell.text, cell.target.attempt, [text for _, text in chart.x.ticks]) == ("0.75", 9, ["0", "3"])


def test_an_error_and_a_subtask_that_was_not_asked_are_told_apart_by_a_sign_too():
    states = [Ending.ERROR, Ending.NOT_ASKED]
    chart = subtask_chart(
        [item(n, None, state=state, error="timeout") for n, state in enumerate(states)], "shikaku", ""
    )
    assert [mark.text for mark in chart.series[0].marks] == ["!", "–"]
    assert "timeout" in chart.series[0].marks[0].tip


def test_a_subtask_that_one_run_was_never_given_is_no_cell():
    chart = subtask_chart([item(0), item(1, model="other")], "shikaku", "")
    assert [mark.width > 0 for mark in chart.series[0].marks] == [True, False]


def test_pass_rates_by_depth_have_wide_intervals_where_runs_are_few():
    chart = depth_chart({"A": [run(1), run(1), run(2, solved=False)]})
    first, second = chart.series[0].marks
    assert (first.y, second.y, [text for _, text in chart.x.ticks]) == (1.0, 0.0, ["1", "2"])
    assert first.low < 0.4
    assert second.high > 0.7


def test_arrow_keys_go_along_a_row_and_from_row_to_row():
    cells = subtask_chart([item(0), item(1), item(1, model="z")], "shikaku", "")
    assert cells.neighbour(None, 1, 0) == (0, 0)
    assert cells.neighbour((0, 0), 1, 0) == (0, 1)
    assert cells.neighbour((0, 1), 0, 1) == (1, 1)
    assert cells.neighbour((0, 1), 1, 0) == (0, 1)


def test_arrow_keys_pass_over_segments_of_no_width():
    bars = failure_chart(failures(1, 1), with_published=False)
    assert bars.neighbour((0, 0), 1, 0) == (2, 0)


def test_budgets_and_tokens_are_short():
    assert [short(value) for value in (850, 1024, 4096, 65536, 64000, 1_500_000)] == [
        *("850", "1k", "4k", "64k", "64k"),
        "1.5M",
    ]
    assert [text for _, text in nice_ticks(300, 3000)] == ["500", "1k", "2k"]


def test_names_with_numbers_are_sorted_as_people_do():
    names = ["run-32768", "Run-4096", "ada"]
    assert sorted(names, key=natural) == ["ada", "Run-4096", "run-32768"]


def test_a_chart_says_all_its_marks_to_screen_readers():
    assert "m, subtask 0: score 1.00." in subtask_chart([item()], "shikaku", "").description


@pytest.fixture
def view(qtbot):
    from spatial_workbench.widgets.charts.view import ChartView

    view = ChartView()
    view.resize(800, 400)
    qtbot.addWidget(view)
    view.show()
    return view


CHARTS = {
    "sweep": lambda: sweep_chart(sweep(1024, 4096)),
    "failures": lambda: failure_chart(failures(3, 2)),
    "subtasks": lambda: subtask_chart([item(0, attempt=7), item(1, 0.5)], "shikaku", "Shikaku"),
    "depth": lambda: depth_chart({"A": [run(1), run(8)]}),
}


@pytest.mark.parametrize("name", CHARTS)
def test_any_chart_is_saved_as_picture_drawing_and_table(name, view, tmp_path):
    chart = CHARTS[name]()
    view.set_chart(chart)
    view.files.save_png(tmp_path / "chart.png")
    view.files.save_svg(tmp_path / "chart.svg")
    view.files.save_csv(tmp_path / "chart.csv")
    assert (tmp_path / "chart.png").read_bytes()[:4] == b"\x89PNG"
    assert QSvgRenderer(str(tmp_path / "chart.svg")).isValid()
    assert chart.title in (tmp_path / "chart.svg").read_text("utf-8")
    with (tmp_path / "chart.csv").open(newline="", encoding="utf-8") as file:
        assert next(csv.reader(file)) == list(chart.header)


def test_a_click_on_a_segment_tells_the_run_and_the_label(view, qtbot):
    view.set_chart(failure_chart(failures(3, 2)))
    with qtbot.waitSignal(view.chosen) as heard:
        view.click_at(view.place_of((0, 0)))
    assert (heard.args[0].model, heard.args[0].label) == ("m", EVASION)


def test_a_click_on_a_cell_tells_the_attempt_and_one_beside_all_cells_tells_nothing(view, qtbot):
    view.set_chart(CHARTS["subtasks"]())
    with qtbot.waitSignal(view.chosen) as heard:
        view.click_at(view.place_of((0, 0)))
    assert heard.args[0].attempt == 7
    with qtbot.assertNotEmitted(view.chosen):
        view.click_at(QPointF(1, 1))


def test_the_keyboard_reaches_every_mark_and_says_what_it_is(view, qtbot):
    view.set_chart(CHARTS["subtasks"]())
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.current.tip in view.accessibleDescription()
    with qtbot.waitSignal(view.chosen) as heard:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert heard.args[0].attempt == 7


def test_a_chart_is_cells_lines_or_bars():
    assert {CHARTS[name]().kind for name in CHARTS} == set(Kind)
