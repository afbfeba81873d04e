"""Lego hemispherical shell: the rules of docs/tasks/lego_hemisphere.md."""

import json
from pathlib import Path

import pytest

from spatial_workbench.engine.core import FULL_SCORE, AnswerError, InstanceError, State, Verdict, resolve
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.core.scene import Boxes, Mesh, Points, Polygon
from spatial_workbench.engine.tasks.lego_hemisphere import Brick, Structure, crosscheck, rules, shell_of
from spatial_workbench.engine.tasks.lego_hemisphere.task import score_of

TASK = task("lego_hemisphere")
FIRST = TASK.instances()[0]
ROUNDING = 1e-12


def built(*poses):
    """The answer with bricks at (x, y, z) or (x, y, z, angle)."""
    return {"bricks": [{"Centroid": list(pose[:3]), "RotationDegrees": (*pose, 0)[3]} for pose in poses]}


def judged(*poses, instance=FIRST):
    return TASK.verify(instance, built(*poses))


def failed_check(verdict):
    """The name of the rule that is broken, or None."""
    failed = (check.name for check in verdict.checks if check.state is State.FAILED)
    return next((name for name in failed if name != FULL_SCORE), None)


def message(verdict):
    return next(check.message for check in verdict.checks if check.state is State.FAILED)


# Published instances -------------------------------------------------------------------------------------------------


def test_the_documentation_lists_the_checks_in_order():
    page = (Path(__file__).parents[2] / "docs/tasks/lego_hemisphere.md").read_text("utf-8")

    rows = [line.split("|")[1].strip() for line in page.splitlines() if line.startswith("| ")]

    assert [row for row in rows if row in rules.checks.names] == list(rules.checks.names)


def test_the_published_shells_go_from_4_to_7_cm_to_15_to_18_cm():
    captions = [TASK.caption(instance) for instance in TASK.instances()]

    assert captions == [
        *("4–7 cm", "5–8 cm", "6–9 cm", "7–10 cm"),
        *("9–13 cm", "11–15 cm", "13–16 cm", "15–18 cm"),
    ]


@pytest.mark.parametrize(
    ("number", "volume"),
    list(enumerate([547863.30, 759939.41, 1007361.54, 1290129.70, 2882664.22, 4013736.83, 3729005.01, 4824731.60])),
)
def test_the_target_has_the_volume_of_the_published_polyhedron(number, volume):
    assert shell_of(TASK.instances()[number]).volume_mm3 == pytest.approx(volume, abs=0.005)


@pytest.mark.slow
def test_the_ideal_shell_is_approached_by_the_smooth_target():
    smooth = TASK.generate(1, inner_mm=40, outer_mm=70, target="smooth")

    assert shell_of(smooth).volume_mm3 == pytest.approx(584_336, rel=2e-3)


# The structural rules ------------------------------------------------------------------------------------------------

TWO_LOW = [(55, -8, 4.8, 0), (55, 8, 4.8, 180)]
ACCEPTANCE = {
    "empty": ([], "at least one brick"),
    "in the ground": ([(55, 0, 0, 0)], "layer height"),
    "in the hollow": ([(0, 0, 4.8, 0)], "not wholly in the hollow"),
    "plain": ([(55, 0, 4.8, 0)], None),
    "off layer": ([(55, 0, 10, 0)], "layer height"),
    "second off layer": ([(55, 0, 4.8, 0), (55, 0, 12, 0)], "layer height"),
    "two separate, odd angle": ([(55, 0, 4.8, 0), (-55, 0, 4.8, 5)], None),
    "stacked": ([(55, 0, 4.8, 0), (55, 0, 14.4, 0)], None),
    "stacked crosswise": ([(55, 0, 4.8, 0), (55, 0, 14.4, 90)], None),
    "stacked crosswise, turned": ([(55, 0, 4.8, -45), (55, 0, 14.4, 45)], None),
    "two by two crosswise": ([*TWO_LOW, (47, 0, 14.4, 90), (63, 0, 14.4, 270)], None),
    "30 degree twist": ([(55, 0, 4.8, 0), (55, 0, 14.4, 30)], "studs aligned"),
    "duplicate": ([(55, 0, 4.8, 0), (55, 0, 4.8, 0)], "no brick twice"),
    "one stud shift": ([(55, 0, 4.8, 0), (63, 0, 14.4, 0)], None),
    "5 mm shift": ([(55, 0, 4.8, 0), (60, 0, 14.4, 0)], "studs aligned"),
    "staircase": ([(55, 0, 4.8), (79, 0, 14.4), (103, 0, 24), (127, 0, 33.6)], "not wholly outside"),
    "single at 90": ([(55, 0, 4.8, 90)], None),
    "single at 45": ([(55, 0, 4.8, 45)], None),
    "outside": ([(100, 0, 4.8, 0)], "not wholly outside"),
    "ring": ([(55, 0, 4.8, 0), (0, 55, 4.8, 90), (-55, 0, 4.8, 0), (0, -55, 4.8, 90)], None),
    "hanging": ([(55, 0, 4.8), (55, 0, 14.4), (63, 0, 24), (63, 0, 14.4)], "no two bricks share volume"),
    "hanging from nothing": ([(55, 0, 4.8), (95, 0, 24), (95, 0, 14.4)], "not wholly outside"),
}


