"""Questions over HTTP: whole answers, broken ones, deadlines, retries and limits."""

import contextlib
import gzip
import json
import pickle
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_workbench.engine.core import Cancelled
from spatial_workbench.engine.core.agents import Turn
from spatial_workbench.engine.models import chat as chat_api
from spatial_workbench.engine.models import responses as responses_api
from spatial_workbench.engine.models.contracts import ErrorKind, ModelError, Request, Response
from spatial_workbench.engine.models.faults import Broken
from spatial_workbench.engine.models.settings import Prices, RateLimits
from spatial_workbench.engine.models.wire import Received
from tests.models.conftest import DONE, ScriptedReply, ScriptedServer, chat, delta, refuse, sse, usage

HELLO = Request("Say hello")
PNG = b"\x89PNG\r\n\x1a\n not really"


def kind_of(model, request=HELLO):
    with pytest.raises(ModelError) as caught:
        model.ask(request)
    return caught.value.kind


# Whole answers --------------------------------------------------------------------------------------------------------


def test_an_answer_comes_with_its_text_reason_and_counts(llmock, model_of):
    llmock.reply("The answer is 42")
    response = model_of(llmock.base_url()).ask(HELLO)
    assert (response.text, response.finish_reason) == ("The answer is 42", "stop")
    assert response.usage.output_tokens > 0
    assert [attempt.error for attempt in response.tries] == [None]


def test_reasoning_is_kept_apart_from_the_text(server, model_of):
    server.answers.append(
        ScriptedReply([delta(reasoning_content="Let me see"), delta("4"), delta(finish="stop"), DONE])
    )
    response = model_of(server.url).ask(HELLO)
    assert (response.text, response.reasoning) == ("4", "Let me see")


def test_an_endpoint_that_counts_no_tokens_leaves_them_unknown(server, model_of):
    server.answers.append(ScriptedReply([delta("4", finish="stop"), DONE]))
    response = model_of(server.url, prices=Prices(input_usd=1, output_usd=1)).ask(HELLO)
    assert response.usage.output_tokens is None
    assert response.cost_usd is None


def test_counts_that_make_no_sense_are_unknown(server, model_of):
    lies = {"prompt_tokens": -5, "completion_tokens": "many", "completion_tokens_details": None}
    server.answers.append(ScriptedReply([delta("4", finish="stop"), usage(**lies), DONE]))
    counts = model_of(server.url).ask(HELLO).usage
    assert (counts.input_tokens, counts.output_tokens, counts.reasoning_tokens) == (None, None, None)


def test_the_cost_follows_from_counts_and_prices(server, model_of):
    server.answers.append(chat(prompt_tokens=1000, completion_tokens=100, prompt_tokens_details={"cached_tokens": 400}))
    prices = Prices(input_usd=10, cached_input_usd=1, output_usd=20)
    response = model_of(server.url, prices=prices).ask(HELLO)
    assert response.cost_usd == pytest.approx((600 * 10 + 400 * 1 + 100 * 20) / 1e6)


def test_an_answer_ended_by_the_cap_is_an_answer_that_says_so(server, model_of):
    server.answers.append(chat("", finish="length"))
    response = model_of(server.url, max_output_tokens=16).ask(HELLO)
    assert (response.text, response.finish_reason) == ("", "length")


def test_an_answer_is_whole_though_the_connection_breaks_before_the_counts(server, model_of):
    server.answers.append(ScriptedReply([delta("4", finish="stop"), b"data: {"]))
    assert model_of(server.url).ask(HELLO).text == "4"


def test_a_conversation_goes_over_with_its_pictures(server, model_of):
    server.answers.append(chat())
    history = (Turn("user", "Look", (PNG,)), Turn("assistant", "Nice"))
    model_of(server.url).ask(Request("And now?", system="Be brief", history=history))
    messages = server.seen[0].body["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user"]
    assert messages[1]["content"][1]["image_url"]["url"].startswith("data:image/png;base64,")


