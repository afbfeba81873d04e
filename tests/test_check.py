"""`run.py check` finds the tests that concern a file."""

import pytest

from tools.check import ROOT, SWEEPS, concerned_tests, module_of
from tools.parallel import ToolStep, run_steps


def test_the_sweeps_exist():
    assert [sweep for sweep in SWEEPS if not (ROOT / sweep).is_file()] == []


def test_a_task_is_checked_by_its_own_tests_and_its_part_of_every_sweep():
    tests = concerned_tests(["engine/tasks/shikaku/__init__.py"])
    own = ["tests/tasks/test_shikaku.py", "tests/tasks/test_shikaku_commands.py"]
    assert tests == (own, sorted(SWEEPS), ["shikaku"])
    assert tests.arguments()[-3:] == ["--task=shikaku", "-k", "shikaku or test_shikaku or test_shikaku_commands"]


def test_an_editor_is_checked_by_tests_of_editors():
    tests = concerned_tests(["widgets/editors/lego_hemisphere/editor.py"])
    assert tests.whole
    assert all(test.startswith("tests/editors/") for test in (*tests.whole, *tests.sweeps))


def test_a_module_is_checked_by_the_tests_that_mirror_it():
    assert "tests/store/test_project.py" in concerned_tests(["engine/store/project.py"]).whole


def test_a_module_is_checked_by_its_own_tests_and_the_few_others_that_import_it():
    concerned = concerned_tests(["app/frame/style.py"]).whole
    assert {"tests/app/frame/test_style.py", "tests/widgets/test_prompt_panel.py"} <= set(concerned)


def test_a_test_is_checked_by_itself_and_a_page_of_the_documentation_by_none():
    assert concerned_tests(["tests/test_check.py", "docs/files.md"]) == (["tests/test_check.py"], [], [])


@pytest.mark.parametrize(
    ("file", "module"),
    [
        ("engine/core/__init__.py", "spatial_workbench.engine.core"),
        ("spatial_workbench/root.py", "spatial_workbench.root"),
        ("tools/check.py", None),
    ],
)
def test_a_file_has_the_name_under_which_it_is_imported(file, module):
    assert module_of(file) == module


def test_a_step_that_fails_is_shown_with_its_output_and_fails_the_whole(capfd):
    steps = [ToolStep("good", ("python", "-c", "pass")), ToolStep("bad", ("python", "-c", "exit('the reason')"))]
    assert run_steps(steps) == 1
    shown = capfd.readouterr().out
    assert "passed  good" in shown
    assert "failed  bad" in shown
    assert "the reason" in shown
    assert run_steps(steps[:1]) == 0
