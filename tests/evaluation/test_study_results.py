"""People of a study stand in Results as one run, with an interval over people, beside models on the same items."""

from types import SimpleNamespace

import pytest

from spatial_workbench.engine.evaluation.collect import scored
from spatial_workbench.engine.evaluation.results.cube import cube_tables
from spatial_workbench.engine.evaluation.results.score_tables import published_scores
from spatial_workbench.engine.evaluation.results.settings_table import settings_table
from spatial_workbench.engine.evaluation.scored import Scored
from spatial_workbench.engine.evaluation.scores import scoreboard
from spatial_workbench.engine.evaluation.study_results import study_results
from spatial_workbench.engine.evaluation.unsealing import unseal
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.store.studies.outcomes import StudyOutcomes
from spatial_workbench.engine.studies.analysis.outcomes import StudyState
from spatial_workbench.engine.studies.analysis.rules import Breach
from spatial_workbench.engine.studies.planning.document import StudyResponse
from tests.store.studying import ITEMS, document, results, session
from tests.studies.sample import model_run, outcomes, study
from tests.studies.sittings import SECRET


class Holding:
    """A project that holds nothing but outcomes."""

    def __init__(self, given):
        self.runs = SimpleNamespace(scored=lambda *choice, of_studies: {})
        self.studies = SimpleNamespace(all=lambda: [SimpleNamespace(id=given.study.id, state=given.state)])
        self.outcomes = SimpleNamespace(of=lambda study: given, counting_attempts=lambda study: {})


def records(given):
    models = [
        Scored(
            task=address.partition(":")[0],
            address=address,
            number=int(address[-1]),
            model="oak",
            repeat=repeat,
            score=score,
            passed=score == 1,
        )
        for address, samples in model_run().scores.items()
        for repeat, score in enumerate(samples)
    ]
    return [*study_results(Holding(given)), *models]


def cell(given, row="Overall"):
    table = published_scores(records(given), with_published=True)
    (line,) = [line for line in table.lines if line.title == row]
    (place,) = [i for i, heading in enumerate(table.headings) if heading.title.startswith("human")]
    return table.headings[place], line.cells[place]


def test_the_people_of_a_study_are_a_column_with_an_interval_over_people():
    heading, shown = cell(outcomes())
    assert (heading.title, shown.text) == ("human · T (8)", "62.8")
    assert shown.values[1:3] == pytest.approx((0.484, 0.778), abs=0.02)
    assert shown.detail.startswith("n 4 of ")
    assert "8 people" in shown.detail


def test_models_are_told_on_the_items_that_people_had():
    assert "oak: 33.3 % (n 4)" in cell(outcomes())[1].tip


def test_the_pass_rate_is_that_of_people():
    assert "31.2 % passed" in cell(outcomes())[1].tip


def test_few_people_have_no_interval():
    _, shown = cell(outcomes(sessions=outcomes().sessions[:2]))
    assert "too few people" in shown.detail
    assert shown.values[1:3] == (None, None)


def test_single_people_make_no_column():
    columns = {column.model for column in scoreboard(records(outcomes())).columns}
    assert columns == {"human · T (8)", "oak"}


def test_who_is_excluded_does_not_count():
    breach = Breach("session-0", "P001H", "attention", StudyResponse.EXCLUDE, "", "")
    assert cell(outcomes(breaches=(breach,)))[0].title == "human · T (7)"


def test_each_condition_is_a_run_of_its_own():
    of = study(conditions={"only": {}, "model": {"aids": [], "answer": "text"}})
    assert {item.model for item in study_results(Holding(outcomes(of=of)))} == {"human · T, only (8)"}


def test_sealed_studies_are_not_in_results():
    sealed = Holding(outcomes())
    sealed.studies = SimpleNamespace(all=lambda: [SimpleNamespace(id="x", state=StudyState.CLOSED)])
    assert study_results(sealed) == []


def test_people_who_may_use_tools_are_told_apart():
    of = study(tools={"internet": "allowed"})
    assert {item.tools for item in study_results(Holding(outcomes(of=of)))} == {True}


@pytest.mark.slow
def test_after_unsealing_a_study_is_counted_once_and_an_answer_that_was_not_given_counts_0(tmp_path):
    path = tmp_path / "p.workbench"
    with Project.create(path) as project:
        of = document()
        project.studies.add(of)
        bundle, _ = project.places.add_bundle(of.id, passphrase=SECRET)
        folder = tmp_path / "r"
        folder.mkdir()
        files = [results(folder, bundle, session(bundle, bundle.slots[n].code, number=n + 1)) for n in (0, 1)]
        files.append(results(folder, bundle, session(bundle, bundle.slots[2].code, [None], number=3)))
        project.merging.merge(files)
        assert scored(project) == []
        project.exclusions.close_study(of.id, of.name)
    unseal(path, of.id, SECRET, workers=1)
    with Project.open(path) as project:
        found = scored(project)
    assert {item.model for item in found} == {"human · Two mazes (3)"}
    assert sorted(item.value for item in found) == [0, 1, 1, 1, 1, 1]
    assert sum(item.attempt is None for item in found) == 1


