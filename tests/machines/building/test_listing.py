"""The text of a machine: what it means, and where its faults are."""

import json

import pytest

from spatial_workbench.engine.machines.building.listing import read_listing, write_listing

ROOT = {"type": 0, "id": 0, "parent": -1, "face_id": -1}


def block(kind, number, parent, face):
    return {"type": kind, "id": number, "parent": parent, "face_id": face}


def test_every_block_has_a_line_of_its_own():
    text = write_listing([ROOT, block(1, 1, 0, 0), block(1, 2, 1, 0)])
    listing = read_listing(text)
    assert listing.lines == (2, 3, 4)
    assert listing.is_plain
    assert not listing.marks


def test_a_fault_is_marked_at_its_line_inside_a_model_s_answer():
    text = f"I build a car.\n\n```json\n{write_listing([ROOT, block(1, 1, 0, 9)])}\n```\nDone."
    assert [(mark.line, mark.code) for mark in read_listing(text).marks] == [(6, "NO_SUCH_FACE")]


@pytest.mark.parametrize("comment", ["// a beam", "# a beam", "/* a beam */"])
def test_a_comment_is_left_out_and_the_lines_stay(comment):
    listing = read_listing(write_listing([ROOT, block(1, 1, 0, 0)]).replace("},\n", "}, " + comment + "\n"))
    assert (listing.lines, listing.marks, listing.is_plain) == ((2, 3), (), False)


def test_a_missing_comma_is_named_with_its_line():
    (mark,) = read_listing(write_listing([ROOT, block(1, 1, 0, 0)]).replace("},\n", "}\n")).marks
    assert (mark.line, mark.code) == (3, "NOT_A_LIST")


def test_a_python_literal_is_read_and_is_not_plain():
    listing = read_listing("\n[" + str(ROOT) + ",\n" + str(block(1, 1, 0, 0)) + "]")
    assert listing.lines == (2, 3)
    assert not listing.is_plain


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([ROOT] + [block(1, k, k - 1, 0) for k in range(1, 10_000)]),
        json.dumps([ROOT, block(1, 1, 2, 0), block(1, 2, 1, 0)]),
        json.dumps([ROOT, block(1, 1, float("nan"), 0)]),
        json.dumps([ROOT, block(1, 10**400, 0, 0)]),
        f"[{'9' * 5000}]",
        "[" * 100_000,
        "x" * 2_000_000,
        "",
        "[1, 2",
        "{}",
        '{"blocks": 3}',
    ],
)
def test_a_hopeless_text_is_refused_with_a_place(text):
    listing = read_listing(text)
    assert listing.tree is None
    assert all(mark.line >= 1 and mark.sentence for mark in listing.marks)
    assert listing.marks


def test_a_whole_answer_is_read_with_the_lines_of_its_blocks():
    listing = read_listing('{"reasoning": "x",\n "blocks": [\n' + json.dumps(ROOT) + "]}")
    assert listing.lines == (3,)
    assert listing.tree is not None
