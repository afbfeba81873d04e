"""Simulated people take part in a copy: more places than the study has, and nothing that would end an item."""

import pytest

from spatial_workbench.app.serving.load.copied_study import NobodyFits, copy_study, lasting, places
from spatial_workbench.app.serving.served_study import BUNDLE, PEOPLE
from spatial_workbench.engine.studies.files.bundles import read_bundle
from spatial_workbench.engine.studies.planning.document import StudySetting
from spatial_workbench.engine.studies.sessions.entry import enter
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from tests.studies.sittings import bundle, main_item, study

TO_READ = {"id": "read", "kind": "text", "phase": "practice", "shows": "Read this."}
AGE = {"key": "age", "type": "integer", "ask": "How old are you?", "range": [10, 90], "required": True}


def browser_study(**changes):
    return study(setting="browser", plan={"slots": 2}, **changes)


def place_list(chosen, people):
    return places(bundle(chosen), people)


def test_a_study_with_fewer_places_lends_them_several_times():
    dealt = place_list(browser_study(), 5)
    assert [slot.number for slot in dealt] == [1, 2, 3, 4, 5]
    assert len({slot.code for slot in dealt}) == 5


def test_people_begin_with_different_items_and_none_that_is_only_read():
    chosen = browser_study(items=[TO_READ, main_item(0), main_item(1), main_item(2)])
    assert [[trial.item for trial in slot.trials] for slot in place_list(chosen, 4)] == [
        ["s0", "s1", "s2"],
        ["s1", "s2", "s0"],
        ["s2", "s0", "s1"],
        ["s0", "s1", "s2"],
    ]


def test_nothing_ends_an_item_but_handing_in():
    items = [main_item(0, limit_s=20)]
    limits = {"item_s": 30, "total_s": 60, "sitting_s": 60, "min_s": 5, "break_after": 1}
    copy = lasting(browser_study(items=items, limits=limits))
    assert (copy.limits.item_s, copy.limits.total_s, copy.limits.sitting_s) == (86_400, None, None)
    assert (copy.limits.min_s, copy.limits.break_after) == (0, None)
    assert [item.limit_s for item in copy.items()] == [None]


def test_where_there_was_no_limit_no_clock_is_shown():
    assert lasting(browser_study(limits={})).limits.item_s is None


def test_sessions_have_got_to_the_instructions(tmp_path):
    chosen = browser_study(covariates=[AGE], eligibility=[{"covariate": "age", "op": ">=", "value": 80}])
    copy_study(bundle(chosen), 3, tmp_path)
    copy = read_bundle(tmp_path / BUNDLE)
    assert copy.phase == "rehearsal"
    for slot in copy.slots:
        sitting = enter(copy, slot.code, tmp_path / PEOPLE / slot.code, setting=StudySetting.BROWSER)
        assert (sitting.state.page, sitting.state.cover) == (StudyPage.INSTRUCTIONS, None)
        sitting.close()


def test_where_nobody_is_eligible_that_is_said(tmp_path):
    chosen = browser_study(covariates=[AGE], eligibility=[{"covariate": "age", "op": ">=", "value": 99}])
    with pytest.raises(NobodyFits):
        copy_study(bundle(chosen), 1, tmp_path)
