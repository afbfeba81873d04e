"""What browsers reach, and what is refused."""

import asyncio
import contextlib
import errno
import json
import re
import stat
from functools import partial

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from spatial_workbench.app.serving.gate import StudyGate
from spatial_workbench.app.serving.limits import MOST_BODY_BYTES, MOST_OF_ADDRESS, MOST_OF_LINK
from spatial_workbench.app.serving.links import JoinLinks, kept_secret
from spatial_workbench.app.serving.pages.entry_form import ROUND_TRIPS, EntryForm, entry_form_of
from spatial_workbench.app.serving.pages.gate_pages import GatePages
from spatial_workbench.app.serving.pages.incompatible import RefusalCounts
from spatial_workbench.app.serving.pages.text_pages import html_of
from spatial_workbench.app.serving.presence import described_browser
from spatial_workbench.app.serving.seats import Seats
from spatial_workbench.app.serving.visits import Visits, carried_by
from spatial_workbench.app.serving.window_news import WindowNews
from spatial_workbench.widgets.theme import DARK, LIGHT
from tests.app.serving.test_seats import FakeHost

URL = "http://127.0.0.1:8420"
CODES = ("P001H", "P002Q", "P003X")


FIELD = {
    "number": 3,
    "heard": 0,
    "most": 100,
    "cursor": [1, 1],
    "text": "a",
    "label": "Answer",
    "lines": True,
    "low": False,
}
NOTHING_NEW = {"texts": [], "wanted": 0, "field": None, "types": False, "over": False}


class Study:
    """A gate whose windows are made up."""

    def __init__(self, folder, url=URL):
        self.over = set()
        self.begun = set()
        (folder / "novnc" / "core").mkdir(parents=True)
        (folder / "novnc" / "core" / "rfb.js").write_text("export default 1")
        (folder / "novnc" / "core" / "notes.txt").write_text("no script")
        (folder / "novnc" / "vnc.html").write_text("a page")
        (folder / "secret.js").write_text("nobody's business")
        self.folder = folder
        self.gate = StudyGate(
            url,
            JoinLinks(bytes(32), CODES),
            GatePages("Two mazes"),
            folder / "novnc",
            Seats(FakeHost, 2),
            Visits(folder / "visits.json"),
            RefusalCounts(folder / "incompatible.json"),
            self.over.__contains__,
            self.begun.__contains__,
        )

    def browser(self):
        return TestClient(self.gate.application(), base_url=self.gate.url, follow_redirects=False)

    def path_of(self, code):
        return self.gate.link_of(code).removeprefix(self.gate.url)

    def begin(self, browser, code="P001H", origin=URL, **fields):
        """Presses the button on the page of a link, as that page was before anything happened."""
        form = {"form": self.gate.links.form_token_of(self.gate.links.token_of(code)), **fields}
        return browser.post(self.path_of(code), data=form, headers={"Origin": origin} if origin else {})


def connected(browser, path, origin=URL):
    """A socket of the page that shows the window."""
    headers = {} if origin is None else {"Origin": origin}
    return browser.websocket_connect(f"ws{URL.removeprefix('http')}/take-part/{path}", headers=headers)


def next_question(socket):
    """The number of the next question to the page."""
    return next(message["ask"] for message in iter(socket.receive_json, None) if "ask" in message)


class Screen:
    """A screen that sends one piece of a picture, and no more."""

    def __init__(self, study, browser, code="P001H"):
        self.rfb_socket = str(study.folder / "rfb")
        study.gate.seats.host_of(code).screen = self
        browser.portal.call(asyncio.start_unix_server, self._listen, self.rfb_socket)

    async def _listen(self, reader, writer):
        writer.write(b"RFB 003.008\n")
        await reader.read()
        writer.close()


@contextlib.contextmanager
def picture(browser, name):
    """A connection of this name over which a page has got one piece of a picture."""
    with connected(browser, f"picture?connection={name}") as socket:
        socket.receive_bytes()
        yield


