"""Programs that were written from the documentation: they run, and pass strict type checks."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import spatial_workbench as sw
from spatial_workbench.root import ROOT
from tests.sweeps import some

FOLDER = Path(__file__).with_name("programs")
PROGRAMS = {
    "judge_files": ("shikaku.txt default 1.0 True False", "shikaku-bad.txt default 0.0 False", "unreadable: "),
    "draw_questions": ('"schema"', '"shikaku@1?height=', "did you mean “width”?"),
    "ask_a_function": ("[0.0, 0.0]", "5 mine 0.001", ": not passed, score 0>"),
    "build_by_commands": ("placed", "refused", "<pack_prisms:0: not passed", "did you mean “calls”?"),
    "compare_verifiers": ("'same'", "<drawing of two_segments:0>", "did you mean “published”?"),
    "find_disagreements": (
        "default, own:area",
        "as expected",
        "own:area: expected passed, 1; now not passed, 0",
        "the same",
        "changed.json: address",
    ),
}
"""By program, what is among the words that it prints."""
OF_EXTRAS = (
    "PySide6",
    "pyqtgraph",
    "vtkmodules",
    "numba",
    "openai",
    "keyring",
    "gymnasium",
    "pandas",
    "lxml",
    "networkx",
    "nacl",
)
WITHOUT_EXTRAS = f"import sys; sys.modules.update(dict.fromkeys({OF_EXTRAS!r}))\n"
"""Makes modules that the light install does not bring impossible to import in the program's process."""


def test_all_are_tried():
    assert {path.stem for path in FOLDER.glob("*.py")} - {"__init__"} == set(PROGRAMS)


def test_they_use_nothing_but_public_names_and_together_most_of_them():
    used = set()
    for name in PROGRAMS:
        text = (FOLDER / f"{name}.py").read_text("utf-8")
        assert "spatial_workbench." not in text
        used |= set(re.findall(r"\bsw\.(\w+)", text))
    assert used <= set(sw.__all__)
    assert set(sw.__all__) - used <= {"calls"}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "words"), some(list(PROGRAMS.items())))
def test_a_program_runs_without_any_extra_and_prints_what_it_should(name, words, tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    file = tmp_path / "program.py"
    file.write_text(WITHOUT_EXTRAS + (FOLDER / f"{name}.py").read_text("utf-8"), "utf-8")
    command = [sys.executable, str(file)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for word in words:
        assert word in done.stdout


@pytest.mark.slow
def test_they_pass_strict_type_checks(tmp_path):
    settings = tmp_path / "mypy.ini"
    silent = "[mypy-spatial_workbench.*]\nfollow_imports = silent\n"
    settings.write_text(f"[mypy]\nstrict = true\nmypy_path = {ROOT}\ncache_dir = {tmp_path}\n{silent}")
    files = [str(FOLDER / f"{name}.py") for name in PROGRAMS]
    command = [sys.executable, "-m", "mypy", "--config-file", str(settings), *files]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
