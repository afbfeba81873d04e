"""Whatever a task of another package does wrong, it is said in one line, and everything else works."""

import os
import subprocess
import sys

import pytest

from spatial_workbench.engine.core import broken_tasks, registry, task, tasks
from spatial_workbench.engine.core.plug_ins import foreign
from spatial_workbench.engine.core.plug_ins.foreign import TaskFault
from tests.plug_ins import SOUND, misbehaving, misjudging, plug_in  # noqa: F401

AT_IMPORT = {
    "import sys; sys.exit(5)": "it tried to end the program (SystemExit: 5)",
    "raise KeyboardInterrupt": "KeyboardInterrupt",
    "raise RuntimeError('first line\\nsecond line')": "first line second line",
    SOUND + "    title = None\n": "its title is None instead of a text",
    SOUND + "    summary = 7\n": "its summary is 7 instead of a text",
    SOUND + "    bucket = 'counting'\n": "its bucket is 'counting' instead of a Bucket",
    SOUND + "    answer_type = dict\n": "instead of an Answer",
    SOUND + "    agents = None\n": "its agents are no mapping",
    misbehaving("instances", "return None"): "its instances are None instead of a list",
    misbehaving("instances", "return [1]"): "its instance 0 is 1 instead of an Instance",
    misbehaving("caption", "return 5"): "the caption of its instance 0 is 5",
    misbehaving("caption", "import sys; sys.exit(3)"): "it tried to end the program (SystemExit: 3)",
    misbehaving("__init__", "raise SystemExit('no')"): "it tried to end the program (SystemExit: no)",
}


@pytest.mark.parametrize("source", AT_IMPORT, ids=range(len(AT_IMPORT)))
def test_a_task_that_cannot_be_used_is_named_in_one_line(plug_in, source):  # noqa: F811
    plug_in(source)
    (broken,) = broken_tasks()
    assert AT_IMPORT[source] in broken.reason
    assert "\n" not in broken.reason
    assert task("shikaku") in tasks()


def test_an_import_without_an_end_is_stopped(plug_in, monkeypatch):  # noqa: F811
    monkeypatch.setattr(registry, "IMPORT_LIMIT_S", 0.2)
    plug_in("while True:\n    try:\n        pass\n    except Exception:\n        pass\n")
    (broken,) = broken_tasks()
    assert "did not end within 0.2 s" in broken.reason


def call(name):
    odd = task("odd")
    instance = odd.instances()[0]
    return {
        "prompt": lambda: odd.prompt(instance),
        "empty": lambda: odd.empty(instance),
        "scene": lambda: odd.scene(instance),
        "solve": lambda: odd.solve(instance),
        "verify": lambda: odd.verify(instance, {"corners": 3}),
        "format": lambda: odd.format(None),
    }[name]()


@pytest.mark.parametrize("statement", ["raise ValueError('odd')", "raise SystemExit(5)", "raise KeyboardInterrupt"])
@pytest.mark.parametrize("method", ["prompt", "empty", "scene", "solve", "verify", "format"])
def test_a_method_that_raises_is_one_sentence(plug_in, method, statement):  # noqa: F811
    plug_in(misjudging(statement) if method == "verify" else misbehaving(method, statement))
    with pytest.raises(TaskFault, match=rf"^Task odd: {method} failed: [^\n]+$"):
        call(method)


@pytest.mark.parametrize("method", ["prompt", "empty", "scene", "solve", "format"])
def test_a_method_that_returns_something_else_is_one_sentence(plug_in, method):  # noqa: F811
    plug_in(misbehaving(method, "return 5"))
    with pytest.raises(TaskFault, match=rf"Task odd: {method} failed: TypeError: it returns int instead of"):
        call(method)


def test_a_verifier_without_an_end_is_stopped(plug_in):  # noqa: F811
    plug_in(misjudging("while True: pass") + "\n    judging_limit_s = 0.2\n")
    with pytest.raises(TaskFault, match=r"verify did not end within 0.2 s and was stopped"):
        call("verify")


def test_the_log_says_each_fault_once(plug_in, caplog):  # noqa: F811
    plug_in(misbehaving("prompt", "raise ValueError('said once in this test')"))
    for _ in range(3):
        with pytest.raises(TaskFault):
            call("prompt")
    assert len([record for record in caplog.records if "said once in this test" in record.message]) == 1


def test_what_comes_after_a_stopped_call_is_not_disturbed(plug_in, monkeypatch):  # noqa: F811
    monkeypatch.setattr(foreign, "CALL_LIMIT_S", 0.1)
    plug_in(misbehaving("prompt", "while True: pass"))
    with pytest.raises(TaskFault, match="did not end"):
        call("prompt")
    assert sum(range(1_000_000)) == 499_999_500_000


def run(folder, *words):
    """A command of a workbench in which a package is installed."""
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}.", "XDG_CACHE_HOME": str(folder / "cache")}
    command = [sys.executable, "-m", "spatial_workbench.app.commands.main", *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, input='{"corners": 3}')


@pytest.mark.slow
def test_the_command_line_lists_the_others_and_notices_a_mended_task(plug_in):  # noqa: F811
    folder = plug_in("import sys; sys.exit(5)")
    for _ in range(2):
        listed = run(folder, "tasks")
        assert "shikaku" in listed.stdout
        assert listed.stderr.count("\n") == 1
        assert "The task “odd” cannot be used" in listed.stderr
    refused = run(folder, "verify", "odd:0", "-")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    (folder / "odd_plug_in.py").write_text(SOUND)
    assert "odd" in run(folder, "tasks").stdout


@pytest.mark.slow
@pytest.mark.parametrize("statement", ["raise SystemExit(0)", "while True: pass"])
def test_verifying_by_a_bad_verifier_is_one_line_and_exit_code_2(plug_in, statement):  # noqa: F811
    folder = plug_in(misjudging(statement) + "\n    judging_limit_s = 0.2\n")
    refused = run(folder, "verify", "odd:0", "-")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("Task odd: verify ")
    assert refused.stderr.count("\n") == 1


@pytest.mark.slow
def test_evaluating_a_task_without_a_prompt_is_one_line_and_exit_code_2(plug_in, tmp_path):  # noqa: F811
    folder = plug_in(misbehaving("prompt", "raise SystemExit(5)"))
    refused = run(folder, "evaluate", str(tmp_path / "p.workbench"), "--model", "reference", "--tasks", "odd")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "Task odd: prompt failed" in refused.stderr