def answer_next(socket, **said):
    """Answers the next question to the page."""
    told = {"visible": True, "focus": True, "connection": "a", "drawn": 1, **said}
    socket.send_json({"answer": next_question(socket), **told})


def read_to_the_end(socket):
    for _ in range(5):
        socket.receive_json()


@pytest.fixture
def study(tmp_path):
    return Study(tmp_path)


def test_looking_at_a_link_opens_nothing(study):
    browser = study.browser()
    for _ in range(3):
        page = browser.get(study.path_of("P001H")).text
        assert study.gate.links.form_token_of(study.gate.links.token_of("P001H")) in page
    assert (study.gate.seats.taken, browser.cookies.get("study")) == ([], None)


def test_beginning_opens_the_window_and_answers_with_an_address_without_parameters(study):
    browser = study.browser()
    answer = study.begin(browser)
    assert (answer.status_code, answer.headers["location"]) == (303, "/take-part")
    assert study.gate.seats.taken == ["P001H"]
    assert 'id="screen"' in browser.get("/take-part").text


def test_what_somebody_tells_before_reaches_the_window_and_goes_through_the_queue(study):
    told = {
        "keys_only": "on",
        "round_trip_median": "20",
        "round_trip_p95": "30",
        "round_trip_worst": "90",
        "type_percent": "150",
        "high_contrast": "on",
        "reduced_motion": "on",
        "page_field": "on",
        "scale": "1.5",
    }
    study.begin(study.browser(), **told)
    entry = study.gate.seats.host_of("P001H").entry
    assert entry == EntryForm(True, (20, 30, 90), 150, True, True, True, 1.5, "en")
    assert entry.fields() == told
    study.begin(study.browser(), "P002Q")
    page = study.begin(study.browser(), "P003X", **told).text
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', page))
    assert {name: sent.get(name) for name in told} == told


def test_who_goes_on_finds_what_they_chose_before(study):
    study.begin(study.browser(), type_percent="200", high_contrast="on")
    study.begun.add("P001H")
    page = study.browser().get(study.path_of("P001H")).text
    ticked = re.findall(r'<input type="(?:radio|checkbox)" name="(\w+)"[^>]* checked', page)
    assert sorted(ticked) == ["high_contrast", "type_percent"]
    assert 'value="200" checked' in page


@pytest.mark.parametrize("scale", ["", "0.5", "2.5", "2.001", "1.2345", "-1", "1e0", "nan", "1.", "12", "\u0661"])
def test_a_window_is_drawn_in_one_to_two_times_the_size(scale):
    assert entry_form_of({"scale": scale}).scale == 1
    assert [entry_form_of({"scale": said}).scale for said in ("1", "1.333", "2")] == [1, 1.333, 2]


@pytest.mark.parametrize("percent", ["", "110", "-100", "1e2", "100000"])
def test_text_has_one_of_a_few_sizes(percent):
    assert entry_form_of({"type_percent": percent}).type_percent == 100


@pytest.mark.parametrize("figure", ["", "-1", "1e9", "999999999999", "٣", "x"])
def test_figures_that_no_check_finds_are_left_out(figure):
    assert entry_form_of(dict.fromkeys(ROUND_TRIPS, figure)).round_trips is None


def test_whose_computer_does_not_fit_is_counted_without_identity(study):
    browser = study.browser()
    path = f"{study.path_of('P001H')}/incompatible"
    form = {"form": study.gate.links.form_token_of(study.gate.links.token_of("P001H"))}
    for reason in ("window", "window", "pointer", "P001H", "<b>"):
        answer = browser.post(path, data={**form, "reason": reason}, headers={"Origin": URL})
        assert "does not fit" in answer.text
    kept = (study.folder / "incompatible.json").read_text()
    assert json.loads(kept) == {"window": 2, "pointer": 1, "other": 2}
    assert study.gate.seats.taken == []


@pytest.mark.parametrize(("token", "status"), [("", 403), ("x", 403), (None, 404)])
def test_nobody_is_counted_by_a_form_of_others(study, token, status):
    path = study.path_of("P001H") if token is not None else "/join/unknown"
    answer = study.browser().post(f"{path}/incompatible", data={"form": token or ""}, headers={"Origin": URL})
    assert answer.status_code == status
    assert study.gate.refusals.counts() == {}


