"""The study document: everything that a participant can meet and everything that the analysis will do, in one record.

It is read strictly: an unknown field, a wrong type or a number out of range is refused with its place. What fits the
form but not together is found by `spatial_workbench.engine.studies.planning.checking`. Fields: docs/study_format.md.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from spatial_workbench.engine.core.formats.jsontext import format_path
from spatial_workbench.engine.core.solving.aids import Aid
from spatial_workbench.engine.studies.files.canonical import canonical, digest
from spatial_workbench.engine.studies.planning.orders import Order

FORMAT: Literal[1] = 1
MOST_BYTES = 2_000_000
MOST_ITEMS = 500
MOST_SLOTS = 5000

Text: TypeAlias = str | dict[str, str]
"""A text, or a text for each language."""
LongText: TypeAlias = Annotated[str, Field(max_length=20_000)] | dict[str, Annotated[str, Field(max_length=20_000)]]
Key: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")]


class DocumentError(ValueError):
    """A document that cannot be read; names the place."""


class _DocumentPart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=False, allow_inf_nan=False)


class Sampling(StrEnum):
    """How people were found."""

    CROWD = "crowd"
    CONVENIENCE = "convenience"
    SIMPLE_RANDOM = "simple random"
    STRATIFIED_RANDOM = "stratified random"
    OTHER = "other"


class StudySetting(StrEnum):
    """Where somebody takes part."""

    DESK = "desk"
    """In a window of their own machine, or of the laboratory's."""
    BROWSER = "browser"
    """In a window of a server, which a browser shows."""

    @property
    def phrase(self) -> str:
        """As it stands in a sentence."""
        return "at a desk" if self is StudySetting.DESK else "in a browser"


class ConsentBox(_DocumentPart):
    """A box to tick."""

    key: Key
    text: Text = Field(default="", title="Text", json_schema_extra={"rows": 2})
    required: bool = Field(default=False, title="Required; without it nobody goes on")


class StudyConsent(_DocumentPart):
    """What people agree to."""

    version: str = Field(min_length=1, title="Version of the consent")
    text: LongText = Field(
        default="",
        title="Consent",
        description="Markdown without HTML or links. Empty: written from the plan, as “Try it” shows",
        json_schema_extra={"rows": 10},
    )
    boxes: tuple[ConsentBox, ...] = ()


class StudyOption(_DocumentPart):
    """An option that is stored as a value of its own, whatever language somebody reads it in."""

    value: str = Field(min_length=1)
    text: Text


Options: TypeAlias = tuple[str | StudyOption, ...]
"""Options of a question; one that is only a text is its own value."""


def texts_by_value(options: Options) -> dict[str, Text]:
    """What people read of options, by what is stored of them, in their order."""
    return dict((option, option) if isinstance(option, str) else (option.value, option.text) for option in options)


class Covariate(_DocumentPart):
    """A question about the person."""

    key: Key
    ask: Text = Field(title="Question", json_schema_extra={"rows": 2})
    type: Literal["choice", "multi", "scale", "integer", "text"] = Field(
        title="Answer",
        json_schema_extra={
            "labels": {
                "choice": "one of several",
                "multi": "several of several",
                "scale": "a scale",
                "integer": "a whole number",
                "text": "words",
            }
        },
    )
    options: Options = ()
    range: tuple[int, int] | None = None
    required: bool = Field(default=True, title="Has to be answered, or refused")
    identifying: bool = Field(default=False, title="May tell who somebody is; left out of public data")
    when: Literal["before", "after"] = Field(
        default="before", title="Asked", json_schema_extra={"labels": {"before": "before items", "after": "at the end"}}
    )


class Comparison(StrEnum):
    """How an answer to a covariate is compared."""

    EQUAL = "="
    DIFFERENT = "!="
    IN = "in"
    NOT_IN = "not_in"
    AT_LEAST = ">="
    AT_MOST = "<="


class Eligibility(_DocumentPart):
    """Who may take part; whoever does not fit is told so kindly, and nothing is stored of them."""

    covariate: Key = Field(title="Question")
    op: Comparison = Field(
        title="Its answer",
        json_schema_extra={
            "labels": {
                "=": "is",
                "!=": "is not",
                "in": "is one of",
                "not_in": "is none of",
                ">=": "is at least",
                "<=": "is at most",
            }
        },
    )
    value: Any
    reason: Text = Field(
        default="",
        title="What everybody else is told",
        description="Empty: that other participants are looked for",
        json_schema_extra={"rows": 2},
    )


class ItemKind(StrEnum):
    """What an item is."""

    INSTANCE = "instance"
    QUESTION = "question"
    TEXT = "text"


class ItemPhase(StrEnum):
    """What an item is for."""

    PRACTICE = "practice"
    COMPREHENSION = "comprehension"
    MAIN = "main"
    ATTENTION = "attention"


