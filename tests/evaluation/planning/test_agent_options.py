"""Options of agents as forms and summaries show them."""

from spatial_workbench.engine.evaluation.planning.agent_options import (
    declared_options,
    options_of_kind,
    words_of_options,
)


def named(kind):
    return {option.path: option for option in options_of_kind(declared_options(kind), kind)}


def test_an_option_has_its_label_unit_bounds_and_choices_from_its_declaration():
    options = named("hierarchical")
    rounds = options["rounds"]
    strategy = options["strategy"]
    assert (rounds.label, rounds.unit, rounds.low, rounds.high, rounds.default) == ("Rounds", "rounds", 0, 100, 5)
    assert [value for value, _ in strategy.choices] == ["random", "best-of-n", "mcts"]


def test_an_agent_is_offered_only_the_options_that_it_heeds():
    assert set(named("single")) == {"representation"}
    assert named("hierarchical").keys() - named("iterative").keys() == {"meta_designer"}


def test_a_summary_names_what_was_set_in_the_words_of_the_form():
    words = words_of_options(declared_options("iterative"), "iterative", {"strategy": "random", "inspector": False})
    assert words == "search Random search, inspector off"


def test_an_agent_without_options_has_none():
    assert declared_options("basic") is None
