"""The life of a study in a project: drafts are edited, frozen ones are not, and amendments have parents."""

import json

import pytest

from spatial_workbench.engine.store import MissingRecord, Project, ProjectError
from spatial_workbench.engine.store.studies.places import codes_between
from spatial_workbench.engine.store.studies.records import StudyError, VersionKind
from spatial_workbench.engine.studies.analysis.outcomes import StudyState
from spatial_workbench.engine.studies.files.bundles import read_bundle, write_bundle
from spatial_workbench.engine.studies.planning import keyboard
from spatial_workbench.engine.studies.planning.codes import CodeError
from spatial_workbench.engine.studies.planning.document import StudySetting, read_study, study_of
from spatial_workbench.engine.studies.sessions.schema import Accommodations
from tests.store.studying import document
from tests.studies.planning.test_document import SMALLEST
from tests.studies.sittings import SECRET

STUDY = document()


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "work.workbench") as opened:
        opened.studies.add(STUDY)
        yield opened


def test_a_draft_is_listed_and_can_be_changed(project):
    project.studies.change(STUDY.id, document(name="Three mazes"))
    (row,) = project.studies.all()
    assert (row.name, row.state, row.version) == ("Three mazes", StudyState.DRAFT, 0)


def test_a_study_of_the_same_id_is_refused(project):
    with pytest.raises(StudyError, match="already"):
        project.studies.add(STUDY)


@pytest.mark.parametrize("words", [STUDY.id, STUDY.name, STUDY.hash[:12]])
def test_a_study_is_found_by_its_id_its_name_or_its_hash(project, words):
    assert project.studies.find(words) == STUDY.id


def test_a_deleted_draft_comes_back_with_its_notes_and_answers(project):
    project.study_log.add_note(STUDY.id, "Ask the board")
    project.study_log.answer_checklist(STUDY.id, "1.9", "Yes")
    before = project.studies.row(STUDY.id)
    deleted = project.studies.delete_draft(STUDY.id)
    assert (project.studies.all(), project.study_log.notes(STUDY.id)) == ([], [])
    project.studies.restore_draft(deleted)
    assert (project.studies.row(STUDY.id), project.studies.document(STUDY.id)) == (before, STUDY)
    assert [note.text for note in project.study_log.notes(STUDY.id)] == ["Ask the board"]
    assert project.study_log.checklist_answers(STUDY.id)["1.9"].value == "Yes"
    with pytest.raises(StudyError, match="in this project already"):
        project.studies.restore_draft(deleted)


def test_only_drafts_are_deleted(project):
    project.studies.freeze(STUDY.id, SECRET)
    with pytest.raises(StudyError, match="this study is frozen"):
        project.studies.delete_draft(STUDY.id)


def test_an_unknown_study_is_refused(project):
    with pytest.raises(MissingRecord, match="Five"):
        project.studies.find("Five mazes")


def test_freezing_fixes_places_and_materials(project):
    digest = project.studies.freeze(STUDY.id, SECRET)
    (version,) = project.studies.versions(STUDY.id)
    assert (digest, version.hash, version.number) == (STUDY.hash, STUDY.hash, 1)
    assert [place.slot.code for place in project.places.slots(STUDY.id)][:2] == ["P001H", "P002Q"]
    assert [material.item for material in version.frozen.materials] == ["m0", "m1"]


def test_a_frozen_study_cannot_be_changed(project):
    project.studies.freeze(STUDY.id, SECRET)
    with pytest.raises(StudyError, match="frozen and cannot be changed"):
        project.studies.change(STUDY.id, document(name="Other"))


def test_freezing_again_changes_nothing(project):
    assert project.studies.freeze(STUDY.id, SECRET) == project.studies.freeze(STUDY.id, SECRET)
    assert len(project.studies.versions(STUDY.id)) == 1


def test_a_study_with_errors_is_not_frozen(project):
    project.studies.change(STUDY.id, document(limits={"stop_on_pass": True}))
    with pytest.raises(StudyError, match=r"limits\.stop_on_pass"):
        project.studies.freeze(STUDY.id, SECRET)
    assert project.studies.state(STUDY.id) is StudyState.DRAFT


def test_the_first_main_bundle_freezes(project):
    project.places.add_bundle(STUDY.id, passphrase=SECRET)
    assert project.studies.state(STUDY.id) is StudyState.FROZEN


