"""Whoever has the link reaches the window; nobody else reaches anything."""

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from spatial_workbench.app.serving.limits import MOST_BODY_BYTES, MOST_OF_ADDRESS, MOST_OF_LINK
from spatial_workbench.app.serving.workbench.window_host import BrowserLooks, WindowFailed
from tests.app.serving.workbench.made_up import ORIGIN, URL, FakeHost, MadeUpWorkbench

INSIDE = ["/workbench", "/workbench/files", "/workbench/files/get/notes.txt", "/workbench/files/delete/notes.txt"]
FORMS = ["/workbench/open", "/workbench/files/put/new.txt", "/workbench/files/delete/notes.txt"]


def news_of(browser, origin=URL):
    headers = {} if origin is None else {"Origin": origin}
    return browser.websocket_connect(f"ws{URL.removeprefix('http')}/workbench/news", headers=headers)


def test_the_link_has_at_least_128_random_bits(workbench, tmp_path_factory):
    token = workbench.path.removeprefix("/open/")
    assert len(token) * 6 >= 128
    assert token not in MadeUpWorkbench(tmp_path_factory.mktemp("other")).path


def test_looking_at_the_link_opens_nothing_and_gives_no_cookie(workbench):
    browser = workbench.browser()
    page = browser.get(workbench.path)
    assert 'method="post"' in page.text
    assert "Ada" in page.text
    assert (workbench.hosts, dict(browser.cookies)) == ([], {})


def test_the_button_opens_the_window_and_leads_to_an_address_without_the_token(workbench):
    with workbench.browser() as browser:
        answer = workbench.come_in(browser)
        assert (answer.status_code, answer.headers["location"]) == (303, "/workbench")
        assert workbench.hosts[0].is_running
        page = browser.get("/workbench").text
    assert 'id="screen"' in page
    assert workbench.path.removeprefix("/open/") not in page


def test_the_cookie_is_read_by_no_script_and_only_its_hash_is_kept(workbench, tmp_path):
    browser = workbench.browser()
    cookie = workbench.come_in(browser).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert browser.cookies["workbench-8420"] not in (tmp_path / "visits.json").read_text()


def test_over_tls_the_cookie_is_bound_to_the_host(tmp_path):
    workbench = MadeUpWorkbench(tmp_path, "https://bench.example")
    cookie = workbench.come_in(workbench.browser()).headers["set-cookie"]
    assert cookie.startswith("__Host-workbench-8420=")
    assert "Secure" in cookie


@pytest.mark.parametrize("path", INSIDE)
def test_without_the_cookie_no_page_is_reached(workbench, path):
    workbench.come_in(workbench.browser())
    answer = workbench.browser().get(path)
    assert answer.status_code == 403
    assert "mine" not in answer.text
    assert "notes" not in answer.text


@pytest.mark.parametrize("path", FORMS)
def test_without_the_cookie_nothing_is_changed(workbench, path):
    answer = workbench.browser().post(path, content=b"theirs", headers=ORIGIN)
    assert answer.status_code == 403
    assert [file.name for file in workbench.files.iterdir()] == ["notes.txt"]
    assert (workbench.files / "notes.txt").read_text() == "mine"
    assert workbench.hosts == []


@pytest.mark.parametrize("path", ["news", "picture"])
def test_without_the_cookie_no_socket_opens(workbench, path):
    workbench.come_in(workbench.browser())
    browser = workbench.browser()
    with pytest.raises(WebSocketDisconnect), browser.websocket_connect(f"/workbench/{path}", headers=ORIGIN):
        pass


@pytest.mark.parametrize("origin", [None, "http://127.0.0.1:8421", "null"])
def test_sockets_and_forms_of_other_pages_are_refused(workbench, inside, origin):
    with pytest.raises(WebSocketDisconnect), news_of(inside, origin):
        pass
    headers = {} if origin is None else {"Origin": origin}
    for path in FORMS:
        assert inside.post(path, headers=headers).status_code == 403
    assert (workbench.files / "notes.txt").exists()


def test_another_host_is_refused(inside):
    assert inside.get("/workbench", headers={"Host": "evil.example"}).status_code == 403


