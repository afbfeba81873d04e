"""Polynomial fit: the grids, the language of formulas, the checks, and two ways to work a formula out."""

import hashlib
import zlib
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial_workbench.engine.core import AnswerError, InstanceError, State, Verdict
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.tasks.polynomial_fit import degree_and_terms, fitting, grid_text, score_of, target_of
from spatial_workbench.engine.tasks.polynomial_fit.cells import evaluate, exact_signs, python_value, scaled_coefficients
from spatial_workbench.engine.tasks.polynomial_fit.contour import zero_lines
from spatial_workbench.engine.tasks.polynomial_fit.editing import fit
from spatial_workbench.engine.tasks.polynomial_fit.fitting import least_squares
from spatial_workbench.engine.tasks.polynomial_fit.formula import formula_of
from tests.sweeps import some

TASK = task_of("polynomial_fit")
FIRST, SECOND = TASK.instances()[:2]
MARKED = (30, 73, 220, 318, 969, 1844, 4148, 751, 7374)
HASHES = (
    "ea5dc556a4dad11248ef67b3c2996a1c7c7264369c2164782f2cb88775866908",
    "bfc040e91eeeab19eb75c09a726ed0822e557ed91adc7110986b3b54ed60b0e1",
    "a438c16240c7becd22abc58ce2cd111b671a692f996b710396e797fd1f29d71c",
    "b9b8bc767f23ac0daf84e091f3f8ada4642a633f7dd7e2f8f5b4a45201785f1f",
    "8f2fa731b019ede5092430ce1885f1067ec88677776c69aba770f1e72f8a4449",
    "7262a72a107c62be92979546086aa0630e4a94f64f89ba2ad7e8b528994e8524",
    "378fba3abff5903e6ec5de9cb812728abcaa03d5ddfb98a1af015dbef3052fa9",
    "2dae4d2994b8cad268c86ccd8845a3f470518c13736a2998f6f8dd50d6325079",
    "d4f62144003ab1a5280817986a5f8548049e0995bd191c89f2c50d3ff5ba8a5f",
)
DEGREES = ((2, 6), (3, 10), (4, 15), (4, 15), (4, 15), (6, 28), (6, 28), (6, 28), (7, 36))
PIXELS = {4: 6, 5: 5, 6: 3, 7: 6, 8: 2}
WHOLE = {
    0: "-164 + 60*y + 51*x - 8*y**2 + 3*x*y - 8*x**2",
    1: "170753 - 42254*y - 30539*x + 6944*y**2 + 6944*x*y + 709*x**2 - 579*y**3 - 198*x*y**2 - 293*x**2*y + 22*x**3",
}


def f(expression):
    return {"function": f"def f(x,y): return {expression}"}


def judged(function, instance=FIRST, verifier="default"):
    return TASK.verify(instance, function if isinstance(function, dict) else {"function": function}, verifier)


def failure(verdict):
    return next(check.message for check in verdict.checks if check.state is State.FAILED)


@pytest.mark.parametrize("number", some(range(9)))
def test_the_published_grids_are_the_ones_of_the_reference(number):
    target = target_of(TASK.instances()[number])
    assert target.sum() == MARKED[number]
    assert hashlib.sha256(grid_text(target).encode()).hexdigest() == HASHES[number]


@pytest.mark.parametrize("number", some(range(9)))
def test_the_reference_separates_every_grid_at_the_lowest_degree(number):
    instance = TASK.instances()[number]
    answer = TASK.solve(instance)
    assert TASK.verify(instance, answer).passed
    assert TASK.verify(instance, answer, "published").passed
    assert TASK.crosscheck(instance, answer).passed
    assert degree_and_terms(answer.function) == DEGREES[number]
    assert fitting.separated(target_of(instance), DEGREES[number][0] - 1) is None


@pytest.mark.parametrize("number", [0, 1])
def test_the_known_whole_number_answers_pass(number):
    assert judged(f(WHOLE[number]), TASK.instances()[number]).passed


@pytest.mark.parametrize("number", some(range(4, 9)))
def test_the_picture_shows_the_grid(number):
    target = target_of(TASK.instances()[number])
    (picture,) = TASK.prompt(TASK.instances()[number]).pictures
    side = len(target) * PIXELS[number]
    assert picture[16:26] == side.to_bytes(4) * 2 + bytes([8, 0])
    data = picture[picture.index(b"IDAT") + 4 : picture.index(b"IEND") - 8]
    grey = np.frombuffer(zlib.decompress(data), np.uint8).reshape(side, side + 1)[:, 1:]
    blocks = grey.reshape(len(target), PIXELS[number], len(target), PIXELS[number]).mean(axis=(1, 3))
    assert (blocks == np.where(target, 0, 255)).all()


