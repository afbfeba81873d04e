"""Two verifiers beside each other, and the export of rulings."""

import csv
import io
import json
from datetime import UTC, datetime

from spatial_workbench.engine.core import Check, Problem, Verdict
from spatial_workbench.engine.evaluation.rulings import (
    FIELDS,
    RulingContrast,
    export_rows,
    is_known,
    to_csv,
    to_json_lines,
)
from spatial_workbench.engine.store import Difference, Ruling


def verdict(name, **checks):
    rows = tuple(Check.of(key, [Problem("wrong", elements)] if elements else []) for key, elements in checks.items())
    return Verdict(instance="x:0", verifier=name, version="1", score=0.5, passed=False, checks=rows)


CONTRAST = RulingContrast(
    verdict("default", a=["brick 1"], b=["brick 17", "brick 2"]), verdict("crosscheck", b=["brick 21", "brick 2"], c=[])
)
DIFFERENCE = Difference(
    attempt=3,
    address="x:0",
    task="x",
    who="birch, the big",
    first="default",
    second="crosscheck",
    by_check="b",
    first_score=0.5,
    second_score=1.0,
    ruling="both",
    note='says "so"',
)
RULING = Ruling(
    attempt=3,
    first="default",
    second="crosscheck",
    ruling="both",
    note='says "so"',
    person="Ada",
    at=datetime(2026, 3, 1, tzinfo=UTC),
)


def test_checks_stand_beside_each_other_by_their_names():
    assert [(pair.name, pair.differs) for pair in CONTRAST.checks] == [("a", True), ("b", False), ("c", False)]
    assert CONTRAST.checks[1].elements == ("brick 17", "brick 2", "brick 21")


def test_checks_of_other_names_that_passed_are_no_difference_and_come_last():
    contrast = RulingContrast(verdict("default", a=[], b=["brick 1"], c=[]), verdict("own:mine", mine=[], c=[]))
    assert [pair.name for pair in contrast.by_weight] == ["b", "c", "a", "mine"]
    assert [pair.name for pair in contrast.checks if pair.differs] == ["b"]


def test_elements_that_only_one_finds_fault_with_are_named():
    assert CONTRAST.only_first == ("brick 1", "brick 17")
    assert CONTRAST.only_second == ("brick 21",)


def test_only_default_and_crosscheck_have_to_agree():
    assert not is_known(DIFFERENCE)
    assert is_known(DIFFERENCE.model_copy(update={"second": "published"}))


def test_an_export_says_who_ruled_what_and_when():
    (row,) = export_rows([DIFFERENCE], [RULING])
    assert tuple(row) == FIELDS
    assert (row["ruling"], row["person"], row["at"]) == ("both", "Ada", "2026-03-01T00:00:00+00:00")
    assert json.loads(to_json_lines([row])) == row


def test_csv_keeps_commas_and_quotes():
    (row,) = csv.DictReader(io.StringIO(to_csv(export_rows([DIFFERENCE], []))))
    assert (row["who"], row["note"], row["person"]) == ("birch, the big", 'says "so"', "")
