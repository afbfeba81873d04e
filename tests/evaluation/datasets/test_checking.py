"""`dataset --check` judges each stored answer again, and names what differs and what cannot be judged."""

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.engine.evaluation.datasets import DatasetError
from spatial_workbench.engine.evaluation.datasets.checking import check_dataset
from spatial_workbench.engine.evaluation.datasets.contents import CHECKSUMS, write_checksums
from tests.evaluation.datasets.inline import Inline, rows_of, written

BEFORE_IDS = Path(__file__).with_name("before_ids.parquet")
"""A piece of a data set of Shikaku that version 0.1.0 made."""
PIECE = "data/shikaku/train-00000.parquet"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return written(tmp_path_factory.mktemp("set") / "d", ("shikaku", "maze_3d"), 3, 7)


@pytest.fixture
def folder(made, tmp_path):
    return shutil.copytree(made, tmp_path / "d")


@pytest.fixture
def lines(made, tmp_path):
    """A function that writes rows as JSON lines after changing them, and gives the path."""

    def write(*changes):
        rows = [{name: value for name, value in row.items() if name != "pictures"} for row in rows_of(made)][:3]
        pairs = zip(rows, changes, strict=False)
        texts = [json.dumps(row | change) if isinstance(change, dict) else change for row, change in pairs]
        path = tmp_path / "rows.jsonl"
        path.write_text("\n".join(texts) + "\n")
        return path

    return write


def found(path):
    checked = check_dataset(path, Inline())
    return [f"{place}: {what}" for place, what in sorted(checked.differences + checked.bad_rows)]


def change_piece(folder, **columns):
    table = pq.read_table(folder / PIECE)
    for name, values in columns.items():
        k = table.schema.get_field_index(name)
        table = table.set_column(k, table.schema.field(k), pa.array(values, table.schema.field(k).type))
    pq.write_table(table, folder / PIECE)
    write_checksums(folder)


def test_a_data_set_is_as_it_was_written(folder):
    checked = check_dataset(folder, Inline())
    assert checked.is_clean
    assert checked.lines() == ["6 answers were judged again; all is as stored."]


def test_a_single_file_can_be_checked(folder):
    assert check_dataset(folder / PIECE, Inline()).judged == 3


def test_an_answer_that_was_changed_is_named_by_its_row(folder):
    answers = pq.read_table(folder / PIECE).column("reference_answer").to_pylist()
    change_piece(folder, reference_answer=[answers[0], '{"rectangles": []}', answers[2]])
    assert found(folder) == [
        f"{PIECE}, row 2: it does not pass when judged again",
        f"{PIECE}, row 2: the score is 0 when judged again, not 1",
    ]


def test_a_score_that_was_changed_is_named(folder):
    change_piece(folder, reference_score=[1.0, 1.0, 0.25])
    assert found(folder) == [f"{PIECE}, row 3: the score is 1 when judged again, not 0.25"]


@pytest.mark.parametrize(
    ("column", "what"),
    [
        ("id", "its id is not that of its instance"),
        ("prompt", "its prompt is not that of its instance"),
        ("parameters", "its parameters are not those of its instance"),
    ],
)
def test_what_belongs_to_another_instance_is_named(folder, column, what):
    values = pq.read_table(folder / PIECE).column(column).to_pylist()
    change_piece(folder, **{column: [values[0], values[1], values[0]]})
    (sentence,) = found(folder)
    assert sentence.startswith(f"{PIECE}, row 3: {what}")


def test_an_instance_that_is_there_twice_is_named(folder):
    other = "data/shikaku/test-00000.parquet"
    shutil.copy(folder / PIECE, folder / other)
    assert f"{PIECE}, row 1: the same instance is in {other}, row 1" in found(folder)


def test_a_file_that_is_not_as_its_checksum_is_named(folder):
    (folder / "LICENSE").write_text("Mine.")
    (folder / "README.md").unlink()
    assert found(folder) == [
        f"LICENSE: its contents are not those that {CHECKSUMS} lists",
        f"README.md: it is missing, and {CHECKSUMS} lists it",
    ]


def test_a_list_of_checksums_cannot_name_files_elsewhere(folder):
    (folder / CHECKSUMS).write_text("0  /etc/hostname\n0  ../../x\nnothing\n")
    assert [sentence.partition(":")[0] for sentence in found(folder)] == [f"{CHECKSUMS}, line {k}" for k in (1, 2, 3)]