def test_small_grids_are_shown_as_text_and_prompts_never_change():
    prompt = TASK.prompt(SECOND)
    assert "##########..\n" in prompt.text
    assert prompt.pictures == ()
    assert prompt == TASK.prompt(SECOND)


@pytest.mark.parametrize(("share", "score"), [(0.749, 0), (0.75, 0.316), (0.9, 0.656), (0.95, 0.815), (0.99, 0.961)])
def test_the_score_is_the_fourth_power_of_the_share(share, score):
    assert score_of(share) == pytest.approx(score, abs=5e-4)


def test_published_scores_are_reproduced():
    assert score_of(1848 / 2304) == pytest.approx(0.4138833622873566, rel=1e-14)
    assert score_of(7409 / 9216) == pytest.approx(0.417703885214079, rel=1e-14)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "No function provided"),
        ("def f(x,y): return sin(x)+y", "Not allowed: 'sin' at line 1, column 20"),
        ("def f(x,y): return x+y # why", "Not allowed: a comment at line 1, column 26"),
        ("def f(x,y): return x+y # 1", "Not allowed: a comment at line 1, column 24"),
        ("def f(x: int, y): return x+y", "Not allowed: 'int' at line 1, column 10"),
        ("def f(x,y): return x if x>0 else y", "Not allowed: 'if' at line 1, column 22"),
        ("def f(x,y): return x > y", "Not allowed: a comparison at line 1, column 20"),
        ("def f(x,y): return f(x,y)", "Not allowed: a call at line 1, column 20"),
        ("def f(x,y): return [x,y][0]", "Not allowed: an index at line 1, column 20"),
        ("def f(x,y): return x+y+xy", "Not allowed: the name 'xy' at line 1, column 24"),
        ("def f(x,y): return x*y+'e'", "Not allowed: a text at line 1, column 24"),
        ("def f(x,y): return x//y", "Not allowed: this operator at line 1, column 20"),
        ("def f(x,y):\n  return 2*x^2+y", "Use ** for powers at line 2, column 13"),
        ("def f(x,y): return x+*y", "Not Python: Invalid syntax at line 1, column 22"),
        ("def f(x,y): return x+y\nx", "Expected exactly: def f(x, y): return <expression>"),
        ("def f(x,y): x; return x+y", "Expected exactly: def f(x, y): return <expression>"),
        ("def f(x,y=1): return x+y", "Expected exactly: def f(x, y): return <expression>"),
        ("@f\ndef f(x,y): return x+y", "Expected exactly: def f(x, y): return <expression>"),
        ("def ff(x,y): return x+y", "Expected exactly: def f(x, y): return <expression>"),
        ("def f(x,y): x+y", "Expected exactly: def f(x, y): return <expression>"),
        ("def f(x,y): return x+1", "f must use both x and y"),
        ("def f(x,y): return y+x**-1", "Not a polynomial: the exponent is negative at line 1, column 25"),
        ("def f(x,y): return y+x**0.5", "Not a polynomial: the exponent is fractional at line 1, column 25"),
        ("def f(x,y): return x**y", "Not a polynomial: the exponent contains x or y at line 1, column 23"),
        ("def f(x,y): return y/(x+1)", "Not a polynomial: the divisor contains x or y at line 1, column 23"),
        ("def f(x,y): return y+x/(2-2)", "Not a polynomial: division by 0 at line 1, column 25"),
        ("def f(x,y): return y+x**65", "The exponent is above 64 at line 1, column 25"),
        ("def f(x,y): return y+x**9**9**9**9", "The exponent is above 64 at line 1, column 31"),
        (f"def f(x,y): return x+y+1{'0' * 60}", "An integer has more than 60 digits at line 1, column 24"),
        (f"def f(x,y): return y+x{'*x' * 2600}", "More than 5000 numbers, variables and operators"),
        (f"def f(x,y): return y+{'-' * 250}x", "Nested more than 200 deep at line 1, column 221"),
        (f"def f(x,y): return y+{'-' * 40000}x", "The expression is nested too deeply"),
        ("def f(x,y): return y+x+1e999", "Not allowed: a number that is not finite at line 1, column 24"),
    ],
)
def test_what_is_no_plain_polynomial_is_refused_with_its_place(text, sentence):
    verdict = judged(text)
    assert verdict.score == 0
    assert failure(verdict) == sentence
    assert TASK.crosscheck(FIRST, {"function": text}).score == 0


