"""Everything that answers prompts, behind one interface: `Answerer`. See docs/models.md."""

from spatial_workbench.engine.core.agents import Turn
from spatial_workbench.engine.models.answerers import open_answerer
from spatial_workbench.engine.models.capabilities import Capabilities, Feature, ProbeFinding, Result, missing_probes
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
    key_name,
    key_variables,
    store_key,
)
from spatial_workbench.engine.models.library import KnownModel, LibraryProblem, ModelLibrary
from spatial_workbench.engine.models.offline import OfflineModel, why_not_offline
from spatial_workbench.engine.models.presets import BUDGETS, EndpointPreset, published_presets, with_budget
from spatial_workbench.engine.models.probe import probe
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
    "key_name",
    "key_variables",
    "missing_probes",
    "open_answerer",
    "probe",
    "published_presets",
    "read_answers",
    "store_key",
    "why_not_offline",
    "with_budget",
    "write_answers",
]
