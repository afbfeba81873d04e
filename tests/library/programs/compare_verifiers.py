"""Finds where the published verifier of a task judges the reference solutions otherwise than ours does."""

from collections import Counter

import spatial_workbench as sw


def published(tasks: dict[str, sw.Task[sw.Answer]]) -> list[str]:
    return [name for name, known in tasks.items() if "published" in known.verifiers()]


def difference(address: str) -> str:
    solution: sw.Answer = sw.solve(address)
    ours: sw.Verdict = sw.verify(address, solution).verdict
    theirs: sw.Verdict = sw.verify(address, solution, "published").verdict
    return "same" if not ours.disagrees_with(theirs) else "different"


def main() -> None:
    quick = {"hamiltonian_loop", "two_segments", "half_subdivision"}
    names = sorted(quick & set(published(sw.tasks())))
    print(names)
    print(Counter(difference(f"{name}:{number}") for name in names for number in range(2)))
    drawing: sw.Drawing = sw.scene("two_segments:0", sw.solve("two_segments:0"))
    print(drawing)
    try:
        sw.verify("two_segments:0", "{}", "publishd")
    except KeyError as error:
        print(error)


if __name__ == "__main__":
    main()
