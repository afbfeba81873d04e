"""A participant's session by a clock that is set by hand: what counts, what is stored, what follows."""

import subprocess
import sys
from unittest.mock import Mock

import pytest

from spatial_workbench.engine.studies.files.canonical import digest
from spatial_workbench.engine.studies.files.results_file import read_results
from spatial_workbench.engine.studies.planning.document import StudySetting
from spatial_workbench.engine.studies.sessions.entry import EntryRefused, enter, slot_of
from spatial_workbench.engine.studies.sessions.pages import Cover, StudyPage
from spatial_workbench.engine.studies.sessions.schema import SessionState, TrialState, inconsistencies
from spatial_workbench.engine.studies.sessions.session_file import read_session
from tests.studies.sittings import PASSPHRASE, SHIKAKU, Person, bundle, main_item, study

ONE = (0, 0, 0, 0)
TWO = (1, 1, 1, 1)


@pytest.fixture
def person(tmp_path):
    def begun(chosen=None, **rest):
        return Person(tmp_path, chosen, **rest)

    return begun


def limits(**changes):
    return {"item_s": 300, "pauses": {"kind": "none"}, **changes}


# The clock


def test_idle_and_away_time_count_as_active(person):
    p = person()
    p.work(100)
    p.work(70, acts=False)
    p.sitting.acted()
    p.sitting.set_away(True)
    p.work(30)
    p.sitting.set_away(False)
    p.sitting.work.submit()
    trial = p.record.trials[0]
    assert (trial.active_ms, trial.idle_ms, trial.away_ms) == (200_000, 70_000, 30_000)
    assert [event["ms"] for event in p.events("idle")] == [70_000]


@pytest.mark.parametrize("monotonic_runs", [False, True], ids=["m stands", "both run"])
def test_a_computer_that_slept_takes_nothing_from_the_limit(person, monotonic_runs):
    p = person()
    p.work(50)
    p.clock.b += 600_000
    p.clock.m += 600_000 * monotonic_runs
    p.clock.wall += 600_000
    p.sitting.tick()
    assert (p.sitting.limits.remaining_ms, p.sitting.state.cover) == (250_000, Cover.GAP)
    p.work(5)
    p.sitting.go_on()
    assert (p.sitting.limits.remaining_ms, p.sitting.state.cover) == (250_000, None)


def test_setting_the_wall_clock_back_changes_no_time_and_is_logged_once(person):
    p = person()
    p.work(10)
    p.clock.wall -= 3_600_000
    p.work(10)
    assert p.sitting.limits.remaining_ms == 280_000
    assert [event["ms"] for event in p.events("clock_change")] == [-3_600_000]


def test_a_year_of_1970_changes_no_time(person):
    p = person()
    p.clock.wall = 0
    p.work(10)
    assert p.sitting.limits.remaining_ms == 290_000


# The deadline


@pytest.mark.parametrize(("ms", "counts"), [(299_999, True), (300_000, True), (300_001, False)])
def test_an_edit_counts_up_to_the_limit(person, ms, counts):
    p = person()
    p.place(ONE)
    p.work(299)
    p.clock.go(ms - 299_000)
    assert p.place(ONE, TWO) is counts
    p.clock.go(250)
    p.sitting.tick()
    trial = p.record.trials[0]
    assert trial.state is TrialState.TIMED_OUT
    assert len(SHIKAKU.parse(trial.submissions[0].answer).rectangles) == 1 + counts
    assert trial.submissions[0].active_ms == 300_000


def test_the_draft_is_not_taken_at_the_limit_if_the_study_says_so(person):
    p = person(study(limits=limits(at_timeout="none")))
    p.place(ONE)
    p.work(301)
    assert p.record.trials[0].state is TrialState.TIMED_OUT
    assert p.record.trials[0].submissions == ()


@pytest.mark.parametrize(
    ("item_s", "left"), [(600, [300_000, 60_000, 10_000]), (100, [20_000, 10_000])], ids=["ten minutes", "shorter"]
)
def test_people_are_warned_before_the_limit(person, item_s, left):
    p = person(study(limits=limits(item_s=item_s)))
    heard = []
    p.sitting.recording.warned = heard.append
    p.work(item_s - 1)
    assert heard == left