def test_a_damaged_count_begins_anew(study):
    (study.folder / "incompatible.json").write_text('["')
    study.gate.refusals.add("touch")
    assert study.gate.refusals.counts() == {"touch": 1}


def test_the_cookie_is_read_by_no_script_and_only_its_hash_is_kept(study):
    browser = study.browser()
    cookie = study.begin(browser).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    kept = study.folder / "visits.json"
    assert browser.cookies["study"] not in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_over_tls_the_cookie_is_bound_to_the_host(tmp_path):
    study = Study(tmp_path, "https://study.example")
    cookie = study.begin(study.browser(), origin="https://study.example").headers["set-cookie"]
    assert cookie.startswith("__Host-study=")
    assert "Secure" in cookie
    assert "Domain" not in cookie


def test_the_same_link_goes_on_in_another_browser_and_the_first_no_longer(study):
    first = study.browser()
    second = study.browser()
    study.begin(first)
    study.begin(second)
    assert first.get("/take-part").status_code == 403
    assert second.get("/take-part").status_code == 200
    assert study.gate.seats.taken == ["P001H"]


def tell_text(study, name, text, title="Consent", language="en"):
    """The window tells that it has shown a text."""
    host = study.gate.seats.host_of("P001H")
    host.news.take({"texts": {name: {"title": title, "text": text, "language": language}}})


def test_a_text_can_be_saved_once_the_window_has_shown_it_and_by_nobody_else(study):
    browser = study.browser()
    study.begin(browser)
    paths = ("/take-part/texts/consent", "/take-part/texts/consent/file")
    assert {browser.get(path).status_code for path in paths} == {404}
    tell_text(study, "consent", "# What you do\n\nYou solve **two** mazes.")
    page = browser.get(paths[0]).text
    assert "<h1>What you do</h1>" in page
    assert "<strong>two</strong>" in page
    saved = browser.get(paths[1])
    assert saved.text == "# What you do\n\nYou solve **two** mazes."
    assert saved.headers["content-disposition"] == "attachment; filename=consent.txt"
    other = study.browser()
    assert {other.get(path).status_code for path in paths} == {404}
    study.begin(other, "P002Q")
    assert {other.get(path).status_code for path in paths} == {404}


def test_texts_can_be_saved_after_the_window_was_closed(study):
    browser = study.browser()
    study.begin(browser)
    tell_text(study, "debriefing", "Thank you.")
    study.gate.seats.host_of("P001H").is_running = False
    assert "Thank you." in browser.get("/take-part/texts/debriefing").text


@pytest.mark.parametrize("name", ["", "other", "../visits.json", "consent/other", "%2e%2e%2fvisits.json"])
def test_there_are_no_other_texts(study, name):
    browser = study.browser()
    study.begin(browser)
    tell_text(study, "consent", "Yes.")
    assert browser.get(f"/take-part/texts/{name}").status_code == 404


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[a link](https://example.org)",
        "![a picture](https://example.org/x.png)",
        "<https://example.org>",
        "[a link][1]\n\n[1]: javascript:alert(1)",
    ],
)
def test_html_links_and_pictures_of_a_text_are_plain_characters(text):
    html = html_of(text)
    assert re.findall(r"<(\w+)", html) in (["p"], ["p", "p"])
    assert "href" not in html


@pytest.mark.parametrize(
    "told",
    [
        {"texts": []},
        {"texts": {"consent": "x"}},
        {"texts": {"consent": {"title": 1, "text": "x", "language": "en"}}},
        {"texts": {"other": {"title": "x", "text": "x", "language": "en"}}},
        {"texts_wanted": 1, "is_over": "yes"},
        {"field": "Answer"},
        {"field": {**FIELD, "text": 7}},
        {"field": {**FIELD, "text": "x" * 5001}},
        {"field": {**FIELD, "cursor": [0, -1]}},
        {"field": {**FIELD, "most": True}},
    ],
)
def test_what_a_window_tells_otherwise_is_left_out(told):
    news = WindowNews()
    news.take(told)
    assert asyncio.run(anext(news.follow())) == NOTHING_NEW


