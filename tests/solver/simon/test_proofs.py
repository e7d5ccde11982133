"""The proofs of the Simon kernel on short decks: verdicts against brute force, steps against classes."""

import random
from itertools import combinations

import pytest
from tests.deals import known_deals, laid_out, random_simon_position, sizes
from tests.native import load
from tests.solver.kernels import make

from winnable.rules import Deck, find_variant, simon
from winnable.solver import Limits

brute = load("simon_brute")
check = load("simon_checker")
searching = load("simon_searches")

GAMES = ["simple-simon", "simon-jester", "simon-jester-triangular"]


def random_deck(choice, most):
    while True:
        deck = Deck(
            choice.randint(2, 6),
            "".join(sorted(choice.sample("CDHS", choice.randint(1, 4)))),
            choice.randint(1, 2),
        )
        if len(deck.cards()) <= most:
            return deck


def random_position(choice, most=30):
    """A short deck of one or two decks with at most ``most`` cards, or a position of its play."""
    return random_simon_position(choice, random_deck(choice, most), (2, 6), [0, 0, 0, 1, 2], [0, 0, 0, 3, 8])


def compare_verdicts(count, seed, max_states=20000):
    """Compare all searches with brute force on ``count`` positions; return how often each could be
    compared."""
    choice = random.Random(seed)
    kernels = {game: make(game) for game in GAMES}
    limited = searching.SimonSearches(Limits(nodes=20000))
    methods = ("classes", "loose cards", "carriers")
    tally = dict.fromkeys(["decided", "unwinnable", *(f"proved by {name}" for name in methods), "gap"], 0)
    for _ in range(count):
        state = random_position(choice)
        fewest, _ = brute.explore(state, max_states, shortest=False)
        if fewest is None:
            continue
        winnable = fewest >= 0
        answer = kernels[state.variant].solve(state)
        assert answer.won is winnable, state
        assert not answer.won or brute.replays(state, answer.moves), state
        won = {name: limited.solve(state, name).won for name in methods}
        assert limited.solve(state, "positions").won in (winnable, None), state
        assert not (winnable and False in won.values()), state
        tally["decided"] += 1
        tally["unwinnable"] += not winnable
        for name in methods:
            tally[f"proved by {name}"] += won[name] is False
        tally["gap"] += won["classes"] is True and not winnable
    return tally


def compare_in_the_middle(count, seed, most=30, max_states=20000):
    """Compare proofs that begin at the class reached by random moves, with links committed, with brute force.
    Returns the numbers of positions compared, unwinnable, proved with loose cards, proved with carriers, and
    proved only with carriers."""
    choice = random.Random(seed)
    searches = searching.SimonSearches(Limits(nodes=20000))
    decided = unwinnable = proved = carried = beyond = 0
    for _ in range(count):
        start = state = random_position(choice, most)
        moves = []
        for _ in range(choice.randint(1, 12)):
            legal = simon.legal_moves(state)
            if not legal:
                break
            moves.append(choice.choice(legal))
            state = simon.apply(state, moves[-1])
        fewest, _ = brute.explore(state, max_states, shortest=False)
        if fewest is None:
            continue
        loses, once_more, with_carriers = searches.loses_after(start, moves)
        assert not ((loses or with_carriers) and fewest >= 0), (start, moves)
        assert once_more == loses, (start, moves)
        decided += 1
        unwinnable += fewest < 0
        proved += loses
        carried += with_carriers
        beyond += with_carriers and not loses
    return decided, unwinnable, proved, carried, beyond


def compare_searches(game, seeds, nodes):
    """Compare searches of full decks, each within ``nodes``, with one another. Returns how often two of them
    both ended, by their names. Only lines of the portfolio and of the search over positions count as wins,
    since a win of another search need not be playable. A commitment has up to a hundred thousand successors,
    so little memory ends that search soon."""
    variant = find_variant(game)
    searches = searching.SimonSearches(Limits(nodes, megabytes=20))
    kernel = make(game, Limits(10 * nodes))
    both = dict.fromkeys(combinations(searching.METHODS, 2), 0)
    for seed in seeds:
        state = variant.deal(seed)
        won = {name: searches.solve(state, name).won for name in searching.METHODS[1:]}
        won["portfolio"] = kernel.solve(state).won
        for pair in both:
            both[pair] += won[pair[0]] is not None and won[pair[1]] is not None
        proved = [name for name in ("classes", "loose cards", "carriers") if won[name] is False]
        assert not (proved and True in (won["portfolio"], won["positions"])), (game, seed, won)
        assert won["classes"] is not True or "loose cards" not in proved, (game, seed, won)
        if variant.copies == 1:
            assert won["carriers"] is not True or "loose cards" not in proved, (game, seed, won)
    return both


