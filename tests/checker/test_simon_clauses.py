"""Certificates of moves by clauses: made, accepted, compared with lines of play and with brute force,
attacked, and given to another LRAT checker."""

import gzip
import os
import random
import shutil
import subprocess
from collections import Counter

import pytest
from tests.checker import attacks
from tests.checker.certificates import made, refusal
from tests.checker.simon import dealt
from tests.checker.simon_clauses import by_clauses, proof_of, spoilt, winnable_decks
from tests.checker.simon_lines import Told

from winnable.checker import clauses, dimacs
from winnable.checker.simon_clauses import Wasted
from winnable.checker.simon_order import Order
from winnable.checker.simon_places import Places
from winnable.checker.simon_room import Room
from winnable.checker.simon_singles import singles
from winnable.rules import Deck, find_variant, simon
from winnable.rules.cards import format_card, parse_card, rank_of
from winnable.solver import Limits, Result, Verdict, find_shortest
from winnable.solver.certificates import NoCertificate, certify

oracle = pytest.importorskip("winnable.solver.simon.oracle", reason="the compiled engine is not installed")
kernel = pytest.importorskip("winnable.solver.simon.kernel", reason="the compiled engine is not installed")
SEED = int(os.environ.get("WINNABLE_TEST_SEED", "0")) or random.randrange(10**6)
LRAT_CHECK = shutil.which("lrat-check")
LEMMAS = ("order of columns", "wasted moves", "room", "order of moves")


@pytest.mark.parametrize(("name", "seed"), [("simple-simon", 4), ("simple-simon", 2), ("simon-jester", 1)])
def test_lower_bounds_are_accepted(tmp_path, name, seed):
    variant = find_variant(name)
    text = made(
        variant,
        variant.deal(seed),
        Result(Verdict.WINNABLE, None, lower_bound=100),
        seed=seed,
        shortest=True,
        clauses=True,
    )
    assert refusal(tmp_path, text) is None
    assert text.header["lemmas"] == list(LEMMAS)
    assert text.header["claim"] == "at least"
    text.header["value"] += 1
    assert "moves are proved to be needed" in refusal(tmp_path, text)


def test_fewest_moves_are_accepted_with_their_line(tmp_path):
    for _, state, moves in winnable_decks(SEED, 200, copies=1):
        result = find_shortest(find_variant(state.variant), state)
        text = made(find_variant(state.variant), state, result, shortest=True, clauses=True)
        assert refusal(tmp_path, text) is None
        if text.header["claim"] == "fewest moves":
            assert text.header["value"] == moves == len(text.header["line"])
            break
    else:
        pytest.fail("no bound meets a line")


def test_what_is_not_counted_by_clauses():
    simple, fortress = find_variant("simple-simon"), find_variant("fortress")
    won = Result(Verdict.WINNABLE, None, lower_bound=100)
    with pytest.raises(NoCertificate, match="there are no clauses"):
        certify(fortress, fortress.deal(8), won, shortest=True, clauses=True)
    with pytest.raises(NoCertificate, match="there are no clauses"):
        certify(simple, simple.deal(45), Result(Verdict.UNWINNABLE, None), clauses=True)
    with pytest.raises(NoCertificate, match="limit on memory"):
        certify(simple, simple.deal(1), won, Limits(megabytes=1), shortest=True, clauses=True)


def laid_out(columns, game="simple-simon"):
    """The state of columns such as ``2C AC | AD 3C``."""
    cards = tuple(tuple(map(parse_card, column.split())) for column in columns.split("|"))
    held = [card for column in cards for card in column]
    suits = "".join(suit for suit in "CDHS" if any(format_card(card)[1] == suit for card in held))
    return simon.State(game, Deck(max(map(rank_of, held)) + 1, suits, find_variant(game).copies), cards)


# --- Lines of play ----------------------------------------------------------------------------------------


def truth_of(told, proof):
    """What a name says of a line, sums of costs too."""

    def holds(name):
        if name[0] != "sum":
            return told.holds(name)
        _, core, first, count, least = name
        costs = proof.truths_in_order(proof.cores[core - 1])[first : first + count]
        return sum(holds(cost) for cost, _ in costs) >= least

    return holds


def lines_of(state, choice, count):
    """Lines that win, most of them with moves that are not needed."""
    for number in range(count):
        now, moves = state, []
        for _ in range(choice.randint(0, 9) if number else 0):
            legal = simon.legal_moves(now)
            if legal and not simon.is_won(now):
                moves.append(choice.choice(legal))
                now = simon.apply(now, moves[-1])
        found = kernel.SimonKernel(Limits()).solve(now)
        if found.moves is not None:
            yield [*moves, *found.moves]


