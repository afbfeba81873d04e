"""The report on a study: everything in its place, and nothing of outcomes before they are unsealed."""

import dataclasses
import re
from datetime import UTC, datetime

import numpy as np
import pytest

from spatial_workbench.engine.reporting.short_report import short_sections
from spatial_workbench.engine.reporting.study_figures import TLX
from spatial_workbench.engine.reporting.study_report import report_sections, study_html
from spatial_workbench.engine.reporting.study_sharing import tells_of_others
from spatial_workbench.engine.studies.analysis.outcomes import (
    Counts,
    Outcomes,
    PostHoc,
    Registration,
    StudyAmendment,
    StudyLook,
    StudyState,
)
from spatial_workbench.engine.studies.analysis.rules import Breach
from spatial_workbench.engine.studies.files.publishing import public_form
from spatial_workbench.engine.studies.planning.document import StudyResponse, StudySetting
from spatial_workbench.engine.studies.planning.freezing import freeze
from spatial_workbench.engine.studies.sessions.schema import RoundTrips
from tests.studies.analysis.test_statistics import T
from tests.studies.sample import model_run, outcomes, session, study

AT = datetime(2026, 11, 22, tzinfo=UTC)
OF_OUTCOMES = {"scores", "times", "best", "items", "practice", "comparison", "confidence", "robustness"}


def page(given, runs, charts, at):
    return study_html(given, report_sections(given, runs), charts, at)


def sections(given, runs=()):
    return {section.id: section for section in report_sections(given, runs)}


def table(given, section, title, runs=()):
    (found,) = [table for table in sections(given, runs)[section].tables if table.title == title]
    return {line.title: line.cells for line in found.lines}


def words(given, section, runs=()):
    return " ".join(sections(given, runs)[section].words)


def test_the_summary_says_how_many_people_limits_exclusions_looks_and_the_mean():
    text = words(outcomes(), "summary")
    for part in ("8 people", "4 items", "600 s an item", "exclude 0 sessions", "62.8 % [", "0 times"):
        assert part in text


def two_conditions(scores=T, **changes):
    """The example with the first half of the people under “only”, and the others under “also”."""
    of = study(conditions={"only": {}, "also": {}}, **changes)
    given = outcomes(scores, of=of)
    half = len(given.sessions) // 2
    moved = [
        one.model_copy(update={"trials": tuple(t.model_copy(update={"condition": "also"}) for t in one.trials)})
        for one in given.sessions[half:]
    ]
    return dataclasses.replace(given, sessions=(*given.sessions[:half], *moved))


def test_the_summary_averages_no_people_of_different_conditions():
    text = words(two_conditions(), "summary")
    assert "62.8" not in text
    assert f"in “only” is {100 * T[:4].mean():.1f} %" in text
    assert f"in “also” is {100 * T[4:].mean():.1f} %" in text


def test_the_summary_says_where_a_condition_has_no_scores():
    given = outcomes(of=study(conditions={"only": {}, "also": {}}))
    assert "there is no score in “also”" in words(given, "summary")


def test_within_several_tries_conditions_stand_apart():
    text = words(two_conditions(limits={"item_s": 600, "submissions": 3}), "best")
    assert "(only)" in text
    assert "(also)" in text


def test_five_failures_are_no_certain_zero():
    cells = table(outcomes(np.zeros((5, 4))), "scores", "Scores")["All items"]
    assert {cell.detail for cell in cells} == {"0.0–52.2 · n 5"}
    assert "0.0 % [0.0, 52.2]" in words(outcomes(np.zeros((5, 4))), "summary")


def test_the_median_time_of_two_people_has_no_interval():
    median = table(outcomes(T[:2]), "times", "Time to a solution")["All items"][0]
    assert (median.detail, median.values[1:]) == ("too few people", (None, None))


@pytest.mark.parametrize("people", [6, 12])
def test_failures_in_two_conditions_are_no_certain_equality(people):
    (difference,) = table(two_conditions(np.zeros((people, 4))), "comparison", "Between conditions")["only minus also"]
    assert difference.values[1] < 0 < difference.values[2]


