"""Compares a verifier of one's own with ours, makes a case of what it finds, and runs the case later."""

import json
from pathlib import Path
from typing import Any

import spatial_workbench as sw


def area(instance: dict[str, Any], answer: Any) -> dict[str, Any]:
    """Looks at the areas of the rectangles alone."""
    rows = instance["parameters"]["grid"]
    cells = sum(len(row) for row in rows)
    covered = sum((x1 - x0 + 1) * (y1 - y0 + 1) for x0, y0, x1, y1 in answer["rectangles"])
    return {"score": float(covered == cells), "passed": covered == cells}


def refuse(instance: dict[str, Any], answer: Any) -> dict[str, Any]:
    return {"score": 0, "passed": False}


def main() -> None:
    found = sw.disagree("shikaku", answers=60, verifiers={"area": area})
    question: sw.Disagreement = next(each for each in found if each.is_question and each.verdicts[1])
    small = sw.shrink(question, seconds=10)
    print(", ".join(small.verifiers), small.count, small.words)
    case: sw.RegressionCase = small.case("The cells count, not their number.")
    file = Path("area.json")
    case.write(file)
    changes: list[sw.CaseChange] = sw.read_case(file).run(
        {"area": lambda instance, answer: {"score": 0, "passed": False}}
    )
    print(*(change.words for change in changes), sep="\n")
    print("the same" if not sw.read_case(file).run({"area": area}) else "another")
    plain = sw.regression_case("shikaku:0", sw.solve("shikaku:0"), "The reference passes.")
    expected: sw.ExpectedVerdict = plain.expected["default"]
    print("as expected" if not plain.run() and expected.passed else "changed")
    Path("changed.json").write_text(json.dumps({**json.loads(plain.as_text()), "address": 3}), "utf-8")
    try:
        sw.read_case("changed.json")
    except sw.CaseError as error:
        print(error)


if __name__ == "__main__":
    main()
