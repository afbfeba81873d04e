"""The contract of everything that answers prompts: requests, responses, tries and errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, Protocol

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.agents import ToolOffer, Turn
from spatial_workbench.engine.core.formats.sound import Amount, Count, known_amount, whole_texts


class ErrorKind(StrEnum):
    """Why there is no answer."""

    AUTH = "auth"
    QUOTA = "quota"
    RATE_LIMIT = "rate limit"
    TIMEOUT = "timeout"
    CUT_OFF = "cut off"
    REFUSED = "refused"
    NETWORK = "network"
    SERVER = "server"
    BAD_RESPONSE = "bad response"
    BAD_REQUEST = "bad request"
    CONTEXT_OVERFLOW = "context overflow"
    UNAVAILABLE = "unavailable"

    @property
    def sentence(self) -> str:
        """What it means, for a person."""
        return _SENTENCES[self]


_SENTENCES = {
    ErrorKind.AUTH: "The endpoint does not accept the key, or there is none.",
    ErrorKind.QUOTA: "The account's credit or quota is used up.",
    ErrorKind.RATE_LIMIT: "The endpoint accepts fewer requests than were sent.",
    ErrorKind.TIMEOUT: "The answer took too long.",
    ErrorKind.CUT_OFF: "The answer ended in the middle.",
    ErrorKind.REFUSED: "The model, or a filter of its provider, refused to answer.",
    ErrorKind.NETWORK: "The endpoint could not be reached, or the connection broke.",
    ErrorKind.SERVER: "The endpoint reported an error of its own.",
    ErrorKind.BAD_RESPONSE: "The endpoint sent something that is not an answer.",
    ErrorKind.BAD_REQUEST: "The endpoint rejected the request.",
    ErrorKind.CONTEXT_OVERFLOW: "The prompt is longer than the model can read.",
    ErrorKind.UNAVAILABLE: "Nothing is available that could answer.",
}


class ModelRecord(BaseModel):
    """Base of the records that are stored: frozen; every text is Unicode, whatever came."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _make_texts_whole(cls, data: Any) -> Any:
        return whole_texts(data) if isinstance(data, dict) else data


class Usage(ModelRecord):
    """Tokens as the endpoint counted them; None if it reported no count, or one that makes no sense."""

    input_tokens: Count = None
    cached_tokens: Count = Field(default=None, description="Part of the input tokens")
    output_tokens: Count = Field(default=None, description="All that was generated, reasoning included")
    reasoning_tokens: Count = Field(default=None, description="Part of the output tokens")


class ToolCall(ModelRecord):
    """A model's call of a tool."""

    tool: str = Field(description="Such as 'code_interpreter_call', 'web_search_call' or the name of a function")
    input: str = ""
    output: str = ""
    id: str = Field(default="", description="By which a result refers to it; empty: nobody is waited for")


class Try(ModelRecord):
    """One request as it was sent, and how it ended. It never holds keys; pictures are replaced by their SHA-256."""

    number: int = Field(description="From 1")
    started_at: datetime
    waited_s: float = Field(description="Seconds it waited: after a failed try, or for the rate limits")
    seconds: float = Field(description="From sending to the end")
    sent: str = Field(description="The body of the request as JSON")
    status: int | None = Field(default=None, description="HTTP status; None where no answer came")
    request_id: str | None = None
    error: ErrorKind | None = Field(default=None, description="None: it was answered")
    message: str = Field(default="", description="What went wrong, in the endpoint's words")
    finish_reason: str | None = None
    text: str = Field(default="", description="What came, also of an answer that was cut off")
    reasoning: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    cost_usd: Amount = Field(default=None, description="None where a price or a count is unknown")
    notes: tuple[str, ...] = Field(default=(), description="What was put right when it was read, in sentences")


class TheirScore(ModelRecord):
    """What a file of other people says of an answer that it holds."""

    score: float = Field(ge=0, le=1)
    passed: bool


class Response(ModelRecord):
    """An answer."""

    text: str = Field(description="As it came")
    reasoning: str | None = Field(default=None, description="None where the endpoint does not show it")
    finish_reason: str = Field(description="'stop', or 'length' where the output limit ended it, or other")
    structured: Literal["native", "prompt", "none"] = Field(
        default="none", description="How the schema was imposed: by the endpoint, by words in the prompt, not at all"
    )
    adaptations: tuple[str, ...] = Field(
        default=(), description="What was left out or renamed because the endpoint refused it"
    )
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    cost_usd: Amount = Field(default=None, description="Of the try that answered")
    notes: tuple[str, ...] = Field(default=(), description="What was put right when it was read, in sentences")
    tries: tuple[Try, ...] = ()
    seconds: Annotated[float, BeforeValidator(lambda value: known_amount(value) or 0.0)] = Field(
        default=0.0, description="From asking to the answer, waiting and failed tries included"
    )
    request_id: str | None = None
    model: str = Field(default="", description="Who answered, in the endpoint's words")
    place: str = Field(default="", description="Which question of an agent's run it answers; empty: the next one")
    theirs: TheirScore | None = Field(default=None, description="The score that came with it, if it is from a file")


class ModelError(Exception):
    """There is no answer.

    Attributes:
        kind: Why.
        detail: The endpoint's message, without keys; may be empty.
        tries: All tries, in order.
        advice: What a person can do about it, if that is known.
    """

    def __init__(self, kind: ErrorKind, detail: str = "", tries: tuple[Try, ...] = (), advice: str = "") -> None:
        self.kind = kind
        self.detail = detail
        self.tries = tries
        self.advice = advice
        super().__init__(" ".join(filter(None, (kind.sentence, advice, f"({detail})" if detail else ""))))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, self.detail, self.tries, self.advice)


@dataclass(frozen=True)
class Request:
    """A question.

    Attributes:
        text: The prompt.
        system: The system message.
        pictures: As PNG, shown after the text.
        history: Earlier turns of the conversation.
        schema: JSON schema that the answer has to follow.
        schema_name: The name of the schema in requests to endpoints.
        tools: What the model may call; the calls are in the response, and their results in the next turn.
        results: The results of the calls of the last turn, each with the id of its call, shown before the text.
        seed: For endpoints that accept one, and for random answers.
        address: The instance that is asked about; answerers without a model need it.
        repeat: Which of several equal questions this is, from 0.
        timeout_s: Limit on the whole time, retries included, in addition to the limits in the settings.
        heard: Called with each try when it ends, even if it was cancelled. It may be called in any thread and has to
            be quick.
    """

    text: str
    system: str = ""
    pictures: tuple[bytes, ...] = ()
    history: tuple[Turn, ...] = ()
    schema: dict[str, Any] | None = None
    schema_name: str = "answer"
    tools: tuple[ToolOffer, ...] = ()
    results: tuple[tuple[str, str], ...] = ()
    seed: int | None = None
    address: str | None = None
    repeat: int = 0
    timeout_s: float | None = None
    heard: Callable[[Try], None] | None = field(default=None, compare=False, repr=False)


class Answerer(Protocol):
    """Answers prompts."""

    def ask(self, request: Request, progress: Progress = silent) -> Response:
        """Asks and waits for the answer. May be called from several threads at a time.

        `progress` gets the seconds that have passed, the seconds that are allowed, and what is happening.

        Raises:
            ModelError: There is no answer.
            Cancelled: Raised by `progress`; the request is cancelled within a moment.
        """

    def close(self) -> None:
        """Closes connections and ends processes. Afterwards nothing can be asked."""