@pytest.mark.parametrize("raw", [{}, {"function": None}, {"function": 3}, {"function": ["x"]}])
def test_an_answer_without_a_function_says_so(raw):
    with pytest.raises(AnswerError, match="No function provided"):
        TASK.parse(raw)


def test_a_number_of_thousands_of_digits_is_refused():
    assert "too many digits" in failure(judged(f(f"x+y+0.{'9' * 5000}")))


def test_more_than_100_000_characters_are_refused_unread():
    with pytest.raises(AnswerError, match="more than 100000 characters"):
        TASK.parse({"function": "x" * 100_001})


def test_a_code_fence_and_escaped_line_feeds_are_taken_off_and_noted():
    verdict = judged("```python\\ndef f(x,y):\\n    return " + WHOLE[0] + "\\n```")
    assert verdict.passed
    assert len(verdict.warnings) == 2


def test_long_sums_are_not_deep():
    assert judged("def f(x,y): return y" + "+x" * 2000).checks[5].state is State.PASSED


def test_all_cells_alike_score_nothing():
    verdict = judged(f("x*x+y*y+1"))
    assert verdict.score == 0
    assert [check.message for check in verdict.checks if check.name == "both kinds of cells occur"] == [
        "f is positive in all cells"
    ]


def test_wrong_cells_are_named_the_nearest_to_zero_first():
    verdict = judged(f("11 - (x-4)**2 - (y-5)**2"))
    assert verdict.score == pytest.approx(((64 - verdict.checks[-1].problem_count) / 64) ** 4)
    sizes = [abs(float(p.message.split(" = ")[1].split(" is ")[0])) for p in verdict.checks[-1].problems]
    assert sizes == sorted(sizes)


def test_cells_where_f_overflows_are_wrong_and_the_first_three_are_listed():
    verdict = judged(f("1 - (x*1e200)**2 + 0*y"))
    assert "f(1, 0) has no value: overflow" in failure(verdict)
    assert verdict.checks[6].problem_count == 4


def test_whole_numbers_stay_exact_where_doubles_would_not():
    instance = TASK.instances()[8]
    big = 10**30
    expression = f"({big}*x*x - {big}*x*x + 50 - x) + 0*y"
    assert judged(f(expression), instance).figure("right cells") == judged(f("50-x+0*y"), instance).figure(
        "right cells"
    )


def test_rounding_that_may_have_decided_a_sign_is_warned_of():
    assert judged(f("0.1*x - 0.3*x + 0.2*x + 1e-18*y")).warnings
    assert not judged(f(WHOLE[0])).warnings


def test_evaluation_that_would_take_too_long_is_stopped():
    verdict = judged(f("(((x+2)**64)**64)**64 + y"))
    assert failure(verdict) == "Evaluation too slow"
    assert verdict.score == 0


def test_the_published_verifier_needs_a_blank_after_return():
    text = f"def f(x,y): return({WHOLE[0]})"
    assert judged(text).passed
    assert judged(text, verifier="published").score == 0


@pytest.mark.parametrize(
    "expression", ["x**y - 50", "(x-y)/(x+y)", "x**0.5 - y", "x**(4**0.5) - y", "x/(2**0.5) - y", "y - 2**(2**0.5)*x"]
)
def test_the_published_verifier_works_out_what_is_no_polynomial(expression):
    assert judged(f(expression)).checks[6].state is State.NOT_REACHED
    assert judged(f(expression), verifier="published").checks[4].state is State.PASSED


def test_a_cell_without_a_value_counts_as_wrong_in_the_published_verifier():
    verdict = judged(f("(x-y)/(x+y)"), verifier="published")
    assert failure(verdict) == "f(0, 0) has no value: division by 0"


def test_decimals_are_read_exactly_by_the_cross_check():
    read = formula_of("def f(x,y): return 0.1*x + 0.2*x - 0.3*x + 0*y")
    assert not exact_signs(read, 4).any()


