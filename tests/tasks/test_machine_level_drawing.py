"""A level while it is made is drawn with each thing as an element named by its place in the file."""

from spatial_workbench.engine.core.scene import Label, Mesh
from spatial_workbench.engine.machines.levels.level_drafts import added_thing, new_draft, places_of
from spatial_workbench.engine.machines.levels.level_files import examine_level
from spatial_workbench.engine.tasks.machine.level_drawing import draw_draft, things_of


def with_all():
    draft = new_draft() | {"wind_m_s": [3, 0, 4]}
    for kind in ("quarter_pipe", "wall", "ring", "ball", "target"):
        draft, _ = added_thing(draft, kind)
    return draft


def test_every_thing_can_be_picked_as_a_whole():
    draft = with_all()
    picked = [item.id for item in draw_draft(examine_level(draft)).items if isinstance(item, Mesh) and item.pickable]
    assert sorted(picked) == sorted(places_of(draft))


def test_the_wind_and_the_place_of_machines_are_named():
    texts = [item.text for item in draw_draft(examine_level(with_all())).items if isinstance(item, Label)]
    assert {"wind 5 m/s", "machines start here"} <= set(texts)


def test_a_thing_in_the_way_is_drawn_all_the_same():
    draft = new_draft() | {"obstacles": [{"kind": "box", "at": [0, 0], "size": [1, 1, 1]}]}
    examined = examine_level(draft)
    assert [fault.place for fault in examined.faults] == ["obstacles[0]"]
    assert [item.name for item in things_of(examined, ["obstacles[0]"])] == ["obstacles[0]"]


def test_what_did_not_change_is_the_same_object():
    draft = with_all()
    first = draw_draft(examine_level(draft))
    again = draw_draft(examine_level(draft | {"name": "Other"}))
    names = places_of(draft)[:3]
    assert all(first.item(name) is again.item(name) for name in names)


def test_no_level_gives_an_empty_scene():
    assert draw_draft(examine_level({"task": "fly"})).items == ()