def test_json_lines_are_read_like_parquet(lines):
    assert found(lines({}, {}, {"reference_score": 0.5})) == [
        "rows.jsonl, line 3: the score is 1 when judged again, not 0.5"
    ]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[1]", "it is not an object of JSON"),
        ("{}", "it has no address"),
        ({"address": 7}, "address is not text"),
        ({"address": "nothing@7"}, "nothing"),
        ({"address": "shikaku:999"}, "shikaku has the instances"),
        ({"reference_score": True}, "reference_score is not a number from 0 to 1"),
        ({"reference_score": 10**400}, "reference_score is not a number from 0 to 1"),
        ({"reference_score": float("nan")}, "reference_score is not a number from 0 to 1"),
        ({"reference_passed": 1}, "reference_passed is not true or false"),
    ],
)
def test_a_bad_line_is_named_by_its_number_and_the_others_are_judged(lines, line, what):
    checked = check_dataset(lines({}, line, {}), Inline())
    ((place, sentence),) = checked.bad_rows
    assert str(place) == "rows.jsonl, line 2"
    assert what in sentence
    assert checked.judged == 2


def test_progress_tells_how_many_rows_there_are(folder, lines):
    told = []
    for path in (folder, lines({}, {}, {})):
        check_dataset(path, Inline(), lambda done, total, text="": told.append((done, total)))
    assert (6, 6) in told
    assert told[-1] == (3, 3)


def test_empty_lines_count_but_are_not_bad(lines):
    assert found(lines({}, "", {"reference_passed": False})) == ["rows.jsonl, line 3: it passes when judged again"]


def test_a_data_set_that_was_made_before_there_were_ids_can_be_checked():
    assert "id" not in pq.read_schema(BEFORE_IDS).names
    assert check_dataset(BEFORE_IDS, Inline()).lines() == ["3 answers were judged again; all is as stored."]


def test_a_file_of_something_else_is_refused(tmp_path):
    pq.write_table(pa.table({"a": [1]}), tmp_path / "a.parquet")
    with pytest.raises(DatasetError, match="no column address"):
        check_dataset(tmp_path / "a.parquet", Inline())


def test_a_damaged_file_is_refused(folder):
    whole = (folder / PIECE).read_bytes()
    (folder / PIECE).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DatasetError, match="cannot be read"):
        check_dataset(folder / PIECE, Inline())


def test_only_the_first_hundred_are_shown(lines, tmp_path):
    (tmp_path / "many.jsonl").write_text("{}\n" * 250)
    shown = check_dataset(tmp_path / "many.jsonl", Inline()).lines()
    assert shown[0] == "many.jsonl, line 1: it has no address"
    assert shown[-2:] == [
        "… and 150 more; --json lists all.",
        "0 answers were judged again: 0 differences, 250 bad lines.",
    ]


# The command -----------------------------------------------------------------------------------------------------


def check(path, *words):
    return main(["dataset", "--check", str(path), "--workers", "1", *words])


@pytest.mark.slow
def test_the_command_exits_with_0_where_all_is_as_stored(folder, capsys):
    assert check(folder / PIECE) == 0
    assert "3 answers were judged again; all is as stored." in capsys.readouterr().out


@pytest.mark.slow
def test_the_command_exits_with_1_for_differences_and_bad_lines(lines, capsys):
    assert check(lines({"reference_score": 0.5}, "{"), "--json") == 1
    assert json.loads(capsys.readouterr().out) == {
        "judged": 1,
        "differences": [{"file": "rows.jsonl", "number": 1, "what": "the score is 1 when judged again, not 0.5"}],
        "bad": [{"file": "rows.jsonl", "number": 2, "what": "it is not JSON"}],
    }


@pytest.mark.parametrize("make", ["missing", "empty folder", "empty file"])
def test_the_command_exits_with_2_where_nothing_can_be_checked(tmp_path, capsys, make):
    path = tmp_path / "x"
    if make == "empty folder":
        path.mkdir()
    if make == "empty file":
        path.touch()
    assert check(path) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_data_set_is_either_written_or_checked(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["dataset", "--check", str(tmp_path), "-o", str(tmp_path)])
    assert ended.value.code == 2
    assert "not allowed with" in capsys.readouterr().err


def test_a_crash_of_a_verifier_is_a_bad_line_and_the_others_are_judged(lines, monkeypatch):
    from spatial_workbench.engine.evaluation.datasets import checking

    judge = checking.judged_again

    def judged_again(stored):
        if stored["address"] == "shikaku@8":
            raise ValueError("the verifier failed")
        return judge(stored)

    monkeypatch.setattr(checking, "judged_again", judged_again)
    path = lines({"address": "shikaku@8"}, {}, {})
    assert [what for _, what in check_dataset(path, Inline()).bad_rows] == ["the verifier failed"]
