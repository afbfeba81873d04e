"""Tasks as Gymnasium environments, registered when this package is imported, if Gymnasium is installed.

>>> import gymnasium, spatial_workbench.environments
>>> environment = gymnasium.make("SpatialWorkbench/HyperSnake-v0", size="4,4")
>>> observation, info = environment.reset(seed=7)
>>> info["address"]
'hyper_snake@7?size=%224%2C4%22'

See docs/environments.md.

base                what the environments have in common: an instance, an answer that grows, and its verdict
cube                a scrambled Rubik's cube
fluid_earthworks    earthworks in a world of voxels, on which it rains after each of them
hyper_snake         a snake in a grid of 2 to 10 axes
lego_building       a dome of 2 x 4 bricks, built brick by brick on a lattice of studs
machine_editing     a machine that is edited block by block, and simulated at the end or after each edit
maze_drawing        a maze, drawn by giving heights to the cells of a grid
"""

from importlib.util import find_spec
from typing import Any

NAMESPACE = "SpatialWorkbench"
ENVIRONMENTS: dict[str, tuple[str, int | None, dict[str, Any]]] = {
    "Cube-v0": ("cube:Cube", 200, {}),
    "HyperSnake-v0": ("hyper_snake:HyperSnakeEnvironment", None, {}),
    "MazeDrawing-v0": ("maze_drawing:MazeDrawing", 1000, {}),
    "FluidEarthworks-v0": ("fluid_earthworks:FluidEarthworks", 32, {}),
    "LegoBuilding-v0": ("lego_building:LegoBuilding", 5000, {}),
    "MachineEditing-v0": ("machine_editing:MachineEditing", 50, {}),
    "MachineEditing-v1": ("machine_editing:MachineEditing", 50, {"edits": 40}),
}
"""By id, the module and class, after how many steps an episode is cut off (None: never), and default arguments."""


def register() -> None:
    """Registers the environments with Gymnasium, if it is installed."""
    if find_spec("gymnasium") is None:
        return
    import gymnasium

    for name, (place, max_steps, arguments) in ENVIRONMENTS.items():
        if f"{NAMESPACE}/{name}" not in gymnasium.registry:
            entry = f"{__name__}.{place}"
            gymnasium.register(f"{NAMESPACE}/{name}", entry, max_episode_steps=max_steps, kwargs=arguments)


register()
