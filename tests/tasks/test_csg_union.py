"""The union of solids: the rules of docs/tasks/csg_union.md."""

import numpy as np
import pytest

from spatial_workbench.engine.core import AnswerError, Cancelled, InstanceError, State, task
from spatial_workbench.engine.core.scene import Mesh, Polygon
from spatial_workbench.engine.geometry.polyhedron import area, signed_volume
from spatial_workbench.engine.tasks.csg_union import Polyhedron, Solid, solids_of
from spatial_workbench.engine.tasks.csg_union.gate import GATE, PUBLISHED_GATE
from spatial_workbench.engine.tasks.csg_union.sampling import Samples, half_spaces
from spatial_workbench.engine.tasks.csg_union.solid_words import described
from spatial_workbench.engine.tasks.csg_union.solids import faces_of, manifold_of, plane_count, union_of
from tests.sweeps import few, some

TASK = task("csg_union")
INSTANCES = TASK.instances()
NUMBERS = range(22)
ROWS = task("csg_union").published_rows()
CUBE_FACES = ((3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))


def box(low, high, first=0, inwards=False):
    """Corners and faces of an axis-parallel box; vertices are counted from `first`."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    flat = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    faces = [[k + first for k in (face[::-1] if inwards else face)] for face in CUBE_FACES]
    return [(x, y, z) for z in (z0, z1) for x, y in flat], faces


def several(*boxes):
    """One polyhedron of several boxes, (low, high) or (low, high, inwards)."""
    vertices = []
    faces = []
    for arguments in boxes:
        more, loops = box(*arguments[:2], first=len(vertices), inwards=len(arguments) > 2)
        vertices = vertices + more
        faces = faces + loops
    return Polyhedron.of(vertices, faces)


def verdict(number, answer, verifier="default"):
    return TASK.verify(INSTANCES[number], answer, verifier)


def failed(result):
    """Name and message of the check that failed."""
    return next((check.name, check.message) for check in result.checks if check.state is State.FAILED)


def reference(number):
    return TASK.solve(INSTANCES[number])


def cube10(faces=CUBE_FACES, vertices=None):
    return Polyhedron.of(vertices or box((-5, -5, -5), (5, 5, 5))[0], faces)


# Published instances -------------------------------------------------------------------------------------------------


def test_there_are_22_published_instances():
    assert len(INSTANCES) == 22


@pytest.mark.parametrize("number", NUMBERS)
def test_the_union_has_the_documented_volume_area_corners_and_planes(number):
    row = ROWS[number]
    union = union_of(solids_of(INSTANCES[number]))
    vertices, faces = faces_of(union)
    assert union.volume() == pytest.approx(row["volume"], abs=6e-5)
    assert signed_volume(vertices, faces) == pytest.approx(union.volume(), rel=1e-9)
    assert area(vertices, faces) == pytest.approx(row["area"], abs=6e-5)
    assert (len(vertices), plane_count(union)) == (row["vertices"], row["faces"])


@pytest.mark.parametrize("number", NUMBERS)
def test_the_reference_solution_passes_every_check_and_scores_1(number):
    result = verdict(number, reference(number))
    assert result.passed
    assert result.figure("raw score") >= 0.999
    assert result.warnings == ()


@pytest.mark.parametrize("number", NUMBERS)
def test_the_reference_solution_passes_the_published_verifier(number):
    assert verdict(number, reference(number), "published").passed


@pytest.mark.parametrize("number", some(NUMBERS, 8))
def test_counted_points_agree_on_the_reference_solution(number):
    result = TASK.crosscheck(INSTANCES[number], reference(number))
    assert result.passed
    assert result.figure("volume of the union") == pytest.approx(
        ROWS[number]["volume"], abs=result.figure("three sigma")
    )
    assert result.figure("farthest vertex from the union's surface") == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("number", NUMBERS)
def test_trimesh_agrees_on_the_reference_solution(number):
    import trimesh

    from spatial_workbench.engine.geometry.polyhedron import triangles_of

    answer = reference(number)
    mesh = trimesh.Trimesh(answer.vertices, triangles_of(answer.vertices, answer.faces)[0], process=False)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.volume == pytest.approx(union_of(solids_of(INSTANCES[number])).volume(), rel=1e-9)
    assert mesh.area == pytest.approx(ROWS[number]["area"], abs=6e-5)


def test_the_gate_has_15_steps_and_the_published_one_12():
    assert len(GATE.names) == 15
    assert set(PUBLISHED_GATE.names) == set(GATE.names) - {"simple loops", "no faces cross", "shells wound right"}


# Score ---------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_published_box_around_the_sphere_gets_its_published_score():
    answer = several(((-8, -8, -8), (13, 8, 8)))
    assert verdict(16, answer).score == pytest.approx(0.5207559, abs=2e-4)
    assert verdict(16, answer).figure("raw score") > 0.5085 + 0.01


@pytest.mark.parametrize(
    ("number", "score"), [(0, 1), (3, 1), (15, 1), (17, 1), (1, 0.86), (2, 0.88), (4, 0.73), (5, 0.60)]
)
def test_the_bounding_box_is_enough_only_where_the_union_is_a_box(number, score):
    low, high = np.array(union_of(solids_of(INSTANCES[number])).bounding_box()).reshape(2, 3)
    assert verdict(number, several((low, high))).score == pytest.approx(score, abs=0.02)


def test_the_octagonal_prism_alone_scores_1_in_subtask_14():
    result = verdict(14, Polyhedron.of(*solids_of(INSTANCES[14])[0].shape))
    assert result.score == 1
    assert result.figure("raw score") == pytest.approx(0.9549, abs=1e-3)


@pytest.mark.parametrize(("number", "turn", "score"), [(13, 30, 0.910), (14, 22.5, 1), (11, 7.5, 1), (20, 7.5, 1)])
def test_a_polygon_turned_by_half_a_side_may_cost_the_full_score(number, turn, score):
    rows = INSTANCES[number].parameters["solids"]
    turned = tuple(Solid.of(row | ({"turn": [0, 0, turn]} if row["kind"] != "box" else {})) for row in rows)
    assert verdict(number, Polyhedron.of(*faces_of(union_of(turned)))).score == pytest.approx(score, abs=2e-3)


def test_what_is_missing_by_less_than_half_a_millimetre_costs_its_volume_but_no_more():
    result = verdict(3, several(((-10, -10, -10), (10, 10, 9.96))))
    assert result.figure("beyond 0.05 cm") == pytest.approx(0, abs=1e-9)
    assert result.figure("missing") == pytest.approx(16)


def test_a_box_apart_from_the_union_is_all_beyond():
    result = verdict(3, several(((-10, -10, -10), (10, 10, 10)), ((20, 0, 0), (22, 2, 2))))
    assert result.figure("beyond 0.05 cm") == pytest.approx(8)


def test_only_an_empty_intersection_scores_0_with_a_clean_gate():
    result = verdict(3, several(((20, 0, 0), (22, 2, 2))))
    assert result.score == 0
    assert failed(result)[0] == "volumes agree with the union"


@pytest.mark.slow
@pytest.mark.parametrize("number", [4, 8, 16])
def test_counted_points_agree_on_a_partial_answer(number):
    low, high = np.array(union_of(solids_of(INSTANCES[number])).bounding_box()).reshape(2, 3)
    answer = several((low, high))
    assert not verdict(number, answer).disagrees_with(TASK.crosscheck(INSTANCES[number], answer))


# Orientation and shells ----------------------------------------------------------------------------------------------


def test_faces_that_all_look_inwards_are_turned_over_with_a_note():
    answer = several(((-10, -10, -10), (10, 10, 10), True))
    result = verdict(3, answer)
    assert result.passed
    assert "look inwards" in result.warnings[0]
    assert not result.disagrees_with(TASK.crosscheck(INSTANCES[3], answer))


def test_a_far_vertex_that_no_face_names_does_not_blur_the_cross_check():
    vertices, faces = box((-11, -10, -10), (9, 10, 10))
    answer = Polyhedron.of([*vertices, (900, 850, 230)], faces)
    assert not verdict(3, answer).disagrees_with(TASK.crosscheck(INSTANCES[3], answer))


def test_a_far_shell_does_not_blur_the_cross_check():
    answer = several(((-10, -10, -10), (10, 10, 10)), ((40, 60, 60), (50, 70, 70)), ((-50, -60, 40), (-45, -55, 45)))
    assert verdict(3, answer).score == pytest.approx(0.9297, abs=1e-3)
    assert not verdict(3, answer).disagrees_with(TASK.crosscheck(INSTANCES[3], answer))


def test_the_cross_check_sees_that_a_tiny_shell_looks_inwards():
    answer = several(((-10, -10, -10), (10, 10, 10)), ((15, 0, 0), (15.01, 0.01, 0.01), True))
    assert failed(verdict(3, answer))[0] == "shells wound right"
    assert TASK.crosscheck(INSTANCES[3], answer).score == 0


HOLLOW = ((-10, -10, -10), (10, 10, 10)), ((-8, -8, -8), (8, 8, 8))


def test_a_cavity_has_to_look_into_the_hollow():
    assert verdict(21, several(HOLLOW[0], (*HOLLOW[1], True))).passed
    wrong = several(*HOLLOW)
    assert failed(verdict(21, wrong)) == ("shells wound right", "Cavity shell 1 is wound the wrong way")
    assert TASK.crosscheck(INSTANCES[21], wrong).score == 0
    assert verdict(21, wrong, "published").score < 1


def test_an_inverted_hollow_box_is_turned_over_as_a_whole():
    assert verdict(21, several((*HOLLOW[0], True), HOLLOW[1])).passed


def test_a_shell_beside_another_must_not_look_inwards():
    answer = several(((-5, -5, -5), (5, 5, 5)), ((10, -5, -5), (20, 5, 5.5), True))
    assert failed(verdict(2, answer))[0] in ("shells wound right", "encloses a volume")


def test_boxes_that_overlap_are_refused_but_not_by_the_published_verifier():
    answer = several(((-5, -5, -5), (5, 5, 5)), ((3, -5.5, -5.5), (13, 5.5, 5.5)))
    name, message = failed(verdict(0, answer))
    assert name == "no faces cross"
    assert "cross or touch" in message
    assert TASK.crosscheck(INSTANCES[0], answer).score == 0
    assert "no faces cross" not in [check.name for check in verdict(0, answer, "published").checks]


def test_boxes_that_touch_in_a_face_are_refused():
    answer = several(((-5, -5, -5), (5, 5, 5)), ((5, -4, -4), (15, 4, 4)))
    assert "cover each other" in failed(verdict(17, answer))[1]


# Bad input -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({}, "polyhedron is missing"),
        ({"polyhedron": {"faces": []}}, "polyhedron.vertex is missing"),
        ({"polyhedron": {"vertex": []}}, "polyhedron.faces is missing"),
        ({"polyhedron": {"vertex": [{"xyz": [0, 0]}], "faces": []}}, "Vertex 0 needs three coordinates"),
        ({"polyhedron": {"vertex": [{"xyz": [0, 0, "1"]}], "faces": []}}, "Vertex 0 has non-numeric coordinates"),
        ({"polyhedron": {"vertex": [{"xyz": [0, 0, True]}], "faces": []}}, "Vertex 0 has non-numeric coordinates"),
        ('{"polyhedron": {"vertex": [{"xyz": [0, 0, NaN]}], "faces": []}}', "Vertex 0 is not finite"),
        ('{"polyhedron": {"vertex": [{"xyz": [0, 0, 1e999]}], "faces": []}}', "Vertex 0 is not finite"),
        ({"polyhedron": {"vertex": [], "faces": [{"vertex": [0, 1, 2.0]}]}}, "Face 0 entry 2 is not an integer"),
        ({"polyhedron": {"vertex": [], "faces": [{"vertex": [True, 1, 2]}]}}, "Face 0 entry 0 is not an integer"),
        ({"polyhedron": {"vertex": [{}] * 20_001, "faces": []}}, "Too many vertices (limit 20000)"),
        ({"polyhedron": {"vertex": [], "faces": [{}] * 20_001}}, "Too many faces (limit 20000)"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(raw, words):
    with pytest.raises(AnswerError, match=words.replace("(", r"\(").replace(")", r"\)").replace("[", r"\[")):
        TASK.parse(raw)


CORNERS = box((-5, -5, -5), (5, 5, 5))[0]


@pytest.mark.parametrize(
    ("answer", "check", "words"),
    [
        (Polyhedron.of((), ()), "vertices and faces", "No vertices"),
        (Polyhedron.of(CORNERS, ()), "vertices and faces", "No faces"),
        (cube10((*CUBE_FACES, (0, 1))), "faces name their vertices", "Face 6 has 2 vertices"),
        (cube10((*CUBE_FACES, (0, 1, 8))), "faces name their vertices", "Face 6 names vertex 8; there are 0 to 7"),
        (cube10((*CUBE_FACES, (0, 1, -1))), "faces name their vertices", "Face 6 names vertex -1"),
        (cube10((*CUBE_FACES, (0, 1, 2, 1))), "faces name their vertices", "Face 6 repeats vertex 1; split"),
        (cube10(vertices=[*CORNERS, (5, 5, 5.0000004)]), "no vertex twice", "Vertices 6 and 8"),
        (cube10(vertices=[*CORNERS[:7], (1e300, 0, 0)]), "finite", "Vertex 7 is too far away"),
        (cube10(vertices=[*CORNERS, *((i / 7, i, 0) for i in range(20)), (0, 0, 900)]), "no outliers", "Vertex 28"),
        (cube10((*CUBE_FACES, (0, 8, 1)), [*CORNERS, (0, -5, -5)]), "no face without area", "Face 6 has no area"),
        (cube10(((0, 1, 2, 3), *CUBE_FACES[1:])), "winding agrees", "winding differs"),
        (cube10(CUBE_FACES[:5]), "watertight and manifold", "is open; 4 open edges in all"),
        (cube10((*CUBE_FACES, (1, 0, 6))), "winding agrees", "Faces 0, 6 go along edge 1-0 the same way"),
        (cube10(vertices=[*CORNERS[:7], (-5, 5, 5.1)]), "flat faces", "Face"),
        (Polyhedron.of(CORNERS[:3], [(0, 1, 2), (2, 1, 0)]), "encloses a volume", "enclose no volume"),
    ],
)  # fmt: skip
def test_what_the_gate_refuses_scores_0_and_is_named(answer, check, words):
    result = verdict(3, answer)
    assert result.score == 0
    assert failed(result)[0] == check
    assert words in failed(result)[1]
    assert TASK.crosscheck(INSTANCES[3], answer).score == 0


def test_an_edge_of_three_faces_is_named_with_them():
    fin = [(0, 0, 0), (3, 0, 0), (0, 3, 0), (0, 0, 3), (-3, -3, 1)]
    answer = Polyhedron.of(fin, [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2), (2, 3, 4)])
    assert failed(verdict(3, answer, "published"))[0] == "winding agrees"
    answer = Polyhedron.of(fin, [(0, 2, 1), (0, 1, 3), (1, 2, 3), (3, 0, 4)])
    assert failed(verdict(3, answer))[0] == "winding agrees"


def test_a_vertex_that_joins_two_parts_is_refused():
    corners, faces = box((5, 5, 5), (9, 9, 9), first=8)
    shared = [[6 if k == 8 else k - 1 for k in face] for face in faces]
    answer = Polyhedron.of([*box((0, 0, 0), (5, 5, 5))[0], *corners[1:]], [*CUBE_FACES, *shared])
    assert failed(verdict(3, answer)) == ("watertight and manifold", "Vertex 6 joins two separate parts")
    assert verdict(3, answer, "published").checks[8].state is State.PASSED


def test_a_loop_that_crosses_itself_is_refused():
    bow = [(0, 0, 0), (4, 4, 0), (4, 0, 0), (0, 5, 0)]
    vertices = bow + [(x, y, 3) for x, y, _ in bow]
    walls = [(i, (i + 1) % 4, 4 + (i + 1) % 4, 4 + i) for i in range(4)]
    answer = Polyhedron.of(vertices, [(3, 2, 1, 0), (4, 5, 6, 7), *walls])
    assert failed(verdict(3, answer))[0] == "simple loops"


@pytest.mark.parametrize("noise", [0.0, 2e-15, -2e-15, 1e-9])
def test_a_spike_along_its_own_edge_is_refused_whatever_the_last_digits_are(noise):
    spiked = [(3, 2, 1, 8, 0), CUBE_FACES[1], (0, 8, 1, 5, 4), *CUBE_FACES[3:]]
    answer = cube10(spiked, [*CORNERS, (-5.5, -5 - noise, -5)])
    assert failed(verdict(3, answer))[0] == "simple loops"


def test_vertices_that_nothing_needs_are_only_warned_of():
    bottom_split = [(3, 2, 1, 8, 0), CUBE_FACES[1], (0, 8, 1, 5, 4), *CUBE_FACES[3:]]
    answer = cube10(bottom_split, [*CORNERS, (0, -5, -5), (1, 2, 3)])
    assert verdict(3, answer).warnings == ("No face uses vertex 9", "No corner needs vertex 8, on a straight edge")


def test_the_published_verifier_measures_flatness_by_the_first_three_vertices():
    bent = [*CORNERS[:6], (5, 5, 5.015), CORNERS[7]]
    assert verdict(3, cube10(vertices=bent)).checks[10].state is State.PASSED
    assert verdict(3, cube10(vertices=bent), "published").checks[10].state is State.FAILED


def test_the_first_verdict_of_a_process_is_that_of_later_ones():
    """On a block with a tunnel that reaches its side, where the block's face closes it."""
    block = (-2.5, -2.5, -2.5), (6.5, 6.5, 2.5)
    tunnel = (2.775, 1.775, -0.125), (6.5, 2.225, 0.125)
    union_of.cache_clear()
    first, later = (verdict(15, several(block, (*tunnel, "inwards")), "published") for _ in range(2))
    assert first.figures == later.figures
    beyond = next(figure.value for figure in first.figures if figure.name == "beyond 0.05 cm")
    assert beyond == pytest.approx(0.35 * 0.15 * 3.675)


