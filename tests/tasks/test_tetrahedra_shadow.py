"""Tetrahedra shadow: the rules of docs/tasks/tetrahedra_shadow.md."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, Polygon, box

from spatial_workbench.engine.core import InstanceError, State, task
from spatial_workbench.engine.core.progress import silent
from spatial_workbench.engine.core.scene import Mesh
from spatial_workbench.engine.tasks.tetrahedra_shadow import Tetrahedra, target_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.answer import pieces_at, poses_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.collisions import collisions, collisions_with
from spatial_workbench.engine.tasks.tetrahedra_shadow.crosscheck import judge as judge_by_cells
from spatial_workbench.engine.tasks.tetrahedra_shadow.drawing import without_holes
from spatial_workbench.engine.tasks.tetrahedra_shadow.overlap import adding_nothing, common_volume
from spatial_workbench.engine.tasks.tetrahedra_shadow.presets import arranged, outline_of, pose_of, presets, stacked
from spatial_workbench.engine.tasks.tetrahedra_shadow.shadow import fit_of, grown, shadows_of, swept, union_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import CORNERS, multiplied, rotations, vertices_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.solver import cover

TASK = task("tetrahedra_shadow")
NUMBERS = range(20)
AREAS = (
    16, 12.558104, 32, 6.928203, 10.392305, 12, 8, 7, 7, 9.418578,
    9.510565, 4.702282, 6.279052, 6.279052, 8, 8, 6, 11.313708, 4, 2,
)  # fmt: skip
UP, DOWN = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)
H, K = 0.8660254, 1.7320508


def stack(*places):
    """Pieces (x, y, quaternion) at z = 0, 1, 2, ..., as plain data."""
    return [
        {"x": x, "y": y, "z": z, "q0": q[0], "q1": q[1], "q2": q[2], "q3": q[3]} for z, (x, y, q) in enumerate(places)
    ]


def row(q, y, first, last):
    return [(x, y, q) for x in np.arange(first, last + 0.5)]


def verdict_on(number, pieces, verifier="default"):
    return TASK.verify(TASK.instances()[number], {"tetrahedrons": pieces}, verifier)


def crosschecked(number, pieces):
    return TASK.crosscheck(TASK.instances()[number], {"tetrahedrons": pieces})


def states(verdict):
    return [check.state for check in verdict.checks]


# Published instances -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", NUMBERS)
def test_the_published_target_has_the_area_of_the_table(number):
    assert target_of(TASK.instances()[number]).area == pytest.approx(AREAS[number], abs=1e-6)


def test_there_are_20_published_targets_with_their_divisors():
    divisors = [instance.parameters["divisor"] for instance in TASK.instances()]
    assert divisors == [1, 0.9, 1, 1, 1, *[0.6] * 6, 0.4, *[0.6] * 8]


@pytest.mark.parametrize("number", NUMBERS)
def test_the_reference_is_better_than_0_95_raw_and_all_verifiers_agree(number):
    instance = TASK.instances()[number]
    answer = TASK.solve(instance)
    verdict = TASK.verify(instance, answer)
    assert verdict.passed
    assert verdict.figure("raw") > 0.98
    assert not verdict.disagrees_with(TASK.crosscheck(instance, answer), TASK.score_tolerance)
    assert TASK.verify(instance, answer, "published").score > 0.99
    assert verdict.figure("adding nothing") == 0


def test_the_square_is_covered_exactly_by_36_square_shadows():
    verdict = TASK.verify(TASK.instances()[0], TASK.solve(TASK.instances()[0]))
    assert (verdict.figure("tetrahedra"), verdict.figure("raw")) == (36, pytest.approx(1, abs=1e-12))


def test_equal_parameters_give_equal_prompts_that_name_every_rule():
    first, second = (TASK.prompt(TASK.instances()[k]).text for k in (8, 8))
    assert first == second
    for words in ("(-2, -2), (2, -2), (2, -1)", "scalar part q0", "0.05", "divided by 0.6", "of no use", "half of the"):
        assert words in first


# Published answers ---------------------------------------------------------------------------------------------------

DISC = [
    *row(UP, K, -1, 0), *row(UP, H, -2.5, 1.5), *row(UP, 0, -2, 1), *row(UP, -H, -2.5, 1.5), *row(UP, -K, -2, 1),
    (-0.5, -3 * H, UP), (0.5, 3 * H, DOWN),
    *row(DOWN, K, -1, 2), *row(DOWN, H, -1.5, 2.5), *row(DOWN, 0, -1, 2), *row(DOWN, -H, -1.5, 2.5),
    (0, -K, DOWN), (1, -K, DOWN),
]  # fmt: skip
A, C, D = 0.1339746, 0.5257311, 0.8506508
LEFT, RIGHT = (C, 0.0, 0.0, -D), (C, 0.0, 0.0, D)
TRAPEZOID = [
    *row(UP, -1, -2, 1), *row(DOWN, -A, -0.5, 1.5), *row(UP, -A, -1.5, 0.5),
    (0, 0.7320508, DOWN), (1, 0.7320508, DOWN), (0, 1, DOWN), (1, 1, DOWN), (-0.5, A, UP),
    (-1.5527864, -0.1055728, LEFT), (-1.1055728, 0.7888544, LEFT), (-1, 1, LEFT),
    (2, -1, RIGHT), (1.5527864, -0.1055728, RIGHT), (1.4472136, 0.1055728, RIGHT),
]  # fmt: skip


def test_the_published_disc_of_42_pieces_keeps_its_published_score():
    verdict = verdict_on(1, stack(*DISC), "published")
    assert len(DISC) == 42
    assert verdict.figure("raw") == pytest.approx(0.8980260 * 0.9, abs=2e-6)
    assert verdict.score == pytest.approx(0.8980273, abs=2e-6)


def test_the_same_disc_by_plain_areas():
    verdict = verdict_on(1, stack(*DISC))
    assert verdict.figure("coverage") == pytest.approx(1, abs=1e-6)
    assert verdict.figure("mismatch") == pytest.approx(0.3868, abs=1e-4)
    assert verdict.figure("raw") == pytest.approx(0.8066, abs=1e-4)
    assert verdict.score == pytest.approx(0.8962, abs=1e-4)


def test_the_published_trapezoid_was_taken_for_intersecting_but_is_not():
    honest = verdict_on(16, stack(*TRAPEZOID))
    published = verdict_on(16, stack(*TRAPEZOID), "published")
    assert len(TRAPEZOID) == 21
    assert honest.score == 1
    assert honest.details["intersecting"] == []
    assert published.figure("raw") == pytest.approx(0.9894552, abs=2e-6)
    assert published.figure("score if taken for intersecting") == pytest.approx(0.8245483, abs=1e-5)
    assert "turns pieces wrongly" in published.warnings[0]


def test_three_rings_of_54_triangles_cover_the_disc():
    rings = [(24, 1.6, 0, 216), (18, 1.1, 10, 90), (12, 0.6, 0, 0)]
    poses = []
    for count, radius, start, turn in rings:
        for angle in start + 360 / count * np.arange(count):
            pose = pose_of("triangle", 0, 0, turn + angle)
            middle = vertices_of(pose[None])[0, :3, :2].mean(axis=0)
            place = radius * np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
            pose[:2] = place - middle
            pose[2] = 2 * len(poses)
            poses.append(pose)
    answer = Tetrahedra(tetrahedrons=pieces_at(np.array(poses)))
    verdict = TASK.verify(TASK.instances()[1], answer, "published")
    assert TASK.verify(TASK.instances()[1], answer).score == 1
    assert verdict.figure("raw") == pytest.approx(0.898, abs=1e-3)
    assert verdict.score == pytest.approx(0.998, abs=1e-3)


# Shadows and areas ---------------------------------------------------------------------------------------------------


def test_a_tetrahedron_on_its_face_shades_a_triangle_of_side_1():
    shadow = shadows_of(CORNERS[None])[0]
    assert shadow.area == pytest.approx(math.sqrt(3) / 4)


def test_the_square_preset_is_the_quaternion_of_the_paper_and_shades_a_square():
    assert presets()["square"].quaternion == pytest.approx((0.8204732, 0.4247082, 0.1759199, 0.3398511), abs=1e-7)
    shadow = shadows_of(vertices_of(pose_of("square", 2, 3)[None]))[0]
    side = math.sqrt(0.5)
    assert shadow.symmetric_difference(box(2, 3, 2 + side, 3 + side)).area == pytest.approx(0, abs=1e-12)


def test_the_wedge_preset_stands_on_an_edge_and_shades_a_flat_triangle():
    corners = outline_of("wedge")
    assert Polygon(corners).area == pytest.approx(0.5 * math.sqrt(0.5))
    assert np.ptp(vertices_of(pose_of("wedge", 0, 0)[None])[0, :, 2]) == pytest.approx(1)


def test_a_perfect_cover_scores_0_9901_with_the_published_heights():
    instance = TASK.instances()[3]
    verdict = TASK.verify(instance, TASK.solve(instance), "published")
    assert verdict.score == pytest.approx(0.990099, abs=1e-5)


def test_growing_by_a_square_is_exact():
    assert grown(box(0, 0, 1, 2), 0.5).area == pytest.approx(6)
    diamond = Polygon([(1, 0), (0, 1), (-1, 0), (0, -1)])
    assert grown(diamond, 0.5).area == pytest.approx(2 + 4 * 1.0 + 1)
    assert swept(Point(0, 0).buffer(1), (0, 0), (0, 3)).area == pytest.approx(Point(0, 0).buffer(1).area + 6)


def test_growing_keeps_holes_that_are_wide_enough():
    frame = box(0, 0, 3, 3).difference(box(1, 1, 2, 2))
    assert grown(frame, 0.25).area == pytest.approx(3.5**2 - 0.5**2)


def test_overshoot_within_0_05_is_forgiven_and_more_costs_half():
    target = target_of(TASK.instances()[0])
    near, far = (fit_of(target, box(-2, -2, 2 + out, 2)) for out in (0.05, 0.3))
    assert near.raw() == pytest.approx(1)
    assert far.raw() == pytest.approx(1 - 0.5 * 4 * 0.25 / 16)


def test_gaps_narrower_than_0_1_cost_only_themselves():
    target = target_of(TASK.instances()[0])
    narrow, wide = (
        fit_of(target, box(-2, -2, 2, 2).difference(box(-gap / 2, -3, gap / 2, 3))).raw() for gap in (0.1, 0.5)
    )
    assert narrow == pytest.approx(1 - 0.4 / 16)
    assert wide == pytest.approx(1 - 2 / 16 - 0.5 * 1.6 / 16)


PLACES = st.tuples(*[st.floats(-1.5, 1.5)] * 2, st.floats(0, 360), st.sampled_from(sorted(presets())))


@pytest.mark.slow
@given(st.lists(PLACES, min_size=1, max_size=6))
@settings(max_examples=12, deadline=None)
def test_areas_agree_with_counted_cells(places):
    poses = stacked(np.array([pose_of(name, x, y, turn) for x, y, turn, name in places]))
    answer = Tetrahedra(tetrahedrons=pieces_at(poses))
    verdict, other = (judge(TASK.instances()[9], answer) for judge in (TASK.verify, TASK.crosscheck))
    assert not verdict.disagrees_with(other, TASK.score_tolerance)


def test_pieces_far_away_are_counted_by_both_methods():
    pieces = stack((0, 0, UP), (0.5, 1, UP), (1e5, 0, UP))
    assert verdict_on(19, pieces).score == pytest.approx(crosschecked(19, pieces).score, abs=TASK.score_tolerance)


def test_shadows_that_overlap_across_the_border_of_the_cells_are_counted_once_by_the_crosscheck():
    target = target_of(TASK.instances()[19])
    right = target.bounds[2]
    poses = np.array([(right + x, 0, z, *UP) for x, z in ((1.9, 0), (2.1, 1))])
    _, counted, _ = judge_by_cells(target, poses, silent)
    shaded = union_of(shadows_of(vertices_of(poses))).area
    assert counted.mismatch == pytest.approx(counted.target + shaded, abs=0.01)


@pytest.mark.parametrize("seed", [0, 4, 28])
def test_the_solvers_cover_has_the_full_score_although_the_divisor_is_rounded(seed):
    instance = TASK.generate(seed)
    for judge in (TASK.verify, TASK.crosscheck):
        assert judge(instance, TASK.solve(instance)).score == pytest.approx(1, abs=TASK.score_tolerance)
    assert TASK.verify(instance, TASK.solve(instance)).passed


def test_of_a_published_target_the_divisor_is_exact():
    assert target_of(TASK.instances()[0]).rounded_by == 0


# Rotations and intersections -----------------------------------------------------------------------------------------

QUATERNIONS = st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: sum(v * v for v in q) > 0.1)


@given(QUATERNIONS, QUATERNIONS)
def test_the_matrix_of_a_product_is_the_product_of_the_matrices(first, second):
    a, b = (np.array(q) / np.linalg.norm(q) for q in (first, second))
    assert rotations(multiplied(a, b))[0] == pytest.approx(rotations(a[None])[0] @ rotations(b[None])[0], abs=1e-9)


@given(QUATERNIONS)
def test_a_rotation_keeps_all_edges_at_length_1(q):
    corners = vertices_of(np.array([[0.3, -2, 1, *q]]))[0]
    lengths = [np.linalg.norm(corners[i] - corners[j]) for i in range(4) for j in range(i)]
    assert lengths == pytest.approx([1] * 6)


@given(QUATERNIONS, QUATERNIONS, st.tuples(*[st.floats(-1, 1)] * 3))
@settings(max_examples=80, deadline=None)
def test_the_separating_axes_agree_with_the_volume_of_the_intersection(first, second, way):
    vertices = vertices_of(np.array([[0, 0, 0, *first], [*way, *second]]))
    volume = common_volume(vertices[0], vertices[1])
    if volume > 1e-6:
        assert len(collisions(vertices).pairs) == 1
    elif volume == 0:
        assert len(collisions(vertices, contact=1e-4).pairs) == 0


def test_pieces_that_touch_along_a_face_do_not_intersect():
    pieces = stack((0, 0, UP), (1, 0, UP))
    for piece in pieces:
        piece["z"] = 0
    assert states(verdict_on(0, pieces))[2] is State.PASSED
    assert states(crosschecked(0, pieces))[2] is State.PASSED
    published = verdict_on(0, pieces, "published")
    assert states(published)[2] is State.FAILED
    assert "only touch" in published.warnings[0]


def test_one_against_the_rest_finds_what_all_against_all_finds():
    rng = np.random.default_rng(3)
    poses = np.column_stack([rng.uniform(-1, 1, (40, 3)), rng.normal(size=(40, 4))])
    vertices = vertices_of(poses)
    pairs = {tuple(pair) for pair in collisions(vertices).pairs.tolist()}
    against = {(0, j + 1) for _, j in collisions_with(vertices[:1], vertices[1:]).pairs.tolist()}
    assert against == {pair for pair in pairs if pair[0] == 0}
    assert len(pairs) > 20


# Penalties -----------------------------------------------------------------------------------------------------------


def test_identical_pieces_intersect_and_halve_the_coverage():
    once = stack((0, 0, UP))
    twice = [*stack((0, 0, UP)), *stack((0, 0, UP))]
    alone = verdict_on(19, once)
    double = verdict_on(19, twice)
    assert double.figure("penalty factor") == 0.5
    assert double.checks[2].elements == ("tetrahedron 0", "tetrahedron 1")
    assert double.figure("raw") == pytest.approx(alone.figure("raw") - 0.5 * alone.figure("coverage"))


def test_a_quaternion_off_by_more_than_1_percent_takes_three_quarters_and_stands_before_intersections():
    long = (1.02, 0.0, 0.0, 0.0)
    verdict = verdict_on(19, [*stack((0, 0, long)), *stack((0, 0, UP))])
    assert verdict.figure("penalty factor") == 0.25
    assert states(verdict) == [State.PASSED, State.FAILED, State.FAILED]
    assert verdict.checks[1].elements == ("tetrahedron 0",)


def test_a_quaternion_off_by_less_than_1_percent_is_normalised_and_costs_nothing():
    verdict = verdict_on(19, stack((0, 0, (1.004, 0.0, 0.0, 0.0))))
    assert verdict.figure("penalty factor") == 1
    assert verdict.figure("coverage") == pytest.approx(verdict_on(19, stack((0, 0, UP))).figure("coverage"))


def test_a_shadow_wholly_beside_the_target_scores_0():
    verdict = verdict_on(0, stack((10, 10, UP)))
    assert verdict.figure("raw") < 0
    assert verdict.score == 0


def test_pieces_that_add_nothing_are_told_and_cost_nothing():
    pieces = stack((0, 0, UP), (0, 0, UP), (0.1, 0.1, UP))
    verdict = verdict_on(0, pieces)
    assert verdict.details["redundant"] == [0, 1]
    assert "cost" not in verdict.warnings[0]
    assert verdict.figure("raw") == pytest.approx(verdict_on(0, pieces[1:]).figure("raw"))


def test_a_piece_that_the_others_cover_only_together_adds_nothing():
    shadows = np.array([box(0, 0, 1, 1), box(0, 0, 0.5, 1), box(0.5, 0, 2, 1)])
    assert adding_nothing(shadows) == [0, 1]


# Bad input -----------------------------------------------------------------------------------------------------------

GOOD = {"x": 0, "y": 0, "z": 0, "q0": 1, "q1": 0, "q2": 0, "q3": 0}
BAD = (
    ({}, "No tetrahedrons given"),
    ({"tetrahedrons": 5}, "No tetrahedrons given"),
    ({"tetrahedrons": []}, "No tetrahedrons given"),
    ({"tetrahedrons": [GOOD, {**GOOD, "q2": "0"}]}, "Tetrahedron 1: field q2 must be a finite number"),
    ({"tetrahedrons": [{**GOOD, "q2": True}]}, "Tetrahedron 0: field q2 must be a finite number"),
    ({"tetrahedrons": [{**GOOD, "x": float("nan")}]}, "Tetrahedron 0: field x must be a finite number"),
    ({"tetrahedrons": [{**GOOD, "z": float("inf")}]}, "Tetrahedron 0: field z must be a finite number"),
    ({"tetrahedrons": [{k: GOOD[k] for k in GOOD if k != "q3"}]}, "Tetrahedron 0: field q3 must be a finite number"),
    ({"tetrahedrons": [{**GOOD, "q0": 1e-7}]}, "Tetrahedron 0: zero quaternion"),
    ({"tetrahedrons": [7]}, "Tetrahedron 0: must be an object"),
    ({"tetrahedrons": [GOOD] * 2001}, "Too many tetrahedrons (limit 2000)"),
)  # fmt: skip


@pytest.mark.parametrize(("raw", "message"), BAD)
def test_bad_input_scores_0_and_says_where(raw, message):
    verdict = TASK.verify(TASK.instances()[0], raw)
    assert verdict.score == 0
    assert verdict.checks[0].message == message


def test_text_with_words_around_it_is_read():
    answer = TASK.solve(TASK.instances()[19])
    text = "Here it is:\n```json\n" + TASK.format(answer) + "\n```"
    assert TASK.parse(text) == answer


def test_the_schema_asks_for_all_seven_numbers():
    piece = TASK.schema()["$defs"]["Tetrahedron"]
    assert sorted(piece["required"]) == ["q0", "q1", "q2", "q3", "x", "y", "z"]
    assert piece["additionalProperties"] is False


# Solver and generator ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("number", "least"), [(8, 0.999), (11, 0.95), (19, 0.95)])
def test_the_solver_covers_shapes_by_itself(number, least):
    target = target_of(TASK.instances()[number])
    vertices = vertices_of(arranged(cover(target)))
    assert fit_of(target, union_of(shadows_of(vertices))).raw() > least
    assert not len(collisions(vertices).pairs)


@pytest.mark.slow
@pytest.mark.parametrize("family", ["letter", "star", "bars"])
def test_a_generated_shape_is_solved_by_its_stored_cover(family):
    instance = TASK.generate(4, family=family)
    assert instance == TASK.generate(4, family=family)
    verdict = TASK.verify(instance, TASK.solve(instance))
    assert verdict.score > 0.999
    assert TASK.prompt(instance).text


@pytest.mark.slow
def test_generated_shapes_are_centred_and_of_a_sensible_size():
    target = target_of(TASK.generate(11))
    x0, y0, x1, y1 = target.bounds
    assert (x0 + x1, y0 + y1) == pytest.approx((0, 0), abs=2e-3)
    assert 2 <= target.area <= 32
    assert max(x1, y1) <= 3.001


def test_a_wish_that_no_shape_meets_is_refused_with_the_reason():
    with pytest.raises(InstanceError, match="angle of"):
        TASK.generate(0, family="bars", sharpest_deg=120)


# Drawing -------------------------------------------------------------------------------------------------------------


def test_the_scene_has_an_element_for_each_piece_and_names_what_the_checks_name():
    instance = TASK.instances()[19]
    answer = Tetrahedra(tetrahedrons=pieces_at(np.repeat(poses_of(TASK.solve(instance).tetrahedrons)[:1], 2, axis=0)))
    verdict = TASK.verify(instance, answer)
    scene = TASK.scene(instance, answer, verdict)
    assert set(verdict.failed_elements) <= set(scene.ids())
    assert sum(isinstance(item, Mesh) for item in scene.items) == 2


def test_a_ring_is_drawn_as_polygons_without_holes():
    ring = Point(0, 0).buffer(2).difference(Point(0, 0).buffer(1))
    parts = [Polygon(part) for part in without_holes(ring)]
    assert union_of(parts).area == pytest.approx(ring.area)
    assert len(parts) == 2


def test_an_empty_answer_shows_the_whole_target_as_missing():
    scene = TASK.scene(TASK.instances()[9])
    assert {item.name.split()[0] for item in scene.items} == {"missing", "target", "hole"}


def test_a_verdict_survives_the_trip_through_json():
    verdict = TASK.verify(TASK.instances()[19], TASK.solve(TASK.instances()[19]))
    assert json.loads(verdict.model_dump_json())["details"] == verdict.details