SPELT_OTHERWISE = "hamiltonian_loop@1?width=4&height=4&blocked=0"
SHARED = "interlocking_parts:0"
TYPED = {"only": {"aids": [], "answer": "text"}}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("address", "answer", "conditions"),
    [
        (ITEMS[0], None, {}),
        (SPELT_OTHERWISE, None, {}),
        (ITEMS[0], "nobody can read this", TYPED),
        (SHARED, "{}", {}),
        ("cube_face_view:0", "{}", {}),
        ("maze_3d:0", "{}", {}),
    ],
)
def test_an_override_of_a_persons_attempt_counts_in_results(tmp_path, address, answer, conditions):
    path = tmp_path / "p.workbench"
    of = document(
        blocks=[{"id": "a", "order": "fixed", "items": [{"id": "m0", "address": address}]}],
        **({"conditions": conditions} if conditions else {}),
    )
    with Project.create(path) as project:
        project.studies.add(of)
        bundle, _ = project.places.add_bundle(of.id, passphrase=SECRET)
        given = (answer,) if answer else ()
        (tmp_path / "r").mkdir()
        project.merging.merge([results(tmp_path / "r", bundle, session(bundle, "P001H", given))])
        project.exclusions.close_study(of.id, of.name)
    unseal(path, of.id, SECRET, workers=1)
    with Project.open(path) as project:
        (before, *_) = study_results(project)
        project.judgements.override_score(before.attempt, 0.25, False, "Read aloud", "Ada")
        counted = {item.attempt: item for item in study_results(project)}[before.attempt]
        judged = {item.attempt: item for item in study_results(project, overrides=False)}[before.attempt]
    assert (counted.score, counted.is_overridden, judged.score) == (0.25, True, before.score)
    assert counted.override.endswith("→ 0.25 by Ada: Read aloud")


def test_results_and_settings_read_the_outcomes_of_a_study_once(tmp_path, monkeypatch):
    reads = []
    monkeypatch.setattr(StudyOutcomes, "_outcomes", lambda self, study: reads.append(study) or outcomes())
    with Project.create(tmp_path / "p.workbench") as project:
        project.studies.add(outcomes().study)
        monkeypatch.setattr(project, "studies", Holding(outcomes()).studies)
        study_results(project)
        settings_table(project)
    assert len(reads) == 1


@pytest.mark.parametrize(("people", "greatest"), [(5, 0.5218), (9, 0.3363)])
def test_people_who_all_fail_are_no_certain_zero_in_results(people, greatest):
    failed = [
        Scored(task="shikaku", address=f"shikaku:{n}", number=n, model="human · T", repeat=person, score=0.0, study="s")
        for person in range(people)
        for n in range(2)
    ]
    board = scoreboard(failed)
    cell = board.cell("shikaku", board.columns[0])
    assert (cell.people, cell.value) == (people, 0)
    assert cell.people_interval == pytest.approx((0, greatest), abs=1e-4)


def test_people_who_turned_the_cube_stand_beside_agents():
    people = [
        Scored(
            task="cube_face_view",
            address=f"cube_face_view:{n}",
            number=n,
            model="human · T (3)",
            repeat=person,
            passed=n < 1,
            depth=1,
            study="s",
        )
        for person in range(3)
        for n in range(2)
    ]
    (table, *_) = cube_tables({}, with_published=False, people=people)
    (line,) = table.lines
    shown = {heading.title: cell for heading, cell in zip(table.headings, line.cells, strict=True)}
    assert (line.title, shown["face view, short"].text) == ("human · T (3)", "50")
    assert shown["face view, short"].values[3:] == (3, 6)
    assert shown["vertex view, short"].text == "–"


def test_the_settings_say_how_people_answered(tmp_path):
    with Project.create(tmp_path / "p.workbench") as project:
        assert settings_table(project).lines == ()
        project.studies = Holding(outcomes()).studies
        project.outcomes = Holding(outcomes()).outcomes
        (line,) = settings_table(project).lines
    assert line.title == "human · T (8)"
    assert [cell.text for cell in line.cells][:3] == ["study “T”", "people", "aids: editing, viewing"]
