"""The kernel of joker and klondike-one-pass against the rules, brute force and deals with known answers."""

import itertools
import random
from dataclasses import replace

import pytest
from tests.deals import sizes, state_of
from tests.native import load
from tests.positions import CHOICES, every_choice, random_joker_position
from tests.rules import test_joker as worked
from tests.rules.columns import family_of, score_of

from winnable.rules import cards, find_variant, joker
from winnable.rules.joker import USUAL
from winnable.solver import Limits, solve, verify
from winnable.solver.engine import find_kernel

brute, positions = load("joker_brute"), load("joker_position")
JokerSearches, Walker = load("joker_searches").JokerSearches, load("joker_walker").Walker


def children(walker, codes):
    """The states after each of ``codes`` from the present one, by code; the walker stays where it is."""
    here, found = walker.key_of(), {}
    for code in codes:
        walker.set_key(here)
        counted = walker.play(code)
        assert counted == walker.counts(), "what the search counts on the way is what is there"
        found[code] = (walker.key_of(), walker.state())
    walker.set_key(here)
    return found


def class_of(state):
    """A key that is equal for two states of one game exactly if they differ by lateral moves and column
    order."""
    pairs = list(zip(state.columns, state.hidden, strict=True))
    covering = frozenset(card for cards, hidden in pairs for card in cards[hidden + 1 :])
    bases = replace(state, columns=tuple(cards[: hidden + 1] for cards, hidden in pairs))
    return (family_of(bases).canonical(bases), covering)


def check_moves(walker, state):
    """Check that the walker, at the class of ``state``, has the rules' moves that leave the class, and that
    each of its moves is a line from ``state``; return the children."""
    after = children(walker, walker.elementary_moves())
    classes = {class_of(child) for _, child in after.values()}
    by_rules = {class_of(state.apply(move)) for move in state.legal_moves()}
    assert by_rules - {class_of(state)} <= classes
    check_lines(walker, state, after)
    return after


def check_lines(walker, state, after):
    """Check that every macro of ``after`` is a line of legal moves to the class that the walker reaches."""
    for code, (_, child) in after.items():
        moves = walker.moves_of(code, state)
        assert moves
        here = state
        for move in moves:
            here = here.apply(move)
        assert class_of(here) == class_of(child)


def check_macros(walker, state):
    check_lines(walker, state, children(walker, walker.macro_moves()))


@pytest.mark.parametrize("name", worked.POSITIONS)
def test_worked_position(name):
    text = worked.POSITIONS[name].replace("[KD 5C]", "[KD QC]")  # runs, as they occur in play
    head, _, *steps = (line.split("#")[0].strip() for line in text.splitlines())
    state = worked.build(worked.read_parts(head))
    walker = Walker(state)
    for step in steps:
        assert walker.state() == Walker(walker.state()).state()
        assert class_of(walker.state()) == class_of(state)
        after = check_moves(walker, state)
        check_macros(walker, state)
        token, _, result = step.partition(" ")
        (move,) = worked.read_moves(token)
        if result == "illegal":
            assert move not in brute.legal_moves(state)
            continue
        before, state = state, state.apply(move)
        if class_of(before) != class_of(state):
            keys = {key for key, child in after.values() if class_of(child) == class_of(state)}
            assert len(keys) == 1
            walker.set_key(keys.pop())


# Short decks small enough to visit every reachable state with the rules in Python.
WALKED = [
    (2, "CDHS", (1, 2)), (2, "CD", (2, 2, 1)), (3, "CD", (3,)), (3, "CH", (2, 1)), (3, "CS", (3, 2)),
    (3, "CDH", (2, 2, 2)), (4, "H", (1, 2)), (4, "DH", (3, 2)), (13, "D", (5,)),
]  # fmt: skip


def walk(state, limit):
    """Visit all states reachable from ``state`` with the rules, up to a limit, and their classes with the
    walker: compare moves, counts, lines, and keys, which must be equal exactly for states of one class.
    Returns the keys."""
    walker = Walker(state)
    keys = {class_of(state): walker.key_of()}
    found = {family_of(state).canonical(state)}
    frontier = [state]
    while frontier and len(found) < limit:
        here = frontier.pop()
        walker.set_key(keys[class_of(here)])
        assert class_of(walker.state()) == class_of(here)
        assert class_of(Walker(walker.state()).state()) == class_of(here)
        for key, child in check_moves(walker, here).values():
            assert keys.setdefault(class_of(child), key) == key, "one class, one key"
        for move in here.legal_moves():
            child = here.apply(move)
            if family_of(child).canonical(child) not in found:
                found.add(family_of(child).canonical(child))
                frontier.append(child)
        if len(found) % 5 == 0:
            check_macros(walker, here)
    assert len(set(keys.values())) == len(keys), "one key, one class"
    return set(keys.values())


@pytest.mark.quick(2)
@every_choice
@pytest.mark.parametrize("shape", WALKED, ids=str)
@pytest.mark.parametrize("states", [150, pytest.param(2500, marks=pytest.mark.slow)])
def test_keys_and_moves_are_those_of_the_rules(shape, choices, states):
    classes = [walk(find_variant("joker").deal(seed, *shape, choices=choices), states) for seed in range(2)]
    assert sum(map(len, classes)) > 20


