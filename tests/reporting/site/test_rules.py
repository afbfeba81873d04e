"""The rules of tasks as HTML."""

import re

import pytest

from spatial_workbench.engine.core import tasks
from spatial_workbench.engine.reporting.site.rules import rules_html


def test_headings_tables_lists_and_code_become_html():
    table = "| a | b |\n|---|---|\n| 1 | 2 |"
    page = f"# Title\n\nCut **all** `cells`.\n\n{table}\n\n- one\n- two\n  more\n\n    x = 1\n\n## Score\n"
    shown = rules_html(page)
    assert "Title" not in shown
    assert "<p>Cut <strong>all</strong> <code>cells</code>.</p>" in shown
    assert "<td>1</td><td>2</td>" in shown
    assert "<ul><li>one</li><li>two more</li></ul>" in shown
    assert "<code>x = 1</code>" in shown
    assert "<h3>Score</h3>" in shown
    assert rules_html("**`published`** reads `a * b * c`.") == (
        "<p><strong><code>published</code></strong> reads <code>a * b * c</code>.</p>"
    )


def test_what_is_about_the_window_is_left_out():
    shown = rules_html("## Building by hand\n\nDrag.\n\n## Keys\n\nDel\n\n## Score\n\nOne.")
    assert not re.search("Drag|Del", shown)
    assert "<p>One.</p>" in shown


def test_html_links_and_pictures_are_text():
    shown = rules_html("<script>x</script> [here](javascript:x) ![picture](x.png) `<b>`")
    assert not re.search("<script>|href|src", shown)
    assert re.search("here.*picture", shown)
    assert "<code>&lt;b&gt;</code>" in shown


@pytest.mark.parametrize("task", tasks(), ids=lambda task: task.id)
def test_the_rules_of_every_task_are_well_formed(task):
    shown = rules_html(task.rules())
    opened = re.findall(r"<(?!/)(\w+)", shown)
    closed = re.findall(r"</(\w+)", shown)
    assert sorted(opened) == sorted(closed)
    assert "****" not in shown
    assert "\0" not in shown
