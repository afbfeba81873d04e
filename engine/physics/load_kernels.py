"""The compiled loops over the parts, blocks and connections of a machine, from which loads follow.

Import this inside functions only: numba takes a while to load. All in the engine's frame: right-handed, z up. Arrays of
s steps have them as their first axis; there are p parts, e connections, n blocks (in the order of the bodies' trees), b
bodies and l links.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.geometry.compiled import compiled, entry

Array = NDArray[Any]
Arrays = tuple[Array, ...]

_FLOATS = ("", "float64[1]", "float64[2]", "float64[3]", "float64[4]")
_NUMBERS = "int64[1]"
PARTS = (_FLOATS[3], _NUMBERS, _FLOATS[2], _NUMBERS, _FLOATS[3], _NUMBERS)
EDGES = (_NUMBERS, _NUMBERS, _NUMBERS, _FLOATS[2], _FLOATS[3], _NUMBERS, _FLOATS[3])
ROWS = (_NUMBERS, _NUMBERS, _NUMBERS, _NUMBERS)
LINKS = (_NUMBERS, "int64[2]", _FLOATS[3], _FLOATS[3])
ACTING = (_FLOATS[2], _FLOATS[2], _FLOATS[2])


@compiled
def cross(a: Array, b: Array, out: Array) -> None:
    """The cross product of two vectors."""
    x = a[1] * b[2] - a[2] * b[1]
    y = a[2] * b[0] - a[0] * b[2]
    z = a[0] * b[1] - a[1] * b[0]
    out[0], out[1], out[2] = x, y, z


@compiled
def apply(matrix: Array, vector: Array, out: Array) -> None:
    """A matrix (k, m) times a vector (m,)."""
    for i in range(matrix.shape[0]):
        total = 0.0
        for j in range(matrix.shape[1]):
            total += matrix[i, j] * vector[j]
        out[i] = total


@compiled
def apply_back(matrix: Array, vector: Array, out: Array) -> None:
    """The transposed matrix (3, 3) times a vector (3,)."""
    for i in range(3):
        out[i] = matrix[0, i] * vector[0] + matrix[1, i] * vector[1] + matrix[2, i] * vector[2]


@compiled
def turned_by(rotation: Array, axes: Array, out: Array) -> None:
    """The rotation matrix of a quaternion, times axes (3, 3)."""
    x, y, z, w = rotation[0], rotation[1], rotation[2], rotation[3]
    for j in range(3):
        a, b, c = axes[0, j], axes[1, j], axes[2, j]
        out[0, j] = (1 - 2 * (y * y + z * z)) * a + 2 * (x * y - z * w) * b + 2 * (x * z + y * w) * c
        out[1, j] = 2 * (x * y + z * w) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - x * w) * c
        out[2, j] = 2 * (x * z - y * w) * a + 2 * (y * z + x * w) * b + (1 - 2 * (x * x + y * y)) * c


@compiled
def turn_part(angular: Array, spin: Array, out: Array) -> None:
    """The matrix that tells how a point's acceleration grows with its place: of the turning that starts, and of that
    which lasts.
    """
    square = spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]
    for i in range(3):
        for j in range(3):
            out[i, j] = spin[i] * spin[j] - (square if i == j else 0.0)
    out[0, 1] -= angular[2]
    out[1, 0] += angular[2]
    out[0, 2] += angular[1]
    out[2, 0] -= angular[1]
    out[1, 2] -= angular[0]
    out[2, 1] += angular[0]


@compiled
def speed_of_slide(now: Array, turned: Array, pivot: Array, part: int, above: int, out: Array) -> None:
    """How fast the pivot of a part moves past the part above; `now` (p, 13) as in `accelerate`."""
    arm = np.empty(3)
    moved = np.empty(3)
    apply(turned, pivot, arm)
    cross(now[part, 10:], arm, moved)
    for i in range(3):
        out[i] = now[part, 7 + i] + moved[i] - now[above, 7 + i]
        arm[i] += now[part, i] - now[above, i]
    cross(now[above, 10:], arm, moved)
    for i in range(3):
        out[i] -= moved[i]


@compiled
def accelerate(
    parts: Arrays, old: Array, new: Array, rate: float, turned: Array, linear: Array, turning: Array
) -> None:
    """How the parts were accelerated in a step, at the pose with which it began.

    The engine computes accelerations there, and adds them to the velocities of the bases and joints. The same is done
    here: the new velocities of the joints are carried back to that pose.

    Args:
        parts: As in `bear`.
        old, new: (p, 13) origin, rotation, velocity and spin of the parts before and after.
        turned: (p, 3, 3) is filled with their axes before.
        linear: (p, 3) is filled with the accelerations of their origins, m/s².
        turning: (p, 3, 3) is filled with what tells the acceleration of other points, 1/s²; see `turn_part`.
    """
    axes, above, pivots, slides = parts[0], parts[1], parts[2], parts[3]
    count = len(above)
    angular = np.empty((count, 3))
    turned_new = np.empty((3, 3))
    local, carried, arm, moved, gained, before, after = np.empty((7, 3))
    for p in range(count):
        turned_by(old[p, 3:7], axes[p], turned[p])
        a = above[p]
        if a < 0:
            for i in range(3):
                angular[p, i] = rate * (new[p, 10 + i] - old[p, 10 + i])
                linear[p, i] = rate * (new[p, 7 + i] - old[p, 7 + i])
            turn_part(angular[p], old[p, 10:], turning[p])
            continue
        turned_by(new[p, 3:7], axes[p], turned_new)
        before[:] = old[p, 10:] - old[a, 10:]
        after[:] = new[p, 10:] - new[a, 10:]
        apply_back(turned_new, after, local)
        apply(turned[p], local, carried)
        cross(old[a, 10:], before, moved)
        for i in range(3):
            angular[p, i] = angular[a, i] + rate * (carried[i] - before[i]) + moved[i]
        turn_part(angular[p], old[p, 10:], turning[p])
        apply(turned[p], pivots[p], carried)
        for i in range(3):
            arm[i] = old[p, i] + carried[i] - old[a, i]
        apply(turning[a], arm, moved)
        apply(turning[p], carried, gained)
        for i in range(3):
            linear[p, i] = linear[a, i] + moved[i] - gained[i]
        if slides[p]:
            speed_of_slide(old, turned[p], pivots[p], p, a, before)
            speed_of_slide(new, turned_new, pivots[p], p, a, after)
            apply_back(turned_new, after, local)
            apply(turned[p], local, carried)
            cross(old[a, 10:], before, moved)
            for i in range(3):
                linear[p, i] += rate * (carried[i] - before[i]) + 2 * moved[i]


@compiled
def nearest_block(links: Arrays, link: int, origin: Array, turned: Array, point: Array) -> int:
    """The block of a link whose box is nearest to a point (3,) in the world; of equally near ones the first."""
    blocks, centers, halves = links[1], links[2], links[3]
    x, y, z = point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]
    nearest = blocks[link, 0]
    least = np.inf
    for k in range(blocks.shape[1]):
        if blocks[link, k] < 0:
            break
        distance = 0.0
        for i in range(3):
            along = turned[0, i] * x + turned[1, i] * y + turned[2, i] * z
            gap = max(abs(along - centers[link, k, i]) - halves[link, k, i], 0.0)
            distance += gap * gap
        if distance < least:
            least = distance
            nearest = blocks[link, k]
    return int(nearest)


@compiled
def take_off(needed: Array, row: int, force: Array, point: Array) -> None:
    """Takes a force at a point of a block off what it needs."""
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        needed[row + 1, i] -= force[i]
        needed[row + 1, 3 + i] -= point[j] * force[k] - point[k] * force[j]


@compiled
def take_off_holds(
    holds: Array, step: int, parts: Arrays, row_of: Array, old: Array, turned: Array, needed: Array
) -> None:
    """Takes off what the engine's constraints exert in a step."""
    place, force, torque, local = np.empty((4, 3))
    for k in range(len(holds)):
        if holds[k, 0] != step:
            continue
        row = row_of[int(holds[k, 1])]
        part = int(holds[k, 2])
        first = int(holds[k, 3])
        sign = holds[k, 4]
        # The torque is told along the axes of the engine's link.
        apply_back(parts[0][first], holds[k, 11:14], local)
        apply(turned[first], local, torque)
        apply(turned[part], holds[k, 5:8], place)
        for i in range(3):
            place[i] += old[part, i]
            force[i] = sign * holds[k, 8 + i]
            needed[row + 1, 3 + i] -= sign * torque[i]
        take_off(needed, row, force, place)