def test_a_time_factor_stretches_the_limit(tmp_path):
    from dataclasses import replace

    from spatial_workbench.engine.studies.sessions.schema import Accommodations

    stretched = replace(bundle(study()), accommodations={"P001H": Accommodations(time_factor=1.5)})
    assert Person(tmp_path, its_bundle=stretched).sitting.limits.remaining_ms == 450_000


def test_the_whole_study_has_a_limit_too_and_the_rest_is_skipped(person):
    p = person(study(limits=limits(total_s=400)))
    p.work(250)
    p.sitting.work.submit()
    p.see()
    assert p.sitting.limits.remaining_ms == 150_000
    p.work(151)
    p.sitting.go_ahead()
    assert [trial.state for trial in p.record.trials] == [TrialState.SUBMITTED, TrialState.TIMED_OUT]
    assert p.record.state is SessionState.FINISHED


def test_items_that_are_never_shown_are_skipped(person):
    p = person(study(limits=limits(total_s=200)))
    p.work(201)
    p.sitting.go_ahead()
    assert [trial.state for trial in p.record.trials] == [TrialState.TIMED_OUT, TrialState.SKIPPED]


def test_the_end_of_the_time_is_told_before_anything_else(person):
    p = person(study(limits=limits(pauses={"kind": "between"})))
    p.work(301)
    assert (p.sitting.state.page, p.sitting.goes_on_by_itself) == (StudyPage.TIME_OVER, False)
    p.work(60)
    assert p.sitting.state.page is StudyPage.TIME_OVER
    p.sitting.go_ahead()
    assert p.sitting.state.page is StudyPage.READY


def test_where_there_are_no_pauses_the_page_about_the_time_is_none_either(person):
    p = person()
    p.work(301)
    assert (p.sitting.state.page, p.sitting.goes_on_by_itself) == (StudyPage.TIME_OVER, True)
    p.work(11)
    assert (p.sitting.state.page, p.sitting.state.position) == (StudyPage.ITEM, 1)


# Storing


def test_after_a_crash_the_same_item_goes_on_with_its_answer_and_its_time(person):
    p = person()
    p.work(20)
    p.place(ONE)
    p.work(5.5)
    p.die()
    p.clock.m = 0
    p.clock.b += 5_000
    p.clock.wall += 60_000
    p.begin()
    assert (p.sitting.state.page, p.sitting.state.position, p.sitting.state.cover) == (StudyPage.ITEM, 0, Cover.CRASH)
    assert p.sitting.work.draft() == SHIKAKU.parse({"rectangles": [list(ONE)]})
    assert 0 <= p.sitting.limits.remaining_ms - 274_500 <= 1_000
    p.sitting.go_on()
    p.work(1)
    assert p.record.trials[0].resumes == 1
    (crash,) = p.events("crash")
    assert 59 <= crash["down_s"] <= 62


def test_that_a_session_goes_on_is_stored_before_anything_else_is_done(person):
    p = person()
    p.work(20)
    for _ in range(3):
        p.die()
        p.begin()
    p.die()
    p.begin()
    assert p.record.trials[0].resumes == 4
    assert len(p.events("resume")) == 4


def test_a_session_that_ends_without_a_word_right_after_it_was_opened_again_has_crashed(person):
    p = person()
    p.work(20)
    p.sitting.close()
    p.begin()
    p.die()
    p.begin()
    assert p.sitting.state.cover is Cover.CRASH
    assert len(p.events("crash")) == 1


def test_a_session_that_was_closed_in_order_goes_on_without_a_crash(person):
    p = person()
    p.work(20)
    p.sitting.close()
    p.begin()
    assert p.sitting.state.cover is Cover.GAP
    assert (p.sitting.limits.remaining_ms, p.record.trials[0].resumes) == (280_000, 0)


