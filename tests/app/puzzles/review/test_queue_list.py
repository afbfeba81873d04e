"""The puzzles under review, in queues."""

from datetime import date

from spatial_workbench.app.puzzles.review.queue_list import QueueList
from spatial_workbench.engine.puzzles.annotation.queues import ReviewQueue
from spatial_workbench.engine.puzzles.annotation.review import Review, ReviewState

REVIEWS = (
    Review("Draft"),
    Review("Free", ReviewState.CHECKED, author="Ada"),
    Review("Also_Free", ReviewState.CLEAR, author="Ada"),
    Review("Mine", ReviewState.IN_REVIEW, author="Ada", reviewers=("Ben", "Cleo"), due=date(2020, 1, 1)),
)
TITLES = {"Draft": "Draft", "Free": "Free Fall", "Also_Free": "Also Free", "Mine": "Mine"}


def opened(qtbot):
    queues = QueueList(lambda: "Ben")
    qtbot.addWidget(queues)
    queues.show_reviews(REVIEWS, TITLES)
    return queues


def shown(queues):
    return [queues.list.topLevelItem(k).text(0) for k in range(queues.list.topLevelItemCount())]


def test_a_queue_shows_what_belongs_to_it_and_a_search_narrows_it(qtbot):
    queues = opened(qtbot)
    assert queues.current() == "Mine"
    queues.choose_queue(ReviewQueue.UNASSIGNED)
    assert shown(queues) == ["Also Free", "Free Fall"]
    queues.search.setText("also")
    assert shown(queues) == ["Also Free"]
    assert queues.count.text() == "1 of 4 puzzles"


def test_puzzles_are_found_by_their_titles_and_name_their_folders_in_a_tooltip(qtbot):
    queues = opened(qtbot)
    queues.search.setText("fall")
    assert shown(queues) == ["Free Fall"]
    assert queues.list.topLevelItem(0).toolTip(0) == "Free Fall\nFolder: Free"


def test_what_is_overdue_says_so(qtbot):
    queues = opened(qtbot)
    queues.choose_queue(ReviewQueue.WAITING)
    assert queues.list.topLevelItem(0).text(2) == "2020-01-01 overdue"


def test_reviewers_are_asked_for_all_selected_puzzles_that_can_be_assigned(qtbot):
    queues = opened(qtbot)
    queues.list.selectAll()
    assert queues.assign.text() == "Assign 3…"
    with qtbot.waitSignal(queues.assignment_asked) as asked:
        queues.assign.click()
    assert asked.args == [("Mine", "Also_Free", "Free")]
