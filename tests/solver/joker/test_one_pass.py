"""The search without jokers: states and moves compared with the search with jokers, its bound, its limits."""

import random
from dataclasses import replace

import pytest
from tests.deals import sizes, state_of
from tests.native import load
from tests.positions import random_joker_position
from tests.rules.columns import score_of

from winnable.rules import find_variant
from winnable.rules.joker import USUAL
from winnable.solver import Limits, verify
from winnable.solver.engine import find_kernel

walkers = load("joker_walker")
brute = load("joker_brute")

GAME = find_variant("klondike-one-pass")
UP, FACE_DOWN, WASTE, EMPTY = 4, -12, -4, 3
"""The parts of the estimate: see `Estimates` in solver/joker/search.pxi."""


def estimate(counts):
    """The estimate from the counts of the walker with jokers."""
    score, face_down, waste, empty, _ = counts
    return UP * score + FACE_DOWN * face_down + WASTE * waste + EMPTY * empty


def faces(state):
    """The face-up cards of the columns as bits."""
    pairs = zip(state.columns, state.hidden, strict=True)
    return sum(1 << card for cards, hidden in pairs for card in cards[hidden:])


def bare(state):
    """The top cards of the columns as bits."""
    return sum(1 << cards[-1] for cards in state.columns if cards)


class Walk:
    """Both walkers at one class of states, from ``state`` on, and the correspondence of their keys."""

    def __init__(self, state):
        self.small, self.large = walkers.OnePassWalker(state), walkers.Walker(state)
        self.larger, self.smaller = {}, {}
        self.check()

    def check(self):
        """Check that the smaller key identifies the same class as the larger one."""
        small, large = self.small.key_of(), self.large.key_of()
        assert self.larger.setdefault(small, large) == large, "one key, one class"
        assert self.smaller.setdefault(large, small) == small, "one class, one key"
        score, waste, empty, face, open_cards = self.small.counts()
        counted = self.large.counts()
        assert (score, waste, empty) == (counted[0], counted[2], counted[3])
        state = self.large.state()
        assert face == faces(state)
        assert bare(state) & ~open_cards == 0
        assert len({card >> 2 for card in range(52) if open_cards >> card & 1}) <= bin(bare(state)).count("1")

    def check_moves(self):
        """Check that both walkers have the same macros, leading to the same classes; return those of the
        smaller one."""
        macros, safe = self.small.macro_moves(), self.small.safe_move()
        codes = set(self.large.macro_moves())
        if safe is None:
            assert {code for code, *_ in macros} == codes
            assert len(macros) == len(codes)
        else:
            assert len(codes) == 1, "the other walker has a safe move too"
            assert codes <= {code for code, *_ in macros}
            assert safe in macros
        here, small, before = self.large.key_of(), self.small.key_of(), estimate(self.large.counts())
        for code, key, score, gain in macros:
            counts = self.large.play(code)
            self.small.set_key(key)
            self.check()
            assert score == counts[0]
            assert gain == estimate(counts) - before
            self.large.set_key(here)
            self.small.set_key(small)
        return macros

    def go(self, macro):
        """Play a macro in both walkers."""
        self.large.play(macro[0])
        self.small.set_key(macro[1])


def walk(state, rng):
    """Play random macros to the end with all checks; return their number."""
    both, steps = Walk(state), 0
    while macros := both.check_moves():
        both.go(rng.choice(macros))
        steps += 1
    return steps


def test_states_and_moves_are_those_of_the_search_with_jokers():
    rng = random.Random(1)
    assert sum(walk(GAME.deal(seed), rng) for seed in range(40)) > 300


def test_positions_have_the_same_states_and_moves():
    rng, steps = random.Random(2), 0
    for _ in range(200):
        steps += walk(random_joker_position(rng, "klondike-one-pass", USUAL), rng)
    assert steps > 200


def test_a_card_covered_in_the_waste_must_wait():
    """2C and 3C come before AC can; 3C then stays on 2C."""
    deal = state_of(GAME.name, columns=["AC 3S"], stock="2C 3C AS 2S 4C 4S", ranks=4, suits="CS")
    assert walkers.OnePassWalker(deal).bound() == 5
    finding = find_kernel(GAME)(Limits()).solve(deal)
    assert (finding.score, finding.exact) == (5, True)


def test_bounds_are_no_less_than_what_is_reached():
    rng, reached = random.Random(3), 0
    kernel = find_kernel(GAME)(Limits())
    for seed in range(30):
        deal = GAME.deal(seed, 5, "CDHS", (1, 2, 3, 4))
        score = kernel.solve(deal).score
        walker = walkers.OnePassWalker(deal)
        while macros := walker.macro_moves():
            assert walker.bound() >= walker.counts()[0]
            _, key, *_ = rng.choice(macros)
            walker.set_key(key)
        reached += walkers.OnePassWalker(deal).bound() == score
    assert reached > 3, "it is the score itself now and then"


def compare_settled(rng, positions):
    """Compare settled moves, and the macros that are kept, with the greatest scores by brute force on
    ``positions`` positions; return the numbers of settled moves and of macros left out."""
    compared = settled = left_out = 0
    while compared < positions:
        state = random_joker_position(rng, GAME.name, USUAL)
        best, _ = brute.explore(state, 400)
        if best is None or best == score_of(state):
            continue
        small, large = walkers.OnePassWalker(state), walkers.Walker(state)
        kept, move = small.macro_moves(False), small.settled_move()
        for codes in [[macro[0] for macro in kept]] if move is None else [[move[0]]]:
            reached = [brute.explore(play(large, code, state))[0] for code in codes]
            assert max(reached) == best, (GAME.name, state, codes)
        settled += move is not None
        left_out += len(small.macro_moves()) - len(kept)
        compared += 1
    return settled, left_out


def play(walker, code, state):
    """The state after a macro."""
    for move in walker.moves_of(code, state):
        state = state.apply(move)
    return state


@sizes(500, full=1000, slow=500_000)
def test_what_is_settled_loses_nothing(deals):
    settled, left_out = compare_settled(random.Random(deals), deals)
    assert settled > deals // 2
    assert left_out > deals // 4


def test_a_position_with_more_stock_than_a_deal_has_is_left_to_the_other_search():
    deal = GAME.deal(3)
    cards = [card for column in (*deal.columns, deal.stock) for card in column]
    deal = replace(deal, columns=((cards[0],), (cards[1],)), hidden=(0, 0), stock=tuple(cards[2:]))
    with pytest.raises(ValueError, match="63 bits"):
        walkers.OnePassWalker(deal)
    kernel = find_kernel(GAME)(Limits(nodes=3000))
    finding = kernel.solve(deal)
    assert score_of(verify.replay(GAME, deal, finding.moves)) == finding.score > 0
    assert kernel.expanded > 0


def test_safe_moves_are_not_expanded():
    """All cards except the kings of one column lie in order, so every move is safe."""
    deal = state_of(GAME.name, columns=["3C", "3D"], stock="AC AD 2C 2D", ranks=3, suits="CD")
    kernel = find_kernel(GAME)(Limits())
    assert (kernel.solve(deal).score, kernel.solve(deal).exact) == (6, True)
    assert kernel.expanded <= 4