def test_sketches_and_notes_survive_a_crash_and_come_too_late_after_their_trial(person):
    p = person()
    assert p.sitting.work.sketch("page 1", '{"drawn": 1}')
    assert p.sitting.work.scratch("try the corners")
    p.die()
    p.begin()
    assert (p.sitting.state.record.sketches, p.sitting.state.record.scratch) == (
        {"page 1": '{"drawn": 1}'},
        "try the corners",
    )
    assert not p.sitting.work.sketch("page 1", "while the crash is told")
    p.sitting.go_on()
    p.sitting.leaving.stop(keeps=True)
    assert not p.sitting.work.scratch("too late")
    assert p.record.trials[0].scratch == "try the corners"


def test_events_are_numbered_without_holes_over_a_crash(person):
    p = person()
    p.place(ONE)
    p.die()
    p.begin()
    p.sitting.go_on()
    p.place(ONE, TWO)
    numbers = [event["n"] for kind in ("edit", "resume", "page", "session") for event in p.events(kind)]
    assert len(set(numbers)) == len(numbers)
    times = [event["b"] for event in sorted(p.events("page") + p.events("edit"), key=lambda event: event["n"])]
    assert times == sorted(times)


def test_nothing_can_be_done_while_nothing_can_be_stored(person, monkeypatch):
    p = person()
    p.work(10)
    with monkeypatch.context() as full:
        full.setattr(p.sitting.state.file, "commit", Mock(side_effect=OSError("No space left on device")))
        p.work(3)
        assert (p.sitting.state.cover, p.sitting.state.trouble) == (Cover.TROUBLE, "No space left on device")
        assert p.place(ONE) is False
    p.work(1)
    assert p.sitting.state.cover is Cover.GAP
    p.sitting.go_on()
    assert p.place(ONE)
    assert 288_000 <= p.sitting.limits.remaining_ms <= 290_000


# Consent, eligibility


def bytes_of(folder):
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


QUESTIONS = [
    {"key": "age", "ask": "How old are you?", "type": "integer", "range": [0, 120]},
    {"key": "colour", "ask": "Your favourite colour?", "type": "text"},
]


def test_before_consent_only_code_version_and_time_are_on_the_disk(tmp_path):
    p = Person(tmp_path, study(languages=["en", "de"]), at_item=False)
    p.sitting.entering.choose_language("de")
    p.work(5)
    record = read_session(tmp_path / "P001H.session")
    told = record.model_dump(exclude_defaults=True).keys()
    assert told == {"id", "study", "code", "build", "bundle", "began_at", "state"}
    assert b'"kind"' not in bytes_of(tmp_path)
    assert p.sitting.state.language == "de"


def test_the_log_says_which_words_the_person_agreed_to(person):
    p = person()
    (event,) = p.events("consent")
    assert event["shown"] == digest(p.sitting.state.consent)


def test_consent_needs_its_required_boxes(person):
    p = person(at_item=False)
    assert p.sitting.entering.consent({}) is False
    assert p.sitting.entering.consent({"part": True}) is True
    assert (p.record.state, p.record.boxes) == (SessionState.CONSENTED, {"part": True})
    assert len(p.record.consent) == 64


def test_somebody_who_is_not_eligible_leaves_no_answers_and_frees_the_slot(tmp_path):
    rules = [{"covariate": "age", "op": ">=", "value": 18, "reason": "Only adults can take part."}]
    p = Person(tmp_path, study(covariates=QUESTIONS, eligibility=rules), at_item=False)
    p.sitting.entering.consent({"part": True})
    assert [question.key for question in p.sitting.itinerary.questions()] == ["age"]
    assert p.sitting.entering.reply({"age": "17"}) == {}
    assert (p.sitting.state.page, p.sitting.entering.unmet_reason) == (
        StudyPage.INELIGIBLE,
        "Only adults can take part.",
    )
    path, _ = p.sitting.write_results(tmp_path / "results")
    assert b"age" not in bytes_of(tmp_path)
    session = read_results(path, lambda study, its: p.bundle.key).session
    assert (session.state, session.ineligible_by, session.covariates) == (SessionState.INELIGIBLE, 0, {})
    assert enter(p.bundle, "P001H", tmp_path).state.page is StudyPage.CONSENT


