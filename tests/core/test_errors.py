"""Names that are unknown are named with what there is, and with what may have been meant."""

import pickle

import pytest

import spatial_workbench as sw
from spatial_workbench.engine.core.errors import UnknownName, meant


def test_what_is_near_may_have_been_meant():
    assert meant("widht", ["height", "width"]) == "; did you mean “width”?"
    assert meant("colour", ["height", "width"]) == ""


def test_an_unknown_name_reads_as_its_sentence_also_in_another_process():
    error = pickle.loads(pickle.dumps(UnknownName("There is no “x”.")))
    assert str(error) == "There is no “x”."
    assert isinstance(error, KeyError)


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: sw.task("shikuku"), KeyError, "no task 'shikuku'; did you mean “shikaku”? Tasks: "),
        (lambda: sw.instance("shikuku:3"), sw.InstanceError, "did you mean “shikaku”? Tasks: "),
        (lambda: sw.prompt("shikaku:99"), sw.InstanceError, "shikaku has the instances 0 to "),
        (lambda: sw.evaluate("reference", "shikuku"), sw.InstanceError, "did you mean “shikaku”?"),
        (
            lambda: sw.verify("terrain_levelling:0", "{}", "publishd"),
            KeyError,
            "no verifier “publishd”; did you mean “published”? Verifiers: default, published.",
        ),
        (
            lambda: sw.generate("shikaku", 1, widht=9),
            sw.InstanceError,
            "“widht” is no parameter of shikaku; did you mean “width”? There are width, height, largest_area",
        ),
        (lambda: sw.instance("shikaku@1?widht=9"), sw.InstanceError, "did you mean “width”?"),
        (lambda: sw.generate("shikaku", 1, width=99), sw.InstanceError, "width: Input should be less than or equal"),
        (
            lambda: sw.generate("half_subdivision", 1, rendering="drawing"),
            sw.InstanceError,
            "rendering: Input should be 'tree' or 'list'",
        ),
        (lambda: sw.generate("puzzle_hunt", 1, size=3), sw.InstanceError, ""),
        (lambda: sw.episode("pack_prisms:0", call=3), ValueError, "did you mean “calls”?"),
        (lambda: sw.episode("pack_prisms:0", "hand"), ValueError, "condition: Input should be 'everything'"),
        (
            lambda: sw.evaluate("reference", "shikaku:0", grid={"temprature": [0]}),
            ValueError,
            "“temprature” is no axis of a grid; did you mean “temperature”?",
        ),
        (lambda: sw.evaluate("referense", "shikaku:0"), Exception, "“referense”; did you mean “reference”? Models: "),
    ],
)
def test_what_there_is_not_is_named_with_what_there_is(call, kind, words):
    with pytest.raises(kind) as raised:
        call()
    assert words in str(raised.value)