@pytest.mark.parametrize("case", ACCEPTANCE)
def test_the_acceptance_cases_of_the_structural_checks(case):
    poses, failing = ACCEPTANCE[case]

    assert failed_check(judged(*poses)) == failing


@pytest.mark.parametrize("case", ACCEPTANCE)
def test_the_crosscheck_stops_at_the_same_check(case):
    poses, failing = ACCEPTANCE[case]

    assert failed_check(TASK.crosscheck(FIRST, built(*poses))) == failing


def test_bricks_that_reach_exactly_half_a_millimetre_over_each_other_are_no_contact():
    poses = [(24, -55.5, 4.8, 90), (24, -32, 14.4)]
    assert failed_check(judged(*poses)) == "everything connected to the ground"
    assert failed_check(TASK.crosscheck(FIRST, built(*poses))) == "everything connected to the ground"


def test_both_methods_name_the_same_checks():
    assert rules.checks.names == crosscheck.checks.names


STAIRCASE = [(136, 0, 4.8), (160, 0, 14.4), (184, 0, 24)]


def test_a_staircase_within_the_shell_falls_over():
    verdict = judged(*STAIRCASE, instance=TASK.instances()[7])

    assert failed_check(verdict) == "nothing falls over"
    assert "fall over: their centre of mass is 8.0 mm outside" in message(verdict)
    assert verdict.details["unstable"][0]["center_mm"][:2] == [160, 0]


def test_a_part_in_the_air_floats():
    verdict = judged((55, 0, 4.8), (-55, 0, 24), (-55, 0, 33.6))

    assert failed_check(verdict) == "everything connected to the ground"
    assert message(verdict) == "Bricks 1 and 2 float: no chain of contacts leads to the ground"
    assert verdict.details["floating"] == [[1, 2]]


def test_a_brick_may_hang_from_one_above_it():
    assert failed_check(judged((50, 0, 4.8), (50, 0, 14.4), (58, 0, 24), (82, 0, 14.4))) is None


def test_a_brick_that_hangs_from_a_floating_one_floats():
    verdict = judged((55, 0, 4.8), (55, 0, 33.6), (63, 0, 24))

    assert verdict.details["floating"] == [[1, 2]]


# The worked example of stud alignment, moved onto the rim of the largest shell.
EXAMPLE = [(160, 0, 4.8, 90), (160, 0, 14.4, 180)]


def test_a_brick_may_overhang_by_75_percent():
    assert failed_check(judged(*EXAMPLE, (136, 0, 24, 0), instance=TASK.instances()[7])) != "studs aligned"


def test_a_brick_shifted_by_2_mm_does_not_click():
    verdict = judged(*EXAMPLE, (138, 0, 24, 0), instance=TASK.instances()[7])

    assert message(verdict) == "Brick 2 is off the studs of brick 1 below it by (2, 0) mm"
    assert verdict.details["misfits"][0]["move_mm"] == pytest.approx([-2, 0])


def test_turned_stacks_need_not_be_concentric():
    diagonal = 8 / 2**0.5

    assert failed_check(judged((50, 0, 4.8, 45), (50 + diagonal, diagonal, 14.4, 135))) is None


def test_footprints_count_as_they_are_turned_and_not_as_their_bounding_boxes():
    side_by_side = (50, 0, 4.8, 45), (50 + 18, -18, 14.4, 45 + 30)

    assert failed_check(judged(*side_by_side)) == "everything connected to the ground"


def test_a_brick_on_two_bricks_that_are_not_on_one_lattice_does_not_click():
    verdict = judged((55, -8.4, 4.8, 0), (55, 8.4, 4.8, 0), (55, 0, 14.4, 90))

    assert failed_check(verdict) is None
    assert failed_check(judged((55, -9, 4.8, 0), (55, 9, 4.8, 0), (55, 0, 14.4, 90))) == "studs aligned"


