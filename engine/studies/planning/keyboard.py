"""The tasks whose editors give a full answer by keys alone, as tests/editors/test_by_keys.py makes one in each.

The names stand here, and not in the editors, so that a study can be checked without loading any.
"""

from __future__ import annotations

from spatial_workbench.engine.core.instance import task_of_address
from spatial_workbench.engine.studies.planning.document import ItemKind, Study
from spatial_workbench.engine.studies.planning.slots import Slot

BY_KEYS = frozenset(
    {
        "classify_behaviour",
        "csg_union",
        "cube_face_view",
        "cube_full_symbolic",
        "cube_full_visual",
        "cube_vertex_view",
        "delaunay",
        "enumerate_edges",
        "fluid_simulation",
        "half_subdivision",
        "hamiltonian_loop",
        "hide_and_seek",
        "hyper_snake",
        "interlocking_parts",
        "lego_hemisphere",
        "machine_delivery",
        "machine_movement",
        "machine_pick",
        "machine_throw",
        "maze_3d",
        "pack_prisms",
        "pipe_loop",
        "polynomial_fit",
        "printable_prime",
        "puzzle_hunt",
        "shikaku",
        "terrain_levelling",
        "tetrahedra_shadow",
        "topology_enumeration",
        "two_segments",
        "voxel_projection",
    }
)


def by_pointer(study: Study) -> list[str]:
    """The addresses of items that need a pointer where they are answered in an editor."""
    in_editor = any(condition.answer == "editor" for condition in study.conditions.values())
    addresses = [item.address for item in study.items() if item.kind is ItemKind.INSTANCE]
    return [address for address in addresses if in_editor and task_of_address(address) not in BY_KEYS]


def by_pointer_in(study: Study, slot: Slot) -> list[str]:
    """The addresses of a slot's items that need a pointer in its conditions."""
    addresses = {item.id: item.address for item in study.items() if item.kind is ItemKind.INSTANCE}
    return [
        addresses[trial.item]
        for trial in slot.trials
        if study.conditions[trial.condition].answer == "editor"
        and trial.item in addresses
        and task_of_address(addresses[trial.item]) not in BY_KEYS
    ]