@pytest.mark.parametrize(
    ("reply", "fault"),
    [("NaN", "whole number"), ("inf", "whole number"), ("1e3", "whole number"), ("121", "from 0 to 120")],
)
def test_numbers_that_are_none_are_refused_at_the_field(person, reply, fault):
    p = person(study(covariates=QUESTIONS), at_item=False)
    p.sitting.entering.consent({"part": True})
    faults = p.sitting.entering.reply({"age": reply, "colour": None})
    assert fault in faults["age"]
    assert p.sitting.state.page is StudyPage.COVARIATES


def test_free_text_loses_control_characters_and_what_is_too_long(person):
    p = person(study(covariates=QUESTIONS), at_item=False)
    p.sitting.entering.consent({"part": True})
    p.sitting.entering.reply({"age": None, "colour": "bl\0ue" + "e" * 10**6})
    assert p.record.covariates["age"] is None
    assert p.record.covariates["colour"] == "blue" + "e" * 1996


# Practice, comprehension, attention


COMPREHENSION = {
    "id": "q",
    "kind": "question",
    "phase": "comprehension",
    "shows": "What do you do?",
    "options": ["divide", "paint"],
    "expects": {"value": "divide"},
    "tries": 2,
}


def test_who_does_not_understand_in_so_many_tries_cannot_take_part(person, tmp_path):
    p = person(study([COMPREHENSION, main_item(0), main_item(1)]), at_item=False)
    p.sitting.entering.consent({"part": True})
    p.sitting.go_ahead()
    for _ in range(2):
        assert p.sitting.state.page is StudyPage.ITEM
        p.sitting.work.item_shown()
        p.sitting.work.choose("paint")
        p.sitting.work.submit()
    assert p.sitting.state.page is StudyPage.INELIGIBLE
    assert b"paint" not in bytes_of(tmp_path)


def test_who_understands_goes_on(person):
    p = person(study([COMPREHENSION, main_item(0), main_item(1)]), at_item=False)
    p.sitting.entering.consent({"part": True})
    p.sitting.go_ahead()
    p.sitting.work.item_shown()
    assert not p.sitting.work.can_submit
    p.sitting.work.choose("divide")
    p.sitting.work.submit()
    assert (p.sitting.state.position, p.record.trials[0].as_expected) == (1, True)


def test_practice_is_judged_and_the_clock_stands_meanwhile(person):
    practice = {**main_item(2), "phase": "practice"}
    p = person(study([practice, main_item(0), main_item(1)]))
    assert p.sitting.limits.remaining_ms is None
    p.work(10)
    p.sitting.work.submit()
    assert (p.sitting.state.page, p.record.state) == (StudyPage.CHECKING, SessionState.PRACTISING)
    (wanted,) = p.sitting.wanted
    p.sitting.take_verdict(wanted, 0.25, False)
    assert (p.sitting.state.page, p.sitting.state.last_told.score, p.sitting.state.last_told.kind) == (
        StudyPage.FEEDBACK,
        0.25,
        "full",
    )
    p.sitting.go_ahead()
    assert (p.sitting.state.position, p.record.state) == (1, SessionState.RUNNING)


def test_attention_items_are_compared_silently(person):
    attention = {**main_item(2), "phase": "attention", "expects": {"score": 1}}
    p = person(study([main_item(0), attention, main_item(1)]))
    for _ in range(3):
        p.see()
        p.sitting.work.submit()
    (wanted,) = p.sitting.wanted
    assert p.sitting.state.page is StudyPage.CLOSING
    p.sitting.take_verdict(wanted, 1.0, True)
    assert p.sitting.state.page is StudyPage.END
    assert [trial.as_expected for trial in p.record.trials] == [None, True, None]


