"""The script in a Psych-DS folder prints the figures of the report, to the last printed digit."""

import contextlib
import dataclasses
import io
import re
import runpy
import subprocess
import sys

import numpy as np
import pytest

from spatial_workbench.engine.evaluation.results.tables import percent
from spatial_workbench.engine.reporting import study_sharing
from spatial_workbench.engine.reporting.psych_ds import check_psychds, write_psychds
from spatial_workbench.engine.reporting.study_figures import TLX
from spatial_workbench.engine.reporting.study_report import report_sections
from spatial_workbench.engine.studies.analysis.figures import ModelRun
from spatial_workbench.engine.studies.analysis.outcomes import Counts, Outcomes, PostHoc, StudyJudged, StudyState
from spatial_workbench.engine.studies.analysis.rules import Breach
from spatial_workbench.engine.studies.files.publishing import public_form
from spatial_workbench.engine.studies.planning.codes import code_of
from spatial_workbench.engine.studies.planning.document import StudyResponse, StudySetting, study_of
from spatial_workbench.engine.studies.sessions.schema import (
    Accommodations,
    RoundTrips,
    SessionRecord,
    SessionState,
    Submission,
    TrialRecord,
    TrialState,
)
from tests import sweeps
from tests.studies.planning.test_document import SMALLEST
from tests.studies.sample import model_run, outcomes, study

OF_DATA = ("flow", "people", "scores", "times", "best", "items", "practice", "comparison", "confidence", "robustness")
QUESTIONS = [
    {"key": "age", "ask": "How old?", "type": "choice", "options": ["20-29", "-19", "30-39"]},
    {"key": "uses", "ask": "Which tools?", "type": "multi", "options": ["paper", "ruler"]},
    {"key": "hours", "ask": "How many hours?", "type": "integer"},
]
ENDS = (TrialState.GIVEN_UP, TrialState.TIMED_OUT, TrialState.LEFT, TrialState.SKIPPED, TrialState.WAITING)


def any_study(items, **changes):
    """A study of some mazes and rectangles in shuffled order."""
    listed = [
        {"id": f"i{n}", "address": f"{('maze_3d', 'shikaku')[n % 2]}@{n}", "phase": "main", "kind": "instance"}
        for n in range(items)
    ]
    block = {"id": "a", "order": "shuffle", "items": listed}
    limits = {"item_s": 300, "submissions": 3, "score_of": "best"}
    return study_of({**SMALLEST, "blocks": [block], "covariates": QUESTIONS, "limits": limits, **changes})


def any_outcomes(people, items, seed=1, conditions=("only",), scale=1.0, **changes):
    """The outcomes of people of all kinds: excluded, helped, giving up, asked, sharing or not."""
    of = any_study(items, conditions={name: {} for name in conditions}, **changes)
    rng = np.random.default_rng(seed)
    judged = {}
    sessions = []
    for person in range(people):
        condition = conditions[person % len(conditions)]
        trials = [
            _trial(rng, position, item, condition, scale, judged, f"s{person}")
            for position, item in enumerate(rng.permutation(items).tolist())
        ]
        sessions.append(
            SessionRecord(
                id=f"s{person}",
                study=of.hash,
                code=code_of(person + 1),
                state=SessionState.FINISHED,
                trials=tuple(trials),
                boxes={"share": person % 4 != 1},
                covariates={"age": ("20-29", "-19")[person % 2], "uses": ["paper", "ruler"][: person % 3], "hours": 7},
                responses={f"tlx.end.{scale}": int(rng.integers(21)) * 5 for scale in TLX},
                accommodations=Accommodations(time_factor=1.5) if person == 2 else Accommodations(),
            )
        )
    return Outcomes(
        study=of,
        state=StudyState.UNSEALED,
        sessions=tuple(sessions),
        judged=judged,
        breaches=(
            Breach("s0", "P", "attention", StudyResponse.EXCLUDE, "", ""),
            Breach("s0", "P", "file", StudyResponse.EXCLUDE, "", "", 1),
            Breach("s3", "P", "by_hand", StudyResponse.EXCLUDE, "", "", 0),
            Breach("s4", "P", "too_fast", StudyResponse.FLAG, "", "", 0),
        ),
        counts=Counts(planned=people + 3, started=people + 2, ineligible=1, withdrew=1),
    )


