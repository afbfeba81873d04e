"""Commands about the review of single puzzles: queues, reviewers, decisions, comments, and the way back."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.commands.plumbing import Actions, Refused, add_action, opened, show

if TYPE_CHECKING:
    from spatial_workbench.engine.puzzles.annotation.review import Event, Review
    from spatial_workbench.engine.puzzles.annotation.settling import SettledChoice
    from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet
    from spatial_workbench.engine.puzzles.statistics import Interval

_QUEUES = ("all", "waiting", "mine", "unassigned", "disputed", "twice")
_KINDS = ("unclear", "jump", "wrong", "typo", "format")


@dataclass(frozen=True)
class ReviewPlaces:
    """Finds what the options of a command name: the project, a set, and the name under which its reviews are kept."""

    project: Callable[[argparse.Namespace], Path]
    puzzles: Callable[[str], PuzzleSet]
    log: Callable[[str], str]


def add_review_actions(actions: Actions, places: ReviewPlaces, set_help: str) -> list[argparse.ArgumentParser]:
    """Adds the actions on single puzzles; returns their parsers."""
    made = _Adding(actions, places, set_help)
    listing = made.add("list", _list, "List a queue of the puzzles under review, what is due first first.")
    listing.add_argument("--queue", choices=_QUEUES, default="all")
    listing.add_argument("--person", default="", metavar="NAME", help="whose queue; needed for waiting and mine")
    listing.add_argument("--search", default="", metavar="WORDS")
    made.add("show", _show, "Show the review of a puzzle with its flags, differences and comments.", "one")
    assign = made.add("assign", _assign, "Assign two reviewers to puzzles; no flag is needed.", "several", by=True)
    assign.add_argument("--reviewers", nargs=2, required=True, metavar="NAME")
    assign.add_argument("--due", type=date.fromisoformat, metavar="YYYY-MM-DD")
    flag = made.add("flag", _flag, "Flag a doubtful step.", "one", by=True)
    flag.add_argument("--step", type=int, default=0, help="0: the whole annotation")
    flag.add_argument("--kind", choices=_KINDS, required=True)
    flag.add_argument("--reason", required=True)
    comment = made.add("comment", _comment, "Comment on a puzzle or a step, or reply to a comment.", "one", by=True)
    comment.add_argument("text", metavar="TEXT")
    comment.add_argument("--step", type=int, default=0, help="0: the whole puzzle")
    comment.add_argument("--reply-to", default="", metavar="ID")
    back = made.add("return", _return, "Send puzzles back to their author.", "several", by=True)
    back.add_argument("--wanted", required=True, metavar="TEXT", help="what is to be changed")
    decide = made.add("decide", _decide, "Decide on a puzzle as one of its reviewers.", "one", by=True)
    decide.add_argument("--file", metavar="JSON", help="the decision on each step; without it, everything is accepted")
    settle = made.add("settle", _settle, "Settle a disagreement: a choice for each difference.", "one", by=True)
    settle.add_argument(
        "--take",
        action="append",
        default=[],
        metavar="PLACE=CHOICE",
        help="A, B, original, delete, or new:TEXT; for example “step 2=A”",
    )
    about = "Ask two people to annotate puzzles, without seeing each other's annotations."
    two = made.add("double", _double, about, "several", by=True)
    two.add_argument("--annotators", nargs=2, required=True, metavar="NAME")
    two.add_argument("--adjudicator", default="", metavar="NAME", help="who makes the third; otherwise anybody else")
    two.add_argument("--due", type=date.fromisoformat, metavar="YYYY-MM-DD")
    about = "Make a third annotation of two, write it into the puzzle's folder, and send it to review."
    third = made.add("adjudicate", _adjudicate, about, "one", by=True)
    third.add_argument(
        "--take",
        action="append",
        default=[],
        metavar="PLACE=CHOICE",
        help="A, B, both, neither, or new:TEXT, for a row as “agreement” names it, such as “2=3”, or for a field",
    )
    about = "Add your own annotation of a puzzle, apart from those of others."
    own = made.add("annotate", _annotate, about, "one", by=True)
    own.add_argument("--file", required=True, metavar="JSON", help="a metadata.json")
    made.add("agreement", _agreement, "Show how far two independent annotations of each puzzle agree.")
    return made.parsers


class _Adding:
    """Adds actions that have a set and puzzles in common."""

    def __init__(self, actions: Actions, places: ReviewPlaces, set_help: str) -> None:
        self.actions = actions
        self.places = places
        self.set_help = set_help
        self.parsers: list[argparse.ArgumentParser] = []

    def add(
        self,
        name: str,
        run: Callable[[argparse.Namespace, ReviewPlaces], int],
        text: str,
        puzzles: str = "",
        by: bool = False,
    ) -> argparse.ArgumentParser:
        command = add_action(self.actions, name, lambda options: run(options, self.places), text)
        command.add_argument("set", metavar="SET", help=self.set_help)
        if puzzles:
            command.add_argument("puzzles", metavar="PUZZLE", nargs=1 if puzzles == "one" else "+")
        if by:
            command.add_argument("--by", required=True, metavar="NAME", help="in whose name this is recorded")
        self.parsers.append(command)
        return command


# Reading -------------------------------------------------------------------------------------------------------------


def _list(options: argparse.Namespace, places: ReviewPlaces) -> int:
    from spatial_workbench.engine.puzzles.annotation.queues import ReviewQueue, in_queue, is_overdue

    queue = ReviewQueue(options.queue)
    if queue in (ReviewQueue.WAITING, ReviewQueue.MINE) and not options.person:
        raise Refused("Say whose queue it is, with --person.")
    found = in_queue(_reviews(options, places).values(), queue, options.person, options.search)
    today = datetime.now(UTC).date()
    rows = [_row(review) | {"overdue": is_overdue(review, today)} for review in found]
    lines = [_line(review, is_overdue(review, today)) for review in found]
    return show(options, rows, lines or ["No puzzle is in this queue."])


def _row(review: Review) -> dict[str, Any]:
    return {
        "puzzle": review.folder,
        "state": review.state.value,
        "author": review.author,
        "reviewers": list(review.reviewers),
        "due": None if review.due is None else review.due.isoformat(),
        "flags": len(review.flags),
        "comments": len(review.comments),
    }


def _line(review: Review, is_late: bool) -> str:
    due = "" if review.due is None else f", due {review.due.isoformat()}{' (overdue)' if is_late else ''}"
    people = f", {' and '.join(review.reviewers)}" if review.reviewers else ""
    return f"{review.folder}: {review.state.label}{people}{due}"


def _show(options: argparse.Namespace, places: ReviewPlaces) -> int:
    from spatial_workbench.app.puzzles.review.words import flag_words, review_words

    review = _one(options, places)
    found = _differences(review)
    comments = [comment.model_dump(mode="json") for comment in review.comments]
    lines = [review_words(review), *(flag_words(flag) for flag in review.flags)]
    for row in found:
        lines += [f"{row['place']}:", *(f"  {name:9}{row[name] or '(no step)'}" for name in ("A", "original", "B"))]
    lines += [f"{c.person}, {f'step {c.step}' if c.step else 'puzzle'} [{c.id}]: {c.text}" for c in review.comments]
    return show(options, _row(review) | {"differences": found, "comments": comments}, lines)


def _differences(review: Review) -> list[dict[str, str]]:
    """Where the two reviewers differ; nothing before both have finished."""
    from spatial_workbench.engine.puzzles.annotation.differences import differences
    from spatial_workbench.engine.puzzles.puzzle import read_metadata

    if len(review.decisions) < 2:
        return []
    first, second = (review.decisions[name] for name in review.reviewers)
    found = differences(read_metadata(review.original).puzzle, first, second)
    return [{"place": d.place, "A": d.first, "original": d.original, "B": d.second} for d in found]


def _agreement(options: argparse.Namespace, places: ReviewPlaces) -> int:
    from spatial_workbench.engine.evaluation.puzzles.reviews import pairs_of
    from spatial_workbench.engine.puzzles.annotation.double import aligned_steps, double_agreement

    pairs = pairs_of(_reviews(options, places).values())
    figures = double_agreement([(first, second) for _, first, second in pairs])
    found = {name: aligned_steps(a, b) for name, a, b in pairs}
    rows = [{"puzzle": name, "steps": [asdict(pair) for pair in steps]} for name, steps in found.items()]
    lines = [
        f"Annotated twice          {figures.puzzles}",
        f"Steps with a partner     {_interval(figures.steps)}",
        f"Tags, alpha              {_interval(figures.tags)}",
        f"Same difficulty          {_interval(figures.same_difficulty)}",
        f"Same solution            {_interval(figures.same_solution)}",
    ]
    for name, steps in found.items():
        shown = ", ".join(f"{pair.first or '–'}={pair.second or '–'}" for pair in steps)
        lines.append(f"{name}: {shown}")
    return show(options, asdict(figures) | {"pairs": rows}, lines)


def _interval(value: Interval | None) -> str:
    return "n/a" if value is None else f"{value.mean:.2f} [{value.low:.2f}, {value.high:.2f}]"


# Recording -----------------------------------------------------------------------------------------------------------


def _assign(options: argparse.Namespace, places: ReviewPlaces) -> int:
    from spatial_workbench.engine.puzzles.annotation.review import Assigned

    values = {"reviewers": tuple(options.reviewers), "due": options.due, "needs_flag": False}
    return _record(options, places, Assigned, values)


def _annotate(options: argparse.Namespace, places: ReviewPlaces) -> int:
    from spatial_workbench.engine.evaluation.puzzles.reviews import annotate
    from spatial_workbench.engine.puzzles.annotation.review import ReviewError
    from spatial_workbench.engine.puzzles.puzzle import MetadataError

    (name,) = options.puzzles
    text = Path(options.file).read_text("utf-8")
    with opened(places.project(options), create=True) as project:
        try:
            review = annotate(project, places.puzzles(options.set), name, text, options.by)
        except (ReviewError, MetadataError) as error:
            raise Refused(f"{error}.".replace("..", ".")) from None
    return _show_states(options, [review])


def _double(options: argparse.Namespace, places: ReviewPlaces) -> int:
    from spatial_workbench.engine.evaluation.puzzles.double import ask_two

    names = (options.annotators[0], options.annotators[1])
    with opened(places.project(options), create=True) as project, project.database.write_transaction():
        puzzles = places.puzzles(options.set)
        asked, refused = ask_two(project, puzzles, options.puzzles, names, options.by, options.adjudicator, options.due)
        if refused:
            raise Refused(" ".join(refused))
    reviews = _reviews(options, places)
    return _show_states(options, [reviews[name] for name in asked])


def _adjudicate(options: argparse.Namespace, places: ReviewPlaces) -> int:
    from spatial_workbench.engine.evaluation.puzzles.double import adjudicate
    from spatial_workbench.engine.puzzles.annotation.adjudicating import AdjudicationError, chosen_third
    from spatial_workbench.engine.puzzles.annotation.review import ReviewError
    from spatial_workbench.engine.puzzles.puzzle import read_metadata

    review = _one(options, places)
    if review.pair is None:
        raise Refused(f"{review.folder} does not have two annotations.")
    first, second = (read_metadata(review.annotations[name]).puzzle for name in review.pair)
    try:
        steps, values = chosen_third(first, second, dict(_taken(text) for text in options.take))
        with opened(places.project(options)) as project:
            made = adjudicate(project, places.puzzles(options.set), review.folder, options.by, steps, values)
    except (AdjudicationError, ReviewError) as error:
        raise Refused(f"{error}.".replace("..", ".")) from None
    return _show_states(options, [made])


def _taken(text: str) -> tuple[str, tuple[str, str]]:
    """A place, what is taken there, and new words."""
    place, mark, words = text.partition("=new:")
    if mark:
        return place.strip().replace("-", "–"), ("new", words)
    place, _, kind = text.rpartition("=")
    return place.strip().replace("-", "–"), (kind.strip(), "")


def _flag(options: argparse.Namespace, places: ReviewPlaces) -> int:
    from spatial_workbench.engine.puzzles.annotation.review import Flag, Flagged, FlagKind

    flag = Flag(step=options.step, kind=FlagKind(options.kind), reason=options.reason)
    return _record(options, places, Flagged, {"by_model": False, "flags": (flag,)})


def _comment(options: argparse.Namespace, places: ReviewPlaces) -> int:
    from spatial_workbench.engine.puzzles.annotation.review import Commented

    values = {"text": options.text, "step": options.step, "reply_to": options.reply_to}
    return _record(options, places, Commented, values)


def _return(options: argparse.Namespace, places: ReviewPlaces) -> int:
    from spatial_workbench.engine.puzzles.annotation.review import Returned

    return _record(options, places, Returned, {"wanted": options.wanted})


def _decide(options: argparse.Namespace, places: ReviewPlaces) -> int:
    from pydantic import ValidationError

    from spatial_workbench.engine.puzzles.annotation.decisions import PuzzleDecision
    from spatial_workbench.engine.puzzles.annotation.review import Decided
    from spatial_workbench.engine.puzzles.puzzle import read_metadata

    if options.file is None:
        review = _one(options, places)
        steps = read_metadata(review.original).puzzle.reasoning if review.original else ()
        decision = PuzzleDecision.model_validate({"steps": [{"judged": "accept"}] * len(steps)})
    else:
        try:
            decision = PuzzleDecision.model_validate_json(Path(options.file).read_bytes())
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise Refused(f"{options.file}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    return _record(options, places, Decided, {"decision": decision})


def _settle(options: argparse.Namespace, places: ReviewPlaces) -> int:
    from spatial_workbench.engine.puzzles.annotation.review import Settled

    return _record(options, places, Settled, {"choices": tuple(_choice(text) for text in options.take)})


def _choice(text: str) -> SettledChoice:
    from spatial_workbench.engine.puzzles.annotation.settling import SettledChoice, Taken

    place, _, taken = text.partition("=")
    kind, _, words = taken.partition(":")
    if kind not in list(Taken):
        raise Refused(f"“{text}” is no choice; write PLACE=A, =B, =original, =delete or =new:TEXT.")
    return SettledChoice(place=place.strip(), taken=Taken(kind), text=words)


def _record(
    options: argparse.Namespace, places: ReviewPlaces, kind: Callable[..., Event], values: Mapping[str, Any]
) -> int:
    """Adds an event to each of the puzzles' reviews, and shows their states; nothing is stored if one is refused."""
    from spatial_workbench.engine.evaluation.puzzles.reviews import record, reviews_in
    from spatial_workbench.engine.puzzles.annotation.review import Review, ReviewError

    name = places.log(options.set)
    after: list[Review] = []
    with opened(places.project(options), create=True) as project, project.database.write_transaction():
        reviews = reviews_in(project, name)
        for folder in options.puzzles:
            version = reviews.get(folder, Review(folder)).version
            try:
                after.append(record(project, name, kind(folder=folder, version=version, person=options.by, **values)))
            except ReviewError as error:
                raise Refused(f"{error}.") from None
    return _show_states(options, after)


def _show_states(options: argparse.Namespace, reviews: Sequence[Review]) -> int:
    return show(options, [_row(review) for review in reviews], [_line(review, False) for review in reviews])


def _reviews(options: argparse.Namespace, places: ReviewPlaces) -> dict[str, Review]:
    from spatial_workbench.engine.evaluation.puzzles.reviews import reviews_in

    with opened(places.project(options), create=True) as project:
        return reviews_in(project, places.log(options.set))


def _one(options: argparse.Namespace, places: ReviewPlaces) -> Review:
    (folder,) = options.puzzles
    reviews = _reviews(options, places)
    if folder not in reviews:
        raise Refused(f"No review of a puzzle {folder} has begun; “puzzles review send” sends drafts to review.")
    return reviews[folder]
