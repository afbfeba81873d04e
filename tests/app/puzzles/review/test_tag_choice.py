"""Difficulty and tags by choice."""

from spatial_workbench.app.puzzles.review.tag_choice import TagChoice


def test_tags_keep_the_order_of_the_annotation_and_others_follow(qtbot):
    choice = TagChoice("skills", ("spatial", "logic"))
    qtbot.addWidget(choice)
    assert choice.value() == ("spatial", "logic")
    choice.boxes["cryptic"].setChecked(True)
    assert choice.value() == ("spatial", "logic", "cryptic")


def test_a_difficulty_is_one_word_and_an_unknown_one_is_none(qtbot):
    choice = TagChoice("difficulty", "brutal")
    qtbot.addWidget(choice)
    assert choice.value() == ""
    choice.choose(("hard",))
    assert choice.value() == "hard"
