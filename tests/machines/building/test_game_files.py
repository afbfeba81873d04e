"""Files of the game: the way there and back, what is kept, and what is named because it cannot be carried."""

import re
from uuid import UUID
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial_workbench.engine.machines.building.blocks import quaternions
from spatial_workbench.engine.machines.building.game_files import GameFileError, read_game_file, write_game_file
from spatial_workbench.engine.machines.building.poses import link_ends, poses_of
from spatial_workbench.engine.machines.building.tree import Link, read_tree, without_settings, write_tree
from spatial_workbench.engine.machines.levels.examples import examples
from spatial_workbench.engine.machines.levels.references import references

ROOT = {"type": 0, "id": 0, "parent": -1, "face_id": -1}


def tree_of(*rows):
    return read_tree([ROOT, *rows]).tree


def block(kind, position="0,0,0.5", rotation="0,0,0,1", data="", scale="1,1,1", beside=""):
    def attributes(names, text):
        return " ".join(f'{name}="{value}"' for name, value in zip(names, text.split(","), strict=True))

    place = f"<Position {attributes('xyz', position)}/><Rotation {attributes('xyzw', rotation)}/>"
    size = f"<Scale {attributes('xyz', scale)}/>" if scale else ""
    return f'<Block id="{kind}" guid="x"><Transform>{place}{size}</Transform><Data>{data}</Data>{beside}</Block>'


def file_of(*blocks, root=None, beside="", data=""):
    blocks = "".join([root or block(0, "0,0,0"), *blocks])
    placed = '<Global><Position x="1" y="6" z="-2"/><Rotation x="0" y="1" z="0" w="0"/></Global>'
    whole = f"<Machine version='1' name='Mine'>{placed}<Data>{data}</Data>{beside}<Blocks>{blocks}</Blocks></Machine>"
    return whole.encode()


def content(data):
    """A file without what is random and what is only layout."""
    return re.sub(r">\s+<", "><", re.sub(r'guid="[^"]*"', "", data.decode()))


def refusal(data):
    with pytest.raises(GameFileError) as caught:
        read_game_file(data)
    return str(caught.value)


# There and back ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["M1", "T2", "T12", "T9n", "D1", "P1", "P2"])
def test_a_machine_written_and_read_is_the_same_tree(level):
    assert read_game_file(write_game_file(references()[level].tree)) == references()[level].tree


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.title)
def test_an_example_written_and_read_is_the_same_tree(example):
    assert read_game_file(write_game_file(example.tree)) == example.tree


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.sampled_from(["M1", "T2", "D1", "P2"]), st.data())
def test_parameters_survive_the_file(level, data):
    values = {"speed": 2.5, "reversed": True, "strength": 0.5, "mass": 4.2, "key": "K", "key_back": "J"}
    rows = write_tree(references()[level].tree)
    for row in rows:
        names = data.draw(st.sets(st.sampled_from(sorted(values))))
        row["parameters"] = {name: values[name] for name in names}
    tree = read_tree(rows).tree
    assert read_game_file(write_game_file(tree)) == tree


def test_a_linear_block_is_written_with_its_ends():
    spring = {"type": 9, "id": 2, "parent_a": 0, "face_id_a": 0, "parent_b": 1, "face_id_b": 0}
    text = content(write_game_file(tree_of({"type": 1, "id": 1, "parent": 0, "face_id": 0}, spring)))
    assert '<Vector3 key="end-position"><X>0</X><Y>0</Y><Z>2</Z></Vector3>' in text
    assert '<Single key="bmt-slider">10</Single>' in text
    assert '<StringArray key="bmt-contract"><String>L</String></StringArray>' in text


