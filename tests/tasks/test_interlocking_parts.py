"""The nine criteria of interlocking_parts, one by one, on cages that miss exactly one thing."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from spatial_workbench.engine.core import AnswerError, Cancelled, InstanceError, State
from spatial_workbench.engine.tasks.interlocking_parts import (
    Cage,
    InterlockingParts,
    Part,
    Parts,
    assembly,
    layers,
    printing,
)
from spatial_workbench.engine.tasks.interlocking_parts import solver as reference
from spatial_workbench.engine.tasks.interlocking_parts.answer import IDENTITY
from spatial_workbench.engine.tasks.interlocking_parts.making import make
from spatial_workbench.engine.tasks.interlocking_parts.rays import thickness

TASK = InterlockingParts()
INSTANCES = TASK.instances()
CAGE = Cage.of(INSTANCES[0].parameters)
REFERENCE = TASK.solve(INSTANCES[0])
BOTTOM, TOP, SOUTH, NORTH, EAST, WEST = range(6)


def failing(answer, judge=TASK.verify):
    return {number for number, instance in enumerate(INSTANCES) if not judge(instance, answer).passed}


def with_part(number, **changes):
    parts = list(REFERENCE.parts)
    parts[number] = parts[number].model_copy(update=changes)
    return Parts(parts=tuple(parts))


def moved(number, by):
    matrix = REFERENCE.parts[number].matrix
    matrix[:3, 3] += by
    return with_part(number, transform=tuple(matrix.ravel().tolist()))


def reshaped(number, change):
    solid = make(REFERENCE.parts[number]).solid.manifold
    return with_part(number, fileContents=reference.stl_of(change(solid)))


def block(low, high):
    import manifold3d

    return manifold3d.Manifold.cube(tuple(np.subtract(high, low).tolist())).translate(low)


# Instances and prompt ------------------------------------------------------------------------------------------------


def test_there_are_nine_instances_one_for_each_criterion_of_one_answer():
    assert [instance.parameters["criterion"] for instance in INSTANCES] == list(range(9))
    assert len({TASK.prompt(instance).text for instance in INSTANCES}) == 1
    assert len({TASK.answer_group(instance) for instance in INSTANCES}) == 1


def test_the_prompt_states_every_figure_that_decides():
    text = TASK.prompt(INSTANCES[0]).text
    for figure in ("exactly 10 parts", "350 x 350 x 700", "400 x 400 x 50", "50 to 100", "M6", "380 x 380 x 740",
                   "+-180", "500 mm2", "diameter 16", "cube of 40", "101 nowhere"):  # fmt: skip
        assert figure in text


def test_the_schema_offers_the_four_published_file_types():
    kinds = TASK.schema()["$defs"]["Part"]["properties"]["fileType"]["enum"]
    assert kinds == ["STL", "OpenSCAD", "Python Generating OpenSCAD", "Python Generating STL"]


# The reference solution ----------------------------------------------------------------------------------------------


def test_the_reference_meets_all_nine_criteria():
    assert failing(REFERENCE) == set()


@pytest.mark.slow
def test_the_reference_meets_all_nine_criteria_by_the_other_method_too():
    assert failing(REFERENCE, TASK.crosscheck) == set()


def test_the_reference_has_the_documented_volumes_and_windows():
    verdict = TASK.verify(INSTANCES[0], REFERENCE)
    volumes = [make(part).solid.volume for part in REFERENCE.parts]
    assert [round(volume) for volume in volumes[:8:2]] == [406711, 290294, 282292, 326690]
    assert sum(volumes) == pytest.approx(3_246_640, abs=1)
    assert verdict.figure("windows") == 250
    assert verdict.figure("different parts") == 5
    assert verdict.figure("dominant gap") == pytest.approx(61.8)
    assert verdict.warnings == ()


def test_the_reference_measures_as_documented():
    places = [assembly.posed(make(part).solid, part.matrix) for part in REFERENCE.parts]
    held = [sum(assembly.on_rod_mm3(p, a, 16.0, (-10, 760), False) for p in places) for a in CAGE.axes]
    assert np.round(held).tolist() == [52260] * 4
    assert [len(assembly.engaged(place, CAGE)) for place in places] == [4, 4] + [2] * 8
    assert all(thickness(place.solid).dominant == pytest.approx(9.95) for place in places)
    assert all(printing.printed(place.solid).margin > 164 for place in places)
    assert all(layers.free_area(p.solid, 40.0, 120.0) / 240**2 == pytest.approx(0.076, abs=1e-3) for p in places[:2])


def test_the_transforms_are_those_of_the_table():
    south = REFERENCE.parts[SOUTH].matrix
    north = REFERENCE.parts[NORTH].matrix
    assert south.tolist() == [[1, 0, 0, 0], [0, 0, -1, -175], [0, 1, 0, 185], [0, 0, 0, 1]]
    assert north.tolist() == [[-1, 0, 0, 0], [0, 0, 1, 175], [0, 1, 0, 185], [0, 0, 0, 1]]
    assert REFERENCE.parts[TOP].transform[11] == 720


def test_the_published_verifier_fails_criterion_5_for_every_cage():
    def judge(instance, answer):
        return TASK.verify(instance, answer, "published")

    assert failing(REFERENCE, judge) == {5}


# What goes wrong -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_without_a_part_all_criteria_fail():
    answer = Parts(parts=REFERENCE.parts[:-1])
    assert failing(answer) == failing(answer, TASK.crosscheck) == set(range(9))
    assert "9 parts instead of 10" in TASK.verify(INSTANCES[5], answer).checks[0].message


@pytest.mark.slow
def test_a_panel_moved_6_inwards_blocks_intersects_and_narrows():
    assert failing(moved(EAST, (-6, 0, 0))) == {3, 4, 5}
    # The cross-check also sees the windows that are not square any more.
    assert failing(moved(EAST, (-6, 0, 0)), TASK.crosscheck) == {3, 4, 5, 8}


@pytest.mark.slow
def test_a_filled_hole_stops_the_rod():
    answer = reshaped(BOTTOM, lambda solid: solid + block((175, 175, 0), (185, 185, 10)))
    assert failing(answer) == failing(answer, TASK.crosscheck) == {4}
    assert TASK.verify(INSTANCES[4], answer).failed_elements == ("part 0", "rod 2")


@pytest.mark.slow
def test_a_panel_2_above_the_bed_does_not_print_and_blocks_the_rods():
    answer = reshaped(EAST, lambda solid: solid.translate((0, 0, 2)))
    assert {1, 4} <= failing(answer)
    assert {1, 4} <= failing(answer, TASK.crosscheck)


def test_a_panel_without_its_corner_hangs_on_one_rod():
    answer = reshaped(NORTH, lambda solid: solid - block((-190, -190, -1), (-171, 190, 11)))
    assert failing(answer) == {6}


@pytest.mark.slow
def test_a_mirrored_part_fails_everything():
    answer = with_part(
        SOUTH, transform=tuple((REFERENCE.parts[SOUTH].matrix @ np.diag([-1, 1, 1, 1])).ravel().tolist())
    )
    assert failing(answer) == failing(answer, TASK.crosscheck) == set(range(9))
    assert "mirrors" in TASK.verify(INSTANCES[0], answer).checks[2].message


@pytest.mark.slow
def test_the_nine_criteria_do_not_see_a_missing_piece_of_a_bar_but_the_cross_check_does():
    answer = reshaped(SOUTH, lambda solid: solid - block((-31, -42, -1), (31, -30, 11)))
    assert failing(answer) == set()
    assert failing(answer, TASK.crosscheck) == {8}
    verdict = TASK.verify(INSTANCES[8], answer)
    assert "62 x 134" in verdict.warnings[0]
    assert verdict.details["windows"][0]["face"] == "south"


@pytest.mark.slow
def test_a_rod_hole_with_a_flat_roof_is_an_overhang():
    def with_flat_roof(solid):
        import manifold3d

        filled = solid + block((175, -174.8, 0), (185, -72, 10))
        drill = manifold3d.Manifold.cylinder(2000, 3.05, 3.05, 10, center=True).rotate((90, 0, 0))
        return filled - drill.translate((180, 0, 5))

    answer = reshaped(SOUTH, with_flat_roof)
    assert failing(answer) == {1, 4}
    overhang = TASK.verify(INSTANCES[1], answer).details["overhangs"][0]
    assert overhang["part"] == SOUTH
    assert overhang["span"] > 100
    assert 1 in failing(answer, TASK.crosscheck)


@pytest.mark.slow
def test_a_part_that_is_too_large_for_the_printer_fails_printability():
    answer = reshaped(TOP, lambda solid: solid + block((184, -5, 0), (402, 5, 10)))
    messages = [check.message for check in TASK.verify(INSTANCES[1], answer).checks if check.state is State.FAILED]
    assert "printer has 400 x 400 x 50" in messages[0]
    assert 1 in failing(answer, TASK.crosscheck)


@pytest.mark.slow
def test_a_plate_without_windows_lets_no_cube_through():
    answer = reshaped(TOP, lambda solid: solid + block((-150, -150, 0), (150, 150, 10)))
    assert 2 in failing(answer)
    assert 2 in failing(answer, TASK.crosscheck)


@pytest.mark.slow
def test_thick_bars_are_noticed():
    thick = reference.plate(replace(CAGE, bar=14.0, height=694.0))
    answer = with_part(TOP, fileContents=reference.stl_of(thick))
    assert 7 in failing(answer)
    assert 7 in failing(answer, TASK.crosscheck)


@pytest.mark.slow
def test_a_part_may_be_printed_upside_down():
    flip = np.diag([1.0, -1.0, -1.0, 1.0])
    lift = np.eye(4)
    lift[2, 3] = 10.0
    solid = make(REFERENCE.parts[BOTTOM]).solid.manifold.transform((lift @ flip)[:3])
    matrix = np.linalg.inv(lift @ flip)
    answer = with_part(
        BOTTOM, fileContents=reference.stl_of(solid), transform=tuple(np.round(matrix, 9).ravel().tolist())
    )
    assert failing(answer) == set()


# Transforms and bad input --------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("transform", "words"),
    [
        (IDENTITY[:12], "has 12 numbers instead of 16"),
        ((2.0, *IDENTITY[1:]), "scales or shears"),
        ((1.0, 0.5, *IDENTITY[2:]), "scales or shears"),
        ((-1.0, *IDENTITY[1:]), "mirrors"),
        ((*IDENTITY[:12], 0.0, 0.0, 1.0, 1.0), "last row"),
        ((*IDENTITY[:15], 0.0), "last row"),
    ],
)
def test_only_rigid_transforms_are_taken(transform, words):
    verdict = TASK.verify(INSTANCES[0], with_part(BOTTOM, transform=transform))
    assert words in verdict.checks[2].message
    assert verdict.checks[2].elements == ("part 0",)
    assert all(check.state is State.NOT_REACHED for check in verdict.checks[3:])
    assert not TASK.crosscheck(INSTANCES[0], with_part(BOTTOM, transform=transform)).passed


def test_a_transform_may_be_off_by_rounding():
    matrix = REFERENCE.parts[SOUTH].matrix + 4e-5
    matrix[3] = (0, 0, 0, 1)
    assert TASK.verify(INSTANCES[0], with_part(SOUTH, transform=tuple(matrix.ravel().tolist()))).passed


CUBE = reference.stl_of(block((0, 0, 0), (10, 10, 10)))
FACETS = CUBE.split("endfacet\n")


@pytest.mark.parametrize(
    ("contents", "words"),
    [
        ("", "empty"),
        ("hello", "neither STL text"),
        ("endfacet\n".join(FACETS[1:]), "neither STL text"),
        ("solid\n" + "endfacet\n".join(FACETS[1:]), "3 edges that only one triangle uses"),
        (CUBE.replace("vertex 10", "vertex nan", 1), "not a finite number"),
        (CUBE.replace("vertex 10 ", "vertex 12 ", 1), "edges that only one triangle uses"),
        (reference.stl_of(block((0, 0, 0), (9, 9, 9)) + block((20, 0, 0), (30, 9, 9))), "2 separate bodies"),
    ],
)
def test_a_mesh_that_is_no_solid_fails_with_the_part_named(contents, words):
    check = TASK.verify(INSTANCES[0], with_part(WEST, fileContents=contents)).checks[1]
    assert check.message.startswith("Part 5:")
    assert words in check.message


def test_a_mesh_inside_out_has_no_volume():
    solid = make(REFERENCE.parts[SOUTH]).solid
    turned = reference.write_stl(solid.vertices, solid.triangles[:, ::-1])
    assert "has to be positive" in make(with_part(SOUTH, fileContents=turned).parts[SOUTH]).problem


def test_one_flipped_face_is_named():
    solid = make(REFERENCE.parts[SOUTH]).solid
    triangles = solid.triangles.copy()
    triangles[0] = triangles[0, ::-1]
    flipped = reference.write_stl(solid.vertices, triangles)
    assert (
        "3 edges whose two triangles are wound against each other"
        in make(with_part(SOUTH, fileContents=flipped).parts[SOUTH]).problem
    )


@pytest.mark.slow
def test_a_surface_that_intersects_itself_is_found_by_both_methods():
    # A bar that is bent into itself: one closed surface, wound twice where it passes through itself.
    answer = with_part(TOP, fileContents=reference.write_stl(*self_crossing()))
    assert "intersects itself" in TASK.verify(INSTANCES[0], answer).checks[1].message
    assert not TASK.crosscheck(INSTANCES[0], answer).passed
    assert TASK.verify(INSTANCES[0], answer, "published").passed


def self_crossing():
    """A square tube's sweep along a path that crosses itself: vertices and triangles."""
    path = np.array([(0, 0), (100, 0), (100, 60), (50, 60), (50, -60)], float)
    ways = np.diff(path, axis=0)
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    bends = np.array([ways[0], *(a + b for a, b in pairwise(ways)), ways[-1]])
    sides = np.column_stack([-bends[:, 1], bends[:, 0]])
    rings = [
        [(*(p + 10 * u * s), z) for u, z in ((-1, 0), (1, 0), (1, 20), (-1, 20))]
        for p, s in zip(path, sides, strict=True)
    ]
    triangles = [(0, 1, 2), (0, 2, 3)]
    for k in range(len(path) - 1):
        for j in range(4):
            a = 4 * k + j
            b = 4 * k + (j + 1) % 4
            triangles += [(a, a + 4, b + 4), (a, b + 4, b)]
    end = 4 * (len(path) - 1)
    triangles += [(end, end + 2, end + 1), (end, end + 3, end + 2)]
    return np.array(rings).reshape(-1, 3), np.array(triangles)[:, ::-1]


