"""Splits: as large as told, no instance in two of them, and stable when a data set grows."""

import json

import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.engine.core import Verdict, resolve, silent
from spatial_workbench.engine.evaluation.datasets import DatasetError, SolveRate, write_dataset
from spatial_workbench.engine.evaluation.datasets.choice import choose
from spatial_workbench.engine.evaluation.datasets.splits import drawn_split, read_sizes
from spatial_workbench.engine.store import Actor, Project
from tests.evaluation.datasets.inline import Inline, plan, rows_of, written

SIZES = {"train": 8, "validation": 3, "test": 2}


def ids_by_split(folder):
    splits = ("train", "validation", "test")
    return {name: {row["id"] for row in rows_of(folder, name)} for name in splits}


def test_each_split_of_each_task_is_as_large_as_told(tmp_path):
    rows = rows_of(written(tmp_path / "d", splits=SIZES), "validation")
    assert sorted(row["task"] for row in rows) == ["hamiltonian_loop"] * 3 + ["shikaku"] * 3
    assert {name: len(ids) for name, ids in ids_by_split(tmp_path / "d").items()} == {
        name: 2 * size for name, size in SIZES.items()
    }


@pytest.mark.slow
def test_no_instance_is_in_two_splits_although_the_generator_repeats_itself(tmp_path):
    sources = ("maze_3d", "maze_3d?vary=true")
    written(tmp_path / "d", sources, seed=0, splits={"train": 12, "validation": 6, "test": 6})
    rows = rows_of(tmp_path / "d")
    assert len(rows) == len({row["id"] for row in rows}) == len({row["prompt"] for row in rows}) == 48
    choice = json.loads((tmp_path / "d" / "choices" / "maze_3d.json").read_text())
    assert choice["repeated"]


def test_an_instance_that_two_sources_give_is_taken_from_the_first():
    wanted = plan(("shikaku", "shikaku?vary=false"), 5)
    first = choose("shikaku", wanted, Inline(), silent)
    again = choose("shikaku", wanted, Inline(), silent, first.chosen)
    assert again.repeated >= 5
    assert not {one.id for one in first.chosen} & {one.id for one in again.chosen}


def test_published_instances_of_a_task_are_there_once(tmp_path):
    sources = ("maze_3d", "maze_3d?size=8")
    rows = rows_of(written(tmp_path / "d", sources, splits={"train": 2}, published=True), "published")
    assert len(rows) == len({row["id"] for row in rows}) == 6


@pytest.mark.slow
def test_the_same_cube_is_in_the_same_split_in_all_tasks_of_the_cube(tmp_path):
    tasks = ("cube_full_symbolic", "cube_face_view")
    split_of = {}
    for name, ids in ids_by_split(written(tmp_path / "d", tasks, seed=0, splits=SIZES)).items():
        for one in ids:
            assert split_of.setdefault(one.rpartition("-")[2], name) == name
    assert len(split_of) < 26


def test_instances_stay_in_their_splits_when_a_data_set_grows_in_the_same_proportions(tmp_path):
    small = ids_by_split(written(tmp_path / "a", ("shikaku",), splits=SIZES))
    large = ids_by_split(written(tmp_path / "b", ("shikaku",), splits={name: 2 * size for name, size in SIZES.items()}))
    assert all(small[name] <= large[name] for name in SIZES)


def test_the_order_in_which_splits_are_named_does_not_matter():
    one = plan(splits={"train": 8, "test": 2})
    assert one == plan(splits={"test": 2, "train": 8})


def test_splits_are_drawn_in_their_proportions():
    drawn = [drawn_split(f"x-{number}", {"train": 80, "test": 20}) for number in range(2_000)]
    assert 340 < drawn.count("test") < 460


def test_a_split_that_cannot_be_filled_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.evaluation.datasets.choice.NOTHING_NEW", 100)
    wanted = plan(("topology_enumeration",), seed=0, splits={"train": 15, "test": 23})
    (sentence,) = write_dataset(tmp_path / "d", wanted, Inline()).shortages
    assert "different instances, not 38" in sentence
    assert "of splits that were full" in sentence
    assert sentence in (tmp_path / "d" / "README.md").read_text()


RATES = {"shikaku@7": SolveRate(1.0, 4), "shikaku@8": SolveRate(0.5, 2), "shikaku@9": SolveRate(0.0, 3)}


