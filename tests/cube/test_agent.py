"""Agents on the cube: tools and their refusals, steps in code and by calls, limits, and what is written down."""

import json
import os
import re
import subprocess
import time

import pytest

from spatial_workbench.engine.core import Cancelled
from spatial_workbench.engine.core.agents import NoReply, Reply
from spatial_workbench.engine.cube.agent import (
    AgentKind,
    CubeEnvironment,
    CubeSetting,
    EndReason,
    RunRecord,
    play,
    run_id,
)
from spatial_workbench.engine.cube.agent.episode import STEP_SECONDS
from spatial_workbench.engine.cube.agent.prompts import first_message
from spatial_workbench.engine.cube.facelets import SOLVED, apply_moves
from spatial_workbench.engine.cube.notation import quarter_turns
from spatial_workbench.engine.cube.rewards import sticker_measure
from spatial_workbench.engine.cube.strings import colours_of_faces, solver_of_faces
from spatial_workbench.engine.sandbox import ToolError, availability

ONE_AWAY = apply_moves(SOLVED, ["R"])
FAR = apply_moves(SOLVED, ["R", "U", "F'", "L", "D", "B'"])


class Script:
    """A model that says what was written down before."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.heard = []

    def reply(self, messages, seconds_left):
        self.heard.append(messages[-1])
        if not self.replies:
            raise NoReply("nothing more to say")
        text = self.replies.pop(0)
        return Reply(text, tokens_in=10, tokens_out=5)


def code(text):
    return f"Thought: go on.\n```python\n{text}\n```"


def call(tool, **arguments):
    return f"Thought.\n{json.dumps({'tool': tool, 'arguments': arguments})}"


@pytest.fixture
def sandbox():
    if not availability().available:
        pytest.skip(availability().reason)


# Tools ---------------------------------------------------------------------------------------------------------------


def test_a_move_turns_the_cube_and_gives_the_reward():
    environment = CubeEnvironment(ONE_AWAY, reward_kind="sticker")
    assert environment.make_move("R'") == 54 - sticker_measure(ONE_AWAY)
    assert environment.is_solved
    assert environment.moves == ["R'"]


@pytest.mark.parametrize("prime", ["R'", "R’", "R′", "R`"])
def test_every_spelling_of_the_prime_is_read(prime):
    environment = CubeEnvironment(ONE_AWAY)
    environment.make_move(prime)
    assert environment.is_solved


@pytest.mark.parametrize("move", ["R2", "r", "M", "x", "", "RR", 5, None, ["R"]])
def test_anything_but_the_twelve_quarter_turns_is_refused_and_changes_nothing(move):
    environment = CubeEnvironment(FAR)
    with pytest.raises(ToolError, match="a half turn is two quarter turns"):
        environment.make_move(move)
    assert (environment.state, environment.moves, environment.invalid) == (FAR, [], 1)


def test_without_reward_every_move_gives_0():
    environment = CubeEnvironment(FAR)
    assert [environment.make_move(m) for m in ("R", "U'", "F")] == [0.0, 0.0, 0.0]


def test_the_rewards_along_a_path_add_up_to_the_difference():
    environment = CubeEnvironment(FAR, reward_kind="sticker")
    gained = sum(environment.make_move(move) for move in ("R", "U'", "F", "D", "B'"))
    assert gained == sticker_measure(environment.state) - sticker_measure(FAR)


def test_after_the_end_nothing_changes_any_more():
    environment = CubeEnvironment(ONE_AWAY)
    environment.make_move("R'")
    with pytest.raises(ToolError, match="the run has ended"):
        environment.make_move("U")
    assert environment.is_solved


def test_the_symbolic_observation_is_54_colours():
    environment = CubeEnvironment(FAR)
    assert environment.get_observation() == colours_of_faces(FAR)


@pytest.mark.parametrize("setting", [CubeSetting.FULL_VISUAL, CubeSetting.FACE_VIEW, CubeSetting.VERTEX_VIEW])
def test_the_other_observations_are_pictures(setting):
    assert CubeEnvironment(FAR, setting).observed().startswith(b"\x89PNG")


def test_the_view_is_moved_and_counted_only_where_it_changes():
    environment = CubeEnvironment(FAR, CubeSetting.VERTEX_VIEW)
    assert environment.apply_view_transformation("left") == "ok"
    assert "already at the top" in environment.apply_view_transformation("up")
    assert environment.views == 1
    with pytest.raises(ToolError, match="E_DIRECTION"):
        environment.apply_view_transformation("north")


@pytest.mark.parametrize("setting", [CubeSetting.FULL_SYMBOLIC, CubeSetting.FULL_VISUAL])
def test_the_view_tool_exists_only_under_partial_observation(setting):
    assert "apply_view_transformation" not in CubeEnvironment(FAR, setting).tools()


def test_the_standard_solver_answers_about_the_string_that_it_is_given():
    environment = CubeEnvironment(FAR, agent=AgentKind.STANDARD_SOLVER, solver=lambda state: ["R2"])
    assert environment.standard_solver(solver_of_faces(ONE_AWAY)) == ["R2"]
    assert environment.standard_solver(solver_of_faces(SOLVED)) == []
    with pytest.raises(ToolError, match="E_LENGTH"):
        environment.standard_solver("UUU")
    assert (environment.solver_calls, environment.invalid) == (3, 1)


def test_the_ideal_solver_takes_the_observation_as_it_is():
    seen = []
    environment = CubeEnvironment(FAR, agent=AgentKind.IDEAL_SOLVER, solver=lambda state: seen.append(state) or ["U"])
    environment.ideal_solver(environment.get_observation())
    assert seen == [FAR]


def test_the_solver_tools_ask_the_two_phase_solver():
    pytest.importorskip("kociemba")
    environment = CubeEnvironment(FAR, agent=AgentKind.IDEAL_SOLVER)
    for move in quarter_turns(environment.ideal_solver(environment.get_observation())):
        environment.make_move(move)
    assert environment.is_solved


def test_without_a_solver_its_absence_is_told(monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.cube.two_phase.is_available", lambda: False)
    with pytest.raises(ToolError, match="needs the extra “solver”"):
        CubeEnvironment(FAR, agent=AgentKind.IDEAL_SOLVER).ideal_solver(colours_of_faces(FAR))


def test_each_agent_has_its_tools():
    names = {kind: set(CubeEnvironment(FAR, agent=kind).tools()) for kind in AgentKind}
    assert "StandardSolverTool" in names[AgentKind.STANDARD_SOLVER]
    assert "IdealSolverTool" not in names[AgentKind.STANDARD_SOLVER]
    assert names[AgentKind.BASIC] == {"make_move", "get_observation", "final_answer"}


# Without code --------------------------------------------------------------------------------------------------------


def test_a_planned_list_is_carried_out_until_the_cube_is_solved():
    model = Script(call("make_move", moves=["R'", "U", "U"]))
    record = play(CubeEnvironment(ONE_AWAY), model, uses_code=False, depth=1)
    assert (record.end, record.moves, record.move_ratio) == (EndReason.SOLVED, ("R'",), 1.0)
    assert record.terminal_reward == 1
    assert "solved" in record.steps[0].observation


def test_a_list_stops_at_the_first_entry_that_is_not_valid():
    model = Script(call("make_move", moves=["U", "R2", "F"]), call("final_answer"))
    record = play(CubeEnvironment(FAR), model, uses_code=False)
    assert record.moves == ("U",)
    assert "a half turn is two" in record.steps[0].observation
    assert record.end is EndReason.GAVE_UP


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("I think.", "no tool call found"),
        ('{"tool": "fly"}', "there is no tool 'fly'"),
        ('{"tool": "make_move", "arguments": 5}', "there is no tool"),
        ('{"tool": "make_move", "arguments": {"move": "U"}}', "make_move takes"),
        ('{"tool": "get_observation"}', colours_of_faces(FAR)),
        ("{" * 5000, "no tool call found"),
    ],
)
def test_what_is_wrong_with_a_call_is_told_and_the_step_counts(reply, words):
    record = play(CubeEnvironment(FAR), Script(reply), uses_code=False, max_steps=1)
    assert words in record.steps[0].observation
    assert record.end is EndReason.STEP_LIMIT


def test_a_picture_is_attached_to_the_observation():
    model = Script(call("get_observation"))
    record = play(CubeEnvironment(FAR, CubeSetting.FACE_VIEW), model, uses_code=False, max_steps=1)
    assert record.steps[0].pictures[0].startswith(b"\x89PNG")


def test_the_pictures_of_a_run_are_stored_with_it():
    model = Script(call("get_observation"))
    record = play(CubeEnvironment(FAR, CubeSetting.VERTEX_VIEW), model, uses_code=False, max_steps=1)
    assert RunRecord.model_validate_json(record.model_dump_json()) == record


def test_the_21st_step_is_never_asked_for():
    model = Script(*[call("make_move", moves=["U"])] * 30)
    record = play(CubeEnvironment(FAR), model, uses_code=False)
    assert len(record.steps) == 20
    assert len(model.replies) == 10


def test_a_model_that_fails_ends_the_run():
    record = play(CubeEnvironment(FAR), Script(), uses_code=False)
    assert (record.end, record.message) == (EndReason.MODEL_ERROR, "nothing more to say")
    assert not record.end.is_normal


def test_the_time_of_a_run_is_limited():
    seconds = iter(range(0, 100_000, 400))
    environment = CubeEnvironment(FAR, clock=lambda: float(next(seconds)))
    record = play(environment, Script(*[call("make_move", moves=["U"])] * 20), uses_code=False)
    assert record.end is EndReason.TIMEOUT


def test_a_record_survives_being_stored():
    record = play(CubeEnvironment(ONE_AWAY), Script(call("make_move", moves=["R'"])), uses_code=False)
    assert type(record).model_validate_json(record.model_dump_json()) == record
    assert record.tokens == 15
    assert record.cost_usd is None


# In code -------------------------------------------------------------------------------------------------------------


def test_code_calls_tools_and_keeps_its_names(sandbox):
    model = Script(code("n = 1\nprint(get_observation()[:3])"), code('for _ in range(n): make_move("R\'")'))
    record = play(CubeEnvironment(ONE_AWAY), model)
    assert record.end is EndReason.SOLVED
    assert record.steps[0].observation == colours_of_faces(ONE_AWAY)[:3] + "\n"


def test_a_run_ends_in_the_middle_of_a_loop_when_the_cube_is_solved(sandbox):
    model = Script(code('while True:\n    try: make_move("R\'")\n    except ToolError: pass'))
    record = play(CubeEnvironment(ONE_AWAY), model)
    assert (record.end, record.moves) == (EndReason.SOLVED, ("R'",))


def test_an_exception_is_told_with_its_line_and_the_run_goes_on(sandbox):
    model = Script(code("x = 1\nmake_move('R2')"), code("final_answer()"))
    record = play(CubeEnvironment(FAR), model)
    assert re.search(r"E_MOVE.*\(line 2\)", record.steps[0].observation)
    assert record.end is EndReason.GAVE_UP


def test_a_step_without_code_counts(sandbox):
    record = play(CubeEnvironment(FAR), Script("Let me think."), max_steps=1)
    assert record.steps[0].observation == "no code block found"


def test_a_sleeping_block_is_stopped_at_the_end_of_the_time(sandbox):
    record = play(CubeEnvironment(FAR), Script(code("import time; time.sleep(60)")), max_seconds=1.5)
    assert record.end is EndReason.TIMEOUT


def test_a_step_has_a_time_of_its_own_and_a_longer_one_ends_the_run_as_the_models_own_failure(sandbox):
    model = Script(code("make_move('U')"), code("while True: pass"), code("make_move('U')"))
    record = play(CubeEnvironment(FAR), model, step_seconds=1.0)
    assert (record.end, record.moves, len(record.steps)) == (EndReason.PROGRAM_ENDED, ("U",), 2)
    assert "it took longer than" in record.message
    assert not record.end.is_normal


@pytest.mark.parametrize("ends", ["import os; os._exit(0)", "import sys; sys.exit(1)", "print('x' * 6_000_000)"])
def test_a_program_that_ends_itself_or_prints_too_much_ends_the_run_with_what_was_done(sandbox, ends):
    model = Script(code("make_move('U')"), code(ends), code("make_move('U')"))
    record = play(CubeEnvironment(FAR), model, max_steps=2 if "sys.exit" in ends else 20)
    if "sys.exit" in ends:
        assert record.end is EndReason.STEP_LIMIT
    else:
        assert (record.end, len(record.steps)) == (EndReason.PROGRAM_ENDED, 2)
    assert record.moves == ("U",)


def test_a_running_step_is_cancelled_with_its_sandbox(sandbox):
    begun = time.monotonic()

    def progress(done, total, text=""):
        if time.monotonic() - begun > 1 and total == STEP_SECONDS:
            raise Cancelled

    with pytest.raises(Cancelled):
        play(CubeEnvironment(FAR), Script(code("while True: pass")), progress=progress)
    assert "sandbox/guest.py" not in subprocess.check_output(
        ["ps", "--ppid", str(os.getpid()), "-o", "args"], text=True
    )


def test_long_output_is_cut_with_a_note(sandbox):
    record = play(CubeEnvironment(FAR), Script(code("print('x' * 50_000)")), max_steps=1)
    assert len(record.steps[0].observation) < 20_100
    assert "more characters" in record.steps[0].observation


def test_an_observed_picture_as_last_expression_is_attached(sandbox):
    model = Script(code("image = get_observation()\nprint(image.size)\nimage"))
    record = play(CubeEnvironment(FAR, CubeSetting.FACE_VIEW), model, max_steps=1)
    assert record.steps[0].observation == "(252, 252)\n"
    assert len(record.steps[0].pictures) == 1


def test_at_most_eight_pictures_are_attached(sandbox):
    model = Script(code("image = get_observation()\nfor _ in range(9): show(image)"))
    record = play(CubeEnvironment(FAR, CubeSetting.FACE_VIEW), model, max_steps=1)
    assert len(record.steps[0].pictures) == 8
    assert "at most 8" in record.steps[0].observation


def test_numpy_works_in_the_code(sandbox):
    model = Script(code("import numpy as np\nprint(np.arange(4).sum())"))
    assert play(CubeEnvironment(FAR), model, max_steps=1).steps[0].observation == "6\n"


# Prompts -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", list(CubeSetting))
@pytest.mark.parametrize("agent", list(AgentKind))
def test_the_first_message_tells_the_tools_and_not_the_depth(setting, agent):
    text = first_message(setting, agent, True, 20, 30)
    tools = CubeEnvironment(FAR, setting, agent).tools()
    assert all(name in text for name in tools)
    assert ("apply_view_transformation" in text) == setting.is_partial
    assert "depth" not in text


def test_configurations_have_names():
    assert run_id(8, 3, CubeSetting.FACE_VIEW) == "d08-s3-face_view"
