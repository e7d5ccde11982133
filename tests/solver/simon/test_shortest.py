"""Lower bounds and shortest lines of the Simon family, compared with brute force and with known optima, also
of A* with inherited cores."""

import random
import signal
import threading
import time
from itertools import pairwise

import pytest
from tests.children import wait_until
from tests.deals import known_deals, laid_out, random_simon_position, sizes
from tests.native import load
from tests.solver.kernels import make

from winnable.rules import Deck, find_variant, simon
from winnable.solver import Limits

brute = load("simon_brute")
searching = load("simon_searches")
walking = load("simon_walker")


def lower_bounds(state):
    return searching.SimonSearches(Limits(work=9000)).lower_bounds(state)


def shortest(kernel, state, line):
    """The line and the lower bound of which ``kernel`` told last, and whether no limit ended its search."""
    told = []
    kernel.prove_optimal(state, line, lambda *pair: told.append(pair))
    return *told[-1], kernel.limit_met is None


def random_position(choice, copies):
    """A short deck, or a position of its play."""
    most = 26 if copies == 1 else 20
    while True:
        suits = "".join(sorted(choice.sample("CDHS", choice.randint(1, 4))))
        deck = Deck(choice.randint(2, 7), suits, copies)
        if len(deck.cards()) <= most:
            break
    return random_simon_position(choice, deck, (3, 7), [0, 0, 0, 1], [0, 0, 3, 8])


def with_suits_once(state, choice):
    """The position with one copy of the cards of two suits, as if runs had left."""
    once, met, columns = choice.sample(range(4), 2), set(), []
    for column in state.columns:
        kept = []
        for card in column:
            if card % 4 not in once or card not in met:
                kept.append(card)
            met.add(card)
        columns.append(tuple(kept))
    return simon.start(state.variant, state.deck, tuple(columns))


def compare_bounds(count, seed, copies, max_states=30000, once=False):
    """Compare bounds and proofs with brute force on ``count`` winnable positions; return how they did. If
    ``once``, some suits have only one copy."""
    choice = random.Random(seed)
    searches = searching.SimonSearches(Limits())
    kernel = make("simple-simon" if copies == 1 else "simon-jester")
    improver = kernel if copies == 1 else make("simon-jester", Limits(work=4000))
    tally = dict.fromkeys(["winnable", "heads", "bound", "fewest", "tight"], 0)
    while tally["winnable"] < count:
        state = random_position(choice, copies)
        state = with_suits_once(state, choice) if once else state
        fewest, _ = brute.explore(state, max_states)
        if fewest is None:
            continue
        heads, bound = searches.lower_bounds(state)
        if fewest < 0:
            continue
        assert heads <= bound <= fewest, state
        moves = kernel.solve(state).moves
        moves, lower, is_shortest = shortest(improver, state, moves)
        assert brute.replays(state, moves), state
        assert lower <= fewest <= len(moves), state
        assert is_shortest == (lower == len(moves)), state
        assert is_shortest or copies == 2, state
        found = {"winnable": 1, "heads": heads, "bound": bound, "fewest": fewest}
        found["tight"] = bound == fewest
        for key, value in found.items():
            tally[key] += value
    return tally


def line_of(state):
    """A line shortened by one beam; memory is too small for more."""
    moves = make(state.variant).solve(state).moves
    return make(state.variant, Limits(megabytes=4)).optimize(state, moves)


@pytest.mark.quick("1-20", "2-20")
@sizes(20, full=100, slow=20_000)
@pytest.mark.parametrize("copies", [1, 2])
def test_bounds_and_proofs_agree_with_brute_force(copies, deals):
    tally = compare_bounds(deals, copies, copies)
    assert tally["heads"] < tally["bound"] < tally["fewest"] or deals == 20
    assert tally["heads"] <= tally["bound"] <= tally["fewest"]
    assert tally["tight"] > (0.7 if copies == 1 else 0.3) * deals, tally


@sizes(30, full=300)
def test_bounds_hold_where_some_suits_are_there_once(deals):
    tally = compare_bounds(deals, 3, 2, once=True)
    assert tally["tight"] > 0.3 * deals, tally


@pytest.mark.quick("simple-simon")
@pytest.mark.parametrize("variant", ["simon-jester", "simon-jester-triangular", "simple-simon"])
def test_no_rest_of_a_line_undercuts_the_bound(variant):
    state = find_variant(variant).deal(3)
    searches = searching.SimonSearches(Limits(work=9000))
    line = line_of(state)
    assert len(line) > 40
    for done, move in enumerate(line):
        if done % 4 == 0:
            assert max(searches.lower_bounds(state)) <= len(line) - done
        state = simon.apply(state, move)
    assert searches.lower_bounds(state) == (0, 0)


