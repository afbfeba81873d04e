"""A chat of several turns with whoever answers: plays the part of the model in the cube agents' runs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Literal

from engine.core import Progress, silent
from engine.cube.agent import episode
from engine.models.contracts import Answerer, ErrorKind, ModelError, Request, Response, Turn


class Conversation:
    """Makes an `Answerer` a `engine.cube.agent.episode.Model`.

    Attributes:
        responses: All answers so far, with their tries; here unknown counts are None, while `Reply` shows them as 0.
        failed: The error that ended it, if one did.
    """

    def __init__(
        self,
        answerer: Answerer,
        system: str = "",
        address: str | None = None,
        repeat: int = 0,
        seed: int | None = None,
        progress: Progress = silent,
    ) -> None:
        self._answerer = answerer
        self._system = system
        self._address = address
        self._repeat = repeat
        self._seed = seed
        self._progress = progress
        self.responses: list[Response] = []
        self.failed: ModelError | None = None

    def reply(self, messages: Sequence[episode.Message], seconds_left: float) -> episode.Reply:
        """The next turn; an empty one where the time that was left is over.

        Raises:
            episode.ModelError: There is none.
            Cancelled: Out of `progress`.
        """
        *earlier, last = messages
        request = Request(
            text=last.text,
            pictures=last.pictures,
            system=self._system,
            history=tuple(Turn(_role(turn.role), turn.text, turn.pictures) for turn in earlier),
            address=self._address,
            repeat=self._repeat,
            seed=self._seed,
            timeout_s=max(0.001, seconds_left),
        )
        begin = time.monotonic()
        try:
            response = self._answerer.ask(request, self._progress)
        except ModelError as error:
            self.failed = error
            if error.kind is ErrorKind.TIMEOUT and time.monotonic() - begin >= seconds_left:
                # The run's own clock ends it, as a run that was out of time and not as one without a model.
                return episode.Reply("")
            raise episode.ModelError(str(error)) from error
        self.responses.append(response)
        return episode.Reply(
            text=response.text,
            tokens_in=response.usage.input_tokens,
            tokens_out=response.usage.output_tokens,
            cost_usd=response.cost_usd,
        )


def _role(role: str) -> Literal["user", "assistant"]:
    return "assistant" if role == "assistant" else "user"