def test_every_answer_forbids_scripts_and_frames_of_others(inside):
    for path in ("/", "/workbench", "/workbench/files", "/workbench/files/get/notes.txt", "/nowhere"):
        headers = inside.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize("token", ["x", "é", "x" * 5000, "%00", "%FF"])
def test_a_wrong_token_opens_nothing(workbench, token):
    browser = workbench.browser()
    assert browser.get(f"/open/{token}").status_code == 404
    assert browser.post(f"/open/{token}", headers=ORIGIN).status_code == 404
    assert (workbench.hosts, dict(browser.cookies)) == ([], {})


@pytest.mark.slow
def test_wrong_tokens_are_limited_by_address_and_who_is_in_goes_on(workbench):
    with workbench.browser() as browser:
        workbench.come_in(browser)
        for number in range(MOST_OF_ADDRESS):
            browser.get(f"/open/{number}")
        assert browser.get(workbench.path).status_code == 429
        assert browser.get("/workbench").status_code == 200


def test_one_wrong_token_is_refused_after_some_attempts(workbench):
    browser = workbench.browser()
    statuses = [browser.get("/open/guess").status_code for _ in range(MOST_OF_LINK + 1)]
    assert statuses == [404] * MOST_OF_LINK + [429]


@pytest.mark.parametrize("path", ["/workbench/open", "/workbench/files/delete/notes.txt", "/open/x"])
def test_forms_have_no_large_bodies(workbench, inside, path):
    answer = inside.post(path, content=bytes(MOST_BODY_BYTES + 1), headers=ORIGIN)
    assert answer.status_code == 413
    assert (workbench.files / "notes.txt").exists()


@pytest.mark.parametrize(
    ("told", "looks"),
    [
        ({}, BrowserLooks("light", 1)),
        ({"scheme": "dark", "scale": "1.5"}, BrowserLooks("dark", 1.5)),
        ({"scheme": "--help", "scale": "9"}, BrowserLooks("light", 1)),
    ],
)
def test_the_window_opens_as_the_browser_looks(workbench, told, looks):
    workbench.browser().post(workbench.path, data=told, headers=ORIGIN)
    assert workbench.hosts[0].looks == looks


def test_a_second_browser_takes_over_and_the_first_is_told(workbench):
    application = workbench.gate.application()
    first = TestClient(application, base_url=URL, follow_redirects=False)
    with first:
        workbench.come_in(first)
        second = TestClient(application, base_url=URL, follow_redirects=False)
        second.portal = first.portal
        with news_of(first) as news:
            workbench.come_in(second)
            assert news.receive_json() == {"elsewhere": True}
        assert first.get("/workbench").status_code == 403
        assert second.get("/workbench").status_code == 200
    assert len(workbench.hosts) == 1


def test_a_second_tab_takes_over_and_the_first_is_told(inside):
    with news_of(inside) as first, news_of(inside):
        assert first.receive_json() == {"elsewhere": True}


def test_a_window_that_was_closed_is_told_and_can_be_opened_again(workbench, inside):
    with news_of(inside) as news:
        inside.portal.call(workbench.hosts[0].stop)
        assert news.receive_json() == {"closed": True}
    page = inside.get("/workbench").text
    assert "The window is closed" in page
    assert inside.post("/workbench/open", headers=ORIGIN).headers["location"] == "/workbench"
    assert len(workbench.hosts) == 2
    assert 'id="screen"' in inside.get("/workbench").text


def test_a_window_that_ended_by_itself_says_why(workbench, inside):
    workbench.hosts[0].is_running = False
    workbench.hosts[0].complaint = "MemoryError: <b>"
    page = inside.get("/workbench").text
    assert "ended by itself" in page
    assert "MemoryError: &lt;b&gt;" in page


def test_a_window_that_does_not_start_says_why_and_gives_no_seat(tmp_path):
    class Failing(FakeHost):
        async def start(self):
            raise WindowFailed("Xvnc did not start. No space left on device")

    workbench = MadeUpWorkbench(tmp_path, host=Failing)
    answer = workbench.come_in(workbench.browser())
    assert answer.status_code == 503
    assert "No space left on device" in answer.text


def test_the_window_is_closed_when_the_server_ends(workbench):
    with workbench.browser() as browser:
        workbench.come_in(browser)
    assert not workbench.hosts[0].is_running
