"""Levels that were added: an address names a level by the hash of what its file says, or nothing."""

import json

import platformdirs
import pytest

from spatial_workbench.engine.machines.levels.level_files import LevelFileError
from spatial_workbench.engine.machines.levels.library import (
    add_level,
    level_named,
    levels_folder,
    levels_of,
    name_of_level,
)
from tests.machines.levels.test_level_files import CANYON, DOCUMENTED


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(platformdirs, "user_data_path", lambda *arguments, **more: tmp_path)


def test_an_added_level_is_found_by_its_name():
    level, name = add_level(DOCUMENTED.encode())
    assert name == f"levels/canyon-{level.id}"
    assert level_named(name) == level
    assert level_named(f"levels/{level.id}") == level
    assert levels_of("throw") == [level]
    assert levels_of("movement") == []


def test_the_same_level_is_added_once():
    names = {add_level(data.encode())[1] for data in (DOCUMENTED, json.dumps(CANYON))}
    assert len(names) == 1
    assert len(list(levels_folder().iterdir())) == 1


@pytest.mark.parametrize("title", ["Schlucht äöü", "///", "a" * 80])
def test_names_hold_plain_letters_only(title):
    level, name = add_level(json.dumps(CANYON | {"name": title}).encode())
    assert level_named(name) == level
    assert name == name_of_level(level)


@pytest.mark.parametrize("name", ["levels/x", "levels/../../etc/passwd", "canyon-0123456789abcdef", ""])
def test_other_names_are_refused(name):
    with pytest.raises(LevelFileError, match="names no level"):
        level_named(name)


def test_a_level_that_is_not_here_says_how_to_bring_it():
    with pytest.raises(LevelFileError, match="is not on this computer; open its file"):
        level_named("levels/canyon-0123456789abcdef")


def test_a_file_that_was_changed_is_no_longer_the_level():
    _, name = add_level(DOCUMENTED.encode())
    (file,) = levels_folder().iterdir()
    file.write_text(json.dumps(CANYON | {"about": "Another text."}))
    with pytest.raises(LevelFileError, match="was changed"):
        level_named(name)
    assert levels_of("throw") == []
