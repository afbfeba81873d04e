"""The Results page in a real window."""

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QToolButton

from spatial_workbench.app.background import project_service
from spatial_workbench.app.background.jobs import BackgroundJob
from spatial_workbench.app.results.comparing import ComparisonDialog
from spatial_workbench.app.results.page import ResultsPage
from spatial_workbench.app.runs.page import RunsPage
from spatial_workbench.engine.core import Verdict, resolve
from spatial_workbench.engine.evaluation.comparing.sets import set_of_run
from spatial_workbench.engine.evaluation.results.charts import ChartTarget
from spatial_workbench.engine.evaluation.results.contents import read
from spatial_workbench.engine.evaluation.results.tables import Heading, Table, TableCell, TableLine
from spatial_workbench.engine.puzzles.judging import STORED, StepVerdict
from spatial_workbench.engine.store import Actor, JudgementSource, Project, RunFilter, StepJudge
from spatial_workbench.widgets.tables.table_view import TableCard
from tools.studio.results import add_example_results

WAIT_MS = 30_000


@pytest.fixture
def page(window, qtbot):
    """The page on an empty project."""
    return open_page(window, qtbot)


class Here:
    """A lane that works at once, in this process."""

    def __init__(self, name, parent):
        self.parent = parent

    def run(self, label, function, *arguments, done, failed, **rest):
        value = function(*arguments)
        QTimer.singleShot(0, self.parent, lambda: done(value))
        return BackgroundJob(label, function, arguments, done, failed, done, lane=self)

    waiting = ()
    current = None

    def close(self):
        pass


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    """A project with an evaluation that was made up."""
    path = tmp_path_factory.mktemp("evaluated") / "evaluated.workbench"
    with Project.create(path) as project:
        add_example_results(project)
    return path


@pytest.fixture
def filled(open_window, evaluated, qtbot, monkeypatch):
    """The page on an evaluation that was made up, read without a process of its own."""
    monkeypatch.setattr("spatial_workbench.app.results.page.Lane", Here)
    return open_page(open_window(evaluated), qtbot)


def open_page(window, qtbot):
    window.actions_registry["runs.results"].trigger()
    page = window.tabs.currentWidget()
    assert isinstance(page, ResultsPage)
    qtbot.waitUntil(lambda: page.results is not None and page.is_idle, timeout=WAIT_MS)
    return page


def shown(page):
    return page.area.widget()


@pytest.mark.slow
def test_an_empty_project_says_what_to_do_and_shows_the_published_results(page):
    assert "Evaluate › New batch" in shown(page).section.lacking
    assert shown(page).cards[0].grid.model().rowCount() == 27


@pytest.mark.slow
def test_the_page_follows_the_project_and_there_is_one_of_it(page, window, qtbot):
    window.project.tell(add_example_results, announce=True)
    qtbot.waitUntil(lambda: page.results.attempts > 1000, timeout=WAIT_MS)
    assert not shown(page).section.lacking
    window.actions_registry["runs.results"].trigger()
    assert window.tabs.count() == 2


def test_reading_the_results_is_no_change_that_has_to_be_read_again(page, window, qtbot):
    shown_first = page.results
    qtbot.wait(2 * project_service.WATCH_MS)
    assert page.is_idle
    assert page.results is shown_first


@pytest.mark.slow
def test_every_section_can_be_looked_at_in_both_themes(filled):
    window = filled.window()
    for _ in range(2):
        for i in range(filled.sections.count()):
            filled.sections.setCurrentIndex(i)
            assert shown(filled).section.id == filled.sections.tabData(i)
        window.actions_registry["view.theme"].trigger()


@pytest.mark.slow
def test_a_batch_is_chosen_and_its_runs_alone_are_shown(filled, qtbot):
    filled.bar.batches.set_chosen(["1"])
    filled.load()
    qtbot.waitUntil(lambda: filled.results.choice.batches == (1,) and filled.is_idle, timeout=WAIT_MS)
    assert len(filled.results.runs) == 1


@pytest.mark.slow
def test_a_click_on_a_failure_mode_lists_its_attempts(filled):
    window = filled.window()
    filled.show_section("failures")
    shown(filled).chosen.emit(ChartTarget(model="birch", tools=False, label="Evasion / Forfeit"))
    runs = window.tabs.currentWidget()
    assert isinstance(runs, RunsPage)
    assert (runs.filters.run_filter.who, runs.filters.run_filter.labels) == (("birch",), ("Evasion / Forfeit",))


