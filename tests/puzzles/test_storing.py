"""Saving: all files of a puzzle or none, whatever happens in between."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet, SetError
from spatial_workbench.engine.puzzles.sets.storing import Change, SaveFailed, recover, remove, restore, save
from tests.sweeps import few

NAME = "Harbour_Clocks"


def files_of(puzzles, name=NAME):
    return {p.relative_to(puzzles.path / name).as_posix() for p in (puzzles.path / name).rglob("*") if p.is_file()}


def test_a_change_writes_renames_and_removes_together(puzzles):
    folder = puzzles.folder(NAME)
    page = folder.bytes_of("content.png")
    save(puzzles, NAME, Change(writes={"figure_2.png": b"new"}, renames={"figure_1.png": "figure_3.png"}))
    assert {"figure_2.png", "figure_3.png", "content.png", "layers/figure_1.json"} <= files_of(puzzles)
    assert "figure_1.png" not in files_of(puzzles)
    save(puzzles, NAME, Change(removals=["figure_2.png"]))
    assert "figure_2.png" not in files_of(puzzles)
    assert folder.bytes_of("content.png") == page


def test_a_new_file_takes_the_name_of_one_that_is_renamed(puzzles):
    save(puzzles, NAME, Change(writes={"figure_1.png": b"one"}))
    save(puzzles, NAME, Change(writes={"figure_1.png": b"new"}, renames={"figure_1.png": "figure_2.png"}))
    folder = puzzles.folder(NAME)
    assert (folder.bytes_of("figure_1.png"), folder.bytes_of("figure_2.png")) == (b"new", b"one")


def test_two_figures_swap_their_names(puzzles):
    save(puzzles, NAME, Change(writes={"figure_1.png": b"one", "figure_2.png": b"two"}))
    save(puzzles, NAME, Change(renames={"figure_1.png": "figure_2.png", "figure_2.png": "figure_1.png"}))
    folder = puzzles.folder(NAME)
    assert (folder.bytes_of("figure_1.png"), folder.bytes_of("figure_2.png")) == (b"two", b"one")


def test_files_that_are_not_the_workbenchs_stay(puzzles):
    (puzzles.path / NAME / "notes.txt").write_text("mine")
    save(puzzles, NAME, Change(writes={"figure_2.png": b"new"}))
    assert (puzzles.path / NAME / "notes.txt").read_text() == "mine"


def test_a_folder_is_renamed_with_its_files(puzzles):
    before = files_of(puzzles)
    save(puzzles, NAME, Change(folder="Harbour_Dials"))
    assert NAME not in puzzles.names()
    assert files_of(puzzles, "Harbour_Dials") == before


@pytest.mark.parametrize("file", ["../out.png", "/tmp/out.png", "layers/../../out.png", "", "a/b.png"])
def test_nothing_is_written_outside_the_folder(puzzles, file):
    with pytest.raises(SetError):
        save(puzzles, NAME, Change(writes={file: b"x"}))


@pytest.mark.parametrize("folder", ["..", "a/b", "harbour_clocks ".strip().upper() + "/", "Supper_Without_a_Lamp"])
def test_a_folder_cannot_take_the_place_of_another(puzzles, folder):
    with pytest.raises(SetError):
        save(puzzles, NAME, Change(folder=folder))


def test_a_write_that_fails_leaves_everything_as_it_was(puzzles, monkeypatch):
    before = files_of(puzzles)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SaveFailed, match="Harbour_Clocks could not be saved: No space left on device"):
        save(puzzles, NAME, Change(writes={"figure_2.png": b"new"}))
    assert files_of(puzzles) == before


def test_a_puzzle_that_is_removed_can_be_taken_back(puzzles):
    before = puzzles.folder(NAME).version()
    removed = remove(puzzles, NAME)
    assert NAME not in puzzles.names()
    assert restore(puzzles, removed).version() == before
    with pytest.raises(SetError, match="not among the removed"):
        restore(puzzles, "../Harbour_Clocks.1")


NURSERY = """
import os, sys
from pathlib import Path
from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet
from spatial_workbench.engine.puzzles.sets.storing import Change, recover, save

puzzles = PuzzleSet(Path(sys.argv[1]))
names = ["metadata.json", *(f"figure_{i}.png" for i in range(1, 6))]
for line in sys.stdin:
    number, child = int(line), os.fork()
    if child:
        print(child, flush=True)
        os.waitpid(child, 0)
        print("gone", flush=True)
        continue
    recover(puzzles)
    while True:
        number += 1
        save(puzzles, "Neon", Change(writes={name: str(number).encode() for name in names}))
"""


@pytest.mark.slow
def test_a_process_killed_at_random_moments_leaves_the_old_or_the_new_state(tmp_path):
    puzzles = PuzzleSet(tmp_path)
    save(puzzles, "Neon", Change(writes={"metadata.json": b"0"}))
    rng = random.Random(7)
    last = 0
    command = [sys.executable, "-c", NURSERY, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as nursery:
        for _ in range(few(20, 100)):
            print(last, file=nursery.stdin, flush=True)
            child = int(nursery.stdout.readline())
            time.sleep(rng.uniform(0, 0.05))
            os.kill(child, signal.SIGKILL)
            assert nursery.stdout.readline() == "gone\n"
            recover(puzzles)
            folder = puzzles.folder("Neon")
            (state,) = {folder.bytes_of(name) for name in folder.files()}
            assert int(state) >= last
            last = int(state)
        nursery.stdin.close()
    assert last > 0
    assert len(folder.files()) == 6