def test_records_hold_pictures_by_their_digest(server, model_of):
    server.answers.append(chat())
    sent = model_of(server.url).ask(Request("Look", pictures=(PNG,))).tries[0].sent
    assert "png sha256:" in sent
    assert "base64" not in sent


def test_the_settings_go_into_the_request(server, model_of):
    server.answers.append(chat())
    extra = '{"thinking": {"type": "enabled", "budget_tokens": 1024}}'
    model_of(server.url, effort="high", temperature=0.5, max_output_tokens=99, extra_json=extra).ask(HELLO)
    body = server.seen[0].body
    assert (body["reasoning_effort"], body["temperature"], body["max_completion_tokens"]) == ("high", 0.5, 99)
    assert body["thinking"]["budget_tokens"] == 1024


def test_the_budget_is_told_before_the_prompt(server, model_of):
    server.answers.append(chat())
    model_of(server.url, max_output_tokens=1024, budget_note="number").ask(HELLO)
    lines = server.seen[0].body["messages"][0]["content"].split("\n")
    assert "1024" in lines[0]
    assert lines[2:] == ["", "Say hello"]


def test_the_published_program_tells_large_budgets_as_without_limit(server, model_of):
    server.answers.append(chat())
    model_of(server.url, max_output_tokens=65536, budget_note="published").ask(HELLO)
    assert "65536" not in server.seen[0].body["messages"][0]["content"]


# Answers that are none ------------------------------------------------------------------------------------------------


def test_a_stream_that_ends_without_a_reason_is_cut_off(llmock, model_of):
    llmock.truncate(after_chunks=2, times=None)
    assert kind_of(model_of(llmock.base_url(), max_tries=1)) is ErrorKind.CUT_OFF


def test_a_cut_off_answer_is_asked_for_again(llmock, model_of, no_pauses):
    llmock.reply("whole", times=2).truncate(after_chunks=2)
    response = model_of(llmock.base_url()).ask(HELLO)
    assert [attempt.error for attempt in response.tries] == [ErrorKind.CUT_OFF, None]
    assert response.text == "whole"
    llmock.assert_resilient()


def test_a_connection_that_breaks_in_the_answer_is_tried_again(llmock, model_of, no_pauses):
    llmock.disconnect(after_chunks=2)
    response = model_of(llmock.base_url()).ask(HELLO)
    assert [attempt.error for attempt in response.tries] == [ErrorKind.NETWORK, None]


def test_what_came_before_a_break_is_kept(server, model_of):
    server.answers.append(ScriptedReply([delta("half an ans")]))
    with pytest.raises(ModelError) as caught:
        model_of(server.url, max_tries=1).ask(HELLO)
    assert caught.value.tries[0].text == "half an ans"


def test_a_piece_that_is_not_json_is_a_bad_response(llmock, model_of):
    llmock.corrupt(after_chunks=2)
    assert kind_of(model_of(llmock.base_url())) is ErrorKind.BAD_RESPONSE


@pytest.mark.parametrize(
    "nonsense",
    [
        [],
        None,
        7,
        "text",
        {"choices": 3},
        {"choices": [None]},
        {"choices": [{"delta": {"content": ["x"]}}]},
        {"usage": []},
    ],
)
def test_json_that_is_no_piece_of_an_answer_is_passed_over(server, model_of, nonsense):
    server.answers.append(ScriptedReply([sse(nonsense), delta("4", finish="stop"), DONE]))
    assert model_of(server.url).ask(HELLO).text == "4"


