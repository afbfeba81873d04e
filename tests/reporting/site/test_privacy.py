"""What must be true of a site, tried with a project that holds everything that must not be published."""

import html
import json
import re
from uuid import UUID

import pytest

from spatial_workbench.engine.core import resolve, tasks
from spatial_workbench.engine.reporting.site.attempt_drawing import without_hidden
from spatial_workbench.engine.reporting.site.choice import CannotPublish, SiteChoice
from spatial_workbench.engine.reporting.site.contents import site_contents
from spatial_workbench.engine.reporting.site.publishing import preview, publish
from spatial_workbench.engine.store import Project
from tests.reporting.site.hostile import KEY, SCRIPT, SECRETS, fill, text_of, tools
from tests.store.studying import solution


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    with Project.create(folder / "thesis-of-ada.workbench") as opened:
        fill(opened, folder / "results")
        yield opened


@pytest.fixture(scope="module")
def site(project, tmp_path_factory):
    """The site with a study, and without any person who was asked."""
    folder = tmp_path_factory.mktemp("site")
    publish(project, folder / "site", SiteChoice(studies=("Open loops",)), tools(folder / "kept"))
    return folder / "site"


@pytest.mark.slow
def test_nothing_secret_is_anywhere(site):
    text = text_of(site)
    assert [secret for secret in SECRETS if secret in text or html.escape(secret) in text] == []


def test_a_key_in_the_environment_is_removed_from_answers(project, monkeypatch):
    monkeypatch.setenv("SPATIAL_WORKBENCH_KEY_TEAM_ACCOUNT_PROXY_SECRET_EXAMPLE", "shikaku-rules")
    from spatial_workbench.engine.reporting.site.audience import cleaner

    assert "shikaku-rules" not in cleaner(project)("It is shikaku-rules.")
    assert KEY not in cleaner(project)(f"It is {KEY}.")


def test_what_others_wrote_is_text_and_never_script(site):
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        outside = re.sub(r"<script[^>]*>.*?</script>", "", text, flags=re.DOTALL)
        assert SCRIPT not in text
        assert "onerror" not in re.sub(r'="[^"]*"', "", re.sub(r">[^<]*<", "><", outside)), page
        assert "script-src 'self'" in text
        assert not re.search(r'<[^>]* style="|<[^>]* on[a-z]+="|<script>', text), page


def test_every_page_and_every_json_file_has_the_canary(site):
    guid = json.loads((site / "site.json").read_text("utf-8"))["canary"]
    assert str(UUID(guid)) == guid
    pages = [*site.rglob("*.html"), *(path for path in site.rglob("*.json"))]
    assert [path for path in pages if guid not in path.read_text("utf-8")] == []


def test_reference_solutions_are_not_published(site, project):
    listed = json.loads((site / "attempts.json").read_text("utf-8"))
    runs = {slug for slug, _ in listed["runs"]}
    assert "reference" not in runs
    contents = site_contents(project, SiteChoice())
    assert all(run.kind != "reference" for run in contents.runs)


def test_a_right_answer_to_a_task_with_one_answer_is_not_shown(site, project):
    contents = site_contents(project, SiteChoice())
    (right,) = [attempt for attempt in contents.attempts.values() if attempt.address == "shikaku:0"]
    assert right.passed
    assert (right.answer, right.verdict) == ("", None)
    assert not (site / "attempts" / f"{right.number}.js").exists()
    task, instance = resolve("shikaku:0")
    first = task.solve(instance).rectangles[0]
    assert json.dumps(list(first)) not in (site / "attempts" / f"{right.number}.html").read_text("utf-8")


def test_verdicts_tell_no_figure_that_a_task_hides(site):
    for data in map(json.loads, (path.read_text("utf-8") for path in site.glob("attempts/*.json"))):
        if resolve(data["address"])[0].hidden and data["task"] != "maze_3d":
            assert data["figures"] == []
            assert {check["message"] for check in data["checks"]} == {""}


def test_what_solvers_may_not_see_is_not_drawn(site, project):
    contents = site_contents(project, SiteChoice())
    (partly,) = [attempt for attempt in contents.attempts.values() if attempt.task == "cube_vertex_view"]
    assert not (site / "attempts" / f"{partly.number}.js").exists()
    assert not (site / "attempts" / f"{partly.number}.webp").exists()


def hiding():
    return [task.id for task in tasks() if task.hidden and task.instances()]


@pytest.mark.parametrize("name", hiding())
def test_drawings_are_made_without_hidden_parameters(name):
    task = next(task for task in tasks() if task.id == name)
    shown = without_hidden(task, task.instances()[0])
    assert not task.hidden & shown.parameters.keys()


def test_people_who_were_not_asked_are_counted_and_not_named(project):
    listed = preview(project, SiteChoice())
    assert any("3 attempts of 3 people who are not listed as having agreed" in text for text in listed.left_out)
    assert [secret for secret in SECRETS if any(secret in line for line in listed.lines)] == []


def test_people_who_agreed_have_no_name_unless_they_asked_for_it(project):
    contents = site_contents(project, SiteChoice(people=("Ada Lovelace",), named=("Grace Hopper",)))
    people = {run.title for run in contents.runs if run.kind == "person"}
    assert people == {"Person 1", "Grace Hopper"}
    assert all(attempt.day == "" for attempt in contents.attempts.values() if attempt.run.startswith("person"))


def test_somebody_unknown_is_refused_with_the_choices(project):
    with pytest.raises(CannotPublish, match=r"Nobody called “Ida”.*Ada Lovelace"):
        site_contents(project, SiteChoice(people=("Ida",)))


def test_a_sealed_study_is_refused(project):
    with pytest.raises(CannotPublish, match="“Sealed loops” are sealed"):
        site_contents(project, SiteChoice(studies=("Sealed loops",)))


def test_an_unknown_study_is_refused_with_the_choices(project):
    with pytest.raises(CannotPublish, match=r"There is no study “Loops”; there are .*“Open loops”"):
        site_contents(project, SiteChoice(studies=("Loops",)))


def test_a_study_that_is_not_named_is_not_there(project):
    contents = site_contents(project, SiteChoice())
    assert contents.studies == ()
    assert not any("loops" in run.title for run in contents.runs)


def test_of_a_study_only_people_who_share_are_counted(project, site):
    contents = site_contents(project, SiteChoice(studies=("Open loops",)))
    assert "human · Open loops (1)" in {run.title for run in contents.runs}
    data = json.loads((site / "studies" / "study-1.json").read_text("utf-8"))
    assert len(data["data"]["participants"]["rows"]) == data["people"] == 1
    assert "consent" not in " ".join(section["title"] for section in data["report"]).casefold()


def test_answers_of_people_in_studies_are_not_published_one_by_one(project, site):
    text = text_of(site)
    assert solution("hamiltonian_loop@1?blocked=0&height=4&width=4") not in text
    assert not any("hamiltonian_loop" in path.read_text("utf-8") for path in site.glob("attempts/*.json"))
