"""Results of puzzles: accuracy, stepwise scores, breakdowns, judges and their agreement, the published table."""

import json
from datetime import UTC, datetime

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.evaluation.collect import scored
from spatial_workbench.engine.evaluation.results.contents import ResultsChoice, read
from spatial_workbench.engine.evaluation.results.html import report_html
from spatial_workbench.engine.evaluation.results.puzzle_judges import NOBODY, judge_words
from spatial_workbench.engine.evaluation.results.puzzles import puzzle_charts, puzzle_results, puzzle_tables
from spatial_workbench.engine.puzzles.judging import STORED, StepVerdict
from spatial_workbench.engine.puzzles.statistics import cohens_kappa
from spatial_workbench.engine.store import Actor, JudgementSource, Project, StepJudge

PARCEL, STEM, NEON = (f"puzzle_hunt:{number}" for number in (5, 4, 3))
SOLUTIONS = {PARCEL: "PARCEL", STEM: "STEM", NEON: "NEON"}


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "puzzles.workbench") as opened:
        yield opened


def attempt(project, address, text, who="birch", actor=Actor.MODEL):
    task, instance = resolve(address)
    return project.attempts.add(instance, text, actor, who, verdicts=(task.verify(instance, text),))


def judge(project, number, met, who="oak", source=JudgementSource.JUDGE, version=None, setup="{}"):
    address = project.runs.rows([number])[0].address
    steps = STORED.dump_json(tuple(StepVerdict(correct=mark == "T") for mark in met)).decode()
    project.puzzles.add_step_judgement(
        number,
        StepJudge(source=source, name=who, setup=setup),
        steps,
        version or resolve(address)[1].parameters["version"],
    )


def tables(project, published=False):
    return {table.title: table for table in puzzle_tables(puzzle_results(project, scored(project)), published)}


def line(table, *titles):
    return next(
        [cell.text for cell in line.cells]
        for line in table.lines
        if (line.title, *(cell.text for cell in line.cells))[: len(titles)] == titles
    )


def overall(project, name="birch"):
    return line(tables(project)["Accuracy and stepwise scores"], name)


def test_accuracy_ignores_case_and_the_published_count_does_not(project):
    attempt(project, PARCEL, "Answer: parcel")
    attempt(project, STEM, "STEM or STOP?\nAnswer: STOP")
    assert overall(project)[:3] == ["2", "50.0", "50.0"]
    attempt(project, NEON, "Answer: neon")
    assert overall(project)[:3] == ["3", "66.7", "33.3"]


def test_the_stepwise_score_is_the_last_step_met_and_met_the_share_of_all(project):
    judge(project, attempt(project, PARCEL, "Answer: BOX"), "TFTF")
    assert overall(project)[3:] == ["75.0", "75.0", "50.0", "1 of 1"]


def test_unjudged_attempts_are_counted_apart_and_never_score_zero(project):
    judge(project, attempt(project, PARCEL, "Answer: PARCEL"), "FFFT")
    project.puzzles.add_step_judgement(
        attempt(project, STEM, "hm"), StepJudge(source=JudgementSource.JUDGE, name="oak"), "[]", "v", "No answer"
    )
    assert overall(project)[3:] == ["100.0", "100.0", "25.0", "1 of 2"]


def test_a_judgement_of_an_earlier_version_does_not_count(project):
    judge(project, attempt(project, PARCEL, "Answer: PARCEL"), "FFFT", version="old")
    assert overall(project)[-1] == "0 of 1"


def test_no_figure_mixes_judges(project):
    first = attempt(project, PARCEL, "x")
    second = attempt(project, STEM, "x")
    judge(project, first, "TFFF")
    judge(project, second, "TTFF")
    judge(project, second, "TTTF", "elm")
    judge(project, first, "TTTT", "Ada", JudgementSource.PERSON)
    assert overall(project)[3:] == ["37.5", "37.5", "37.5", "2 of 2"]
    results = puzzle_results(project, scored(project), "elm")
    chosen = puzzle_tables(results, False)[0]
    assert line(chosen, "birch")[3:] == ["75.0", "75.0", "75.0", "1 of 2"]
    assert "elm alone, who read 1 of 2" in judge_words(results)
    assert all(table.about.startswith("Steps judged by elm alone.") for table in puzzle_tables(results, False)[:5])
    shown = tables(project)
    assert line(shown["Stepwise scores by judge"], "birch") == ["37.5", "75.0", "100.0"]
    assert [row.title for row in shown["Agreement of judges"].lines] == [
        "oak and elm",
        "oak and Ada (by hand)",
        "elm and Ada (by hand)",
    ]
    assert line(shown["Agreement of judges"], "oak and elm") == ["1", "75.0", "0.50", "0.0", "25.0", "n/a", "n/a"]


