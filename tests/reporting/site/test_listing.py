"""What is said before a site is written."""

from spatial_workbench.engine.reporting.site.listing import SiteListing


def test_no_line_announces_names_or_remarks_where_there_are_none() -> None:
    assert SiteListing((("Title", "Results"),), (), (), ("Notes.",)).lines == [
        "This goes in:",
        "  Title: Results",
        "This stays out:",
        "  Notes.",
    ]


def test_each_name_stands_with_its_kind_and_number_of_attempts() -> None:
    lines = SiteListing((), (("birch", "model", 1),), ("Look again.",), ()).lines
    assert lines[1:5] == ["Under these names:", "  birch (model): 1 attempt", "Before you publish:", "  Look again."]
