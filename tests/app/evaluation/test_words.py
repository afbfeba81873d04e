"""Figures of batches in words."""

from spatial_workbench.app.evaluation.words import duration, expectation, money, tokens
from spatial_workbench.engine.evaluation.planning.estimate import Estimate


def test_figures_are_short():
    assert (tokens(950), tokens(12_345), tokens(3_400_000)) == ("950", "12k", "3.4M")
    assert (money(0.0021), money(12.3)) == ("$0.0021", "$12.30")
    assert (duration(40), duration(700), duration(9_000)) == ("40 s", "12 min", "2.5 h")


def test_unknown_prices_are_said_to_be_unknown():
    estimate = Estimate(items=3, calls=3, input_tokens=1000, output_tokens=2000, cost_usd=None, assumed=3)
    assert "cost unknown" in expectation([estimate])
    assert "assumed" in expectation([estimate])
