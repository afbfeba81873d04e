"""The string formats of a state, and the exact conversions between them.

The environment's order of faces is U L F R D B, with B below D; the solvers' is U R F D L B, with B seen from behind
and up on top. So besides the order of the faces, the two differ in B, which is turned by 180 degrees.
"""

from spatial_workbench.engine.cube.geometry import ENV_OF_SOLVER, SOLVER_OF_ENV
from spatial_workbench.engine.cube.letters import ColourLetter, Colours, Faces, Scheme, SolverString

CENTRES = (4, 13, 22, 31, 40, 49)
"""The positions of the centres of U, L, F, R, D, B in the environment's order."""


def solver_of_faces(state: Faces) -> SolverString:
    """The solver's string of a state given by face letters in the environment's order."""
    return SolverString("".join(state[i] for i in ENV_OF_SOLVER))


def faces_of_solver(state: SolverString) -> Faces:
    """The environment's face letters of a solver's string."""
    return Faces("".join(state[i] for i in SOLVER_OF_ENV))


def faces_of_colours(state: Colours) -> Faces:
    """Face letters for colours: each colour stands for the face whose centre has it.

    Raises:
        KeyError: A colour occurs that no centre has.
    """
    face_of = dict(zip((state[i] for i in CENTRES), "ULFRDB", strict=True))
    return Faces("".join(face_of[letter] for letter in state))


def colours_of_faces(state: Faces, scheme: Scheme = Scheme.REFERENCE) -> Colours:
    """Colours for face letters, by a scheme."""
    table: dict[str, ColourLetter] = {str(face): colour for face, colour in scheme.colours.items()}
    return Colours("".join(table[letter] for letter in state))


def solver_of_colours(state: Colours) -> SolverString:
    """The solver's string of an environment's string of colours."""
    return solver_of_faces(faces_of_colours(state))


def colours_of_solver(state: SolverString, scheme: Scheme = Scheme.REFERENCE) -> Colours:
    """The environment's colours of a solver's string."""
    return colours_of_faces(faces_of_solver(state), scheme)
