"""People come from a recruiter: what is dealt, to whom, and what is refused."""

import asyncio
import re
from html import unescape

import httpx
import pytest

from spatial_workbench.app.serving.limits import MOST_OF_LINK
from tests.app.serving.recruiting.recruited import URL, Recruited, begin, field, post, read_notice
from tests.app.serving.recruiting.recruiter import (
    FOREIGN,
    PERSON,
    SESSION,
    query,
    recruiters_file,
    report,
    signed_file,
    token,
)

SECRET_OF_WEBHOOK = {"webhook": {"secret": "a secret of the webhook"}}


@pytest.fixture
def recruited(tmp_path):
    return Recruited(tmp_path)


def test_nothing_is_dealt_by_looking(recruited):
    browser = recruited.browser()
    for _ in range(3):
        notice = browser.get(f"/study?{query()}")
        entry = read_notice(browser)
    assert (notice.status_code, entry.status_code) == (200, 200)
    assert (recruited.people(), recruited.gate.seats.taken) == ([], [])
    assert "study" not in browser.cookies


def test_what_is_kept_is_said_before_anything_else(recruited):
    page = recruited.browser().get(f"/study?{query()}").text
    for words in ("Prolific ID", "encrypted", "30 days", "7 days", "Ada Example, ada@example.org"):
        assert words in page
    assert page.index("30 days") < page.index("Continue")


def test_the_first_page_offers_the_languages_of_the_study_and_the_next_ones_stay_with_the_chosen_one(recruited):
    recruited.gate.languages = ("en", "de")
    recruited.application = recruited.gate.application()
    browser = recruited.browser()
    english = browser.get(f"/study?{query()}").text
    address = unescape(re.search(r'href="([^"]*language=de)"', english)[1])
    german = browser.get(f"/study{address}")
    assert "Bevor Sie beginnen" in german.text
    entry = post(browser, "/study/begin?language=de", arrival=field(german, "arrival"))
    assert ('<html lang="de">' in entry.text, "language=en" in entry.text) == (True, False)


def test_begin_deals_the_first_free_place_and_answers_with_an_address_without_parameters(recruited):
    browser = recruited.browser()
    answer = begin(browser)
    assert (answer.status_code, answer.headers["location"]) == (303, "/take-part")
    assert [code for _, code in recruited.people()] == ["P001H"]
    assert browser.get("/take-part").status_code == 200


def test_no_page_after_the_first_names_the_identity(recruited):
    browser = recruited.browser()
    pages = [browser.get(f"/study?{query()}"), read_notice(browser), begin(browser), browser.get("/take-part")]
    for page in pages:
        assert PERSON not in page.text + str(page.headers)
        assert SESSION not in page.text + str(page.headers)


def test_the_address_with_the_identity_is_no_referrer(recruited):
    page = recruited.browser().get(f"/study?{query()}")
    assert page.headers["referrer-policy"] == "strict-origin"
    assert page.headers["cache-control"] == "no-store"


def test_replaying_begin_gives_the_same_place(recruited):
    browser = recruited.browser()
    form = field(read_notice(browser), "form")
    for _ in range(3):
        assert post(browser, "/study/begin", form=form).status_code == 303
    assert [code for _, code in recruited.people()] == ["P001H"]


def test_the_same_identity_comes_back_to_the_same_place_from_another_browser(recruited):
    begin(recruited.browser())
    begin(recruited.browser(), query("another", "session"))
    recruited.window().consent()
    other = recruited.browser()
    assert "Go on" in read_notice(other).text or recruited.people()
    assert begin(other).status_code == 303
    assert [code for _, code in recruited.people()] == ["P001H", "P002Q"]
    assert other.get("/take-part").status_code == 200


def test_after_the_server_was_started_again_the_same_identity_has_the_same_place(recruited):
    browser = recruited.browser()
    begin(browser)
    begin(recruited.browser(), query("another", "session"))
    recruited.window().consent()
    asyncio.run(recruited.gate.seats.close())
    recruited.start()
    again = recruited.browser()
    assert begin(again).status_code == 303
    assert len(recruited.people()) == 2
    returning = recruited.browser()
    returning.cookies["study"] = again.cookies["study"]
    assert returning.get("/take-part").status_code == 200