@pytest.mark.slow
@pytest.mark.parametrize(("model", "is_helped"), [("birch", False), ("birch (with help)", True), ("", None)])
def test_what_a_chart_lists_are_the_attempts_that_it_counts(filled, model, is_helped):
    window = filled.window()
    filled.show_section("failures")
    shown(filled).chosen.emit(ChartTarget(model=model, label="Evasion / Forfeit"))
    assert window.tabs.currentWidget().filters.run_filter.is_helped is is_helped


@pytest.mark.slow
def test_a_click_on_a_cell_shows_the_attempt(filled):
    window = filled.window()
    filled.show_section("subtasks")
    shown(filled).chosen.emit(ChartTarget(attempt=5, model="aspen-large", tools=False))
    assert isinstance(window.tabs.currentWidget(), RunsPage)


@pytest.mark.slow
def test_another_task_is_chosen_among_the_subtasks(filled):
    filled.show_section("subtasks")
    view = shown(filled)
    view._chooser.setCurrentIndex(3)
    assert view.charts[0].chart.title == view.section.charts[3].title


@pytest.mark.slow
def test_a_table_is_copied_for_a_spreadsheet_and_saved(filled, tmp_path):
    card = shown(filled).cards[0]
    card.copy()
    header = QGuiApplication.clipboard().text().splitlines()[0].split("\t")
    assert header[0] == "Task"
    assert "Ada (%) score" in header
    card.grid.selectRow(0)
    card.copy()
    assert len(QGuiApplication.clipboard().text().splitlines()) == 1
    card.save_to(tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_text("utf-8").startswith("Task,")


def test_published_columns_come_first_and_stay_in_sight_beside_many_runs(qtbot):
    theirs = [Heading(f"published {k}", is_published=True) for k in range(3)]
    ours = [Heading(f"run {k}") for k in range(12)]
    line = TableLine("Lego", tuple(TableCell(str(k)) for k in range(15)))
    card = TableCard(Table("Scores", "Task", (*theirs, *ours), (line,), pinned=3))
    qtbot.addWidget(card)
    card.resize(900, 200)
    card.show()
    grid = card.grid
    assert grid.pinned_px == sum(grid.columnWidth(column) for column in range(3))
    grid.scrollTo(grid.model().index(0, 14))
    grid.scrollTo(grid.model().index(0, 3))
    assert grid.visualRect(grid.model().index(0, 3)).left() == grid.pinned_px
    card.resize(400, 200)
    assert grid.pinned_px == 0


def test_what_a_table_says_stands_above_it(qtbot):
    table = Table("Scores", "Task", (Heading("run"),), (TableLine("Lego", (TableCell("1"),)),), words="All is <well>.")
    card = TableCard(table)
    qtbot.addWidget(card)
    card.show()
    (label,) = [label for label in card.findChildren(QLabel) if label.text() == "All is <well>."]
    assert label.geometry().bottom() <= card.grid.geometry().top()


@pytest.mark.slow
def test_published_scores_are_the_first_columns(filled):
    table = shown(filled).cards[0].table
    assert [heading.is_published for heading in table.headings[: table.pinned]] == [True] * 6
    assert not table.headings[table.pinned].is_published


@pytest.mark.slow
def test_a_table_that_cannot_be_written_is_told(filled, tmp_path, qtbot):
    with qtbot.waitSignal(filled.message) as heard:
        shown(filled).cards[0].save_to(tmp_path / "nowhere" / "table.csv")
    assert "could not be written" in heard.args[0]


def test_the_report_is_written_in_the_background(page, qtbot, tmp_path):
    page.saving.save_to(tmp_path / "report.html")
    assert not page.saving.button.isEnabled()
    qtbot.waitUntil(lambda: "report.html" in page.note.text())
    assert "Budget sweep" in (tmp_path / "report.html").read_text("utf-8")


# The leaderboard ------------------------------------------------------------------------------------------------


@pytest.fixture
def board(filled):
    """The card of the leaderboard."""
    filled.show_section("leaderboard")
    return shown(filled).cards[0]


def column_of(card, title):
    return [heading.title for heading in card.table.headings].index(title)


def titles(card):
    model = card.grid.model()
    return [model.headerData(row, Qt.Orientation.Vertical) for row in range(model.rowCount())]


@pytest.mark.slow
def test_a_click_on_a_column_sorts_the_leaderboard_by_it_and_another_click_turns_it_round(board):
    first = titles(board)
    scores = column_of(board, "Score")
    board.grid.horizontalHeader().sectionClicked.emit(scores)
    by_score = [line.cells[scores].values[0] for line in board.table.lines]
    assert by_score == sorted(by_score, reverse=True)
    board.grid.horizontalHeader().sectionClicked.emit(scores)
    assert [line.cells[scores].values[0] for line in board.table.lines] == by_score[::-1]
    board.grid.horizontalHeader().sectionClicked.emit(column_of(board, "Rank"))
    assert titles(board) == first


@pytest.mark.slow
def test_unknown_prices_are_last_in_either_order(board):
    place = column_of(board, "Cost")
    for _ in range(2):
        board.grid.horizontalHeader().sectionClicked.emit(place)
        known = [line.cells[place].values[0] is not None for line in board.table.lines]
        assert known == sorted(known, reverse=True)


@pytest.mark.slow
def test_the_names_of_runs_are_sorted_by_a_click_on_their_title(board, qtbot):
    qtbot.mouseClick(board.grid.findChild(QLabel), Qt.MouseButton.LeftButton)
    assert titles(board) == sorted(titles(board), key=str.casefold)


@pytest.mark.slow
def test_the_order_stays_when_the_results_are_read_again(filled, board, qtbot):
    board.sort_by(column_of(board, "Tokens"), descending=True)
    order = titles(board)
    filled.bar.overrides.setChecked(False)
    qtbot.waitUntil(lambda: not filled.results.choice.overrides and filled.is_idle, timeout=WAIT_MS)
    filled.bar.errors.setChecked(True)
    qtbot.waitUntil(lambda: shown(filled).cards[0] is not board and filled.is_idle, timeout=WAIT_MS)
    assert titles(shown(filled).cards[0]) == order


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "begin"), [("latex", "% Needs"), ("markdown", "### "), ("html", "<!")])
def test_a_table_is_saved_for_documents_in_the_order_that_is_shown(board, tmp_path, kind, begin):
    board.sort_by(-1, descending=True)
    board.save_document_to(tmp_path / "table", kind)
    text = (tmp_path / "table").read_text("utf-8")
    places = [text.rindex(title) for title in ("birch-8192", "Ada")]
    assert (text.lstrip().startswith(begin), places == sorted(places)) == (True, True)


