"""Tables that are computed once, as long as what they are computed from stays as it is."""

from spatial_workbench.engine.evaluation.results.tables import Heading, Table, TableCell, TableLine
from spatial_workbench.engine.evaluation.scored import Scored
from spatial_workbench.engine.reporting.site.kept_tables import KeptTables

CELL = TableCell("50.0", "n 2", "a tip", (0.5, None, 2, True, "words"))
TABLE = Table("A table", "Run", (Heading("Score", fields=("a", "b", "c", "d", "e")),), (TableLine("oak", (CELL,)),))


class Maker:
    """Counts how often tables are made."""

    def __init__(self):
        self.count = 0

    def __call__(self):
        self.count += 1
        return (TABLE,)


def record(score=1.0):
    return Scored(task="shikaku", address="shikaku:0", number=0, model="oak", score=score, passed=score == 1)


def test_tables_are_made_once_and_come_back_as_they_were(tmp_path):
    make = Maker()
    kept = KeptTables(tmp_path / "kept")
    first, second = (kept.of("A and B", [[record()]], make) for _ in range(2))
    assert make.count == 1
    assert first == second == (TABLE,)
    assert [type(value) for value in second[0].lines[0].cells[0].values] == [float, type(None), int, bool, str]


def test_other_records_or_names_make_other_tables(tmp_path):
    make = Maker()
    kept = KeptTables(tmp_path)
    for title, score in (("A and B", 1.0), ("A and B", 0.5), ("B and A", 1.0)):
        kept.of(title, [[record(score)]], make)
    assert make.count == 3


def test_damaged_tables_are_made_again(tmp_path):
    make = Maker()
    kept = KeptTables(tmp_path)
    kept.of("A and B", [[record()]], make)
    (path,) = tmp_path.iterdir()
    path.write_text("[")
    assert kept.of("A and B", [[record()]], make) == (TABLE,)
    assert make.count == 2


def test_without_a_folder_nothing_is_kept():
    make = Maker()
    for _ in range(2):
        KeptTables(None).of("A and B", [[record()]], make)
    assert make.count == 2