def test_somebody_with_the_same_identity_and_another_proof_is_refused(recruited):
    begin(recruited.browser())
    thief = recruited.browser()
    answer = begin(thief, query(session="guessed"))
    assert (answer.status_code, "study" in thief.cookies) == (403, False)
    assert len(recruited.people()) == 1


def test_two_requests_at_once_do_not_get_one_place(recruited):
    forms = [field(read_notice(recruited.browser(), query(f"p{number}", "s")), "form") for number in range(2)]

    async def both():
        transport = httpx.ASGITransport(recruited.application)
        async with httpx.AsyncClient(transport=transport, base_url=URL) as client:
            sent = (client.post("/study/begin", data={"form": form}, headers={"Origin": URL}) for form in forms)
            return await asyncio.gather(*sent)

    assert [answer.status_code for answer in asyncio.run(both())] == [303, 303]
    assert sorted(code for _, code in recruited.people()) == ["P001H", "P002Q"]


def test_a_full_study_has_its_page_and_reserves_are_not_dealt(recruited):
    for number in range(2):
        begin(recruited.browser(), query(f"p{number}", "s"))
    page = recruited.browser().get(f"/study?{query()}")
    assert "All places of this study are taken" in page.text
    assert 'name="arrival"' not in page.text
    assert begin(recruited.browser(), query("p0", "s")).status_code == 303


def test_while_the_server_drains_nobody_new_begins(tmp_path):
    recruited = Recruited(tmp_path, drains=True)
    assert "Nobody can begin" in recruited.browser().get(f"/study?{query()}").text
    assert recruited.people() == []


@pytest.mark.parametrize("bad", ["", "PROLIFIC_PID=x", f"{query()}&PROLIFIC_PID=y", "participant=ada"])
def test_a_link_that_does_not_say_who_somebody_is_is_a_page(recruited, bad):
    page = recruited.browser().get(f"/study?{bad}")
    assert page.status_code == 403
    assert "This link does not fit" in page.text


@pytest.mark.parametrize("forged", ["", "x", "A" * 300, "ü"])
def test_a_form_that_this_server_did_not_make_is_refused(recruited, forged):
    for path in ("/study/begin", "/study/incompatible"):
        assert post(recruited.browser(), path, form=forged).status_code == 403
    assert recruited.people() == []


@pytest.mark.parametrize("origin", [None, "null", "https://evil.example"])
def test_a_form_from_another_page_is_refused(recruited, origin):
    browser = recruited.browser()
    form = field(read_notice(browser), "form")
    headers = {"Origin": origin} if origin else {}
    assert browser.post("/study/begin", data={"form": form}, headers=headers).status_code == 403
    assert recruited.people() == []


