"""Data sets: what is written is read back by the library that people use, and a killed run goes on."""

import io
import json

import pytest
from PIL import Image

from spatial_workbench.app.commands.main import main
from spatial_workbench.engine.core import Verdict, resolve, silent, task
from spatial_workbench.engine.evaluation.datasets import (
    DatasetError,
    SolveRate,
    rows,
    source_of,
    write_dataset,
)
from spatial_workbench.engine.evaluation.datasets.choice import choose
from spatial_workbench.engine.store import Actor, Project
from tests.evaluation.datasets.inline import Inline, plan


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.evaluation.datasets.plan.SHARD_ROWS", 2)


def loaded(folder, tmp_path, name="all", split="train"):
    import datasets as library

    return library.load_dataset(str(folder), name, split=split, cache_dir=str(tmp_path / "cache"))


def test_the_library_reads_what_was_written(tmp_path):
    write_dataset(tmp_path / "d", plan(), Inline())
    rows = loaded(tmp_path / "d", tmp_path)
    assert sorted(rows["address"]) == sorted(f"{name}@{seed}" for name in plan().tasks for seed in (7, 8, 9))
    row = next(row for row in rows if row["address"] == "shikaku@7")
    known, instance = resolve("shikaku@7")
    assert row["prompt"] == known.prompt(instance).text
    assert json.loads(row["schema"]) == known.schema()
    assert known.verify(instance, row["reference_answer"]).score == row["reference_score"] == 1


def test_each_task_is_a_configuration_of_its_own(tmp_path):
    write_dataset(tmp_path / "d", plan(), Inline())
    assert set(loaded(tmp_path / "d", tmp_path, "shikaku")["task"]) == {"shikaku"}


def test_published_instances_are_the_split_test(tmp_path):
    write_dataset(tmp_path / "d", plan(tasks=("shikaku",), count=1, published=True), Inline())
    rows = loaded(tmp_path / "d", tmp_path, "shikaku", "test")
    assert len(rows) == len(task("shikaku").instances())
    assert set(rows["seed"]) == {None}


def test_pictures_are_read_as_pictures(tmp_path):
    write_dataset(tmp_path / "d", plan(tasks=("two_segments",), count=0, published=True), Inline())
    rows = loaded(tmp_path / "d", tmp_path, "two_segments", "test")
    drawn = [len(known.pictures) for known in map(task("two_segments").prompt, task("two_segments").instances())]
    assert [len(row["pictures"]) for row in rows] == drawn


def test_a_run_that_was_killed_goes_on_where_it_stopped(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        write_dataset(tmp_path / "d", plan(), Inline(limit=4))
    left = Inline()
    write_dataset(tmp_path / "d", plan(), left)
    assert left.rows == 3
    whole = Inline()
    write_dataset(tmp_path / "e", plan(), whole)
    assert loaded(tmp_path / "d", tmp_path).to_list() == loaded(tmp_path / "e", tmp_path).to_list()


def test_equal_plans_give_equal_files(tmp_path):
    for name in "de":
        write_dataset(tmp_path / name, plan(), Inline())
    files = [{p.relative_to(tmp_path / n): p.read_bytes() for p in (tmp_path / n).rglob("*.*")} for n in "de"]
    assert files[0] == files[1]


def test_a_folder_with_another_data_set_is_refused(tmp_path):
    write_dataset(tmp_path / "d", plan(count=0), Inline())
    with pytest.raises(DatasetError, match="holds another data set"):
        write_dataset(tmp_path / "d", plan(count=1), Inline())


@pytest.mark.parametrize(("name", "message"), [("a.txt", "is not empty"), ("plan.json", "cannot be read")])
def test_a_folder_with_other_files_is_refused(tmp_path, name, message):
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / name).write_text("?")
    with pytest.raises(DatasetError, match=message):
        write_dataset(tmp_path / "d", plan(), Inline())


