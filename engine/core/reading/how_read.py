"""How an answer was read: the kinds that are stored with verdicts, and what was done to a text to read it."""

from dataclasses import dataclass
from enum import StrEnum


class HowRead(StrEnum):
    """How an answer came to be read, or why there is none."""

    AS_IT_IS = "as it is"
    """The text, as a whole, is the answer."""
    MENDED = "mended"
    """Something had to be done to find the answer, or to read it."""
    SEVERAL = "several candidates"
    """The text holds different answers, of which the last was taken."""
    UNREADABLE = "unreadable"
    """There is something, but it is not an answer."""
    TRUNCATED = "truncated"
    """The text ends within the answer, or was ended by the output limit before there was one."""
    REFUSED = "refused"
    """The model, or a filter of its provider, refused to answer."""
    NO_ANSWER = "no answer"
    """The text is empty, or holds nothing that looks like an answer."""
    ERROR = "error"
    """There was no reply that could be judged."""

    @property
    def is_read(self) -> bool:
        """Whether there is an answer."""
        return self in (HowRead.AS_IT_IS, HowRead.MENDED, HowRead.SEVERAL)

    def given(self, finish_reason: str | None) -> "HowRead":
        """The same, with what the endpoint said about the end of the reply.

        Where no answer was read, the output limit or a filter explains it; an answer that was read stays one.
        """
        if self.is_read:
            return self
        return {"length": HowRead.TRUNCATED, "content_filter": HowRead.REFUSED}.get(finish_reason or "", self)


def how_unanswered(error: str | None) -> HowRead:
    """How results count a question that ended without an attempt, by the kind of its error."""
    return HowRead.REFUSED if error == "refused" else HowRead.ERROR


@dataclass(frozen=True)
class Repair:
    """Something that was done to read an answer: in a few words for lists, and in a sentence for the verdict."""

    word: str
    sentence: str


THINKING = Repair("after thinking", "The thinking before the answer was left out")
FINAL = Repair("after a marker", "What follows “Final answer:” was read")
FENCE = Repair("code block", "A code block in the answer was read")
AROUND = Repair("out of text", "The answer was read out of the text around it")
QUOTES = Repair("quotation marks", "Typographic quotation marks were made straight")
PYTHON = Repair("Python literal", "The answer was read as a Python literal, since it is not JSON")
KEYS = Repair("names without quotes", "Names of fields without quotation marks were read")
COMMENTS = Repair("comments", "Comments in the answer were left out")
COMMAS = Repair("commas", "Commas before a closing bracket were left out")
LINES = Repair("line breaks in texts", "Line breaks within texts were kept as they are")
ENCODED = Repair("JSON within text", "JSON that was written as a text was read")
ENVELOPE = Repair("taken out of “answer”", "The answer was taken out of the field around it")
ONLY_ENTRY = Repair("taken out of a list", "The answer was the only entry of a list and was taken out of it")
WORDS = Repair("words as a list", "The words of the answer were read as a list")
SPACES = Repair("blanks around lines", "Blanks before and after the lines were left out")


def bare_list(field: str) -> Repair:
    """A list without the object around it was read as the only list of the answer."""
    return Repair("bare list", f"The answer is a bare list; it was read as {field}")


@dataclass(frozen=True)
class HowItWasRead:
    """How an answer was read, with the repairs in the order in which they were made.

    Attributes:
        count: How many different answers the text holds.
        failure: Why nothing was read that has the form of an answer.
    """

    repairs: tuple[Repair, ...] = ()
    count: int = 1
    failure: HowRead | None = None

    @property
    def how(self) -> HowRead:
        """The kind."""
        if self.failure is not None:
            return self.failure
        if self.count > 1:
            return HowRead.SEVERAL
        return HowRead.MENDED if self.repairs else HowRead.AS_IT_IS

    @property
    def mending(self) -> str:
        """The repairs in words, for lists: "code block, comments"."""
        return ", ".join(repair.word for repair in self.repairs)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The warnings of the verdict about it, a sentence each."""
        several = (f"The text holds {self.count} different answers; the last one was read",) if self.count > 1 else ()
        return (*several, *(repair.sentence for repair in self.repairs))


AS_IT_IS = HowItWasRead()