@pytest.mark.full
def test_keys_of_klondike():
    game = find_variant("klondike-one-pass")
    classes = [walk(game.deal(seed, 4, "CDH", (2, 3, 1)), 200) for seed in range(4)]
    assert sum(map(len, classes)) > 100


@pytest.mark.full
def test_a_key_tells_where_an_exchanged_card_lies_over_face_down_cards():
    bases = 0
    for seed in range(8):
        state = find_variant("joker").deal(seed, 3, "CDH", (3, 3, 2))
        bases += sum(bool(key >> 52 & 0xFFF or key >> 172 & 63) for key in walk(state, 250))
    assert bases > 20


def random_position(rng, variant, deck, choices, most_moves):
    """A position after random moves, few of them turns and removals."""
    state = find_variant(variant).deal(rng.getrandbits(64), *deck, choices=choices)
    for _ in range(rng.randint(0, most_moves)):
        moves = state.legal_moves()
        eager = [move for move in moves if move != joker.TURN and move.target != joker.OUT]
        if not moves:
            break
        state = state.apply(rng.choice(eager if eager and rng.random() < 0.6 else moves))
    return state


@pytest.mark.quick(1)
@every_choice
def test_positions_of_full_decks(choices):
    rng, moves = random.Random(5), 0
    for _ in range(30):
        state = random_position(rng, "joker", (), choices, 90)
        walker = Walker(state)
        assert class_of(walker.state()) == class_of(state)
        moves += len(check_moves(walker, state))
        check_macros(walker, state)
    assert moves > 50


# --- The greatest score -------------------------------------------------------------------------------------


DECKS = [(2, "CDHS"), (3, "CDHS"), (3, "CDH"), (3, "CS"), (4, "CH"), (4, "CDH"), (4, "CHS"), (4, "CDHS")]
DECKS += [(5, "CD"), (5, "DH"), (5, "CDH"), (6, "D"), (6, "CH")]


def random_deck(rng):
    """Ranks, suits and column sizes of a short deck that brute force can usually exhaust."""
    ranks, suits = rng.choice(DECKS)
    left, sizes = ranks * len(suits), []
    for _ in range(rng.randint(1, 4)):
        sizes.append(min(rng.randint(1, 5), left))
        left -= sizes[-1]
    return ranks, suits, tuple(size for size in sizes if size)


def compare_maxima(rng, variant, choices, decks, most_states):
    """Compare greatest scores, and the bound at the start, with brute force until ``decks`` decks are
    compared; return how many were hard. One in four starts from a later position. Each deck is also searched
    without storing all states, and for a score that suffices: 0, 1, ... one more than the places, in turn."""
    made = find_kernel(find_variant(variant))
    kernel, bounding, sufficing = made(Limits()), made(Limits(nodes=0)), made(Limits())
    storing, sparing = JokerSearches(Limits()), JokerSearches(Limits())
    sparing.large = 0
    compared = hard = 0
    while compared < decks:
        later = 12 if compared % 4 == 0 else 0
        state = random_position(rng, variant, random_deck(rng), choices, later)
        best, states = brute.explore(state, most_states)
        if best is None:
            continue
        answer = kernel.solve(state)
        assert answer[2:6] == (best, best, True, None), state
        assert storing.solve(state) == answer, state
        assert sparing.solve(state)[2:] == answer[2:], state
        assert sparing.expanded == storing.expanded == kernel.expanded, state
        assert sparing.stored <= storing.stored, state
        assert bounding.solve(state).score_bound >= best, state
        sufficing.wanted = wanted = compared % (state.deck.places + 2)
        found = sufficing.solve(state)
        assert (found.score >= wanted) == (best >= wanted), (state, wanted)
        assert found.score <= best <= found.score_bound, (state, wanted)
        assert best >= wanted or found.score_bound < wanted, (state, wanted)
        if compared % 50 == 0:
            end = verify.replay(find_variant(variant), state, answer.moves)
            assert score_of(end) == best
        compared += 1
        hard += states > 60
    return hard


def changed_over(state):
    """The states after exchanging what lies on two cards of one colour and effective rank."""
    places = [(column, i) for column in range(len(state.columns)) for i in range(len(state.columns[column]))]
    kinds = {}
    for column, i in places:
        card = state.columns[column][i]
        rank = joker.effective_rank(state, card)
        if i >= state.hidden[column] and rank is not None:
            kinds.setdefault((cards.colour_of(card), rank), []).append((column, i + 1))
    for like in kinds.values():
        for (one, i), (other, j) in itertools.combinations(like, 2):
            columns = list(state.columns)
            columns[one] = state.columns[one][:i] + state.columns[other][j:]
            columns[other] = state.columns[other][:j] + state.columns[one][i:]
            yield replace(state, columns=tuple(columns))