def test_fewer_than_eight_people_minus_a_model_have_no_surer_interval_than_their_mean():
    run = dataclasses.replace(model_run(), scores=dict.fromkeys(model_run().scores, (0.0,)))
    mean = table(outcomes(T[:6]), "scores", "Scores")["All items"][0]
    lines = table(outcomes(T[:6]), "comparison", "People minus models, on common items", [run])
    assert lines["only minus oak"][2].values == pytest.approx(mean.values[:3])


@pytest.mark.parametrize("state", [state for state in StudyState if state is not StudyState.UNSEALED])
def test_before_outcomes_are_unsealed_the_report_leaves_them_out_and_says_why(state):
    given = sections(dataclasses.replace(outcomes(), state=state, judged={}))
    assert not OF_OUTCOMES & given.keys()
    assert f"The study is {state.value}: outcomes are sealed" in " ".join(given["summary"].words)


def test_an_early_look_stands_in_the_first_paragraph():
    given = outcomes(looks=(StudyLook("2026-03-02T10:00:00", "curious", is_before_exclusions=True),))
    assert sections(given)["summary"].words[0].startswith("Outcomes were seen on 2026-03-02, before exclusions")


def test_scores_stand_twice_as_planned_and_with_nobody_excluded():
    given = outcomes(breaches=(Breach("session-0", "P001H", "attention", StudyResponse.EXCLUDE, "", ""),))
    planned, everybody, *_ = table(given, "scores", "Scores")["All items"]
    assert (planned.values[3], everybody.values[3]) == (7, 8)
    assert everybody.values[0] == pytest.approx(0.628125)


def test_later_exclusions_make_a_third_column():
    given = outcomes(post_hoc=(PostHoc("session-0", "the wrong room", "2026"),))
    assert len(table(given, "scores", "Scores")["All items"]) == 6
    assert "the wrong room" in words(given, "deviations")


def test_people_minus_a_model_on_common_items():
    people, model, difference, _, p, below, items = table(
        outcomes(), "comparison", "People minus models, on common items", [model_run()]
    )["only minus oak"]
    assert (people.text, model.text, difference.text) == ("62.8", "33.3", "+29.5")
    assert difference.values[1:] == pytest.approx((0.114, 0.486), abs=0.02)
    assert (p.values, below.text, items.text) == ((0.125,), "0.0", "4")


def test_best_of_k_of_people_and_of_the_model_by_one_formula():
    cells = table(outcomes(), "best", "Best of k", [model_run()])
    assert [cell.text for cell in cells["only: k different people"]][:4] == ["31.2", "50.0", "61.2", "71.9"]
    assert cells["oak: k samples"][5].values[0] == pytest.approx((1 + 0.4 + 0.1667 + 0.2) / 4, abs=1e-3)


def test_variance_reliability_and_practice_of_the_example():
    text = words(outcomes(), "items")
    assert "0.0218" in text
    assert "0.0868" in text
    assert "0.0358" in text
    assert "0.71" in text
    assert "[-0.061, +0.098], standard error 0.0336" in words(outcomes(), "practice")


def test_fixed_orders_give_no_practice_effect():
    block = study().blocks[0].model_dump(mode="json") | {"order": "fixed"}
    text = words(outcomes(of=study(blocks=[block])), "practice")
    assert "position and item cannot be told apart" in text


def test_the_robustness_table_drops_each_rule_that_excludes():
    lines = table(outcomes(), "robustness", "How much depends on the rules")
    assert {"as planned", "nobody excluded", "without attention", "without file"} <= lines.keys()


def sharing(given, people):
    """Outcomes of which only some people share their answers."""
    sessions = [
        one.model_copy(update={"boxes": {"part": True, "share": person in people}})
        for person, one in enumerate(given.sessions)
    ]
    return dataclasses.replace(given, sessions=tuple(sessions))


def test_the_figures_of_those_who_share_stand_beside_those_of_all():
    given = sharing(outcomes(), range(3, 8))
    mean = table(given, "robustness", "How much depends on the rules")["people who share their answers"][0]
    assert mean.values == table(outcomes(T[3:]), "scores", "Scores")["All items"][0].values
    assert mean.values[3] == 5


