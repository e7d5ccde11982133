"""The kernel of the Simon family: its board against the rules, known deals, limits."""

import random
from dataclasses import replace

import pytest
from tests.deals import known_deals, wander
from tests.native import load
from tests.solver.kernels import make

from winnable.rules import Deck, find_variant, simon
from winnable.rules.cards import parse_card
from winnable.rules.deals import shuffled
from winnable.solver import Limits, Verdict, reference, solve
from winnable.solver.core.contract import SearchResult
from winnable.solver.engine import optimize
from winnable.solver.result import Goal

brute = load("simon_brute")
searching = load("simon_searches")
walking = load("simon_walker")

GAMES = ["simon-jester", "simon-jester-triangular", "simple-simon"]

# Deals won by classes but not by the rules: a run leaves although the plan needs it to stay.
FORCED = [
    (2, "CDH", "AH / 2C 2H / AH AD AC 2H 2D"),
    (3, "CDH", "3H 2H AH AD 2D / 2C 2D 2C 3D 3H / 3C 3C AD 2H / AH AC 3D AC"),
    (3, "CDH", "3C AC 2D 2C AD AC 3C 3D / - / 2C 2H 3D 3H AH / 2D AD"),
]


def position(ranks, suits, text, copies=2):
    columns = (column.replace("-", "").split() for column in text.split("/"))
    cells = tuple(tuple(parse_card(name) for name in column) for column in columns)
    return simon.start("simon-jester" if copies == 2 else "simple-simon", Deck(ranks, suits, copies), cells)


# --- The board ----------------------------------------------------------------------------------------------


@pytest.mark.quick("13-CDHS-simple-simon", "2-CDHS-simple-simon", "3-CD-simple-simon")
@pytest.mark.parametrize("variant", GAMES)
@pytest.mark.parametrize(("ranks", "suits"), [(13, "CDHS"), (3, "CD"), (2, "CDHS"), (13, "S")])
def test_positions_follow_the_rules(variant, ranks, suits):
    choice = random.Random(7)
    for seed in range(12):
        state = find_variant(variant).deal(seed, ranks, suits)
        walker = walking.PositionWalker(state)
        path = []
        for _ in range(40):
            assert walker.state() == state
            moves = simon.legal_moves(state)
            assert set(walker.legal_moves()) == set(moves)
            if not moves:
                break
            move = choice.choice(moves)
            path.append((state, walker.key()))
            walker.do_move(move)
            state = simon.apply(state, move)
        while path:
            walker.undo_move()
            before, key = path.pop()
            assert walker.state() == before
            assert walker.key() == key


def test_keys_tell_positions_apart_up_to_the_order_of_columns():
    keys = {}
    for seed in range(300):
        deal = find_variant("simon-jester").deal(seed % 50, 4, "CD", [3, 3, 3, 3, 2, 2])
        state = wander(deal, 1 + seed % 9, seed)
        key = walking.PositionWalker(state).key()
        assert keys.setdefault(key, simon.canonical(state)) == simon.canonical(state)
        turned = simon.State(state.variant, state.deck, state.columns[1:] + state.columns[:1])
        assert walking.PositionWalker(turned).key() == key
    assert len(set(keys.values())) == len(keys) > 50


def test_lateral_moves_stay_in_the_class_and_others_leave_it():
    state = position(13, "CDHS", "7S 6H / 7D / 9C 4C / 2H")
    walker = walking.PositionWalker(state)
    before = walker.class_key()
    walker.do_move(simon.Move(0, 1, 1))
    assert walker.class_key() == before
    walker.undo_move()
    assert walker.class_key() == before


@pytest.mark.parametrize("text", ["2C AC 2S / AS / -", "2C AC 2S AS / 2D AD / 2D", "2S AS 2C / AC / -"])
def test_no_key_is_foreseen_where_a_run_that_was_covered_leaves(text):
    ranks, suits = 2, "".join(suit for suit in "CDS" if suit in text)
    state = position(ranks, suits, text, copies=1 + (text.count("2D") > 1))
    walker = walking.PositionWalker(state)
    for move in simon.legal_moves(state):
        foreseen = walker.do_move(move)  # also compares the predicted key with that of the position
        left = sum(map(len, simon.apply(state, move).columns)) < sum(map(len, state.columns))
        assert not (foreseen and left), move
        walker.undo_move()


# --- Whole searches -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ranks", "suits", "text"), FORCED)
def test_a_win_of_the_classes_is_no_verdict(ranks, suits, text):
    state = position(ranks, suits, text)
    searches = searching.SimonSearches(Limits())
    assert searches.solve(state, "classes").won is True
    assert searches.solve(state, "positions").won is False
    assert searches.solve(state) == SearchResult(False)
    assert make(state.variant).solve(state) == SearchResult(False)
    assert brute.explore(state)[0] == -1


