"""The bonus that a plan works out, in words for the people who take part."""

from __future__ import annotations

from decimal import Decimal

from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.studies.planning.document import Study


def bonus_words(study: Study) -> str:
    """What the bonus depends on, in the language that is spoken; empty if the plan works out none."""
    incentive = study.incentive
    if incentive.per_solved is None:
        return ""
    each = amount_words(incentive.per_solved, incentive.currency)
    _, _, least = study.analysis.success.partition(" >= ")
    if least:
        words = tr("{each} for each item of the main part with a score of at least {least}", each=each, least=least)
    else:
        words = tr("{each} for each item of the main part that you solve", each=each)
    if incentive.most is None:
        return f"{words}."
    return tr("{words}, at most {most}.", words=words, most=amount_words(incentive.most, incentive.currency))


def amount_words(amount: float, currency: str) -> str:
    """An amount of money with its currency; with two decimals, or as many as it has."""
    exact = Decimal(str(amount))
    return f"{exact:.2f} {currency}" if exact == round(exact, 2) else f"{exact:f} {currency}"