def test_an_instructed_answer_needs_no_verifier(person):
    expects = {"answer": {"rectangles": [list(ONE)]}}
    attention = {**main_item(2), "phase": "attention", "expects": expects}
    p = person(study([main_item(0), attention, main_item(1)]))
    p.sitting.work.submit()
    p.see()
    p.place(ONE)
    p.sitting.work.submit()
    assert p.sitting.wanted == ()
    assert p.record.trials[1].as_expected is True


# Submissions, feedback


def test_without_feedback_nothing_is_judged(person):
    p = person()
    p.sitting.work.submit()
    p.see()
    p.sitting.work.submit()
    assert p.sitting.wanted == ()
    assert p.sitting.state.page is StudyPage.END


def test_several_answers_can_be_handed_in(person):
    p = person(study(limits=limits(submissions=3)))
    p.place(ONE)
    p.sitting.work.submit()
    assert (p.sitting.state.page, p.sitting.limits.submissions_left) == (StudyPage.ITEM, 2)
    p.place(ONE, TWO)
    p.sitting.work.submit()
    p.sitting.work.finish()
    assert [given.number for given in p.record.trials[0].submissions] == [1, 2]
    assert p.sitting.state.position == 1


def test_a_passed_answer_ends_the_item_if_the_study_says_so(person):
    conditions = {"only": {"feedback": "passed", "feedback_after": "submission"}}
    p = person(study(conditions=conditions, limits=limits(submissions=3, stop_on_pass=True)))
    p.sitting.work.submit()
    p.sitting.take_verdict(p.sitting.wanted[0], 0.5, False)
    assert p.sitting.state.page is StudyPage.ITEM
    assert p.sitting.state.last_told.passed is False
    p.sitting.work.submit()
    p.sitting.take_verdict(p.sitting.wanted[0], 1.0, True)
    assert (p.sitting.state.page, p.record.trials[0].state) == (StudyPage.FEEDBACK, TrialState.SOLVED)


def test_feedback_after_a_block_comes_for_all_its_items(person):
    p = person(study(conditions={"only": {"feedback": "score", "feedback_after": "block"}}))
    for score in (0.25, 0.75):
        p.see()
        p.sitting.work.submit()
        p.sitting.take_verdict(p.sitting.wanted[0], score, False)
    assert p.sitting.state.page is StudyPage.FEEDBACK
    assert [told.score for told in p.sitting.itinerary.told_of_block()] == [0.25, 0.75]


def test_an_answer_that_ran_out_of_time_is_told_too(person):
    p = person(study(conditions={"only": {"feedback": "score"}}))
    p.place(ONE)
    p.work(301)
    assert p.sitting.state.page is StudyPage.CHECKING
    p.sitting.take_verdict(p.sitting.wanted[0], 0.5, False)
    assert p.sitting.state.page is StudyPage.TIME_OVER
    p.sitting.go_ahead()
    assert p.sitting.state.page is StudyPage.FEEDBACK


def test_the_earliest_time_to_submit_is_kept(person):
    p = person(study(limits=limits(min_s=10)))
    p.work(9)
    assert (p.sitting.work.can_submit, p.sitting.limits.ms_until_submit) == (False, 1_000)
    p.work(1)
    assert p.sitting.work.can_submit


def test_giving_up_hands_in_what_was_done(person):
    p = person()
    p.place(ONE)
    p.sitting.work.give_up()
    p.see()
    p.sitting.work.give_up()
    first, second = p.record.trials
    assert (first.state, first.submissions[0].is_given_up) == (TrialState.GIVEN_UP, True)
    assert (second.state, second.submissions) == (TrialState.GIVEN_UP, ())


def test_a_typed_answer_that_cannot_be_read_is_stored_as_it_is(person):
    p = person(study(conditions={"only": {"aids": [], "answer": "text"}}))
    p.sitting.work.edit("Type", '{"rectangles": [\n[0, 0, 0]]}')
    assert p.sitting.work.format_fault().line == 2
    p.sitting.work.submit()
    (given,) = p.record.trials[0].submissions
    assert (given.answer, given.is_readable) == ('{"rectangles": [\n[0, 0, 0]]}', False)


