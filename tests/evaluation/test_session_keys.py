"""A key that was given for a session only reaches the process of a batch, and is nowhere to be read."""

import time
from pathlib import Path

import pytest

from spatial_workbench.engine.evaluation.batch_process import log_file, start
from spatial_workbench.engine.store import BatchState
from tests.models.conftest import chat

KEY = "sk-for-this-session-only"


@pytest.mark.slow
def test_the_process_of_a_batch_gets_the_key_by_a_pipe(project, batch_of, server, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    seen = []

    def answer(body):
        seen.extend(
            path.read_bytes()
            for name in ("cmdline", "environ")
            for path in Path("/proc").glob(f"[0-9]*/{name}")
            if _is_readable(path)
        )
        return chat("no")

    server.answers.append(answer)
    batch, _ = batch_of(server.url, "shikaku:0")
    start(project.path, batch, keys={server.url.split("/")[2]: KEY})
    while project.batches.get(batch).state is BatchState.RUNNING:
        time.sleep(0.1)
    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert seen
    assert not any(KEY.encode() in text for text in seen)
    written = [log_file(project.path, batch), *(path for path in tmp_path.rglob("*") if path.is_file())]
    assert not any(KEY.encode() in path.read_bytes() for path in written)


def _is_readable(path):
    try:
        path.read_bytes()
    except OSError:
        return False
    return True
