"""What a solver of fluid_simulation is told."""

from spatial_workbench.engine.tasks.fluid_simulation.judging import FluidQuestion
from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH, GROUND, Terrain


def prompt_text(question: FluidQuestion) -> str:
    """World, earthworks, rain, goals and the answer's form, in our own words."""
    n = question.terrain.n
    return "\n\n".join(
        [
            _world(question.terrain),
            _earthworks(question.limit),
            _rain(n),
            "After the rain:\n" + "\n".join(f"- {goal.sentence()}" for goal in question.goals),
            _form(),
        ]
    )


def _world(terrain: Terrain) -> str:
    n = terrain.n
    text = (
        f"A world has {n} x {n} x {DEPTH} voxels. A voxel is [x, y, z] with x and y from 0 to {n - 1} and z from 0 "
        f"(bottom) to {DEPTH - 1} (top). At the start z = 0 to {GROUND - 1} are full of rock and the rest is air."
    )
    if terrain.boulders:
        boxes = "; ".join(f"{list(low)}-{list(high)}" for low, high in terrain.boulders)
        text += f" On the ground lie boulders of rock, here with their lowest and highest voxel: {boxes}."
    return text


def _earthworks(limit: int | None) -> str:
    limited = f" You may do at most {limit} of them." if limit is not None else ""
    return (
        "You change it with earthworks: each fills a box with rock or with air, both corners included. They are done "
        f"in the order of your list; a later one overrides an earlier one.{limited} Then rock that floats falls: rock "
        "that touches face to face is rigid, and a piece that nowhere reaches z = 0 drops straight down until it rests "
        "on something. Overhangs and bridges of connected rock hold."
    )


def _rain(n: int) -> str:
    c = n // 2
    return (
        "Then it rains, drop by drop, from the top: one drop on every column, then thousands at the centre "
        f"(columns ({c}, {c}), ({c + 1}, {c}), ({c}, {c + 1}) and ({c + 1}, {c + 1})), until no more water stays. A "
        "drop\n"
        "1. falls as long as there is air below it; one that starts inside rock can only leave sideways;\n"
        "2. else searches its level from where it is, through air and water, for the nearest voxel with air below, and "
        "goes down there;\n"
        "3. else is lost if its level is open at the sides of the world (a border column is never passed); a drop that "
        "reaches z = 0 is lost, too;\n"
        "4. else stays on its level as water, in the air voxel that is farthest along the search, so that pools fill "
        "from their far ends."
    )


def _form() -> str:
    return (
        'Answer with JSON: {"reasoning": "...", "earthworks": [{"xyzMin": [x, y, z], "xyzMax": [x, y, z], "material": '
        '"Rock" or "Air"}, ...]} with whole numbers. For example, a ring of rock that holds 9 voxels of water:\n'
        '{"reasoning": "a slab with a hole", "earthworks": ['
        '{"xyzMin": [2, 2, 3], "xyzMax": [6, 6, 3], "material": "Rock"}, '
        '{"xyzMin": [3, 3, 3], "xyzMax": [5, 5, 3], "material": "Air"}]}'
    )
