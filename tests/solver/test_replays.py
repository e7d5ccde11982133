"""Replays refuse what the rules refuse: every illegal move that can be written, and lines that do not win."""

import functools
import itertools
import random
from dataclasses import replace

import pytest
from tests.deals import laid_out, states_of_play
from tests.native import load
from tests.positions import every_choice
from tests.solver.kernels import make

from winnable.rules import chessboard, find_variant, joker, simon
from winnable.rules.deals import shuffled
from winnable.solver import Limits, reference, solve, verify
from winnable.solver.engine import decide, find_kernel, prove_optimal

chessboard_oracle, simon_oracle = load("chessboard_brute"), load("simon_brute")
joker_oracle, joker_position = load("joker_brute"), load("joker_position")


def states_on_the_way(start, seed, length, eager):
    """The states of a random line of play; most of its moves are among those that ``eager`` accepts."""
    chance = random.Random(seed)
    return states_of_play(
        start, length, seed, lambda moves: chance.random() < 0.7 and [*filter(eager, moves)]
    )


def up(move):
    return move.target == chessboard.FOUNDATION


def check_that_refusals_agree(oracle, states, moves):
    """Check that oracle and rules refuse the same moves; ``moves(state)`` has all moves that may be legal,
    and others."""
    accepted = 0
    for state in states:
        family = find_variant(state.variant).family
        for move in moves(state):
            is_legal = family.refusal(state, move) is None
            assert oracle.accepts(state, move) == is_legal, (state, move)
            accepted += is_legal
    assert accepted > 500


@pytest.mark.parametrize("variant", ["chessboard", "fortress"])
def test_the_oracle_of_chessboard_refuses_what_the_rules_refuse(variant):
    decks = [(13, "CDHS"), (4, "CD"), (3, "CDHS"), (1, "CD"), (2, "CDH")] * 3
    starts = (find_variant(variant).deal(seed, *deck) for seed, deck in enumerate(decks))
    lines = (states_on_the_way(start, seed, 20, up) for seed, start in enumerate(starts))

    def moves(state):
        places = range(-3, len(state.columns) + 2)
        for source, target in itertools.product(places, places):
            if source >= 0 or target >= 0 or source == -1:
                yield chessboard.Move(source, target)

    check_that_refusals_agree(chessboard_oracle, itertools.chain.from_iterable(lines), moves)


@pytest.mark.quick("simple-simon")
@pytest.mark.parametrize("variant", ["simon-jester", "simple-simon"])
def test_the_oracle_of_simon_refuses_what_the_rules_refuse(variant):
    decks = enumerate([(13, "CDHS"), (4, "CD"), (3, "CDHS"), (2, "CD")])
    lines = (states_of_play(find_variant(variant).deal(seed, *deck), 8, seed) for seed, deck in decks)

    def moves(state):
        places = range(-9, len(state.columns) + 2)
        return itertools.starmap(simon.Move, itertools.product(places, places, range(-1, 5)))

    check_that_refusals_agree(simon_oracle, itertools.chain.from_iterable(lines), moves)


def is_replayed(oracle, state, move):
    try:
        oracle.replay(state, [move])
    except ValueError:
        return False
    return True


@pytest.mark.full
@every_choice
def test_the_oracles_of_joker_refuse_what_the_rules_refuse(choices):
    """Moves that name a suit or rank are tested in a third of the states."""
    accepted, numbers = 0, itertools.count()
    decks = [(2, "CDHS", (1, 2)), (3, "CH", (2, 1)), (3, "CDH", (2, 2, 1)), (4, "DH", (3, 2))]
    for seed, deck in enumerate(decks):
        start = find_variant("joker").deal(seed, *deck, choices=choices)
        for state in states_on_the_way(start, seed, 12, lambda move: move.target != joker.OUT):
            highest, first = state.deck.ranks - 1, next(numbers)
            named = [*((suit, None) for suit in (0, 1, 2, 3, 4, 32)), *((None, rank) for rank in (-2, 0, 1))]
            named += [(None, highest), (None, highest + 1), *itertools.product((0, 3), (0, highest))]
            places = itertools.product(range(joker.IN_PLACE, 4), range(joker.IN_PLACE, 4), range(4))
            for number, place in enumerate(places, first):
                for suit, rank in [(None, None), *named[number % 3 :: 3]]:
                    move = joker.Move(*place, suit, rank)
                    is_legal = joker.refusal(state, move) is None
                    for oracle in (joker_oracle, joker_position):
                        assert is_replayed(oracle, state, move) == is_legal, (state, move)
                    accepted += is_legal
    assert accepted > 100


