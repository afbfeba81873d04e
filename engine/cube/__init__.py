"""The cube: models, notation, validity, rewards, views, pictures, solvers, certified states.

    letters      face and colour letters, schemes, the three kinds of string
    geometry     27 cubelets with coordinates, and the tables that follow: labels, turns, pieces, symmetries
    facelets     a state as a string of 54 letters; `apply_move`, `apply_moves`, `apply_moves_to_many`, `is_solved`
    cubies       a state as pieces; products and inverses in the group
    strings      conversions between the environment's and the solver's order, colours and faces
    notation     `parse_moves`, `as_quarter_turn`, `inverse`, `quarter_turns`
    validity     `fault_of`, `faces_of`: whether a string is a cube, and why not
    rewards      the four rewards, the layer-by-layer steps
    views        face and vertex views, `transform`
    pictures     net, face and corner as arrays and PNG
    two_phase    `solve_two_phase`, with the optional package kociemba
    optimal      `shortest_solution`, exact up to thirteen moves
    states       `certified_states`, `split_for_tests`, `depth_of`, `make_state`
    symmetry     the 48 symmetries and the inverse
    cubebench    the published results

The rules in full: docs/cube.md.
"""
