"""The cube: models, notation, validity, rewards, views, pictures, solvers, certified states.

    agent          agents on the cube: the environment with its tools, steps in code or by tool calls
    coordinates    a state as six small numbers, each with a table of how the 18 moves change it
    cubebench      the published results
    cubies         a state as pieces; products and inverses in the group
    facelets       a state as a string of 54 letters; `apply_move`, `apply_moves`, `apply_moves_to_many`, `is_solved`
    geometry       27 cubelets with coordinates, and the tables that follow: labels, turns, pieces, symmetries
    kernels        the optimal solver's compiled loops
    layers         all states up to six moves from the solved cube, as a table for looking up a state's distance
    letters        face and colour letters, schemes, the three kinds of string
    notation       `parse_moves`, `as_quarter_turn`, `inverse`, `quarter_turns`
    optimal        `shortest_solution`, exact up to thirteen moves
    patterns       how many moves the corners alone need: a lower bound for the whole cube
    pictures       net, face and corner as arrays and PNG
    rewards        the four rewards, the layer-by-layer steps
    states         `certified_states`, `split_for_tests`, `depth_of`, `make_state`
    stored         arrays that take a while to compute and are stored in the user's cache
    strings        conversions between the environment's and the solver's order, colours and faces
    symmetry       the 48 symmetries and the inverse
    two_phase      `solve_two_phase`, with the optional package kociemba
    validity       `fault_of`, `faces_of`: whether a string is a cube, and why not
    views          face and vertex views, `transform`

The rules in full: docs/cube.md.
"""