@compiled
def share_rests(rolling: Array, edges: Arrays, body_of: Array, rests: Array, beyond: Array) -> None:
    """Gives what the bodies lacked to the blocks that roll, by how hard these press: (n,) in N."""
    pressed = np.zeros(len(rests))
    for row in range(len(rolling)):
        pressed[body_of[row]] += rolling[row]
    for row in range(len(rolling)):
        if rolling[row] == 0:
            continue
        share = rolling[row] / pressed[body_of[row]]
        for e in range(len(beyond)):
            if edges[0][e] <= row < edges[1][e]:
                for i in range(6):
                    beyond[e, i] -= share * rests[body_of[row], i]


@compiled
def load_edge(edges: Arrays, e: int, wrench: Array, old: Array, turned: Array, causes: Array, out: Array) -> None:
    """What a connection bears, from the force and the torque about the world's origin that all beyond it needs."""
    part = edges[2][e]
    axes, place, within = turned[part], edges[3][e], edges[4][e]
    x, y, z = wrench[0], wrench[1], wrench[2]
    p = old[part, 0] + axes[0, 0] * place[0] + axes[0, 1] * place[1] + axes[0, 2] * place[2]
    q = old[part, 1] + axes[1, 0] * place[0] + axes[1, 1] * place[1] + axes[1, 2] * place[2]
    r = old[part, 2] + axes[2, 0] * place[0] + axes[2, 1] * place[1] + axes[2, 2] * place[2]
    a = wrench[3] - (q * z - r * y)
    b = wrench[4] - (r * x - p * z)
    c = wrench[5] - (p * y - q * x)
    for i in range(3):
        out[i] = axes[0, i] * x + axes[1, i] * y + axes[2, i] * z
        out[3 + i] = axes[0, i] * a + axes[1, i] * b + axes[2, i] * c
    for i in range(6):
        total = 0.0
        for j in range(12):
            total += within[i, j] * causes[part, j]
        out[i] += total


