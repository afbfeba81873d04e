"""Comments and their replies."""

from spatial_workbench.app.puzzles.review.comments_pane import CommentsPane, threaded
from spatial_workbench.engine.puzzles.annotation.review import Commented


def comment(name, reply_to="", step=0):
    return Commented(id=name, folder="P", version="v", person="Ben", text=name, reply_to=reply_to, step=step)


def test_a_reply_stands_below_what_it_answers():
    comments = [comment("a"), comment("b"), comment("c", "a"), comment("d", "c"), comment("e", "nothing")]
    assert [(c.id, depth) for c, depth in threaded(comments)] == [("a", 0), ("c", 1), ("d", 2), ("b", 0), ("e", 0)]


def test_replies_in_a_circle_are_shown_once():
    assert [c.id for c, _ in threaded([comment("a", "b"), comment("b", "a")])] == ["a", "b"]


def test_a_reply_is_sent_with_what_it_answers(qtbot):
    pane = CommentsPane()
    qtbot.addWidget(pane)
    pane.show_comments([comment("a", step=2)], 3)
    pane.answer(comment("a", step=2))
    pane.text.setText("See page 1.")
    with qtbot.waitSignal(pane.commented) as sent:
        pane.go.click()
    assert sent.args == ["See page 1.", 2, "a"]


def test_nothing_is_not_sent(qtbot):
    pane = CommentsPane()
    qtbot.addWidget(pane)
    with qtbot.assertNotEmitted(pane.commented):
        pane.send()
