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
machine_editing     a machine that is edited block by block, and simulated after each edit
maze_drawing        a maze, drawn by giving heights to the cells of a grid
"""

from importlib.util import find_spec

NAMESPACE = "SpatialWorkbench"
ENVIRONMENTS = {
    "Cube-v0": ("cube:Cube", 200),
    "HyperSnake-v0": ("hyper_snake:HyperSnakeEnvironment", None),
    "MazeDrawing-v0": ("maze_drawing:MazeDrawing", 1000),
    "FluidEarthworks-v0": ("fluid_earthworks:FluidEarthworks", 32),
    "LegoBuilding-v0": ("lego_building:LegoBuilding", 5000),
    "MachineEditing-v0": ("machine_editing:MachineEditing", 50),
}
"""By id, the module and class, and after how many steps an episode is cut off; None: never."""


def register() -> None:
    """Registers the environments with Gymnasium, if it is installed."""
    if find_spec("gymnasium") is None:
        return
    import gymnasium

    for name, (place, max_steps) in ENVIRONMENTS.items():
        if f"{NAMESPACE}/{name}" not in gymnasium.registry:
            gymnasium.register(f"{NAMESPACE}/{name}", f"{__name__}.{place}", max_episode_steps=max_steps)


register()
