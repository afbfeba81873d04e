"""Workflows from their start to their answer, with scripted roles and made-up simulations."""

import json
from pathlib import Path

import pytest

from spatial_workbench.engine.machines.building.tree import MachineBlock, write_tree
from spatial_workbench.engine.machines.designing.prompts import Assignment
from spatial_workbench.engine.machines.designing.roles import Role
from spatial_workbench.engine.machines.designing.workflow_lines import TimeUp
from spatial_workbench.engine.machines.designing.workflow_records import WorkflowOptions, WorkflowRecord, path_to
from spatial_workbench.engine.machines.designing.workflows import run_workflow
from spatial_workbench.engine.machines.levels.catalogue import level_of
from spatial_workbench.engine.machines.results.scoring import Measure, Score
from tests.machines.traces import moving, trace_of

ROOT = MachineBlock(0, 0, -1, -1)
CAR = (ROOT, MachineBlock(1, 1, 0, 0))
LEVEL = level_of("M1")
OVERLAPPING = (ROOT, MachineBlock(1, 1, 0, 0), MachineBlock(1, 2, 0, 0))


def listed(tree):
    return f"Here.\n```json\n{json.dumps(write_tree(tree))}\n```"


def steps(*lines):
    return "<Modification Steps>\n" + "\n".join(lines) + "\n</Modification Steps>"


def plan(**structures):
    parts = {name: {"block_id": types, "guidance": "so"} for name, types in structures.items()}
    return json.dumps({"build_order": list(parts), "machine_structure": parts})


DEFECTS = "<Summary of Design Defects>The end [1] is bare.</Summary of Design Defects>"
QUERY = '<Required Feedback>[{"id": 0, "duration": [0, 0.4], "properties": ["velocity"]}]</Required Feedback>'
MORE = steps("Add [15] to [1] in [0]")
SIDE = steps("Add [15] to [0] in [2]")
WRONG = steps("Add [15] to [0] in [2]", "Remove [0]")


class Roles:
    """Answers from a script for each role: a text for always, or a list of texts, whose last stands for the rest."""

    def __init__(self, **script):
        usual = {"single": listed(CAR), "meta_designer": plan(beam=[1]), "designer": listed(CAR), "inspector": DEFECTS}
        usual |= {"blind_refiner": MORE, "refiner": SIDE, "querier": QUERY}
        self.script = {
            name: [texts] if isinstance(texts, str) else list(texts) for name, texts in (usual | script).items()
        }
        self.asked = []
        self.prompts = []

    def ask(self, place, role, prompt):
        self.asked.append(role.value)
        self.prompts.append(prompt.user)
        texts = self.script[role.value.replace(" ", "_").replace("-", "_")]
        return texts.pop(0) if len(texts) > 1 else texts[0]

    def simulate(self, tree):
        return simulate(tree)

    def together(self, works):
        return [work() for work in works]

    def count(self, role):
        return self.asked.count(role)


def simulate(tree):
    """A machine goes as many metres as it has blocks."""
    metres = float(len(tree))
    shown = Measure("distance", metres, "m")
    figures = (Measure("R", metres, "m"), shown, Measure("farthest", metres, "m"))
    motion = moving((0, 1, 0), (0, 0, metres / 5))
    return trace_of(motion, others=dict.fromkeys(range(1, len(tree)), motion)), Score(
        metres, shown, metres, None, figures
    )


def run(kind, roles, **options):
    usual = {"designs": 2, "rounds": 1, "candidates": 2, "strategy": "best-of-n"}
    assignment = Assignment(LEVEL, "Drive.")
    chosen = WorkflowOptions(**(usual | options))
    return run_workflow(kind, assignment, chosen, roles)


def test_a_single_agent_is_asked_once():
    roles = Roles()
    record = run("single", roles)
    assert roles.asked == ["single"]
    assert (record.end, record.best, record.machines[0].score) == ("finished", 0, 2.0)


def test_a_single_agent_is_not_asked_again_where_its_machine_is_not_valid():
    record = run("single", Roles(single=listed(OVERLAPPING)))
    assert (record.end, record.best, len(record.calls)) == ("no machine", None, 1)
    assert "OVERLAP" in record.machines[0].faults[-1]


def test_iterative_editing_designs_inspects_refines_and_goes_on_in_rounds():
    roles = Roles()
    record = run("iterative", roles)
    assert roles.asked == [
        *["designer"] * 2,
        "inspector",
        *["blind refiner"] * 4,
        "querier",
        *["refiner", "querier"] * 2,
    ]
    assert [machine.stage for machine in record.machines] == ["design", "design", "blind", "round", "round"]
    assert [machine.score for machine in record.machines] == [2, 2, 3, 4, 4]
    assert (record.end, record.best, record.options.meta_designer) == ("finished", 3, "none")
    assert path_to(record.machines, 3) == [0, 2, 3]


