"""A machine that is edited block by block, and simulated after each edit or at the end of an episode.

Observation  "blocks": (max_blocks, 5): type, parent, face, second parent, second face; -1 where there is none.
             "positions": (max_blocks, 3) building points in metres; 0 for braces and springs, which have none.
             "pending": type, block and face of a brace or spring that was begun, else -1
Actions      (type * max_blocks + block) * FACES + face, the type by its place in `TYPES`: the block is added; after
             all of them, one action for each block: it is removed. A brace or spring takes two actions, for its first
             and its second end. An action is possible if the edit is legal and the level offers the type
Reward       the change of the score, which comes from the simulation: what the machine does, as a share of what the
             reference machine does. It is paid with the last edit, or after every edit if `edits` is None. With
             `outlook_s`, each edit before the last earns the change of the outlook, the score over that short time, and
             the last earns the rest: the sum of an episode's rewards is the change of the score in any case
End          the score is 1, no edit is possible, or as many edits as `edits` says were made

A simulation takes much longer than an edit, so only machines whose score is asked for are simulated, and none whose
outcome is known: the same machine, or one more brace within a rigid part of a machine on which nothing broke. With
`horizon_s`, each simulation is short, and the reference machine is measured over the same time.

In version 0 of the environment, `edits` is None by default, and 40 in version 1.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core import Instance, Verdict, task_of_address
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.machines.building.blocks import (
    BRACE,
    CONTAINER,
    ROOT,
    SPRING,
    Facing,
    block_types,
    constants,
)
from spatial_workbench.engine.machines.building.edits import Add, Command, Remove, apply_lines
from spatial_workbench.engine.machines.building.poses import PlacedFace, boxes_of, faces_of, kind_of, poses_of, turned
from spatial_workbench.engine.machines.building.tree import Link, MachineBlock, Tree, ends_of
from spatial_workbench.engine.machines.levels.level import write_level
from spatial_workbench.engine.physics.connections import only_strengthens
from spatial_workbench.engine.physics.machine_judging import simulate_and_score
from spatial_workbench.engine.physics.machine_results import simulated
from spatial_workbench.engine.tasks.machine import MachineAnswer
from spatial_workbench.engine.tasks.machine.task import level_of_instance
from spatial_workbench.environments.base import PICTURE, Mask, TaskEnvironment, spaces

TYPES = tuple(sorted(number for number in block_types() if number != ROOT))
FACES = max(len(kind.faces) for kind in block_types().values())
MAX_BLOCKS = 24
FAR_M = 1000.0
"""No machine is larger."""
_ROUNDING = 1e-9


class MachineEditing(TaskEnvironment):
    """See the module.

    Args:
        task: "machine_movement", "machine_throw", "machine_delivery" or "machine_pick"; unless the address tells.
        machine: The blocks that an episode begins with, as in an answer; None: the starting block alone.
        max_blocks: How large the machine can grow.
        horizon_s: How long is simulated after the power goes on, at most the level's own time; None: that time.
        edits: How many edits an episode has; it is judged after the last, and until then `info["verdict"]` is that of
            the machine it began with. None: every edit is judged.
        outlook_s: How long is simulated after the power goes on for the edits before the last, whose score is
            `info["outlook"]`; None: they are not simulated.
        difficulty: Arguments of the task's generator.
    """

    def __init__(
        self,
        address: str | None = None,
        task: str = "machine_movement",
        machine: Sequence[Mapping[str, int]] | None = None,
        max_blocks: int = MAX_BLOCKS,
        horizon_s: float | None = None,
        edits: int | None = None,
        outlook_s: float | None = None,
        render_mode: str | None = None,
        picture_size: tuple[int, int] = PICTURE,
        theme: str = "light",
        **difficulty: Any,
    ) -> None:
        task_id = task if address is None else task_of_address(address)
        if not task_id.startswith("machine_"):
            raise ValueError(f"“{task_id}” is no task about machines")
        for name, time_s in (("horizon_s", horizon_s), ("outlook_s", outlook_s)):
            if time_s is not None and not time_s > 0:
                raise ValueError(f"{name} is {time_s}; it has to be more than 0 s")
        if outlook_s is not None and edits is None:
            raise ValueError("outlook_s is for episodes with edits; without them every edit is judged")
        if edits is not None and edits < 1:
            raise ValueError(f"edits is {edits}; an episode has at least one")
        super().__init__(task_id, address, render_mode, picture_size, theme, difficulty)
        self._machine = machine
        self._horizon_s = horizon_s
        self._edits = edits
        self._outlook_s = outlook_s
        self._shortened: dict[float, tuple[str, Instance]] = {}
        self._judged: Tree | None = None
        self._looked_at: Tree | None = None
        self._outlook = 0.0
        self._outlook_before = 0.0
        self._score_before = 0.0
        self._paid = 0.0
        """The sum of the rewards of the episode."""
        self._mask: Mask | None = None
        self._max_blocks = max_blocks
        self._additions = len(TYPES) * max_blocks * FACES
        self.action_space = spaces.Discrete(self._additions + max_blocks)
        self.observation_space = spaces.Dict(
            blocks=spaces.Box(-1, 1000, (max_blocks, 5), np.int16),
            positions=spaces.Box(-FAR_M, FAR_M, (max_blocks, 3), np.float32),
            pending=spaces.Box(-1, 1000, (3,), np.int16),
        )

    def answer(self) -> MachineAnswer:
        return MachineAnswer.of(self._tree)

    def meaning(self, action: Any) -> str:
        """The edit command; of a brace or spring its first end, or the whole if that was begun."""
        return str(self._command(int(action)))

    def action_mask(self) -> Mask:
        if self._mask is None:
            mask = np.zeros(self._additions + self._max_blocks, np.int8)
            mask[list(self._possible())] = 1
            self._mask = mask
        return self._mask.copy()

    def _begin(self) -> None:
        given = self._machine
        answer: Any = self.task.empty(self.instance) if given is None else self.task.parse({"blocks": list(given)})
        tree = answer.reading.tree
        if tree is None:
            raise ValueError(answer.reading.faults[0].sentence)
        self._level = level_of_instance(self.instance)
        if len(tree) > self._max_blocks:
            raise ValueError(f"The machine has {len(tree)} blocks, and max_blocks is {self._max_blocks}")
        self._judged = None
        self._looked_at = None
        self._made = -1
        self._change(tree)

    def _change(self, tree: Tree, pending: Add | None = None) -> None:
        self._tree = tree
        self._pending = pending
        self._mask = None
        self._made += 1

    def _act(self, action: Any) -> str:
        if not self.action_mask()[action]:
            return f"“{self.meaning(action)}” is not possible now"
        command = self._command(int(action))
        if isinstance(command, Add) and block_types()[command.type].is_linear and command.second is None:
            self._change(self._tree, command)
            return ""
        edited = apply_lines(self._tree, [str(command)], self._level.size_limits)
        if edited.is_complete:
            self._change(edited.tree)
        return edited.steps[0].reason

    def _command(self, action: int) -> Command:
        if action >= self._additions:
            return Remove(action - self._additions)
        rest, face = divmod(action, FACES)
        place, block = divmod(rest, self._max_blocks)
        if self._pending is not None and self._pending.type == TYPES[place]:
            return Add(TYPES[place], self._pending.parent, self._pending.face, (block, face))
        return Add(TYPES[place], block, face)

    def _is_solved(self) -> bool:
        return self.verdict.score >= 1 or self._is_last

    @property
    def _is_last(self) -> bool:
        return self._edits is not None and self._made >= self._edits

    def _judge(self) -> None:
        is_first = self._judged is None
        is_due = is_first or self._edits is None or self._is_last or self._is_stuck()
        if is_due and self._tree != self._judged:
            if not self._moves_alike(self._judged, self._horizon_s):
                self._verdict = self.task.verify(self._measured(self._horizon_s), self.answer())
            self._judged = self._tree
        if self._outlook_s is not None and self._tree != self._looked_at:
            if not self._moves_alike(self._looked_at, self._outlook_s):
                self._outlook = self.task.verify(self._measured(self._outlook_s), self.answer()).score
            self._looked_at = self._tree
        if is_first:
            self._paid = 0.0
            self._score_before = self.verdict.score
            self._outlook_before = self._outlook

    def _moves_alike(self, earlier: Tree | None, time_s: float | None) -> bool:
        """Whether the machine surely does what an earlier one did: that has one brace less, and nothing broke."""
        if earlier is None or self._tree[:-1] != earlier:
            return False
        last = self._tree[-1]
        if not isinstance(last, Link) or not only_strengthens(self._tree, last):
            return False
        trace = simulated(earlier, level_of_instance(self._measured(time_s)))
        return not trace.breaks and not trace.fault

    def _reward(self, before: Verdict) -> float:
        if self._outlook_s is None:
            return super()._reward(before)
        is_over = self._is_solved() or self._is_stuck()
        gained = self._outlook - self._outlook_before
        reward = self.verdict.score - self._score_before - self._paid if is_over else gained
        self._outlook_before = self._outlook
        self._paid += reward
        return reward

    def _info(self, refusal: str) -> dict[str, Any]:
        info = super()._info(refusal)
        return info if self._outlook_s is None else info | {"outlook": self._outlook}

    def _measured(self, time_s: float | None) -> Instance:
        """The instance, or one that is simulated so long, at most as long as its level says."""
        if time_s is None:
            return self.instance
        address = self.instance.address
        known = self._shortened.get(time_s)
        if known is None or known[0] != address:
            reference = self.task.solve(self.instance).reading.tree
            short = replace(self._level, window_s=min(time_s, self._level.window_s), par=None)
            _, score = simulate_and_score(reference, short)
            world = write_level(replace(short, par=score.reward or None))
            known = address, replace(self.instance, parameters_json=json.dumps({"world": world}))
            self._shortened[time_s] = known
        return known[1]

    # What is possible --------------------------------------------------------------------------------------------

    def _possible(self) -> Iterator[int]:
        """The actions that lead to a legal machine."""
        poses = poses_of(self._tree)
        faces = faces_of(self._tree, poses)
        if self._pending is not None:
            kind = self._pending.type
            begun = self._pending.parent
            yield from (self._addition(kind, face) for face in faces if face.block != begun)
            return
        yield from (self._additions + block for block in self._leaves())
        if len(self._tree) < self._max_blocks:
            yield from self._links(faces)
            yield from self._blocks(faces, *boxes_of(self._tree, poses))

    def _addition(self, kind: int, face: PlacedFace) -> int:
        return (TYPES.index(kind) * self._max_blocks + face.block) * FACES + face.face

    def _leaves(self) -> list[int]:
        carrying = {parent for entry in self._tree for parent, _ in ends_of(entry)}
        return [entry.id for entry in self._tree[1:] if entry.id not in carrying]

    def _links(self, faces: list[PlacedFace]) -> Iterator[int]:
        if len({face.block for face in faces}) > 1:
            kinds = [kind for kind in (BRACE, SPRING) if kind in self._level.types]
            yield from (self._addition(kind, face) for kind in kinds for face in faces)

    def _blocks(self, faces: list[PlacedFace], low: Floats, high: Floats) -> Iterator[int]:
        """The blocks that fit on a vacant face, by the rules of `engine.machines.building.edits`, all at once."""
        used = {end for entry in self._tree if isinstance(entry, MachineBlock) for end in ends_of(entry)}
        vacant = [face for face in faces if (face.block, face.face) not in used]
        kinds = tuple(kind for kind in TYPES if kind in self._level.types and not block_types()[kind].is_linear)
        if not kinds or not vacant:
            return
        facings = [face.facing for face in vacant]
        sizes = np.array([[_box(kind, facing) for facing in facings] for kind in kinds]).reshape(-1, 2, 3)
        position = np.tile(np.array([face.position for face in vacant], float), (len(kinds), 1))
        centre, half = sizes[:, 0], sizes[:, 1]
        lowest, highest = position + centre - half, position + centre + half
        depth = np.minimum(high, highest[:, None]) - np.maximum(low, lowest[:, None])
        overlaps = (depth > constants()["limits"]["overlap_tolerance"] + _ROUNDING).all(axis=2)
        for place, face in enumerate(vacant):
            if self._is_container(face.block):
                overlaps[place :: len(vacant), face.block] = False
        extent = np.fmax(highest, np.nanmax(high, axis=0)) - np.fmin(lowest, np.nanmin(low, axis=0))
        fits = ~overlaps.any(axis=1) & (extent <= np.array(self._level.size_limits) + _ROUNDING).all(axis=1)
        places = np.array([face.block * FACES + face.face for face in vacant])
        starts = np.array([TYPES.index(kind) * self._max_blocks * FACES for kind in kinds])
        yield from (starts[:, None] + places).ravel()[fits].tolist()

    def _is_container(self, block: int) -> bool:
        return kind_of(self._tree[block]).number == CONTAINER

    # What is seen ------------------------------------------------------------------------------------------------

    def _observation(self) -> dict[str, NDArray[Any]]:
        blocks = np.full((self._max_blocks, 5), -1, np.int16)
        positions = np.zeros((self._max_blocks, 3), np.float32)
        for row, (entry, pose) in enumerate(zip(self._tree, poses_of(self._tree), strict=True)):
            if isinstance(entry, Link):
                blocks[row] = entry.type, entry.parent_a, entry.face_a, entry.parent_b, entry.face_b
            else:
                blocks[row, :3] = entry.type, entry.parent, entry.face
            if pose is not None:
                positions[row] = pose.position
        begun = self._pending
        pending = (-1, -1, -1) if begun is None else (begun.type, begun.parent, begun.face)
        return {"blocks": blocks, "positions": positions, "pending": np.array(pending, np.int16)}


@cache
def _box(kind: int, facing: Facing) -> Floats:
    """The centre and the half size of a block on a face, from the building point."""
    return np.array(turned(kind, facing).box, float)
