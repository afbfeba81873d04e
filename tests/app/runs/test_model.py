"""Only the rows in view are read."""

from types import SimpleNamespace

from spatial_workbench.app.runs.lines import RunListing
from spatial_workbench.app.runs.model import BLOCK, RunsModel


def test_rows_are_read_in_blocks_and_only_where_one_looks(qtbot):
    asked = []
    model = RunsModel(lambda question, done: asked.append(question))
    model.replace(RunListing(range(1, 100_001)))
    model.row(50_000)
    model.row(50_001)
    qtbot.waitUntil(lambda: len(asked) == 1)

    class Reads:
        def rows(self, numbers):
            assert list(numbers) == list(range(50_001, 50_001 + BLOCK))
            return []

    asked[0](SimpleNamespace(runs=Reads()))


def test_the_block_that_was_looked_at_last_is_read_first(qtbot):
    answers = []
    order = []
    model = RunsModel(lambda question, done: answers.append((question, done)))
    model.replace(RunListing(range(1, 10_001)))

    class Reads:
        def rows(self, numbers):
            order.append(numbers[0] // BLOCK)
            return []

    for block in (0, 7, 3):
        model.row(block * BLOCK)
    qtbot.waitUntil(lambda: bool(answers))
    while answers:
        question, done = answers.pop()
        done(question(SimpleNamespace(runs=Reads())))
    assert order == [3, 7, 0]
