"""The theorems of docs/theory/joker.md, tested on all positions reachable from random ones."""

import heapq
import random
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import pairwise

import pytest
from tests.checker.test_joker import CHOICES, GAMES, game_for
from tests.deals import SEED, sizes
from tests.positions import random_joker_position
from tests.rules.columns import family_of, score_of

from winnable.checker.joker import top_of
from winnable.checker.joker_bound import _Marks, bound
from winnable.rules import Deck, find_variant, joker
from winnable.rules.cards import (
    JOKERS,
    colour_of,
    format_card,
    is_joker,
    make_card,
    parse_card,
    rank_of,
    suit_of,
    suits_of_colour,
)
from winnable.rules.joker import FOUNDATION, USUAL, WASTE, Choices, Move
from winnable.rules.joker_board import effective_rank, face_up

KLONDIKE = GAMES[1]


def rearranged(rng, state):
    """An equivalent position: in each group of like cards, what lies on them is redistributed at random."""
    above, groups, columns = {}, defaultdict(list), []
    for column in range(len(state.columns)):
        above.update(pairwise(face_up(state, column)))
        for card in face_up(state, column):
            groups[colour_of(card), effective_rank(state, card)].append(card)
    dealt = {}
    for alike in groups.values():
        held = [above[card] for card in alike if card in above]
        dealt.update(zip(rng.sample(alike, len(held)), held, strict=True))
    for cards, hidden in zip(state.columns, state.hidden, strict=True):
        column = list(cards[: hidden + 1])
        while column and column[-1] in dealt and len(column) > hidden:
            column.append(dealt[column[-1]])
        columns.append(tuple(column))
    return replace(state, columns=tuple(columns))


def weight(state, move):
    """The effort of a move, as in the proofs."""
    if move.target == FOUNDATION:
        return 0, 1
    is_lateral = min(move.source, move.target) >= 0 and move.count < len(face_up(state, move.source))
    return int(not is_lateral), 0


class Table:
    """All positions reachable from a position by the readable rules, each with an equivalent one.

    ``most`` has the greatest score reachable from each. Raises OverflowError if there are too many.
    """

    def __init__(self, rng, root, limit):
        self.states, self.numbers, self.before, self.twins = [], {}, [], []
        self.number(root)
        for state in self.states:
            if len(self.states) > limit:
                raise OverflowError
            self.twins.append(self.number(rearranged(rng, state)))
            for move in state.legal_moves():
                after = self.number(state.apply(move))
                self.before[after].append((self.number(state), weight(state, move)))
        self.scores = [score_of(state) for state in self.states]
        self.most = [-1] * len(self.states)
        for number in sorted(range(len(self.states)), key=lambda number: -self.scores[number]):
            waiting = [number]
            while waiting:
                at = waiting.pop()
                if self.most[at] < 0:
                    self.most[at] = self.scores[number]
                    waiting += [before for before, _ in self.before[at]]

    def number(self, state):
        key = family_of(state).canonical(state)
        if key not in self.numbers:
            self.numbers[key] = len(self.states)
            self.states.append(state)
            self.before.append([])
        return self.numbers[key]

    def efforts(self, goal):
        """The effort of each position from which a score of ``goal`` can be reached."""
        found = {}
        waiting = [((0, 0), number) for number, score in enumerate(self.scores) if score >= goal]
        while waiting:
            effort, number = heapq.heappop(waiting)
            if number not in found:
                found[number] = effort
                for before, (others, up) in self.before[number]:
                    heapq.heappush(waiting, ((effort[0] + others, effort[1] + up), before))
        return found


def check_positions_of_play(state):
    """Test J1 and J2."""
    game = find_variant(state.variant)
    assert game.from_board(game.family.marked_board(state), game.choices_of(state)) == state
    for move in state.legal_moves():
        gain = score_of(state.apply(move)) - score_of(state)
        if not state.deck.jokers or state.choices.exchange == "exposed":
            assert gain == (move.target == FOUNDATION)
        assert 0 <= gain <= (move.target == FOUNDATION)
    reversed_columns = replace(state, columns=state.columns[::-1], hidden=state.hidden[::-1])
    assert followers(state) == followers(reversed_columns)


