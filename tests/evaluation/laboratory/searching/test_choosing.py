"""The source that gave most for its time is asked next."""

from spatial_workbench.engine.evaluation.laboratory.searching.choosing import SourceYields


def test_each_source_is_asked_once_in_its_order() -> None:
    yields = SourceYields()
    chosen = []
    for _ in range(3):
        source = yields.choose(("reference", "mutation", "edge"))
        chosen.append(source)
        yields.note(source, 1.0, 0.0)
    assert chosen == ["reference", "mutation", "edge"]


def test_the_source_with_the_higher_yield_is_chosen() -> None:
    yields = SourceYields()
    yields.note("poor", 1.0, 0.0)
    yields.note("rich", 1.0, 9.0)
    assert yields.choose(("poor", "rich")) == "rich"


def test_of_equal_yields_the_cheaper_source_is_chosen() -> None:
    yields = SourceYields()
    yields.note("dear", 50.0, 1.0)
    yields.note("cheap", 0.1, 1.0)
    assert yields.choose(("dear", "cheap")) == "cheap"


def test_a_source_that_gave_nothing_for_long_is_left() -> None:
    yields = SourceYields()
    for _ in range(50):
        yields.note("spent", 1.0, 0.0)
    yields.note("fresh", 1.0, 0.0)
    assert yields.choose(("spent", "fresh")) == "fresh"
