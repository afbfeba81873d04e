"""What the tables of a study's report say, in plain sentences: a paragraph above each, made from its own figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.results.tables import TableCell, TableLine, Value, percent, steady
from spatial_workbench.engine.studies.planning.document import Allowed

if TYPE_CHECKING:
    from spatial_workbench.engine.studies.analysis.figures import ModelRun
    from spatial_workbench.engine.studies.analysis.outcomes import Counts
    from spatial_workbench.engine.studies.planning.document import Study, StudyTools


# Who took part ---------------------------------------------------------------------------------------------------


def words_on_flow(counts: Counts, excluded: int, analysed: int) -> str:
    """How many people there were at each stage, from the plan to the analysis."""
    return (
        f"{counted(counts.planned, 'place was', 'places were')} planned, and "
        f"{counted(counts.started, 'person', 'people')} started. Of these, {counts.ineligible} could not take part, "
        f"{counts.withdrew} withdrew, and {counted(excluded, 'is', 'are')} excluded by rules. The analysis has "
        f"{counted(analysed, 'person', 'people')}."
    )


def words_on_answers(answers: Sequence[tuple[str, int]]) -> str:
    """What people answered most often; `answers` are sorted by how often they were given."""
    people = sum(count for _, count in answers)
    if not people:
        return "Nobody is analysed."
    most = [answer for answer, count in answers if count == answers[0][1]]
    of_all = f"{answers[0][1]} of {counted(people, 'person', 'people')}"
    if len(answers) == 1:
        return f"All answers are the same: “{most[0]}”, from {of_all}."
    if len(most) == 1:
        return f"The most frequent of {len(answers)} answers is “{most[0]}”, from {of_all}."
    return f"{len(most)} of {len(answers)} answers are equally frequent, from {of_all} each."


def words_on_settings(rows: Sequence[tuple[str, int]]) -> str:
    """How many people took part at a desk and in a browser."""
    people = sum(count for _, count in rows)
    if not people:
        return "Nobody is analysed."
    used = [(where, count) for where, count in rows if count]
    if len(used) == 1:
        return f"All people took part {used[0][0]}."
    return f"Of {people} people, " + ", and ".join(f"{count} took part {where}" for where, count in used) + "."


def words_on_method(study: Study) -> str:
    """What conditions there are, and who meets them."""
    names = [f"“{name}”" for name in study.conditions]
    if len(names) == 1:
        return f"There is one condition, {names[0]}."
    who = "Everybody meets all of them." if study.assignment == "within" else "Everybody meets one of them."
    return f"There are {len(names)} conditions: {', '.join(names)}. {who}"


def words_on_tools(tools: StudyTools) -> str:
    """What people were allowed beside the window."""
    uses = tools.model_dump().items()
    allowed = [name for name, use in uses if use != Allowed.FORBIDDEN]
    forbidden = [name for name, use in uses if use == Allowed.FORBIDDEN]
    parts = [f"People were allowed: {', '.join(allowed)}." if allowed else "People were allowed nothing else."]
    parts += [f"They were not allowed: {', '.join(forbidden)}."] if forbidden and allowed else []
    return " ".join(parts)


# Scores and times ------------------------------------------------------------------------------------------------


def words_on_scores(lines: Sequence[TableLine], selections: int) -> str:
    """The mean score and the pass rate over all items, and whether exclusions change them.

    Args:
        lines: The first is about all items. Its cells are scores, then pass rates, each as planned, with nobody
            excluded, and so on.
        selections: The number of cells of each kind.
    """
    planned, everybody = lines[0].cells[:2]
    if planned.values[0] is None:
        return "Nobody's trials count as planned."
    passed = _with_ends(lines[0].cells[selections])
    first = f"Over all items, the mean score is {_with_people(planned)}, and the pass rate {passed}."
    if everybody.values == planned.values:
        return f"{first} Both are the same with nobody excluded."
    return f"{first} With nobody excluded, the mean score is {_with_people(everybody)}."


def _range_sentence(what: str, cells: Sequence[tuple[str, TableCell]]) -> Iterator[str]:
    """The items on which a figure is lowest and highest; nothing if it is known for fewer than two."""
    known = [(title, cell) for title, cell in cells if cell.values and cell.values[0] is not None]
    if len(known) < 2:
        return
    low = min(known, key=lambda pair: _number(pair[1].values[0]))
    high = max(known, key=lambda pair: _number(pair[1].values[0]))
    if low[1].text == high[1].text:
        yield f"All items have the same {what}, {low[1].text} %."
    else:
        yield f"The {what} of an item goes from {low[1].text} % ({low[0]}) to {high[1].text} % ({high[0]})."


def words_on_times(lines: Sequence[TableLine]) -> str:
    """How many trials were solved, and how long they took."""
    if not lines:
        return "No trial was shown."
    median, mean, solved, *_ = lines[0].cells
    parts = [f"People solved {solved.text} trials over all items."]
    if median.values[0] is None:
        parts.append("Fewer than half were solved in time, so there is no median.")
    else:
        ends = f" ({median.detail.replace('–', ' to ')})" if "–" in median.detail else f" ({median.detail})"
        parts.append(f"Half were solved within {median.text} s{ends}.")
    if mean.values[0] is not None:
        parts.append(f"Up to the limit, a trial took {mean.text} s on average.")
    return " ".join(parts)


def words_on_best(lines: Sequence[TableLine], ks: Sequence[int]) -> str:
    """What several people, or several samples, add to one."""
    parts = []
    for line in lines:
        name, _, who = line.title.rpartition(": ")
        one = "sample" if who.endswith("samples") else "person"
        known = [(k, cell.text) for k, cell in zip(ks, line.cells, strict=False) if cell.values[0] is not None]
        if not known:
            parts.append(f"There is no figure for {name}.")
            continue
        last, share = known[-1]
        more = f"; of {last}, at least one passes {share} %" if last > 1 else ""
        parts.append(f"{name}: one {one} passes {known[0][1]} % of the items on average{more}.")
    return " ".join(parts)


def words_on_items(lines: Sequence[TableLine]) -> str:
    """Which items are easy and hard, and whether some say nothing."""
    parts = list(_range_sentence("mean score", [(line.title, line.cells[0]) for line in lines]))
    for edge, meaning in (("floor", "nearly nobody scored"), ("ceiling", "nearly everybody scored in full")):
        count = sum(line.cells[0].detail == edge for line in lines)
        if count:
            parts.append(f"On {counted(count, 'item')}, {meaning} ({edge}).")
    undefined = sum(line.cells[1].values[0] is None for line in lines)
    if undefined:
        parts.append(f"{counted(undefined, 'item has', 'items have')} no discrimination.")
    return " ".join(parts) or f"The mean score of the only item is {lines[0].cells[0].text} %."


# Comparisons -----------------------------------------------------------------------------------------------------


def words_on_models(lines: Sequence[TableLine]) -> str:
    """How far people are from each model."""
    return " ".join(map(_model_sentence, lines))


def _model_sentence(line: TableLine) -> str:
    difference = line.cells[2]
    if not difference.values:
        return f"{line.title}: no item is common."
    items = counted(int(_number(line.cells[6].values[0])), "common item")
    return f"{line.title}, on {items}: {_difference_words(difference)}."


def _difference_words(cell: TableCell) -> str:
    """A difference with its interval, and whether that includes 0."""
    low, high = cell.values[1:3]
    if low is None or high is None:
        return f"{cell.text} points, without an interval"
    verb = "includes" if _number(low) <= 0 <= _number(high) else "excludes"
    return f"{cell.text} points ({cell.detail}); the interval {verb} 0"


def words_on_item_differences(lines: Sequence[TableLine]) -> str:
    """Where people are furthest behind and ahead; the lines are sorted by the difference."""
    if not lines:
        return "No item is common."
    low, high = lines[0], lines[-1]
    if len(lines) == 1:
        return f"The difference on the only common item, {low.title}, is {low.cells[2].text} points."
    return (
        f"On {counted(len(lines), 'common item')}, the difference goes from {low.cells[2].text} points ({low.title}) "
        f"to {high.cells[2].text} points ({high.title})."
    )


def words_on_conditions(lines: Sequence[TableLine]) -> str:
    """How far each two conditions are from each other."""
    known = [(line.title, line.cells[0]) for line in lines]
    return " ".join(
        f"{title}: {_difference_words(cell)}." if cell.values[0] is not None else f"{title}: nothing can be compared."
        for title, cell in known
    )


def words_on_effort(runs: Sequence[ModelRun]) -> str:
    """What the models were given."""
    parts = []
    for run in runs:
        cap = "without a cap on tokens" if run.budget is None else f"with at most {run.budget:,} output tokens"
        tools = "with tools" if run.tools else "without tools"
        used = "" if run.output_tokens is None else f", and used {round(run.output_tokens):,} an item on average"
        parts.append(f"{run.name} answered {tools} and {cap}{used}.")
    return " ".join(parts)


# Confidence, load, robustness ------------------------------------------------------------------------------------


def words_on_confidence(confidence: float, passed: float, answers: int) -> str:
    """Whether people were too sure; shares from 0 to 1."""
    over = steady(100 * (confidence - passed))
    if f"{abs(over):.1f}" == "0.0":
        verdict = "as sure as they were right"
    else:
        verdict = f"too {'sure' if over > 0 else 'unsure'} by {abs(over):.1f} points"
    return (
        f"In {counted(answers, 'answer')}, people were {percent(confidence)} % sure on average, and "
        f"{percent(passed)} % of the answers passed: people were {verdict}."
    )


def words_on_load(lines: Sequence[TableLine]) -> str:
    """The mean of the scales, the highest and the lowest. The last of `lines` is the mean."""
    scales = sorted(lines[:-1], key=lambda line: _number(line.cells[0].values[0]))
    low, high = scales[0], scales[-1]
    return (
        f"The mean of the six scales is {lines[-1].cells[0].text}; the highest is {high.title} ({high.cells[0].text}), "
        f"the lowest {low.title} ({low.cells[0].text})."
    )


def words_on_robustness(by_condition: Sequence[Sequence[TableLine]]) -> str:
    """The lowest and the highest mean score among the selections, for each condition."""
    parts = []
    for lines in by_condition:
        known = [line for line in lines if line.cells[0].values[0] is not None]
        if not known:
            continue
        low = min(known, key=lambda line: _number(line.cells[0].values[0]))
        high = max(known, key=lambda line: _number(line.cells[0].values[0]))
        least, greatest = (f"{line.cells[0].text} % ({line.title})" for line in (low, high))
        if low.cells[0].text == high.cells[0].text:
            parts.append(f"All selections give the same mean score, {least}.")
        else:
            parts.append(f"The mean score lies between {least} and {greatest}.")
    return " ".join(parts) or "Nobody's trials count."


def _with_ends(cell: TableCell, more: str = "") -> str:
    """A share with its interval, and more in the same brackets."""
    low, high = cell.values[1:3]
    few = low is None or high is None
    ends = "too few people for an interval" if few else f"{percent(_number(low))} to {percent(_number(high))} %"
    return f"{cell.text} % ({ends}{more})"


def _with_people(cell: TableCell) -> str:
    """A share with its interval and the number of people."""
    return _with_ends(cell, f"; {counted(int(_number(cell.values[3])), 'person', 'people')}")


def _number(value: Value) -> float:
    return float(value or 0)
