"""Judges an answer from a file by each verifier of its task, and lists the problems."""

import sys
import tempfile
from pathlib import Path

import spatial_workbench as sw


def judge(address: str, file: Path) -> list[sw.Judged]:
    known = sw.task(sw.instance(address).task)
    text = file.read_text("utf-8")
    return [sw.verify(address, text, verifier) for verifier in known.verifiers()]


def problems(judged: sw.Judged) -> list[str]:
    return [f"{check.name}: {problem.message}" for check in judged.verdict.checks for problem in check.problems]


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    for address in ("shikaku:0", "maze_3d:0"):
        known = sw.task(sw.instance(address).task)
        good = folder / f"{known.id}.txt"
        good.write_text(known.format(sw.solve(address)), "utf-8")
        bad = folder / f"{known.id}-bad.txt"
        bad.write_text("I cannot do this.", "utf-8")
        for file in (good, bad):
            for judged in judge(address, file):
                print(file.name, judged.verdict.verifier, judged.score, judged.passed, judged.verdict.is_cached)
                print(*problems(judged), sep="\n", file=sys.stderr)
        try:
            known.parse("I cannot do this.")
        except sw.AnswerError as error:
            print("unreadable:", error)


if __name__ == "__main__":
    main()