def test_a_floor_of_bricks_may_touch_but_not_share_volume():
    assert failed_check(judged((55, -8, 4.8), (55, 8, 4.8))) is None
    assert message(judged((55, -8, 4.8), (55, 7.9, 4.8))) == "Bricks 0 and 1 overlap by 0.10 mm"


def test_bricks_that_reach_a_hundredth_of_a_millimetre_into_each_other_pass():
    assert failed_check(judged((55, -8, 4.8), (55, 7.991, 4.8))) is None


def test_the_overlap_names_its_volume():
    verdict = judged((55, 0, 4.8, 0), (55, 0.5, 4.8, 90))

    assert verdict.details["overlaps"] == [
        {"first": 0, "second": 1, "depth_mm": pytest.approx(9.6), "volume_mm3": pytest.approx(16 * 16 * 9.6)}
    ]


def test_the_same_place_at_half_a_turn_is_the_same_brick():
    assert message(judged((55, 0, 4.8, 0.2), (55.04, 0, 4.8, 179.9))) == "Brick 1 is the same as brick 0"


def test_a_brick_whose_face_dips_into_the_sphere_is_not_outside():
    below_the_top = (0, 0, 62.4 + 9.6, 0)

    assert failed_check(judged(below_the_top)) == "everything connected to the ground"


def test_heights_are_forgiven_by_less_than_a_tenth_of_a_brick():
    assert failed_check(judged((55, 0, 5.75))) is None
    assert failed_check(judged((55, 0, 5.77))) == "layer height"
    assert failed_check(judged((55, 0, 4.69))) == "not below the ground"


def test_bricks_with_a_gap_of_half_a_millimetre_do_not_touch():
    assert failed_check(judged((55, 0, 4.8), (55, 0, 14.85))) is None
    assert failed_check(judged((55, 0, 4.8), (55, 0, 14.95))) == "everything connected to the ground"


def test_a_rotation_beyond_360_degrees_is_reduced():
    assert failed_check(judged((55, 0, 4.8, 0), (55, 0, 14.4, 3690))) is None


def test_later_checks_are_not_reached():
    states = [check.state for check in judged((55, 0, 10)).checks]

    assert states == [State.PASSED, State.FAILED] + [State.NOT_REACHED] * 8


def test_every_failure_scores_0():
    verdict = judged((55, 0, 4.8), (60, 0, 14.4))

    assert (verdict.score, verdict.passed) == (0, False)
    assert verdict.failed_elements == ("brick 0", "brick 1")


# Score ---------------------------------------------------------------------------------------------------------------


def test_65_percent_or_better_is_perfect():
    assert [score_of(raw) for raw in (-1, 0.325, 0.65, 0.9)] == [0, 0.5, 1, 1]


PUBLISHED = [
    (840545.64, 547897.61, 534208.70, 317062.92, 0.686),
    (1115811.58, 759985.23, 718483.95, 434682.38, 0.659),
    (1538540.08, 1007421.48, 982749.05, 575094.89, 0.690),
    (2005506.66, 1290204.96, 1267056.88, 754766.08, 0.690),
    (4094537.58, 2882793.40, 2834294.11, 1297213.03, 0.758),
    (5746109.57, 4013900.45, 3941894.50, 1860272.41, 0.750),
    (5623278.49, 3729203.27, 3589103.07, 2154358.92, 0.674),
    (7486223.16, 4825005.46, 4664753.85, 2956102.57, 0.660),
]


@pytest.mark.parametrize(("bricks", "target", "common", "difference", "raw"), PUBLISHED)
def test_the_published_volumes_give_the_published_raw_scores(bricks, target, common, difference, raw):
    from spatial_workbench.engine.tasks.lego_hemisphere.volume import BrickVolumes

    volumes = BrickVolumes(target, bricks, (common,), difference, 0.0)

    assert volumes.raw == pytest.approx(raw, abs=6e-4)


def test_the_verdict_shows_what_the_score_is_made_of():
    verdict = judged((55, 0, 4.8))

    assert verdict.figure("S") == pytest.approx(4915.2)
    assert verdict.figure("raw") == verdict.figure("I/R") - 0.5 * verdict.figure("D/R")
    assert verdict.score == score_of(verdict.figure("raw"))


def test_every_brick_gets_its_share_inside_the_shell():
    shares = judged((55, 0, 4.8, 90), (-70, 0, 4.8, 90)).details["shares"]

    assert shares[0] == pytest.approx(1)
    assert 0.25 < shares[1] < 0.6


