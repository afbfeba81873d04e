"""Scripts that act: models that say prepared replies, and a drawer whose pictures are known."""

import json

from spatial_workbench.engine.core.agents import Reply

PNG = b"\x89PNG\r\n\x1a\n picture"


class ScriptedModel:
    """Says prepared replies, then nothing more; keeps what it was told."""

    def __init__(self, *replies, tokens_out=None, cost_usd=None):
        self._replies = iter(replies)
        self._costs = {"tokens_out": tokens_out, "cost_usd": cost_usd}
        self.told = []

    def reply(self, messages, seconds_left):
        self.told.append(messages[-1])
        return Reply(next(self._replies, ""), **self._costs)


class KnownPictures:
    """A drawer that keeps what it was asked to draw."""

    def __init__(self):
        self.asked = []

    def picture(self, scene, size, theme, form="PNG", view="", cut=None, quick=False):
        self.asked.append((scene, size, view, cut))
        return PNG


def said(*calls):
    """A reply with calls, each a tool and its arguments."""
    return "I act.\n" + "\n".join(json.dumps({"tool": tool, "arguments": given}) for tool, given in calls)


SUBMIT = said(("submit", {}))
BOX = ("place", {"size": 0, "corner": [0, 0, 0]})