class StudyItem(_DocumentPart):
    """Something that is shown: an instance to answer, a choice, or a page to read."""

    id: Key
    kind: ItemKind = ItemKind.INSTANCE
    address: str = ""
    phase: ItemPhase = ItemPhase.MAIN
    limit_s: float | None = Field(default=None, gt=0)
    submissions: int | None = Field(default=None, ge=1, le=20)
    expects: Mapping[str, Any] | None = None
    shows: Text = ""
    options: Options = ()
    tries: int = Field(default=3, ge=1)


class Block(_DocumentPart):
    """Items that are ordered together."""

    id: Key
    title: Text = ""
    items: tuple[StudyItem, ...] = Field(min_length=1)
    order: Order = Order.LATIN
    condition: str | None = None
    break_after: bool = False


class Feedback(StrEnum):
    """What a person is told about an answer."""

    NONE = "none"
    PASSED = "passed"
    SCORE = "score"
    FULL = "full"
    LIVE = "live"


class StudyCondition(_DocumentPart):
    """Aids, feedback and clipboard of the people in a condition."""

    aids: frozenset[Aid] = frozenset({Aid.VIEWING, Aid.EDITING})
    answer: Literal["editor", "text"] = "editor"
    feedback: Feedback = Feedback.NONE
    feedback_after: Literal["submission", "item", "block", "end"] = "item"
    steps: int | None = Field(default=None, ge=1)
    clock: Literal["shown", "hidden"] = "shown"
    clipboard: Literal["inside", "off", "system"] = "inside"
    tools_code: bool = Field(default=False, alias="tools.code")
    format_check: bool = True
    """Whether a typed answer that cannot be read is objected to once, as models are told of one."""


_LATER_FIELDS = ("format_check",)
"""Fields that documents once did not have: their defaults are left out, so that the hashes of frozen studies hold."""
_OF_BONUS = ("per_solved", "most", "currency")

PRESETS: Mapping[str, StudyCondition] = {
    "everything": StudyCondition(aids=frozenset(Aid)),
    "judged": StudyCondition(aids=frozenset(Aid) - {Aid.SOLVING}, feedback=Feedback.LIVE),
    "measured": StudyCondition(aids=frozenset({Aid.VIEWING, Aid.EDITING, Aid.MEASURING})),
    "hands": StudyCondition(),
    "model": StudyCondition(aids=frozenset(), answer="text"),
}
"""The conditions that have a name, from the most help to the least."""


class Pauses(_DocumentPart):
    """When the clock may be stopped by hand."""

    kind: Literal["none", "between", "any"] = Field(default="between", title="Pauses")
    count: int | None = Field(default=None, ge=1)
    total_s: float | None = Field(default=None, gt=0)


class Limits(_DocumentPart):
    """Limits of time and of submissions; seconds."""

    item_s: float | None = Field(default=None, gt=0, title="Item, seconds", json_schema_extra={"open": "no limit"})
    submissions: int = Field(default=1, ge=1, le=20, title="Submissions an item", description="1 to 20")
    score_of: Literal["last", "best", "first"] = Field(default="last", title="Counted submission")
    min_s: float = Field(default=0, ge=0, title="Earliest submission, seconds")
    stop_on_pass: bool = Field(default=False, title="End an item when it is passed")
    total_s: float | None = Field(
        default=None, gt=0, title="Whole study, seconds", json_schema_extra={"open": "no limit"}
    )
    sitting_s: float | None = Field(
        default=None, gt=0, title="A sitting, seconds", json_schema_extra={"open": "no limit"}
    )
    sittings: int = Field(default=3, ge=1, title="Most sittings")
    break_after: int | None = Field(
        default=None, ge=1, title="Break after so many items", json_schema_extra={"open": "no breaks"}
    )
    break_min_s: float = Field(default=0, ge=0, title="Shortest break, seconds")
    break_max_s: float | None = Field(
        default=None, gt=0, title="Longest break, seconds", json_schema_extra={"open": "no limit"}
    )
    pauses: Pauses = Pauses()
    at_timeout: Literal["draft", "none"] = Field(
        default="draft",
        title="When the time is over",
        json_schema_extra={"labels": {"draft": "the draft counts", "none": "no answer"}},
    )


class Log(_DocumentPart):
    """What is logged beyond the rule."""

    pointer: bool = Field(default=False, title="Log the pointer ten times a second")


class Questions(_DocumentPart):
    """What is asked after items and at the end."""

    confidence: bool = Field(default=True, title="Confidence after each item")
    strategy: bool = Field(default=False, title="Strategy after each item, in words")
    difficulty: bool = Field(default=False, title="Difficulty after each item")
    tlx: Literal["off", "block", "end"] = Field(default="off", title="Workload (NASA-TLX)")