def _trial(rng, position, item, condition, scale, judged, session):
    count = int(rng.integers(3))
    times = np.sort(rng.integers(5_000, 300_000, count)).tolist()
    for number in range(1, count + 1):
        score = min(1.0, round(float(rng.random()) * 1.3, 2)) * scale
        judged[session, position, number] = StudyJudged(score, score == 1)
    return TrialRecord(
        position=position,
        block="a",
        item=f"i{item}",
        phase="main",
        condition=condition,
        state=TrialState.SUBMITTED if count else ENDS[int(rng.integers(len(ENDS)))],
        limit_ms=300_000,
        active_ms=max(times, default=123_456),
        elapsed_ms=max(times, default=123_456),
        submissions=tuple(Submission(number=n, active_ms=at, answer="") for n, at in enumerate(times, 1)),
        responses={"confidence": int(rng.integers(101))} if rng.random() < 0.8 else {},
    )


def any_run(of, items, samples, condition="only", name="oak"):
    """A model that was asked about some of the items, several times."""
    rng = np.random.default_rng(7)
    scores = {item.address: tuple(rng.random(samples).round(2).tolist()) for item in list(of.items())[:items]}
    return ModelRun(name, condition, scores, {key: tuple(s > 0.8 for s in own) for key, own in scores.items()})


# What the report prints ------------------------------------------------------------------------------------------


def cell_text(cell):
    return f"{cell.text} ({cell.detail})" if cell.detail else cell.text


def numbers_in(sentences):
    return re.findall(r"[-+]?\d[\d,]*(?:\.\d+)?", " ".join(sentences))


def rows_of(table):
    return [[line.title, *map(cell_text, line.cells)] for line in table.lines]


def report_figures(given, runs, ids=(*OF_DATA, "public")):
    """By section: the numbers in its sentences, its tables, and the points of its curves."""
    found = {}
    for section in report_sections(given, runs):
        if section.id in ids:
            words = section.words[1:] if section.id == "public" else section.words
            tables = {table.title: rows_of(table) for table in section.tables}
            found[section.title] = (numbers_in(words), tables)
    return found


def report_curves(given, runs):
    (section,) = [section for section in report_sections(given, runs) if section.id == "times"]
    charts = {chart.title: chart.rows for chart in section.charts}
    unsolved = charts.get("Not yet solved", ())
    minutes = charts.get("Score against time", ())
    return {
        "Not yet solved": [[name, f"{at:,.0f}", f"{100 * share:.0f}"] for name, at, share in unsolved],
        "Score against time": [[name, str(minute), percent(score)] for name, minute, score in minutes],
    }


# What the script prints ------------------------------------------------------------------------------------------


def run_script(folder):
    """What the script prints; by default it runs in this process, since a process of its own has to load pandas."""
    script = folder / "analysis" / "figures.py"
    return run_alone(script) if sweeps.EVERYTHING else run_here(script)


def run_alone(script):
    command = [sys.executable, "-I", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=300)
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout


def run_here(script):
    printed = io.StringIO()
    errors = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        runpy.run_path(str(script), run_name="__main__")
    assert errors.getvalue() == ""
    return printed.getvalue()


@pytest.mark.slow
def test_the_script_needs_nothing_but_its_folder(tmp_path):
    write_psychds(tmp_path, outcomes(), runs=[model_run()])
    script = tmp_path / "analysis" / "figures.py"
    assert run_alone(script) == run_here(script)


CURVES = ("Not yet solved", "Score against time")