def test_what_cannot_be_made_is_told_and_left_out(tmp_path, monkeypatch):
    made = rows.row

    def row(address):
        if address == "shikaku@8":
            raise ValueError("no solution was found")
        return made(address)

    monkeypatch.setattr(rows, "row", row)
    assert write_dataset(tmp_path / "d", plan(), Inline()).failures == ["shikaku@8: no solution was found"]
    assert len(loaded(tmp_path / "d", tmp_path)) == 5
    assert "1 instance could not be made" in (tmp_path / "d" / "README.md").read_text()


def test_instances_are_graded_by_what_models_passed(tmp_path):
    rates = {"shikaku@7": SolveRate(1.0, 4), "shikaku@8": SolveRate(0.5, 2), "shikaku@9": SolveRate(0.0, 3)}
    write_dataset(tmp_path / "d", plan(tasks=("shikaku",)), Inline(), rates)
    graded = {row["address"]: (row["difficulty"], row["attempts"]) for row in loaded(tmp_path / "d", tmp_path)}
    assert graded == {"shikaku@7": ("easy", 4), "shikaku@8": ("medium", 2), "shikaku@9": ("hard", 3)}


@pytest.mark.slow
def test_the_command_makes_a_data_set_with_processes(tmp_path, capsys):
    project = tmp_path / "p.workbench"
    verdict = Verdict(instance="shikaku@0", verifier="default", version="1", score=1, passed=True)
    with Project.create(project) as opened:
        opened.attempts.add(resolve("shikaku@0")[1], "[]", Actor.MODEL, "oak", verdicts=(verdict,))
    words = ["-o", tmp_path / "d", "--tasks", "shikaku", "--generate", 3, "--rates", project, "--workers", 2, "--json"]
    assert main(["dataset", *map(str, words)]) == 0
    assert json.loads(capsys.readouterr().out)["left_out"] == []
    rows = loaded(tmp_path / "d", tmp_path)
    assert {row["address"]: row["difficulty"] for row in rows}["shikaku@0"] == "easy"


@pytest.mark.slow
def test_a_picture_of_a_prompt_survives(tmp_path):
    known = task("cube_full_visual")
    write_dataset(tmp_path / "d", plan(tasks=(known.id,), count=1, seed=0), Inline())
    (row,) = loaded(tmp_path / "d", tmp_path, known.id)
    original = known.prompt(resolve(f"{known.id}@0")[1]).pictures
    assert [picture.size for picture in row["pictures"]] == [Image.open(io.BytesIO(data)).size for data in original]


# Different instances ---------------------------------------------------------------------------------------------


