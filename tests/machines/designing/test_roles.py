"""What roles are told, and how their answers are read."""

from dataclasses import replace

import pytest

from spatial_workbench.engine.machines.building.positions import write_positions
from spatial_workbench.engine.machines.building.tree import MachineBlock
from spatial_workbench.engine.machines.designing.prompts import Assignment, Briefing, Representation
from spatial_workbench.engine.machines.designing.replies import (
    Inspection,
    MachineStructure,
    ReplyError,
    necessary_types,
    read_inspection,
    read_machine,
    read_plan,
    read_steps,
    section,
)
from spatial_workbench.engine.machines.designing.roles import ROLES, Role, prompt_of
from spatial_workbench.engine.machines.levels.catalogue import level_of

TREE = (MachineBlock(0, 0, -1, -1), MachineBlock(1, 1, 0, 0), MachineBlock(2, 2, 1, 0))
BEAM = '[{"type": 0, "id": 0, "parent": -1, "face_id": -1}, {"type": 1, "id": 1, "parent": 0, "face_id": 0}]'
THROW = Assignment(level_of("T2"), "Throw the boulder.")
TOLD = Briefing(THROW, TREE, feedback="It fell over.", history="EARLIER TRIES")
ARM = MachineStructure("arm", "a long lever", ("throw",), (41, 30), "on the mast")
PLAN = """{"definition": "a catapult", "function_points": ["stand", "throw"],
 "design_structure": [{"function_name": "Arm", "description": "a lever", "related_function_points": ["throw"]}],
 "build_order": ["base", "arm"],
 "machine_structure": {"arm": {"block_id": [41, "30"], "reason": "light"},
                       "Base": {"block_id": [15], "guidance": "wide"}}}"""


def test_a_single_agent_is_told_the_rules_the_blocks_of_the_level_and_the_form():
    prompt = prompt_of(Role.SINGLE, Briefing(THROW))
    for words in (
        "left-handed",
        "17 m wide",
        "may overlap",
        "type 36",
        "face_id",
        "<cot>",
        "necessary_blocks",
        "gravity",
    ):
        assert words in prompt.system
    assert "type 28" not in prompt.system
    assert prompt.user == "TASK\n\nThrow the boulder."


def test_the_meta_designer_is_told_all_blocks_and_the_recommended_ones():
    plain, detailed = (
        prompt_of(Role.META_DESIGNER, Briefing(THROW, is_detailed=is_detailed)) for is_detailed in (False, True)
    )
    for words in ("type 28", "at most three types", "function_points", "build_order", "machine_structure"):
        assert words in plain.system
    assert "Recommended types: 0, 1, 2, 5" in plain.user
    assert "block by block" in detailed.system
    assert "block by block" not in plain.system


def test_the_designer_sees_the_types_so_far_and_from_the_second_layer_on_the_3d_information():
    told = Briefing(THROW, structure=ARM, types=frozenset((41, 30)))
    first = prompt_of(Role.DESIGNER, told)
    second = prompt_of(Role.DESIGNER, replace(told, tree=TREE))
    assert "type 41" in first.system
    assert "type 22" not in first.system
    assert "a long lever" in first.user
    assert "3D INFORMATION" not in first.user
    assert "3D INFORMATION" in second.user


def test_the_inspector_is_asked_for_three_sections_and_may_decide_on_the_3d_information():
    told = replace(TOLD, structures=["arm: blocks 1, 2"])
    prompt = prompt_of(Role.INSPECTOR, told)
    for words in ("<Three-Dimensional Perception of the World>", "<Question Answer>", "<Summary of Design Defects>"):
        assert words in prompt.system
    assert "arm: blocks 1, 2" in prompt.user
    assert "<Give 3D Info>" not in prompt.system
    assert "<Give 3D Info>" in prompt_of(Role.INSPECTOR, replace(told, decides_information=True)).system


def test_the_blind_refiner_gets_the_report_and_the_blocks_that_it_names():
    prompt = prompt_of(Role.BLIND_REFINER, replace(TOLD, inspection=Inspection("The beam is weak.", (1,))))
    for words in ("<Required Feedback>", "<Modification Steps>", "Move [id]"):
        assert words in prompt.system
    assert "The beam is weak." in prompt.user
    assert prompt.user.split("BLOCKS NAMED AS DEFECTIVE")[1].count('"tid"') == 1
    assert "It fell over." not in prompt.user


def test_the_refiner_gets_feedback_and_history_but_asks_for_nothing():
    prompt = prompt_of(Role.REFINER, TOLD)
    assert "It fell over." in prompt.user
    assert "EARLIER TRIES" in prompt.user
    assert "<Required Feedback>" not in prompt.system
    assert "<Modification Steps>" in prompt.system


def test_the_querier_is_told_the_limits_of_its_questions():
    prompt = prompt_of(Role.QUERIER, TOLD)
    assert "from 0 to 5; samples are 0.2 s apart" in prompt.system
    assert "It fell over." in prompt.user


def test_without_3d_information_no_role_gets_it():
    told = replace(TOLD, with_information=False, inspection=Inspection("Bad.", (1,)))
    users = [prompt_of(role, told).user for role in ROLES]
    assert not any("3D INFORMATION" in user or "DEFECTIVE" in user for user in users)