def test_every_part_of_a_written_file_has_the_form_of_the_reference():
    machine = ElementTree.fromstring(write_game_file(references()["T1"].tree))
    assert {name: machine.get(name) for name in ("version", "bsgVersion")} == {"version": "1", "bsgVersion": "1.3"}
    assert machine.get("name")
    assert [part.tag for part in machine] == ["Global", "Data", "Blocks"]
    assert [(part.tag, dict(part.attrib)) for part in machine[0]] == [
        ("Position", {"x": "0", "y": "5.05", "z": "0"}),
        ("Rotation", {"x": "0", "y": "0", "z": "0", "w": "1"}),
    ]
    assert [(part.tag, part.get("key"), len(part), part.text) for part in machine[1]] == [
        ("StringArray", "requiredMods", 0, None)
    ]
    blocks = machine[2]
    tree = references()["T1"].tree
    assert [element.get("id") for element in blocks] == [str(entry.type) for entry in tree]
    assert len({UUID(element.get("guid")) for element in blocks}) == len(tree)
    poses = poses_of(tree)
    for element, entry, pose in zip(blocks, tree, poses, strict=True):
        place, data = element
        assert (place.tag, data.tag) == ("Transform", "Data")
        assert [part.tag for part in place] == ["Position", "Rotation", "Scale"]
        position, rotation, scale = ([float(part.attrib[name]) for name in part.attrib] for part in place)
        assert scale == [1, 1, 1]
        first, second = link_ends(tree, poses, entry) if isinstance(entry, Link) else (pose.position, None)
        assert position == pytest.approx(first)
        if second is None:
            assert rotation == pytest.approx(quaternions()[pose.facing])
            continue
        assert rotation == [0, 0, 0, 1]
        vectors = {part.get("key"): [(axis.tag, float(axis.text)) for axis in part] for part in data[:3]}
        assert list(vectors) == ["start-position", "end-position", "end-rotation"]
        assert vectors["start-position"] == vectors["end-rotation"] == [("X", 0), ("Y", 0), ("Z", 0)]
        span = [b - a for a, b in zip(first, second, strict=True)]
        assert [value for _, value in vectors["end-position"]] == pytest.approx(span)


@pytest.mark.parametrize(
    ("kind", "face", "entries"),
    [
        (22, 4, {"bmt-version": "1", "bmt-speed": "1", "bmt-acceleration": "Infinity", "bmt-auto-brake": "True",
                 "flipped": "False"}),
        (35, 0, {"bmt-mass": "3"}),
        (2, 3, {"bmt-automatic": "True", "bmt-auto-brake": "False"}),
        (46, 2, {"bmt-automatic": "True", "bmt-auto-brake": "False", "flipped": "True"}),
        (63, 0, {}),
    ],
)  # fmt: skip
def test_a_block_is_written_with_the_entries_of_the_reference_and_no_others(kind, face, entries):
    machine = ElementTree.fromstring(write_game_file(tree_of({"type": kind, "id": 1, "parent": 0, "face_id": face})))
    first, second = (element.find("Data") for element in machine.find("Blocks"))
    assert [(part.tag, part.get("key"), part.text) for part in first] == [("Integer", "bmt-version", "1")]
    assert {part.get("key"): part.text for part in second} == entries


def test_a_wheel_of_double_speed_says_so():
    row = {"type": 2, "id": 1, "parent": 0, "face_id": 3, "parameters": {"speed": 2}}
    assert '<Single key="bmt-speed">2</Single>' in content(write_game_file(tree_of(row)))


def test_the_usual_entries_of_the_reference_are_written():
    text = content(write_game_file(tree_of(
        {"type": 2, "id": 1, "parent": 0, "face_id": 3},
        {"type": 2, "id": 2, "parent": 0, "face_id": 2},
        {"type": 35, "id": 3, "parent": 0, "face_id": 0},
        {"type": 22, "id": 4, "parent": 0, "face_id": 4},
    )))  # fmt: skip
    assert 'version="1" bsgVersion="1.3"' in text
    assert '<Position x="0" y="5.05" z="0" />' in text
    assert '<StringArray key="requiredMods" />' in text
    assert text.count('<Boolean key="flipped">True</Boolean>') == 1
    assert text.count('<Boolean key="bmt-automatic">True</Boolean>') == 2
    assert '<Single key="bmt-mass">3</Single>' in text
    assert '<Single key="bmt-acceleration">Infinity</Single>' in text


# Reading -------------------------------------------------------------------------------------------------------------

OWN = (
    '<Single key="bmt-speed">2</Single><Boolean key="flipped">True</Boolean><Single key="mod-x">0.25</Single>'
    '<Color key="paint"><R>1</R></Color>'
)


def test_entries_that_mean_something_become_parameters_and_all_are_written_back():
    data = file_of(block(2, data=OWN), data='<Integer key="seen">4</Integer>', beside="<Other a='1'><B/></Other>")
    tree = read_game_file(data)
    assert tree[1].settings.values() == {"speed": 2.0, "reversed": True}
    again = content(write_game_file(tree))
    assert OWN in again
    assert '<Integer key="seen">4</Integer>' in again
    assert '<Other a="1"><B /></Other>' in again
    assert 'name="Mine"' in again
    assert '<Position x="1" y="6" z="-2" /><Rotation x="0" y="1" z="0" w="0" />' in again
    assert read_game_file(write_game_file(tree)) == tree