@pytest.mark.parametrize(
    "answer",
    [
        ScriptedReply([b"data: \xff\xfe\n\n"]),
        ScriptedReply([], 204),
        ScriptedReply([], 301),
        ScriptedReply([b"not zipped"], headers={"content-encoding": "gzip"}),
        ScriptedReply([b'{"error": "text"}'], 400, content_type="application/json"),
        ScriptedReply([sse({"error": {"message": {"a": 1}}})]),
        ScriptedReply([delta("4", finish=7), DONE]),
        refuse(429, "wait", retry_after="soon"),
        refuse(429, "wait", retry_after="inf"),
    ],
)
def test_whatever_an_endpoint_does_the_error_is_one_of_ours(server, model_of, answer):
    server.answers.append(answer)
    assert kind_of(model_of(server.url, max_tries=1)) in ErrorKind


NAMES = [
    *("id", "model", "usage", "choices", "delta", "content", "finish_reason", "tool_calls", "function", "name"),
    *("type", "response", "status", "output", "text", "error", "message", "code", "outputs", "reason"),
    *("prompt_tokens", "input_tokens", "incomplete_details"),
]
VALUES = ["completed", "message", "output_text", "code_interpreter_call", "", None, True, -1, 2.5]
ANYTHING = st.recursive(
    st.sampled_from(VALUES),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=6),
    max_leaves=20,
)


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(NAMES), ANYTHING))
def test_no_json_confuses_the_readers(data):
    for read in (chat_api._read_piece, responses_api._read_end):
        received = Received()
        with contextlib.suppress(Broken):
            read(data, received)
        Response(
            text="".join(received.text),
            finish_reason=received.finish_reason or "stop",
            tool_calls=tuple(received.tool_calls),
            usage=received.usage,
            request_id=received.request_id,
            model=received.model,
        )


def test_a_web_page_is_a_bad_response(server, model_of):
    server.answers.append(ScriptedReply([b"<html>Please log in</html>"], content_type="text/html"))
    assert kind_of(model_of(server.url)) is ErrorKind.BAD_RESPONSE


def test_an_answer_that_is_no_stream_is_a_bad_response(server, model_of):
    server.answers.append(ScriptedReply([b'{"choices": []}'], content_type="application/json"))
    assert kind_of(model_of(server.url)) is ErrorKind.BAD_RESPONSE