def test_machines_may_be_listed_by_place():
    by_place = Assignment(level_of("T2"), "Throw.", Representation.POSITIONS)
    prompt = prompt_of(Role.REFINER, replace(TOLD, assignment=by_place))
    assert '"Position": [0.0, 0.0, 0.5]' in prompt.user
    assert '"face_id"' not in prompt.system + prompt.user


@pytest.mark.parametrize("text", [BEAM, f"A beam.\n```json\n{BEAM}\n```", f'{{"blocks": {BEAM}}}'])
def test_a_machine_is_read_from_a_fenced_block_or_the_whole_text(text):
    assert read_machine(text) == (MachineBlock(0, 0, -1, -1), MachineBlock(1, 1, 0, 0))


def test_a_machine_is_read_by_place():
    assert read_machine(str(write_positions(TREE))) == TREE


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I cannot.", "no machine"),
        ('```json\n[{"type": 0, / root\n}]\n```', "not JSON"),
        ("[]", "list of blocks"),
        (BEAM.replace('"parent": 0', '"parent": 7'), "block 1: Its parent 7"),
    ],
)
def test_a_reply_without_a_machine_is_refused_with_the_reason(text, reason):
    with pytest.raises(ReplyError, match=reason):
        read_machine(text)


def test_the_types_of_an_idea_are_read():
    assert necessary_types("A car. `necessary_blocks [0, 2, 15]`") == (0, 2, 15)
    assert necessary_types("A car.") == ()


def test_a_plan_lists_its_structures_in_the_order_of_building():
    plan = read_plan(f"Here it is.\n```json\n{PLAN}\n```")
    assert [part.name for part in plan.structures] == ["Base", "arm"]
    assert plan.structures[1] == MachineStructure("arm", "a lever", ("throw",), (41, 30), "light")


def test_a_plan_without_an_order_is_built_as_it_is_listed():
    plan = read_plan('So: {"machine_structure": {"b": {"block_id": 1}, "a": {"block_id": [2]}}} Done.')
    assert [(part.name, part.types) for part in plan.structures] == [("b", (1,)), ("a", (2,))]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"machine_structure"', '"structures"', "machine_structure"),
        ('["base", "arm"]', '["base", "leg"]', "“leg”"),
        ('["base", "arm"]', "3", "build_order"),
        ('[41, "30"]', "[41, 99]", "“arm”, “block_id”: there is no block of type 99"),
        ('{"block_id": [15], "guidance": "wide"}', '"wide"', "“Base”"),
        ("{", "(", "no JSON object"),
    ],
)
def test_a_plan_that_cannot_be_used_is_refused_with_the_field(old, new, reason):
    with pytest.raises(ReplyError, match=reason):
        read_plan(PLAN.replace(old, new))


@pytest.mark.parametrize(
    "steps",
    [
        "<Modification Steps>\nAdd [1] to [0] in [2]\nRemove [2]\n</Modification Steps>",
        "<modification_steps>\n1. Add [1] to [0] in [2]\n2) Remove [2]",
        "<Modification Steps>\n**Add [1] to [0] in [2]** (on [0])\nRemove [2]  # [1] stays",
        "<Modification Steps>\n```\n- Add [1] to [0] in [2]\n- `Remove [2]`\n```\n</Modification Steps>",
        'I fill <Modification Steps> below.\n<Modification Steps>["Add [1] to [0] in [2]",\n"Remove [2]"]</x>',
    ],
)
def test_steps_are_read_with_numbers_marks_and_open_sections(steps):
    assert read_steps(steps) == ("Add [1] to [0] in [2]", "Remove [2]")


@pytest.mark.parametrize("text", ["Remove [2]", "<Modification Steps>\nnothing to do\n</Modification Steps>"])
def test_a_reply_without_steps_is_refused(text):
    with pytest.raises(ReplyError, match="Modification Steps"):
        read_steps(text)


def test_too_many_steps_are_refused_before_any_is_tried():
    with pytest.raises(ReplyError, match="10,000 commands; at most 200"):
        read_steps("<Modification Steps>\n" + "Remove [1]\n" * 10_000)


@pytest.mark.parametrize("word", ["NaN", "1e999", "1" + "0" * 400, "[" * 100_000])
def test_numbers_beyond_all_bounds_are_refused_with_the_field(word):
    text = '{"machine_structure": {"arm": {"block_id": [%s]}}}'
    with pytest.raises(ReplyError, match=r"block_id|JSON"):
        read_plan(text % word)


def test_the_inspector_names_blocks_in_brackets():
    text = "<Summary of Design Defects>\nBlocks [2, 1] wobble; [9] too.\n</Summary of Design Defects>"
    assert read_inspection(text, TREE).defects == (1, 2)
    assert read_inspection(f"{text}<Give 3D Info>\nFalse</Give 3D Info>", TREE).gives_information is False


def test_an_inspector_without_a_bracketed_list_is_asked_again():
    assert read_inspection("<Summary of Design Defects>None: []", TREE).defects == ()
    with pytest.raises(ReplyError, match="square brackets"):
        read_inspection("<Summary of Design Defects>All is well.</Summary of Design Defects>", TREE)
    with pytest.raises(ReplyError, match="is missing"):
        read_inspection("All is well: [1].", TREE)


def test_an_open_section_ends_at_the_next_tag():
    assert section("<Thought Process>\nx < 3\n<Modification Steps>\nRemove [1]", "Thought Process") == "x < 3"
