"""The grid of a new batch: axes as they are typed, and variants of the prompt."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.evaluation.variant_list import VariantDialog
from spatial_workbench.engine.evaluation.planning.variants import PromptVariant
from tests.app.evaluation.conftest import set_up_endpoint, tick

TERSE = PromptVariant(name="terse", text="Be brief. {prompt}")


@pytest.fixture
def asked(dialog, server):
    """The dialog with one endpoint ticked."""
    set_up_endpoint(server)
    dialog.load_models()
    tick(dialog, "tiny")
    return dialog


def names(dialog):
    return [contender.settings.name for contender in dialog.plan().contenders]


def test_every_combination_of_the_typed_values_is_a_run_that_is_counted(qtbot, asked):
    asked.form.grid.lines["temperature"].setText("0, 0.5")
    asked.form.grid.variants.add(TERSE)
    assert names(asked) == [
        "tiny · temperature 0 · own prompt",
        "tiny · temperature 0 · prompt terse",
        "tiny · temperature 0.5 · own prompt",
        "tiny · temperature 0.5 · prompt terse",
    ]
    qtbot.waitUntil(lambda: "4 runs, 8 items, 8 calls" in asked.estimate.summary.text())


def test_a_wrong_value_is_said_in_place_of_the_estimate(asked):
    asked.form.grid.lines["effort"].setText("low, much")
    assert "much" in asked.estimate.summary.text()
    assert not asked.start.isEnabled()


def test_too_many_runs_are_said_in_place_of_the_estimate(asked):
    asked.form.grid.lines["repeats"].setText(" ".join(map(str, range(1, 1000))))
    asked.form.grid.lines["temperature"].setText("0, 1")
    assert "1,000" in asked.estimate.summary.text()


def test_a_parameter_that_was_never_probed_is_probed_first(asked):
    assert asked.start.text() == "Start"
    asked.form.grid.lines["temperature"].setText("0")
    assert asked.start.text() == "Probe endpoints"


def test_the_settings_of_a_grid_are_copied_with_it(asked):
    asked.form.grid.lines["top_p"].setText("0.5, default")
    asked.form.grid.tools.setCurrentIndex(1)
    asked.form.grid.variants.add(TERSE)
    asked.form.budget.setText("1024, 4096")
    before = asked.plan()
    asked.form.grid.show_grid(None)
    asked.form.budget.clear()
    asked.copy_settings(before)
    assert names(asked) == [contender.settings.name for contender in before.contenders]
    assert asked.plan() == before


def test_a_variant_is_written_changed_and_removed(qtbot, asked):
    variants = asked.form.grid.variants
    qtbot.mouseClick(variants.write_button, Qt.MouseButton.LeftButton)
    written = variants.findChild(VariantDialog)
    qtbot.mouseClick(written.go, Qt.MouseButton.LeftButton)
    assert "needs a name" in written.trouble.text()
    written.name.setText("terse")
    written.text.setPlainText("Be brief. {prompt}")
    qtbot.mouseClick(written.go, Qt.MouseButton.LeftButton)
    assert variants.chosen() == (None, TERSE)
    dialog = VariantDialog(TERSE, variants)
    variants._open(dialog)
    dialog.text.setPlainText("Be very brief.")
    dialog.order()
    assert variants.chosen()[1].text == "Be very brief."
    qtbot.mouseClick(variants.remove_button, Qt.MouseButton.LeftButton)
    assert variants.chosen() == ()


def test_files_are_read_as_variants_and_what_cannot_be_read_is_said(asked, tmp_path):
    good, bad = tmp_path / "terse.txt", tmp_path / "odd.txt"
    good.write_text(TERSE.text)
    bad.write_bytes(b"\xff\xff")
    variants = asked.form.grid.variants
    variants.read(good, good, bad)
    assert [variant.name for variant in variants.chosen()[1:]] == ["terse", "terse 2"]
    assert "odd.txt" in variants.fault.text()
