"""What a solver is told."""

from spatial_workbench.engine.tasks.voxel_projection.answer import MAX_VOXELS
from spatial_workbench.engine.tasks.voxel_projection.grid import VoxelGrid, VoxelRule

_TEXT = """\
Fill exactly {count} cells of a grid of {n} x {n} x {n} cells.

A cell is [x, y, z] with whole numbers from 0 to {last}. Cell (0, 0, 0) is at the bottom left; the numbers grow to the \
right and upward.

The rules
1. Exactly {count} different cells are filled.
2. All three projections are full: seen along x, along y and along z, there is a filled cell behind each of the \
{square} places of the view.
3. The set has no symmetry: no rotation of the cube (by 90, 180 or 270 degrees about an axis through faces, 180 about \
one through edges, 120 or 240 about one through corners), no reflection and no combination of them, other than leaving \
it as it is, maps the set to itself. All of them keep the centre of the grid where it is.
{rule}
Answer with one JSON object, and no other fields than these (at most {most} voxels):
{{"reasoning": "how you arrived at the answer", "voxels": [{{"xyz": [x, y, z]}}, ...]}}
"""


def text(grid: VoxelGrid) -> str:
    """The prompt for a grid."""
    return _TEXT.format(
        n=grid.n, count=grid.count, last=grid.n - 1, square=grid.n**2, most=MAX_VOXELS, rule=_further(grid.rule)
    )


def _further(rule: VoxelRule) -> str:
    words = rule_words(rule)
    return f"4. {words}\n" if words else ""


def rule_words(rule: VoxelRule) -> str:
    """The further rule in words; empty if there is none."""
    sentences = []
    if rule.digit is not None:
        sentences.append(f"No filled cell has the digit {rule.digit} in the decimal number x + y + z.")
    if rule.modulus:
        values = ", ".join(map(str, rule.residues))
        sentences.append(f"Of no filled cell does x + y + z leave {values} when divided by {rule.modulus}.")
    sentences += [
        f"No cell from {list(box[:3])} to {list(box[3:])}, both ends included, is filled." for box in rule.boxes
    ]
    if rule.required:
        sentences.append(f"These cells are filled: {', '.join(str(list(cell)) for cell in rule.required)}.")
    return " ".join(sentences)
