"""Draws questions of growing difficulty, within the bounds that the generator tells, as JSON lines."""

import json
from collections.abc import Iterator

import spatial_workbench as sw


def widths(task_id: str, name: str, steps: int) -> Iterator[int]:
    (parameter,) = (known for known in sw.task(task_id).generator_parameters if known.name == name)
    if parameter.low is None or parameter.high is None:
        raise ValueError(f"{name} has no bounds")
    low, high = int(parameter.low), int(parameter.high)
    yield from (low + (high - low) * step // (4 * steps) for step in range(steps))


def question(instance: sw.Instance) -> dict[str, object]:
    prompt: sw.Prompt = sw.prompt(instance)
    return {"id": instance.address, "prompt": prompt.text, "pictures": len(prompt.pictures)}


def main() -> None:
    print(json.dumps({"schema": sw.schema("shikaku")}))
    for seed, width in enumerate(widths("shikaku", "width", 3)):
        instance = sw.generate("shikaku", seed, width=width, height=width)
        print(json.dumps(question(instance)))
    try:
        sw.generate("shikaku", 1, widht=9)
    except sw.InstanceError as error:
        print(json.dumps({"refused": str(error)}, ensure_ascii=False))


if __name__ == "__main__":
    main()
