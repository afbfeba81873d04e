"""Bundles on the command line: which places they hold, and with which accommodations."""

import pytest

from spatial_workbench.app.commands.plumbing import BAD_INPUT, PASSED
from spatial_workbench.engine.studies.files.bundles import read_bundle
from tests.app.commands.leading.led_study import STUDY, printed_by
from tests.app.test_cli import run


def test_a_bundle_of_some_codes_is_written(capsys, project, tmp_path):
    path = tmp_path / "b.study"
    written = printed_by(
        capsys, "bundle", project, STUDY.id, "-o", str(path), "--codes", "P001-P002,P005", "--site", "lab"
    )
    assert written["codes"] == ["P001H", "P002Q", "P005N"]
    assert [slot.code for slot in read_bundle(path).slots] == written["codes"]
    code, _, err = run(capsys, "study", "bundle", project, STUDY.id, "-o", str(path), "--codes", "P002")
    assert (code, "P002Q is in another bundle already." in err) == (PASSED, True)


@pytest.mark.parametrize(("output", "codes"), [("b.zip", ""), ("b.study", "P001A"), ("b.study", "P900")])
def test_a_bundle_that_cannot_be_is_refused(capsys, project, tmp_path, output, codes):
    path = tmp_path / output
    assert run(capsys, "study", "bundle", project, STUDY.id, "-o", str(path), "--codes", codes)[0] == BAD_INPUT
    assert not path.exists()


def test_accommodations_travel_with_the_bundle(capsys, project, tmp_path):
    run(capsys, "study", "freeze", project, STUDY.id)
    run(capsys, "study", "accommodate", project, STUDY.id, "P001H", "--time-factor", "1.5", "--keyboard-only")
    run(capsys, "study", "bundle", project, STUDY.id, "-o", str(tmp_path / "b.study"))
    needs = read_bundle(tmp_path / "b.study").accommodations_of("P001H")
    assert (needs.time_factor, needs.keyboard_only) == (1.5, True)