@compiled
def need_of_parts(
    parts: Arrays, old: Array, turned: Array, linear: Array, turning: Array, causes: Array, needed: Array
) -> None:
    """Adds what accelerates each part to its first block, and fills `causes` (p, 12): the acceleration of the origin,
    less gravity, and `turning`, along the part's axes.
    """
    whole, roots = parts[4], parts[5]
    force, torque, moved = np.empty((3, 3))
    local = np.empty(6)
    half = np.empty((3, 3))
    for p in range(len(roots)):
        apply_back(turned[p], linear[p], causes[p, :3])
        for j in range(3):
            for k in range(3):
                half[k, j] = 0.0
                for m in range(3):
                    half[k, j] += turning[p, k, m] * turned[p, m, j]
        for i in range(3):
            apply_back(half, turned[p, :, i], causes[p, 3 + 3 * i : 6 + 3 * i])
        apply(whole[p], causes[p], local)
        apply(turned[p], local[:3], force)
        apply(turned[p], local[3:], torque)
        cross(old[p, :3], force, moved)
        for i in range(3):
            needed[roots[p] + 1, i] += force[i]
            needed[roots[p] + 1, 3 + i] += torque[i] + moved[i]


@entry(PARTS, EDGES, ROWS, LINKS, _FLOATS[3], ACTING, "float64", "float64")
def bear(
    parts: Arrays,
    edges: Arrays,
    rows: Arrays,
    links: Arrays,
    values: Array,
    acting: Arrays,
    gravity: float,
    rate: float,
) -> tuple[Array, Array]:
    """What connections bore in s steps: the force and torque that accelerate all beyond, less what acts on it.

    Args:
        parts: (p, 3, 3) the axes of the parts in the engine's links, as columns; (p,) the part above or -1; (p, 3)
            pivots of joints; (p,) whether these slide; (p, 6, 12) what acceleration takes, see `loads`; (p,) the rows
            of their first blocks.
        edges: (e,) the first row beyond each connection, and the one after the last; (e,) its part; (e, 3) its point
            there; (e, 6, 12) what accelerating the blocks of this part beyond it takes; numbers of those at joints, and
            (.., 6, 6) what of their load the joint bears.
        rows: The row of each block; (n,) the body of each row; (b,) where the rows of each body begin and end.
        links: (l,) the part of each, (l, m) its blocks or -1, and (l, m, 3) the centres and half sizes of their boxes.
        values: (s + 1, p, 13) origin, rotation, velocity and spin of the parts, before each step and after the last.
        acting: (.., 9) contacts: step, link, point, force, and how hard it presses if it rolls; (.., 8) forces: step,
            block, force, point; (.., 14) constraints: step, block, its part, the part whose link's axes the torque has,
            sign, place in the part, force, torque.
        gravity: In m/s², upwards negative.
        rate: Steps a second.

    Returns: loads (s, e, 6) on what is beyond, where the two blocks meet, along the axes of the part beyond; and
        (s, b, 6) what each body lacked.
    """
    touches, forces, holds = acting
    row_of, body_of, starts, ends = rows
    first, end = edges[0], edges[1]
    steps = len(values) - 1
    count = len(parts[1])
    loads = np.empty((steps, len(first), 6))
    rests = np.empty((steps, len(starts), 6))
    turned, turning = np.empty((2, count, 3, 3))
    linear = np.empty((count, 3))
    causes = np.empty((count, 12))
    needed = np.empty((len(body_of) + 1, 6))
    rolling = np.zeros(len(body_of))
    beyond = np.empty((len(first), 6))
    carried = np.empty(6)
    touch, push = 0, 0
    for step in range(steps):
        old = values[step]
        accelerate(parts, old, values[step + 1], rate, turned, linear, turning)
        linear[:, 2] -= gravity
        needed[:] = 0.0
        need_of_parts(parts, old, turned, linear, turning, causes, needed)
        has_rolling = False
        while touch < len(touches) and touches[touch, 0] == step:
            link = int(touches[touch, 1])
            part = links[0][link]
            point = touches[touch, 2:5]
            row = row_of[nearest_block(links, link, old[part, :3], turned[part], point)]
            take_off(needed, row, touches[touch, 5:8], point)
            if touches[touch, 8] > 0:
                rolling[row] += touches[touch, 8]
                has_rolling = True
            touch += 1
        while push < len(forces) and forces[push, 0] == step:
            take_off(needed, row_of[int(forces[push, 1])], forces[push, 2:5], forces[push, 5:8])
            push += 1
        if len(holds):
            take_off_holds(holds, step, parts, row_of, old, turned, needed)
        for row in range(len(body_of)):
            for i in range(6):
                needed[row + 1, i] += needed[row, i]
        for i in range(6):
            for body in range(len(starts)):
                rests[step, body, i] = needed[ends[body], i] - needed[starts[body], i]
            for e in range(len(first)):
                beyond[e, i] = needed[end[e], i] - needed[first[e], i]
        if has_rolling:
            share_rests(rolling, edges, body_of, rests[step], beyond)
            rolling[:] = 0.0
        for e in range(len(first)):
            load_edge(edges, e, beyond[e], old, turned, causes, loads[step, e])
        for k in range(len(edges[5])):
            e = edges[5][k]
            apply(edges[6][k], loads[step, e], carried)
            loads[step, e] = carried
    return loads, rests