def followers(state):
    moves = state.legal_moves()
    return Counter((weight(state, move), family_of(state).canonical(state.apply(move))) for move in moves)


def compare(positions, seed, limit=1500):
    """Test all theorems on at least ``positions`` positions; return how often each one applied."""
    rng, counts = random.Random(seed), Counter()
    while counts["positions"] < positions or 0 in counts.values() or len(counts) < 11:
        name = GAMES[rng.random() < 0.2]
        choices = rng.choice(CHOICES) if name == "joker" else USUAL
        try:
            table = Table(rng, random_joker_position(rng, name, choices, rng.randint(5, 9)), limit)
        except OverflowError:
            continue
        goal = rng.randint(table.scores[0], table.most[0]) + 1
        efforts, game = table.efforts(goal), game_for(table.states[0])
        for number, state in enumerate(table.states):
            counts["positions"] += 1
            counts[choices] += 1
            effort, most, twin = efforts.get(number), table.most[number], table.twins[number]
            if number % 16 == 0:
                check_positions_of_play(state)
            arranged = game.read(game.write(state))
            assert game.write(arranged) == game.write(state) == game.write(table.states[twin])
            assert (table.most[twin], efforts.get(twin)) == (most, effort)
            counts["like cards"] += twin != number
            assert bound(state) >= most
            counts["bound"] += bound(state) == most < state.deck.places
            for theorem, after in safe_in_search(state):
                assert table.most[table.number(after)] == most
                counts[theorem] += 1
            if table.scores[number] >= goal:
                continue
            if effort is not None:
                named = [efforts.get(table.number(after)) for _, after in game.named(arranged, "moves")]
                assert any(each is not None and each < effort for each in named)
            for _, after in safe_moves(game, arranged):
                assert table.most[table.number(after)] == most
                assert effort is None or efforts[table.number(after)] < effort
                counts["safe move up"] += 1
                counts["beside a joker"] += state.deck.jokers and not all(j.is_out for j in state.jokers)
    return counts


def safe_moves(game, state):
    for suit, height in enumerate(state.foundations):
        try:
            yield from game.named(state, f"up {format_card(make_card(height, suit))}")
        except (ValueError, IndexError):  # not safe, or the foundation is complete
            continue


def safe_in_search(state):
    """Yield the positions after moves up that are safe by J8 or J12, each with the theorem."""
    jokers = state.jokers if state.deck.jokers else (joker.OUT_OF_PLAY, joker.OUT_OF_PLAY)
    turned = not state.deck.jokers or state.choices.exchange == "turned"
    is_out = [each.is_out for each in jokers]
    for source in (*range(len(state.columns)), WASTE):
        card = top_of(state, source)
        if card is None or is_joker(card) or state.foundations[suit_of(card)] != rank_of(card):
            continue
        rank, colour, other = rank_of(card), colour_of(card), jokers[1 - colour_of(card)]
        if source == WASTE:
            beneath = () if turned else state.waste[-2:-1]
            stays = jokers[colour].rank == rank if turned else not is_out[colour]
        else:
            beneath, stays = state.columns[source][:-1][-1:], False
            beneath = beneath if len(face_up(state, source)) == 1 else ()
        if stays or any(not is_joker(each) and not is_out[colour_of(each)] for each in beneath):
            continue
        up = all(state.foundations[suit] >= rank for suit in suits_of_colour(1 - colour, state.deck.suits))
        place = None if other.place is None else rank_of(other.place)
        after = state.apply(family_of(state).Move(source, FOUNDATION))
        if turned and up and rank - 1 not in (other.rank, place):
            yield "J8", after
        if rank == 1 and is_out[1 - colour]:
            yield "J12", after


