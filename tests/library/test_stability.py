"""The page of what is stable lists exactly the public names."""

import re
from pathlib import Path

import spatial_workbench as sw

PAGE = Path(__file__).parents[2] / "docs" / "stability.md"


def test_the_page_lists_every_public_name_and_no_other():
    table = PAGE.read_text("utf-8").partition("| name | what it is |")[2].partition("\n\n")[0]
    listed = re.findall(r"`(\w+)`", table)
    assert sorted(listed) == sorted(sw.__all__)
