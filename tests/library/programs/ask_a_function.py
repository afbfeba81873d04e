"""Asks a function as if it were a model, stores what it says, and makes a table of the attempts."""

import csv
import io
import tempfile
from pathlib import Path
from typing import Any

import spatial_workbench as sw


def answer(prompt: sw.Prompt) -> sw.Reply:
    return sw.Reply('{"rectangles": []}', output_tokens=len(prompt.text) // 4, cost_usd=0.001)


def as_csv(rows: list[dict[str, Any]]) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def main() -> None:
    path = Path(tempfile.mkdtemp()) / "runs.workbench"
    results: list[sw.Judged] = sw.evaluate(answer, "shikaku:0-1", project=path, name="mine", workers=1, parallel=2)
    sw.evaluate("reference", "shikaku:0-1", project=path, workers=1)
    print([result.score for result in results])
    with sw.Project.open(path) as project:
        rows = project.attempts()
        worst = min(rows, key=lambda row: float(row["score"]))
        print(as_csv(rows).count("\n"), worst["actor_name"], worst["cost_usd"])
        print(len(project.attempts(tasks="shikaku", who="mine")))
        print(project.judged(worst["attempt"]))


if __name__ == "__main__":
    main()
