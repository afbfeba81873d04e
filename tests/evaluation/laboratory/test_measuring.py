"""The table of known differences that the search found."""

from spatial_workbench.engine.evaluation.laboratory.findings import Divergence, Finding
from spatial_workbench.engine.evaluation.laboratory.measuring import SearchedTask, as_table, found_differences
from spatial_workbench.engine.evaluation.laboratory.searching.task_search import FindingGroup
from spatial_workbench.engine.evaluation.laboratory.verifiers import Trouble

WAY = Divergence("default", "published", "rows", "passed, failed")
NOTHING = Trouble("default", "exception", "")


def group(known: str, seconds: float, answer: str) -> FindingGroup:
    return FindingGroup(known, Finding("maze_3d:0", answer, "test", WAY, NOTHING, NOTHING), 1, (known,), seconds)


def test_the_first_time_and_the_smallest_case_count() -> None:
    groups = [group("other-digits", 9.0, "1\n2\n3"), group("other-digits", 4.0, "1\n2\n3\n4")]
    found = {row.id: row for row in found_differences("maze_3d", groups)}
    assert (found["other-digits"].seconds, found["other-digits"].elements) == (4.0, 3)
    assert found["carriage-returns"].seconds is None


def test_the_table_names_what_was_missed_and_where_an_answer_is_stored() -> None:
    found = found_differences("maze_3d", [group("other-digits", 4.0, "1\n2")])
    table = as_table(found, {"maze_3d": SearchedTask(1200, 61.2, 2), "shikaku": SearchedTask(30, 5.0)})
    assert "| maze_3d | 1,200 | 61 | 3 | 1 | 4 s | 2 elements, 0 digits | 2 | " in table
    assert "| shikaku | 30 | 5 | 0 | 0 |  |  |  |  |" in table
    assert "`carriage-returns` (maze_3d:0)" in table
    assert "| all | 1,230 | 66 | 3 | 1 (33%) | | | 2 | |" in table