def test_the_page_hears_which_texts_there_are_and_that_the_person_wants_them(study):
    with study.browser() as browser:
        study.begin(browser)
        with connected(browser, "presence") as presence:
            news = study.gate.seats.host_of("P001H").news
            assert {"news": NOTHING_NEW} in (presence.receive_json(), presence.receive_json())
            tell = partial(browser.portal.call, news.take)
            tell({"texts": {"consent": {"title": "Consent", "text": "x", "language": "en"}}, "texts_wanted": True})
            heard = next(message for message in iter(presence.receive_json, None) if "news" in message)
            assert heard["news"] == {**NOTHING_NEW, "texts": [["consent", "Consent"]], "wanted": 1}


def test_the_former_page_hears_that_it_went_on_elsewhere(study):
    with study.browser() as first:
        study.begin(first)
        with connected(first, "presence") as presence:
            assert next_question(presence) == 1
            study.begin(first)
            assert {"elsewhere": True} in (presence.receive_json(), presence.receive_json())


def test_the_page_answers_and_the_window_hears_how_long_it_took_and_whether_somebody_looks(study):
    with study.browser() as browser:
        study.begin(browser)
        Screen(study, browser)
        with connected(browser, "presence") as presence, picture(browser, "a"):
            presence.send_json({"browser": "Chrome 156", "viewport": [1280, 800], "ratio": 2})
            for visible in (True, False):
                presence.send_json({"answer": 77, "connection": "a", "drawn": 1})
                answer_next(presence, visible=visible)
            next_question(presence)
        host = study.gate.seats.host_of("P001H")
        assert [answer.is_looked_at for answer, _ in host.answers] == [True, False]
        assert all(0 <= answer.round_trip_ms < 60_000 for answer, _ in host.answers)
        assert host.browser == {"browser": "Chrome 156", "viewport": [1280, 800], "ratio": 2}


def test_the_page_hears_which_field_has_the_focus_and_the_window_what_is_typed_there(study):
    with study.browser() as browser:
        study.begin(browser, page_field="on")
        host = study.gate.seats.host_of("P001H")
        host.news.take({"field": {**FIELD, "more": "left out"}})
        with connected(browser, "presence") as presence:
            heard = next(message for message in iter(presence.receive_json, None) if "news" in message)
            assert heard["news"]["field"] == FIELD
            typed = {"number": 3, "heard": 1, "text": "ä\x00\x1b\nλ", "cursor": [3, 3]}
            presence.send_text(json.dumps({"typed": typed}, separators=(",", ":")))
            next_question(presence)
            next_question(presence)
        assert host.typed == [{**typed, "text": "ä\nλ"}]


def test_a_page_without_a_picture_is_no_sign_that_somebody_sees_the_window(study):
    with study.browser() as browser:
        study.begin(browser)
        Screen(study, browser)
        with connected(browser, "presence") as presence:
            answer_next(presence)
            with picture(browser, "a"):
                answer_next(presence)
                answer_next(presence, connection="of a page before")
                next_question(presence)
            answer_next(presence)
            next_question(presence)
        assert len(study.gate.seats.host_of("P001H").answers) == 1


def test_the_window_hears_how_old_the_picture_is_that_the_page_shows(study):
    with study.browser() as browser:
        study.begin(browser)
        Screen(study, browser)
        with connected(browser, "presence") as presence, picture(browser, "a"):
            for drawn in (0, 0, 1):
                answer_next(presence, drawn=drawn)
            next_question(presence)
        first, second, last = [behind_ms for _, behind_ms in study.gate.seats.host_of("P001H").answers]
        assert first < second
        assert last == 0