def test_a_changed_parameter_changes_its_entry_and_no_other():
    rows = write_tree(read_game_file(file_of(block(2, data=OWN))))
    rows[1]["parameters"] = {"speed": 3.0, "reversed": True}
    again = content(write_game_file(read_tree(rows).tree))
    assert OWN.replace(">2<", ">3<") in again


def test_a_value_out_of_range_is_kept_as_it_is():
    tree = read_game_file(file_of(block(2, data='<Single key="bmt-speed">9</Single>')))
    assert tree[1].settings.values() == {}
    assert '<Single key="bmt-speed">9</Single>' in content(write_game_file(tree))


def test_the_order_of_the_file_does_not_matter():
    far = block(15, "0,0,1.5")
    tree = read_game_file(file_of(far, block(15)))
    assert [(entry.parent, entry.face) for entry in tree[1:]] == [(0, 0), (1, 0)]


def test_a_machine_that_stands_elsewhere_is_written_where_it_stood():
    root = block(0, "3,1,2", "0,0.7071068,0,0.7071068")
    data = file_of(block(15, "3.5,1,2", "0,0.7071068,0,0.7071068"), root=root)
    tree = read_game_file(data)
    assert without_settings(tree) == tree_of({"type": 15, "id": 1, "parent": 0, "face_id": 0})
    assert '<Position x="3.5" y="1" z="2" />' in content(write_game_file(tree))


# What cannot be carried ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        ([block(43)], "block 1: type 43 is not among the 27 types"),
        ([block("x1")], "block 1: type x1 is not among the 27 types"),
        ([block(15, scale="1,2,1")], "block 1, Small Wooden Block: its scale is 1 × 2 × 1, not 1"),
        ([block(15, rotation="0,0.3,0,0.95")], "block 1, Small Wooden Block: its rotation"),
        ([block(15, rotation="0,0,0.7071068,0.7071068")], "is that of no face"),
        ([block(15, "0,0,0.8")], "block 1: Small Wooden Block hangs on no face"),
        ([block(15, "a,0,0")], "its position or rotation cannot be read"),
        ([block(15, "nan,0,0")], "its position or rotation cannot be read"),
        ([block(9)], "block 1, Spring: its ends cannot be read"),
        ([block(0, "0,0,0.5")], "There are 2 starting blocks"),
        ([block(15, data="<Integer key='a'>1</Integer>" * 201)], "its entries are too many or too long"),
        ([block(15, data=f"<Integer key='a'>{'1' * 2001}</Integer>")], "its entries are too many or too long"),
    ],
)
def test_what_cannot_be_carried_is_named_by_block(blocks, words):
    assert words in refusal(file_of(*blocks))


def test_every_block_that_cannot_be_carried_is_named():
    words = refusal(file_of(block(43), block(15, scale="2,2,2"), *[block(44000)] * 30))
    assert "block 1: type 43" in words
    assert "block 2, Small Wooden Block: its scale" in words
    assert words.endswith("… and 12 more")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "The file is not XML"),
        (b"<Machine>", "The file is not XML"),
        (b"<Level/>", "The file holds “Level”, not a machine"),
        (b"<Machine/>", "The file holds no blocks"),
        (b"<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><Machine>&x;</Machine>", "declares a document type"),
        (b"<Machine>" + b" " * 5_000_000 + b"</Machine>", "at most 5 MB are read"),
        (b"<?xml version='1.0' encoding='no-such'?><Machine/>", "cannot be read"),
    ],
)
def test_other_files_are_refused(data, words):
    assert words in refusal(data) or "The file is not XML" in refusal(data)


def test_faces_named_in_a_circle_are_refused():
    named = '<StringArray key="workbench-faces"><String>{} 0</String></StringArray>'
    data = file_of(block(15, data=named.format(2)), block(15, "0,0,1.5", data=named.format(1)))
    assert [entry.parent for entry in read_game_file(data)[1:]] == [0, 1]


def test_two_blocks_on_one_face_cannot_be_written():
    twice = [{"type": 15, "id": number, "parent": 0, "face_id": 0} for number in (1, 2)]
    with pytest.raises(GameFileError, match="hangs on no face"):
        write_game_file(tree_of(*twice))
