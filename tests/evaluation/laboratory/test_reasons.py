"""Why a verifier judged as it did: the rule, the sentences, and the code."""

from pathlib import Path

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.evaluation.laboratory.reasons import code_of, reason_for, rule_of

PAGE = """# A task

| check | rule |
|---|---|
| no overlap | bricks share no volume |
| on the ground | z >= 0 |

**Score.** 1 if all checks pass.

- **default**: the checks above.
- **published**: overlaps are never
  tested.
"""


def test_the_row_of_the_check_is_the_rule_and_the_other_verifier_is_told() -> None:
    said = rule_of(PAGE, "no overlap", ["default", "published"])
    assert said == (
        "| check | rule |\n|---|---|\n| no overlap | bricks share no volume |\n\n"
        "- **published**: overlaps are never\n  tested."
    )


def test_a_score_is_explained_by_the_rule_of_the_score() -> None:
    assert rule_of(PAGE, "the full score", ["default"]) == "**Score.** 1 if all checks pass."


def test_a_page_that_does_not_know_the_check_has_no_rule() -> None:
    assert rule_of(PAGE, "unheard of", ["default"]) == ""


@pytest.mark.parametrize(
    ("id", "verifier", "check", "file", "name"),
    [
        ("two_segments", "default", "on the grid", "__init__.py", "_on_grid"),
        ("two_segments", "published", "on the grid", "published_verifier.py", "_on_grid"),
        ("maze_3d", "published", "rows", "rules.py", "_published_rows"),
        ("maze_3d", "default", "rows", "rules.py", "_rows"),
        ("pipe_loop", "default", "no touching", "judging.py", "_touches"),
        ("terrain_levelling", "published", "score", "__init__.py", "_published"),
    ],
)
def test_the_code_that_made_a_check_is_found(id: str, verifier: str, check: str, file: str, name: str) -> None:
    code = code_of(task(id), verifier, check)
    assert code is not None
    assert (code.file.name, code.name) == (file, name)
    assert f"def {name}" in code.text
    assert code.file.read_text("utf-8").splitlines()[code.line - 1].strip() == code.text.splitlines()[0]


def test_the_code_of_a_foreign_verifier_is_not_known() -> None:
    assert code_of(task("maze_3d"), "theirs", "rows") is None


def test_a_reason_holds_the_rule_and_every_problem_of_both() -> None:
    judged, instance = resolve("hamiltonian_loop:0")
    answer = '{"steps": [{"xy": [0.5, 0.5]}, {"xy": [1.5, 0.5]}]}'
    verdicts = tuple(judged.verify(instance, answer, name) for name in ("default", "published"))
    reason = reason_for(judged, instance, "whole coordinates", verdicts)
    assert "no coordinate has a fraction" in reason.rule
    assert [said.verifier for said in reason.said] == ["default", "published"]
    assert len(reason.said[0].sentences) == 4
    assert reason.said[1].sentences == ("It has no such check.",)


def test_a_file_of_source_is_named_by_its_path() -> None:
    code = code_of(task("shikaku"), "default", "score")
    assert code is not None
    assert isinstance(code.file, Path)
    assert code.file.is_file()
