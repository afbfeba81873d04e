"""Other people's verifiers are asked in the sandbox, in a process of their own, or here; none of them ends us."""

import subprocess
import sys
import time

import pytest

from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.evaluation.laboratory import Trouble
from spatial_workbench.engine.evaluation.laboratory.own import (
    OwnKind,
    OwnVerifier,
    OwnVerifierError,
    OwnVerifiers,
    asked,
    asked_by_name,
    kept,
)
from spatial_workbench.engine.evaluation.laboratory.own import asking as module
from spatial_workbench.engine.sandbox import SandboxUnavailable, availability

TASK = task("shikaku")
INSTANCE = TASK.instances()[0]
SOLVED = TASK.format(TASK.solve(INSTANCE))
COUNTS = """
calls = []

def verify(instance, answer):
    calls.append(answer)
    cells = instance["parameters"]["grid"]
    rectangles = answer["rectangles"]
    return {"score": 1.0, "passed": True, "checks": [{"name": f"call {len(calls)}", "passed": bool(rectangles)}]}
"""
NEEDS_SANDBOX = pytest.mark.skipif(not availability().available, reason="no sandbox works here")


@pytest.fixture
def in_file(tmp_path):
    def make(source, seconds=20.0):
        path = tmp_path / "grader.py"
        path.write_text(source)
        return OwnVerifier(name="theirs", task="shikaku", kind=OwnKind.FILE, path=str(path), seconds=seconds)

    return make


@pytest.fixture
def command(tmp_path):
    def make(source, seconds=20.0):
        path = tmp_path / "grader.py"
        path.write_text(source)
        words = (sys.executable, str(path))
        return OwnVerifier(name="theirs", task="shikaku", kind=OwnKind.COMMAND, command=words, seconds=seconds)

    return make


def ask(own, text=SOLVED):
    with asked(own) as verifier:
        return verifier.verifier.ask(INSTANCE, text)


# Files -----------------------------------------------------------------------------------------------------------


@NEEDS_SANDBOX
def test_a_file_stays_loaded_from_one_answer_to_the_next(in_file):
    source = COUNTS.replace('instance["parameters"]["grid"]', 'sorted(instance["parameters"])')
    with asked(in_file(source)) as verifier:
        verdicts = [verifier.judge(INSTANCE, SOLVED) for _ in range(2)]
    assert [verdict.checks[0].name for verdict in verdicts] == ["call 1", "call 2"]
    assert verdicts[0].verifier == "own:theirs"
    assert verdicts[0].passed


@NEEDS_SANDBOX
@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def verify(instance, answer):\n    return {'score': 2, 'passed': True}", "score: "),
        ("def verify(instance, answer):\n    return {'score': float('nan'), 'passed': True}", "score: "),
        ("def verify(instance, answer):\n    raise KeyError('boxes')", "boxes"),
        ("def verify(instance, answer):\n    import os\n    os._exit(3)", "ended"),
        ("def verify(:", "cannot be run"),
        ("x = 1", "verify"),
    ],
)
def test_what_a_file_does_wrong_is_said_in_a_sentence(in_file, source, words):
    ruled = ask(in_file(source))
    assert isinstance(ruled, Trouble)
    assert words in ruled.message


@NEEDS_SANDBOX
def test_a_file_that_never_ends_is_ended_and_can_be_asked_again(in_file):
    source = "def verify(instance, answer):\n    while answer == 'for ever':\n        pass\n"
    own = in_file(source + "    return {'score': 0, 'passed': False}", seconds=2.0)
    with asked(own) as verifier:
        ruled = verifier.verifier.ask(INSTANCE, "for ever")
        assert isinstance(ruled, Trouble)
        assert ruled.kind == "time-out"
        assert verifier.judge(INSTANCE, SOLVED).score == 0


@NEEDS_SANDBOX
def test_a_file_sees_nothing_of_this_machine(in_file, monkeypatch, tmp_path):
    monkeypatch.setenv("SECRET_KEY", "hidden")
    source = "import os\ndef verify(instance, answer):\n    return {'score': 0, 'passed': False, 'checks': ["
    source += (
        f"{{'name': str(os.environ.get('SECRET_KEY')) + str(os.path.exists({str(tmp_path)!r})), 'passed': True}}]}}"
    )
    verdict = ask(in_file(source))
    assert verdict.checks[0].name == "NoneFalse"


def test_a_file_is_refused_where_there_is_no_sandbox(in_file, monkeypatch):
    def refuse(*arguments, **named):
        raise SandboxUnavailable("There is none.")

    monkeypatch.setattr(module, "open_session", refuse)
    ruled = ask(in_file("def verify(instance, answer):\n    return {}"))
    assert ruled == Trouble("own:theirs", "exception", "There is none.")


