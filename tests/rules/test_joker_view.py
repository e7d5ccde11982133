"""The view of a player: not the order of the unseen cards."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from winnable.rules import find_variant, joker
from winnable.rules.joker_view import view_of, with_unseen


def played(variant, seed, moves):
    """A position after random moves."""
    rng, state = random.Random(seed), find_variant(variant).deal(seed)
    for _ in range(moves):
        legal = joker.legal_moves(state)
        if not legal:
            break
        eager = [move for move in legal if move != joker.TURN]
        state = joker.apply(state, rng.choice(eager if eager and rng.random() < 0.7 else legal))
    return state


@pytest.mark.quick("klondike-one-pass")
@pytest.mark.parametrize("variant", ["joker", "klondike-one-pass"])
def test_a_view_forgets_the_order_of_the_unseen_cards_and_nothing_else(variant):
    for seed in range(60):
        state, rng = played(variant, seed, 3 * seed), random.Random(seed)
        hidden = [card for column, n in zip(state.columns, state.hidden, strict=True) for card in column[:n]]
        view = view_of(state)
        assert view.unseen() == sorted([*hidden, *state.stock])
        cards = view.unseen()
        rng.shuffle(cards)
        other = with_unseen(state, cards)
        assert view_of(other) == view
        assert with_unseen(other, [*hidden, *state.stock]) == state
        assert set(joker.legal_moves(state)) == set(joker.legal_moves(other))


def test_other_cards_are_refused():
    state = find_variant("joker").deal(1)
    with pytest.raises(ValueError, match="not the unseen cards"):
        with_unseen(state, view_of(state).unseen()[1:])


@pytest.mark.parametrize(
    ("state", "problem"),
    [
        (find_variant("joker").deal(1, ranks=5), "full deck"),
        (
            replace(find_variant("joker").deal(1), hidden=(0, 1, 2, 3, 4, 6, 6)),
            "0 1 2 3 4 6 6 cards face down",
        ),
    ],
)
def test_what_a_player_does_not_play_is_refused(state, problem):
    with pytest.raises(ValueError, match=problem):
        view_of(state)
