"""The texts that the roles of a workflow are told, in parts (docs/machines.md)."""

WORLD = """\
You take part in the design of machines. A machine is built from standard blocks, set down in a level, and simulated \
under gravity (9.81 m/s²) with rigid bodies, friction, motors, springs, and connections that break; energy and \
momentum are kept as in nature. The machine's middle is put over x = z = 0, and its lowest block on the ground. It \
rests for a second before motors and springs get their power."""

POSITIONS_FORMAT = """\
A machine is a list of blocks by their place, the starting block first:
{"type": T, "Position": [x, y, z], "Rotation": [x, y, z, w]} is a block; Position is its building point, Rotation a \
quaternion;
{"type": T, "Position": [x, y, z], "Rotation": [0, 0, 0, 1], "end-position": [x, y, z]} is a linear block (types 7 \
and 9); its end-position counts from its Position.
The building point lies in the middle of a vacant face of another block, and the rotation is that of a block on this \
face. The id of a block is its place in the list, counted from 0."""

WORKING_PARTS = """\
Make sure that the parts that do the work look the right way: a wheel, rotating block, spring or container that is \
turned does nothing, or the opposite."""

ONE_ANSWER = """\
Think first, inside <cot> tags. Then describe your idea in at most 300 words, naming the types it needs as \
`necessary_blocks [type, type, ...]`. Then give the machine as one fenced block:"""

PLANNING = """\
You plan the machine; others build it. Work in this order: find the functions that the task needs; find the \
structures that have these functions; choose the types of block for each structure; put the structures into an order \
in which they can be built, each on what is there already, beginning with the starting block.

Use existing types only. Plan as few structures as will do, each of at most three types, and nothing that the task \
does not need."""

PLAN_FORM = """\
Answer with this object:
```json
{"definition": "what the machine is and does",
 "function_points": ["a function that the machine needs", ...],
 "design_structure": [{"function_name": "a structure", "description": "what it looks like and how it works",
                       "related_function_points": ["a function that it serves", ...]}, ...],
 "build_order": ["the structure that is built first", ...],
 "machine_structure": {"a structure": {"block_id": [type, ...], "guidance": "..."}, ...}}
```"""

PLAIN_GUIDANCE = "The guidance says why these types serve the structure, and how it is connected to the others."

DETAILED_GUIDANCE = """\
The guidance is an instruction block by block: which type goes on which face of which block, in which order, and why."""

BUILDING_RULES = """\
Build what you are asked for. Keep the machine that is there as it is, and add to it. Use only the types listed \
above; if you leave out one, say why. Avoid overlap: work out where each block ends before you place the next one. \
Use as few blocks as will do.

Write your plan in one sentence, then the whole machine as one fenced block:"""

INSPECTION_FORM = """\
You inspect a machine before it is simulated for the first time. Answer in these sections:
<Three-Dimensional Perception of the World>
Whether the frame is left- or right-handed, what its axes mean, and the six blocks that reach farthest to the right, \
left, up, down, forward and back, with their centres.
</Three-Dimensional Perception of the World>
<Question Answer>
1. Which parts can move, and which forces act on them and come from them?
2. Which other parts have a special purpose, and do they serve it?
3. Does the machine stay in balance under gravity?
4. How does the machine move as a whole, and which blocks make no sense where they are?
</Question Answer>
<Summary of Design Defects>
Each defect in a sentence, with the ids of its blocks in square brackets, such as [3, 5]; [] if there is none.
</Summary of Design Defects>"""

INFORMATION_FORM = """\
<Give 3D Info>
True or False: whether whoever mends the machine should be given the 3D information.
</Give 3D Info>"""

AT_START = "The machine starts at rest on the ground and looks towards z+, where its target is."

EDITS = """\
Machines are changed by commands, one a line, with numbers in square brackets:
Add [type] to [parent] in [face]
Add [type] to [parent_a] in [face_a] to [parent_b] in [face_b]    (types 7 and 9 only)
Remove [id]
Move [id] to [new_parent] in [new_face]
- All ids are those of the machine as it is given, from the first line to the last. Blocks that you add have no id \
yet, so nothing can be put on them in the same list.
- A face has to exist, and to be vacant unless a linear block goes there.
- Only a block that carries nothing, not even an end of a linear block, can be removed; the starting block never.
- Move takes along all that hangs on the block; the new parent has a lower id than the block. Linear blocks cannot \
be moved: remove them and add them anew.
- After each line the rules of space are checked. The first line that fails makes the whole list fail."""

REFINING = """\
Answer in these sections:
<Thought Process>
What is wrong, and what would mend it.
</Thought Process>
<Modification Description>
What you change, and why.
</Modification Description>
<Simulation Prediction After Modification>
{prediction}
</Simulation Prediction After Modification>"""

BLIND_PREDICTION = "How the changed machine will move."

GROUP_PREDICTION = "How each group of blocks that is rigid in itself will move within 10 s."

STEPS_FORM = """\
<Modification Steps>
The commands, one a line, nothing else.
</Modification Steps>"""

QUERYING = """\
A machine was simulated. Before somebody improves it, you choose what else its simulation should report: whatever \
shows why the machine does what it does. Gravity loads joints and motors before the power goes on: see whether parts \
sag, and whether motors can lift what hangs on them.

Answer in these sections:
<Thought Process>
What you want to find out.
</Thought Process>"""

QUERY_FORM = """\
<Required Feedback>
[{{"id": 3, "duration": [0, 1.5], "properties": ["position", "rotation", "velocity"]}},
 {{"id": 12, "duration": [0, {window:g}], "properties": ["length"]}}]
</Required Feedback>
`duration` is [start, end] in seconds, from 0 to {window:g}; samples are {sample:g} s apart. `length` is for linear \
blocks, the other properties are for all others. A block's samples end when it breaks."""