@pytest.mark.slow
def test_all_figures_of_the_public_data_are_in_the_report():
    given = sharing(outcomes(), range(3, 8))
    public = public_form(given).outcomes
    titles = {}
    for section in report_sections(public, [model_run()]):
        if section.id in OF_OUTCOMES:
            titles |= {f"{t.title}, of people who share": t for t in section.tables}
    printed = {t.title: t for t in sections(given, [model_run()])["public"].tables}
    assert printed.keys() == titles.keys()
    texts = [[(line.title, line.cells) for line in t.lines] for t in printed.values()]
    assert [[(title, [(c.text, c.detail) for c in cells]) for title, cells in lines] for lines in texts] == [
        [(line.title, [(c.text, c.detail) for c in line.cells]) for line in titles[title].lines] for title in printed
    ]
    assert "5 of 8 people agreed" in words(given, "public")
    assert "Brier score" in words(given, "public")


def texts_of(given):
    return " ".join(str(cell) for s in report_sections(given) for t in s.tables for li in t.lines for cell in li.cells)


@pytest.mark.slow
@pytest.mark.parametrize("people", [range(1, 8), range(2, 8)])
def test_figures_that_would_tell_how_one_or_two_people_did_are_withheld_with_the_reason(people):
    given = sharing(outcomes(), people)
    assert sections(given)["public"].tables == ()
    assert f"{len(people)} of 8 people agreed" in words(given, "public")
    assert "do not publish this report beside the public data" in words(given, "public")
    assert "people who share their answers" not in table(given, "robustness", "How much depends on the rules")
    assert texts_of(given) == texts_of(outcomes())


def excluded_by(given, *people, position=None):
    """Outcomes in which a rule excludes people, or one of their trials."""
    broken = (
        Breach(given.sessions[n].id, given.sessions[n].code, "attention", StudyResponse.EXCLUDE, "", "", position)
        for n in people
    )
    return dataclasses.replace(given, breaches=tuple(broken))


@pytest.mark.parametrize(
    ("given", "tells"),
    [
        (sharing(outcomes(), range(3, 8)), False),
        (excluded_by(sharing(outcomes(), range(3, 8)), 0), True),
        (excluded_by(sharing(outcomes(), range(3, 8)), 0, 1, 2), False),
        (excluded_by(sharing(outcomes(), range(3, 8)), 7), False),
        (excluded_by(sharing(outcomes(), range(3, 8)), 1, position=2), True),
        (sharing(two_conditions(), (0, 1, 2, 7)), True),
        (sharing(two_conditions(), (0, 1, 2, 3, 7)), False),
        (sharing(two_conditions(), (0, 7)), False),
    ],
)
def test_people_who_do_not_share_are_counted_in_each_condition_item_and_selection(given, tells):
    assert tells_of_others(given) is tells


@pytest.mark.parametrize("people", [(), range(8)])
def test_where_all_or_none_share_there_are_no_figures_beside(people):
    given = sharing(outcomes(), people)
    assert "public" not in sections(given)
    assert "people who share their answers" not in table(given, "robustness", "How much depends on the rules")


def test_confidence_beside_success():
    assert "Brier score" in words(outcomes(), "confidence")


def test_the_scales_of_the_load_have_their_mean():
    said = {f"tlx.end.{scale}": value for scale, value in zip(TLX, (70, 10, 80, 55, 75, 40), strict=True)}
    of = study()
    given = outcomes(of=of, sessions=(session(of, 0, responses=said),))
    lines = table(given, "confidence", "Task load (raw NASA-TLX, 0 to 100)")
    assert lines["raw TLX, the mean of the six"][0].text == "55"


