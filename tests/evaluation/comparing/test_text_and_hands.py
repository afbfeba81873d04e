"""Models that answered in text and with hands, and studies with conditions of both kinds, are compared in pairs."""

from dataclasses import replace

import pytest

from spatial_workbench.engine.core import Verdict, resolve
from spatial_workbench.engine.core.agents import HANDS, AgentPlan
from spatial_workbench.engine.evaluation.collect import scored
from spatial_workbench.engine.evaluation.comparing.text_and_hands import (
    TextAndHands,
    models_with_hands,
    text_and_hands_table,
)
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.evaluation.results.contents import read
from spatial_workbench.engine.evaluation.results.hands_table import hands_table
from spatial_workbench.engine.evaluation.scored import Ending, Scored
from spatial_workbench.engine.evaluation.study_results import study_results
from spatial_workbench.engine.models import ModelSettings
from spatial_workbench.engine.store import Actor, Asked, ItemState, Project, Transcript
from tests.evaluation.test_study_results import Holding
from tests.studies.sample import outcomes, study


def run(scores, first=100, **more):
    return [
        Scored(
            task="maze_3d",
            address=f"maze_3d:{number}",
            number=number,
            score=score,
            passed=score == 1,
            attempt=first + number,
            **{"model": "oak", **more},
        )
        for number, score in enumerate(scores)
    ]


def cell(table, heading, row=0):
    return table.lines[row].cells[[column.title for column in table.headings].index(heading)]


def test_a_model_is_paired_with_itself_once_for_each_condition_of_its_hands():
    hands = [*run([1, 1], 200, agent=HANDS, condition="hands"), *run([0, 0], 300, agent=HANDS, condition="judged")]
    pairs = models_with_hands([*run([1, 0]), *hands, *run([1], 1, model="elm")])
    assert [(pair.who, pair.condition, len(pair.text), len(pair.hands)) for pair in pairs] == [
        ("oak", "hands", 2, 2),
        ("oak", "judged", 2, 2),
    ]


def test_another_agent_is_neither_text_nor_hands():
    assert models_with_hands([*run([1]), *run([1], 200, agent="react")]) == []


def test_the_difference_is_that_of_hands_minus_text_on_what_both_have_a_score_for():
    text = [*run([1, 0, 0, 0, 0, 0, 0]), *run([1], 50, model="oak", state=Ending.ERROR)]
    hands = run([1, 1, 1, 1, 1, 1], 200, agent=HANDS)
    table = text_and_hands_table([TextAndHands("oak", "hands", text, hands)])
    assert (cell(table, "Subtasks").text, cell(table, "Difference").values[0]) == ("6", pytest.approx(5 / 6))
    # All five subtasks that differ are for hands: of 2^5 exchanges, two are as extreme.
    assert cell(table, "p").values == (2 / 32, 2 / 32)
    assert cell(table, "p of passing").values == (pytest.approx(2 / 32), pytest.approx(2 / 32))
    assert cell(table, "Only one passed").text == "0 : 5"


def test_probabilities_are_corrected_for_the_number_of_lines():
    text, hands = run([0] * 6), run([1] * 6, 200, agent=HANDS)
    pairs = [TextAndHands("oak", name, text, hands) for name in ("hands", "judged", "measured")]
    assert cell(text_and_hands_table(pairs), "p").values == (3 * 2 / 64, 2 / 64)


def test_what_both_took_stands_side_by_side_and_unknown_prices_are_said():
    text, hands = run([0] * 3, output_tokens=100), run([1] * 3, 200, agent=HANDS, output_tokens=5000, cost_usd=0.25)
    table = text_and_hands_table([TextAndHands("oak", "hands", text, hands)])
    assert cell(table, "Tokens").values == (100, 5000)
    assert (cell(table, "Cost").text, cell(table, "Cost").detail) == ("unknown", "hands 0.25")


def test_a_pair_with_nothing_in_common_is_named():
    apart = TextAndHands("elm", "hands", run([1]), [])
    both = TextAndHands("oak", "hands", run([1, 1, 0]), run([1, 0, 0], 200, agent=HANDS))
    table = text_and_hands_table([apart, both])
    assert ([line.title for line in table.lines], table.notes[-1].text) == (
        ["oak"],
        "Nothing in common, so left out: elm, hands.",
    )
    assert text_and_hands_table([apart]) is None


def test_attempts_with_hands_that_no_batch_made_are_no_single_questions(tmp_path):
    with Project.create(tmp_path / "hands.workbench") as project:
        for number in range(4):
            for score, transcript in (
                (0.0, None),
                (1.0, Transcript(kind=HANDS, record='{"options": {"condition": "judged"}}')),
            ):
                address = f"shikaku:{number}"
                verdict = Verdict(instance=address, verifier="default", version="1", score=score, passed=score == 1)
                instance = resolve(address)[1]
                project.attempts.add(instance, "{}", Actor.MODEL, "oak", 9.0, (verdict,), transcript=transcript)
        results = read(project)
    assert results.runs == ("oak", "oak · hands, judged")
    (table,) = next(part for part in results.sections if part.id == "hands").tables
    assert table.rows[0][:6] == ["oak", "judged", 4, 4, 0.0, 1.0]
    scores = next(part for part in results.sections if part.id == "scores").tables[0]
    means = {heading.title: scores.lines[-2].cells[k].text for k, heading in enumerate(scores.headings)}
    assert (means["oak"], means["oak · hands, judged"]) == ("0.0", "100.0")


def test_without_hands_there_is_no_such_section(tmp_path):
    with Project.create(tmp_path / "plain.workbench") as project:
        assert "hands" not in [part.id for part in read(project).sections]


def test_people_who_type_are_compared_with_people_who_have_the_editor():
    of = study(conditions={"typed": {"aids": [], "answer": "text"}, "only": {"aids": ["viewing", "editing"]}})
    given = outcomes(of=of)
    project = Holding(given)
    records = study_results(project)
    built = [item for item in records if "only" in item.model]
    typed = [replace(item, model=item.model.replace("only (8)", "typed (0)")) for item in built]
    table = hands_table(project, [*built, *typed])
    assert [line.title for line in table.lines] == ["people · T"]
    assert (cell(table, "Aids").text, cell(table, "Subtasks").text) == ("only, beside typed", "4")
    assert cell(table, "Difference").text == "0.0"


@pytest.mark.parametrize(("options", "condition"), [({}, "hands"), ({"condition": "measured"}, "measured")])
def test_the_condition_of_hands_in_a_batch_is_that_of_its_plan(tmp_path, options, condition):
    plan = BatchPlan(
        name="hands",
        contenders=(Contender(settings=ModelSettings(name="oak", model="oak", base_url="http://127.0.0.1:9/v1")),),
        addresses=("lego_hemisphere:0", "lego_hemisphere:1"),
        agent=AgentPlan(kind=HANDS, options=options),
    )
    with Project.create(tmp_path / "batch.workbench") as project:
        batch = project.batches.add(plan.name, plan.model_dump_json(), plan.questions())
        first, second = project.items.of_batch(batch)
        project.items.fail(second.number, ItemState.ERROR, "timeout", "")
        transcript = Transcript(kind=HANDS, record="{}")
        asked = Asked(batch=batch, item=first.number)
        instance = resolve(first.address)[1]
        number = project.attempts.add(instance, "", Actor.MODEL, "oak", transcript=transcript, asked=asked)
        project.items.finish(first.number, number)
        found = [(item.agent, item.condition) for item in scored(project)]
    assert found == [(HANDS, condition)] * 2