def test_every_machine_names_its_call_its_parent_and_its_commands():
    record = run("iterative", Roles())
    machine = record.machines[3]
    assert (machine.parent, machine.lines) == (2, ("Add [15] to [0] in [2]",))
    call = record.calls[machine.call]
    assert (call.role, call.about, call.candidate, call.attempt) == (Role.REFINER, 2, 0, 1)
    assert call.parsed[0]["outcome"] == "Success"
    assert "COMMANDS" in record.systems[call.system]


def test_a_hierarchical_run_builds_a_layer_for_every_structure_in_its_order():
    longer = (*CAR, MachineBlock(15, 2, 1, 0))
    roles = Roles(meta_designer=plan(beam=[1], nose=[15]), designer=[listed(CAR), listed(CAR), listed(longer)])
    record = run("hierarchical", roles)
    assert roles.asked[:6] == ["meta-designer", *["designer"] * 4, "inspector"]
    assert [(machine.layer, machine.parent) for machine in record.machines[:4]] == [
        (0, None),
        (0, None),
        (1, 0),
        (1, 1),
    ]
    assert "beam: blocks 0, 1\nnose: blocks 2" in roles.prompts[5]
    assert "nose" in record.plan["structures"][1]["name"]


def test_calls_of_a_layer_begin_with_the_valid_machines_below_counted_round():
    longer = (*CAR, MachineBlock(15, 2, 1, 0))
    designs = [listed(CAR), "none", listed(OVERLAPPING), listed(CAR), listed(longer)]
    record = run("hierarchical", Roles(meta_designer=plan(beam=[1], nose=[15]), designer=designs), designs=4)
    below = [call.about for call in record.calls if call.role is Role.DESIGNER][4:]
    assert below == [0, 2, 0, 2]


def test_a_layer_without_a_valid_machine_is_repeated_six_times_at_most():
    roles = Roles(designer="I cannot.")
    record = run("hierarchical", roles)
    assert (roles.count("designer"), record.end, record.best) == (12, "no machine", None)
    again = Roles(designer=["none", listed(OVERLAPPING), "none", listed(CAR)])
    assert run("hierarchical", again).end == "finished"
    assert again.count("designer") == 4


def test_the_meta_designer_is_told_what_was_wrong_and_asked_five_times_at_most():
    roles = Roles(meta_designer=["no plan", plan(beam=[1])])
    assert run("hierarchical", roles).end == "finished"
    assert "Your last answer could not be used: The reply has no JSON object" in roles.prompts[1]
    assert run("hierarchical", Roles(meta_designer="no plan")).end == "no plan"


def test_the_inspector_is_asked_until_it_names_blocks_and_five_times_at_most():
    roles = Roles(inspector=["All is well.", DEFECTS])
    assert "[1] is bare" in run("iterative", roles).calls[4].prompt
    silent = Roles(inspector="All is well.")
    record = run("iterative", silent)
    assert (silent.count("inspector"), record.end) == (5, "finished")


def test_the_first_blind_candidate_whose_steps_all_succeed_wins():
    roles = Roles(blind_refiner=[WRONG, "none", MORE])
    record = run("iterative", roles)
    tries = [(call.candidate, call.attempt) for call in record.calls if call.role is Role.BLIND_REFINER]
    assert tries == [(0, 1), (1, 1), (2, 1), (3, 1)]
    blind = [machine for machine in record.machines if machine.stage == "blind"]
    assert [record.calls[machine.call].candidate for machine in blind] == [2]


def test_a_machine_that_the_blind_refiner_cannot_mend_is_lost():
    roles = Roles(blind_refiner=WRONG)
    record = run("iterative", roles)
    assert (roles.count("blind refiner"), roles.count("refiner")) == (20, 0)
    assert (record.end, record.lost, record.best) == ("lost", (0,), 0)


def test_where_several_machines_are_refined_the_best_comes_first_and_a_lost_one_does_not_stop_the_others():
    longer = (*CAR, MachineBlock(15, 2, 1, 0))
    blind = [WRONG] * 20 + [MORE]
    record = run("iterative", Roles(designer=[listed(CAR), listed(longer)], blind_refiner=blind), machines=2)
    assert record.lost == (1,)
    assert [found.root for found in record.searches] == [2]


def test_a_candidate_that_fails_is_told_its_history_and_what_others_failed_with():
    roles = Roles(refiner=[WRONG, steps("Add [15] to [9] in [0]"), SIDE])
    run("iterative", roles)
    third = roles.prompts[[k for k, role in enumerate(roles.asked) if role == "refiner"][2]]
    assert "Try 1:\nAdd [15] to [0] in [2]: Success\nRemove [0]: Error: The starting block" in third
    assert "at the beginning: Add [15] to [9] in [0]" in third
    assert "after Add [15] to [0] in [2]: Remove [0]" in third


def test_a_candidate_gets_five_tries_and_the_parent_stays_where_all_fail():
    roles = Roles(refiner=WRONG)
    record = run("iterative", roles)
    assert roles.count("refiner") == 10
    assert (record.searches[0].kept, record.searches[0].expanded) == ((2,), (0,))
    assert max(call.attempt for call in record.calls) == 5


