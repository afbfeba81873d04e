"""Hide and seek: exact visibility, the published camera's pixels, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_workbench.engine.core import AnswerError
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.tasks.hide_and_seek import Crowd, cameras, is_hidden, reasons
from spatial_workbench.engine.tasks.hide_and_seek.field import CrowdField, overlapping_pairs
from spatial_workbench.engine.tasks.hide_and_seek.pixels import red_pixels, render, render_faces
from tests.sweeps import some

TASK = task_of("hide_and_seek")
PEOPLE = (4, 20, 40, 80, 150, 200)
WIDTHS = (2, 4, 6, 8, 10, 7)
PLACES = (284, 630, 958, 1264, 1550, 1109)
DIAGONAL = np.sqrt(2)


def field(width=2.0, people=4):
    return CrowdField(people, width, 10.0, (100.0, 100.0, 20.0), 30.0)


def crowd(*places):
    return {"people": [{"xy": list(place)} for place in places]}


def judged(places, number=0, verifier="default"):
    return TASK.verify(TASK.instances()[number], crowd(*places), verifier)


def failed(verdict):
    return [check.name for check in verdict.checks if check.state == "failed"]


def figures(verdict):
    return {figure.name: figure.value for figure in verdict.figures}


@pytest.mark.parametrize("number", some(range(6)))
def test_the_published_instances_and_their_hidden_places(number):
    published = CrowdField.of(TASK.instances()[number].parameters)
    assert (published.people, published.width) == (PEOPLE[number], WIDTHS[number])
    assert len(published.places()) == PLACES[number]


@pytest.mark.parametrize("number", some(range(6)))
def test_the_reference_hides_everybody_from_every_camera(number):
    instance = TASK.instances()[number]
    verdict = TASK.verify(instance, TASK.solve(instance))
    assert (verdict.score, verdict.passed) == (1.0, True)
    assert figures(verdict)["red pixels, from the sniper's eye"] == 0
    other = TASK.crosscheck(instance, TASK.solve(instance))
    assert (other.score, other.passed) == (1.0, True)
    assert TASK.verify(instance, TASK.solve(instance), "published").score == 1


@pytest.mark.parametrize(
    ("width", "places", "visible", "sniper", "fitted"),
    [
        (2, [(-6, -6), (-7, -7), (-18.6, -16.4), (-16.4, -18.6)], 2, 72, 0),
        (2, [(-6, -6), (-7, -7), (-18.5, -16.5), (-16.5, -18.5)], 2, 36, 0),
        (10, [(-26, -14.6), (-25.4, -14.1), (-24.8, -13.5), (-24.2, -13)], 0, 0, 142),
        (2, [(-6, -6), (-6.6, -6.6), (-7.2, -7.2), (-18.6, -16.4)], 1, 36, 142),
        (2, [(-17.7, 17.7)], 1, 149, 600),
    ],
)
@pytest.mark.parametrize("draws", [render, render_faces])
def test_the_two_cameras_see_what_is_known(width, places, visible, sniper, fitted, draws):
    scene_field = field(float(width))
    centers = np.array(places, float)
    assert scene_field.visible_people(centers).sum() == visible
    seen = {
        name: red_pixels(draws(scene_field, centers, camera)) for name, camera in cameras(scene_field, centers).items()
    }
    assert seen == {"fitted": fitted, "sniper": sniper}


def test_somebody_visible_costs_no_points_when_the_published_camera_misses_them_but_does_not_pass():
    verdict = judged([(-6, -6), (-7, -7), (-18.6, -16.4), (-16.4, -18.6)])
    assert (verdict.score, verdict.passed) == (1.0, False)
    assert failed(verdict) == ["nobody can be seen"]
    assert figures(verdict)["score from the sniper's eye"] == pytest.approx(0.64)


def test_a_crowd_that_nobody_sees_passes_although_the_published_camera_takes_points():
    places = [(-26, -14.6), (-25.4, -14.1), (-24.8, -13.5), (-24.2, -13)]
    crowd_field = CrowdField(4, 10.0, 10.0, (100.0, 100.0, 20.0), 30.0)
    assert is_hidden(crowd_field, np.array(places))


@given(st.integers(0, 10**6))
def test_the_exact_test_is_the_wedge_within_30_m(seed):
    rng = np.random.default_rng(seed)
    wedge_field = field(6.0)
    points = np.column_stack([rng.uniform(-30, 30, (400, 2)), np.full(400, 2.0)])
    points = points[~(np.abs(points[:, :2]) <= wedge_field.half).all(axis=1)]
    x, y = points[:, 0], points[:, 1]
    u, v = (x + y) / DIAGONAL, (x - y) / DIAGONAL
    wedge = (x <= 3) & (y <= 3) & (np.abs(v) <= 3 * DIAGONAL * (1 - u / (100 * DIAGONAL)))
    assert (wedge_field.hidden(points) == wedge).all()


@given(st.integers(0, 10**6))
def test_sampled_points_of_a_hidden_person_are_all_hidden(seed):
    rng = np.random.default_rng(seed)
    person_field = field(4.0)
    centers = rng.uniform(-20, 5, (30, 2))
    bodies = centers[:, None] + rng.uniform(-0.25, 0.25, (30, 50, 2))
    points = np.concatenate([bodies, rng.uniform(0, 2, (30, 50, 1))], axis=2)
    seen = ~person_field.hidden(points.reshape(-1, 3)).reshape(30, 50)
    assert not (seen.any(axis=1) & ~person_field.visible_people(centers)).any()


@given(st.integers(0, 10**6))
def test_the_margin_tells_who_is_visible(seed):
    person_field = field(4.0)
    centers = np.random.default_rng(seed).uniform(-20, 20, (50, 2))
    centers = centers[~person_field.touches_building(centers)]
    margins = person_field.margins(centers)
    sure = np.abs(margins) > 1e-9
    assert ((margins < 0) == person_field.visible_people(centers))[sure].all()


def test_touching_people_are_fine_and_overlapping_ones_are_not():
    assert overlapping_pairs(np.array([[0.0, 0.0], [0.5, 0.4]])) == []
    assert overlapping_pairs(np.array([[0.0, 0.0], [0.4, 0.4]])) == [(0, 1)]


def test_the_published_verifier_lets_diagonal_overlaps_pass():
    places = [(-6, -6), (-6.4, -6.4), (-8, -8), (-9, -9)]
    assert failed(judged(places)) == ["people do not overlap"]
    assert failed(judged(places, verifier="published")) == []


@pytest.mark.parametrize(
    ("places", "check"),
    [
        ([(-6, -6), (-7, -7), (-8, -8)], "the right number of people"),
        ([(-6, -6), (-7, -7), (-8, -8), (-9, -9), (-10, -10)], "the right number of people"),
        ([(-6, -6), (-7, -7), (-8, -8), (-21.3, -21.3)], "within reach"),
        ([(-6, -6), (-6, -6), (-8, -8), (-9, -9)], "people do not overlap"),
        ([(-6, -6), (-7, -7), (-8, -8), (-1.25, 0)], "clear of the building"),
    ],
)
def test_a_broken_fact_scores_0(places, check):
    verdict = judged(places)
    assert check in failed(verdict)
    assert verdict.score == 0


def test_people_in_front_are_legal_but_visible():
    verdict = judged([(6, 6), (7, 7), (8, 8), (9, 9)])
    assert failed(verdict) == ["nobody can be seen"]
    assert verdict.score == 0


def test_all_failures_are_reported():
    assert len(failed(judged([(40, 40), (0, 0), (0, 0.1)]))) >= 4


def test_what_is_wrong_with_each_person_is_told():
    centers = np.array([(-6.0, -6.0), (9.0, 9.0), (40.0, 0.0), (0.0, 0.0)])
    assert reasons(field(), centers) == {1: "visible", 2: "too far", 3: "touches the building"}


@pytest.mark.parametrize(
    "item",
    [
        {},
        {"xy": [1]},
        {"xy": [1, 2, 0]},
        {"xy": "1,2"},
        {"xy": ["1", 2]},
        {"xy": [True, 2]},
        {"xy": [None, 2]},
        {"xy": [float("nan"), 2]},
        {"xy": [float("inf"), 2]},
        5,
    ],
)
def test_bad_places_are_named(item):
    with pytest.raises(AnswerError) as caught:
        TASK.parse({"people": [{"xy": [0, 5]}, item]})
    assert "people[1]" in str(caught.value) + caught.value.place


@pytest.mark.parametrize("data", [{}, 7, {"people": 4}, {"people": None}])
def test_an_answer_without_people_is_refused(data):
    with pytest.raises(AnswerError):
        TASK.parse(data)


def test_too_many_people_are_refused_before_anything_is_computed():
    with pytest.raises(AnswerError, match="limit 1000"):
        TASK.parse(crowd(*[(0, 0)] * 1001))


def test_a_millionth_of_a_millionth_beyond_30_m_is_too_far_by_either_method():
    answer = crowd(
        (-3.5, -29.79513383087991), *[(-12, -12 - k) for k in range(TASK.instances()[0].parameters["people"] - 1)]
    )
    for judge in (TASK.verify, TASK.crosscheck):
        problems = [
            problem.message for check in judge(TASK.instances()[0], answer).checks for problem in check.problems
        ]
        assert any(message.startswith("Person 0 is") for message in problems)


@pytest.mark.parametrize("far", [1e5, 1e300, -1e308])
def test_people_far_away_are_judged_without_a_picture(far):
    assert judged([(far, 0), (-6, -6), (-7, -7), (-8, -8)]).score == 0


def test_both_methods_see_that_two_corners_overlap_by_a_hundredth_of_a_millimetre():
    instance = TASK.instances()[0]
    people = crowd((-12.00001, -12.00001), (-12.5, -12.5), (-13.0, -12.5), (-12.5, -13.0))
    assert (TASK.verify(instance, people).score, TASK.crosscheck(instance, people).score) == (0, 0)


@pytest.mark.parametrize("seed", range(4))
def test_both_methods_agree_on_scattered_crowds(seed):
    rng = np.random.default_rng(seed)
    instance = TASK.instances()[1]
    answer = Crowd.of(np.vstack([rng.uniform(-12, 2, (12, 2)), TASK.solve(instance).centers[:8]]))
    ours = TASK.verify(instance, answer)
    other = TASK.crosscheck(instance, answer)
    assert (ours.score, ours.passed) == (pytest.approx(other.score, abs=0.01), other.passed)


@pytest.mark.parametrize("difficulty", [{}, {"fill": 0.4, "width": 5}, {"height": 6, "oblique": False}])
def test_generated_fields_can_be_solved(difficulty):
    instance = TASK.generate(11, **difficulty)
    assert TASK.verify(instance, TASK.solve(instance)).passed
    assert instance == TASK.generate(11, **difficulty)


def test_the_prompt_holds_the_numbers():
    text = TASK.prompt(TASK.instances()[5]).text
    for words in ("200 people", "(-3.5, -3.5, 0)", "(100, 100, 20)", "at most 30 m", "0.5 x 0.5", "0.005"):
        assert words in text.replace("\n", " ")
