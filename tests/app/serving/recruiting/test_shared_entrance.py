"""Several servers share an entrance, which sends people on and keeps nothing."""

import asyncio
import contextlib
import json
import re

import httpx
import pytest

from spatial_workbench.app.serving.addresses import listening_at, serving_address
from spatial_workbench.app.serving.recruiting.arrivals import Arrival
from spatial_workbench.app.serving.recruiting.recruiters_file import RecruitersFileError, read_recruiters_file
from spatial_workbench.app.serving.recruiting.servers_file import read_servers
from spatial_workbench.app.serving.recruiting.shared_entrance import EntranceServer, SharedEntrance, chosen_server
from spatial_workbench.app.serving.recruiting.standing import Standing, is_signed, signed_headers, standing_of
from spatial_workbench.app.serving.web.server import web_server
from tests.app.serving.recruiting.recruited import Recruited, field
from tests.app.serving.recruiting.recruiter import PERSON, query, recruiters_file, report
from tests.ports import free_port

KEY = "the key of the entrance"
SERVERS = ("https://a.example", "https://b.example", "https://c.example")


def standings(*free, known=None):
    return {
        server: Standing(server == known, count)
        for server, count in zip(SERVERS, free, strict=False)
        if count is not None
    }


def test_whoever_is_known_to_a_server_goes_there_whatever_the_others_have():
    for server in SERVERS:
        assert chosen_server(SERVERS, standings(0, 5, 9, known=server), Arrival("p")) == server


def test_somebody_new_always_comes_to_the_same_server_of_those_with_places_and_people_spread_over_all():
    people = [Arrival(f"person {number}") for number in range(300)]
    chosen = [chosen_server(SERVERS, standings(1, 7, 2), person) for person in people]
    assert chosen == [chosen_server(SERVERS, standings(9, 1, 1), person) for person in people]
    assert all(70 < chosen.count(server) < 130 for server in SERVERS)
    assert {chosen_server(SERVERS, standings(0, 1, 0), person) for person in people} == {SERVERS[1]}


def test_when_all_places_are_taken_nobody_is_sent_on():
    assert chosen_server(SERVERS, standings(0, 0, 0), Arrival("p")) is None


def test_while_a_server_is_silent_only_people_whom_another_one_knows_go_on():
    assert chosen_server(SERVERS, standings(3, 3), Arrival("p")) is None
    assert chosen_server(SERVERS, standings(3, 3, known=SERVERS[1]), Arrival("p")) == SERVERS[1]


def test_a_question_is_believed_with_the_key_and_for_a_minute():
    headers = signed_headers(KEY, b"q=1", lambda: 1000)
    assert is_signed(KEY, b"q=1", headers, lambda: 1059)
    assert not is_signed(KEY, b"q=1", headers, lambda: 1061)
    assert not is_signed(KEY, b"q=2", headers, lambda: 1000)
    assert not is_signed("another key", b"q=1", headers, lambda: 1000)
    assert not is_signed(KEY, b"q=1", {}, lambda: 1000)


@pytest.mark.parametrize("content", [b"", b"[]", b'{"free": 1}', b'{"is_known": 1, "free": 1}', b"\xff"])
def test_an_answer_that_is_no_standing_is_refused(content):
    with pytest.raises(ValueError):
        standing_of(content)


def test_only_the_entrance_learns_whether_somebody_takes_part(tmp_path):
    recruited = Recruited(tmp_path, recruiters_file(tmp_path, entrance_key=KEY))
    body = query().encode()
    with recruited.browser() as browser:
        assert browser.post("/study/standing", content=body).status_code == 404
        told = browser.post("/study/standing", content=body, headers=signed_headers(KEY, body))
        assert told.json() == {"is_known": False, "free": 2}
        recruited.companion._study.places.deal(recruited.companion._study.hash_of(PERSON), "a proof")
        told = browser.post("/study/standing", content=body, headers=signed_headers(KEY, body))
        assert told.json() == {"is_known": True, "free": 1}
        recruited.gate.drains = True
        told = browser.post("/study/standing", content=body, headers=signed_headers(KEY, body))
        assert told.json() == {"is_known": True, "free": 0}