@entry(_FLOATS[3], _NUMBERS, _FLOATS[3], _NUMBERS, _FLOATS[2], _FLOATS[1])
def average(
    measured: Array, connections: Array, loads: Array, waiting: Array, limits: Array, peaks: Array
) -> tuple[int, float, float, float]:
    """Adds loads, averages them over as many steps as `measured` has and one more, and finds the worst overload.

    Args:
        measured: (m, count, 6) the last loads of all connections, which are replaced by newer ones.
        connections: (k,) the connections that loads (s, k, 6) are of.
        waiting: (count,) how many steps are missing before the first average of each; decreased.
        limits: (count, 2) the largest force and torque of each.
        peaks: (count,) the largest share of its limits that each bore; increased.

    Returns: connection, force, torque, and share of its limits; the connection is -1 if no share is above 1.
    """
    steps, count = len(loads), measured.shape[1]
    window = len(measured) + 1
    recent = np.zeros((window - 1 + steps, count, 6))
    recent[: window - 1] = measured
    for step in range(steps):
        for k in range(len(connections)):
            recent[window - 1 + step, connections[k]] = loads[step, k]
    measured[:] = recent[steps:]
    sums = np.zeros((count, 6))
    for step in range(window):
        sums += recent[step]
    worst, most, most_force, most_torque = -1, 1.0, 0.0, 0.0
    for step in range(steps):
        if step:
            sums += recent[window + step - 1] - recent[step - 1]
        for c in range(count):
            if step < waiting[c]:
                continue
            x, y, z = sums[c, 0] / window, sums[c, 1] / window, sums[c, 2] / window
            force = np.sqrt(x * x + y * y + z * z)
            x, y, z = sums[c, 3] / window, sums[c, 4] / window, sums[c, 5] / window
            torque = np.sqrt(x * x + y * y + z * z)
            share = max(force / limits[c, 0], torque / limits[c, 1])
            if share > peaks[c]:
                peaks[c] = share
            if share > most:
                worst, most, most_force, most_torque = c, share, force, torque
    for c in range(count):
        waiting[c] = max(waiting[c] - steps, 0)
    return worst, most_force, most_torque, most
