"""Saving annotations: figures follow their steps, and what is not saved is kept beside."""

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from spatial_workbench.engine.puzzles.annotation.annotating import (
    ChangedOnDisk,
    PuzzleFigure,
    new_figure_name,
    opened,
    save_annotation,
)
from spatial_workbench.engine.puzzles.puzzle import Puzzle, PuzzleStep, write_metadata
from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet
from spatial_workbench.engine.puzzles.sets.side_files import SideFile, drop, keep, kept, side_path
from spatial_workbench.engine.puzzles.sets.storing import Change, recover, save
from tests.sweeps import few

NAME = "Hunt"


@pytest.fixture
def hunt(tmp_path):
    """A puzzle with three steps, each with a figure and a layer that say which step they belong to."""
    puzzles = PuzzleSet(tmp_path / "set")
    puzzles.path.mkdir()
    steps = tuple(PuzzleStep(f"step {i}", f"figure_{i}.png") for i in (1, 2, 3))
    files = {f"figure_{i}.png": f"picture {i}".encode() for i in (1, 2, 3)}
    layers = {f"layers/figure_{i}.json": f"layer {i}".encode() for i in (1, 2, 3)}
    metadata = write_metadata(Puzzle("Hunt", reasoning=steps, extra={"odd": 1})).encode()
    save(puzzles, NAME, Change(writes={"metadata.json": metadata, "notes.txt": b"mine", **files, **layers}))
    return puzzles


def with_steps(annotation, *steps):
    return replace(annotation, puzzle=replace(annotation.puzzle, reasoning=tuple(steps)))


def after(annotation, saved):
    return replace(
        annotation,
        files=saved.files,
        held=saved.held,
        stamp=saved.stamp,
        fresh={**annotation.fresh, **saved.dropped},
    )


def shown(puzzles):
    """For each step on the disk its text, its figure's name, the figure and the layer."""
    folder = puzzles.folder(NAME)
    return [
        (
            step.explanation,
            step.figure,
            folder.bytes_of(step.figure).decode(),
            (folder.path / "layers" / step.figure.replace(".png", ".json")).read_text(),
        )
        for step in folder.read().puzzle.reasoning
    ]


def test_a_moved_step_takes_its_figure_and_layer_along(hunt):
    annotation = opened(hunt.folder(NAME))
    a, b, c = annotation.puzzle.reasoning
    save_annotation(hunt, NAME, with_steps(annotation, c, a, b))
    assert shown(hunt) == [
        ("step 3", "figure_1.png", "picture 3", "layer 3"),
        ("step 1", "figure_2.png", "picture 1", "layer 1"),
        ("step 2", "figure_3.png", "picture 2", "layer 2"),
    ]


def test_a_deleted_step_takes_its_figure_with_it_and_the_rest_is_renumbered(hunt):
    annotation = opened(hunt.folder(NAME))
    _, b, c = annotation.puzzle.reasoning
    save_annotation(hunt, NAME, with_steps(annotation, b, c))
    assert [row[1:3] for row in shown(hunt)] == [("figure_1.png", "picture 2"), ("figure_2.png", "picture 3")]
    assert not (hunt.path / NAME / "figure_3.png").exists()
    assert not (hunt.path / NAME / "layers" / "figure_3.json").exists()


def test_an_undone_deletion_brings_the_figure_back_even_after_saving(hunt):
    annotation = opened(hunt.folder(NAME))
    before = shown(hunt)
    less = with_steps(annotation, *annotation.puzzle.reasoning[1:])
    less = after(less, save_annotation(hunt, NAME, less))
    save_annotation(hunt, NAME, replace(less, puzzle=annotation.puzzle))
    assert shown(hunt) == before