def compare_with_lines(first, decks):
    """All clauses hold for all lines, as do clauses with a little changed that the conditions let pass."""
    counts = Counter()
    for number, state, _ in winnable_decks(first, decks):
        choice = random.Random(number)
        proof = proof_of(by_clauses(state))
        lines = [Told(state, moves) for moves in lines_of(state, choice, 6)]
        truths = [truth_of(told, proof) for told in lines]
        every = [proof.truths_in_order(clause + 1) for clause in range(len(proof.clauses))]
        for clause in every:
            for holds in truths:
                assert any(holds(name) == is_so for name, is_so in clause), (number, clause)
                counts["clauses"] += 1
        conditions = Wasted(Places(state), LEMMAS)
        for condition, clause in zip(proof.conditions, every, strict=False):
            if condition == "tally":
                continue
            for other in changed(choice, clause, every):
                if conditions.condition(choice.choice(["order", "room", condition]))(frozenset(other)):
                    counts["let pass"] += 1
                    for holds in truths:
                        assert any(holds(name) == is_so for name, is_so in other), (number, other)
        for told, holds in zip(lines, truths, strict=True):
            cores = [proof.truths_in_order(core) for core in proof.cores]
            assert all(any(holds(name) for name, _ in core) for core in cores)
            assert len(told.costs()) >= len(cores), number
            counts["lines"] += 1
    return counts


def changed(choice, clause, every):
    """Clauses that say less, or something else in one place."""
    for _ in range(3):
        other = list(clause)
        at = choice.randrange(len(other))
        kind = choice.randrange(4)
        if kind == 0:
            del other[at]
        elif kind == 1:
            other[at] = (other[at][0], not other[at][1])
        elif kind == 2:
            other[at] = choice.choice(choice.choice(every) or [other[at]])
        else:
            name = tuple(
                word + choice.choice([-1, 1]) if isinstance(word, int) else word for word in other[at][0]
            )
            other[at] = (name, other[at][1])
        if other and all(word >= 0 for name, _ in other for word in name if isinstance(word, int)):
            yield other


def compare_all_that_is_let_pass(first, decks, lines=5):
    """No condition lets pass the clause that says the opposite of all that is so in a line. As with more that
    is known they let pass more, no clause is let pass that the line makes false."""
    counts = Counter()
    for number, state, _ in winnable_decks(first, decks):
        places = Places(state)
        given = [*singles(places)]
        order, room = Order(places), Room(places)
        for moves in lines_of(state, random.Random(number), lines):
            truths = Told(state, moves).truths()
            opposites = frozenset((name, not is_so) for name, is_so in truths)
            assert all(clause & truths for clause in given), number
            assert not order.holds(opposites), number
            assert not room.holds(opposites), number
            counts.update(name[0] for name, is_so in truths if is_so)
            counts["lines"] += 1
    return counts


def test_no_clause_is_let_pass_that_a_line_makes_false():
    counts = compare_all_that_is_let_pass(SEED, 60)
    words = ("wasteful", "restless", "back", "stays", "visit", "before", "sooner", "ends", "leaves")
    assert min(counts[word] for word in words) > 5, counts


RETURNS = [
    (
        "||2C 6C|5C|AC 4C 3C",
        "4C 5-1, 6C 3-2, AC 5-3, 3C 1-5, 4C 1-4, 3C 5-4, 5C 4-2, 2C 3-2",
        ("visit", 5, "column", 4),
    ),
    (
        "4D 4C 3C|5C|5D|3D 2C AC 2D AD",
        "4C 1-3, 3C 3-1, 3C 1-3, 4C 3-2, 4D 1-3, 2D 4-2, 2C 4-1, 3D 4-3, 2D 2-3, 2C 1-2",
        ("visit", 2, "card", 0),
    ),
]
"""Columns, a line, and a visit in it to the column that the card has left with others, or to a card there."""


@pytest.mark.parametrize(("columns", "line", "visit"), RETURNS)
def test_an_attached_card_may_come_back_to_what_it_lay_on(columns, line, visit):
    start = state = laid_out(columns)
    moves = []
    for text in line.split(", "):
        moves.append(simon.parse_move(state, text))
        state = simon.apply(state, moves[-1])
    truths = Told(start, moves).truths()
    assert (visit, True) in truths
    assert all(clause & truths for clause in singles(Places(start)))


@pytest.mark.slow
def test_no_clause_is_let_pass_that_one_of_many_lines_makes_false():
    print(compare_all_that_is_let_pass(30_000, 10_000, lines=10))


def test_clauses_hold_for_lines():
    counts = compare_with_lines(SEED, 60)
    assert min(counts["clauses"], counts["let pass"], counts["lines"]) > 5, counts


@pytest.mark.slow
def test_clauses_hold_for_many_lines():
    print(compare_with_lines(20_000, 5_000))


# --- Attacks ----------------------------------------------------------------------------------------------


def is_so(header):
    """Whether what a header claims of moves is true, by brute force."""
    moves = oracle.explore(dealt(header))[0]
    return moves == -1 or (header["claim"] != "unwinnable" and header["value"] <= moves)


def attack(folder, mutations, first, copies, certificates=40):
    """Spoil certificates of short decks; how many of each kind were accepted, whose claims must be true."""
    texts = []
    for _, state, _ in winnable_decks(first, 400, copies):
        text = by_clauses(state)
        if text.header["clauses"] > 10:
            texts.append(text)
        if len(texts) == certificates:
            break
    return attacks.accepted(folder, texts, mutations, first, is_so, spoilt)