def test_a_trusted_file_runs_as_the_user_does_and_stays_loaded(in_file, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "open_session", None)
    (tmp_path / "beside.py").write_text("SCORE = 0.5")
    source = "import beside\ncalls = []\ndef verify(instance, answer):\n    calls.append(1)\n    print('aside')\n"
    source += "    return {'score': beside.SCORE / len(calls), 'passed': False}"
    with asked(in_file(source).with_trust()) as verifier:
        assert [verifier.judge(INSTANCE, SOLVED).score for _ in range(2)] == [0.5, 0.25]


def test_what_a_trusted_file_does_wrong_is_said_in_a_sentence(in_file):
    ruled = ask(in_file("def verify(instance, answer):\n    raise KeyError('boxes')").with_trust())
    assert isinstance(ruled, Trouble)
    assert "KeyError: 'boxes'" in ruled.message


def test_a_file_that_has_changed_is_not_trusted_any_more(in_file, tmp_path):
    own = in_file("def verify(instance, answer):\n    return {'score': 0, 'passed': False}").with_trust()
    (tmp_path / "grader.py").write_text("raise SystemExit")
    with pytest.raises(OwnVerifierError, match="has changed since you trusted it"):
        asked(own)


def test_a_file_that_changes_while_it_is_asked_does_not_run(in_file, tmp_path):
    source = "def verify(instance, answer):\n    return {'score': 0, 'passed': False}"
    with asked(in_file(source).with_trust()) as verifier:
        (tmp_path / "grader.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
        ruled = verifier.verifier.ask(INSTANCE, SOLVED)
    assert isinstance(ruled, Trouble)
    assert "The file has changed" in ruled.message
    assert not (tmp_path / "ran").exists()


def test_only_a_file_is_trusted(command):
    with pytest.raises(OwnVerifierError, match="Only a file"):
        command("pass").with_trust()


# Commands --------------------------------------------------------------------------------------------------------

READS = "import json, sys\ncase = json.load(sys.stdin)\n"


def test_a_command_reads_the_case_and_prints_its_verdict(command):
    source = READS + "right = bool(case['answer']['rectangles']) and case['instance']['task'] == 'shikaku'\n"
    verdict = ask(command(source + "print(json.dumps({'score': float(right), 'passed': right}))"))
    assert (verdict.score, verdict.passed, verdict.verifier) == (1.0, True, "own:theirs")


def test_an_answer_that_cannot_be_read_is_handed_on_as_its_text(command):
    source = READS + "print(json.dumps({'score': float(case['answer'] == case['text'] == 'no JSON'), 'passed': True}))"
    assert ask(command(source), "no JSON").score == 1


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import sys\nsys.exit('grader: no such board')", "exit code 1: grader: no such board"),
        ("print('all right')", "no JSON"),
        ("", "it is empty"),
        ("while True:\n    print('x' * 100_000)", "bytes"),
    ],
)
def test_what_a_command_does_wrong_is_said_in_a_sentence(command, source, words):
    ruled = ask(command(source))
    assert isinstance(ruled, Trouble)
    assert words in ruled.message


def test_a_command_that_is_not_there_is_named(command):
    own = command("").model_copy(update={"command": ("/nowhere/grader",)})
    ruled = ask(own)
    assert isinstance(ruled, Trouble)
    assert "/nowhere/grader" in ruled.message


@pytest.mark.skipif(sys.platform == "win32", reason="groups of processes are those of POSIX")
def test_a_command_that_takes_too_long_ends_with_the_processes_that_it_has_started(command, tmp_path):
    mark = tmp_path / "alive"
    child = f"import time\nwhile True:\n    open({str(mark)!r}, 'a').write('x')\n    time.sleep(0.05)"
    source = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {child!r}])"
    ruled = ask(command(source, seconds=2.0))
    assert isinstance(ruled, Trouble)
    assert ruled.kind == "time-out"
    size = mark.stat().st_size
    time.sleep(0.3)
    assert mark.stat().st_size == size


@pytest.mark.skipif(sys.platform == "win32", reason="sessions are those of POSIX")
def test_a_child_that_has_left_the_command_and_keeps_its_output_open_is_not_waited_for(command):
    child = "import time\ntime.sleep(20)"
    source = f"import subprocess, sys, time\nwords = [sys.executable, '-c', {child!r}]\n"
    source += "subprocess.Popen(words, start_new_session=True)\ntime.sleep(30)"
    begin = time.monotonic()
    ruled = ask(command(source, seconds=1.0))
    assert isinstance(ruled, Trouble)
    assert ruled.kind == "time-out"
    # The child sleeps for 20 s.
    assert time.monotonic() - begin < 15


@pytest.mark.skipif(sys.platform == "win32", reason="sessions are those of POSIX")
def test_an_answer_counts_though_a_child_keeps_the_output_open(command):
    child = "import time\ntime.sleep(20)"
    source = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {child!r}], start_new_session=True)\n"
    ruled = ask(command(source + 'print(\'{"score": 0.5, "passed": false}\')', seconds=15.0))
    assert ruled.score == 0.5