def test_a_new_figure_gets_the_number_of_its_step(hunt):
    annotation = opened(hunt.folder(NAME))
    name = new_figure_name(annotation)
    first = PuzzleStep("new", name)
    annotation = replace(annotation, fresh={name: PuzzleFigure(b"new picture", b"new layer")})
    save_annotation(hunt, NAME, with_steps(annotation, first, *annotation.puzzle.reasoning))
    assert shown(hunt)[0] == ("new", "figure_1.png", "new picture", "new layer")
    assert shown(hunt)[3] == ("step 3", "figure_4.png", "picture 3", "layer 3")


def test_figures_that_no_step_has_named_yet_stay_behind_the_others(hunt):
    save(hunt, NAME, Change(writes={"metadata.json": write_metadata(Puzzle("Hunt")).encode()}))
    annotation = opened(hunt.folder(NAME))
    save_annotation(hunt, NAME, with_steps(annotation, PuzzleStep("third", "figure_3.png")))
    folder = hunt.folder(NAME)
    assert [folder.bytes_of(f"figure_{i}.png") for i in (1, 2, 3)] == [b"picture 3", b"picture 1", b"picture 2"]


def test_a_lone_figure_gets_a_number_and_a_stray_layer_does_not_become_its_own(hunt):
    steps = (PuzzleStep("only", "figure.png"),)
    writes = {"metadata.json": write_metadata(Puzzle("Hunt", reasoning=steps)).encode(), "figure.png": b"lone"}
    gone = [f"figure_{i}.png" for i in (1, 2, 3)]
    save(hunt, NAME, Change(writes=writes, removals=gone))
    annotation = opened(hunt.folder(NAME))
    save_annotation(hunt, NAME, annotation)
    assert hunt.folder(NAME).bytes_of("figure_1.png") == b"lone"
    assert not (hunt.path / NAME / "layers" / "figure_1.json").exists()


@pytest.mark.parametrize("figure", ["../secret.png", "/etc/passwd", "figure_9.png", "C:\\x.png"])
def test_a_figure_that_is_not_there_or_names_a_path_is_saved_as_text_only(hunt, figure, tmp_path):
    annotation = opened(hunt.folder(NAME))
    save_annotation(hunt, NAME, with_steps(annotation, PuzzleStep("odd", figure)))
    inside = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*")}
    assert inside == {"set"}
    assert hunt.folder(NAME).figures() == ()


def test_fields_and_files_that_are_not_the_workbenchs_stay(hunt):
    save_annotation(hunt, NAME, opened(hunt.folder(NAME)))
    assert hunt.folder(NAME).read().puzzle.extra == {"odd": 1}
    assert (hunt.path / NAME / "notes.txt").read_bytes() == b"mine"


def test_a_change_by_another_program_is_not_overwritten_unasked(hunt):
    annotation = opened(hunt.folder(NAME))
    (hunt.path / NAME / "metadata.json").write_text('{"title": "Theirs"}')
    with pytest.raises(ChangedOnDisk):
        save_annotation(hunt, NAME, annotation)
    assert hunt.folder(NAME).read().puzzle.title == "Theirs"
    save_annotation(hunt, NAME, annotation, force=True)
    assert hunt.folder(NAME).read().puzzle.title == "Hunt"


def test_saving_twice_is_no_change_by_another_program(hunt):
    annotation = opened(hunt.folder(NAME))
    annotation = after(annotation, save_annotation(hunt, NAME, annotation))
    save_annotation(hunt, NAME, annotation)


def test_a_side_file_gives_back_what_was_kept(hunt):
    annotation = replace(
        opened(hunt.folder(NAME)),
        fresh={"figure_1.png": PuzzleFigure(b"\x89raw", b"{}"), "other.png": PuzzleFigure(b"x")},
    )
    keep(SideFile.of(hunt.path, NAME, annotation))
    restored = kept(hunt.path, NAME).annotation
    assert restored == replace(annotation, fresh={"figure_1.png": PuzzleFigure(b"\x89raw", b"{}")})
    drop(hunt.path, NAME)
    assert kept(hunt.path, NAME) is None


