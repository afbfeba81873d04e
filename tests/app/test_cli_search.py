"""The command that searches for machines."""

import json

import pytest

from spatial_workbench.app.commands.main import INTERRUPTED, main
from spatial_workbench.app.commands.plumbing import BAD_INPUT, NOT_PASSED, PASSED
from spatial_workbench.engine.executor import JobOutcome
from spatial_workbench.engine.machines.building.tree import write_tree
from spatial_workbench.engine.machines.levels.references import references
from spatial_workbench.engine.search.machine_search import MachineSearch
from tests.search.search_tools import STUB, Direct

CAR = write_tree(references()["M1"].tree)


class Opened(Direct):
    """The executor of a command."""

    def __enter__(self):
        return self

    def __exit__(self, *reason):
        pass


@pytest.fixture(autouse=True)
def executor(monkeypatch):
    """What simulates: in this process, with a stub for the physics."""
    begin = MachineSearch.__init__
    executor = Opened()
    monkeypatch.setattr(MachineSearch, "__init__", lambda self, *given: begin(self, *given, simulation=STUB))
    monkeypatch.setattr("spatial_workbench.engine.executor.open_executor", lambda workers, cluster: executor)
    return executor


def run(capsys, *words):
    code = main(["search", *map(str, words)])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_the_best_machine_is_written_as_an_answer(capsys, tmp_path, monkeypatch):
    told = []
    monkeypatch.setattr("spatial_workbench.app.commands.plumbing.print_progress", lambda text, _: told.append(text))
    code, out, err = run(capsys, "M1", "--rounds", 2, "--json", "-o", tmp_path / "best.json")
    assert (code, json.loads(out)["machines"]) == (PASSED, 11)
    assert json.loads((tmp_path / "best.json").read_text())["blocks"] == json.loads(out)["best"]["tree"]
    assert "2/2 11 machines, best distance" in told[-1]
    assert err == ""


def test_the_best_machine_may_be_written_as_solids_or_positions(capsys, tmp_path):
    assert run(capsys, "M1", "--rounds", 1, "-o", tmp_path / "best.positions.json")[0] == PASSED
    assert "Position" in json.loads((tmp_path / "best.positions.json").read_text())[0]


def test_a_search_goes_on_in_its_file(capsys, tmp_path):
    words = ("M1", "--nodes", tmp_path / "nodes", "--json", "--strategy", "mcts", "--rounds")
    first = json.loads(run(capsys, *words, 2)[1])
    again = json.loads(run(capsys, *words, 2)[1])
    assert (again["best"], again["simulated"]) == (first["best"], 0)


def test_a_search_starts_with_the_machine_of_a_file(capsys, tmp_path):
    (tmp_path / "start.json").write_text(json.dumps(CAR[:2]))
    run(capsys, "M1", "--start", tmp_path / "start.json", "--rounds", 1, "--nodes", tmp_path / "nodes")
    assert json.loads((tmp_path / "nodes").read_text().splitlines()[1])["tree"] == CAR[:2]


def test_a_level_drawn_from_a_seed_is_searched_by_its_address(capsys):
    assert json.loads(run(capsys, "machine_movement@3", "--rounds", 1, "--json")[1])["address"] == "machine_movement@3"


def test_after_an_interruption_the_best_so_far_is_kept(capsys, tmp_path, executor):
    executor.most = 3
    code, out, _ = run(capsys, "M1", "-o", tmp_path / "best.json", "--nodes", tmp_path / "nodes")
    assert (code, len((tmp_path / "nodes").read_text().splitlines())) == (INTERRUPTED, 4)
    assert (tmp_path / "best.json").exists()
    assert "Best of 3 machines" in out


def test_interrupted_before_the_first_machine_nothing_is_written(capsys, tmp_path, executor):
    executor.most = 0
    assert run(capsys, "M1", "-o", tmp_path / "best.json")[0] == INTERRUPTED
    assert not (tmp_path / "best.json").exists()


def test_without_any_score_the_exit_code_says_so(capsys, monkeypatch):
    monkeypatch.setattr("tests.search.search_jobs.sum", lambda numbers: 0, raising=False)
    assert run(capsys, "M1", "--rounds", 1)[0] == NOT_PASSED


def test_why_the_best_machine_counts_nothing_is_printed(capsys, executor):
    executor.outcome = JobOutcome.CRASHED
    code, out, _ = run(capsys, "M1", "--rounds", 1)
    assert code == NOT_PASSED
    assert "! The simulation failed: it went wrong" in out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("X9",), "There is no level “X9”. Levels: M1, M2"),
        (("lego_hemisphere:0",), "is not a machine task"),
        (("machine_throw:99",), "machine_throw"),
        (("M1", "--start", "missing.json"), "missing.json"),
        (("M1", "-o", "missing/best.json"), "There is no folder “missing”"),
        (("M1", "--cluster", "here"), "is not the address of a scheduler"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(words, reason, capsys, monkeypatch):
    monkeypatch.undo()
    code, _, err = run(capsys, *words)
    assert (code, err.count("\n")) == (BAD_INPUT, 1)
    assert reason in err


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (json.dumps([*CAR, {"type": 15, "id": 7, "parent": 99, "face_id": 0}]), "block 7: "),
        (json.dumps([*CAR, {"type": 15, "id": 7, "parent": 0, "face_id": 0}]), "FACE_OCCUPIED"),
        ("[", "line 1: This is not JSON"),
    ],
)
def test_a_start_that_is_no_machine_is_refused_with_the_place(text, reason, capsys, tmp_path):
    (tmp_path / "start.json").write_text(text)
    code, _, err = run(capsys, "M1", "--start", tmp_path / "start.json")
    assert code == BAD_INPUT
    assert reason in err


@pytest.mark.parametrize(("option", "value"), [("--rounds", "0"), ("--seed", "-1"), ("--workers", "two")])
def test_numbers_out_of_range_are_refused(option, value, capsys):
    with pytest.raises(SystemExit) as exit_:
        main(["search", "M1", option, value])
    assert exit_.value.code == BAD_INPUT
    assert option in capsys.readouterr().err
