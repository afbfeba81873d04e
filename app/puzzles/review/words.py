"""What the review of a puzzle says about itself, in sentences."""

from __future__ import annotations

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.annotation.review import (
    DOUBLE_STATES,
    Flag,
    Review,
    ReviewState,
    ReviewStatistics,
)
from spatial_workbench.engine.puzzles.published import published_quality
from spatial_workbench.engine.puzzles.puzzle import read_metadata
from spatial_workbench.engine.puzzles.statistics import Interval

MEANINGS = {
    ReviewState.DRAFT: "The author is writing, and sends it to review with Send drafts.",
    ReviewState.CHECKED: "It was sent to review without errors: assign two reviewers, or have a model look for flaws.",
    ReviewState.FLAGGED: "Somebody doubts what is listed below: assign two reviewers.",
    ReviewState.CLEAR: "A model found nothing to doubt: accept the puzzle, or assign two reviewers.",
    ReviewState.IN_REVIEW: "Two people decide, without seeing each other's decisions.",
    ReviewState.DISAGREEMENT: "The reviewers want different texts: each difference is to be settled.",
    ReviewState.AUDIT: "It was drawn at random: say whether the annotation is correct.",
    ReviewState.VERIFIED: "Its text is accepted. Where the folder has another, Apply results writes it there.",
    ReviewState.TWO_ANNOTATORS: "Two people annotate it, without seeing what the other writes.",
    ReviewState.ADJUDICATION: "Two annotations are there: a third person makes one of them.",
    ReviewState.RETURNED: "Its author changes it, and sends it again with Send drafts.",
}
"""What a state means, and what comes next."""
KAPPA_WORDS = "Kappa: how far reviewers agree beyond chance: 1 is always, 0 as by chance, less than 0 even more rarely."
FIGURES_TIP = (
    "In brackets: the published set of 667 puzzles.\n"
    f"{KAPPA_WORDS}\n"
    "n: the puzzles on which both have decided. n/a: there is nothing to count yet."
)


def review_words(review: Review) -> str:
    """The state in sentences; they never reveal a reviewer's decision before both have finished."""
    said = [f"State: {review.state.label}. {MEANINGS[review.state]}"]
    if review.author:
        said.append(f"Author: {review.author}.")
    if review.reviewers:
        done = [
            f"{name} has finished" if name in review.decisions else f"{name} has not finished"
            for name in review.reviewers
        ]
        said.append(f"Reviewers: {', '.join(done)}.")
    said += _annotator_words(review)
    if review.due is not None and review.state in (ReviewState.IN_REVIEW, ReviewState.TWO_ANNOTATORS):
        said.append(f"Due on {review.due.isoformat()}.")
    if review.has_unreadable_flags:
        said.append("The model's answer could not be read; ask it again.")
    said += [*_settled_words(review), *_wanted_words(review)]
    return " ".join(said)


def _annotator_words(review: Review) -> list[str]:
    said = []
    if review.state in DOUBLE_STATES:
        done = [
            f"{name} has handed in" if name in review.annotations else f"{name} has not handed in"
            for name in review.annotators
        ]
        said.append(f"Annotators: {', '.join(done)}.")
        if review.adjudicator:
            said.append(f"{review.adjudicator} makes the third annotation.")
    elif review.adjudicated is not None:
        first, second = review.adjudicated.annotators
        said.append(f"Made by {review.adjudicated.person} of the annotations by {first} and {second}.")
    return said


def attribution(review: Review) -> list[str]:
    """Whose words each step of a third annotation has; empty for any other annotation, and for changed steps."""
    made = review.adjudicated
    if made is None:
        return []
    people = dict(zip(("A", "B"), made.annotators, strict=True))
    people |= {"both": " and ".join(made.annotators), "new": f"{made.person}, new"}
    by_text = {step.text: people[step.source.value] for step in made.steps}
    steps = read_metadata(review.result or review.original).puzzle.reasoning
    return [by_text.get(step.explanation, "") for step in steps]


def _settled_words(review: Review) -> list[str]:
    said = [f"{name} has proposed how to settle it." for name in review.proposals]
    if review.settled_by:
        said.append(f"Settled by {' and '.join(review.settled_by)}.")
    if review.is_settled_by_a_party:
        said.append("This is one of the two who differed.")
    said += [f"Step {step} was rejected, and is still there: send the puzzle back." for step in review.kept_rejected]
    return said


def _wanted_words(review: Review) -> list[str]:
    if not review.wanted or review.state is ReviewState.VERIFIED:
        return []
    return [f"To be changed: {review.wanted}"]


def flag_words(flag: Flag) -> str:
    """A flag in a line."""
    place = f"Step {flag.step}" if flag.step else "Annotation"
    return f"{place}, {flag.kind.value}: {flag.reason}"


def settling_note(review: Review, person: str) -> str:
    """What settling means for a person; empty for a third person, whose choices count at once."""
    if person not in review.reviewers:
        return ""
    other = next(name for name in review.reviewers if name != person)
    if other in review.proposals:
        return f"{other} has proposed how to settle this. It is settled if you choose the same."
    return f"You are one of the two who differ: what you choose is a proposal, and counts once {other} agrees."


def figure_words(figures: ReviewStatistics) -> str:
    """The figures of the review of a set, with those of the published set in brackets."""
    kappa = "n/a" if figures.kappa is None else f"{figures.kappa:.2f}".replace("-", "−")
    published = published_quality()
    return (
        f"Of {counted(figures.reviewed, 'puzzle')} sent to review, "
        f"flagged {share_words(figures.flagged)} (published {share_words(published.flagged, 2)})"
        f" · changed {share_words(figures.changed)} (published {share_words(published.changed, 2)})"
        f" · audit correct {share_words(figures.audit_correct)} (published {share_words(published.audit_correct)})"
        f" · reviewers agree {share_words(figures.agreement)}, kappa {kappa} (n = {figures.pairs})"
    )


def interval_words(value: Interval | None, is_share: bool) -> str:
    """A figure with its interval, in percent if it is a share."""
    if value is None:
        return "n/a"
    if is_share:
        return f"{100 * value.mean:.0f} % [{100 * value.low:.0f}, {100 * value.high:.0f}]"
    return f"{value.mean:.2f} [{value.low:.2f}, {value.high:.2f}]".replace("-", "−")


def share_words(value: float | None, digits: int = 1) -> str:
    """A share in percent."""
    return "n/a" if value is None else f"{100 * value:.{digits}f} %"