def test_the_page_hears_how_late_its_picture_was_beyond_the_shortest_round_trip(study):
    with study.browser() as browser:
        study.begin(browser)
        Screen(study, browser)
        with connected(browser, "presence") as presence, picture(browser, "a"):
            told = []
            for drawn in (1, 0, 1):
                question = next(message for message in iter(presence.receive_json, None) if "ask" in message)
                told.append(question["late_ms"])
                presence.send_json({"answer": question["ask"], "connection": "a", "drawn": drawn})
        assert told[:2] == [0, 0]
        assert told[2] > 0


@pytest.mark.parametrize("said", [{"drawn": 2}, {"drawn": -1}, {"drawn": True}, {"drawn": "1"}, {"connection": 5}])
def test_a_page_that_drew_what_nobody_sent_is_cut_off(study, said):
    with study.browser() as browser:
        study.begin(browser)
        Screen(study, browser)
        with connected(browser, "presence") as presence, picture(browser, "a"):
            answer_next(presence, **said)
            with pytest.raises(WebSocketDisconnect):
                read_to_the_end(presence)
        assert study.gate.seats.host_of("P001H").answers == []


TYPED = {"number": 3, "heard": 1, "text": "a", "cursor": [1, 1]}


@pytest.mark.parametrize(
    "typed",
    [
        {},
        [],
        "text",
        {**TYPED, "text": "x" * 5001},
        {**TYPED, "text": "x" * 60_000},
        {**TYPED, "text": None},
        {**TYPED, "number": -1},
        {**TYPED, "cursor": [0, 1, 2]},
        {**TYPED, "cursor": [0.5, 1]},
        {**TYPED, "more": 1},
    ],
)
def test_a_page_that_types_otherwise_is_cut_off(study, typed):
    with study.browser() as browser:
        study.begin(browser)
        with connected(browser, "presence") as presence:
            presence.send_text(json.dumps({"typed": typed}, separators=(",", ":")))
            with pytest.raises(WebSocketDisconnect):
                read_to_the_end(presence)
        assert study.gate.seats.host_of("P001H").typed == []


@pytest.mark.parametrize("text", ["", "{", "[]", "1", '"x"', "x" * 2000, "null", '{"answer": ', '{"answer": 1}'])
def test_a_page_that_says_something_else_is_cut_off(study, text):
    with study.browser() as browser:
        study.begin(browser)
        with connected(browser, "presence") as presence:
            presence.receive_json()
            presence.send_text(text)
            with pytest.raises(WebSocketDisconnect):
                read_to_the_end(presence)


@pytest.mark.parametrize(
    "said",
    [
        {"browser": "Mozilla/5.0 (X11; Linux x86_64)", "viewport": [0, 800], "ratio": 0},
        {"browser": 5, "viewport": [True, True], "ratio": True},
        {"browser": "<script> 1", "viewport": "wide", "ratio": "2"},
        {"browser": "x", "viewport": [1e400, 5], "ratio": float("nan")},
        {"browser": None, "viewport": [1, 2, 3], "ratio": -1},
    ],
)
def test_of_a_browser_only_engine_viewport_and_ratio_are_recorded(said):
    assert described_browser(said) == {}


def test_a_browser_comes_back_after_the_server_was_started_again(study):
    browser = study.browser()
    study.begin(browser)
    cookie = browser.cookies["study"]
    study.begun.add("P001H")
    study.gate.visits = Visits(study.folder / "visits.json")
    study.gate.seats = Seats(FakeHost, 2)
    again = study.browser()
    again.cookies["study"] = cookie
    answer = again.get("/take-part")
    assert (answer.status_code, answer.headers["location"]) == (303, study.path_of("P001H"))
    assert "Go on" in again.get(answer.headers["location"]).text


def test_a_damaged_file_of_visits_only_means_that_links_are_opened_again(study):
    (study.folder / "visits.json").write_text("[1, ")
    assert Visits(study.folder / "visits.json").code_of("x") is None


def test_a_session_that_is_over_shows_that(study):
    study.over.add("P001H")
    assert "over for you" in study.browser().get(study.path_of("P001H")).text
    assert "over for you" in study.begin(study.browser()).text