class StudyResponse(StrEnum):
    """What a broken rule leads to."""

    FLAG = "flag"
    EXCLUDE = "exclude"
    OFF = "off"


class Rule(_DocumentPart):
    """A rule of quality, with its threshold."""

    rule: Literal[
        "too_fast",
        "no_edits",
        "attention",
        "left_window",
        "covered",
        "gap",
        "connection",
        "incomplete",
        "comprehension",
        "declared",
        "identical",
        "file",
        "by_hand",
    ]
    response: StudyResponse
    value: Mapping[str, Any] = {}


class Contrast(_DocumentPart):
    """Runs of models that people are compared with."""

    condition: str
    run: str
    tools: bool = Field(default=False, title="The run with tools")
    batch: int | None = None


class Analysis(_DocumentPart):
    """What will be computed."""

    primary: str = Field(
        default="mean score", title="Primary outcome", description="What conclusions rest on; the written plan names it"
    )
    success: str = Field(
        default="passed",
        pattern=r"^(passed|score >= (0(\.\d+)?|1(\.0+)?))$",
        title="Success",
        description="“passed”, or such as “score >= 0.8”",
    )
    contrasts: tuple[Contrast, ...] = ()
    draws: int = Field(
        default=10_000, ge=100, le=1_000_000, title="Draws of the bootstrap", description="100 to 1,000,000"
    )
    seed: int = Field(default=20261122, ge=0, title="Seed of the bootstrap")
    level: float = Field(default=0.95, gt=0.5, lt=1, title="Level of intervals", description="Such as 0.95")


class Incentive(_DocumentPart):
    """What people get."""

    base: Text = Field(default="", title="Pay", json_schema_extra={"rows": 2})
    bonus: Text = Field(default="", title="Bonus", json_schema_extra={"rows": 2})
    rule: Text = Field(default="", title="Rule of the bonus", json_schema_extra={"rows": 2})
    per_solved: float | None = Field(
        default=None,
        gt=0,
        le=1000,
        title="Bonus for each solved item",
        description="In the currency below; the pay table works it out, and people are told",
        json_schema_extra={"open": "none"},
    )
    most: float | None = Field(
        default=None, gt=0, le=100_000, title="Bonus at most", json_schema_extra={"open": "no limit"}
    )
    currency: str = Field(default="", pattern=r"^([A-Z]{3})?$", title="Currency", description="Such as GBP")
    training_paid: bool = Field(default=True, title="Practice is paid")
    same_for_all: bool = Field(default=True, title="The same for everybody")


class Allowed(StrEnum):
    """Whether people may use something."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"
    PROVIDED = "provided"


class StudyTools(_DocumentPart):
    """What people may use beside the window. It is declared; nothing watches it."""

    paper: Allowed = Field(default=Allowed.ALLOWED, title="Tools: paper")
    calculator: Allowed = Field(default=Allowed.FORBIDDEN, title="Tools: calculator")
    code: Allowed = Field(default=Allowed.FORBIDDEN, title="Tools: code")
    internet: Allowed = Field(default=Allowed.FORBIDDEN, title="Tools: internet")
    ai: Allowed = Field(default=Allowed.FORBIDDEN, title="Tools: AI")
    other: Allowed = Field(default=Allowed.FORBIDDEN, title="Tools: other")


class StudyPlan(_DocumentPart):
    """How many people are planned for."""

    slots: int = Field(ge=1, le=MOST_SLOTS, title="Places")
    reserve: int = Field(default=0, ge=0, le=MOST_SLOTS, title="Places in reserve")
    row_multiple: int | None = Field(default=None, ge=1)
    planner: Mapping[str, Any] | None = None


class Retention(_DocumentPart):
    """Until when people can withdraw, and when everything is deleted."""

    withdraw_until: date = Field(title="Last day to withdraw", description="YYYY-MM-DD")
    delete_after: date = Field(title="Delete after", description="YYYY-MM-DD")


class Ethics(_DocumentPart):
    """Who has looked at the study."""

    body: str = Field(default="", title="Ethics board")
    number: str = Field(default="", title="Number")
    status: str = Field(default="", title="Status")
    note: str = Field(default="", title="Note", json_schema_extra={"rows": 2})


class Leave(_DocumentPart):
    """The leader's passphrase as its scrypt hash; never the passphrase itself."""

    salt: str = Field(min_length=1)
    hash: str = Field(min_length=1)


