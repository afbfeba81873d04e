"""The models that a study compares people with, as a project has them."""

import dataclasses

import pytest

import spatial_workbench as sw
from spatial_workbench.engine.evaluation.collect import scored
from spatial_workbench.engine.reporting.contrasts import model_runs
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.planning.freezing import freeze
from tests.studies.sample import ADDRESSES, outcomes, study

CONTRAST = {"condition": "only", "run": "oak"}


def right_half(prompt):
    """Solves the mazes, and nothing else."""
    for address in ADDRESSES[:2]:
        if sw.prompt(address).text == prompt.text:
            return sw.task("maze_3d").format(sw.solve(address))
    return "[]"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project in which two models answered the study's items, one of them twice, and an instance that it lacks."""
    path = tmp_path_factory.mktemp("contrasts") / "p.workbench"
    asked = ",".join((*ADDRESSES, "shikaku:5"))
    sw.evaluate(right_half, asked, project=path, name="oak", repeats=2, workers=1)
    sw.evaluate(lambda prompt: "[]", asked, project=path, name="elm", workers=1)
    with Project.open(path) as opened:
        yield opened


def given(**contrast):
    of = study(analysis={"contrasts": [{**CONTRAST, **contrast}]})
    return outcomes(of=of, frozen=freeze(of))


@pytest.mark.slow
def test_a_run_has_its_samples_on_the_study_s_items_only(project):
    (run,) = model_runs(project, given())
    assert run.scores == {address: (float(k < 2),) * 2 for k, address in enumerate(ADDRESSES)}
    assert run.passed[ADDRESSES[0]] == (True, True)


@pytest.mark.slow
def test_an_item_that_the_study_spells_otherwise_is_the_same_item(tmp_path):
    spelt = "shikaku@1?width=5&height=5"
    path = tmp_path / "p.workbench"
    sw.evaluate(lambda prompt: "[]", spelt, project=path, name="oak", workers=1)
    item = {"id": "a", "address": spelt}
    of = study(blocks=[{"id": "main", "order": "fixed", "items": [item]}], analysis={"contrasts": [CONTRAST]})
    with Project.open(path) as project:
        (run,) = model_runs(project, outcomes(of=of, frozen=freeze(of)))
    assert (list(run.scores), run.same_prompt, list(run.versions)) == ([spelt], {spelt: True}, [spelt])


@pytest.mark.slow
def test_only_the_named_batch_counts(project):
    assert model_runs(project, given(batch=2)) == []
    assert len(model_runs(project, given(batch=1))) == 1


def test_a_run_that_the_project_lacks_is_left_out(project):
    assert model_runs(project, given(run="ash")) == []
    assert model_runs(project, given(tools=True)) == []


def test_the_words_that_were_asked_are_compared_with_those_that_were_frozen(project):
    (run,) = model_runs(project, given())
    assert run.same_prompt == dict.fromkeys(ADDRESSES, True)
    outcomes_ = given()
    changed = [m.model_copy(update={"prompt": "0" * 64}) for m in outcomes_.frozen.materials[:1]]
    frozen = outcomes_.frozen.model_copy(update={"materials": (*changed, *outcomes_.frozen.materials[1:])})
    (run,) = model_runs(project, dataclasses.replace(outcomes_, frozen=frozen))
    assert [run.same_prompt[address] for address in ADDRESSES] == [False, True, True, True]


def test_versions_are_those_of_the_verdicts(project):
    (run,) = model_runs(project, given())
    assert run.versions["shikaku:0"] == sw.task("shikaku").verifiers()["default"].version


def test_without_studies_everything_is_scored_as_before(project):
    assert {item.model for item in scored(project)} == {"oak", "elm"}