# Deals, and the number of heads of seeds from 1 on.
HEADS = [
    ("simple-simon", (13, "CDHS"), [48, 48, 48, 48, 48, 48, 47]),
    ("simon-jester", (9, "CDH"), [48, 46, 46, 48, 48, 45]),
    ("simon-jester", (5, "CDHS"), [32, 32, 32]),
]  # fmt: skip


@pytest.mark.parametrize(("variant", "deck", "heads"), HEADS)
def test_heads_of_deals(variant, deck, heads):
    for seed, wanted in enumerate(heads, 1):
        assert lower_bounds(find_variant(variant).deal(seed, *deck))[0] == wanted


# Two decks of two suits in eight columns, shuffled by these seeds: the heads, a bound by conflicts that is
# easily found, and the fewest moves, found by an A* that is no part of this.
TWO_SUITS = {1: (48, 51, 57), 4: (45, 47, 49), 5: (48, 52, 56), 6: (45, 50, 57), 8: (46, 51, 55)}


@pytest.mark.quick(2)
@pytest.mark.parametrize(("seed", "bounds"), TWO_SUITS.items())
def test_bounds_do_not_exceed_known_optima_of_two_decks(seed, bounds):
    deck = Deck(13, "CD", 2)
    cards = list(deck.cards())
    random.Random(seed).shuffle(cards)
    state = simon.start("simon-jester", deck, tuple(tuple(cards[column::8]) for column in range(8)))
    heads, least, fewest = bounds
    assert lower_bounds(state)[0] == heads
    assert least <= searching.SimonSearches(Limits(work=60_000)).lower_bounds(state)[1] <= fewest


# Positions of two decks in columns, the heads, the bound by conflicts, and the fewest moves that win them.
BOUNDS = {
    "AS 2C 4S 2S | 3S 3C 3S 4S AC 4C 2S AS | 3C 2C AC | | 4C": (9, 12, 13),
    "2H | AH AD | 2D AH 2H": (3, 4, 5),
    "3H | 3D 2H 2D AH 2D 3H | 3D AD AD 2H | AH": (8, 10, 11),
    "3C AD 3C 3D 2D 4D 3D 2D | AC AD | 2C 4D 4C 4C | 2C AC": (8, 10, 11),
    "3H AS 3H AS | AH AH 2H | 2S 3S 2S 3S | 2H": (7, 8, 10),
    "AC AD 2H 2D | AH 2D AD 2C |": (3, 4, 6),
    "| 4C | 4C 2C 3C 2C AC AC 3C": (4, 6, 7),
    # 2C above both threes is wasteful; so the other one need not be.
    "2C | 3C 3C AC 2C | | AC |": (4, 5, 5),
    # An attached card that moves, and ends on the other copy.
    "2S 4S 3S | 4S AS | 3S 2S AS": (3, 3, 4),
}


@pytest.mark.parametrize("columns", BOUNDS)
def test_bounds_of_positions_by_hand(columns):
    state = laid_out(columns, "simon-jester")
    heads, bound, fewest = BOUNDS[columns]
    assert lower_bounds(state) == (heads, bound)
    assert brute.explore(state)[0] == fewest


def test_any_limit_leaves_the_bound_by_disjoint_conflicts():
    state = find_variant("simon-jester").deal(4)
    heads, least = searching.SimonSearches(Limits(work=1)).lower_bounds(state)
    assert least > heads
    line = line_of(state)
    for limits in (Limits(work=1), Limits(megabytes=0.1)):
        assert shortest(make("simon-jester", limits), state, line)[1] >= least


def test_the_clock_ends_the_bound_by_conflicts():
    searches = searching.SimonSearches(Limits(seconds=0.02))
    heads, bound = searches.lower_bounds(find_variant("simon-jester").deal(4))
    assert bound > heads
    assert searches.limit_met == "seconds"


def test_a_short_line_ends_its_beams():
    """No work is done once a beam has left nothing out."""
    state = laid_out("2S 4S 3S | 4S AS | 3S 2S AS", "simon-jester")
    moves = make("simon-jester").solve(state).moves
    assert len(make("simon-jester").optimize(state, moves)) == 4


@pytest.mark.full
def test_known_optima():
    tested = 0
    for deal, _, state in known_deals("simon.jsonl", game="simple-simon", verdict="winnable"):
        if "shortest" not in deal or deal["shortest"] > 60:
            continue
        moves = line_of(state)
        moves, bound, is_shortest = shortest(make("simple-simon"), state, moves)
        assert (len(moves), bound, is_shortest) == (deal["shortest"], deal["shortest"], True)
        assert brute.replays(state, moves)
        tested += 1
        if tested == 8:
            break
    assert tested == 8