@pytest.mark.quick("exposed-undeclared")
@every_choice
def test_states_of_a_class_reach_the_same_score(choices):
    rng, changed = random.Random(3), 0
    while changed < 8:
        state = random_position(rng, "joker", random_deck(rng), choices, 12)
        for other in changed_over(state):
            if other == state:
                continue
            assert class_of(other) == class_of(state)
            best, states = brute.explore(state, 3000)
            if best is not None:
                assert brute.explore(other)[0] == best, state
                changed += states > 20


GAMES = [*(("joker", choices) for choices in CHOICES), ("klondike-one-pass", None)]
every_game = pytest.mark.parametrize(("game", "choices"), GAMES, ids=map(str, range(len(GAMES))))


@pytest.mark.quick("200-0", "200-4")
@every_game
@sizes(200, full=400, slow=100_000)
def test_maxima_are_those_of_brute_force(game, choices, deals):
    assert compare_maxima(random.Random(deals), game, choices, deals, 1000) >= deals // 10


def compare_positions(rng, variant, choices, positions):
    """Compare ``positions`` random positions with brute force, including moves and bound; return how many had
    something to win."""
    made = find_kernel(find_variant(variant))
    kernel, bounding = made(Limits()), made(Limits(nodes=0))
    compared = won = 0
    while compared < positions:
        state = random_joker_position(rng, variant, choices)
        best, _ = brute.explore(state, 1500)
        if best is None:
            continue
        assert kernel.solve(state)[2:6] == (best, best, True, None), state
        assert bounding.solve(state).score_bound >= best, state
        if compared % 4 == 0:
            walker = Walker(state)
            check_moves(walker, state)
            check_macros(walker, state)
        compared += 1
        won += best > score_of(state)
    return won


@pytest.mark.quick("150-2", "150-4")
@every_game
@sizes(150, full=300, slow=125_000)
def test_any_position_has_its_moves_and_its_greatest_score(game, choices, deals):
    assert compare_positions(random.Random(deals), game, choices or USUAL, deals) > deals // 3


def test_playing_up_a_safe_looking_ace_at_once_is_wrong():
    """The card that it turns up would miss the exchange with its joker."""
    row = {"ranks": 6, "suits": "CH", "columns": ["6H 3H", "5H 2C AH"], "stock": "3C 5C 4H XR 6C 2H XB 4C AC"}
    state = state_of("joker", exchange="exposed", **row)
    result = solve("joker", state)
    assert (result.score, result.tier, result.exact) == (12, "triple", True)
    (up,) = (move for move in state.legal_moves() if move.target == joker.FOUNDATION)
    after = solve("joker", state.apply(up))
    assert (after.score, after.exact) == (5, True)
    assert brute.explore(state.apply(up))[0] == 5


def test_bounding_a_joker_as_a_card_for_good_is_wrong():
    """A joker becomes free when a card that it stands for is exposed."""
    row = {"ranks": 3, "suits": "CS", "columns": ["AC", "AS XR 2S", "3S 3C"], "stock": "2C XB"}
    result = solve("joker", state_of("joker", exchange="turned", **row))
    assert (result.score, result.tier, result.exact) == (6, "triple", True)


# --- Results ------------------------------------------------------------------------------------------------


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("game", "seeds", "node"),
    [("joker", (505, 1, 710), 28), ("klondike-one-pass", (849, 1, 930), 24)],
)
@pytest.mark.parametrize("megabytes", [1.5, 5, 20])
def test_the_memory_limit_holds(game, seeds, node, megabytes):
    kernel, reasons = JokerSearches(Limits(megabytes=megabytes, nodes=300_000)), set()
    for seed in seeds:
        reasons.add(kernel.solve(find_variant(game).deal(seed)).reason)
        assert kernel.peak_bytes <= megabytes * 1e6
        assert kernel.stored * node <= megabytes * 1e6
    assert "memory" in reasons or megabytes == 20


def test_lines_hold_no_move_that_can_be_left_out():
    variant = find_variant("joker")
    for seed in range(1, 8):
        state = variant.deal(seed)
        moves = solve(variant, state, Limits(nodes=20000)).moves
        assert len(moves) > 20
        assert positions.clean(state, moves) == list(moves)


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", ["joker", "klondike-one-pass"])
def test_a_score_that_suffices_is_decided_as_the_greatest(name):
    """The verdict about that score is the same as without it, and the search is smaller."""
    variant, expanded = find_variant(name), [0, 0]
    lost = 0
    for seed in range(1, 41):
        state, chance = variant.deal(seed), random.Random(seed)
        for _ in range(2 * seed):
            if moves := state.legal_moves():
                state = state.apply(chance.choice(moves))
        found = []
        for i, wanted in enumerate((0, 15)):
            kernel = find_kernel(variant)(Limits(nodes=20_000))
            kernel.wanted = wanted
            found.append(kernel.solve(state))
            expanded[i] += kernel.expanded
        greatest, enough = found
        if greatest.exact:
            assert enough.won == (greatest.score >= 15)
        assert enough.score >= 15 if enough.won else enough.won is None or enough.score_bound < 15
        lost += enough.won is False
    assert lost
    assert expanded[1] < expanded[0]
