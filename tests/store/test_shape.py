"""What the newest schema looks like is stored, so that opening a project needs no migrations."""

import subprocess
import sys

import pytest

from spatial_workbench.engine.store import Project
from spatial_workbench.engine.store.shape import SCHEMA, expected_shape, migrated_shape


def test_the_stored_shape_is_what_the_migrations_make():
    assert expected_shape(SCHEMA) == migrated_shape(SCHEMA), "call spatial_workbench.engine.store.shape.write_newest"


@pytest.mark.slow
def test_a_project_of_the_newest_schema_opens_without_the_library_that_makes_tables(tmp_path):
    Project.create(tmp_path / "p.workbench").close()
    opens = "import sys; from spatial_workbench.engine.store import Project; Project.open(sys.argv[1]).close()"
    looks = "assert not {'sqlite_utils', 'pandas'} & set(sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", f"{opens}; {looks}", str(tmp_path / "p.workbench")], check=False)
    assert done.returncode == 0