def test_a_pilot_bundle_does_not_freeze_and_the_document_can_still_be_changed(project):
    bundle, _ = project.places.add_bundle(STUDY.id, phase="pilot")
    project.studies.change(STUDY.id, document(name="After the pilot"))
    assert (bundle.phase, project.studies.state(STUDY.id)) == ("pilot", StudyState.PILOT)
    assert [version.kind for version in project.studies.versions(STUDY.id)] == [VersionKind.PILOT]


def test_there_is_no_pilot_of_a_frozen_study(project):
    project.studies.freeze(STUDY.id, SECRET)
    with pytest.raises(StudyError, match="frozen"):
        project.places.add_bundle(STUDY.id, phase="pilot")


def test_a_bundle_holds_the_chosen_places_and_its_key_stays_in_the_project(project, tmp_path):
    bundle, _ = project.places.add_bundle(STUDY.id, ["P002Q"], site="lab", passphrase=SECRET)
    write_bundle(tmp_path / "a.study", bundle)
    again = read_bundle(tmp_path / "a.study")
    assert ([slot.code for slot in again.slots], again.site) == (["P002Q"], "lab")
    assert project.places.bundle_key(STUDY.hash, bundle.id) == again.key
    assert project.places.bundle_key(STUDY.hash, "other") is None


def test_reserves_are_bundled_by_name_only(project):
    bundle, _ = project.places.add_bundle(STUDY.id, passphrase=SECRET)
    assert len(bundle.slots) == 4


def test_a_code_that_is_dealt_twice_is_told(project):
    project.places.add_bundle(STUDY.id, ["P001H", "P002Q"], passphrase=SECRET)
    _, warnings = project.places.add_bundle(STUDY.id, ["P002Q", "P003X"], passphrase=SECRET)
    assert warnings == ["P002Q is in another bundle already."]


def test_a_bundle_of_unknown_codes_is_refused(project):
    with pytest.raises(StudyError, match="no place P900"):
        project.places.add_bundle(STUDY.id, ["P900X"], passphrase=SECRET)
    assert project.places.bundles(STUDY.id) == []


def test_an_amendment_has_a_parent_and_a_reason(project):
    project.studies.freeze(STUDY.id, SECRET)
    digest = project.studies.amend(STUDY.id, document(welcome="Good morning"), "A greeting was missing")
    version = project.studies.versions(STUDY.id)[-1]
    assert (version.hash, version.number, version.parent) == (digest, 2, STUDY.hash)
    assert [pooled.hash for pooled in project.studies.pooled_versions(STUDY.id)] == [digest]


def test_comparable_versions_are_pooled(project):
    project.studies.freeze(STUDY.id, SECRET)
    digest = project.studies.amend(STUDY.id, document(welcome="Hello"), "A greeting", "A greeting changes no answer.")
    assert [version.hash for version in project.studies.pooled_versions(STUDY.id)] == [STUDY.hash, digest]


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"limits": {"item_s": 900}}, "limits"),
        ({"conditions": {"only": {"aids": ["viewing", "editing", "measuring"]}}}, "conditions"),
        ({"consent": {"version": "2", "text": "I do.", "boxes": [{"key": "part", "required": True}]}}, "consent"),
        ({"rules": [{"rule": "gap", "response": "off"}]}, "rules"),
        ({"blocks": [{"id": "a", "items": [{"id": "m0", "address": "shikaku:0"}], "order": "fixed"}]}, "items"),
    ],
)
def test_versions_with_other_items_limits_conditions_consent_or_rules_are_never_pooled(project, changes, part):
    project.studies.freeze(STUDY.id, SECRET)
    with pytest.raises(StudyError, match=f"change of {part}"):
        project.studies.amend(STUDY.id, document(**changes), "Because", "They are alike.")


@pytest.mark.parametrize(("reason", "words"), [("", "needs a reason"), ("Because", "Nothing has changed")])
def test_an_amendment_without_reason_or_change_is_refused(project, reason, words):
    project.studies.freeze(STUDY.id, SECRET)
    with pytest.raises(StudyError, match=words):
        project.studies.amend(STUDY.id, STUDY, reason)


