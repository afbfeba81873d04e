"""What a solver is told of the cube."""

from spatial_workbench.engine.cube.letters import Scheme
from spatial_workbench.engine.cube.notation import QUARTER_TURNS

_COLOUR_WORDS = {"W": "white", "R": "red", "B": "blue", "O": "orange", "G": "green", "Y": "yellow"}

NET = """\
            U1 U2 U3
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


def goal() -> str:
    """What is to be done, and what the colours mean."""
    names = ["up", "left", "front", "right", "down", "back"]
    colours = [
        f"{face} ({name}) {_COLOUR_WORDS[colour]} ({colour})"
        for (face, colour), name in zip(Scheme.REFERENCE.colours.items(), names, strict=True)
    ]
    return (
        "A 3 x 3 x 3 Rubik's cube is scrambled. Solve it: bring it to the state in which each face has one colour. The "
        "centres never move, so a face is named by where its centre is. Colours of the centres: "
        f"{', '.join(colours)}."
    )


def net() -> str:
    """How the net is laid out."""
    return (
        "The unfolded cube, seen from outside, with the stickers of a face numbered row by row:\n\n"
        f"{NET}\n\n"
        "The back face B hangs below D: its row B1 B2 B3 touches D7 D8 D9 on the cube, and B7 B8 B9 touches U1 U2 U3."
    )


def moves() -> str:
    """The twelve moves."""
    return (
        f"The moves are the twelve quarter turns {', '.join(QUARTER_TURNS)}. A letter turns that face by 90 degrees "
        "clockwise for someone who looks straight at the face from outside; a prime (') turns it counter-clockwise. A "
        "half turn is two quarter turns."
    )


def symbolic(state: str) -> str:
    """The state as a string."""
    return (
        "The state is a string of 54 colour letters: the faces in the order U, L, F, R, D, B, each in the order 1 to 9 "
        f"of the net.\n\n{state}"
    )


def form() -> str:
    """The form of the answer."""
    return (
        "The moves are made in the order of your list. It ends at once when the cube is solved, and at the first entry "
        "that is not one of the twelve. The cube has to be solved then; how many moves you use does not matter, but "
        "fewer are better.\n\n"
        'Answer with JSON: {"moves": ["R", "U\'", ...]}. A field "reasoning" with text is allowed.'
    )


def looking_around(what: str) -> str:
    """The camera instructions of the tasks that show only part of the cube."""
    return (
        f"The picture shows {what}. The rest of the cube is seen by moving the camera: "
        "apply_view_transformation(direction) with up, down, left or right. It never turns the cube, costs nothing, "
        "and does not say what is in front afterwards. This setting is meant for a solver with tools, who looks, "
        "moves and looks again; the moves made are the answer."
    )
