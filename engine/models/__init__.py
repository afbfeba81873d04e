"""Everything that answers prompts, behind one interface: `Answerer`. See docs/models.md.

answerers       opens the answerer that settings describe
asking          one question to an endpoint: its tries, with deadlines and a record, and the pauses between them
bounds          what an endpoint may send, whatever it intends
capabilities    what an endpoint can do: found out by the probe, corrected by a person, stored
chat            Chat Completions: the one API that all endpoints have
computed        answerers that need no model: the reference solution, and answers drawn at random
contracts       the contract of everything that answers prompts: requests, responses, tries and errors
conversation    several turns with a model
endpoint        models behind an HTTP endpoint: OpenAI's, and all that are compatible with it
faults          turns the client's exceptions into kinds of faults, for people and for deciding about retries
keys            in the system's keyring, the environment or the session, never in a project, a record or a log
library         the models that a person has set up, stored in a file of their own, and those that always exist
loop            one thread with an event loop for all requests
named           models by the names that other tools use, such as "openai/gpt-5"
offline         a small real model on this machine, in a process of its own
presets         the six published settings of SCBench, and its sweep over token budgets
price_table     what tokens cost, by endpoint and model, with the date and the source of each price
probe           the probe: about a dozen tiny requests that find out what an endpoint can do
quirks          what is peculiar to single endpoints
rate_limits     requests and tokens per minute, and requests at a time
recorded        recorded answers from files of any origin: JSON lines, an answer per line
responses       Responses: OpenAI's newer API, which has hosted tools
settings        which model is asked, and how
structured      the answer's JSON schema in the strict form that endpoints take
wire            what both APIs share: the texts and pictures of a request, and reading a stream
"""

from spatial_workbench.engine.core.agents import Turn
from spatial_workbench.engine.models.answerers import open_answerer
from spatial_workbench.engine.models.capabilities import (
    Capabilities,
    Feature,
    PictureForm,
    ProbeFinding,
    Result,
    missing_probes,
)
from spatial_workbench.engine.models.computed import RandomAnswers, ReferenceSolver
from spatial_workbench.engine.models.contracts import (
    Answerer,
    ErrorKind,
    ModelError,
    Request,
    Response,
    ToolCall,
    Try,
    Usage,
)
from spatial_workbench.engine.models.endpoint import EndpointModel
from spatial_workbench.engine.models.keys import (
    KeyringProblem,
    find_key,
    forget_key,
    give_session_key,
    has_session_key,
    key_name,
    key_variables,
    session_keys,
    store_key,
)
from spatial_workbench.engine.models.library import ModelLibrary
from spatial_workbench.engine.models.offline import OfflineModel, why_not_offline
from spatial_workbench.engine.models.presets import BUDGETS, EndpointPreset, published_presets, with_budget
from spatial_workbench.engine.models.price_table import KnownModel, LibraryProblem, PriceEntry, PriceTable
from spatial_workbench.engine.models.probe import list_models, probe
from spatial_workbench.engine.models.recorded import (
    ImportProblem,
    RecordedAnswer,
    RecordedReplies,
    read_answers,
    write_answers,
)
from spatial_workbench.engine.models.settings import (
    BudgetNote,
    ModelSettings,
    Prices,
    Provider,
    RateLimits,
    ReasoningEffort,
    Structured,
)

__all__ = [
    "BUDGETS",
    "Answerer",
    "BudgetNote",
    "Capabilities",
    "EndpointModel",
    "EndpointPreset",
    "ErrorKind",
    "Feature",
    "ImportProblem",
    "KeyringProblem",
    "KnownModel",
    "LibraryProblem",
    "ModelError",
    "ModelLibrary",
    "ModelSettings",
    "OfflineModel",
    "PictureForm",
    "PriceEntry",
    "PriceTable",
    "Prices",
    "ProbeFinding",
    "Provider",
    "RandomAnswers",
    "RateLimits",
    "ReasoningEffort",
    "RecordedAnswer",
    "RecordedReplies",
    "ReferenceSolver",
    "Request",
    "Response",
    "Result",
    "Structured",
    "ToolCall",
    "Try",
    "Turn",
    "Usage",
    "find_key",
    "forget_key",
    "give_session_key",
    "has_session_key",
    "key_name",
    "key_variables",
    "list_models",
    "missing_probes",
    "open_answerer",
    "probe",
    "published_presets",
    "read_answers",
    "session_keys",
    "store_key",
    "why_not_offline",
    "with_budget",
    "write_answers",
]