def test_a_verdict_never_changes_its_answer_and_is_the_same_each_time():
    answer = reference(4)
    before = answer.model_dump_json()
    first, second = (verdict(4, answer).model_copy(update={"elapsed_s": 0}) for _ in range(2))
    assert first == second
    assert answer.model_dump_json() == before


# Hostile answers -----------------------------------------------------------------------------------------------------


def tangle(count, seed=1):
    """Many tetrahedra that all go through each other."""
    corners = np.random.default_rng(seed).normal(size=(count, 4, 3)) * 5
    turned = np.linalg.det(corners[:, 1:] - corners[:, :1]) < 0
    corners[turned] = corners[turned][:, ::-1]
    loops = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])
    return Polyhedron.of(corners.reshape(-1, 3), (loops + 4 * np.arange(count)[:, None, None]).reshape(-1, 3))


@pytest.mark.slow
def test_20_000_faces_that_all_cross_are_refused_soon():
    name, message = failed(verdict(3, tangle(5000)))
    assert name == "no faces cross"
    assert "199 more" in message


@pytest.mark.slow
def test_thousands_of_needles_get_a_score_without_the_allowance_and_a_warning():
    corners = np.array([(0, 0, 0), (0.03, 0, 0), (0, 0.03, 0), (30, 30, 50)])
    loops = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])
    count = few(800, 1500)
    places = np.array([(i % 60 * 0.1, i // 60 * 0.1, 0) for i in range(count)])
    vertices = (places[:, None] + corners).reshape(-1, 3)
    needles = Polyhedron.of(vertices, (loops + 4 * np.arange(count)[:, None, None]).reshape(-1, 3))
    result = verdict(3, needles)
    assert result.score == 0
    assert "nothing was allowed" in result.warnings[-1]


def test_verification_can_be_given_up():
    def give_up(done, total, text=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        TASK.verify(INSTANCES[3], tangle(20), progress=give_up)


# Solids, prompt, generator, scene ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "solid",
    [
        Solid("box", (3, 4, 5), (1, 2, 3), (0, 0, 30)),
        Solid("prism", (5, 4, 6), (0, 1, 0), (90, 0, 0)),
        Solid("cone", (24, 8, 15)),
        Solid("wedge", (10, 8, 6), (10, 0, 0), (15, 0, 0)),
        Solid("tetrahedron", points=((0, 0, 15), (8.16, 0, 5), (-4.08, 7.07, 5), (-4.08, -7.07, 5))),
        Solid("sphere24", (8,)),
    ],
    ids=lambda solid: solid.kind,
)
def test_the_half_spaces_of_a_solid_touch_all_its_corners(solid):
    rows = half_spaces(solid)
    room = (rows[:, 3] - solid.corners @ rows[:, :3].T) / np.linalg.norm(rows[:, :3], axis=1)
    assert room.min() == pytest.approx(0, abs=1e-9)
    assert (np.abs(room) < 1e-9).sum(axis=1).min() >= 3
    assert len(solid.shape[1]) == len(rows)


def test_the_faceted_sphere_has_flat_caps_and_its_volume():
    sphere = Solid("sphere24", (8,))
    assert sphere.corners[:, 2].max() == pytest.approx(7.9316, abs=1e-4)
    assert manifold_of(sphere).volume() == pytest.approx(2084.1997, abs=1e-4)


def test_counted_points_see_what_winds_twice():
    answer = several(((-5, -5, -5), (5, 5, 5)), ((-4, -4, -4), (6, 6, 6)))
    from spatial_workbench.engine.geometry.polyhedron import triangles_of

    solids = solids_of(INSTANCES[0])
    samples = Samples.taken(solids, answer.vertices, triangles_of(answer.vertices, answer.faces)[0], lambda *_: None)
    assert samples.odd[0][0] == 2


def test_a_solid_is_described_with_its_turn_and_place():
    words = described(Solid("prism", (24, 5, 20), (1, 0, 0), (0, 90, 0)))
    assert words.startswith("A right prism over a regular 24-gon of circumradius 5, height 20 along Z")
    assert words.endswith("turned by 90° about Y, then moved by (1, 0, 0).")


def test_the_prompt_states_phase_facets_and_an_example():
    text = TASK.prompt(INSTANCES[20]).text
    assert "first corner is on the solid's own +X axis" in text
    assert "12 rings of 24 vertices" in text
    assert TASK.parse(text[text.index('{"polyhedron"') : text.index("\n\nRules")]).polyhedron
    assert text == TASK.prompt(INSTANCES[20]).text


@pytest.mark.parametrize("seed", range(4))
def test_a_generated_union_is_solved_by_the_reference_and_equal_for_equal_seeds(seed):
    instance = TASK.generate(seed, solids=4, curved=1, turns="fifteen", most_faces=200)
    assert TASK.verify(instance, TASK.solve(instance)).passed
    assert TASK.generate(seed, solids=4, curved=1, turns="fifteen", most_faces=200) == instance


def test_a_ring_and_a_cavity_can_be_asked_for():
    ring = TASK.generate(1, ring=True)
    assert len(TASK.solve(ring).faces) > ring.parameters["faces"]
    hollow = TASK.generate(1, solids=6, cavity=True)
    assert TASK.verify(hollow, TASK.solve(hollow)).passed


def test_wishes_that_contradict_each_other_are_refused():
    with pytest.raises(InstanceError, match="takes 6 solids"):
        TASK.generate(1, cavity=True)
    with pytest.raises(InstanceError, match="more curved solids"):
        TASK.generate(1, solids=2, curved=3)


def test_the_scene_names_faces_and_shows_what_is_missing_and_too_much():
    answer = several(((-5, -5, -5), (6, 6, 6)))
    scene = TASK.scene(INSTANCES[0], answer, verdict(0, answer))
    assert isinstance(scene.item("face 5"), Polygon)
    assert isinstance(scene.item("missing"), Mesh)
    assert isinstance(scene.item("excess"), Mesh)


def test_so_many_faces_are_drawn_as_one_piece_but_those_that_a_check_names():
    answer = tangle(300)
    names = [item.name for item in TASK.scene(INSTANCES[3], answer, verdict(3, answer)).items]
    assert "faces" in names
    assert 2 <= sum(name.startswith("face ") for name in names) <= 400


def test_the_scene_survives_an_answer_that_makes_no_sense():
    answer = cube10((*CUBE_FACES, (0, 1, 99), (2,)), [*CORNERS[:7], (1e300, 0, 0)])
    assert TASK.scene(INSTANCES[0], answer, verdict(0, answer)).items