@pytest.mark.slow
def test_a_table_is_copied_as_latex(board):
    menu = board.findChild(QToolButton).menu()
    next(action for action in menu.actions() if action.text() == "Copy as LaTeX").trigger()
    assert "\\toprule" in QGuiApplication.clipboard().text()


def test_the_leaderboard_of_an_empty_project_says_what_to_do(page):
    page.show_section("leaderboard")
    assert "Evaluate › New batch" in shown(page).section.lacking
    page.show_section("fronts")
    assert "Prices are part of a model's settings" in shown(page).section.lacking


# Comparing -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory):
    """A project in which oak solves three subtasks, and elm two, one of them another one."""
    path = tmp_path_factory.mktemp("two") / "two.workbench"
    with Project.create(path) as project:
        for name, scores in (("elm", (1.0, 0.0, 0.0, 1.0)), ("oak", (1.0, 1.0, 1.0, 0.0))):
            for number, score in enumerate(scores):
                address = f"shikaku:{number}"
                verdict = Verdict(instance=address, verifier="default", version="1", score=score, passed=score == 1)
                published = Verdict(instance=address, verifier="published", version="3", score=0, passed=False)
                verdicts = (verdict, published) if name == "oak" and score else (verdict,)
                project.attempts.add(resolve(address)[1], "{}", Actor.MODEL, name, None, verdicts)
    return path


@pytest.fixture
def comparison(open_window, two_runs, qtbot, monkeypatch):
    """The dialog on two runs, filled without a process of its own."""
    monkeypatch.setattr("spatial_workbench.app.results.page.Lane", Here)
    page = open_page(open_window(two_runs), qtbot)
    page.compare.click()
    dialog = page.comparing.dialog
    qtbot.waitUntil(lambda: dialog.area.widget() is not None, timeout=WAIT_MS)
    yield dialog
    dialog.close()


def settled(dialog, qtbot, act):
    """Does something, waits for another comparison, and gives its first table."""
    before = dialog.area.widget()
    act()
    qtbot.waitUntil(lambda: dialog.area.widget() not in (None, before), timeout=WAIT_MS)
    return dialog.area.widget().cards[0].table


def typed(box, text):
    """Types into a box, as a person does who then presses Return."""
    box.sets.setCurrentText(text)
    box.sets.lineEdit().editingFinished.emit()


@pytest.mark.slow
def test_two_runs_are_compared_as_soon_as_they_are_chosen(comparison):
    assert [one.title for one in comparison.asked] == ["elm", "oak"]
    table = comparison.area.widget().cards[0].table
    assert table.rows[0][:5] == ["All subtasks in common", 4, 4, 0.5, 0.75]
    assert "can be chance" in table.words


