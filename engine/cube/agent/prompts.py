"""The first message to an agent."""

from __future__ import annotations

from spatial_workbench.engine.cube.agent.records import AgentKind, CubeSetting

_NET = """            U1 U2 U3
            U4 U5 U6
            U7 U8 U9
  L1 L2 L3  F1 F2 F3  R1 R2 R3
  L4 L5 L6  F4 F5 F6  R4 R5 R6
  L7 L8 L9  F7 F8 F9  R7 R8 R9
            D1 D2 D3
            D4 D5 D6
            D7 D8 D9
            B1 B2 B3
            B4 B5 B6
            B7 B8 B9"""
_SEES = {
    CubeSetting.FULL_SYMBOLIC: "a string of 54 colour letters: the faces U, L, F, R, D, B one after the other, each "
    "row by row as drawn in the net",
    CubeSetting.FULL_VISUAL: "an RGB picture of the whole net as it is drawn above",
    CubeSetting.FACE_VIEW: "an RGB picture of the one face that you look at; at the start it is F with U on top",
    CubeSetting.VERTEX_VIEW: "an RGB picture of the three faces around a corner, seen along its diagonal; at the start "
    "it is the corner of U, R and F",
}
_VIEW = """
- apply_view_transformation(direction) moves your viewpoint "up", "down", "left" or "right" around the cube, never \
the cube itself. It returns a text."""
_STANDARD = """
- StandardSolverTool(state) takes 54 face letters in the order of two-phase solvers (faces U, R, F, D, L, B, each \
row by row as seen from outside; for U the back edge is on top, for D the front edge, for B it is seen from behind \
with U on top) and returns moves that solve that state; X2 is a half turn."""
_IDEAL = """
- IdealSolverTool(state) takes 54 colour letters in the order of the net (U, L, F, R, D, B) and returns moves that \
solve that state; X2 is a half turn."""
_CODE = """Work in steps. In each step write a thought, then one block of Python:

```python
...
```

It is run, and you are shown what it printed and the value of its last expression. Names are kept from step to step. \
You may import math, random, itertools, functools, collections, heapq, time, json, copy, re, numpy and PIL. \
show(image) attaches a picture to what you are shown. The tools are plain functions:"""
_TOOLS = """Work in steps. In each step write a thought, then one call of a tool as JSON on the last line, such as
{"tool": "make_move", "arguments": {"moves": ["D'", "B", "B"]}}
make_move takes a list here, which is carried out in order until the cube is solved or an entry is not valid. The \
tools:"""


def first_message(setting: CubeSetting, agent: AgentKind, uses_code: bool, max_steps: int, minutes: float) -> str:
    """States the goal, the cube, the tools and the limits, but not the depth."""
    move = (
        "- make_move(move) makes one of the quarter turns F, F', B, B', L, L', R, R', U, U', D, D' (clockwise seen "
        "from outside; the prime turns back) and returns a reward, which may be 0 always. A half turn is two quarter "
        "turns."
    )
    look = f"- get_observation() returns {_SEES[setting]}."
    view = _VIEW if setting.is_partial else ""
    solver = {AgentKind.STANDARD_SOLVER: _STANDARD, AgentKind.IDEAL_SOLVER: _IDEAL}.get(agent, "")
    return f"""Solve a 3 x 3 x 3 Rubik's cube: bring it to the state in which every face has one colour.

The faces are named by where their centres are, and centres never move: U up, D down, L left, R right, F front, B \
back. Unfolded, with B below D:

{_NET}

The colours of the centres are O (U), B (L), R (F), Y (R), W (D), G (B).

{_CODE if uses_code else _TOOLS}
{move}
{look}{view}{solver}
- final_answer() ends the run, if you want to give up.

You have {max_steps} steps and {minutes:g} minutes. The run ends as soon as the cube is solved."""