def test_the_load_of_different_people_stands_by_condition():
    given = two_conditions()
    sessions = [
        one.model_copy(update={"responses": {f"tlx.end.{scale}": 10 * person for scale in TLX}})
        for person, one in enumerate(given.sessions)
    ]
    given = dataclasses.replace(given, sessions=tuple(sessions))
    means = [table(given, "confidence", f"Task load (raw NASA-TLX, 0 to 100): {c}") for c in ("only", "also")]
    assert [lines["mental"][0].text for lines in means] == ["15", "55"]


def test_strategies_are_quoted_only_with_their_box():
    of = study()
    one = session(of, 0)
    said = one.trials[0].model_copy(update={"responses": {"strategy": "I counted."}})
    with_words = one.model_copy(update={"trials": (said, *one.trials[1:])})
    assert "strategies" not in sections(outcomes(of=of, sessions=(with_words,)))
    agreed = with_words.model_copy(update={"boxes": {"quote": True}})
    assert "I counted." in words(outcomes(of=of, sessions=(agreed,)), "strategies")


def test_a_late_registration_and_amendments_are_told():
    of = study()
    given = outcomes(
        of=of,
        sessions=(session(of, 0, began_at="2026-02-01T00:00:00+00:00"),),
        registration=Registration("https://example.org/1", "2026-03-01"),
        amendments=(StudyAmendment("b" * 64, "a" * 64, "a typing error", "2026-01-05", "Only a comma."),),
    )
    text = words(given, "deviations")
    assert "after data collection began" in text
    assert "a typing error" in text
    assert "Only a comma." in text


def every_table(given, runs):
    return [table for section in report_sections(given, runs) for table in section.tables]


@pytest.mark.parametrize("people", [0, 1, 2, 5, 8])
def test_above_each_table_stands_a_paragraph_of_its_own_figures(people):
    given = sharing(outcomes(T[:people]) if people else outcomes(sessions=(), judged={}), [0])
    for table in every_table(given, [model_run()]):
        assert re.fullmatch(r"[A-Zoh0-9].*[.]", table.words), table.title
        texts = [table.title, *(part for line in table.lines for part in (line.title, *_texts(line)))]
        decimals = set(re.findall(r"[-+]?\d+\.\d+", " ".join(texts)))
        said = re.findall(r"[-+]?\d+\.\d+", table.words)
        if "Confidence" not in table.title and table.title != "Versions":
            assert set(said) <= decimals, table.title


def _texts(line):
    return [text for cell in line.cells for text in (cell.text, cell.detail)]


def paragraph(given, title, runs=()):
    (found,) = [table.words for table in every_table(given, runs) if table.title == title]
    return found


@pytest.mark.slow
def test_the_paragraphs_read_as_sentences():
    given = outcomes(counts=Counts(planned=12, started=10, ineligible=1, withdrew=1))
    assert paragraph(given, "People") == (
        "12 places were planned, and 10 people started. Of these, 1 could not take part, 1 withdrew, and 0 are "
        "excluded by rules. The analysis has 8 people."
    )
    assert paragraph(given, "Items") == "The mean score of an item goes from 22.5 % (shikaku:1) to 92.5 % (maze_3d:0)."
    assert paragraph(given, "Confidence") == (
        "In 32 answers, people were 80.0 % sure on average, and 31.2 % of the answers passed: people were too sure by "
        "48.8 points."
    )
    assert "one person passes 31.2 % of the items on average; of 5, at least one passes 71.9 %." in paragraph(
        given, "Best of k"
    )
    assert paragraph(given, "People minus models, on common items", [model_run()]).endswith("the interval excludes 0.")


def test_the_paragraph_on_scores_says_what_exclusions_change():
    assert paragraph(outcomes(), "Scores").endswith("Both are the same with nobody excluded.")
    given = outcomes(breaches=(Breach("session-0", "P001H", "attention", StudyResponse.EXCLUDE, "", ""),))
    assert "7 people), and the pass rate" in paragraph(given, "Scores")
    assert paragraph(given, "Scores").endswith("8 people).")


def test_who_chose_none_of_several_answers_has_a_name():
    question = {"key": "uses", "ask": "Which tools?", "type": "multi", "options": ["paper"]}
    of = study(covariates=[question])
    given = outcomes(of=of, sessions=(session(of, 0, covariates={"uses": []}),))
    assert list(table(given, "people", "Which tools?")) == ["none"]


