"""Rays and winding numbers by plain loops, compiled. Import it inside functions only."""

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.geometry.compiled import entry

Floats = NDArray[np.float64]

NEAR = 1e-9
_ON_EDGE = 1e-9


@entry("float64[2]", "float64[2]", "float64[3]")
def first_hits(origins: Floats, directions: Floats, corners: Floats) -> Floats:
    """How far each ray (n, 3) goes to its first triangle of (m, 3, 3): (n,), infinity if it meets none.

    Rays through an edge or a vertex meet the triangles there.
    """
    reached = np.full(len(origins), np.inf)
    for t in range(len(corners)):
        a, b, c = corners[t, 0], corners[t, 1], corners[t, 2]
        ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
        for i in range(len(origins)):
            dx, dy, dz = directions[i, 0], directions[i, 1], directions[i, 2]
            px, py, pz = dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx
            det = ux * px + uy * py + uz * pz
            if abs(det) < 1e-12:
                continue
            sx, sy, sz = origins[i, 0] - a[0], origins[i, 1] - a[1], origins[i, 2] - a[2]
            first = (sx * px + sy * py + sz * pz) / det
            if first < -_ON_EDGE or first > 1 + _ON_EDGE:
                continue
            qx, qy, qz = sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux
            second = (dx * qx + dy * qy + dz * qz) / det
            if second < -_ON_EDGE or first + second > 1 + _ON_EDGE:
                continue
            distance = (vx * qx + vy * qy + vz * qz) / det
            if NEAR < distance < reached[i]:
                reached[i] = distance
    return reached


@entry("float64[2]", "float64[3]")
def winding_numbers(points: Floats, corners: Floats) -> NDArray[np.int64]:
    """The winding numbers (n,) of triangles (m, 3, 3) around points (n, 3), counted along upward rays.

    The points must be sorted by x, and none may lie exactly below an edge (random points never do).
    """
    windings = np.zeros(len(points), np.int64)
    xs = points[:, 0]
    for t in range(len(corners)):
        a, b, c = corners[t, 0], corners[t, 1], corners[t, 2]
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if area == 0.0:
            continue
        start = np.searchsorted(xs, min(a[0], b[0], c[0]))
        end = np.searchsorted(xs, max(a[0], b[0], c[0]), side="right")
        for i in range(start, end):
            x, y = points[i, 0], points[i, 1]
            wa = ((b[0] - x) * (c[1] - y) - (b[1] - y) * (c[0] - x)) / area
            wb = ((c[0] - x) * (a[1] - y) - (c[1] - y) * (a[0] - x)) / area
            wc = 1.0 - wa - wb
            if wa >= 0 and wb >= 0 and wc >= 0 and wa * a[2] + wb * b[2] + wc * c[2] > points[i, 2]:
                windings[i] += 1 if area > 0 else -1
    return windings


@entry("float64[3]", "int64", "float64[1]", "int64[1]", "float64[2]")
def crossings(corners: Floats, axis: int, origin: Floats, shape: NDArray[np.int64], table: Floats) -> int:
    """Where triangles (m, 3, 3) cut lines along an axis, 1 mm apart: rows (line, depth) into `table`.

    Lines run through origin + (i, j) in the two other axes, in order; line i, j has the number i * shape[1] + j.
    Returns how many crossings there are; those that do not fit into `table` are only counted.
    """
    u, v = (axis + 1) % 3, (axis + 2) % 3
    count = 0
    for t in range(len(corners)):
        a, b, c = corners[t, 0], corners[t, 1], corners[t, 2]
        area = (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u])
        if area == 0.0:
            continue
        u_first = max(0, int(np.ceil(min(a[u], b[u], c[u]) - origin[0])))
        u_last = min(shape[0] - 1, int(np.floor(max(a[u], b[u], c[u]) - origin[0])))
        v_first = max(0, int(np.ceil(min(a[v], b[v], c[v]) - origin[1])))
        v_last = min(shape[1] - 1, int(np.floor(max(a[v], b[v], c[v]) - origin[1])))
        for i in range(u_first, u_last + 1):
            x = origin[0] + i
            for j in range(v_first, v_last + 1):
                y = origin[1] + j
                wa = ((b[u] - x) * (c[v] - y) - (b[v] - y) * (c[u] - x)) / area
                wb = ((c[u] - x) * (a[v] - y) - (c[v] - y) * (a[u] - x)) / area
                wc = 1.0 - wa - wb
                if wa >= 0 and wb >= 0 and wc >= 0:
                    if count < len(table):
                        table[count, 0] = i * shape[1] + j
                        table[count, 1] = wa * a[axis] + wb * b[axis] + wc * c[axis]
                    count += 1
    return count


@entry("float64[1]", "float64[1]", "float64[1]", "int64[1]", "float64[2]")
def doubly_claimed(lines: Floats, starts: Floats, ends: Floats, owners: NDArray[np.int64], claimed: Floats) -> None:
    """Adds the lengths that two owners' intervals share to claimed[first, second]; sorted by line, then start."""
    for i in range(len(lines)):
        j = i + 1
        while j < len(lines) and lines[j] == lines[i] and starts[j] < ends[i]:
            if owners[i] != owners[j]:
                first, second = min(owners[i], owners[j]), max(owners[i], owners[j])
                claimed[first, second] += min(ends[i], ends[j]) - starts[j]
            j += 1