def test_a_reserve_of_the_same_row_and_condition_stands_in(project):
    project.studies.freeze(STUDY.id, SECRET)
    slots = {place.slot.code: place.slot for place in project.places.slots(STUDY.id)}
    reserve = project.places.replace(STUDY.id, "P001H", "Dropped out")
    assert slots[reserve].is_reserve
    assert (slots[reserve].row, slots[reserve].condition) == (slots["P001H"].row, slots["P001H"].condition)
    with pytest.raises(StudyError, match="replaced by"):
        project.places.replace(STUDY.id, "P001H", "Again")


def test_accommodations_are_set_before_the_place_is_bundled(project):
    project.studies.freeze(STUDY.id, SECRET)
    project.places.accommodate(STUDY.id, "P001H", Accommodations(time_factor=1.5))
    bundle, _ = project.places.add_bundle(STUDY.id, passphrase=SECRET)
    assert bundle.accommodations_of("P001H").time_factor == 1.5
    with pytest.raises(StudyError, match="in a bundle already"):
        project.places.accommodate(STUDY.id, "P001H", Accommodations(time_factor=2))


def test_a_place_for_keys_alone_has_no_items_that_need_a_pointer(tmp_path, monkeypatch):
    monkeypatch.setattr(keyboard, "BY_KEYS", keyboard.BY_KEYS - {"tetrahedra_shadow"})
    shadows = read_study(json.dumps(SMALLEST).replace("maze_3d", "tetrahedra_shadow"))
    with Project.create(tmp_path / "shadows.workbench") as project:
        project.studies.add(shadows)
        project.studies.freeze(shadows.id, SECRET)
        with pytest.raises(StudyError, match="need a pointer: tetrahedra_shadow:"):
            project.places.accommodate(shadows.id, "P001H", Accommodations(keyboard_only=True))


def test_the_registration_is_outside_of_the_hash(project):
    project.studies.register(STUDY.id, "https://osf.example/x", "2026-11-20")
    assert (project.studies.registration(STUDY.id).at, project.studies.freeze(STUDY.id, SECRET)) == (
        "2026-11-20",
        STUDY.hash,
    )


def test_the_checklist_as_far_as_it_is_answered_is_frozen_with_the_study(project):
    project.study_log.answer_checklist(STUDY.id, "1.9", "No")
    project.studies.freeze(STUDY.id, SECRET)
    project.study_log.answer_checklist(STUDY.id, "1.9", "Yes", "It was asked for afterwards")
    assert project.studies.versions(STUDY.id)[0].checklist == {"1.9": "No"}
    assert project.study_log.checklist_answers(STUDY.id)["1.9"].value == "Yes"


def test_notes_are_kept_in_order(project):
    project.study_log.add_note(STUDY.id, "The lamp was broken", "P001H")
    project.studies.freeze(STUDY.id, SECRET)
    assert [note.kind for note in project.study_log.notes(STUDY.id)] == ["note", "state"]


def test_codes_are_listed_by_spans_with_or_without_letters():
    assert list(codes_between("P001H-P003X, P017")) == ["P001H", "P002Q", "P003X", "P017E"]


@pytest.mark.parametrize("text", ["P001A", "nobody", "P001-nobody"])
def test_a_span_of_wrong_codes_is_refused(text):
    with pytest.raises(CodeError):
        list(codes_between(text))


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE studies SET state = 'open'", "“state” holds a word"),
        ("UPDATE studies SET document = '{'", "“document” holds something that is not JSON"),
        ("UPDATE slots SET slot = 'x'", "“slot” holds something that is not JSON"),
        ("UPDATE study_versions SET study = 'x'", "belongs to nothing"),
        ("UPDATE bundles SET at = 'noon'", "not a time"),
    ],
)
def test_a_strangers_file_with_other_values_is_refused(project, statement, words):
    project.places.add_bundle(STUDY.id, passphrase=SECRET)
    project.database.execute(statement)
    project.close()
    with pytest.raises(ProjectError, match=words):
        Project.open(project.path)


def test_places_are_dealt_only_for_settings_that_the_plan_names(tmp_path):
    with Project.create(tmp_path / "b.workbench") as project:
        project.studies.add(study_of(STUDY.data | {"setting": "browser"}))
        with pytest.raises(StudyError, match="in a browser"):
            project.places.add_bundle(STUDY.id, passphrase=SECRET)
        project.places.add_bundle(STUDY.id, passphrase=SECRET, setting=StudySetting.BROWSER)