def test_a_hollow_is_part_of_one_body():
    hollow = reference.stl_of(block((0, 0, 0), (30, 30, 30)) - block((5, 5, 5), (25, 25, 25)))
    assert make(Part(fileContents=hollow, fileType="STL", transform=IDENTITY)).is_valid


def test_an_unknown_file_type_is_named_and_case_does_not_matter():
    assert "'STEP' is not a file type" in TASK.verify(INSTANCES[0], with_part(0, fileType="STEP")).checks[1].message
    assert failing(with_part(0, fileType="stl")) == set()


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({}, "No list of parts was found"),
        ({"parts": "ten"}, "No list of parts was found"),
        ({"parts": [1]}, "Part 0 must be an object"),
        ({"parts": [{"fileContents": 1, "fileType": "STL", "transform": []}]}, "Part 0: fileContents must be text"),
        ({"parts": [{"fileContents": "", "fileType": "STL", "transform": ["1"]}]}, "list of 16 finite numbers"),
        ({"parts": [{"fileContents": "", "fileType": "STL", "transform": [float("nan")] * 16}]}, "16 finite numbers"),
        ({"parts": [{}] * 101}, "Too many parts"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_place(raw, words):
    with pytest.raises(AnswerError, match=words):
        TASK.parse(raw)
    assert TASK.verify(INSTANCES[3], raw).score == 0


def test_a_mesh_of_a_stranger_is_bounded(monkeypatch):
    from spatial_workbench.engine.tasks.interlocking_parts import making

    monkeypatch.setattr(making, "MAX_STL_BYTES", 1000)
    assert "the limit is" in TASK.verify(INSTANCES[0], REFERENCE).checks[1].message


# Verdicts ------------------------------------------------------------------------------------------------------------


def test_the_empty_answer_scores_0_by_every_verifier():
    for judge in (TASK.verify, TASK.crosscheck, lambda i, a: TASK.verify(i, a, "published")):
        assert failing(TASK.empty(INSTANCES[0]), judge) == set(range(9))


def test_the_rows_of_all_criteria_are_told_but_the_instance_counts_its_own():
    answer = moved(EAST, (-6, 0, 0))
    verdict = TASK.verify(INSTANCES[7], answer)
    assert verdict.passed
    assert [check.name for check in verdict.checks if check.state is State.FAILED] == [
        "3 · free inside", "4 · rods pass", "5 · no two parts intersect"
    ]  # fmt: skip
    assert verdict.details["criteria"][5] == "failed"


def test_verdicts_are_the_same_every_time_and_leave_the_answer_alone():
    before = REFERENCE.model_dump_json()
    first, second = (TASK.verify(INSTANCES[2], REFERENCE).model_copy(update={"elapsed_s": 0}) for _ in range(2))
    assert first == second
    assert REFERENCE.model_dump_json() == before


def test_details_are_plain_data():
    verdict = TASK.verify(INSTANCES[0], moved(EAST, (-6, 0, 0)))
    assert json.loads(json.dumps(verdict.details)) == verdict.details
    assert verdict.details["overlaps"][0]["volume_mm3"] > 1


def test_a_verification_can_be_cancelled():
    def impatient(done, total, text=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        TASK.verify(INSTANCES[0], REFERENCE, progress=impatient)


def test_the_answer_reads_back():
    assert TASK.parse(TASK.format(REFERENCE)) == REFERENCE


def test_the_scene_names_every_part_and_rod():
    answer = moved(EAST, (-6, 0, 0))
    scene = TASK.scene(INSTANCES[0], answer, TASK.verify(INSTANCES[0], answer))
    ids = set(scene.ids())
    assert {f"part {i}" for i in range(10)} | {f"rod {i}" for i in range(4)} <= ids
    assert any(name.startswith("shared by parts") for name in ids)


# Generated cages -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_generated_cage_is_solved_by_the_construction(seed):
    instance = TASK.generate(seed)
    assert TASK.generate(seed) == instance
    answer = TASK.solve(instance)
    assert TASK.verify(instance, answer).passed
    assert TASK.crosscheck(instance, answer).passed


@pytest.mark.slow
def test_segments_decide_how_many_parts_there_are():
    assert Cage.of(TASK.generate(3, segments=1).parameters).parts == 6
    assert Cage.of(TASK.generate(3, segments=3).parameters).parts == 14


@pytest.mark.slow
def test_without_a_criterion_the_score_is_the_mean_of_the_nine():
    instance = TASK.generate(3, segments=1)
    answer = TASK.solve(instance)
    parts = list(answer.parts)
    matrix = parts[2].matrix
    matrix[1, 3] += 6.0
    parts[2] = parts[2].placed(matrix)
    verdict = TASK.verify(instance, Parts(parts=tuple(parts)))
    assert verdict.score == pytest.approx(6 / 9)
    assert not verdict.passed


def test_a_generated_cage_may_ask_for_one_criterion():
    instance = TASK.generate(3, segments=1, criterion=5)
    assert TASK.verify(instance, TASK.solve(instance)).score == 1
    assert TASK.answer_group(instance) == TASK.answer_group(TASK.generate(3, segments=1, criterion=6))


@pytest.mark.parametrize("difficulty", [{"segments": 9}, {"bar_mm": "thick"}, {"colour": "red"}])
def test_the_generator_refuses_what_makes_no_cage(difficulty):
    with pytest.raises(InstanceError, match=next(iter(difficulty))):
        TASK.generate(1, **difficulty)