def test_an_answer_beyond_the_cap_is_not_taken(person):
    p = person(study(conditions={"only": {"aids": [], "answer": "text"}}))
    p.sitting.work.edit("Type", "1" * 16_000_001)
    assert p.sitting.work.refusal()
    assert not p.sitting.work.submit()


# Pauses, breaks, sittings, leaving the window


def test_a_pause_covers_the_content_and_stops_the_clock(person):
    p = person(study(limits=limits(pauses={"kind": "any", "count": 1, "total_s": 60})))
    p.sitting.pause()
    p.work(30)
    assert p.place(ONE) is False
    p.sitting.go_on()
    assert (p.sitting.limits.remaining_ms, p.sitting.can_pause) == (300_000, False)
    assert p.record.trials[0].covered_ms == 30_000


def test_a_pause_ends_when_its_time_is_used_up(person):
    p = person(study(limits=limits(pauses={"kind": "any", "total_s": 60})))
    p.sitting.pause()
    p.work(70)
    assert p.sitting.state.cover is None
    assert not p.sitting.can_pause


def test_between_items_the_clock_stands_until_the_person_goes_on(person):
    p = person(study(limits=limits(pauses={"kind": "between"})))
    p.sitting.work.submit()
    assert p.sitting.state.page is StudyPage.READY
    p.work(60)
    p.sitting.go_ahead()
    p.see()
    assert p.sitting.limits.remaining_ms == 300_000


def test_a_break_has_a_shortest_time(person):
    p = person(study(limits=limits(break_after=1, break_min_s=10, break_max_s=60)))
    p.sitting.work.submit()
    assert (p.sitting.state.page, p.record.state) == (StudyPage.BREAK, SessionState.BREAK)
    p.work(9)
    p.sitting.go_ahead()
    assert p.sitting.state.page is StudyPage.BREAK
    p.work(2)
    p.sitting.go_ahead()
    assert p.sitting.state.page is StudyPage.ITEM


def test_a_sitting_that_is_over_goes_on_another_day(person):
    p = person(study(limits=limits(sitting_s=60)))
    p.work(61)
    p.sitting.work.submit()
    assert p.sitting.state.page is StudyPage.LATER
    p.sitting.close()
    p.begin()
    assert (p.sitting.state.page, p.sitting.state.position) == (StudyPage.READY, 0)
    p.reach_item()
    assert p.sitting.state.position == 1


@pytest.mark.parametrize("on_leave", ["log", "cover", "end"])
def test_leaving_the_window_is_logged_covered_or_ends_the_trial(person, on_leave):
    p = person(study(on_leave=on_leave))
    p.sitting.set_away(True)
    assert p.sitting.state.cover is (Cover.AWAY if on_leave == "cover" else None)
    p.work(4)
    assert (p.sitting.state.position == 1) is (on_leave == "end")
    if on_leave == "end":
        assert p.record.trials[0].state is TrialState.LEFT


# Questions


def test_what_is_asked_after_an_item_has_to_be_answered(person):
    p = person(study(questions={"confidence": True, "difficulty": True, "strategy": True}))
    p.sitting.work.submit()
    assert p.sitting.itinerary.item_questions() == ("confidence", "strategy", "difficulty")
    assert set(p.sitting.answer_item({"difficulty": 8})) == {"confidence", "difficulty"}
    assert p.sitting.answer_item({"confidence": 70, "difficulty": 7, "strategy": "by eye"}) == {}
    assert p.record.trials[0].responses == {"confidence": 70, "difficulty": 7, "strategy": "by eye"}
    p.see()
    assert p.place(ONE)
    assert p.record.trials[0].submissions[0].answer