def script_figures(text):
    found = {}
    curves = {}
    for part in re.split(r"(?m)^# ", text)[1:]:
        title, _, rest = part.partition("\n")
        sentences, *tables = re.split(r"(?m)^## ", rest)
        rows = {}
        for table in tables:
            name, *lines = table.rstrip("\n").split("\n")
            (curves if name in CURVES else rows)[name] = [line.split("\t") for line in lines]
        found[title] = (numbers_in(sentences.split("\n")), rows)
    return found, curves


def assert_same(found, expected):
    assert list(found) == list(expected)
    for title, (numbers, tables) in expected.items():
        assert found[title][0] == numbers, title
        assert list(found[title][1]) == list(tables), title
        for name, rows in tables.items():
            assert found[title][1][name] == rows, name


def assert_printed_as_reported(given, runs, folder):
    """The full folder gives the report, and the public one what the report prints of those who share, however few."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study_sharing, "LEAST_OTHERS", 0)
        _assert_printed_as_reported(given, runs, folder)


def _assert_printed_as_reported(given, runs, folder):
    write_psychds(folder / "full", given, runs=runs)
    found, curves = script_figures(run_script(folder / "full"))
    assert_same(found, report_figures(given, runs))
    assert curves == report_curves(given, runs)
    public = public_form(given)
    write_psychds(folder / "public", public.outcomes, runs=runs, is_public=True, left_out=public.left_out)
    found, _ = script_figures(run_script(folder / "public"))
    assert_same(found, report_figures(given, runs, ids=("public",)))
    assert check_psychds(folder / "full") == check_psychds(folder / "public") == []


@pytest.mark.slow
def test_one_condition_and_models_with_few_and_many_samples(tmp_path):
    given = any_outcomes(16, 9)
    runs = [any_run(given.study, 9, 3), any_run(given.study, 5, 1, name="ash")]
    assert_printed_as_reported(given, runs, tmp_path)


@pytest.mark.slow
def test_conditions_between_people_with_later_exclusions(tmp_path):
    given = any_outcomes(18, 4, seed=2, conditions=("hands", "judged"), analysis={"level": 0.9, "draws": 2000})
    given = dataclasses.replace(given, post_hoc=(PostHoc("s5", "was asleep", "2026"), PostHoc("s6", "x", "2026", 2)))
    assert_printed_as_reported(given, [any_run(given.study, 4, 2, condition="judged")], tmp_path)


@pytest.mark.slow
def test_few_people_in_each_condition(tmp_path):
    given = any_outcomes(11, 3, seed=3, conditions=("hands", "judged"))
    assert_printed_as_reported(given, [any_run(given.study, 3, 4, condition="hands")], tmp_path)


@pytest.mark.slow
def test_five_people_who_all_fail(tmp_path):
    given = any_outcomes(5, 3, seed=4, scale=0.0)
    assert_printed_as_reported(given, [any_run(given.study, 3, 2)], tmp_path)


@pytest.mark.slow
def test_conditions_that_everybody_meets(tmp_path):
    given = any_outcomes(9, 4, seed=5, conditions=("hands", "judged"), assignment="within")
    sessions = [
        one.model_copy(
            update={
                "trials": tuple(
                    trial.model_copy(update={"condition": ("hands", "judged")[trial.item in ("i0", "i1")]})
                    for trial in one.trials
                )
            }
        )
        for one in given.sessions
    ]
    assert_printed_as_reported(dataclasses.replace(given, sessions=tuple(sessions)), [], tmp_path)


@pytest.mark.slow
def test_the_worked_example(tmp_path):
    given = outcomes()
    sessions = [one.model_copy(update={"boxes": {"share": person > 1}}) for person, one in enumerate(given.sessions)]
    assert_printed_as_reported(dataclasses.replace(given, sessions=tuple(sessions)), [model_run()], tmp_path)


def in_settings(given):
    """The same people, every third at a desk and the others in a browser, with round trips in most of their trials."""

    def moved(session, person):
        if person % 3 == 0:
            return session
        trips = [RoundTrips(count=5, median_ms=20 + 7 * n, p95_ms=60 + 11 * n, worst_ms=90 * person) for n in range(9)]
        trials = [
            trial.model_copy(update={"round_trips": None if trial.position == 2 else trips[trial.position]})
            for trial in session.trials
        ]
        return session.model_copy(update={"setting": StudySetting.BROWSER, "trials": tuple(trials)})

    sessions = [moved(session, person) for person, session in enumerate(given.sessions)]
    return dataclasses.replace(given, sessions=tuple(sessions))


@pytest.mark.slow
def test_people_at_a_desk_and_in_a_browser(tmp_path):
    given = in_settings(any_outcomes(14, 4, seed=8, setting="both"))
    assert_printed_as_reported(given, [any_run(given.study, 4, 2)], tmp_path)


@pytest.mark.slow
def test_settings_within_conditions(tmp_path):
    given = in_settings(any_outcomes(13, 3, seed=9, conditions=("hands", "judged")))
    assert_printed_as_reported(given, [], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["first", "last"])
def test_the_submission_that_counts(rule, tmp_path):
    limits = {"item_s": 300, "submissions": 3, "score_of": rule}
    assert_printed_as_reported(any_outcomes(9, 3, seed=6, limits=limits), [], tmp_path)


@pytest.mark.slow
def test_public_data_of_a_study_in_which_everybody_shares_give_all_figures(tmp_path):
    given = outcomes()
    public = public_form(given).outcomes
    write_psychds(tmp_path, public, runs=[model_run()], is_public=True)
    found, _ = script_figures(run_script(tmp_path))
    expected = report_figures(given, [model_run()])
    printed = found["Figures of the public data"][1]
    for section in [title for title in expected if title not in ("From plan to analysis", "People")]:
        for name, rows in expected[section][1].items():
            assert printed[f"{name}, of people who share"] == rows


@pytest.mark.slow
def test_figures_that_would_tell_of_one_person_are_withheld_and_the_public_folder_has_them(tmp_path):
    given = outcomes()
    sessions = [one.model_copy(update={"boxes": {"share": person > 0}}) for person, one in enumerate(given.sessions)]
    given = dataclasses.replace(given, sessions=tuple(sessions))
    write_psychds(tmp_path / "full", given, runs=[model_run()])
    text = run_script(tmp_path / "full")
    found, _ = script_figures(text)
    assert_same(found, report_figures(given, [model_run()]))
    assert "people who share" not in text.replace("Figures of the public data", "")
    assert found["Figures of the public data"] == ([], {})
    write_psychds(tmp_path / "public", public_form(given).outcomes, runs=[model_run()], is_public=True)
    found, _ = script_figures(run_script(tmp_path / "public"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study_sharing, "LEAST_OTHERS", 0)
        assert_same(found, report_figures(given, [model_run()], ids=("public",)))


def test_sealed_outcomes_give_no_figures_of_them(tmp_path):
    given = dataclasses.replace(any_outcomes(6, 3), state=StudyState.CLOSED, judged={})
    write_psychds(tmp_path, given)
    text = run_script(tmp_path)
    assert "there are no figures about them" in text
    found, _ = script_figures(text)
    assert list(found) == ["From plan to analysis", "People"]


def test_a_study_without_people_has_no_figures(tmp_path):
    assert_printed_as_reported(outcomes(of=study(), sessions=(), judged={}), [], tmp_path)


def test_public_settings_tell_nothing_of_those_who_do_not_share(tmp_path):
    public = public_form(any_outcomes(9, 3)).outcomes
    write_psychds(tmp_path, public, is_public=True)
    settings = (tmp_path / "analysis" / "settings.json").read_text("utf-8")
    assert "counts" not in settings
    assert "questions" not in settings