def test_while_the_server_drains_only_those_who_have_begun_go_on(study):
    study.gate.drains = True
    study.begun.add("P002Q")
    assert "Nobody can begin" in study.begin(study.browser()).text
    assert study.begin(study.browser(), "P002Q").status_code == 303


def test_at_capacity_people_wait_with_a_place_in_the_queue(study):
    for code in CODES[:2]:
        study.begin(study.browser(), code)
    page = study.begin(study.browser(), "P003X").text
    assert "You are number 1 in the queue." in page
    assert "/parts/queue.js" in page


@pytest.mark.parametrize(
    "origin", [None, "null", "https://evil.example", "http://127.0.0.1:8421", f"{URL}.evil.example"]
)
def test_a_form_from_another_page_is_refused(study, origin):
    assert study.begin(study.browser(), origin=origin).status_code == 403
    assert study.gate.seats.taken == []


@pytest.mark.parametrize("token", ["", "x", "ü", "A" * 22, "\x00"])
def test_a_form_that_this_server_did_not_make_is_refused(study, token):
    assert study.begin(study.browser(), form=token).status_code == 403
    assert study.gate.seats.taken == []


def test_the_form_of_another_link_is_refused(study):
    other = study.gate.links.form_token_of(study.gate.links.token_of("P002Q"))
    assert study.begin(study.browser(), form=other).status_code == 403


def test_a_form_that_is_too_long_is_refused(study):
    assert study.begin(study.browser(), more="x" * MOST_BODY_BYTES).status_code == 413
    assert study.gate.seats.taken == []


@pytest.mark.slow
def test_after_many_unknown_links_an_address_tries_no_more_and_who_takes_part_goes_on(study):
    browser = study.browser()
    study.begin(browser)
    tried = [browser.get(f"/join/{number:022}").status_code for number in range(MOST_OF_ADDRESS + 1)]
    assert set(tried[:-1]) == {404}
    page = browser.get(study.path_of("P002Q"))
    assert (tried[-1], page.status_code, page.headers["retry-after"]) == (429, 429, "600")
    assert "Too many attempts" in page.text
    assert [browser.get(path).status_code for path in ("/take-part", "/parts/style.css", "/")] == [200, 200, 404]


def test_after_some_wrong_forms_only_that_link_is_locked(study):
    browser = study.browser()
    tried = [study.begin(browser, form="x").status_code for _ in range(MOST_OF_LINK + 1)]
    assert (set(tried[:-1]), tried[-1]) == ({403}, 429)
    assert study.begin(browser).status_code == 429
    assert study.begin(browser, "P002Q").status_code == 303


def test_where_too_many_wait_nobody_more_joins_the_queue(study):
    study.gate.seats.most_waiting = 0
    for code in CODES[:2]:
        study.begin(study.browser(), code)
    answer = study.begin(study.browser(), "P003X")
    assert answer.status_code == 503
    assert "Too many people are waiting" in answer.text