# Bad input -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("raw", ["3", "null", {"bricks": {}}, {"bricks": None}, '{"reasoning": "none"}'])
def test_an_answer_without_a_list_of_bricks_is_refused(raw):
    with pytest.raises(AnswerError, match="No brick list found"):
        TASK.parse(raw)


NAN = float("nan")
INFINITY = float("inf")
NO_CENTROIDS = [
    *([1, 2], [1, 2, 3, 4], ["1", 2, 3], [True, 2, 3], [NAN, 0, 0], [0, INFINITY, 0], [0, 10**400, 0]),
    *(None, "1 2 3", {}),
]


@pytest.mark.parametrize("centroid", NO_CENTROIDS)
def test_a_centroid_is_three_finite_numbers(centroid):
    bricks = [{"Centroid": [55, 0, 4.8], "RotationDegrees": 0}, {"Centroid": centroid, "RotationDegrees": 0}]

    with pytest.raises(AnswerError, match="Brick 1: Centroid must be three finite numbers") as caught:
        TASK.parse(bricks)
    assert caught.value.place.startswith("bricks[1].Centroid")


@pytest.mark.parametrize("rotation", [None, "90", NAN, -INFINITY, True, [0]])
def test_a_rotation_is_a_finite_number(rotation):
    with pytest.raises(AnswerError, match="Brick 0: RotationDegrees must be a finite number"):
        TASK.parse([{"Centroid": [55, 0, 4.8], "RotationDegrees": rotation}])


def test_a_missing_field_is_named():
    with pytest.raises(AnswerError, match="Brick 0: Centroid must be"):
        TASK.parse([{"RotationDegrees": 0}])
    with pytest.raises(AnswerError, match="Brick 0: RotationDegrees must be"):
        TASK.parse([{"Centroid": [0, 0, 4.8]}])
    with pytest.raises(AnswerError, match="Brick 0 must be an object"):
        TASK.parse([[0, 0, 4.8, 0]])


def test_text_with_nan_is_refused_with_its_line():
    with pytest.raises(AnswerError) as caught:
        TASK.parse('{"bricks": [\n{"Centroid": [55, 0, 4.8], "RotationDegrees": NaN}]}')

    assert str(caught.value) == "line 2: Brick 0: RotationDegrees must be a finite number"


def test_5000_bricks_are_read_and_5001_are_too_many():
    brick = {"Centroid": [55, 0, 4.8], "RotationDegrees": 0}

    assert len(TASK.parse([brick] * 5000).bricks) == 5000
    with pytest.raises(AnswerError, match=r"Too many bricks \(limit 5000\)"):
        TASK.parse([brick] * 5001)


def test_extra_fields_of_bricks_are_passed_over_with_one_warning():
    bricks = [{"Centroid": [55, y, 4.8], "RotationDegrees": 0, "color": "red"} for y in (-8, 8)]

    verdict = TASK.verify(FIRST, {"bricks": bricks})

    assert failed_check(verdict) is None
    assert verdict.warnings == ("bricks[0].color and bricks[1].color are not fields of the answer and were ignored",)


def test_the_object_and_the_bare_list_are_the_same_answer():
    assert TASK.parse(built((55, 0, 4.8))) == TASK.parse(built((55, 0, 4.8))["bricks"])


@pytest.mark.parametrize("value", [1e9, -1e8])
def test_absurd_coordinates_are_outside(value):
    assert failed_check(judged((value, 0, 4.8))) == "not wholly outside"
    assert failed_check(judged((55, 0, 4.8), (0, value, 4.8, 1e9))) == "not wholly outside"
    assert failed_check(judged((55, 0, value))) is not None


@pytest.mark.slow
@pytest.mark.timeout(30)
def test_an_absurd_answer_is_refused_at_once():
    many = [{"Centroid": [0, 0, 4.8], "RotationDegrees": 0}] * 10**5
    for raw, says in [(many, "Too many bricks"), ("[" * 10**8, "100 MB"), ("[" * 10**6, "JSON")]:
        assert says in TASK.verify(FIRST, raw).checks[0].message