@pytest.mark.quick("position-joker")
@pytest.mark.parametrize("variant", ["joker", "klondike-one-pass"])
@pytest.mark.parametrize("oracle", [joker_oracle, joker_position], ids=["oracle", "position"])
def test_no_column_is_beyond_the_last_one(oracle, variant):
    """Memory behind the last column holds none of its cards."""
    refused = 0
    for seed in range(4):
        for state in states_of_play(find_variant(variant).deal(seed), 40, seed):
            beyond = range(len(state.columns), len(state.columns) + 9)
            targets = [*range(len(state.columns)), joker.FOUNDATION]
            for source, target, count in itertools.product(beyond, targets, (1, 2)):
                assert not is_replayed(oracle, state, joker.Move(source, target, count)), state
                refused += 1
            for source, target in itertools.product([*range(len(state.columns)), joker.WASTE], beyond):
                assert not is_replayed(oracle, state, joker.Move(source, target)), state
                refused += 1
    assert refused > 10000


def damaged_lines(family, state, line):
    """``line`` without its last move, with an idle move, without some of its moves, and with two moves
    swapped."""
    yield line[:-1]
    for number in range(0, len(line) - 1, 7):
        for other in (
            [*line[:number], replace(line[number], target=line[number].source), *line[number:]],
            line[:number] + line[number + 1 :],
            [*line[:number], line[number + 1], line[number], *line[number + 2 :]],
        ):
            if not wins(family, state, other):
                yield other


def wins(family, state, line):
    return is_legal(family, state, line) and family.is_won(functools.reduce(family.apply, line, state))


def is_legal(family, state, line):
    for move in line:
        if family.refusal(state, move) is not None:
            return False
        state = family.apply(state, move)
    return True


@pytest.mark.quick(3)
@pytest.mark.parametrize("variant", ["chessboard", "fortress", "simple-simon", "simon-jester"])
def test_batches_refuse_lines_that_do_not_win(variant):
    family, game = find_variant(variant).family, find_variant(variant)
    kernel, oracle = make(variant), simon_oracle if family is simon else chessboard_oracle
    refused = 0
    for seed in range(3, 30 if variant == "fortress" else 9):
        state = game.deal(seed)
        answer = kernel.solve(state)
        if not answer.won:
            continue
        line, cards = answer.moves, shuffled(game.deck(), seed)
        assert oracle.replays(state, line)
        assert oracle.replays_deal(game, cards, line)
        for other in damaged_lines(family, state, line):
            assert not oracle.replays(state, other)
            assert not oracle.replays_deal(game, cards, other)
            if family is not simon and is_legal(family, state, other):  # a line to fewer cards up
                continue
            with pytest.raises(ValueError, match="expected a line that is legal"):
                kernel.prove_optimal(state, other, print)
            refused += 1
    assert refused > 20


def test_no_line_is_shortened_that_breaks_a_rule():
    """Each of these lines wins if one rule of a legal move is ignored."""
    kernel, state = make("simple-simon"), laid_out("2S AC | 2C AS |")
    move, line = simon.Move, [simon.Move(0, 2, 1), simon.Move(1, 0, 1), simon.Move(2, 1, 1)]
    told = []
    kernel.prove_optimal(state, line, lambda moves, lower_bound: told.append((len(moves), lower_bound)))
    assert told[-1] == (3, 3)
    for wrong in (
        [move(0, 2, 0), *line],
        [move(0, 2, 2), move(1, 0, 1), move(2, 1, 1), move(0, 2, 1)],
        [move(0, 1, 1), move(1, 2, 1), move(1, 0, 1), move(2, 1, 1)],
        [*line[:2], move(1, 3, 1), move(2, 3, 1)],
        line[:-1],
    ):
        with pytest.raises(ValueError, match="expected a line that is legal and wins"):
            kernel.prove_optimal(state, wrong, print)


# --- Lines of play -----------------------------------------------------------------------------


def fortress_deal():
    game = find_variant("fortress")
    return game, next(state for state in map(game.deal, range(50)) if solve(game, state).moves)


def kernel_like(honest, **lies):
    """A kernel that behaves like ``honest`` except for the methods and fields in ``lies``."""

    class Liar:
        OPTIMIZES = honest.OPTIMIZES

        def __init__(self, limits):
            self.honest = honest(limits)

        def __getattr__(self, name):
            lie = lies.get(name)
            if lie is None:
                return getattr(self.honest, name)
            return functools.partial(lie, self.honest) if callable(lie) else lie

        prove_optimal = property(
            lambda self: functools.partial(lies.get("prove_optimal") or honest.prove_optimal, self.honest)
        )

    return Liar