EXPRESSIONS = st.recursive(
    st.sampled_from(["x", "y"]) | st.integers(0, 99).map(str) | st.sampled_from(["0.5", "1e-3", "2.75"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda t: f"({t[0]}{t[1]}{t[2]})"),
        st.tuples(inner, st.integers(0, 4)).map(lambda t: f"({t[0]})**{t[1]}"),
        st.tuples(inner, st.integers(1, 9)).map(lambda t: f"({t[0]})/{t[1]}"),
        inner.map(lambda t: f"-{t}"),
    ),
    max_leaves=8,
)


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(EXPRESSIONS)
def test_doubles_and_python_s_numbers_decide_alike(expression):
    read = formula_of(f"def f(x,y): return {expression} + 0*x*y")
    values = evaluate(read, 5)
    for y in range(5):
        for x in range(5):
            assert values.marked[y, x] == (python_value(read, x, y) > 0)


@settings(deadline=None, max_examples=100)
@given(EXPRESSIONS)
def test_multiplied_out_polynomials_have_the_signs_of_exact_fractions(expression):
    read = formula_of(f"def f(x,y): return {expression} + 0*x*y")
    signs = exact_signs(read, 4)
    for y in range(4):
        for x in range(4):
            assert signs[y, x] == (read.at(Fraction(x), Fraction(y), lambda number: number.exact) > 0)


def test_scaled_coefficients_are_those_that_the_text_was_written_from():
    coefficients = np.array([[0.5, -1, 2], [0.25, 3, 0], [-4, 0, 0]])
    read = formula_of(fitting.formula_text(coefficients, 9))
    assert np.allclose(scaled_coefficients(read, 9), coefficients, atol=1e-12)


def test_least_squares_gets_most_cells_right():
    target = target_of(SECOND)
    marked = fitting.on_grid(fitting.least_squares(target, 3), 12) > 0
    assert (marked == target).mean() > 0.9


def test_the_zero_line_of_a_disc_is_one_closed_circle():
    places = np.linspace(-2, 2, 41)
    (line,) = zero_lines(1.5 - places[None, :] ** 2 - places[:, None] ** 2, places)
    assert np.allclose(line[0], line[-1])
    assert np.allclose(np.hypot(*line.T), 1.5**0.5, atol=0.01)


@pytest.mark.parametrize("difficulty", [{}, {"size": 8}, {"size": 44, "smoothing_passes": 5, "fill": 0.3}])
def test_generated_grids_can_be_separated_and_repeat_for_their_seed(difficulty):
    instance = TASK.generate(4, **difficulty)
    assert instance == TASK.generate(4, **difficulty)
    answer = TASK.solve(instance)
    assert TASK.verify(instance, answer).passed
    assert TASK.crosscheck(instance, answer).passed


def test_published_parameters_generate_the_published_grid():
    instance = TASK.generate(11, size=8, blobs=3, waves=1, smoothing_passes=2)
    assert (target_of(instance) == target_of(FIRST)).all()


def test_a_grid_that_needs_a_higher_degree_is_refused():
    with pytest.raises(InstanceError, match="no polynomial of degree 1"):
        TASK.generate(11, size=8, max_degree=1)


def test_a_verdict_travels_as_json_and_names_cells_of_the_scene():
    answer = TASK.parse(f("11 - (x-4)**2 - (y-5)**2"))
    verdict = TASK.verify(FIRST, answer)
    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict
    cells = TASK.scene(FIRST, answer, verdict).item("cell")
    assert set(verdict.failed_elements) <= {cells.id_of(cell) for cell in cells.cells}


@pytest.mark.parametrize("text", ["", "def f(x,y): return sin(x)", "def f(x,y): return (((x+2)**64)**64)**64+y"])
def test_the_scene_of_a_formula_without_values_is_the_target(text):
    answer = TASK.empty(FIRST).model_copy(update={"function": text})
    assert [item.name for item in TASK.scene(FIRST, answer).items] == ["cell"]


def test_the_products_of_a_grid_are_worked_out_once_for_all_fits(monkeypatch):
    target = target_of(TASK.instances()[1])
    first = fit(target, 7, {})
    monkeypatch.setattr(fitting, "axis_values", lambda *_: pytest.fail("worked out again"))
    np.testing.assert_array_equal(fit(target, 7, {}), first)
    assert fit(target, 7, {(0, 0): True}).shape == first.shape


def test_cells_that_all_count_alike_are_fitted_as_if_none_was_weighted():
    target = target_of(TASK.instances()[1])
    some = np.argwhere(target)[:, ::-1]
    np.testing.assert_allclose(least_squares(target, 5), least_squares(target, 5, some, 1.0), atol=1e-10)
