"""What a solver of half_subdivision is told."""

from collections.abc import Iterator

from spatial_workbench.engine.tasks.half_subdivision.tree import Tree

LEAVES_IN_A_ROW = 12


def prompt_text(tree: Tree, rendering: str) -> str:
    """The prompt, with the leaves as an indented tree or as a list."""
    shape, contact = ("square", "a boundary piece of non-zero length") if tree.dimension == 2 else ("cube", "a face")
    only = "a corner" if tree.dimension == 2 else "an edge or a corner"
    shown = "\n".join(_rows(tree)) if rendering == "tree" else "\n".join(_flat(tree))
    what = "The tree (a star marks the leaves)" if rendering == "tree" else "The leaves, shortest labels first"
    return f"""A unit {shape} is halved again and again. Each node of a binary tree is a cell; a node that is not a \
leaf halves its cell along one axis. The axis depends on the depth only: at depth 0, 1, 2, ... it is, in this cycle, \
{", ".join(tree.cycle)}, and then from the start again.

A cell is named by the bits on its way from the root: bit 0 is the lower half along the axis, bit 1 the upper half.

{what}:
{shown}

Target: {tree.target}

List every leaf that shares {contact} with the target. Contact at {only} only does not count, and nothing wraps around \
at the outer boundary. The target itself is not listed.

Answer with JSON: {{"neighbors": ["0101", ...]}}, each label once, as a string, in any order.
"""


def _rows(tree: Tree) -> Iterator[str]:
    """The tree with branch characters, one node a line."""
    yield "root *" if tree.leaves == ("",) else "root"
    yield from _children(tree, "", "")


def _children(tree: Tree, label: str, indent: str) -> Iterator[str]:
    if label not in tree.inner:
        return
    for bit, branch, further in (("0", "├─ ", "│  "), ("1", "└─ ", "   ")):
        child = label + bit
        yield f"{indent}{branch}{child}{'' if child in tree.inner else ' *'}"
        yield from _children(tree, child, indent + further)


def _flat(tree: Tree) -> Iterator[str]:
    """The leaves, shortest first, several a row."""
    labels = sorted(tree.leaves, key=lambda label: (len(label), label))
    for start in range(0, len(labels), LEAVES_IN_A_ROW):
        yield " ".join(labels[start : start + LEAVES_IN_A_ROW])
