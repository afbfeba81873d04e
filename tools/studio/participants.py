"""The pages of the participant's window, for pictures: sessions that are brought to where a page is shown."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from spatial_workbench.app.studio.pictures import offscreen_application
from spatial_workbench.engine.core import InstanceError
from spatial_workbench.engine.core.clocks.system_clocks import read_clocks
from spatial_workbench.engine.core.clocks.work_clock import Instant
from spatial_workbench.engine.studies.files.bundles import Bundle, bundle_of, write_bundle
from spatial_workbench.engine.studies.planning.default_texts import LIBRARY, with_defaults_in
from spatial_workbench.engine.studies.planning.document import (
    Block,
    Covariate,
    Eligibility,
    Limits,
    Pauses,
    Questions,
    Study,
    StudyItem,
    study_of,
)
from spatial_workbench.engine.studies.planning.drafting import Wish, drafted
from spatial_workbench.engine.studies.planning.freezing import freeze
from spatial_workbench.engine.studies.sessions.entry import enter
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.engine.studies.sessions.sitting import Sitting
from tools.studio.waiting import PATIENCE_S, Waiting

PREFIX = "participant:"
CODE = "P001H"
SLEPT_MS = 12 * 60_000
_INSTRUCTIONS = (
    "**Read the task at the left, and build your answer at the right.** Some items are hard: do what you can."
)
_DEBRIEFING = "Thank you for your time. We compare people with language models on the same items."
_CHOICE = StudyItem(
    id="which",
    kind="question",
    shows="Two cubes share a face. How many faces does the union have?",
    options=("6", "8", "10", "12"),
)
_READING = StudyItem(id="reading", kind="text", shows="# The second part\n\nThe next items are about **machines**.")
_PRACTICE = StudyItem(id="practice", address="shikaku:2", phase="practice")


class ShiftedClock:
    """The clocks of this machine, which can be put forward as if the computer had slept."""

    def __init__(self) -> None:
        self.ahead_ms = 0

    def __call__(self) -> Instant:
        now = read_clocks()
        return Instant(now.m, now.b + self.ahead_ms, now.wall + self.ahead_ms)


class ParticipantStage(Waiting):
    """A participant's window with a study of its own, brought to a page.

    language: that of the study, and so of the window.
    """

    PAGES = (
        "code",
        "language",
        "consent",
        "eligibility",
        "questions",
        "instructions",
        "practice",
        "feedback",
        "item",
        "text",
        "agent",
        "judged",
        "machine",
        "puzzle",
        "choice",
        "reading",
        "time-over",
        "after-item",
        "load",
        "break",
        "ready",
        "pause",
        "gap",
        "crash",
        "stop",
        "give-up",
        "help",
        "leave",
        "choices",
        "ineligible",
        "withdrawn",
        "stopped",
        "later",
        "after",
        "end",
    )

    def __init__(
        self, folder: Path, size: tuple[int, int], theme: str, type_scale: float = 1.0, language: str = "en"
    ) -> None:
        self._folder = folder
        self._size = size
        self._theme = theme
        self._scale = type_scale
        self._language = language
        self.application = offscreen_application()
        self.clock = ShiftedClock()
        self.window = None

    def show(self, page: str):
        """Brings a page up and returns the window.

        Raises:
            InstanceError: There is no such page.
        """
        if page not in self.PAGES:
            raise InstanceError(f"There is no page '{PREFIX}{page}': {', '.join(self.PAGES)}")
        self._pages()[page]()
        self.settle()
        return self.window

    def _pages(self) -> dict[str, Callable[[], object]]:
        """What brings each page up."""
        return {
            "code": self._open,
            "language": lambda: self._begin(languages=tuple(dict.fromkeys((self._language, "en", "de", "fr")))),
            "consent": self._begin,
            "eligibility": lambda: self._reach(StudyPage.ELIGIBILITY),
            "questions": lambda: self._reach(StudyPage.COVARIATES),
            "instructions": lambda: self._reach(StudyPage.INSTRUCTIONS),
            "practice": lambda: self._item(_PRACTICE, StudyItem(id="a", address="shikaku:0")),
            "feedback": self._feedback,
            "item": self.item,
            "text": lambda: self._item(StudyItem(id="a", address="shikaku:0"), condition="model"),
            "agent": lambda: self._item(StudyItem(id="a", address="cube_face_view:0"), condition="model"),
            "judged": lambda: self._item(StudyItem(id="a", address="hamiltonian_loop:0"), condition="judged"),
            "machine": lambda: self._item(StudyItem(id="a", address="machine_throw:0")),
            "puzzle": lambda: self._item(StudyItem(id="a", address="puzzle_hunt:0")),
            "choice": lambda: self._item(_CHOICE),
            "reading": lambda: self._item(_READING),
            "time-over": self._time_over,
            "after-item": lambda: self._reach(StudyPage.QUESTIONS),
            "load": lambda: self._reach(StudyPage.TLX),
            "break": lambda: self._reach(StudyPage.BREAK, _study().model_copy(update={"limits": _WITH_BREAKS})),
            "ready": lambda: self._reach(StudyPage.READY),
            "pause": lambda: self.item() and self._sitting.pause(),
            "gap": self._gap,
            "crash": self._crash,
            "stop": lambda: self.item() and self.window.ask_to_stop(),
            "give-up": lambda: self.item() and self.window.ask_to_give_up(),
            "help": lambda: self.item() and self.window.show_help(),
            "leave": lambda: self.item() and self.window.ask_to_leave(),
            "choices": self._choices,
            "ineligible": lambda: self._reach(StudyPage.ELIGIBILITY) and self._sitting.entering.reply({"team": "yes"}),
            "withdrawn": lambda: self.item() and self._sitting.leaving.stop(keeps=False),
            "stopped": lambda: self.item() and self._sitting.leaving.stop(keeps=True),
            "later": lambda: self._reach(StudyPage.LATER, _study().model_copy(update={"limits": _SHORT_SITTING})),
            "after": lambda: self._reach(StudyPage.AFTER),
            "end": lambda: self._reach(StudyPage.END),
        }

    def item(self):
        """An item that somebody works on, with the aids of hands."""
        self._item(StudyItem(id="a", address="voxel_projection:0"), StudyItem(id="b", address="shikaku:0"))
        self._work()
        return self.window

    def editor(self):
        """The editor of the item that is shown, if any."""
        return getattr(getattr(self.window, "page", None), "editor", None)

    def close(self) -> None:
        """Closes the window."""
        if self.window is not None:
            self.window.leave()
            self.window.deleteLater()
            self.window = None
        self.application.processEvents()

    # Internal ----------------------------------------------------------------------------------------------------

    @property
    def _sitting(self) -> Sitting:
        assert self.window.sitting is not None
        return self.window.sitting

    def _open(self, bundle: Bundle | None = None) -> None:
        from spatial_workbench.app.frame.style import apply_theme
        from spatial_workbench.app.studies.participant.application import build_window
        from spatial_workbench.app.studies.participant.window_form import WindowForm
        from spatial_workbench.widgets.theme import THEMES

        bundle = bundle or _bundle(_in_languages(_study(), (self._language,)))
        path = self._folder / "example.study"
        write_bundle(path, bundle)
        self.window = build_window(self.application, bundle, path, "", self._folder, form=WindowForm.ORDINARY)
        apply_theme(self.application, THEMES[self._theme])
        self.window.resize(*self._size)
        self.window.set_scale(self._scale)
        self.window.show()

    def _begin(self, study: Study | None = None, **changes: object) -> None:
        chosen = _in_languages(study or _study(), (self._language,)).model_copy(update=changes)
        bundle = _bundle(chosen)
        self._open(bundle)
        self.window.take(enter(bundle, CODE, self._folder, self.clock))

    def _reach(self, page: StudyPage, study: Study | None = None):
        """Goes through the pages as a person would, up to one of them."""
        self._begin(
            study or _study(_PRACTICE, StudyItem(id="a", address="shikaku:0"), StudyItem(id="b", address="shikaku:1"))
        )
        self._go_on_to(page)
        return self.window

    def _go_on_to(self, page: StudyPage) -> None:
        def here() -> bool:
            return self._sitting.state.page is page and self._sitting.state.position >= self._least_position(page)

        end = time.monotonic() + PATIENCE_S
        while not here():
            if time.monotonic() > end:
                raise TimeoutError(f"the session stays at the page {self._sitting.state.page}")
            self._step(self._sitting)
            self.application.processEvents()
        self.wait(lambda: self.window.is_showing(page))

    def _least_position(self, page: StudyPage) -> int:
        """Pages between items are shown after a main item, not after practice."""
        return 1 if page in (StudyPage.READY, StudyPage.BREAK) else -1

    def _step(self, sitting: Sitting) -> None:
        match sitting.state.page:
            case StudyPage.LANGUAGE:
                sitting.entering.choose_language(self._language)
            case StudyPage.CONSENT:
                sitting.entering.consent({"part": True})
            case StudyPage.ELIGIBILITY | StudyPage.COVARIATES | StudyPage.AFTER:
                sitting.entering.reply(
                    {question.key: None for question in sitting.itinerary.questions()} | _fitting(sitting)
                )
            case StudyPage.ITEM:
                self._wait_for_item()
                sitting.work.submit()
            case StudyPage.CHECKING:
                self.wait(lambda: sitting.state.page is not StudyPage.CHECKING)
            case StudyPage.QUESTIONS:
                sitting.answer_item({"confidence": 70, "difficulty": 4, "strategy": ""})
            case StudyPage.TLX | StudyPage.TLX_END:
                sitting.rate_load(dict.fromkeys(("mental", "physical", "temporal"), 50) | _REST)
            case _:
                sitting.go_ahead()

    def _item(self, *items: StudyItem, condition: str = "only") -> None:
        self._begin(_study(*items, condition=condition))
        self._go_on_to(StudyPage.ITEM)
        self._wait_for_item()

    def _wait_for_item(self) -> None:
        self.wait(lambda: self._sitting.work.accepts_work)

    def _work(self) -> None:
        """Half of the reference solution is in place."""
        task, instance = self._sitting.state.subject()
        answer = task.solve(instance)
        half = answer.model_copy(update={"voxels": answer.voxels[: len(answer.voxels) // 2]})
        page = self.window.page
        page.document.edit("Paint", half)
        self._sitting.work.store()
        page.editor.view.frame(animate=False)

    def _feedback(self) -> None:
        self._item(_PRACTICE, StudyItem(id="a", address="shikaku:0"))
        task, instance = self._sitting.state.subject()
        answer = task.solve(instance)
        self.window.page.document.edit("Place", answer.model_copy(update={"rectangles": answer.rectangles[1:]}))
        self._sitting.work.submit()
        self._go_on_to(StudyPage.FEEDBACK)

    def _time_over(self) -> None:
        """The time of an item ends while something unreadable is typed as text."""
        items = (StudyItem(id="a", address="shikaku:0"), StudyItem(id="b", address="shikaku:1"))
        self._begin(_study(*items).model_copy(update={"limits": _SHORT_ITEMS}))
        self._go_on_to(StudyPage.ITEM)
        self._wait_for_item()
        self._sitting.work.type_text(_UNREADABLE)
        self.wait(lambda: self.window.is_showing(StudyPage.TIME_OVER))

    def _gap(self) -> None:
        self.item()
        self.clock.ahead_ms += SLEPT_MS
        self.wait(lambda: self._sitting.state.cover is not None)

    def _crash(self) -> None:
        """The session's file ends without a word, and is opened again."""
        self._item(StudyItem(id="a", address="shikaku:0"), StudyItem(id="b", address="shikaku:1"))
        bundle = self.window.bundle
        sitting = self._sitting
        sitting.tick()
        sitting.state.file.close()
        self.window.sitting = None
        self.clock.ahead_ms += 40_000
        self.window.take(enter(bundle, CODE, self._folder, self.clock))

    def _choices(self) -> None:
        from spatial_workbench.app.studies.participant.covers import LeaveCover

        self.item()
        self.window.ask_to_leave()
        self.wait(lambda: isinstance(self.window.stack.currentWidget(), LeaveCover))
        cover = self.window.stack.currentWidget()
        cover.field.setText(_PASSPHRASE)
        cover.buttons[0].click()