@pytest.mark.slow
def test_5000_bricks_in_one_place_are_judged_without_listing_every_pair():
    crowd = [(50 + i % 70 * 0.2, i // 70 * 0.2, 4.8) for i in range(5000)]

    verdict = judged(*crowd)

    assert message(verdict).startswith("Bricks 0 and 1 overlap by")
    assert verdict.checks[6].problem_count == 201


def test_the_crosscheck_lists_no_more_pairs_than_the_verifier():
    crowd = [(50 + i % 30 * 0.2, i // 30 * 0.2, 4.8) for i in range(900)]

    assert TASK.crosscheck(FIRST, built(*crowd)).checks[6].problem_count == 200


# The contract --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_verifying_changes_no_input():
    raw = built((55, 0, 4.8), (63, 0, 14.4))
    before = json.dumps(raw)

    TASK.verify(FIRST, raw)
    TASK.crosscheck(FIRST, raw)

    assert json.dumps(raw) == before


@pytest.mark.parametrize("poses", [[(55, 0, 4.8), (63, 0, 14.4)], [(55, 0, 4.8), (60, 0, 14.4)], []])
def test_verdicts_survive_json(poses):
    verdict = judged(*poses)

    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict


def test_the_prompt_is_byte_for_byte_equal_and_names_the_radii():
    first, again = (TASK.prompt(TASK.instances()[4]).text for _ in range(2))

    assert first == again
    assert "Inner radius 9 cm, outer radius 13 cm" in first
    for rule in ("(22, 0, 24)", "leaning", "no base plate", "z = 4.8 + 9.6 n", "31.8 x 15.8 x 11.4", "holes"):
        assert rule in first


def test_the_schema_asks_for_reasoning_and_bricks_only():
    schema = TASK.schema()

    assert schema["required"] == ["reasoning", "bricks"]
    assert schema["additionalProperties"] is False
    assert schema["$defs"]["Brick"]["required"] == ["Centroid", "RotationDegrees"]
    assert schema["$defs"]["Brick"]["properties"]["Centroid"]["items"] == {"type": "number"}


def test_what_is_formatted_can_be_read_back():
    answer = TASK.solve(FIRST)

    assert TASK.parse(TASK.format(answer)) == answer


@pytest.mark.slow
def test_generated_shells_depend_on_the_seed_alone():
    shells = [TASK.generate(seed) for seed in (1, 1, 2, 3)]

    assert shells[0] == shells[1]
    assert len(set(shells)) == 3
    assert resolve(shells[0].address)[1] == shells[0]


@pytest.mark.slow
def test_a_generated_shell_can_be_asked_for():
    instance = TASK.generate(7, inner_mm=62.5, outer_mm=100, target="smooth")

    assert TASK.caption(instance) == "6.25–10 cm, smooth"
    assert resolve(instance.address)[1] == instance
    assert "6.25 cm" in TASK.prompt(instance).text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"inner_mm": 90, "outer_mm": 80}, "larger"),
        ({"inner_mm": 60, "outer_mm": 72}, "reaches only"),
        ({"inner_mm": 5}, "greater than"),
        ({"size": 5}, "size"),
    ],
)
def test_a_shell_that_cannot_be_built_well_is_refused(arguments, says):
    with pytest.raises(InstanceError, match=says):
        TASK.generate(0, **arguments)


# Drawing -------------------------------------------------------------------------------------------------------------


def test_the_scene_shows_the_shell_and_a_studded_box_for_each_brick():
    scene = TASK.scene(FIRST, TASK.parse(built((55, 0, 4.8), (63, 0, 14.4))))

    assert isinstance(scene.item("target"), Mesh)
    boxes = scene.item("bricks")
    assert isinstance(boxes, Boxes)
    assert (boxes.ids, boxes.studs) == (["brick 0", "brick 1"], (4, 2))


def test_bricks_are_coloured_by_their_share_inside_the_shell():
    answer = TASK.parse(built((55, 0, 4.8), (-71, 0, 4.8, 90), (0, 77, 4.8, 0)))

    colors = TASK.scene(FIRST, answer, TASK.verify(FIRST, answer)).item("bricks").colors

    assert colors == ["series 0", "warning", "failed"]


def test_a_part_that_falls_over_shows_its_centre_of_mass_and_support():
    instance = TASK.instances()[7]
    answer = TASK.parse(built(*STAIRCASE))

    scene = TASK.scene(instance, answer, TASK.verify(instance, answer))

    assert isinstance(scene.item("centre of mass 0"), Points)
    assert isinstance(scene.item("support 0"), Polygon)


def test_the_target_is_the_same_object_in_every_scene():
    assert TASK.scene(FIRST).item("target") is TASK.scene(FIRST, TASK.empty(FIRST)).item("target")


def test_a_verdict_on_other_bricks_does_not_colour_these():
    verdict = judged((0, 80, 4.8), (55, 0, 4.8))
    scene = TASK.scene(FIRST, Structure(bricks=(Brick.at(55, 0, 4.8),)), verdict)

    assert scene.item("bricks").colors == ["series 0"]