def test_oracle_agrees_with_the_reference():
    found = []
    for seed in range(60):
        state = find_variant("simon-jester").deal(seed, 3, "CD", [4, 4, 4])
        fewest = reference.solve(find_variant("simon-jester"), state, Limits(), Goal.SHORTEST)
        moves, _ = brute.explore(state)
        assert moves == (-1 if fewest.moves is None else len(fewest.moves))
        assert (brute.explore(state, shortest=False)[0] >= 0) == (moves >= 0)
        found.append(moves)
    assert 10 < found.count(-1) < 50


@pytest.mark.parametrize("variant", GAMES)
def test_the_oracle_lays_out_deals_by_itself(variant):
    game, kernel, won = find_variant(variant), make(variant), 0
    for seed in range(1, 6):
        state = game.deal(seed)
        line = kernel.solve(state).moves
        if line is None:
            continue
        won += 1
        cards = shuffled(game.deck(), seed)
        assert brute.replays(state, line)
        assert brute.replays_deal(game, cards, line)
        assert not brute.replays_deal(game, cards, line[:-1])
        assert not brute.replays_deal(game, shuffled(game.deck(), seed + 1), line)
    assert won > 1


# --- Limits -------------------------------------------------------------------------------------------------


def hard_state():
    """A deal that keeps a search busy for longer than the test."""
    return find_variant("simon-jester").deal(2815)


@pytest.mark.parametrize("method", searching.METHODS[1:])
def test_memory_ends_each_search(method):
    searches = searching.SimonSearches(Limits(megabytes=3))
    assert searches.solve(hard_state(), method) in [SearchResult(False), SearchResult(reason="memory")]


def test_a_deal_of_few_classes_is_soon_proved_lost():
    kernel = make("simon-jester")
    assert kernel.solve(find_variant("simon-jester").deal(13970)) == SearchResult(False)
    assert kernel.expanded < 600_000  # 1,321,595 if finished searches are repeated


@pytest.mark.full
def test_memory_ends_the_portfolio_where_narrow_searches_come_to_their_end():
    state = find_variant("simon-jester").deal(9775)
    assert make("simon-jester", Limits(megabytes=30)).solve(state) == SearchResult(reason="memory")


@pytest.mark.parametrize("method", searching.METHODS)
def test_nodes_the_clock_and_a_stop_end_each_search(method):
    searches = searching.SimonSearches(Limits(nodes=3000))
    assert searches.solve(hard_state(), method) == SearchResult(reason="nodes")
    assert searches.expanded == 3000
    searches = searching.SimonSearches(Limits(seconds=1e-4))
    assert searches.solve(hard_state(), method) == SearchResult(reason="seconds")
    searches = searching.SimonSearches(Limits())
    searches.stop()
    assert searches.solve(hard_state(), method) == SearchResult(reason="interrupted")


# --- Short lines --------------------------------------------------------------------------------------------


# With this little memory shortening ends after its first beam.
NARROW = Limits(megabytes=4)
ENOUGH = 10**12


@pytest.mark.parametrize("variant", GAMES)
def test_lines_become_shorter(variant):
    state = find_variant(variant).deal(3)
    long = solve(variant, state, shorten=0)
    short = optimize(find_variant(variant), state, long, ENOUGH, NARROW)
    assert long.verdict is short.verdict is Verdict.WINNABLE
    assert len(short.moves) < len(long.moves)
    most = 75 if variant == "simple-simon" else 160
    if len(short.moves) >= most:
        short = optimize(find_variant(variant), state, short, 1_000_000, Limits())
    assert len(short.moves) < most
    assert brute.replays(state, short.moves)


@pytest.mark.full
def test_short_lines_are_not_shorter_than_the_optimum():
    known = [(deal, state) for deal, _, state in known_deals("simon.jsonl") if "shortest" in deal]
    excess = []
    for deal, state in known[:25]:
        result = solve(deal["game"], state, shorten=0)
        moves = optimize(find_variant(deal["game"]), state, result, ENOUGH, NARROW).moves
        assert brute.replays(state, moves)
        excess.append(len(moves) - deal["shortest"])
    assert len(excess) == 25
    assert min(excess) == 0
    assert sum(excess) < 3 * len(excess)


@pytest.mark.parametrize("columns", [((0,) * 3,), ((60,),), ((-1,),), ((),) * 15, ((20, 3) * 53,)])
def test_states_that_cannot_be_are_refused(columns):
    state = replace(find_variant("simon-jester").deal(1), columns=columns)
    with pytest.raises(ValueError, match=r"expected .*, (got|as in play)"):
        make("simon-jester").solve(state)
    with pytest.raises(ValueError, match="no state of simon-jester"):
        solve("simon-jester", state)