@pytest.mark.slow
def test_a_form_of_another_server_is_refused(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    form = field(read_notice(Recruited(tmp_path / "a").browser()), "form")
    assert post(Recruited(tmp_path / "b").browser(), "/study/begin", form=form).status_code == 403


def test_a_forged_token_is_refused_and_a_signed_one_begins(tmp_path):
    recruited = Recruited(tmp_path, signed_file(tmp_path))
    for forged in (token(key=FOREIGN), token(exp=1), "x"):
        assert recruited.browser().get(f"/study?prolific_token={forged}").status_code == 403
    assert begin(recruited.browser(), f"prolific_token={token()}").status_code == 303


def test_nobody_has_a_link_before_a_place_is_dealt(recruited):
    assert recruited.gate.links.codes == []
    begin(recruited.browser())
    assert recruited.gate.links.codes == ["P001H"]


def test_who_declines_on_the_first_page_is_shown_the_way_back_and_nothing_is_kept(recruited):
    browser = recruited.browser()
    arrival = field(browser.get(f"/study?{query()}"), "arrival")
    page = post(browser, "/study/begin", arrival=arrival, leave="declined").text
    assert "return your submission" in page
    assert "N0CONSENT" in page
    assert 'href="https://recruiter.example/complete?cc=N0CONSENT"' in page
    assert recruited.people() == []


def test_somebody_whose_computer_does_not_fit_is_counted_without_identity_and_shown_the_way_back(tmp_path):
    ways = {"complete": {"code": "C"}, "incompatible": {"code": "N0FIT", "link": "https://a.example/?p={identity}"}}
    recruited = Recruited(tmp_path, recruiters_file(tmp_path, exits=ways))
    browser = recruited.browser()
    entry = read_notice(browser)
    assert 'action="/study/incompatible?language=en"' in entry.text
    page = post(browser, "/study/incompatible", form=field(entry, "form"), reason="touch").text
    assert "N0FIT" in page
    assert f"https://a.example/?p={PERSON}" in page
    assert recruited.gate.refusals.counts() == {"touch": 1}
    assert recruited.people() == []


def test_pages_have_no_code_of_their_own(recruited):
    browser = recruited.browser()
    arrival = field(browser.get(f"/study?{query()}"), "arrival")
    pages = [
        browser.get(f"/study?{query()}"),
        read_notice(browser),
        post(browser, "/study/begin", arrival=arrival, leave="declined"),
    ]
    for page in pages:
        assert re.findall(r"<script(?![^>]*src=)|\son\w+=|style=", page.text) == []
        assert "default-src 'none'" in page.headers["content-security-policy"]


# The recruiter ---------------------------------------------------------------------------------------------------


def test_a_signed_report_gives_a_place_back_that_was_not_begun(tmp_path):
    recruited = Recruited(tmp_path, recruiters_file(tmp_path, **SECRET_OF_WEBHOOK))
    first = recruited.browser()
    begin(first)
    body, headers = report("RETURNED")
    assert recruited.browser().post("/recruiter/reports", content=body, headers=headers).status_code == 200
    recruited.sweep()
    assert recruited.people() == []
    assert first.get("/take-part").status_code == 403
    assert begin(recruited.browser(), query("another", "s")).status_code == 303
    assert [code for _, code in recruited.people()] == ["P001H"]


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        ("{}", {}),
        report("RETURNED", secret="another secret that is long"),
        report("RETURNED", at=1),
        (report("RETURNED")[0], report("TIMED-OUT")[1]),
    ],
    ids=["unsigned", "another secret", "old", "another signature"],
)
def test_a_report_that_the_recruiter_did_not_sign_changes_nothing(tmp_path, body, headers):
    recruited = Recruited(tmp_path, recruiters_file(tmp_path, **SECRET_OF_WEBHOOK))
    begin(recruited.browser())
    assert recruited.browser().post("/recruiter/reports", content=body, headers=headers).status_code == 403
    recruited.sweep()
    assert len(recruited.people()) == 1


def test_without_a_secret_no_report_is_taken(recruited):
    body, headers = report("RETURNED")
    assert recruited.browser().post("/recruiter/reports", content=body, headers=headers).status_code == 404


@pytest.mark.parametrize("status", ["APPROVED", "ACTIVE", "AWAITING REVIEW"])
def test_other_reports_change_no_place(tmp_path, status):
    recruited = Recruited(tmp_path, recruiters_file(tmp_path, **SECRET_OF_WEBHOOK))
    begin(recruited.browser())
    body, headers = report(status)
    assert recruited.browser().post("/recruiter/reports", content=body, headers=headers).status_code == 200
    recruited.sweep()
    assert len(recruited.people()) == 1


def test_whoever_sends_forged_forms_shuts_nobody_else_out(recruited):
    for _ in range(MOST_OF_LINK + 1):
        assert post(recruited.browser(), "/study/begin", form="x").status_code == 403
    assert begin(recruited.browser()).status_code == 303


def test_only_reports_come_without_an_origin(recruited):
    assert recruited.browser().post("/study/begin", data={}).status_code == 403
    assert recruited.browser().post("/recruiter/reports", headers={"Origin": URL + "0"}).status_code == 403
