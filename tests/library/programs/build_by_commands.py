"""Builds an answer step by step, as an agent does, and builds it a second time from its calls."""

import spatial_workbench as sw


def build(acting: sw.ActingEpisode, corners: list[list[int]]) -> list[dict[str, object]]:
    calls: list[dict[str, object]] = []
    for corner in corners:
        arguments: dict[str, object] = {"size": 0, "corner": corner}
        told: sw.Told = acting.call("place", arguments)
        print("refused" if told.is_refused else "placed", told.text)
        calls.append({"tool": "place", "arguments": arguments})
    return calls


def main() -> None:
    first = sw.episode("pack_prisms:0", condition="hands", calls=50, sees="text")
    print(sorted(first.tools)[:3])
    calls = build(first, [[0, 0, 0], [0, 0]])
    print(first.undo(steps=1).text)
    second = sw.episode("pack_prisms:0", sees="text")
    second.replay(calls)
    judged: sw.Judged = second.submit()
    print(judged, second.end)
    try:
        sw.episode("pack_prisms:0", call=3)
    except ValueError as error:
        print(error)


if __name__ == "__main__":
    main()
