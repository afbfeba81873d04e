"""Draws a small picture of a machine in a background process; free of Qt."""

from __future__ import annotations

from spatial_workbench.engine.core import Progress, Scene, silent

PICTURE_PX = (160, 112)


def picture(rows: list[dict[str, int]], theme_name: str, progress: Progress = silent) -> bytes:
    """A small picture of a machine, as PNG; drawn without a screen, in a process for pictures.

    Raises:
        NoRenderer: No OpenGL driver works here.
    """
    from spatial_workbench.engine.core.formats.png import png
    from spatial_workbench.engine.machines.building.tree import read_tree
    from spatial_workbench.engine.tasks.machine.drawing import machine_items
    from spatial_workbench.widgets.render3d.picture import render_scene
    from spatial_workbench.widgets.theme import THEMES

    tree = read_tree(rows).tree
    assert tree is not None
    return png(render_scene(Scene(items=tuple(machine_items(tree))), PICTURE_PX, THEMES[theme_name], samples=4))