def test_puzzles_of_one_name_in_two_sets_have_side_files_of_their_own(tmp_path):
    assert side_path(tmp_path / "a", NAME) != side_path(tmp_path / "b", NAME)


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b'{"set_path": 1}'])
def test_a_damaged_side_file_counts_as_none(hunt, content):
    path = keep(SideFile.of(hunt.path, NAME, opened(hunt.folder(NAME))))
    path.write_bytes(content)
    assert kept(hunt.path, NAME) is None


EDITOR = """
import os, signal, sys
from dataclasses import replace
from pathlib import Path
from spatial_workbench.engine.puzzles.annotation.annotating import PuzzleFigure, new_figure_name
from spatial_workbench.engine.puzzles.annotation.annotating import opened, save_annotation
from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet
from spatial_workbench.engine.puzzles.puzzle import PuzzleStep
from spatial_workbench.engine.puzzles.sets.side_files import SideFile, drop, keep

# What a killed process has written is not lost, so the disk need not be waited for.
os.fsync = lambda _: None
puzzles = PuzzleSet(Path(sys.argv[1]))

def edit_and_save(count, seconds):
    # Nothing handles this signal: it ends the process between any two of its instructions.
    signal.setitimer(signal.ITIMER_REAL, seconds)
    now = opened(puzzles.folder("Hunt"))
    while True:
        count += 1
        text = str(count)
        name = new_figure_name(now)
        steps = (PuzzleStep(text, name), *now.puzzle.reasoning[:2])
        now = replace(now, puzzle=replace(now.puzzle, title=text, reasoning=steps))
        now = replace(now, fresh={**now.fresh, name: PuzzleFigure(text.encode(), text.encode())})
        keep(SideFile.of(puzzles.path, "Hunt", now))
        os.write(1, f"kept {count}\\n".encode())
        if count % 3 == 0:
            saved = save_annotation(puzzles, "Hunt", now)
            drop(puzzles.path, "Hunt")
            now = replace(now, files=saved.files, held=saved.held, stamp=saved.stamp, fresh={})

for line in sys.stdin:
    child = os.fork()
    if child == 0:
        count, seconds = line.split()
        edit_and_save(int(count), float(seconds))
    os.waitpid(child, 0)
    os.write(1, b"ended 0\\n")
"""


@pytest.fixture
def editor(hunt):
    """A process that lets a child of its own edit and save until it is killed."""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, "-c", EDITOR, str(hunt.path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment, text=True) as process:
        yield process
        process.stdin.close()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="lets a process edit that is killed with its memory")
def test_killed_at_any_moment_the_files_are_old_or_new_and_the_side_file_has_the_rest(hunt, editor):
    rng = random.Random(15)
    steps = tuple(PuzzleStep("0", f"figure_{i}.png") for i in (1, 2, 3))
    writes = {"metadata.json": write_metadata(Puzzle("0", reasoning=steps)).encode()}
    zeros = {f"figure_{i}.png": b"0" for i in (1, 2, 3)} | {f"layers/figure_{i}.json": b"0" for i in (1, 2, 3)}
    save(hunt, NAME, Change(writes=writes | zeros))
    saved = 0
    for _ in range(few(20, 100)):
        last_kept = killed(editor, saved, rng.uniform(0.001, 0.05))
        recover(hunt)
        assert all(text == picture == layer for text, _, picture, layer in shown(hunt))
        puzzle = hunt.folder(NAME).read().puzzle
        assert puzzle.reasoning[0].explanation == puzzle.title
        side = kept(hunt.path, NAME)
        rest = int(side.annotation.puzzle.title) if side is not None else 0
        saved = int(puzzle.title)
        assert max(saved, rest) >= last_kept
        drop(hunt.path, NAME)


def killed(editor: subprocess.Popen, count: int, after_s: float) -> int:
    """Has a child edit until it is killed; returns the last edit that it had kept."""
    editor.stdin.write(f"{count} {after_s}\n")
    editor.stdin.flush()
    while (line := editor.stdout.readline()).startswith("kept"):
        count = int(line.split()[1])
    assert line == "ended 0\n"
    return count