@pytest.mark.full
@pytest.mark.parametrize("variant", ["simon-jester", "simon-jester-triangular"])
def test_two_decks_get_shorter_lines(variant):
    state = find_variant(variant).deal(4)
    kernel = make(variant)
    first = kernel.solve(state).moves
    news, told = [], []

    def note(line, lower):
        told.append((line, lower))
        news.append((len(line), lower))
        if len(news) > 1:
            kernel.stop()

    kernel.prove_optimal(state, first, note)
    moves, bound = told[-1]
    assert brute.replays(state, moves)
    assert len(moves) < len(first)
    assert lower_bounds(state)[0] + 4 < bound <= len(moves)
    assert kernel.limit_met == "interrupted"
    assert len(news) > 2
    assert news[-1] == news[-2] == (len(moves), bound)  # told once more at the end
    assert all(a[0] >= b[0] and a[1] <= b[1] and a != b for a, b in pairwise(news[:-1]))


UNPROVED = 74  # its fewest moves are not known; between 60 and 62


def test_limits_and_errors():
    state = find_variant("simple-simon").deal(UNPROVED)
    line = line_of(state)
    for limits in (Limits(nodes=50), Limits(megabytes=4), Limits(work=50_000), Limits(megabytes=0.1)):
        kernel = make("simple-simon", limits)
        moves, bound, is_shortest = shortest(kernel, state, line)
        assert brute.replays(state, moves)
        assert bound < len(moves) <= len(line)
        assert not is_shortest
        assert limits.nodes is None or kernel.expanded <= limits.nodes
    with pytest.raises(ValueError, match=rf"expected a line that .*wins, got {len(line) - 1} other moves"):
        shortest(make("simple-simon"), state, line[:-1])
    won = simon.State("simple-simon", Deck(), ((),) * 10)
    assert shortest(make("simple-simon"), won, []) == ([], 0, True)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_keeps_the_best_line():
    """Nothing but Ctrl-C ends this search."""
    kernel, state = make("simon-jester"), find_variant("simon-jester").deal(5)
    line, begun = line_of(state), time.process_time()

    def interrupt():
        wait_until(lambda: time.process_time() - begun > 0.2)
        signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    moves, bound, is_shortest = shortest(kernel, state, line)
    thread.join()
    assert (kernel.was_stopped, kernel.limit_met, is_shortest) == (True, "interrupted", False)
    assert brute.replays(state, moves)
    assert bound < len(moves) <= len(line)


@pytest.mark.full
def test_ctrl_c_while_news_are_told_keeps_the_best_line():
    state = find_variant("simon-jester").deal(5)
    kernel, line, news = make("simon-jester"), line_of(state), []

    def listen(*pair):
        news.append(pair)
        raise KeyboardInterrupt

    kernel.prove_optimal(state, line, listen)
    ((moves, bound),) = news
    assert brute.replays(state, moves)
    assert bound < len(moves) <= len(line)
    assert kernel.was_stopped
    assert kernel.limit_met == "interrupted"


# --- Cores and A* -------------------------------------------------------------------------------------------


def bounds_along(state, line):
    """The bound by cores at each position of a line except its last."""
    position = walking.PositionWalker(state)
    for move in line:
        yield lower_bounds(position.state())[1]
        position.do_move(move)


def compare_cores(count, seed, max_states=20000):
    """Compare the bound with the fewest moves at ``count`` positions of shortest lines, and A* with brute
    force at each start; return how far both got."""
    choice = random.Random(seed)
    kernel, searches = make("simple-simon"), searching.SimonSearches(Limits())
    tally = dict.fromkeys(["starts", "positions", "bound", "fewest", "tight"], 0)
    while tally["positions"] < count:
        state = random_position(choice, 1)
        fewest, _ = brute.explore(state, max_states)
        if fewest is None or fewest < 0:
            continue
        first = kernel.solve(state).moves
        proved, line = searches.fewest_by_astar(state, first)
        assert brute.replays(state, line), state
        assert (len(line), proved) == (fewest, fewest), state
        for least, left in zip(bounds_along(state, line), range(fewest, 0, -1), strict=True):
            assert least <= left, (state, left)
            tally["positions"] += 1
            tally["bound"] += least
            tally["fewest"] += left
            tally["tight"] += least == left
        tally["starts"] += 1
    return tally


@sizes(300, full=1000, slow=500_000)
def test_the_bound_and_a_star_agree_with_brute_force(deals):
    tally = compare_cores(deals, 1, 6000)
    assert tally["starts"] > 0.06 * deals
    assert 0.95 * tally["fewest"] < tally["bound"] < tally["fewest"]


# The least values of the bounds by cores and by conflicts for seeds from 1 on.
LEAST = {
    "simple-simon": [61, 58, 57, 56, 58, 58, 58, 55, 56, 55],
    "simon-jester": [100, 99, 99, 100, 100],
    "simon-jester-triangular": [102, 103, 100, 103, 102],
}


@pytest.mark.parametrize(("variant", "least"), LEAST.items())
def test_the_bound_is_no_weaker_than_it_was(variant, least):
    for seed, bound in enumerate(least, 1):
        assert lower_bounds(find_variant(variant).deal(seed))[1] >= bound
