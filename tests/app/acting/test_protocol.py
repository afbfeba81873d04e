"""The server of the Model Context Protocol, driven by the client of the package `mcp`."""

import base64
import sys
import threading

import anyio
import httpx
import pytest
from mcp import Client, StdioServerParameters, stdio_client

from spatial_workbench.app.acting.protocol import server_of
from spatial_workbench.app.acting.serving import http_application
from spatial_workbench.engine.core import AnswerError, resolve
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions
from spatial_workbench.engine.evaluation.hands.desk import HandsDesk
from spatial_workbench.engine.evaluation.hands.records import HandsRecord
from spatial_workbench.engine.store import Actor, Project
from tests.evaluation.hands.scripts import BOX, PNG, KnownPictures
from tests.tasks.test_pack_prisms_commands import calls_to

TASK, SEVEN = resolve("pack_prisms:0")
MODES = ("legacy", "auto")


def desk(tmp_path, only=("pack_prisms:0",), **options):
    return HandsDesk(HandsOptions(**options), 30, tmp_path / "acting.workbench", only, KnownPictures())


def talked(desk, talk, mode="legacy"):
    async def go():
        async with Client(server_of(desk), mode=mode) as client:
            return await talk(client)

    return anyio.run(go)


def text_of(result):
    return result.content[0].text


@pytest.mark.parametrize("mode", MODES)
def test_the_commands_of_the_only_instance_are_tools_from_the_start(tmp_path, mode):
    async def talk(client):
        return {tool.name: tool for tool in (await client.list_tools()).tools}

    tools = talked(desk(tmp_path), talk, mode)
    assert {"tasks", "open", "act", "place", "undo", "look", "submit"} <= tools.keys()
    assert "verdict" not in tools
    assert tools["place"].input_schema["required"] == ["size", "corner"]


@pytest.mark.parametrize("mode", MODES)
def test_the_reference_is_built_by_tools_and_stored_with_its_verdicts_and_condition(tmp_path, mode):
    async def talk(client):
        for name, arguments in calls_to(SEVEN, TASK.solve(SEVEN)):
            await client.call_tool(name, arguments)
        return await client.call_tool("submit", {})

    acting = desk(tmp_path)
    assert text_of(talked(acting, talk, mode)) == "The answer is handed in."
    acting.wait_for_verdicts()
    with Project.open(tmp_path / "acting.workbench") as project:
        (row,) = project.runs.select()
        assert (row.actor, row.passed, row.has_transcript) == (Actor.MODEL, True, True)
        assert row.actor_name.endswith("(hands)")
        record = HandsRecord.model_validate_json(project.attempts.transcript(row.number).record)
    assert [call.tool for call in record.calls] == ["place"] * 7 + ["submit"]


class SlowTask:
    """Judges only when it is let."""

    def __init__(self, monkeypatch):
        self.may_judge = threading.Event()
        judge = TASK.verify_all

        def verify_all(instance, answer):
            self.may_judge.wait(20)
            return judge(instance, answer)

        monkeypatch.setattr(TASK, "verify_all", verify_all, raising=False)


def test_handing_in_answers_at_once_and_a_later_call_tells_the_verdict(tmp_path, monkeypatch):
    slow = SlowTask(monkeypatch)
    acting = desk(tmp_path, condition="judged")
    opened = acting.open("pack_prisms:0", "tester")
    acting.call(opened, *BOX)
    told = acting.call(opened, "submit", {}).result
    assert told == "The answer is handed in. Attempt 1 is being judged; a later call tells its verdict."
    with Project.open(tmp_path / "acting.workbench") as project:
        assert project.attempts.get(1).verdicts == ()
    slow.may_judge.set()
    acting.wait_for_verdicts()
    later = acting.call(opened, "verdict", {})
    assert later.is_refused
    assert later.result.startswith("The run has ended: submitted. Score 0.00, not passed")


def test_a_condition_without_judgements_tells_no_verdict_afterwards(tmp_path):
    acting = desk(tmp_path)
    opened = acting.open("pack_prisms:0", "tester")
    acting.call(opened, "submit", {})
    acting.wait_for_verdicts()
    assert acting.call(opened, "state", {}).result == "The run has ended: submitted."
    with Project.open(tmp_path / "acting.workbench") as project:
        assert project.attempts.get(1).score == 0


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_verdict_that_cannot_be_made_is_said(tmp_path, monkeypatch):
    def fail(instance, answer):
        raise RuntimeError("no verifier works")

    monkeypatch.setattr(TASK, "verify_all", fail, raising=False)
    acting = desk(tmp_path, condition="judged")
    opened = acting.open("pack_prisms:0", "tester")
    acting.call(opened, "submit", {})
    acting.wait_for_verdicts()
    assert acting.call(opened, "state", {}).result.endswith("Attempt 1 could not be judged.")


