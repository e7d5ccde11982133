"""Random positions of Joker and Klondike: any valid state, reachable in play or not."""

import pytest
from tests.compiled import searched_options

from winnable.rules import BoardError, Deck, find_variant, joker, klondike
from winnable.rules.cards import JOKERS, SUITS, colour_of, is_joker, make_card, rank_of
from winnable.rules.joker import OPEN_ACE, OUT_OF_PLAY, UNDECLARED, Choices, Joker

CHOICES = [Choices(x, r) for x in ("exposed", "turned") for r in ("undeclared", "exposed")]
every_choice = pytest.mark.parametrize("choices", CHOICES, ids=lambda c: f"{c.exchange}-{c.removal}")

TABLE = """
# a game of Joker
TS
<??> XR=6
<??> <??> 4D
<??> <??> <??> 7H
<??> <??> <??> <??> 7S
<??> <??> <??> <??> <??> 5S
<??> <??> <??> <??> <??> <??> 9S
Foundations: C-2 XB=AC
Stock: 23
Waste: KD
Exchange: exposed
"""
"""A partly known position of joker."""

ENDGAME = """
KH QC JD TS 9D 8S 7D 6C
<??> 9H 8C
<??> JS XR=T 9S
:
:
:
KS QH JC TH 9C 8H 7C 6H 5S 4D
Foundations: C-3 D-2 H-5 S-3 XB=AS
Stock: 2
Waste: 5C 6S 7H 4C 3D 4S 5D JH QS 7S QD 6D TC KC
Exchange: exposed
"""

RANKS = [2, 3, 3, 4, 4, 4, 5, 5, 6]


def random_joker_position(rng, variant, choices, most=11):
    """A position of a short deck of joker or klondike-one-pass in up to four columns, with at most ``most``
    naturals off the foundations; ``choices`` are those of joker."""
    game = find_variant(variant)
    while True:
        state = _draft(rng, variant, choices, most)
        try:
            if state is None:
                continue
            if game.from_board(game.family.marked_board(state), game.choices_of(state)) == state:
                return state
        except BoardError:
            continue


def _draft(rng, variant, choices, most):
    """A candidate for a position, or None."""
    deck, suits, heights, left = _some_up(rng, most, variant == "joker")
    ranks = deck.ranks
    jokers = [UNDECLARED, UNDECLARED]
    for colour, card in enumerate(JOKERS if deck.jokers else ()):
        own = [suit for suit in suits if colour_of(make_card(0, suit)) == colour and heights[suit] > 1]
        places = [make_card(rank, suit) for suit in own for rank in range(heights[suit])]
        jokers[colour] = _condition(rng, ranks, places)
        left += [card] if jokers[colour] in (UNDECLARED, Joker(rank=jokers[colour].rank)) else []
        left += [] if jokers[colour].place is None else [jokers[colour].place]
    rng.shuffle(left)
    ranks_of = [jokers[card - JOKERS[0]].rank if is_joker(card) else rank_of(card) for card in range(54)]
    columns = [_take_column(rng, left, ranks_of) for _ in range(rng.randint(1, 4))]
    face_up = {card for cards, hidden in columns for card in cards[hidden:]}
    if any(jokers[colour].rank is not None and JOKERS[colour] not in face_up for colour in range(2)):
        return None
    turned = rng.randint(0, min(3, len(left)))
    laid = tuple(tuple(cards) for cards, _ in columns), tuple(hidden for _, hidden in columns)
    piles = tuple(left[turned:]), tuple(left[:turned])
    fields = (variant, deck, *laid, *piles, tuple(heights))
    if not deck.jokers:
        return klondike.State(*fields, choices=klondike.Choices("1", "1", "no", "kings"))
    return joker.State(*fields, (jokers[0], jokers[1]), choices)


def _some_up(rng, most, jokers=False):
    """A short deck: its suits, the heights of the foundations with all but ``most`` cards up, and the
    naturals left."""
    ranks, suits = rng.choice(RANKS), sorted(rng.sample(range(4), rng.choice([1, 2, 2, 3, 3, 4])))
    heights = [0] * 4
    while ranks * len(suits) - sum(heights) > most or rng.random() < 0.5:
        suit = rng.choice(suits)
        heights[suit] = min(ranks, heights[suit] + 1)
    left = [make_card(rank, suit) for suit in suits for rank in range(heights[suit], ranks)]
    return Deck(ranks, "".join(SUITS[suit] for suit in suits), jokers=jokers), suits, heights, left


def random_klondike_layout(rng, most=11):
    """A random layout of a short deck of Klondike with redeals under any rule options, reachable in play or
    not."""
    deck, _, heights, left = _some_up(rng, most)
    rng.shuffle(left)
    columns = [_take_column(rng, left, [*map(rank_of, range(52))]) for _ in range(rng.randint(1, 5))]
    turned = rng.choice([0, rng.randint(0, len(left)), len(left)])
    choices = klondike.Choices(
        **{name: rng.choice(values) for name, values in searched_options("klondike").items()}
    )
    redeals = rng.randrange(choices.most_passes or 1)
    laid = tuple(tuple(cards) for cards, _ in columns), tuple(hidden for _, hidden in columns)
    piles = tuple(left[turned:]), tuple(left[:turned])
    return klondike.State("klondike", deck, *laid, *piles, tuple(heights), redeals, choices)


def _condition(rng, ranks, places):
    """A random condition of a joker; in half of the cases it is in play without a rank."""
    chance = rng.random()
    if chance < 0.2:
        return OUT_OF_PLAY
    if chance < 0.35 and places:
        return Joker(place=rng.choice(places))
    if chance < 0.4:
        return OPEN_ACE
    return Joker(rank=rng.randrange(ranks)) if chance < 0.6 else UNDECLARED


def _take_column(rng, left, ranks_of):
    """Take a random column from the cards left; return it with its number of face-down cards."""
    hidden = [left.pop() for _ in range(min(len(left), rng.choice([0, 0, 1, 1, 2])))]
    run = [left.pop()] if left else [hidden.pop()] if hidden else []
    while run and ranks_of[run[-1]] is not None and rng.random() < 0.6:
        wanted = (ranks_of[run[-1]] - 1, 1 - colour_of(run[-1]))
        fitting = [card for card in left if (ranks_of[card], colour_of(card)) == wanted]
        if not fitting:
            break
        run.append(rng.choice(fitting))
        left.remove(run[-1])
    if not hidden and rng.random() < 0.1:
        left += run
        return [], 0
    return hidden + run, len(hidden)
