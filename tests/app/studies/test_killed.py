"""A window that is killed at any moment goes on where it was: same item, same answer, the time that was left."""

import itertools
import random

import pytest

from spatial_workbench.engine.studies.files.bundles import write_bundle
from spatial_workbench.engine.studies.sessions.session_file import SessionFile
from tests.app.studies.taking_part import killed_after
from tests.studies.sittings import bundle, study
from tests.sweeps import few

KILLS = few(4, 20)
LOST_MS = 1_000
"""What may be lost of the time: up to the last commit."""
TICK_MS = 250


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_window_that_is_killed_again_and_again_loses_neither_answer_nor_time(tmp_path):
    write_bundle(tmp_path / "f.study", bundle(study(limits={"item_s": 3600, "pauses": {"kind": "none"}})))
    rng = random.Random(7)
    for number in range(KILLS):
        said, at = killed_after(rng.uniform(0.05, 1.5), tmp_path / "f.study", tmp_path / "sessions")
        file = SessionFile.open(tmp_path / "sessions" / "P001H.session")
        (trial, *_) = file.trials()
        place = file.place
        answer = file.draft(0)
        file.close()
        assert (place["page"], place["position"], trial.resumes) == ("item", 0, number)
        # Each edit has one rectangle more than the one before, and is one more among the edits that were counted.
        assert said[-1]["stored"] <= len(answer["rectangles"]) == trial.edits <= said[-1]["made"] + 1
        left = 3_600_000 - trial.active_ms
        longest = max((b["at"] - a["at"] for a, b in itertools.pairwise(said)), default=0)
        true_left = said[-1]["left"] - 1000 * (at - said[-1]["at"])
        assert -TICK_MS <= left - true_left <= LOST_MS + TICK_MS + 1000 * longest