@pytest.fixture
def soon_exhausted(monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.evaluation.datasets.choice.NOTHING_NEW", 200)


def addresses_of(folder, split="train"):
    import pyarrow.parquet as pq

    found = [pq.read_table(path) for path in sorted((folder / "data").rglob(f"{split}-*.parquet"))]
    return [row for table in found for row in table.to_pylist()]


@pytest.mark.slow
def test_each_question_is_written_once(tmp_path):
    write_dataset(tmp_path / "d", plan(("maze_3d",), 60, seed=0), Inline())
    prompts = [row["prompt"] for row in addresses_of(tmp_path / "d")]
    assert len(prompts) == len(set(prompts)) == 60


@pytest.mark.slow
def test_a_published_question_is_in_no_other_split(tmp_path):
    write_dataset(tmp_path / "d", plan(("two_segments",), 40, seed=0, published=True), Inline())
    published = {row["prompt"] for row in addresses_of(tmp_path / "d", "test")}
    trained = {row["prompt"] for row in addresses_of(tmp_path / "d")}
    assert len(trained) == 40
    assert not published & trained


def test_published_questions_are_left_out_where_they_are_not_written_either(tmp_path):
    known = task("two_segments")
    write_dataset(tmp_path / "d", plan((known.id,), 40, seed=0), Inline())
    published = {known.prompt(instance).text for instance in known.instances()}
    assert not published & {row["prompt"] for row in addresses_of(tmp_path / "d")}


def test_the_same_question_in_other_words_counts_as_published(tmp_path, soon_exhausted):
    written = write_dataset(tmp_path / "d", plan(("topology_enumeration",), 100, seed=0), Inline())
    assert len(addresses_of(tmp_path / "d")) == 48 - 10
    assert "38 different instances, not 100" in written.shortages[0]


@pytest.mark.slow
def test_a_generator_that_has_no_more_says_how_many_there_are_and_what_gives_more(tmp_path, soon_exhausted):
    written = write_dataset(tmp_path / "d", plan(("maze_3d",), 150, seed=0), Inline())
    (sentence,) = written.shortages
    assert sentence.startswith("maze_3d: ")
    assert "different instances, not 150" in sentence
    assert sentence.endswith("maze_3d?vary=true has more")
    assert sentence in (tmp_path / "d" / "README.md").read_text()


@pytest.mark.slow
def test_a_generator_that_varies_gives_more(tmp_path):
    source = source_of("maze_3d", {"vary": True})
    written = write_dataset(tmp_path / "d", plan((source,), 150, seed=0), Inline())
    assert written.shortages == []
    assert len({row["prompt"] for row in addresses_of(tmp_path / "d")}) == 150
    assert (tmp_path / "d" / "data" / "maze_3d-vary-true").is_dir()


def test_a_generator_that_fails_always_is_not_asked_for_ever(tmp_path):
    source = source_of("machine_pick", {"deepest_m": 2})
    written = write_dataset(tmp_path / "d", plan((source,), 0), Inline())
    assert written.failures == []
    impossible = source_of("two_segments", {"partition": "2T 2P", "grid_values": "0 1"})
    written = write_dataset(tmp_path / "e", plan((impossible,), 5), Inline())
    assert len(written.failures) == 50
    assert "no instance was found" in written.shortages[0]


@pytest.mark.slow
def test_seeds_are_chosen_alike_in_whatever_order_processes_answer():
    class Backwards(Inline):
        def finished(self, timeout_s=None):
            self.waiting.reverse()
            return super().finished()

    choices = [choose("maze_3d", plan(("maze_3d",), 90), executor, silent) for executor in (Inline(), Backwards())]
    assert choices[0] == choices[1]
    assert choices[0].repeated


@pytest.mark.parametrize("name", ["hamiltonian_loop", "cube_full_symbolic", "maze_3d"])
def test_parameters_that_hold_a_solution_are_left_out_and_the_card_says_so(tmp_path, name):
    write_dataset(tmp_path / "d", plan((name,), 1), Inline())
    (row,) = addresses_of(tmp_path / "d")
    assert not set(json.loads(row["parameters"])) & task(name).hidden
    assert f"`{name}`: {', '.join(sorted(task(name).hidden))}" in (tmp_path / "d" / "README.md").read_text()


def test_a_folder_that_took_every_seed_is_not_gone_on_with(tmp_path):
    (tmp_path / "d").mkdir()
    old = {"tasks": ["shikaku"], "count": 3, "seed": 7, "published": False, "version": "0"}
    (tmp_path / "d" / "plan.json").write_text(json.dumps(old))
    with pytest.raises(DatasetError, match="version 0 began and this one cannot continue"):
        write_dataset(tmp_path / "d", plan(("shikaku",)), Inline())


@pytest.mark.slow
def test_the_command_tells_a_generator_what_the_selection_says(tmp_path, capsys):
    words = ["-o", tmp_path / "d", "--tasks", "maze_3d?size=8,topology_enumeration", "--generate", 2, "--vary"]
    assert main(["dataset", *map(str, words)]) == 0
    sizes = {json.loads(row["parameters"]).get("size") for row in addresses_of(tmp_path / "d")}
    assert sizes == {8, None}


@pytest.mark.parametrize(
    ("tasks", "message"),
    [("puzzle_hunt", "has no generator"), ("maze_3d?size=1", "size"), ("nothing?size=1", "nothing")],
)
def test_a_selection_that_cannot_be_made_is_refused(tmp_path, capsys, tasks, message):
    assert main(["dataset", "-o", str(tmp_path / "d"), "--tasks", tasks, "--generate", "1"]) == 2
    assert message in capsys.readouterr().err