@pytest.mark.slow
def test_exchanging_the_sets_turns_the_difference_round(comparison, qtbot):
    table = settled(comparison, qtbot, comparison.findChild(QToolButton).click)
    assert [one.title for one in comparison.asked] == ["oak", "elm"]
    assert table.rows[0][5] == 0.25


@pytest.mark.slow
def test_a_run_is_not_compared_with_itself(comparison):
    typed(comparison.first, "oak")
    assert comparison.note.text().startswith("Choose two different sets")
    assert (comparison.area.widget(), comparison.asked) == (None, None)


@pytest.mark.slow
def test_what_is_typed_selects_attempts(comparison, qtbot):
    table = settled(comparison, qtbot, lambda: typed(comparison.first, "attempts=5-8 passed=yes"))
    assert table.headings[1].title == "attempts=5-8 passed=yes"
    assert table.rows[0][1:5] == [3, 3, 1.0, 1.0]
    assert table.notes[-1].text == "3 attempts are in both sets."


def test_what_is_no_set_is_said_in_a_sentence(comparison):
    typed(comparison.first, "batches=3")
    assert comparison.note.text().startswith("There is no field “batches”; there are run, attempts, verifier, task")


@pytest.mark.slow
def test_the_same_attempts_are_compared_under_two_verifiers(comparison, qtbot):
    typed(comparison.first, "oak")
    judges = comparison.first.judges
    assert [judges.itemText(k) for k in range(judges.count())] == [
        "as in Results",
        "by default 1 · 8",
        "by published 3 · 3",
    ]
    table = settled(comparison, qtbot, lambda: judges.setCurrentIndex(2))
    assert [one.title for one in comparison.asked] == ["oak · published@3", "oak"]
    assert table.rows[0][1:5] == [3, 3, 0.0, 1.0]


@pytest.mark.slow
def test_a_flipped_subtask_opens_both_attempts_side_by_side(comparison, qtbot):
    flips = comparison.area.widget().cards[1]
    assert flips.table.title == "Flipped subtasks"
    with qtbot.waitSignal(comparison.pair_requested, timeout=WAIT_MS) as asked:
        flips.grid.activated.emit(flips.grid.model().index(0, 0))
    assert list(asked.args) == list(flips.table.lines[0].attempts)


@pytest.mark.parametrize(("runs", "words"), [((), "There are no runs yet."), (("oak",), "There is only one run.")])
def test_without_two_runs_the_dialog_says_what_to_do(qtbot, runs, words):
    asked = []
    dialog = ComparisonDialog([set_of_run(run) for run in runs], (), lambda *sets: asked.append(sets))
    qtbot.addWidget(dialog)
    assert (words in dialog.note.text(), asked) == (True, [])


@pytest.mark.slow
def test_a_list_of_the_runs_browser_is_compared_with_one_that_was_set_aside(open_window, two_runs, qtbot, monkeypatch):
    monkeypatch.setattr("spatial_workbench.app.results.page.Lane", Here)
    window = open_window(two_runs)
    window.actions_registry["runs.browse"].trigger()
    page = window.tabs.currentWidget()
    menu = page.buttons.sets_menu
    for name in ("elm", "oak"):
        page.filters.set_filter(RunFilter(who=(name,)))
        qtbot.waitUntil(lambda: page.is_listed and len(page.model.numbers) == 4, timeout=WAIT_MS)
        page.buttons.show_selection()
        (menu.compare_list if menu.compare_list.isEnabled() else menu.set_list_aside).trigger()
    dialog = window.tabs.currentWidget().comparing.dialog
    qtbot.waitUntil(lambda: dialog.area.widget() is not None, timeout=WAIT_MS)
    table = dialog.area.widget().cards[0].table
    assert [heading.title for heading in table.headings[1:3]] == ["Who: elm (4)", "Who: oak (4)"]
    assert table.rows[0][:5] == ["All subtasks in common", 4, 4, 0.5, 0.75]
    dialog.close()
    # The window would remember the filter.
    page.filters.clear()


@pytest.fixture
def lazy(open_window, evaluated, qtbot, monkeypatch):
    """The page on a project whose attempts count as many."""
    monkeypatch.setattr("spatial_workbench.app.results.page.Lane", Here)
    monkeypatch.setattr("spatial_workbench.app.results.report.MANY_ATTEMPTS", 0)
    return open_page(open_window(evaluated), qtbot)


def read_ids(page):
    return {section.id for section in page.results.sections if section.is_read}


