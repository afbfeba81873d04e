"""Searches over changes of a machine, with scores that are known beforehand."""

from itertools import count

import numpy as np
import pytest

from spatial_workbench.engine.machines.designing.strategies import Node, Search, Strategy, search


class Script:
    """Expands nodes into children with the scores of a list; None: no valid machine comes of that candidate."""

    def __init__(self, *batches):
        self.batches = iter(batches)
        self.asked = []
        self.ids = count(1)

    def __call__(self, node, number):
        self.asked.append((node.id, number))
        scores = [score for score in next(self.batches) if score is not None]
        return [Node(next(self.ids), node.id, (), score) for score in scores]


def run(strategy, script, rounds, root=1.0, seed=0, **more):
    return search(strategy, Node(0, None, (), root), script, np.random.default_rng(seed), rounds, **more)


def test_random_search_goes_on_with_a_random_child_and_equal_seeds_agree():
    batches = [[1, 2, 3, 4, 5]] * 3
    first, again = (run(Strategy.RANDOM, Script(*batches), 3, seed=4) for _ in range(2))
    others = [run(Strategy.RANDOM, Script(*batches), 3, seed=seed).kept for seed in range(5, 10)]
    assert first.kept == again.kept
    assert any(kept != first.kept for kept in others)


def test_random_search_keeps_the_parent_where_no_child_is_valid():
    script = Script([], [2])
    found = run(Strategy.RANDOM, script, 2)
    assert script.asked == [(0, 5), (0, 5)]
    assert (found.kept, found.expanded) == ([0, 1], [0, 1])


def test_best_of_n_goes_on_with_the_best_child():
    script = Script([1, 7, 3, 4, 5], [8, 1, 1, 1, 1])
    found = run(Strategy.BEST_OF_N, script, 2)
    assert [node for node, _ in script.asked] == [0, 2]
    assert found.kept == [2, 6]


def test_best_of_n_counts_the_parent_as_a_candidate_where_too_few_are_valid():
    script = Script([1, 2, 3, 4, None], [1, 1, 1, 1, 1])
    found = run(Strategy.BEST_OF_N, script, 2, root=6)
    assert found.kept[0] == 0
    assert found.best.id == 0


def test_best_of_n_leaves_the_parent_where_all_are_valid_but_does_not_forget_it():
    found = run(Strategy.BEST_OF_N, Script([1, 2, 3, 4, 5]), 1, root=6)
    assert found.kept == [5]
    assert found.best.id == 0


def test_best_of_n_changes_the_best_machine_so_far_and_not_the_best_of_the_last_round():
    script = Script([9, 1, 1, 1, 1], [2, 3, 2, 2, 2], [1, 1, 1, 1, 1])
    found = run(Strategy.BEST_OF_N, script, 3)
    assert [node for node, _ in script.asked] == [0, 1, 1]
    assert len(found.kept) == 3


def test_mcts_visits_every_child_before_it_expands_the_most_promising():
    script = Script([5, 9, 1, 2], [3, 4, 5, 6])
    found = run(Strategy.MCTS, script, 5)
    assert script.asked == [(0, 4), (2, 4)]
    assert found.kept == [1, 2, 3, 4, 5]
    assert found.expanded == [4, 0, 0, 0, 4]


def test_mcts_counts_visits_and_scores_up_to_the_root():
    found = run(Strategy.MCTS, Script([5, 9, 1, 2], [3, 4, 5, 6]), 5)
    assert found.visits == {0: 5, 1: 1, 2: 2, 3: 1, 4: 1, 5: 1}
    assert found.values == {0: 20, 1: 5, 2: 12, 3: 1, 4: 2, 5: 3}


def test_mcts_evaluates_a_node_again_that_gets_no_children():
    script = Script([], [4], [])
    found = run(Strategy.MCTS, script, 3, root=2)
    assert [node for node, _ in script.asked] == [0, 0, 1]
    assert (found.visits, found.values) == ({0: 3, 1: 2}, {0: 10, 1: 8})


def test_mcts_explores_a_child_that_was_seldom_visited():
    script = Script([5, 5], [1, 1], [9, 9])
    found = run(Strategy.MCTS, script, 4)
    assert [node for node, _ in script.asked] == [0, 1, 2]
    assert found.kept == [1, 2, 3, 5]


def test_the_result_may_be_a_node_that_was_never_visited():
    found = run(Strategy.MCTS, Script([1, 2, 30, 4]), 1)
    assert (found.best.id, found.visits.get(3)) == (3, None)
    assert [node.id for node in found.path_to(found.best)] == [0, 3]


@pytest.mark.parametrize("strategy", Strategy)
def test_an_interrupted_search_goes_on_from_its_stored_nodes(strategy):
    batches = [[5, 3], [2, 8], [4, 4]]
    whole = run(strategy, Script(*batches), 3, seed=1, candidates=2)
    stored = {}
    for node in whole.nodes[1:3]:
        stored.setdefault(node.parent, []).append(node)
    script = Script(*batches)

    def expand(node, number):
        made = script(node, number)
        return stored.pop(node.id, made)

    assert run_like(strategy, expand) == whole


def run_like(strategy, expand) -> Search:
    return search(strategy, Node(0, None, (), 1.0), expand, np.random.default_rng(1), 3, candidates=2)