def test_the_load_is_rated_at_the_end(person):
    after = [{"key": "used_ai", "ask": "Did you use AI?", "type": "choice", "options": ["yes", "no"], "when": "after"}]
    p = person(study(questions={"confidence": False, "tlx": "end"}, covariates=after))
    for _ in range(2):
        p.see()
        p.sitting.work.submit()
    assert p.sitting.entering.reply({"used_ai": "no"}) == {}
    scales = ("mental", "physical", "temporal", "performance", "effort", "frustration")
    assert p.sitting.rate_load(dict.fromkeys(scales[:5], 50)) is False
    assert p.sitting.rate_load(dict(zip(scales, (70, 10, 80, 55, 75, 40), strict=True)))
    assert p.record.responses["tlx.end.mental"] == 70
    assert p.record.state is SessionState.FINISHED


# Ends


def test_stopping_keeps_what_was_done(person, tmp_path):
    p = person()
    p.place(ONE)
    p.sitting.work.submit()
    p.see()
    p.work(5)
    p.sitting.leaving.stop(keeps=True)
    path, _ = p.sitting.write_results(tmp_path / "results")
    session = read_results(path, lambda study, its: p.bundle.key).session
    assert session.state is SessionState.STOPPED
    assert session.file_faults == ()
    assert [trial.state for trial in session.trials] == [TrialState.SUBMITTED, TrialState.LEFT]
    p.sitting.close()
    with pytest.raises(EntryRefused, match="has stopped"):
        p.begin()


def test_stopping_and_deleting_leaves_a_tombstone_alone(person, tmp_path):
    p = person()
    p.place((3, 3, 5, 5))
    p.sitting.leaving.stop(keeps=False)
    assert p.sitting.state.page is StudyPage.WITHDRAWN
    assert sorted(path.name for path in tmp_path.iterdir()) == ["P001H.lock", "P001H.tombstone"]
    with pytest.raises(EntryRefused, match="deleted"):
        p.begin()


def test_a_withdrawn_session_writes_results_that_hold_nothing(person, tmp_path):
    p = person()
    p.sitting.leaving.stop(keeps=False)
    path, _ = p.sitting.write_results(tmp_path / "results")
    session = read_results(path, lambda study, its: p.bundle.key).session
    assert (session.state, session.trials, session.began_at) == (SessionState.WITHDRAWN, (), "")


@pytest.mark.slow
def test_three_wrong_passphrases_make_one_wait_twice_as_long_each_time(person):
    p = person()
    p.sitting.leaving.ask_to_leave()
    assert p.sitting.state.cover is Cover.LEAVE
    assert not any(p.sitting.leaving.try_passphrase("wrong") for _ in range(3))
    assert p.sitting.leaving.leave_wait_ms == 30_000
    assert p.sitting.leaving.try_passphrase(PASSPHRASE) is False
    p.work(30)
    assert not any(p.sitting.leaving.try_passphrase("wrong") for _ in range(3))
    assert p.sitting.leaving.leave_wait_ms == 60_000
    p.work(60)
    assert p.sitting.leaving.try_passphrase(PASSPHRASE)
    assert len(p.events("leave_try")) == 8


def test_the_results_of_a_whole_session_are_consistent(person, tmp_path):
    p = person()
    for _ in range(2):
        p.see()
        p.work(20)
        p.place(ONE)
        p.sitting.work.submit()
    path, _ = p.sitting.write_results(tmp_path / "results")
    delivery = read_results(path, lambda study, its: p.bundle.key)
    assert inconsistencies(delivery.session) == []
    assert delivery.session.state is SessionState.FINISHED
    assert delivery.session.first_shown_at
    assert delivery.session.ended_at


def test_results_that_are_written_twice_extend_each_other(person, tmp_path):
    p = person()
    p.place(ONE)
    first, _ = p.sitting.write_results(tmp_path / "first")
    p.work(20)
    p.sitting.work.submit()
    second, _ = p.sitting.write_results(tmp_path / "second")
    chains = [read_results(path, lambda study, its: p.bundle.key).chain for path in (first, second)]
    assert chains[1][: len(chains[0])] == chains[0]
    assert len(chains[1]) > len(chains[0])