ASKER = """
import sys
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.evaluation.laboratory.own import OwnKind, OwnVerifier, asked
own = OwnVerifier(name="theirs", task="shikaku", kind=OwnKind.COMMAND, command=(sys.executable, sys.argv[1]))
with asked(own) as verifier:
    verifier.verifier.ask(task("shikaku").instances()[0], "{}")
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="groups of processes are those of POSIX")
def test_a_command_ends_with_its_children_when_whoever_asks_is_ended_by_force(command, tmp_path, qtbot):
    mark = tmp_path / "alive"
    child = f"import time\nwhile True:\n    open({str(mark)!r}, 'a').write('x')\n    time.sleep(0.05)"
    command(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {child!r}])")
    asker = subprocess.Popen([sys.executable, "-c", ASKER, str(tmp_path / "grader.py")])
    qtbot.waitUntil(mark.exists, timeout=60_000)
    asker.kill()
    asker.wait()
    time.sleep(1.0)
    size = mark.stat().st_size
    time.sleep(0.3)
    assert mark.stat().st_size == size


# Commands that last ----------------------------------------------------------------------------------------------

LASTING = """
import json, sys, time
for count, line in enumerate(sys.stdin, 1):
    text = json.loads(line)["text"]
    if text == "sleep":
        time.sleep(30)
    if text == "end":
        sys.exit("out of order")
    check = {"name": f"call {count}", "passed": True}
    print("nonsense" if text == "nonsense" else json.dumps({"score": 1, "passed": True, "checks": [check]}), flush=True)
"""


@pytest.fixture
def lasting(command):
    with asked(command(LASTING, seconds=10.0).model_copy(update={"lasting": True})) as opened:
        yield lambda text: opened.verifier.ask(INSTANCE, text)


def call(ruled):
    return ruled.checks[0].name


def test_a_command_that_lasts_takes_one_case_after_the_other(lasting):
    assert [call(lasting(text)) for text in (SOLVED, "{}", "\n")] == ["call 1", "call 2", "call 3"]


def test_a_line_that_is_no_verdict_is_a_fault_of_that_answer_alone(lasting):
    assert call(lasting(SOLVED)) == "call 1"
    assert "no JSON" in lasting("nonsense").message
    assert call(lasting(SOLVED)) == "call 3"


def test_one_that_ends_is_started_again_for_the_next_answer(lasting):
    assert "exit code 1 before it answered: out of order" in lasting("end").message
    assert call(lasting(SOLVED)) == "call 1"


def test_one_that_takes_too_long_is_ended_and_started_again(command):
    own = command(LASTING, seconds=1.5).model_copy(update={"lasting": True})
    with asked(own) as opened:
        assert opened.verifier.ask(INSTANCE, "sleep").kind == "time-out"
    with asked(own.model_copy(update={"seconds": 20.0})) as opened:
        assert call(opened.verifier.ask(INSTANCE, SOLVED)) == "call 1"


# Packages --------------------------------------------------------------------------------------------------------


@pytest.fixture
def package(tmp_path, monkeypatch):
    """An installed package with a verifier of this source, as the interpreter of a child finds it."""

    def install(source):
        (tmp_path / "their_package.py").write_text(source)
        about = tmp_path / "theirs-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(
            "[spatial_workbench.verifiers]\nshikaku.strict = their_package:verify\n"
        )
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        monkeypatch.syspath_prepend(str(tmp_path))
        return OwnVerifiers(tmp_path / "none.json").get("strict")

    return install


def test_a_function_of_a_package_is_asked_in_a_process_of_its_own(package):
    own = package("def verify(instance, answer):\n    return {'score': 1, 'passed': bool(answer['rectangles'])}")
    assert (own.kind, own.task, own.path) == (OwnKind.PACKAGE, "shikaku", "their_package:verify 1.0")
    assert ask(own).passed


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import no_such_module", "no_such_module"),
        ("import sys\ndef verify(instance, answer):\n    sys.exit('out of order')", "out of order"),
        ("def verify(instance, answer):\n    return {'score': 7, 'passed': True}", "score: "),
    ],
)
def test_what_a_package_does_wrong_ends_nobody_else(package, source, words):
    ruled = ask(package(source))
    assert isinstance(ruled, Trouble)
    assert words in ruled.message


def test_verifiers_are_found_by_their_names_in_verdicts(command, monkeypatch, tmp_path):
    monkeypatch.setattr(kept, "_default_path", lambda: tmp_path / "verifiers.json")
    OwnVerifiers().add(command(READS + "print(json.dumps({'score': 0, 'passed': False}))"))
    with asked_by_name(["default", "own:theirs", "own:theirs"]) as found:
        assert [verifier.name for verifier in found] == ["own:theirs"]
    with pytest.raises(OwnVerifierError, match="no verifier “gone”"), asked_by_name(["own:gone"]):
        pass