def test_a_server_without_the_key_tells_nothing(tmp_path):
    body = query().encode()
    with Recruited(tmp_path).browser() as browser:
        assert browser.post("/study/standing", content=body, headers=signed_headers(KEY, body)).status_code == 404


class Machines:
    """Three servers of two places each on three ports, and their entrance."""

    def __init__(self, folder, monkeypatch):
        self.told = []
        self.recruited = []
        self.running = {}
        self.servers = tuple(f"http://127.0.0.1:{free_port()}" for _ in range(3))
        for number, server in enumerate(self.servers):
            own = folder / str(number)
            own.mkdir()
            file = recruiters_file(own, entrance_key=KEY, webhook={"secret": "a secret of the webhook"})
            monkeypatch.setattr("tests.app.serving.recruiting.recruited.URL", server)
            self.recruited.append(Recruited(own, file))
        self.url = f"http://127.0.0.1:{free_port()}"
        study = self.recruited[0].bundle.study
        self.entrance = SharedEntrance(
            self.servers, study, read_recruiters_file(file), own, self.told.append
        ).application(self.url)

    @contextlib.asynccontextmanager
    async def serving(self):
        applications = dict(zip(self.servers, (one.application for one in self.recruited), strict=True))
        for url, application in {**applications, self.url: self.entrance}.items():
            host = url.removeprefix("http://")
            server = web_server(application, serving_address(host))
            listening = listening_at("127.0.0.1", int(host.split(":")[1]))
            self.running[url] = (server, asyncio.create_task(server.serve(sockets=[listening])))
            while not server.started:
                await asyncio.sleep(0.01)
        try:
            yield httpx.AsyncClient(timeout=30)
        finally:
            for url in list(self.running):
                await self.stop(url)

    async def stop(self, url):
        server, task = self.running.pop(url)
        server.should_exit = True
        await task


async def sent_on(machines, client, person):
    """To which server somebody is sent; None for a page. The address has all that the link said."""
    answer = await client.get(f"{machines.url}/study?{query(person)}")
    if answer.status_code != 303:
        return answer
    server, _, rest = answer.headers["location"].partition("/study?")
    assert rest == query(person)
    return server


async def begin_at(server, client, person):
    """Somebody begins at a server; returns the answer to *Begin*."""
    own = {"Origin": server}
    notice = await client.get(f"{server}/study?{query(person)}")
    form = {"arrival": field(notice, "arrival")}
    entry = await client.post(f"{server}/study/begin", data=form, headers=own)
    return await client.post(f"{server}/study/begin", data={"form": field(entry, "form")}, headers=own)


@pytest.mark.slow
def test_people_spread_over_three_servers_until_all_places_are_taken_and_come_back_to_theirs(tmp_path, monkeypatch):
    machines = Machines(tmp_path, monkeypatch)

    async def take_part():
        async with machines.serving() as client:
            people = [f"person{number}" for number in range(6)]
            where = {}
            for person in people:
                where[person] = await sent_on(machines, client, person)
                assert (await begin_at(where[person], client, person)).status_code == 303
            again = {person: await sent_on(machines, client, person) for person in people}
            full = await sent_on(machines, client, "person7")
            await machines.stop(machines.servers[0])
            elsewhere = next(person for person in people if where[person] != machines.servers[0])
            known = await sent_on(machines, client, elsewhere)
            new = await sent_on(machines, client, "person8")
            return where, again, full, known == where[elsewhere], new

    where, again, full, went_on, new = asyncio.run(take_part())
    assert sorted(where.values()) == sorted(machines.servers * 2)
    assert again == where
    assert "All places of this study are taken" in full.text
    assert (went_on, new.status_code) == (True, 503)
    assert machines.told == [
        f"{machines.servers[0]} does not answer. Until it does, people whom no server knows cannot begin."
    ]