@pytest.mark.slow
def test_of_many_attempts_a_section_is_read_when_it_is_looked_at(lazy, filled_sections, qtbot):
    assert "scores" in read_ids(lazy)
    assert not read_ids(lazy) & {"leaderboard", "fronts", "subtasks", "machines", "puzzles"}
    lazy.show_section("leaderboard")
    assert "Reading Leaderboard" in lazy.area.widget().text()
    qtbot.waitUntil(lambda: lazy.is_idle)
    assert shown(lazy).section == filled_sections["leaderboard"]
    assert read_ids(lazy) >= {"scores", "leaderboard", "fronts"}


@pytest.mark.slow
def test_sections_that_were_read_one_by_one_are_those_that_are_read_at_once(lazy, filled_sections, qtbot):
    assert [section.id for section in lazy.results.sections] == list(filled_sections)
    for name in filled_sections:
        lazy.show_section(name)
        qtbot.waitUntil(lambda: lazy.is_idle)
    assert {section.id: section for section in lazy.results.sections} == filled_sections


@pytest.mark.slow
def test_the_section_that_is_looked_at_is_the_one_that_is_read_again(lazy, qtbot):
    lazy.show_section("failures")
    qtbot.waitUntil(lambda: lazy.is_idle)
    lazy.load()
    qtbot.waitUntil(lambda: lazy.is_idle)
    assert shown(lazy).section.id == "failures"
    assert "scores" not in read_ids(lazy)


@pytest.fixture(scope="module")
def filled_sections(evaluated):
    """All sections of the evaluation by their ids, read at once."""
    with Project.open(evaluated) as project:
        return {section.id: section for section in read(project).sections}


@pytest.fixture
def judged(open_window, tmp_path, qtbot):
    """The page on two attempts at puzzles: oak has judged one and failed on the other, Ada has ticked both."""
    path = tmp_path / "judged.workbench"
    with Project.create(path) as project:
        instances = [resolve(f"puzzle_hunt:{number}")[1] for number in (5, 4)]
        first, second = (project.attempts.add(instance, "x", Actor.MODEL, "birch") for instance in instances)
        for number, instance, met in ((first, instances[0], (True, False, False, False)), (second, instances[1], ())):
            steps = STORED.dump_json(tuple(StepVerdict(correct=is_met) for is_met in met)).decode()
            version = str(instance.parameters["version"])
            project.puzzles.add_step_judgement(
                number, StepJudge(source=JudgementSource.JUDGE, name="oak"), steps, version
            )
            ticked = STORED.dump_json((StepVerdict(correct=True, decided_by="person"),) * 4).decode()
            project.puzzles.add_step_judgement(
                number, StepJudge(source=JudgementSource.PERSON, name="Ada"), ticked, version
            )
    return open_page(open_window(path), qtbot)


@pytest.mark.slow
def test_the_judge_of_steps_is_chosen_and_says_what_it_read_and_failed_on(judged, qtbot):
    judged.show_section("puzzles")
    chooser = judged.bar.step_judge
    assert [chooser.itemText(k) for k in range(chooser.count())] == [
        "Steps judged by: who read most",
        "Steps judged by: oak",
        "Steps judged by: Ada (by hand)",
    ]
    (words,) = shown(judged).section.words
    assert "oak alone, who read 1 of 2 attempts; 1 could not be judged" in words
    chooser.setCurrentIndex(2)
    qtbot.waitUntil(lambda: judged.results.choice.step_judge == chooser.itemData(2) and judged.is_idle, timeout=WAIT_MS)
    (words,) = shown(judged).section.words
    assert "Ada (by hand) alone, who read 2 of 2 attempts" in words
    assert shown(judged).cards[0].table.lines[0].cells[3].text == "100.0"


@pytest.mark.slow
def test_the_chosen_judge_stays_while_the_project_grows_and_gives_way_when_it_is_gone(judged, qtbot):
    bar = judged.bar
    bar.step_judge.setCurrentIndex(2)
    ada = bar.choice.step_judge
    bar.offer_step_judges([("1", "oak (a)"), ("2", "oak (b)"), (ada, "Ada (by hand)")])
    assert bar.choice.step_judge == ada
    with qtbot.waitSignal(bar.changed):
        bar.offer_step_judges([("1", "oak")])
    assert bar.choice.step_judge == ""


def test_the_choices_fit_into_a_narrow_window(judged):
    assert judged.bar.step_judge.isVisible()
    assert judged.bar.minimumSizeHint().width() <= 1_200


def test_without_judged_steps_no_judge_is_offered(page):
    assert not page.bar.step_judge.isVisible()