@sizes(400, full=800, slow=100_000)
def test_the_theorems_hold_on_short_decks(deals):
    print(compare(deals, SEED, 160 if deals < 1000 else 1500))


# --- The stronger forms, each with the position that refutes it ---------------------------------------------


def position(text, ranks, suits, columns, name="joker", **choices):
    """A position in the notation of the page, which must be valid."""
    deck, none = Deck(ranks, suits, jokers=name == "joker"), ((),) * columns
    game = game_for(joker.State(name, deck, none, (0,) * columns, (), choices=Choices(**choices)))
    state = game.read(text)
    assert game.write(state) == text
    return game, state


def best(state):
    table = Table(random.Random(0), state, 5000)
    return table.most[table.number(state)]


def with_and_without(state, card):
    """The greatest scores with ``card`` up at once, and without that move."""
    source = next(at for at in (*range(len(state.columns)), WASTE) if top_of(state, at) == parse_card(card))
    return best(state.apply(family_of(state).Move(source, FOUNDATION))), best(state)


@pytest.mark.parametrize(
    ("told", "card", "why", "scores"),
    [
        (("A3-2 bx r2D w3C2C2D s 3S", 3, "CDS", 1), "3S", "a joker may be", (7, 8)),
        (("A2-- b- rAD wXB s 4C3D AD2C/4D3C", 4, "CD", 2), "3D", "may have to be put", (4, 8)),
        (("-A-3 w2D3D s 4D 4S", 4, "DS", 2, KLONDIKE), "4S", "may have to be put", (5, 8)),
        (("--32 w3S s4S 4D3DAD/2D 4H", 4, "DHS", 2, KLONDIKE), "4H", "may have to be put", (8, 12)),
        (("---- b- rx wAS s 4H4S3S2S2H/3H AH/XB", 4, "HS", 2), "AS", "its joker may change", (3, 8)),
        (("A--4 b- rx w3CXB s 2C/4C 5C/5S", 5, "CS", 3), "5S", "5C would be turned up", (6, 10)),
        (("---A b=2 rx w2CAH s 2S3H3C2HAC3S/XB", 3, "CHS", 1), "AH", "2C would be turned up", (2, 9)),
    ],
)
def test_each_condition_of_safe_moves_is_needed(told, card, why, scores):
    exchange = "turned" if why == "a joker may be" else "exposed"
    game, state = position(*told, **({"exchange": exchange} if told[-1] != KLONDIKE else {}))
    with pytest.raises(ValueError, match=why):
        list(game.named(state, f"up {card}"))
    assert with_and_without(state, card) == scores


@pytest.mark.parametrize(
    ("told", "card", "scores"),
    [
        (("-A2A bx r=A w sAC 2C2D/XR 2S", 2, "CDHS", 2), "2S", (6, 7)),  # J8, J12: XR may need it
        (("--AA b=2 rA w2S s2H2C AC/XB", 2, "CHS", 1), "2S", (4, 6)),  # J8: XB keeps its rank for it
        (("-3-A b=2 rx w2S s 4S/XB 5D 5S4D3S", 5, "DS", 4), "2S", (8, 10)),  # J12: the same
    ],
)
def test_each_condition_of_safe_moves_of_the_search_is_needed(told, card, scores):
    _, state = position(*told, exchange="turned")
    assert not list(safe_in_search(state))
    assert with_and_without(state, card) == scores


def test_an_ace_beside_an_open_ace_may_score_nothing_where_turned_cards_alone_change_places():
    _, state = position("-A-- bx rA wAH s 2D 2H", 2, "DH", 2, exchange="turned")
    after = state.apply(Move(WASTE, FOUNDATION))
    assert score_of(after) == score_of(state) == 2