class Study(_DocumentPart):
    """A study."""

    format: Literal[1] = FORMAT
    id: str = Field(pattern=r"^[0-9a-f]{16}$")
    name: str = Field(min_length=1, max_length=80, title="Name", description="It is typed to close the collection")
    leader: str = Field(title="Leader")
    contact: str = Field(title="Contact", description="Is shown to participants")
    question: Text = Field(title="Question")
    hypotheses: tuple[Text, ...] = Field(default=(), title="Hypotheses", description="One a line")
    population: Text = Field(title="Population", json_schema_extra={"rows": 2})
    population_criteria: tuple[Text, ...] = Field(
        default=(), title="Criteria", description="One a line", json_schema_extra={"rows": 2}
    )
    sampling: Sampling = Field(title="Sampling")
    setting: Literal["desk", "browser", "both"] = Field(
        default="desk",
        title="Where people take part",
        description="The report gives figures for each, and never pools their times",
        json_schema_extra={
            "labels": {"desk": "at a desk", "browser": "in a browser", "both": "at a desk or in a browser"}
        },
    )
    languages: tuple[str, ...] = ("en",)
    consent: StudyConsent
    welcome: LongText = Field(default="", title="Welcome")
    instructions: LongText = Field(default="", title="Instructions", json_schema_extra={"rows": 5})
    briefing: LongText = Field(
        default="",
        title="What people have to know",
        description="Empty: written from the plan, as “Try it” shows",
        json_schema_extra={"rows": 5},
    )
    debriefing: LongText = Field(default="", title="Debriefing")
    covariates: tuple[Covariate, ...] = Field(default=(), max_length=40)
    eligibility: tuple[Eligibility, ...] = ()
    blocks: tuple[Block, ...] = Field(min_length=1)
    blocks_order: Order = Field(default=Order.FIXED, title="Order of blocks")
    conditions: dict[Key, StudyCondition] = Field(default={"only": StudyCondition()}, min_length=1, max_length=12)
    assignment: Literal["between", "within"] = Field(
        default="between", title="Assigned", json_schema_extra={"labels": {"between": "between people"}}
    )
    limits: Limits = Limits()
    on_leave: Literal["log", "cover", "end"] = Field(default="log", title="When the window is left")
    log: Log = Log()
    questions: Questions = Questions()
    rules: tuple[Rule, ...] = ()
    analysis: Analysis = Analysis()
    incentive: Incentive = Incentive()
    tools: StudyTools = StudyTools()
    plan: StudyPlan
    retention: Retention
    ethics: Ethics = Ethics()
    leave: Leave

    @property
    def data(self) -> dict[str, Any]:
        """The study as plain data, defaults included."""
        data: dict[str, Any] = self.model_dump(mode="json", by_alias=True)
        # Documents once did not have these; without them the hashes of frozen studies hold.
        if not self.briefing:
            del data["briefing"]
        if self.setting == "desk":
            del data["setting"]
        if self.incentive.per_solved is None:
            for name in _OF_BONUS:
                del data["incentive"][name]
        for condition in data["conditions"].values():
            condition["aids"] = [aid.value for aid in Aid if aid.value in condition["aids"]]
            for field in _LATER_FIELDS:
                if condition[field] == StudyCondition.model_fields[field].default:
                    del condition[field]
        return data

    @property
    def hash(self) -> str:
        """The SHA-256 of the canonical form."""
        return digest(self.data)

    @property
    def settings(self) -> tuple[StudySetting, ...]:
        """Where people may take part."""
        return tuple(StudySetting) if self.setting == "both" else (StudySetting(self.setting),)

    def items(self) -> Iterator[StudyItem]:
        """All items, block by block."""
        return (item for block in self.blocks for item in block.items)


def read_study(raw: str | bytes) -> Study:
    """A study from its text.

    Raises:
        DocumentError: It cannot be read; names the place.
    """
    if len(raw) > MOST_BYTES:
        raise DocumentError(f"The document has {len(raw) / 1e6:.1f} MB; the limit is {MOST_BYTES // 10**6} MB")
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"The document is not JSON: {error}") from None
    return study_of(data)


def study_of(data: Any) -> Study:
    """A study from plain data.

    Raises:
        DocumentError: It cannot be read; names the place.
    """
    if isinstance(data, dict) and isinstance(data.get("format"), int) and data["format"] > FORMAT:
        raise DocumentError(f"format: {data['format']} is newer than this version of the workbench knows ({FORMAT})")
    try:
        return Study.model_validate(data)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = format_path(tuple(part for part in fault["loc"] if not _is_branch(part)))
        raise DocumentError(f"{place or 'The document'}: {_sentence(fault)}") from None


def _is_branch(part: int | str) -> bool:
    """Whether a part of a path names a branch of a union of types."""
    return isinstance(part, str) and ("[" in part or part in ("str", "constrained-str"))


def _sentence(fault: Any) -> str:
    known = {"extra_forbidden": "is not a field of the document", "missing": "is missing"}
    message: str = known.get(fault["type"], fault["msg"])
    return message[:1].lower() + message[1:]


def write_study(study: Study) -> bytes:
    """The canonical text of a study; equal studies give equal bytes."""
    return canonical(study.data)


def new_id() -> str:
    """A random id for a study."""
    return secrets.token_hex(8)
