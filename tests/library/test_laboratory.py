"""Verifiers compared from a program: found, made small, and kept as cases."""

import pytest

import spatial_workbench as sw


def lenient(instance, answer):
    return {"score": 1, "passed": True}


def test_a_function_is_compared_with_our_verifiers():
    found = sw.disagree("maze_3d", answers=12, verifiers={"lenient": lenient})
    assert ("default", "own:lenient") in {each.verifiers for each in found if each.is_question}
    first = found[0]
    assert first.verdicts[1].passed
    assert repr(first).startswith(f"<{first.address}: default not passed")


@pytest.mark.slow
def test_equal_calls_find_the_same():
    calls = [sw.disagree("maze_3d", answers=40, verifiers={"lenient": lenient}) for _ in range(2)]
    assert calls[0] == calls[1]


@pytest.mark.slow
def test_a_search_is_kept_in_a_project(tmp_path):
    path = tmp_path / "lab.workbench"
    assert sw.disagree("maze_3d", answers=60, project=path) == sw.disagree("maze_3d", answers=60, project=path)


def test_functions_are_not_asked_in_other_processes(tmp_path):
    with pytest.raises(ValueError, match="functions are asked in this process"):
        sw.disagree("maze_3d", answers=1, verifiers={"lenient": lenient}, project=tmp_path / "p.workbench")
    with pytest.raises(ValueError, match="There is no verifier “nobody”"):
        sw.disagree("maze_3d", answers=1, own=["nobody"])


@pytest.mark.slow
def test_what_is_made_small_keeps_its_count_and_its_verifiers():
    found = sw.disagree("maze_3d", answers=12, verifiers={"lenient": lenient})[0]
    small = sw.shrink(found, seconds=5)
    assert (small.verifiers, small.count, small.check) == (found.verifiers, found.count, found.check)
    assert len(small.answer) <= len(found.answer)


def test_a_case_runs_with_functions_and_is_kept_in_a_file(tmp_path):
    case = sw.disagree("maze_3d", answers=12, verifiers={"lenient": lenient})[0].case("All pass.")
    case.write(tmp_path / "a.json")
    again = sw.read_case(tmp_path / "a.json")
    assert again == case
    assert again.run({"lenient": lenient}) == []
    assert [change.verifier for change in again.run()] == ["own:lenient"]


def test_a_case_is_made_of_any_answer_and_small_ones_of_it():
    case = sw.regression_case("hamiltonian_loop:0", sw.solve("hamiltonian_loop:0"))
    assert case.expected["default"].passed
    with pytest.raises(sw.CaseError, match="all verifiers agree"):
        sw.shrink(case)