def test_judges_of_one_name_with_another_endpoint_are_two_columns(project):
    first, second = attempt(project, PARCEL, "x"), attempt(project, STEM, "x")
    for number, host, met in ((first, "a", "TFFF"), (second, "a", "TTFF"), (second, "b", "TTTF")):
        judge(project, number, met, setup=json.dumps({"endpoint": f"http://{host}", "prompt": "p"}))
    shown = tables(project)
    assert [heading.title for heading in shown["Stepwise scores by judge"].headings] == ["oak (a)", "oak (b)"]
    assert line(shown["Stepwise scores by judge"], "birch") == ["37.5", "75.0"]
    assert [row.title for row in shown["Agreement of judges"].lines] == ["oak (a) and oak (b)"]
    assert [row.title for row in shown["Judges of steps"].lines] == ["oak (a)", "oak (b)"]
    assert overall(project)[3:] == ["37.5", "37.5", "37.5", "2 of 2"]
    keys = {title: key for key, title in read(project).step_judges}
    chosen = puzzle_results(project, scored(project), keys["oak (b)"])
    assert (chosen.judge, line(puzzle_tables(chosen, False)[0], "birch")[-1]) == ("oak (b)", "1 of 2")


def test_a_judge_whose_settings_are_not_recorded_is_never_mixed_with_one_of_today(project):
    judge(project, attempt(project, PARCEL, "x"), "TFFF")
    judge(project, attempt(project, STEM, "x"), "TTFF", setup='{"endpoint": "http://a"}')
    shown = tables(project)["Stepwise scores by judge"]
    assert {heading.title for heading in shown.headings} == {"oak (a)", "oak (endpoint and settings not recorded)"}
    assert {cell.detail for cell in shown.lines[0].cells} == {"1 of 2"}


