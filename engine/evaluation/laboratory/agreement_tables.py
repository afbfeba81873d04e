"""The agreement of verifiers as tables: a matrix, pairs with kappa, rates by task, and the attempts they differ on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.laboratory.agreement import (
    JudgedByAll,
    VerifierAgreement,
    agreements,
)
from spatial_workbench.engine.evaluation.results.contents import ReportSection
from spatial_workbench.engine.evaluation.results.tables import (
    Heading,
    Table,
    TableCell,
    TableLine,
    TableNote,
    number_cell,
    percent,
)

MOST_LISTED = 500
"""So many attempts are listed on which verifiers differ; beyond that, they are counted."""
NOTHING = "No attempt was judged by two verifiers."
_DEFAULT = "default"
_KAPPA = "Cohen's kappa: agreement beyond what chance gives, 1 at most; 0 is what chance gives"


def agreement_section(judged: Sequence[JudgedByAll]) -> ReportSection:
    """How far the verifiers agree that have judged some attempts."""
    pairs = agreements(judged)
    if not pairs:
        return ReportSection("agreement", "Agreement", lacking=NOTHING)
    tables = (_matrix(pairs, judged), _pairs(pairs), _by_task(pairs), _differing(judged))
    return ReportSection("agreement", "Agreement", tables=tables, words=(_summary(judged),))


def pair_name(pair: VerifierAgreement) -> str:
    """Both verifiers in words."""
    return f"{pair.first} / {pair.second}"


def _summary(judged: Sequence[JudgedByAll]) -> str:
    several = [each for each in judged if len(each.passes) > 1]
    parted = sum(len(set(each.passes.values())) > 1 for each in several)
    instances = len({each.address for each in several})
    return (
        f"{counted(len(several), 'attempt')} at {counted(instances, 'instance')} judged by two verifiers or more; on "
        f"{parted:,} of them, they disagree about passing."
    )


def _matrix(pairs: Sequence[VerifierAgreement], judged: Sequence[JudgedByAll]) -> Table:
    known = {name for pair in pairs for name in (pair.first, pair.second)}
    names = sorted(known, key=lambda name: (name != _DEFAULT, name))
    cells = {(pair.first, pair.second): _of_pair(pair) for pair in pairs}
    cells |= {(second, first): cell for (first, second), cell in cells.items()}
    for name in names:
        count = sum(name in each.passes for each in judged)
        cells[name, name] = TableCell(
            f"n {count:,}", tip=f"{name} has judged {counted(count, 'attempt')}", values=(None, None, count)
        )
    lines = [TableLine(name, tuple(cells.get((name, other), TableCell()) for other in names)) for name in names]
    return Table(
        title="Agreement between verifiers",
        first="Verifier",
        headings=tuple(Heading(name, "%", fields=("same", "kappa", "attempts")) for name in names),
        lines=tuple(lines),
        about="The share of the attempts judged by both on which they agree about passing, with kappa below.",
        notes=(TableNote(f"{_KAPPA}. A dash: one of the two gives all attempts the same verdict."),),
    )


def _of_pair(pair: VerifierAgreement) -> TableCell:
    kappa = _figure(pair.kappa)
    tip = f"{pair_name(pair)}: the same on {pair.same:,} of {counted(pair.count, 'attempt')}; kappa {kappa}"
    return TableCell(
        percent(pair.rate), f"κ {kappa} · n {pair.count:,}", tip, values=(pair.rate, pair.kappa, pair.count)
    )


def _pairs(pairs: Sequence[VerifierAgreement]) -> Table:
    return Table(
        title="Pairs of verifiers",
        first="Pair",
        headings=(
            Heading("Attempts", tip="That both have judged"),
            Heading("The same", "%", "On how many both agree about passing"),
            Heading("Kappa", tip=_KAPPA, fields=("", "low", "high")),
            Heading("Only the first", "attempts", "Only the first of the two lets it pass"),
            Heading("Only the second", "attempts", "Only the second of the two lets it pass"),
        ),
        lines=tuple(_pair_line(pair) for pair in pairs),
        notes=(
            TableNote(
                "The interval of kappa holds 95 % of many draws of instances, each with all of its attempts; with few "
                "instances there is none. Of verifiers of your own, only the newest version counts."
            ),
        ),
        is_sortable=True,
    )


def _pair_line(pair: VerifierAgreement) -> TableLine:
    interval = "" if pair.low is None or pair.high is None else f"{pair.low:.3f} to {pair.high:.3f}"
    cells = (
        number_cell(pair.count),
        TableCell(percent(pair.rate), values=(pair.rate,)),
        TableCell(_figure(pair.kappa), interval, values=(pair.kappa, pair.low, pair.high)),
        number_cell(pair.only_first),
        number_cell(pair.only_second),
    )
    return TableLine(pair_name(pair), cells)


def _by_task(pairs: Sequence[VerifierAgreement]) -> Table:
    names = sorted({name for pair in pairs for name in pair.by_task})
    lines = [TableLine(_title(name), tuple(_rate(*pair.by_task.get(name, (0, 0))) for pair in pairs)) for name in names]
    return Table(
        title="Disagreement by task",
        first="Task",
        headings=tuple(Heading(pair_name(pair), "%", fields=("share", "differing", "attempts")) for pair in pairs),
        lines=tuple(lines),
        about="The share of the attempts that both have judged on which they differ about passing.",
    )


def _rate(count: int, differing: int) -> TableCell:
    if not count:
        return TableCell(values=(None, None, 0))
    share = differing / count
    return TableCell(percent(share), f"{differing:,} of {count:,}", values=(share, differing, count))


def _differing(judged: Sequence[JudgedByAll]) -> Table:
    parted = [each for each in judged if len(set(each.passes.values())) > 1]
    names = sorted({name for each in parted for name in each.passes}, key=lambda name: (name != _DEFAULT, name))
    more = len(parted) - MOST_LISTED
    notes = (TableNote(f"{more:,} more are not listed."),) if more > 0 else ()
    headings = (Heading("Instance", is_text=True), Heading("Who", is_text=True))
    return Table(
        title="Attempts on which verifiers differ",
        first="Attempt",
        headings=(*headings, *(Heading(name, is_text=True) for name in names)),
        lines=tuple(_attempt_line(each, names) for each in parted[:MOST_LISTED]),
        notes=notes,
        about="What each verifier said of them.",
    )


def _attempt_line(judged: JudgedByAll, names: Sequence[str]) -> TableLine:
    said = [_said(judged.said, name) for name in names]
    cells = [TableCell(judged.address, values=(judged.address,)), TableCell(judged.who, values=(judged.who,))]
    return TableLine(str(judged.number), (*cells, *said), attempts=(judged.number,))


def _said(said: Mapping[str, str], name: str) -> TableCell:
    words, _, check = said.get(name, "–").partition(": ")
    return TableCell(words, check, f"{words}: {check}" if check else words, (said.get(name),))


def _figure(kappa: float | None) -> str:
    return "–" if kappa is None else f"{kappa:.3f}"


def _title(task_id: str) -> str:
    try:
        return task(task_id).title
    except KeyError:
        return task_id