def test_the_page_has_the_paragraphs():
    assert "People were allowed: paper." in page(outcomes(), [], {}, AT)


@pytest.mark.parametrize("people", [0, 1, 2])
def test_too_few_people_have_no_intervals(people):
    given = outcomes(T[:people]) if people else outcomes(sessions=(), judged={})
    html = page(given, [model_run()], {}, AT)
    assert "too few people" in html
    if people:
        assert table(given, "scores", "Scores")["All items"][0].values[1] is None


def test_equal_scores_one_item_and_one_condition_give_a_report():
    block = study().blocks[0].model_dump(mode="json")
    of = study(blocks=[block | {"items": block["items"][:1]}])
    given = outcomes(np.where(np.arange(4) == 0, 1.0, np.nan) * np.ones((8, 1)), of=of)
    assert "variance parts need 3 people and 2 items" in page(given, [], {}, AT)


def test_the_page_has_no_scripts_and_nothing_from_elsewhere():
    of = study(question="<script>alert(1)</script>")
    html = page(outcomes(of=of, frozen=freeze(of)), [model_run()], {}, AT)
    assert "<script" not in html
    assert "src=" not in html
    assert "&lt;script&gt;" in html


def test_a_draft_has_a_report_too():
    assert "The study is draft" in page(Outcomes(study(), StudyState.DRAFT), [], {}, AT)


def in_a_browser(given, people):
    """The same outcomes, the first people in a browser, with round trips of 40 ms, 100 ms and 250 ms at most."""
    trips = RoundTrips(count=9, median_ms=40, p95_ms=100, worst_ms=250)
    sessions = [
        one.model_copy(
            update={
                "setting": StudySetting.BROWSER,
                "trials": tuple(trial.model_copy(update={"round_trips": trips}) for trial in one.trials),
            }
        )
        if place < people
        else one
        for place, one in enumerate(given.sessions)
    ]
    return dataclasses.replace(given, sessions=tuple(sessions))


def test_figures_of_a_desk_and_of_a_browser_stand_apart_and_times_are_never_pooled():
    given = in_a_browser(outcomes(), 3)
    found = sections(given)
    assert [one.title for one in found["scores"].tables] == ["Scores", "Scores: at a desk", "Scores: in a browser"]
    assert [one.title for one in found["times"].tables] == [
        "Time to a solution: at a desk",
        "Time to a solution: in a browser",
    ]
    names = [[series.name for series in chart.series] for chart in found["times"].charts]
    assert names[0] == ["only, at a desk", "only, in a browser"]
    assert "never pooled" in words(given, "times")
    assert [line for line in words(given, "practice").split(". ") if "logarithm" in line and "only:" in line] == []


def test_round_trips_stand_beside_the_times_in_a_browser():
    found = table(in_a_browser(outcomes(), 3), "times", "Time to a solution: in a browser")
    trip, high = found["All items"][-2:]
    assert (trip.text, high.text, high.detail) == ("40", "100", "worst 250")
    at_a_desk = table(in_a_browser(outcomes(), 3), "times", "Time to a solution: at a desk")
    assert len(at_a_desk["All items"]) == len(found["All items"]) - 2


def test_the_report_says_where_people_took_part_and_what_the_plan_does_not_name():
    given = in_a_browser(outcomes(), 3)
    shown = {title: cells[0].text for title, cells in table(given, "people", "Where people took part").items()}
    assert shown == {"at a desk": str(len(given.sessions) - 3), "in a browser": "3"}
    assert "3 people took part in a browser, which the plan does not name." in words(given, "deviations")
    assert "Where people took part" not in [one.title for one in sections(outcomes())["people"].tables]


def test_the_short_form_has_a_line_for_each_setting():
    (lines,) = [one.lines for one in short_sections(in_a_browser(outcomes(), 3))[1].tables[:1]]
    titles = [line.title for line in lines]
    assert {"only, at a desk: All items", "only, in a browser: All items"} <= set(titles)
