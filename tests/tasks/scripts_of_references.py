"""Reference solutions as calls of commands, by the address of an instance."""

from spatial_workbench.engine.core.acting.retelling import retold

_SHORT = {"lego_hemisphere:0": 8, "fluid_simulation:0": 10, "tetrahedra_shadow:0": 12}
"""References of which the first so many calls are enough."""
_ADDRESSES = (
    *("lego_hemisphere:0", "pack_prisms:0", "voxel_projection:0", "fluid_simulation:0", "maze_3d:0", "hyper_snake:0"),
    *("shikaku:0", "cube_full_symbolic:3", "cube_vertex_view:3", "terrain_levelling:0", "printable_prime:0"),
    *("polynomial_fit:0", "classify_behaviour:0", "enumerate_edges:0", "two_segments:0", "delaunay:0"),
    *("hamiltonian_loop:1", "pipe_loop:1", "hide_and_seek:0", "tetrahedra_shadow:0", "csg_union:0"),
    *("interlocking_parts:0", "topology_enumeration:0", "half_subdivision:0", "machine_movement:0", "puzzle_hunt:0"),
)


def _script(address, task, instance):
    (told,) = retold(task, instance, [task.solve(instance)])
    assert told.is_exact
    return list(told.calls[: _SHORT.get(address)])


SCRIPTS = {address: (lambda task, instance, of=address: _script(of, task, instance)) for address in _ADDRESSES}
"""Makes the list of calls from the task and the instance."""
