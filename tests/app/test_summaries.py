"""Listing tasks is quick because it remembers, and never wrong because it notices changes."""

import json
import subprocess
import sys

from spatial_workbench.app.commands import summaries


def test_what_is_remembered_is_what_the_tasks_say(tmp_path):
    file = tmp_path / "tasks.json"
    assert summaries.listing(file) == summaries.listing(file) == summaries.from_tasks()


def test_a_change_of_a_task_is_noticed(tmp_path, monkeypatch):
    file = tmp_path / "tasks.json"
    summaries.listing(file)
    file.write_text(json.dumps({"key": "of another state", "rows": [], "broken": []}))
    assert summaries.listing(file).rows != []


def test_a_damaged_memory_is_passed_over(tmp_path):
    file = tmp_path / "tasks.json"
    file.write_text("[1, 2")
    assert summaries.listing(file).rows


def test_listing_what_is_remembered_loads_neither_numpy_nor_a_task():
    code = (
        "import sys; from spatial_workbench.app.commands.main import main;"
        "main(['tasks']); print('numpy' in sys.modules)"
    )
    runs = [subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True) for _ in range(2)]
    assert runs[1].stdout.splitlines()[-1] == "False"