@pytest.mark.slow
def test_a_report_of_the_recruiter_reaches_the_server_that_knows_the_person(tmp_path, monkeypatch):
    machines = Machines(tmp_path, monkeypatch)

    async def return_it():
        async with machines.serving() as client:
            server = await sent_on(machines, client, PERSON)
            await begin_at(server, client, PERSON)
            body, headers = report("RETURNED")
            answer = await client.post(f"{machines.url}/recruiter/reports", content=body, headers=headers)
            forged = {**headers, "X-Prolific-Request-Signature": "no"}
            refused = await client.post(f"{machines.url}/recruiter/reports", content=body, headers=forged)
            return server, answer.status_code, refused.status_code

    server, status, refused = asyncio.run(return_it())
    places = machines.recruited[machines.servers.index(server)].companion._study.places
    assert (status, refused) == (200, 403)
    assert [person.reported for person in places.everybody()] == ["returned"]


@pytest.mark.slow
@pytest.mark.parametrize("bad", ["", "PROLIFIC_PID=", "PROLIFIC_PID=a&PROLIFIC_PID=b", "SESSION_ID=x"])
def test_a_link_that_does_not_say_who_somebody_is_is_a_page_of_the_entrance(tmp_path, monkeypatch, bad):
    machines = Machines(tmp_path, monkeypatch)

    async def ask():
        async with machines.serving() as client:
            return await client.get(f"{machines.url}/study?{bad}")

    answer = asyncio.run(ask())
    assert answer.status_code == 403
    assert re.search("<h1>This link does not fit</h1>", answer.text)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "is no JSON"),
        ("{}", "servers: has to be a list"),
        ('{"servers": []}', "servers: has to be a list"),
        ('{"servers": [1]}', "servers: has to be a list"),
        ('{"servers": ["http://a.example"]}', r"servers\[0\]: has to be such as https"),
        ('{"servers": ["https://a.example/x"]}', r"servers\[0\]: has to be such as https"),
        ('{"servers": ["https://a.example", "https://a.example"]}', "has an address twice"),
    ],
)
def test_a_file_of_servers_that_cannot_be_used_is_one_sentence(tmp_path, content, sentence):
    path = tmp_path / "servers.json"
    path.write_text(content)
    with pytest.raises(RecruitersFileError, match=sentence):
        read_servers(path)


def test_servers_are_read_from_toml_and_json(tmp_path):
    (tmp_path / "a.toml").write_text('servers = ["https://a.example", "http://127.0.0.1:8421"]')
    (tmp_path / "a.json").write_text(json.dumps({"servers": list(SERVERS)}))
    assert read_servers(tmp_path / "a.toml") == ("https://a.example", "http://127.0.0.1:8421")
    assert read_servers(tmp_path / "a.json") == SERVERS


def test_without_the_key_there_is_no_entrance(tmp_path):
    file = read_recruiters_file(recruiters_file(tmp_path))
    with pytest.raises(RecruitersFileError, match="entrance_key: is missing"):
        SharedEntrance(SERVERS, Recruited(tmp_path).bundle.study, file, tmp_path, print)


def test_the_entrance_serves_until_it_is_stopped(tmp_path):
    file = read_recruiters_file(recruiters_file(tmp_path, entrance_key=KEY))
    entrance = SharedEntrance(SERVERS, Recruited(tmp_path).bundle.study, file, tmp_path, print)
    port = free_port()

    async def serve():
        server = EntranceServer(entrance, serving_address(f"127.0.0.1:{port}"), listening_at("127.0.0.1", port), print)
        serving = asyncio.create_task(server.serve())
        while not server.is_started:
            await asyncio.sleep(0.01)
        async with httpx.AsyncClient() as client:
            pages = [
                await client.get(f"http://127.0.0.1:{port}{path}") for path in ("/", "/parts/style.css", "/novnc/x")
            ]
        server.stop()
        await serving
        return [page.status_code for page in pages]

    assert asyncio.run(serve()) == [404, 200, 404]