def test_on_a_full_disk_nobody_begins_and_one_page_says_so(study, monkeypatch):
    def full(code, *_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(study.gate.visits, "admit", full)
    answer = study.begin(study.browser())
    assert answer.status_code == 503
    assert "The study could not be opened" in answer.text


@pytest.mark.parametrize("host", ["evil.example", "localhost:8420", "127.0.0.1", ""])
def test_another_host_is_refused(study, host):
    assert study.browser().get("/", headers={"Host": host}).status_code == 403


@pytest.mark.parametrize(
    "path", ["/join/x", "/join/P001H", "/join/" + "A" * 22, "/join/%00", "/join/a/b", "/other", "//"]
)
def test_unknown_addresses_show_nothing(study, path):
    assert study.browser().get(path).status_code in (403, 404)


@pytest.mark.parametrize("cookie", ["", "x", "A" * 43, "P001H"])
@pytest.mark.parametrize("path", ["picture", "presence"])
def test_no_socket_opens_without_a_cookie_of_ours(study, path, cookie):
    study.begin(study.browser())
    stranger = study.browser()
    stranger.cookies["study"] = cookie
    assert stranger.get("/take-part").status_code == 403
    with pytest.raises(WebSocketDisconnect), connected(stranger, path):
        pass


@pytest.mark.parametrize("origin", [None, "https://evil.example"])
def test_no_socket_opens_for_a_page_of_others(study, origin):
    browser = study.browser()
    study.begin(browser)
    with pytest.raises(WebSocketDisconnect), connected(browser, "presence", origin):
        pass
    with connected(browser, "presence"):
        pass


def test_of_novnc_only_scripts_are_given_out(study):
    browser = study.browser()
    assert browser.get("/novnc/core/rfb.js").status_code == 200
    others = ("vnc.html", "core/notes.txt", "core/", "core/../../secret.js", "..%2Fsecret.js", "%2Fetc%2Fpasswd", "")
    assert {browser.get(f"/novnc/{path}").status_code for path in others} == {404}


def test_every_answer_forbids_inline_code_frames_referrers_and_keeping(study):
    browser = study.browser()
    for path in ("/", study.path_of("P001H"), "/parts/style.css", "/novnc/core/rfb.js", "/other"):
        headers = browser.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe-inline" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] in ("no-referrer", "same-origin")
        assert "server" not in headers


def test_pages_have_no_code_of_their_own(study):
    browser = study.browser()
    study.begin(browser)
    for path in ("/", study.path_of("P001H"), "/take-part"):
        page = browser.get(path).text
        assert re.findall(r"<script(?![^>]*src=)|\son\w+=|style=", page) == []


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_pages_have_the_colours_of_the_application(study, theme):
    style = study.browser().get("/parts/style.css").text
    part = style.partition("@media (prefers-color-scheme: dark)")[2 if theme is DARK else 0].partition("* {")[0]
    found = dict(re.findall(r"--([\w-]+): (#\w+);", part))
    assert found == {name: getattr(theme, name.replace("-", "_")) for name in found}
    assert len(found) == 10


def test_a_secret_is_made_once_and_only_its_owner_reads_it(tmp_path):
    path = tmp_path / "links.secret"
    assert kept_secret(path) == kept_secret(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_bytes(b"short")
    with pytest.raises(ValueError, match="does not hold the secret"):
        kept_secret(path)


def test_the_page_of_a_link_says_that_tasks_are_not_read_aloud_and_whom_to_ask(study):
    study.gate.pages = GatePages("Two mazes", "a@b")
    page = study.browser().get(study.path_of("P001H")).text
    assert "A screen reader can read pages and fields for text, but not the tasks. If you need that, ask a@b." in page


def test_a_link_has_128_bits_that_the_code_does_not_tell():
    links = JoinLinks(bytes(32), CODES)
    others = JoinLinks(bytes(31) + b"1", CODES)
    tokens = [links.token_of(code) for code in CODES]
    assert {len(token) for token in tokens} == {22}
    assert len({*tokens, *(others.token_of(code) for code in CODES)}) == 6
    assert [links.code_of(token) for token in tokens] == list(CODES)


def test_the_link_of_an_earlier_holder_of_a_code_is_no_longer_known():
    links = JoinLinks(bytes(32), ())
    links.hand_over("P001H", 1)
    first = links.token_of("P001H")
    assert links.code_of(first) == "P001H"
    links.hand_over("P001H", 2)
    assert (links.code_of(first), links.code_of(links.token_of("P001H"))) == (None, "P001H")
    links.take_back("P001H")
    assert links.code_of(links.token_of("P001H")) is None


def test_a_cookie_carries_what_the_server_does_not_keep(tmp_path):
    visits = Visits(tmp_path / "visits.json")
    cookie = visits.admit("P001H", "sealed")
    assert (visits.code_of(cookie), carried_by(cookie)) == ("P001H", "sealed")
    assert visits.code_of(cookie.removesuffix("sealed")) is None
    assert "sealed" not in (tmp_path / "visits.json").read_text()
    visits.dismiss("P001H")
    assert visits.code_of(cookie) is None
    assert Visits(tmp_path / "visits.json").code_of(cookie) is None