def test_a_line_that_stops_short_is_never_returned(monkeypatch):
    game, state = fortress_deal()

    def solve_in_part(honest, state):
        answer = honest.solve(state)
        return answer._replace(moves=answer.moves[:-1])

    def solve_wrongly(honest, state):
        return honest.solve(state)._replace(moves=[chessboard.Move(0, 0)])

    liar = kernel_like(find_kernel(game), solve=solve_wrongly)
    with pytest.raises(RuntimeError, match=r"the line found .* see 'Debugging a kernel' in CONTRIBUTING\.md"):
        decide(game, state, liar(Limits()))
    liar = kernel_like(find_kernel(game), solve=solve_in_part)
    monkeypatch.setattr("winnable.solver.engine.find_kernel", lambda variant, choices=None: liar)
    for name_cards in (True, False):
        with pytest.raises(RuntimeError, match="expected a line that wins, got one that does not"):
            decide(game, state, liar(Limits()), name_cards=name_cards)
        honest = make(game.name)
        assert game.family.is_won(
            verify.replay(game, state, decide(game, state, honest, name_cards=name_cards).moves)
        )
    with pytest.raises(RuntimeError, match="expected a line that wins, got one that does not"):
        solve(game, state)


def test_the_reference_engine_is_not_believed_either(monkeypatch):
    game = find_variant("fortress")
    state = next(s for s in (game.deal(n, 2, "CD", (2, 2)) for n in range(50)) if solve(game, s).moves)
    honest = reference.solve

    def solve_in_part(*arguments):
        result = honest(*arguments)
        return replace(result, moves=result.moves[:-1])

    monkeypatch.setattr(reference, "solve", solve_in_part)
    with pytest.raises(RuntimeError, match="expected a line that wins, got one that does not"):
        solve(game, state, engine="reference")


def test_a_shortened_line_is_replayed(monkeypatch):
    game = find_variant("simple-simon")
    liar = kernel_like(find_kernel(game), optimize=lambda honest, state, moves: moves[:-1])
    monkeypatch.setattr("winnable.solver.engine.find_kernel", lambda variant, choices=None: liar)
    with pytest.raises(RuntimeError, match="expected a line that wins, got one that does not"):
        solve(game, game.deal(3), shorten=10_000)


def test_a_score_is_what_the_line_reaches(monkeypatch):
    game = find_variant("joker")
    state = game.deal(845)  # 20 places of 52 at most
    limits = Limits(nodes=2000)
    honest = solve(game, state, limits)
    assert honest.tier in ("win", "double")
    assert game.scoring.tier_of(honest.score + 1, 52) == honest.tier

    def solve_for_more(kernel, state):
        return kernel.solve(state)._replace(score=honest.score + 1)

    liar = kernel_like(find_kernel(game), solve=solve_for_more)
    with pytest.raises(RuntimeError, match=f"a score of {honest.score + 1}, got one to {honest.score};"):
        decide(game, state, liar(limits))


@pytest.mark.parametrize(("nodes", "won"), [(2000, False), (2000, None), (0, True)])
def test_a_verdict_is_that_of_the_score(nodes, won):
    def solve_otherwise(kernel, state):
        return kernel.solve(state)._replace(won=won)

    game, limits = find_variant("joker"), Limits(nodes=nodes)
    assert (solve(game, game.deal(845), limits).tier == "none") == bool(won)
    liar = kernel_like(find_kernel(game), solve=solve_otherwise)
    with pytest.raises(RuntimeError, match=r"verdict \w+: expected (winn|unwinn)able.* by its line"):
        decide(game, game.deal(845), liar(limits))


def test_a_shorter_line_reaches_the_tier_or_is_refused():
    game = find_variant("joker")
    state = game.deal(845)  # 20 places of 52 at most
    limits = Limits(nodes=2000)
    solved = solve(game, state, limits)
    moves = list(solved.moves)
    scores = [game.score(verify.replay(game, state, moves[:n])) for n in range(len(moves) + 1)]
    least = next(n for n, score in enumerate(scores) if game.scoring.tier_of(score, 52) == solved.tier)
    assert scores[least] < solved.score
    for length in (least - 1, least):
        kernel = kernel_like(
            find_kernel(game),
            prove_optimal=lambda honest, state, moves, tell, n=length: tell(moves[:n], 0),
        )(limits)
        if length == least:
            assert len(prove_optimal(game, state, solved, kernel).moves) == least
        else:
            with pytest.raises(RuntimeError, match=f"got one to {scores[length]};"):
                prove_optimal(game, state, solved, kernel)