def test_splits_are_divided_by_measured_difficulty(tmp_path):
    written(tmp_path / "d", ("shikaku",), 4, rates=RATES, by_difficulty=True)
    found = {name: rows_of(tmp_path / "d", f"train_{name}") for name in ("easy", "medium", "hard", "unmeasured")}
    assert {name: [row["address"] for row in rows] for name, rows in found.items()} == {
        "easy": ["shikaku@7"],
        "medium": ["shikaku@8"],
        "hard": ["shikaku@9"],
        "unmeasured": ["shikaku@10"],
    }


def test_other_rates_are_another_data_set(tmp_path):
    written(tmp_path / "d", ("shikaku",), 4, rates=RATES, by_difficulty=True)
    with pytest.raises(DatasetError, match=r"another data set\. Since it was begun, the results of --rates have"):
        written(tmp_path / "d", ("shikaku",), 4, rates={"shikaku@7": SolveRate(0.0, 5)}, by_difficulty=True)


def test_a_data_set_that_an_older_version_began_is_left_alone_and_the_sentence_says_what_to_do(tmp_path):
    begun = {"tasks": ["shikaku"], "count": 4, "seed": 7, "published": False, "version": "0.9.0", "format": 2}
    (tmp_path / "plan.json").write_text(json.dumps(begun))
    words = r"version 0\.9\.0 began and this one cannot continue: choose an empty folder, or go on with version 0\.9\.0"
    with pytest.raises(DatasetError, match=words):
        written(tmp_path, ("shikaku",), 4)
    assert json.loads((tmp_path / "plan.json").read_text()) == begun


def test_difficulty_that_nobody_measured_is_refused():
    with pytest.raises(DatasetError, match="project in which models were asked"):
        plan(by_difficulty=True)


@pytest.mark.parametrize("text", ["train", "train=", "train=-1", "train=ten", "=3", "a=1,a=2", "train=99999999"])
def test_sizes_that_cannot_be_read_are_named(text):
    with pytest.raises(ValueError, match="split"):
        read_sizes(text)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--split", "Train=3"], "“Train”"),
        (["--split", "all=3"], "“all”"),
        (["--split", "a-b=3"], "“a-b”"),
        (["--split", "train=0"], "from 1 to 1,000,000"),
        (["--split", "published=3", "--published"], "published"),
        (["--split", "train=3", "--generate", "3"], "use one of them"),
        (["--by-difficulty"], "project in which models were asked"),
        (["--canary", "x"], "no GUID"),
    ],
)
def test_options_that_do_not_fit_are_refused(tmp_path, capsys, words, message):
    assert main(["dataset", "-o", str(tmp_path / "d"), "--tasks", "shikaku", *words]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "d").exists()


@pytest.mark.slow
def test_the_command_makes_splits_by_difficulty(tmp_path, capsys):
    project = tmp_path / "p.workbench"
    verdict = Verdict(instance="shikaku@0", verifier="default", version="1", score=1, passed=True)
    with Project.create(project) as opened:
        opened.attempts.add(resolve("shikaku@0")[1], "[]", Actor.MODEL, "oak", verdicts=(verdict,))
    words = ["--tasks", "shikaku", "--split", "train=4,test=2", "--rates", project, "--by-difficulty", "--workers", 1]
    assert main(["dataset", "-o", str(tmp_path / "d"), *map(str, words), "--json"]) == 0
    splits = json.loads(capsys.readouterr().out)["splits"]
    assert sum(splits.values()) == 6
    assert {"easy", "unmeasured"} == {name.partition("_")[2] for name in splits}
    (easy,) = [row for row in rows_of(tmp_path / "d") if row["difficulty"] == "easy"]
    assert easy["address"] == "shikaku@0"
    assert len(rows_of(tmp_path / "d")) == 6


def test_another_question_with_the_same_id_is_left_out_with_the_reason(monkeypatch):
    def id_of_pairs(known, instance):
        return f"{known.id}-{instance.number if instance.seed is None else instance.seed // 2:016x}"

    monkeypatch.setattr("spatial_workbench.engine.evaluation.datasets.choice.instance_id", id_of_pairs)
    found = choose("shikaku", plan(("shikaku",), 2, seed=32), Inline(), silent)
    assert found.addresses == ("shikaku@32", "shikaku@34")
    assert "another question has the same id" in found.failed["shikaku@33"]