def test_an_answer_without_end_is_a_bad_response(server, model_of, monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.models.wire.MAX_TEXT_CHARS", 100)
    server.answers.append(ScriptedReply([delta("again " * 10)] * 100))
    assert kind_of(model_of(server.url)) is ErrorKind.BAD_RESPONSE


def failure(model):
    with pytest.raises(ModelError) as caught:
        model.ask(HELLO)
    return caught.value


def test_an_error_body_without_end_is_a_bad_response_that_says_so(server, model_of, monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.models.bounds.ERROR_BYTES", 1000)
    server.answers.append(ScriptedReply([b"x" * 600] * 100, status=500, content_type="text/plain"))
    error = failure(model_of(server.url))
    assert (error.kind, error.detail) == (ErrorKind.BAD_RESPONSE, "it sent more than 1,000 bytes")


def test_a_line_without_end_is_a_bad_response_that_says_so(server, model_of, monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.models.bounds.LINE_BYTES", 1000)
    server.answers.append(ScriptedReply([b"data: ", *[b"x" * 600] * 100]))
    error = failure(model_of(server.url))
    assert (error.kind, error.detail) == (ErrorKind.BAD_RESPONSE, "it sent a line of more than 1,000 bytes")


def test_many_lines_without_end_are_a_bad_response_that_says_so(server, model_of, monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.models.bounds.ANSWER_BYTES", 1000)
    server.answers.append(ScriptedReply([b": ping\n\n" * 60] * 100))
    error = failure(model_of(server.url))
    assert (error.kind, error.detail) == (ErrorKind.BAD_RESPONSE, "it sent more than 1,000 bytes")


@pytest.mark.parametrize("status", [200, 500])
def test_compressed_data_is_not_unpacked(server, model_of, status):
    bomb = gzip.compress(b"\n" * 10_000_000)
    server.answers.append(ScriptedReply([bomb], status=status, headers={"content-encoding": "gzip"}))
    error = failure(model_of(server.url))
    assert error.kind is ErrorKind.BAD_RESPONSE
    assert "compressed data (gzip)" in error.detail
    assert server.seen[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_prompt_follows_no_redirect_to_another_port(server, model_of, status):
    elsewhere = ScriptedServer()
    elsewhere.answers.append(chat("mine now"))
    headers = {"location": f"{elsewhere.url}/chat/completions"}
    server.answers.append(ScriptedReply([], status=status, headers=headers))
    error = failure(model_of(server.url))
    assert elsewhere.seen == []
    assert error.kind is ErrorKind.BAD_RESPONSE
    assert f"it redirects to {elsewhere.url.removesuffix('/v1')}" in error.detail
    elsewhere.close()


def test_a_redirect_at_the_same_host_is_followed(server, model_of):
    server.answers += [ScriptedReply([], status=307, headers={"location": "/v2/chat/completions"}), chat("here")]
    assert model_of(server.url).ask(HELLO).text == "here"
    assert server.seen[1].path == "/v2/chat/completions"


def test_a_key_that_the_endpoint_echoes_is_removed_wherever_it_stands(server, model_of, monkeypatch):
    key = "sk-test-0123456789abcdef"
    host = server.url.split("/")[2].replace(".", "_").replace(":", "_")
    monkeypatch.setenv(f"SPATIAL_WORKBENCH_KEY_{host}", key)
    pieces = sse({"id": key, "model": key, "choices": [{"delta": {"content": key}, "finish_reason": key}]})
    server.answers.append(ScriptedReply([pieces, DONE], headers={"x-request-id": f"req {key}"}))
    response = model_of(server.url).ask(HELLO)
    assert server.seen[0].headers["authorization"] == f"Bearer {key}"
    assert key not in response.model_dump_json()
    assert response.request_id.startswith("req ")


def test_an_error_in_the_stream_is_not_paid_for_twice(server, model_of):
    server.answers.append(ScriptedReply([delta("4"), sse({"error": {"message": "overloaded"}})]))
    assert kind_of(model_of(server.url)) is ErrorKind.SERVER
    assert len(server.seen) == 1


def test_a_refusal_of_the_model_is_an_error_of_its_own(server, model_of):
    server.answers.append(ScriptedReply([delta(refusal="I will not"), delta(finish="stop"), DONE]))
    assert kind_of(model_of(server.url)) is ErrorKind.REFUSED


def test_a_filter_of_the_provider_is_a_refusal(server, model_of):
    server.answers.append(chat("", finish="content_filter"))
    assert kind_of(model_of(server.url)) is ErrorKind.REFUSED


# Refused requests -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "message", "code", "kind"),
    [
        (400, "unknown field", None, ErrorKind.BAD_REQUEST),
        (401, "wrong key", None, ErrorKind.AUTH),
        (403, "not yours", None, ErrorKind.AUTH),
        (404, "no such model", None, ErrorKind.BAD_REQUEST),
        (400, "too long", "context_length_exceeded", ErrorKind.CONTEXT_OVERFLOW),
        (500, "the request exceeds the available context size", None, ErrorKind.CONTEXT_OVERFLOW),
        (400, "flagged", "content_policy_violation", ErrorKind.REFUSED),
        (429, "pay first", "insufficient_quota", ErrorKind.QUOTA),
    ],
)
def test_a_refused_request_is_not_repeated(server, model_of, status, message, code, kind):
    server.answers.append(refuse(status, message, code))
    assert kind_of(model_of(server.url)) is kind
    assert len(server.seen) == 1


def test_every_error_has_a_sentence_for_a_person():
    assert all(kind.sentence.endswith(".") for kind in ErrorKind)


def test_errors_can_be_sent_between_processes(server, model_of):
    server.answers.append(refuse(401, "no"))
    with pytest.raises(ModelError) as caught:
        model_of(server.url).ask(HELLO)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.tries) == (str(caught.value), caught.value.tries)


def test_an_endpoint_that_is_not_there_is_a_network_error(server, model_of, no_pauses):
    server.close()
    with pytest.raises(ModelError) as caught:
        model_of(server.url, max_tries=2).ask(HELLO)
    assert caught.value.kind is ErrorKind.NETWORK
    assert [attempt.status for attempt in caught.value.tries] == [None, None]


def test_a_proxy_is_not_asked_for_this_machine(server, model_of, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    server.answers.append(chat("here"))
    assert model_of(server.url).ask(HELLO).text == "here"


def test_where_a_key_is_missing_its_name_is_said(server, model_of):
    server.answers.append(refuse(401, "no key"))
    with pytest.raises(ModelError, match=f"“{server.url.split('/')[2]}”"):
        model_of(server.url).ask(HELLO)


# Retries --------------------------------------------------------------------------------------------------------------


def test_the_wait_that_the_endpoint_asks_for_is_kept(llmock, model_of):
    llmock.rate_limit(times=2, retry_after=0.3)
    response = model_of(llmock.base_url()).ask(HELLO)
    assert [attempt.status for attempt in response.tries] == [429, 429, 200]
    assert all(attempt.waited_s >= 0.3 for attempt in response.tries[1:])
    llmock.assert_resilient(strict=True)


def test_a_wait_that_is_too_long_is_not_begun(server, model_of):
    server.answers.append(refuse(429, "come back tomorrow", retry_after="86400"))
    assert kind_of(model_of(server.url)) is ErrorKind.RATE_LIMIT
    assert len(server.seen) == 1


def test_a_wait_may_be_given_as_a_date(server, model_of):
    server.answers += [refuse(429, "wait", retry_after="Sun, 06 Nov 1994 08:49:37 GMT"), chat()]
    assert len(model_of(server.url).ask(HELLO).tries) == 2


def test_one_rate_limit_holds_back_the_other_requests_too(server, model_of):
    server.answers += [refuse(429, "slow down", retry_after="0.4"), chat()]
    model = model_of(server.url)
    threads = [threading.Thread(target=model.ask, args=(HELLO,)) for _ in range(3)]
    threads[0].start()
    while not server.seen:
        time.sleep(0.01)
    time.sleep(0.1)
    for thread in threads[1:]:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(seen.at - server.seen[0].at > 0.35 for seen in server.seen[1:])


def test_trouble_of_the_server_is_waited_out(server, model_of, no_pauses):
    server.answers += [refuse(503, "busy"), refuse(500, "oh"), chat()]
    response = model_of(server.url).ask(HELLO)
    assert [attempt.error for attempt in response.tries] == [ErrorKind.SERVER, ErrorKind.SERVER, None]


def test_tries_are_limited(server, model_of, no_pauses):
    server.answers.append(refuse(503, "busy"))
    assert kind_of(model_of(server.url, max_tries=3)) is ErrorKind.SERVER
    assert len(server.seen) == 3


def test_an_endpoint_can_forbid_another_try(server, model_of):
    server.answers.append(refuse(503, "do not come back", x_should_retry="false"))
    assert kind_of(model_of(server.url)) is ErrorKind.SERVER
    assert len(server.seen) == 1


def test_each_try_has_its_request_id(server, model_of, no_pauses):
    failed = refuse(500, "oh")
    answered = chat()
    failed.headers["x-request-id"] = "req_1"
    answered.headers["x-request-id"] = "req_2"
    server.answers += [failed, answered]
    response = model_of(server.url).ask(HELLO)
    assert [attempt.request_id for attempt in response.tries] == ["req_1", "req_2"]


# Deadlines and cancelling ---------------------------------------------------------------------------------------------


def test_silence_ends_a_try(llmock, model_of):
    llmock.stall(after_chunks=2, seconds=30)
    assert kind_of(model_of(llmock.base_url(), silence_s=0.3)) is ErrorKind.TIMEOUT


def test_a_stream_that_trickles_ends_at_the_deadline(server, model_of):
    server.answers.append(ScriptedReply([delta("."), 0.05] * 200))
    with pytest.raises(ModelError) as caught:
        model_of(server.url, timeout_s=0.4, silence_s=0.3).ask(HELLO)
    assert caught.value.kind is ErrorKind.TIMEOUT
    assert caught.value.tries[0].text.startswith("..")


def test_a_timeout_is_not_paid_for_twice(server, model_of):
    server.answers.append(ScriptedReply([5.0]))
    assert kind_of(model_of(server.url, silence_s=0.2)) is ErrorKind.TIMEOUT
    assert len(server.seen) == 1


def test_a_request_may_have_less_time_than_the_settings_give(server, model_of):
    server.answers.append(ScriptedReply([5.0]))
    with pytest.raises(ModelError) as caught:
        model_of(server.url).ask(Request("Quick!", timeout_s=0.3))
    assert caught.value.kind is ErrorKind.TIMEOUT
    assert len(caught.value.tries) == 1


def test_cancelling_ends_the_request_at_the_server(server, model_of):
    server.answers.append(ScriptedReply([delta("."), 0.05] * 400))

    def progress(done, total, text=""):
        if text.startswith("answering"):
            raise Cancelled

    with pytest.raises(Cancelled):
        model_of(server.url).ask(HELLO, progress)
    for _ in range(100):
        if server.broken_off:
            break
        time.sleep(0.02)
    assert server.broken_off == 1


def test_progress_says_whether_the_model_thinks_or_answers(server, model_of):
    phases = []
    server.answers.append(ScriptedReply([delta(reasoning="hmm"), 0.2, delta("4"), 0.2, delta(finish="stop"), DONE]))
    model_of(server.url).ask(HELLO, lambda done, total, text="": phases.append(text.split(",")[0]))
    assert "thinking" in phases
    assert phases[-1] == "answering"


# Limits ---------------------------------------------------------------------------------------------------------------


def ask_at_once(model, number):
    threads = [threading.Thread(target=model.ask, args=(HELLO,)) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_no_more_requests_run_at_a_time_than_allowed(server, model_of):
    server.answers.append(ScriptedReply([0.1, delta("4", finish="stop"), DONE]))
    ask_at_once(model_of(server.url, limits=RateLimits(parallel=2)), 5)
    assert len(server.seen) == 5
    assert server.most_at_a_time == 2


def test_requests_a_minute_are_limited(server, model_of, monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.models.rate_limits._WINDOW_S", 0.5)
    server.answers.append(chat())
    ask_at_once(model_of(server.url, limits=RateLimits(requests_per_minute=2)), 4)
    times = sorted(seen.at for seen in server.seen)
    assert times[2] - times[0] > 0.4


def test_tokens_a_minute_are_limited_by_what_was_really_used(server, model_of, monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.models.rate_limits._WINDOW_S", 0.5)
    server.answers.append(chat(prompt_tokens=10, completion_tokens=5000))
    model = model_of(server.url, limits=RateLimits(tokens_per_minute=3000))
    model.ask(HELLO)
    model.ask(HELLO)
    assert server.seen[1].at - server.seen[0].at > 0.4


def test_models_of_one_endpoint_share_its_limits(server, model_of):
    server.answers.append(ScriptedReply([0.1, delta("4", finish="stop"), DONE]))
    limits = RateLimits(parallel=1)
    models = [model_of(server.url, limits=limits, model=name) for name in ("a", "b")]
    threads = [threading.Thread(target=model.ask, args=(HELLO,)) for model in models]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert server.most_at_a_time == 1


def test_the_body_that_was_sent_is_recorded(server, model_of):
    server.answers.append(chat())
    response = model_of(server.url).ask(HELLO)
    assert json.loads(response.tries[0].sent)["messages"] == server.seen[0].body["messages"]