def test_like_cards_do_not_change_places_themselves():
    _, state = position("---A w s 2C 3S/3C AC/2S", 3, "CS", 3, KLONDIKE)
    other = {parse_card("2C"): parse_card("2S"), parse_card("2S"): parse_card("2C")}
    columns = tuple(tuple(other.get(card, card) for card in column) for column in state.columns)
    assert (best(state), best(replace(state, columns=columns))) == (6, 3)


def test_moves_of_one_arrangement_are_not_enough():
    game, state = position("-2-- w s 3S2HAH/3H AS/3D2S", 3, "DHS", 2, KLONDIKE)
    texts = [game.write(state.apply(move)) for move in state.legal_moves()]
    assert set(texts) == {game.write(state)}
    assert (score_of(state), best(state)) == (2, 9)
    assert {game.write(after) for _, after in game.named(state, "moves")} != set(texts)


def test_what_lies_on_like_cards_is_sorted():
    game, state = position("3223 w s4D4H 4C3D 4S3H", 4, "CDHS", 2, KLONDIKE)
    columns = tuple(tuple(map(parse_card, pair)) for pair in (("4C", "3H"), ("4S", "3D")))
    for order in (columns, columns[::-1]):
        assert game.write(replace(state, columns=order)) == game.write(state)


class NothingFrees(_Marks):
    def says_nothing(self):
        return False


class UndeclaredFree(_Marks):
    """The wrong form in which exchanges are ignored."""

    def says_nothing(self):
        jokers = zip(JOKERS, self.state.jokers, strict=True)
        return any(card in self.bare and each == joker.UNDECLARED for card, each in jokers)


class BareGo(_Marks):
    """The wrong form in which cards beneath others do not leave."""

    def _uncover(self, card):
        if card in self.bare:
            super()._uncover(card)


class JokersStay(_Marks):
    def _fill(self, card):
        if not is_joker(card):
            super()._fill(card)


@pytest.mark.parametrize(
    ("marks", "told", "removal", "scores"),
    [
        (NothingFrees, ("---3 b- rx w4SXB s", 4, "S", 1), "undeclared", (3, 4)),
        (UndeclaredFree, ("A-2- b=3 rx w s 2C3C/3H XB", 3, "CH", 2), "undeclared", (4, 6)),
        (BareGo, ("3A-- w s 4D2D/4C3D", 4, "CD", 2, KLONDIKE), "undeclared", (4, 8)),
        (JokersStay, ("4-3- bx r=4 w s 4H/XR", 4, "CH", 1), "undeclared", (7, 8)),
        (JokersStay, ("---- b=3 rx w s 3C2C3H2HACAH/XB", 3, "CH", 1), "exposed", (0, 6)),
    ],
)
@pytest.mark.parametrize("exchange", ["turned", "exposed"])
def test_each_rule_of_the_bound_is_needed(marks, told, removal, scores, exchange):
    choices = {"exchange": exchange, "removal": removal}
    _, state = position(*told, **(choices if told[-1] != KLONDIKE else {}))
    made = marks(state)
    while not made.says_nothing() and made.widen():
        pass
    assert not made.says_nothing()
    assert (len(made.filled), best(state)) == scores
    assert bound(state) >= best(state)


@pytest.mark.parametrize(
    ("told", "score"),
    [
        (("---- w3D s 4C 4D3C2DACAD/2C", 4, "CD", 2, KLONDIKE), 8),  # 3D, of the waste, can hold 2C
        (("---- w s 3C/AC 3D2CAD/2D", 3, "CD", 2, KLONDIKE), 6),  # 3C, once turned up, can hold 2D
        (("A--- b=2 rx w s 2CAD2DAH2H/3DXB 3C/3H", 3, "CDH", 2), 2),  # XB goes up as 2C, which stays covered
    ],
)
@pytest.mark.parametrize("exchange", ["turned", "exposed"])
def test_the_bound_makes_each_mark(told, score, exchange):
    _, state = position(*told, **({"exchange": exchange} if told[-1] != KLONDIKE else {}))
    assert bound(state) == best(state) == score
