"""Packages that add a task, written for a test: what they do wrong is in their source."""

import importlib
import sys

import pytest

from spatial_workbench.engine.core import registry

SOUND = '''
from sample_tasks.count_corners import Count, CountCorners

class Odd(CountCorners):
    """A task that counts corners."""

    id = "odd"

    @classmethod
    def resources(cls):
        return CountCorners.resources()

    def published_rows(self):
        return ({"corners": 3}, {"corners": 5})
'''


def misbehaving(method, statement):
    """The source of a task with a method that does something wrong."""
    return SOUND + f"\n    def {method}(self, *arguments, **named):\n        {statement}\n"


def misjudging(statement):
    """The source of a task whose verifier does something wrong."""
    return (
        "from spatial_workbench.engine.core import verifier\n"
        + SOUND
        + f"""
    @verifier("default", "1", "Never ends well")
    def _default(self, instance, answer, progress):
        {statement}
"""
    )


def write_plug_in(folder, source, editor="", name="odd"):
    """Writes a package with one task, as an installer would leave it; returns the folder to search for modules."""
    (folder / f"{name}_plug_in.py").write_text(source)
    facts = folder / f"{name}_plug_in-1.0.dist-info"
    facts.mkdir(exist_ok=True)
    facts.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-plug-in\nVersion: 1.0\n")
    entries = f"[spatial_workbench.tasks]\n{name} = {name}_plug_in\n"
    if editor:
        (folder / f"{name}_editor.py").write_text(editor)
        entries += f"[spatial_workbench.editors]\n{name} = {name}_editor:Editing\n"
    facts.joinpath("entry_points.txt").write_text(entries)
    return folder


def forget():
    """Has the tasks looked for again."""
    for remembered in (registry._registry, registry.task):
        remembered.cache_clear()


@pytest.fixture
def plug_in(monkeypatch, tmp_path):
    """A function that installs a package with this source (and an editor's) for the test."""
    from tests.core.test_foreign_tasks import PACKAGE

    folder = tmp_path / "installed"
    folder.mkdir()

    def install(source, editor=""):
        # The sample's modules are needed, its own entry points are not.
        samples = folder / "sample_tasks"
        if not samples.exists():
            samples.symlink_to(PACKAGE / "sample_tasks")
        monkeypatch.syspath_prepend(str(write_plug_in(folder, source, editor)))
        for module in ("odd_plug_in", "odd_editor"):
            monkeypatch.delitem(sys.modules, module, raising=False)
        importlib.invalidate_caches()
        forget()
        return folder

    yield install
    monkeypatch.undo()
    for module in ("odd_plug_in", "odd_editor"):
        sys.modules.pop(module, None)
    forget()