_REST = dict.fromkeys(("performance", "effort", "frustration"), 50)
_PASSPHRASE = "open sesame 7"
_WITH_BREAKS = Limits(item_s=600, break_after=1, break_min_s=30, break_max_s=300)
_SHORT_ITEMS = Limits(item_s=1)
_UNREADABLE = '{"rectangles": [[0, 0, 1'
_SHORT_SITTING = Limits(item_s=600, sitting_s=0.001)


def _study(*items: StudyItem, condition: str = "only") -> Study:
    """A study that shows every kind of page."""
    from spatial_workbench.engine.studies.planning.document import PRESETS, StudyCondition

    wish = Wish("Spatial items by hand", ("shikaku:0", "shikaku:1"), _PASSPHRASE, "Ada Byron", "ada@example.org")
    study = drafted(wish)
    items = items or (_PRACTICE, StudyItem(id="a", address="shikaku:0"), StudyItem(id="b", address="shikaku:1"))
    library = {covariate.key: covariate for covariate in LIBRARY}
    asked = [*study.covariates, library["device"], library["language"], library["serious"]]
    asked.append(Covariate(key="hours", ask="How many hours a week do you play with puzzles?", type="integer"))
    return study.model_copy(
        update={
            "welcome": "Welcome, and thank you for coming.",
            "instructions": _INSTRUCTIONS,
            "debriefing": _DEBRIEFING,
            "covariates": tuple(asked),
            "eligibility": (
                Eligibility(covariate="team", op="=", value="no", reason="Who belongs to the team cannot take part."),
            ),
            "blocks": (Block(id="main", items=items, order="fixed"),),
            "conditions": {"only": PRESETS.get(condition, StudyCondition())},
            "limits": Limits(item_s=600, pauses=Pauses(kind="any")),
            "questions": Questions(difficulty=True, strategy=True, tlx="block"),
        }
    )


def _in_languages(study: Study, languages: tuple[str, ...]) -> Study:
    """A study with its default texts in other languages."""
    return study_of({**with_defaults_in(study.data, study.languages, languages), "languages": languages})


def _bundle(study: Study) -> Bundle:
    return bundle_of(study, freeze(study), frozenset({CODE}))


def _fitting(sitting: Sitting) -> dict[str, object]:
    return {"team": "no"} if sitting.state.page is StudyPage.ELIGIBILITY else {}