@pytest.mark.parametrize("copies", [1, 2])
def test_what_is_spoilt_is_refused(tmp_path, copies):
    attack(tmp_path, 150, SEED, copies, certificates=8)


@pytest.mark.slow
@pytest.mark.parametrize("copies", [1, 2])
def test_what_is_spoilt_in_many_ways_is_refused(tmp_path, copies):
    print(attack(tmp_path, 5000, 0, copies))


def test_damaged_files_and_bombs_are_refused(tmp_path):
    variant = find_variant("simple-simon")
    text = by_clauses(variant.deal(4))
    content = gzip.compress(text.content())
    for number in range(40):
        rng = random.Random(number)
        assert refusal(tmp_path, rng.choice(attacks.DAMAGES)(rng, content), raw=True) is not None
    for line in ("single " + "1 " * 10**7 + "0", "variable " + "0" * 10**7, "core " + "9" * 10**6):
        other = text.copy()
        other.lines.insert(0, line)
        assert "a clause is needed" in refusal(tmp_path, other)
    other = text.copy()
    other.lines = [f"variable wasteful {number}" for number in range(100_000)] + other.lines
    other.header["clauses"] = 10**12
    assert "more than 1 MB of clauses" in refusal(tmp_path, other, max_bytes=1e6)


# --- Brute force ------------------------------------------------------------------------------------------


def compare_with_brute_force(folder, decks, first, copies):
    """What clauses prove is accepted and no more than brute force needs; one more is refused."""
    counts = Counter()
    for number, state, moves in winnable_decks(first, decks, copies):
        text = by_clauses(state)
        assert text.header["value"] <= moves, number
        assert refusal(folder, text) is None, number
        counts["all"] += 1
        counts["exact"] += text.header["value"] == moves
        counts["above heads"] += text.header["value"] > len(Places(state).heads)
        text.header["value"] += 1
        assert refusal(folder, text) is not None, number
    return counts


@pytest.mark.parametrize("copies", [1, 2])
def test_clauses_agree_with_brute_force(tmp_path, copies):
    counts = compare_with_brute_force(tmp_path, 120, SEED, copies)
    assert min(counts.values()) > 5, counts


@pytest.mark.slow
@pytest.mark.parametrize("copies", [1, 2])
def test_clauses_agree_with_brute_force_on_many_decks(tmp_path, copies):
    print(compare_with_brute_force(tmp_path, 20_000, 0, copies))


@pytest.mark.parametrize(
    ("game", "columns", "moves"),
    [
        ("simon-jester", "2S 4S 3S | 4S AS | 3S 2S AS", 4),  # an attached card goes, and does not come back
        ("simple-simon", "3D 3C 2C | AD 2D AC", 3),  # a king leaves with a card that was always attached
        ("simple-simon", "3C AC 2C |", 3),  # a wasteful card goes before that on which it ends is free
    ],
)
def test_counterexamples_of_stronger_forms(tmp_path, game, columns, moves):
    state = laid_out(columns, game)
    assert oracle.explore(state)[0] == moves
    text = by_clauses(state)
    assert text.header["value"] <= moves
    assert refusal(tmp_path, text) is None


# --- Other checkers ---------------------------------------------------------------------------------------


def steps_follow(formula, steps):
    """Whether the steps of LRAT come to the clause without literals, by `clauses.follows`."""
    known = [[int(word) for word in line.split()[:-1]] for line in formula[1:]]
    for line in steps:
        number, *rest = map(int, line.split())
        end = rest.index(0)
        assert number == len(known) + 1
        if not clauses.follows(rest[:end], [known[hint - 1] for hint in rest[end + 1 : -1]]):
            return False
        known.append(rest[:end])
    return known[-1] == []


def test_the_problem_for_others_is_whole():
    for _, state, _ in winnable_decks(SEED, 30):
        proof = proof_of(by_clauses(state))
        if proof.cores:
            assert steps_follow([*dimacs.formula(proof)], [*dimacs.steps(proof)])


@pytest.mark.skipif(LRAT_CHECK is None, reason="lrat-check of drat-trim is not installed")
@pytest.mark.parametrize(("name", "seed"), [("simple-simon", 4), ("simple-simon", 2), ("simon-jester", 1)])
def test_another_checker_accepts_the_steps(tmp_path, name, seed):
    variant = find_variant(name)
    proof = proof_of(by_clauses(variant.deal(seed), 100))
    formula, steps = tmp_path / "problem.cnf", tmp_path / "problem.lrat"
    formula.write_text("".join(dimacs.formula(proof)))
    lines = list(dimacs.steps(proof))
    for content, answer in ((lines, "VERIFIED"), (lines[:-1], "NOT")):
        steps.write_text("".join(content))
        told = subprocess.run([LRAT_CHECK, formula, steps], capture_output=True, text=True).stdout
        assert ("c VERIFIED" in told) == (answer == "VERIFIED")
