"""The prompt panel: prose wraps, grids and maps do not, and pictures keep their size."""

import numpy as np
import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QFontMetricsF, QImage, QTextCursor, QTextDocument

from spatial_workbench.engine.core import Prompt, resolve
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core import tasks as all_tasks
from spatial_workbench.engine.core.formats.png import png
from spatial_workbench.engine.core.formats.typesetting import LineKind, kinds_of
from spatial_workbench.widgets.panels.prompt_panel import PromptPanel


def kind_of(text, line):
    return kinds_of(text)[text.split("\n").index(line)]


@pytest.mark.parametrize(
    ("task_id", "line"),
    [
        ("polynomial_fit", "..####.."),
        ("half_subdivision", "├─ 0"),
        ("half_subdivision", "root"),
        ("delaunay", "0: (0.956, 0.208)"),
        ("maze_3d", "33A7"),
        ("cube_full_symbolic", "            U1 U2 U3"),
        ("classify_behaviour", "(1, 2, 1, 2)"),
    ],
)
def test_grids_maps_trees_and_lists_of_figures_stay_in_line(task_id, line):
    task = task_of(task_id)
    assert kind_of(task.prompt(task.instances()[0]).text, line) is LineKind.FIGURES


@pytest.mark.parametrize("task_id", [task.id for task in all_tasks()])
def test_every_prompt_holds_prose(task_id):
    task = task_of(task_id)
    text = task.prompt(task.instances()[0]).text
    assert kinds_of(text)[0] is LineKind.PROSE
    assert all(
        kind is not LineKind.FIGURES
        for line, kind in zip(text.split("\n"), kinds_of(text), strict=True)
        if line[:2] == "- "
    )


def test_a_title_above_a_list_is_a_heading():
    assert kinds_of("Do this.\n\nRules\n- One.")[2] is LineKind.HEADING


def test_the_shown_text_is_the_prompt_letter_by_letter(qtbot):
    panel = PromptPanel()
    qtbot.addWidget(panel)
    text = task_of("half_subdivision").prompt(task_of("half_subdivision").instances()[0]).text
    panel.show_prompt(Prompt(text))
    assert panel.text.toPlainText() == text.strip("\n")


def test_figures_have_a_fixed_pitch_and_are_never_wrapped(qtbot):
    panel = PromptPanel()
    qtbot.addWidget(panel)
    panel.show_prompt(Prompt("Fill the grid.\n\n....\n"))
    block = panel.text.document().lastBlock()
    cursor = QTextCursor(block)
    cursor.movePosition(QTextCursor.MoveOperation.Right)
    metrics = QFontMetricsF(cursor.charFormat().font())
    assert metrics.horizontalAdvance("i") == metrics.horizontalAdvance("M")
    assert block.blockFormat().nonBreakableLines()


def test_pictures_are_shown_at_their_size(qtbot):
    task = task_of("cube_full_visual")
    prompt = task.prompt(task.instances()[0])
    panel = PromptPanel()
    qtbot.addWidget(panel)
    panel.show_prompt(prompt)
    shown = panel.text.document().resource(QTextDocument.ResourceType.ImageResource, QUrl("picture:1"))
    assert shown.size() == QImage.fromData(prompt.pictures[0]).size()


def test_a_line_of_json_is_wrapped(qtbot):
    panel = PromptPanel()
    qtbot.addWidget(panel)
    panel.show_prompt(Prompt('{"reasoning": "how you arrived at the answer"}'))
    assert not panel.text.document().firstBlock().blockFormat().nonBreakableLines()


def test_the_lines_of_a_json_object_are_wrapped_too(qtbot):
    panel = PromptPanel()
    qtbot.addWidget(panel)
    panel.show_prompt(task_of("csg_union").prompt(task_of("csg_union").instances()[0]))
    assert panel.width_needed < 300


@pytest.mark.parametrize("address", ["terrain_levelling:3", "cube_full_symbolic:0", "polynomial_fit:0", "shikaku:4"])
def test_a_panel_that_is_as_wide_as_it_needs_is_not_scrolled_sideways(qtbot, qapp, address):
    from spatial_workbench.app.frame.style import apply_theme, dress, prepare
    from spatial_workbench.widgets.theme import LIGHT

    prepare(qapp)
    apply_theme(qapp, LIGHT)
    panel = PromptPanel()
    dress(panel)  # whose frames and scroll bars are part of the width
    qtbot.addWidget(panel)
    task, instance = resolve(address)
    panel.show_prompt(task.prompt(instance))
    bar = panel.text.horizontalScrollBar()
    panel.resize(panel.width_needed, 200)
    panel.show()
    qtbot.waitUntil(lambda: bar.maximum() == 0)
    panel.resize(panel.width_needed - 40, 200)
    qtbot.waitUntil(lambda: bar.maximum() > 0)


def test_pictures_never_make_a_panel_wider(qtbot):
    panel = PromptPanel()
    qtbot.addWidget(panel)
    panel.show_prompt(Prompt("Look.", (png(np.zeros((8, 4000, 3), np.uint8)),)))
    panel.resize(300, 300)
    panel.show()
    qtbot.wait(20)
    assert panel.text.horizontalScrollBar().maximum() == 0


def test_a_prompt_with_a_picture_begins_at_its_top_even_if_it_was_small_at_first(qtbot):
    panel = PromptPanel()
    qtbot.addWidget(panel)
    task = task_of("cube_face_view")
    panel.resize(256, 192)
    with qtbot.waitExposed(panel):
        panel.show()
    panel.show_prompt(task.prompt(task.instances()[0]))
    panel.resize(350, 700)
    qtbot.wait(10)
    assert panel.text.verticalScrollBar().value() == 0