def test_without_history_a_candidate_is_not_told_what_failed():
    roles = Roles(refiner=[WRONG, SIDE])
    run("iterative", roles, history=False)
    assert not any("EARLIER TRIES" in prompt for prompt in roles.prompts)


def test_the_refiner_is_told_the_basic_feedback_and_the_answers_to_the_querier():
    roles = Roles()
    run("iterative", roles)
    told = roles.prompts[roles.asked.index("refiner")]
    assert "Broken parts: none" in told
    assert "Starting Block (id 0), type 0, 0 s to 0.4 s" in told
    assert "Starting Block (id 0), type 0" not in roles.prompts[roles.asked.index("querier")]


@pytest.mark.parametrize(
    ("option", "role", "words", "is_said"),
    [
        ({"querier": False}, "refiner", "type 0, 0 s to 0.4 s", False),
        ({"feedback": "score"}, "refiner", "Broken parts", False),
        ({"feedback": "score"}, "refiner", "Distance: 3 m.", True),
        ({"information": "never"}, "refiner", "3D INFORMATION", False),
        ({"information": "inspector"}, "refiner", "3D INFORMATION", False),
        ({"representation": "positions"}, "refiner", '"Position"', True),
        ({"inspector": False}, "blind refiner", "REPORT ON DEFECTS", False),
        ({}, "refiner", "3D INFORMATION", True),
        ({}, "blind refiner", "REPORT ON DEFECTS", True),
    ],
)
def test_variants_change_what_roles_are_told(option, role, words, is_said):
    roles = Roles(inspector=f"{DEFECTS}<Give 3D Info>False</Give 3D Info>")
    assert run("iterative", roles, **option).end == "finished"
    assert (words in roles.prompts[roles.asked.index(role)]) is is_said


def test_variants_leave_out_roles():
    roles = Roles()
    run("hierarchical", roles, meta_designer="none", inspector=False, querier=False)
    assert set(roles.asked) == {"designer", "blind refiner", "refiner"}


def test_a_tree_search_visits_children_before_it_expands_them():
    roles = Roles()
    record = run("iterative", roles, strategy="mcts", rounds=4, candidates=None)
    assert record.searches[0].expanded == (4, 0, 0, 0)
    assert record.searches[0].visits == {2: 4, 3: 1, 4: 1, 5: 1, 6: 1}


class Impatient(Roles):
    """Roles whose time is up after some calls."""

    def __init__(self, calls):
        super().__init__()
        self.calls = calls

    def ask(self, place, role, prompt):
        if len(self.asked) == self.calls:
            raise TimeUp
        return super().ask(place, role, prompt)


@pytest.mark.parametrize(("calls", "best"), [(1, 0), (2, 0), (5, 2), (7, 2), (9, 3)])
def test_when_time_is_up_the_best_machine_so_far_is_the_answer(calls, best):
    record = run("iterative", Impatient(calls))
    assert (record.end, record.best, len(record.calls)) == ("timeout", best, calls)


def test_a_simulation_that_fails_scores_nothing_and_is_flagged():
    class Failing(Roles):
        def simulate(self, tree):
            nothing = Score(0.0, Measure("distance", 0.0, "m"), 0.0, None, (), ("The simulation failed",))
            return trace_of(fault="speeds over 1,000 m/s"), nothing

    record = run("iterative", Failing())
    assert {machine.score for machine in record.machines} == {0.0}
    assert record.machines[0].fault == "speeds over 1,000 m/s"


class Stored(Roles):
    """Roles that gave their answers in a stored run: each by its role, the machine, the candidate and the try."""

    def __init__(self, record):
        super().__init__()
        self.answers = {}
        for call in record.calls:
            self.answers.setdefault((call.role, call.prompt), []).append(call.answer)

    def ask(self, place, role, prompt):
        super().ask(place, role, prompt)
        known = self.answers.get((role, prompt.user), ["none"])
        return known.pop(0) if len(known) > 1 else known[0]


def test_a_run_that_yesterdays_version_stored_is_told_the_same_byte_for_byte_and_makes_the_same_machines():
    record = WorkflowRecord.model_validate_json((Path(__file__).parent / "data/hierarchical_run.json").read_bytes())
    again = run("hierarchical", Stored(record))
    told = {(record.systems[call.system], call.prompt) for call in record.calls}
    # Then, blind candidates were asked one after the other until one succeeded.
    assert told <= {(again.systems[call.system], call.prompt) for call in again.calls}
    assert [machine.tree for machine in again.machines] == [machine.tree for machine in record.machines]
    assert [machine.feedback for machine in again.machines] == [machine.feedback for machine in record.machines]
    assert again.best == record.best


def test_options_are_checked():
    with pytest.raises(ValueError, match="rounds"):
        WorkflowOptions(rounds=-1)
    assert WorkflowOptions().strategy == "mcts"
