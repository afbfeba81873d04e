"""Rehearsals: simulated people leave the same files as real ones."""

import pytest

from spatial_workbench.engine.studies.analysis.rules import DEFAULTS, breaches
from spatial_workbench.engine.studies.files.results_file import read_results
from spatial_workbench.engine.studies.planning.default_texts import LIBRARY
from spatial_workbench.engine.studies.sessions.rehearsing import rehearse
from spatial_workbench.engine.studies.sessions.schema import SessionState, TrialState, inconsistencies
from tests.studies.sittings import SHIKAKU, bundle, main_item, study

COVARIATES = [
    {"key": "age", "ask": "How old are you?", "type": "integer", "range": [0, 99]},
    {"key": "tools", "ask": "What do you use?", "type": "multi", "options": ["mouse", "pen"], "required": False},
    {"key": "serious", "ask": "Did you take it seriously?", "type": "scale", "when": "after"},
]
DECLARED = tuple(DEFAULTS["declared"].value)
ATTENTION = {
    "id": "rarely",
    "kind": "question",
    "phase": "attention",
    "shows": "Choose rarely.",
    "options": ["often", "rarely"],
    "expects": {"value": "rarely"},
}


def full_study():
    """A study with something of everything."""
    return study(
        [{**main_item(2), "phase": "practice"}, main_item(0), ATTENTION, main_item(1)],
        covariates=COVARIATES,
        eligibility=[{"covariate": "age", "op": ">=", "value": 18}],
        limits={"item_s": 120, "break_after": 1, "break_min_s": 30, "submissions": 2},
        questions={"confidence": True, "difficulty": True, "strategy": True, "tlx": "end"},
    )


def rehearsed(tmp_path, model, people=3, chosen=None):
    made = bundle(chosen or full_study())
    paths = list(rehearse(made, people, 1, model, tmp_path))
    return [read_results(path, lambda study, its: made.key).session for path in paths]


@pytest.mark.parametrize("model", ["reference", "random"])
def test_simulated_people_finish_and_their_files_are_sound(tmp_path, model):
    for session in rehearsed(tmp_path, model):
        assert (session.phase, session.state) == ("rehearsal", SessionState.FINISHED)
        assert (session.file_faults, inconsistencies(session)) == ((), [])
        assert all(trial.state in (TrialState.SUBMITTED, TrialState.TIMED_OUT) for trial in session.trials)


def test_reference_people_score_1_and_random_people_do_not(tmp_path):
    scores = {}
    for model in ("reference", "random"):
        sessions = rehearsed(tmp_path, model, 2)
        given = [(trial.item, trial.submissions[-1].answer) for s in sessions for trial in s.of_phase("main")]
        instances = SHIKAKU.instances()
        scores[model] = {SHIKAKU.verify(instances[int(item[1:])], answer).score for item, answer in given}
    assert scores["reference"] == {1.0}
    assert 1.0 not in scores["random"]


def test_a_rule_about_who_may_take_part_excludes_no_simulated_person(tmp_path):
    asked = [
        *COVARIATES[:1],
        *(covariate.model_dump(mode="json") for covariate in LIBRARY if covariate.key in DECLARED),
    ]
    chosen = study(covariates=asked, eligibility=[{"covariate": "age", "op": ">=", "value": 18}])
    people = rehearsed(tmp_path, "random", 4, chosen)
    assert all(set(DECLARED) <= set(person.covariates) for person in people)
    assert [breach for breach in breaches(chosen, people) if breach.rule == "declared"] == []


def test_equal_seeds_give_equal_people(tmp_path):
    first, second = (rehearsed(tmp_path / name, "random", 2) for name in ("a", "b"))
    assert [session.trials for session in first] == [session.trials for session in second]


def test_simulated_people_type_where_people_do(tmp_path):
    typed = study(conditions={"only": {"aids": [], "answer": "text"}})
    (session,) = rehearsed(tmp_path, "reference", 1, typed)
    assert all(trial.submissions[0].is_readable for trial in session.trials)