def test_an_item_that_failed_can_be_shown_anew(person):
    p = person(study(limits=limits(pauses={"kind": "between"})))
    p.sitting.work.break_item("The view could not be made.")
    assert p.record.trials[0].state is TrialState.BROKEN
    assert p.sitting.state.page is StudyPage.READY
    p.sitting.work.show_anew()
    p.see()
    assert (p.sitting.state.position, p.record.trials[0].state) == (0, TrialState.SHOWN)


# Codes


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("P017A", r"P017A\? The last letter does not fit"),
        ("hello", "is not a code"),
        ("P017E", "unknown in this study"),
        ("P002Q", "belongs to another machine"),
    ],
)
def test_codes_that_cannot_begin_are_told_apart(typed, sentence):
    from spatial_workbench.engine.studies.files.bundles import bundle_of
    from spatial_workbench.engine.studies.planning.freezing import freeze

    chosen = study()
    with pytest.raises(EntryRefused, match=sentence):
        slot_of(bundle_of(chosen, freeze(chosen), frozenset({"P001H"})), typed)


OPENS = """
import pathlib, sys
from spatial_workbench.engine.studies.sessions.session_file import SessionFile
SessionFile.open(pathlib.Path(sys.argv[1]))
"""


@pytest.mark.slow
def test_a_code_that_is_in_use_in_another_window_is_refused(person, tmp_path):
    p = person()
    command = [sys.executable, "-c", OPENS, str(p.sitting.state.file.path)]
    other = subprocess.run(command, capture_output=True, text=True)
    assert "P001H is in use in another window" in other.stderr


def test_a_finished_code_cannot_begin_again(person):
    p = person()
    for _ in range(2):
        p.see()
        p.sitting.work.submit()
    p.sitting.close()
    with pytest.raises(EntryRefused, match="already finished"):
        p.begin()


# What agents play


def cube_study(**condition):
    cube = {**main_item(0), "address": "cube_vertex_view:0"}
    played = {"only": {"aids": [], "answer": "text", **condition}}
    return study([cube, main_item(1)], conditions=played, limits={"pauses": {"kind": "none"}})


def test_who_plays_as_an_agent_has_its_moves_and_its_time(person):
    p = person(cube_study())
    judge, _ = p.sitting.state.subject()
    assert not p.sitting.state.is_typed
    assert p.sitting.limits.remaining_ms == 1_800_000
    for count in range(1, 21):
        assert p.sitting.state.position == 0
        p.sitting.work.edit("Turn U", judge.parse({"moves": ["U"] * count}))
    assert p.sitting.state.position == 1
    assert len(judge.parse(p.record.trials[0].submissions[0].answer).moves) == 20


def test_a_condition_may_give_fewer_moves(person):
    p = person(cube_study(steps=2))
    judge, _ = p.sitting.state.subject()
    p.sitting.work.edit("Turn U", judge.parse({"moves": ["U", "R"]}))
    assert p.record.trials[0].state is TrialState.SUBMITTED


def test_asking_to_leave_is_no_pause(person):
    p = person()
    p.see()
    p.work(10)
    p.sitting.leaving.ask_to_leave()
    p.work(60, acts=False)
    p.sitting.leaving.go_back()
    p.work(1)
    record = p.sitting.state.record
    assert (record.active_ms, record.covered_ms) == (71_000, 0)


def test_the_time_of_an_item_ends_while_somebody_is_asked_for_the_passphrase(person):
    p = person()
    p.see()
    p.place(ONE)
    p.sitting.leaving.ask_to_leave()
    p.work(301, acts=False)
    assert p.record.trials[0].state is TrialState.TIMED_OUT
    assert p.record.trials[0].submissions[-1].answer


def test_a_session_begins_only_in_a_setting_that_the_plan_names_and_says_in_which(tmp_path):
    in_a_browser = bundle(study(setting="browser"))
    with pytest.raises(EntryRefused, match="not at a desk"):
        enter(in_a_browser, "P001H", tmp_path)
    sitting = enter(in_a_browser, "P001H", tmp_path, setting=StudySetting.BROWSER)
    assert sitting.state.head.setting is StudySetting.BROWSER