def check_steps(count, seed):
    choice = random.Random(seed)
    checker = check.StepChecker()
    for i in range(count):
        checker.walk(random_position(choice), 30, i)
    return checker


@sizes(200, full=1500, slow=530_000)
def test_verdicts_agree_with_brute_force(deals):
    tally = compare_verdicts(deals, 1)
    assert tally["decided"] > 0.95 * deals
    assert tally["unwinnable"] > 0.25 * deals
    assert tally["proved by loose cards"] > 0.99 * tally["unwinnable"]


@sizes(full=1000, slow=530_000)
def test_proofs_with_loose_cards_may_begin_in_the_middle(deals):
    decided, unwinnable, proved, carried, beyond = compare_in_the_middle(deals, 3)
    assert decided > 0.95 * deals
    assert proved > 0.99 * unwinnable > 0.2 * deals
    assert carried >= proved
    assert beyond > 0


def test_what_is_dead_in_one_layout_is_not_in_the_next():
    decided, unwinnable, *_ = compare_in_the_middle(400, 3, most=8)  # these often have the same states
    assert decided > unwinnable > 25


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("seed", "nodes"),
    [(464, 613), (58218, 714), (18951, 13_774), (52077, 15_702), (65326, 49_455), (89896, 7094)],
)
def test_carriers_prove_what_loose_cards_leave_open(seed, nodes):
    """With this number of states; more are needed where less is known about what may lie where."""
    state = find_variant("simple-simon").deal(seed)
    searches = searching.SimonSearches(Limits(nodes=1_000_000))
    assert searches.solve(state, "carriers").won is False
    assert searches.expanded == nodes
    assert searches.solve(state, "loose cards").won is True
    assert make("simple-simon", Limits(nodes=1_000_000)).solve(state).won is False


@pytest.mark.quick(2)
@pytest.mark.parametrize(("seed", "nodes"), [(26680, 62_092), (19094, 2323), (87624, 757), (92143, 2751)])
def test_carriers_prove_what_is_hard_for_loose_cards_with_two_decks(seed, nodes):
    state = find_variant("simon-jester").deal(seed)
    searches = searching.SimonSearches(Limits(nodes=100_000))
    assert searches.solve(state, "carriers").won is False
    assert searches.expanded == nodes
    searches = searching.SimonSearches(Limits(nodes=100_000))
    assert searches.solve(state, "loose cards").won is not False


def test_a_card_that_can_move_may_lie_on_any_other():
    state = laid_out("AD 2C | 2D AC")
    assert make(state.variant).solve(state).won is True
    assert searching.SimonSearches(Limits()).solve(state, "carriers").won is True


@pytest.mark.quick(1)
@sizes(8, full=40, slow=34_000)
@pytest.mark.parametrize("game", GAMES)
def test_searches_agree_on_full_decks(game, deals):
    both = compare_searches(game, range(1, deals + 1), 2000)
    assert both["loose cards", "carriers"] > 0.29 * deals - 2


@sizes(full=1000, slow=126_000)
def test_steps_are_followed_by_classes_and_relaxations(deals):
    checker = check_steps(deals, 2)
    assert (checker.unmapped, checker.lost, checker.capped) == (0, 0, 0)
    assert checker.moves > 80 * deals
    assert checker.removals > 2 * deals
    assert checker.steps > 12 * deals


def test_a_rank_that_opens_again_after_a_freeze_is_cut_again():
    """Here a commitment completes a run; when the run leaves, a card of the committed rank is uncovered."""
    checker = check.StepChecker()
    state = laid_out("3H 2S 3S | AS AH 3H 2H | 2H 3S 2S AS AH", "simon-jester")
    for seed in range(50):
        checker.walk(state, 30, seed)
    assert (checker.unmapped, checker.lost, checker.capped) == (0, 0, 0)
    assert checker.moves > 500


def follow_known_lines(deals):
    """Follow lines of full decks; a commitment with too many successors leaves some moves undecided."""
    checker = check.StepChecker(300)
    kernels = {game: make(game, Limits(nodes=1_000_000)) for game in GAMES}
    for deal, _, state in deals:
        if "ranks" in deal or deal["verdict"] != "winnable":
            continue
        answer = kernels[state.variant].solve(state)
        assert answer.won
        checker.follow(state, answer.moves)
        assert (checker.unmapped, checker.lost) == (0, 0), deal
    return checker


def test_winning_lines_are_followed():
    checker = follow_known_lines(list(known_deals("simon.jsonl"))[::6])
    assert checker.moves > 1000
    assert checker.capped < 0.02 * checker.moves