def test_a_picture_comes_as_a_picture(tmp_path):
    async def talk(client):
        return await client.call_tool("look", {})

    _, picture = talked(desk(tmp_path), talk).content
    assert base64.b64decode(picture.data) == PNG


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("fly", {}, "There is no tool “fly”"),
        ("verdict", {}, "not allowed"),
        ("place", {"size": "big", "corner": [0, 0, 0]}, "size must be a whole number"),
        ("open", {"address": "shikaku:0"}, "cannot be opened here"),
        ("place", {"episode": "none", "size": 0, "corner": [0, 0, 0]}, "There is no open episode"),
    ],
)
def test_what_is_wrong_with_a_call_is_its_result(tmp_path, name, arguments, words):
    async def talk(client):
        return await client.call_tool(name, arguments)

    result = talked(desk(tmp_path), talk)
    assert result.is_error
    assert words in text_of(result)


def test_an_instance_is_opened_by_its_address_and_its_rules_can_be_read(tmp_path):
    async def talk(client):
        listed = text_of(await client.call_tool("tasks", {}))
        opened = text_of(await client.call_tool("open", {"address": "pack_prisms:0"}))
        (resource,) = (await client.list_resources()).resources
        rules = (await client.read_resource(resource.uri)).contents[0].text
        name, arguments = BOX
        done = text_of(await client.call_tool("act", {"tool": name, "arguments": arguments}))
        return listed, opened, rules, done

    listed, opened, rules, done = talked(desk(tmp_path, only=()), talk)
    assert "lego_hemisphere:0 to lego_hemisphere:7" in listed
    assert "- place: Places a box." in opened
    assert rules == TASK.prompt(SEVEN).text
    assert done == "Done. The answer holds 1 box."


def test_of_several_open_episodes_one_is_named_by_its_key(tmp_path):
    async def talk(client):
        keys = [text_of(await client.call_tool("open", {"address": f"pack_prisms:{k}"})).split()[1] for k in (0, 1)]
        name, arguments = BOX
        without = await client.call_tool(name, arguments)
        named = await client.call_tool(name, {**arguments, "episode": keys[0]})
        return without, named

    without, named = talked(desk(tmp_path, only=()), talk)
    assert "Several episodes are open" in text_of(without)
    assert not named.is_error


def test_time_ends_an_episode_and_its_answer_is_stored(tmp_path):
    now = [0.0]
    acting = HandsDesk(HandsOptions(), 1, tmp_path / "acting.workbench", (), None, lambda: now[0])
    opened = acting.open("pack_prisms:0", "tester")
    acting.call(opened, *BOX)
    now[0] = 61.0
    assert acting.call(opened, *BOX).result == "The run has ended: time."
    with Project.open(tmp_path / "acting.workbench") as project:
        assert len(project.attempts.get(opened.attempt).answer) > 0


def test_an_episode_that_goes_on_is_never_given_up_for_another(tmp_path, monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.evaluation.hands.desk.MOST_OPEN", 2)
    acting = HandsDesk(HandsOptions(), 30, tmp_path / "acting.workbench")
    first, second = (acting.open("pack_prisms:0", "tester") for _ in range(2))
    with pytest.raises(AnswerError, match="2 episodes are open"):
        acting.open("pack_prisms:0", "tester")
    acting.call(second, "submit", {})
    acting.open("pack_prisms:0", "tester")
    assert acting.opened(first.key) is first


def test_the_clock_of_an_episode_starts_with_its_first_call(tmp_path):
    now = [0.0]
    acting = HandsDesk(HandsOptions(), 1, tmp_path / "acting.workbench", (), None, lambda: now[0])
    opened = acting.open("pack_prisms:0", "tester")
    now[0] = 3600.0
    assert not acting.call(opened, *BOX).is_refused
    now[0] = 3661.0
    assert acting.call(opened, *BOX).result == "The run has ended: time."


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer wrong"}])
def test_nobody_gets_in_over_http_without_the_token(tmp_path, header):
    async def go():
        transport = httpx.ASGITransport(http_application(desk(tmp_path), "right"))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.post("/mcp", json={}, headers=header)

    assert anyio.run(go).status_code == 401


@pytest.mark.slow
def test_the_command_serves_standard_streams(tmp_path):
    project = str(tmp_path / "acting.workbench")
    words = ["-m", "spatial_workbench", "mcp", project, "--address", "pack_prisms:0", "--sees", "text"]

    async def go():
        server = StdioServerParameters(command=sys.executable, args=words)
        async with Client(stdio_client(server)) as client:
            name, arguments = BOX
            await client.call_tool(name, arguments)
            return await client.call_tool("submit", {})

    assert text_of(anyio.run(go)) == "The answer is handed in."
    with Project.open(project) as opened:
        assert [row.address for row in opened.runs.select()] == ["pack_prisms:0"]