def test_the_command_line_lists_judges_and_refuses_a_name_of_two(project, capsys):
    number = attempt(project, PARCEL, "x")
    for host in "ab":
        judge(project, number, "TFFF" if host == "a" else "TTFF", setup=json.dumps({"endpoint": f"http://{host}"}))
    assert main(["puzzles", "judges", str(project.path), "--json"]) == 0
    listed = {entry["title"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert listed["oak (b)"]["settings"] == {"endpoint": "http://b"}
    results = ["results", str(project.path), "--section", "puzzles", "--json", "--step-judge"]
    assert main([*results, listed["oak (b)"]["key"]]) == 0
    assert json.loads(capsys.readouterr().out)["puzzles"]["tables"][0]["rows"][0][10] == 0.5
    assert main([*results, "oak"])
    assert "2 judges are called “oak”: oak (a), oak (b)" in capsys.readouterr().err


def test_each_person_who_ticks_is_a_judge(project):
    number = attempt(project, PARCEL, "x")
    judge(project, number, "TFFF", "Ada", JudgementSource.PERSON)
    judge(project, number, "TTFF", "Ada", JudgementSource.PERSON)
    judge(project, number, "TTTF", "Ben", JudgementSource.PERSON)
    shown = tables(project)["Stepwise scores by judge"]
    assert [heading.title for heading in shown.headings] == ["Ada (by hand)", "Ben (by hand)"]
    assert line(shown, "birch") == ["50.0", "75.0"]
    assert [judge.plain_title for judge in project.puzzles.step_judges()] == ["Ada (by hand)", "Ben (by hand)"]


def test_kappa_of_two_judges_has_an_interval_from_three_puzzles_on(project):
    verdicts = (("TTFF", "TFFF"), ("TFFF", "TFFF"), ("FTFT", "FTTT"))
    for k, (address, (oak, elm)) in enumerate(zip((PARCEL, STEM, NEON), verdicts, strict=True), 1):
        number = attempt(project, address, "x")
        judge(project, number, oak)
        judge(project, number, elm, "elm")
        (pair,) = tables(project)["Agreement of judges"].lines
        kappa, low, high = pair.cells[2].values
        assert (low is None) == (k < 3)
    pairs = [(a, b) for oak, elm in verdicts for a, b in zip(oak, elm, strict=True)]
    assert kappa == pytest.approx(cohens_kappa(pairs))
    assert low <= kappa <= high


def test_kappa_is_explained_where_it_stands(project):
    number = attempt(project, PARCEL, "x")
    judge(project, number, "TFFF")
    judge(project, number, "TTFF", "elm")
    assert "beyond chance" in tables(project)["Agreement of judges"].notes[0].text


def test_the_failures_of_each_judge_stand_in_its_column_and_in_files(project):
    judge(project, attempt(project, PARCEL, "x"), "TFFF")
    failed = attempt(project, STEM, "x")
    for who in ("oak", "elm"):
        project.puzzles.add_step_judgement(
            failed, StepJudge(source=JudgementSource.JUDGE, name=who), "[]", "v", "No answer"
        )
    shown = tables(project)
    (row,) = shown["Stepwise scores by judge"].lines
    assert [cell.text for cell in row.cells] == ["25.0", "n/a"]
    assert [cell.detail for cell in row.cells] == ["1 of 2 · 1 failed", "0 of 2 · 1 failed"]
    assert shown["Stepwise scores by judge"].rows == [["birch", 0.25, 1, 1, 2, None, 0, 1, 2]]
    assert shown["Accuracy and stepwise scores"].lines[0].cells[-1].detail == "1 failed"
    assert shown["Accuracy and stepwise scores"].header[-3:] == ["Judged", "Judged failed", "Judged by"]
    assert shown["Accuracy and stepwise scores"].rows[0][-3:] == [1, 1, "oak"]


def test_people_are_the_judge_where_no_model_has_judged(project):
    judge(project, attempt(project, PARCEL, "x"), "FFTF", "Ada", JudgementSource.PERSON)
    assert overall(project)[3] == "75.0"


def test_a_judge_says_how_many_attempts_it_read_and_failed_on(project):
    judge(project, attempt(project, PARCEL, "x"), "TFFF")
    failed = attempt(project, STEM, "x")
    project.puzzles.add_step_judgement(
        failed, StepJudge(source=JudgementSource.JUDGE, name="oak"), "[]", "v", "No answer"
    )
    attempt(project, NEON, "x")
    assert line(tables(project)["Judges of steps"], "oak")[:3] == ["1 of 3", "1", "25.0"]
    said = judge_words(puzzle_results(project, scored(project)))
    assert "who read 1 of 3 attempts; 1 could not be judged, 1 were not asked about" in said


def test_the_page_says_that_nobody_has_judged(project):
    attempt(project, PARCEL, "x")
    section = next(part for part in read(project).sections if part.id == "puzzles")
    assert section.words == (NOBODY,)


def test_a_judge_is_chosen_on_the_command_line_and_an_unknown_one_is_refused(project, capsys):
    number = attempt(project, PARCEL, "x")
    judge(project, number, "TFFF")
    judge(project, number, "TTFF", "Ada", JudgementSource.PERSON)

    def shown(name):
        code = main(["results", str(project.path), "--section", "puzzles", "--json", "--step-judge", name])
        out, err = capsys.readouterr()
        return (code, err) if code else json.loads(out)["puzzles"]["tables"][0]["rows"][0][10]

    assert [shown(name) for name in ("oak", "Ada (by hand)", "people")] == [0.25, 0.5, 0.5]
    code, said = shown("elm")
    assert code
    assert "there are oak, Ada (by hand)" in said
    judge(project, number, "TTTF", "Ben", JudgementSource.PERSON)
    assert "no judge of steps “people”" in shown("people")[1]


def test_judgements_that_left_the_last_step_to_the_answer_are_counted(project):
    number = attempt(project, PARCEL, "Answer: PARCEL")
    steps = (*(StepVerdict(correct=False),) * 3, StepVerdict(correct=True, decided_by="rule"))
    version = resolve(PARCEL)[1].parameters["version"]
    project.puzzles.add_step_judgement(
        number, StepJudge(source=JudgementSource.JUDGE, name="oak"), STORED.dump_json(steps).decode(), version
    )
    assert overall(project)[3:5] == ["100.0", "100.0"]
    notes = tables(project)["Accuracy and stepwise scores"].notes
    assert any("left the last step to the final answer: 1" in note.text for note in notes)


def test_the_judges_last_verdict_and_the_final_answer_are_two_figures(project):
    number = attempt(project, PARCEL, "Answer: BOX")
    steps = (*(StepVerdict(correct=True),) * 3, StepVerdict(correct=True, by_rule=False))
    version = resolve(PARCEL)[1].parameters["version"]
    project.puzzles.add_step_judgement(
        number, StepJudge(source=JudgementSource.JUDGE, name="oak"), STORED.dump_json(steps).decode(), version
    )
    assert overall(project)[3:5] == ["100.0", "75.0"]


def test_people_are_one_row_with_their_number_and_their_newest_attempt_counts(project):
    attempt(project, PARCEL, "Answer: BOX", "Ada", Actor.PERSON)
    attempt(project, PARCEL, "Answer: PARCEL", "Ada", Actor.PERSON)
    attempt(project, PARCEL, "Answer: BOX", "Ben", Actor.PERSON)
    assert overall(project, "human (2)")[:2] == ["2", "50.0"]


def test_an_overriding_score_counts(project):
    number = attempt(project, PARCEL, "Answer: PARZEL")
    project.judgements.override_score(number, 1.0, True, "a slip of the pen", "Ada")
    assert overall(project)[1] == "100.0"


def test_breakdowns_count_a_puzzle_in_each_of_its_tags(project):
    attempt(project, NEON, "Answer: NEON")
    shown = tables(project)
    assert [line.cells[0].text for line in shown["Puzzles by modality"].lines] == ["text", "structured"]
    assert line(shown["Puzzles by number of steps"], "birch", "4–5")[2] == "100.0"


def test_the_agreement_of_judge_and_people_takes_three_attempts(project):
    addresses = (PARCEL, STEM, NEON)
    for k, (address, by_judge, by_person) in enumerate(
        zip(addresses, ("TFFF", "TTFF", "TTTT"), ("TFFF", "TTFF", "TTTT"), strict=True), 1
    ):
        number = attempt(project, address, "x")
        judge(project, number, by_judge)
        judge(project, number, by_person, "Ada", JudgementSource.PERSON)
        agreed = line(tables(project)["Judges of steps"], "oak")
        assert agreed[3:] == ([str(k), "n/a", "n/a"] if k < 3 else ["3", "1.000", "0.000"])


def test_r_is_not_defined_where_a_side_is_constant(project):
    for address in (PARCEL, STEM, NEON):
        number = attempt(project, address, "x")
        judge(project, number, "TTFF")
        judge(project, number, "TFFF", "Ada", JudgementSource.PERSON)
    assert line(tables(project)["Judges of steps"], "oak")[4:] == ["n/a", "0.250"]


def test_failed_attempts_stop_at_the_step_after_the_last_that_was_met(project):
    judge(project, attempt(project, PARCEL, "Answer: BOX"), "TFFF")  # Sketching follows.
    judge(project, attempt(project, NEON, "Answer: LAMP"), "FFTF")  # Extraction follows.
    judge(project, attempt(project, STEM, "Answer: STEM"), "FFFT")
    shares = line(tables(project)["Where failed attempts stop"], "birch")
    assert shares == ["2", "0.0", "50.0", "0.0", "0.0", "50.0", "0.0"]


def test_without_failed_and_judged_attempts_there_is_no_such_table(project):
    attempt(project, PARCEL, "Answer: BOX")
    assert "Where failed attempts stop" not in tables(project)


def test_charts_are_a_histogram_of_each_model_and_a_scatter_plot_of_each_judge(project):
    number = attempt(project, PARCEL, "x")
    judge(project, number, "TTFF")
    judge(project, number, "TFFF", "Ada", JudgementSource.PERSON)
    bars, points = puzzle_charts(puzzle_results(project, scored(project)))
    assert [count for _, count in bars.rows] == [0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    assert points.rows == ((number, PARCEL, 0.25, 0.5),)


def test_the_published_table_stands_beside(project):
    table = tables(project, published=True)["Published for 667 puzzles"]
    assert line(table, "GPT-o3") == ["14.22", "39.81", "15.16", "39.92", "8.96", "33.38", "13.53", "41.28"]


@pytest.mark.slow
def test_report_and_commands_show_the_section_with_what_the_score_means(project, capsys, tmp_path):
    judge(project, attempt(project, PARCEL, "Answer: PARCEL"), "FFFT")
    results = read(project, ResultsChoice())
    assert "scores 1 whatever was written before it" in report_html("p", datetime.now(UTC), results, {})
    assert main(["results", str(project.path), "--section", "puzzles", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)["puzzles"]["tables"]
    assert shown[0]["rows"][0][:2] == ["birch", 1]
    assert main(["report", str(project.path), "-o", str(tmp_path / "r.html")]) == 0
