"""Certificates of Klondike with redeals: made, accepted, attacked; and the theorems that they rest on."""

import random
from collections import Counter, defaultdict
from functools import partial

import pytest
from tests.checker.certificates import made, refusal
from tests.deals import SEED

from winnable.checker.klondike import ALWAYS
from winnable.checker.klondike_classes import Deal, Position, Relaxed
from winnable.checker.klondike_dead_ends import is_dead_end
from winnable.rules import Deck, find_variant, klondike
from winnable.rules.cards import parse_card
from winnable.solver import Limits
from winnable.solver.certificates import NoCertificate
from winnable.solver.engine import find_kernel

replay = pytest.importorskip("winnable.solver.klondike.replay", reason="the compiled engine is not installed")
GAMES = ("klondike", "klondike-draw-one", "klondike-vegas", "klondike-vegas-one")
SHAPES = [
    (3, "CDHS", (1, 2)), (4, "CDHS", (2, 2)), (4, "CDHS", (1, 2, 3, 4)), (4, "CDHS", (3, 3, 3)),
    (5, "CDH", (1, 2, 3)), (5, "DHS", (3, 4)), (5, "CDHS", (1, 2, 3, 4)), (5, "CDHS", (1, 2, 3, 4, 5)),
    (6, "CS", (1, 2, 3)), (6, "CDH", (1, 2, 3, 4, 5)), (4, "CD", (2, 3)), (7, "CD", (2, 3, 4)),
]  # fmt: skip
CHOICES = {
    "draw": ["1", "2", "3", "3"], "passes": ["unlimited", "unlimited", "1", "2", "3"],
    "worrying_back": ["yes", "no"],
}  # fmt: skip


def some_position(rng, game, shapes=SHAPES):
    """A deal of a short deck, or a position some moves later, by the usual rules or others."""
    choices = {name: rng.choice(values) for name, values in CHOICES.items()} if rng.random() < 0.6 else None
    state = find_variant(game).deal(rng.randrange(10**9), *rng.choice(shapes), choices=choices)
    return walk(rng, state, rng.choice([0, 0, 0, 3, 10, 30]))


def walk(rng, state, steps):
    """A position some moves later."""
    for _ in range(steps):
        moves = klondike.legal_moves(state)
        if not moves or klondike.is_won(state):
            break
        state = klondike.apply(state, rng.choice(moves))
    return state


def is_won_by_rules(state, most=400):
    """Decide ``state`` by brute force over the readable rules; None if there are too many positions."""
    seen, waiting = {klondike.canonical(state)}, [state]
    while waiting:
        state = waiting.pop()
        if klondike.is_won(state):
            return True
        for move in klondike.legal_moves(state):
            after = klondike.apply(state, move)
            key = klondike.canonical(after)
            if key not in seen:
                if len(seen) == most:
                    return None
                seen.add(key)
                waiting.append(after)
    return False


def by_compiled_rules(most):
    """Brute force over the compiled rules that no search uses."""
    return partial(replay.explore, max_states=most)


def compare_with_brute_force(tmp_path, decks, first, truth, least=0):
    """Positions that cannot be won are certified and the others have no certificate; without one of its
    positions none is accepted but where that is not needed."""
    counts = Counter()
    for number in range(decks):
        rng, game = random.Random(first + number), GAMES[number % 4]
        state = some_position(rng, game)
        is_won = truth(state)
        if is_won is None:
            continue
        if is_won:
            with pytest.raises(RuntimeError, match="can be won"):
                made(find_variant(game), state)
        else:
            text = made(find_variant(game), state)
            assert refusal(tmp_path, text) is None, (first + number, state)
            counts["relaxed"] += any(line.endswith("*") for line in text.lines)
            counts["exact"] += any(not line.endswith("*") for line in text.lines)
            if text.lines:
                text.lines.pop(rng.randrange(len(text.lines)))
                why = refusal(tmp_path, text.count())
                assert "not listed" in why, (first + number, state)
                counts["one left out"] += 1
        counts[game, "won" if is_won else "lost"] += 1
    assert all(counts[game, end] > least for game in GAMES for end in ("won", "lost")), counts
    assert min(counts["relaxed"], counts["exact"], counts["one left out"]) > least, counts
    return counts


@pytest.mark.full
def test_certificates_agree_with_brute_force_by_the_rules(tmp_path):
    compare_with_brute_force(tmp_path, 200, SEED, is_won_by_rules, -1)


@pytest.mark.parametrize(("decks", "least"), [(100, -1), pytest.param(2000, 5, marks=pytest.mark.full)])
def test_certificates_agree_with_brute_force(tmp_path, decks, least):
    compare_with_brute_force(tmp_path, decks, SEED, by_compiled_rules(1500), least)


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_certificates_agree_with_brute_force_on_many_decks(tmp_path):
    print(compare_with_brute_force(tmp_path, 40_000, 10_000, is_won_by_rules, 1000))
    print(compare_with_brute_force(tmp_path, 400_000, 10_000, by_compiled_rules(6000), 1000))


@pytest.mark.parametrize(
    ("limits", "reason"), [(Limits(nodes=100), "nodes"), (Limits(megabytes=0.1), "memory")]
)
def test_limits_hold(limits, reason):
    variant = find_variant("klondike")
    with pytest.raises(NoCertificate, match=f"the limit on {reason}"):
        made(variant, variant.deal(12), limits=limits)


def test_what_cannot_be_plain_or_short_of_lemmas_is_refused():
    variant = find_variant("klondike")
    with pytest.raises(NoCertificate, match="it can do without none of its lemmas"):
        made(variant, variant.deal(44), plain=True)
    with pytest.raises(ValueError, match="expected a key of at most 64 bits"):
        made(variant, variant.deal(1, 12, sizes=(1,)))


# --- The theorems ---------------------------------------------------------------------------------------


class PlainDeal(Deal):
    """The same with every parking move as a move of its own."""

    def after_parking(self, position, view, relaxed):
        up, left, places, _ = position
        fits = view.fitting(self.kings)
        for card, place in self.place_of.items():
            if card & relaxed.opened & ~relaxed.opening & fits:
                yield "", Position(up, left, places & ~place, None)
        for card in self.names:
            if self.comes_back and card & self.foundations(up).tops & fits:
                yield "", Position(up & ~card, left, places, None)


def check_steps(state, deal):
    """K1, K2, K3: what a move leads to is what a move of its class does, or of the same class; a draw brings
    nothing up that the class has not, and the relaxed stock opens all of it."""
    here = deal.class_of(state)
    named = {after for _, after in deal.followers(here)} | {here}
    plays = dict(deal.plays(here.places, here.waste))
    assert not sum(plays) & ~deal.relaxed(here.places).opened
    assert deal.is_consistent(here)
    for move in klondike.legal_moves(state):
        after = deal.class_of(klondike.apply(state, move))
        if move != klondike.DRAW:
            assert after in named, (state, move)
            continue
        assert after[:3] == here[:3]
        for card, waste in deal.plays(after.places, after.waste):
            assert plays[card][0] <= waste[0]
            assert plays[card][1] == waste[1]


def test_each_move_has_its_counterpart_in_the_class():
    rng = random.Random(SEED)
    for number in range(40):
        state = some_position(rng, GAMES[number % 4])
        deal = Deal(state)
        for _ in range(15):
            check_steps(state, deal)
            state = walk(rng, state, 1)


class Graph:
    """All classes that can be reached from one, and the fewest moves from each to a win, None where there is
    none. Raises OverflowError if there are too many."""

    def __init__(self, deal, root, limit):
        before, self.moves, waiting = defaultdict(list), {root: None}, [root]
        while waiting:
            here = waiting.pop()
            for _, after in deal.followers(here):
                before[after].append(here)
                if after not in self.moves:
                    self.moves[after] = None
                    waiting.append(after)
            if len(self.moves) > limit:
                raise OverflowError
        level = {here for here in self.moves if here.up == deal.deck}
        number = 0
        while level:
            self.moves |= dict.fromkeys(level, number)
            found = {each for here in level for each in before[here]}
            level, number = {here for here in found if self.moves[here] is None}, number + 1


def check_theorems(state, limit, counts):
    """K4, K5 and K6 for all classes that play comes to from ``state``, exact ones and those of the relaxed
    stock."""
    deal, plain = Deal(state), PlainDeal(state)
    exact = Graph(deal, deal.start, limit).moves
    relaxed = Graph(plain, deal.start._replace(waste=None), limit).moves
    for here, moves in (exact | relaxed).items():
        if here.waste is not None:
            free = relaxed[here._replace(waste=None)]
            assert moves is None or free <= moves
        closed, to_win = deal.closed(here), exact if here.waste is not None else relaxed
        assert moves is None or to_win[closed] <= moves - (closed != here), (state, here)
        counts["safe move up"] += closed != here
        if is_dead_end(deal, here):
            assert moves is None, (state, here)
            counts["dead end"] += 1
        elif here.waste is None and moves:
            counts["won"] += 1
            followers = [relaxed[after] for _, after in deal.followers(here)]
            assert any(after is not None and after < moves for after in followers), (state, here)


def compare_theorems(positions, first, limit):
    counts, number = Counter(), first
    while counts["won"] < positions:
        rng = random.Random(number)
        try:
            check_theorems(some_position(rng, GAMES[number % 4], SHAPES[:5] + SHAPES[8:11]), limit, counts)
            counts["decks"] += 1
        except OverflowError:
            pass
        number += 1
    return counts


@pytest.mark.parametrize(
    ("classes", "limit"), [(500, 400), pytest.param(20_000, 3000, marks=pytest.mark.full)]
)
def test_the_theorems_hold_on_short_decks(classes, limit):
    counts = compare_theorems(classes, SEED, limit)
    assert len(counts) == 4, counts


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_the_theorems_hold_on_many_short_decks():
    print(compare_theorems(1_000_000, 0, 20_000))


# --- The stronger forms that tempt, each with the deck that refutes it --------------------------------------


class SafeStock(Deal):
    """Safe cards go up from the stock as it is, too."""

    def closed(self, position):
        while True:
            position = super().closed(position)
            safe = self.foundations(position.up).safe
            plays = {} if position.waste is None else dict(self.plays(position.places, position.waste))
            card = next((card for card in plays if card & safe), None)
            if card is None:
                return position
            up, left, places, _ = position
            position = Position(up | card, left, places & ~self.place_of[card], plays[card])


class SafeByOthers(PlainDeal):
    """The other colour alone makes a card safe."""

    def _safe(self, heights):
        self.comes_back = False
        try:
            return super()._safe(heights)
        finally:
            self.comes_back = True


class OpenByNumber(Deal):
    """Of the relaxed stock those places are open that this pass would turn up."""

    def is_open(self, places, place):
        gone = (~places & (1 << place) - 1).bit_count()
        is_last = place == len(self.stock) - 1 or not places >> place + 1 & 1
        return (place + 1 - gone) % self.draw == 0 or is_last

    def _relaxed(self, places):
        found = sum(1 << place for place in range(len(self.stock)) if self.is_open(places, place))
        opened = self.cards_at(found & places)
        return Relaxed(opened, opened)


class OpenByDraws(OpenByNumber):
    """A play opens nothing below."""

    def is_open(self, places, place):
        gone = (~places & (1 << place) - 1).bit_count()
        return (place + 1) % self.draw <= gone or place == len(self.stock) - 1


class NothingForLikeCards(Deal):
    """Nothing is parked so that a covered card can go up."""

    def after_parking(self, position, view, relaxed):
        return super().after_parking(position, view._replace(face_up=view.bases & 3 * view.bare), relaxed)


class OneParked(Deal):
    """One card alone is parked."""

    def parked_sets(self, *told):
        return (cards for cards in super().parked_sets(*told) if cards.bit_count() < 2)


class NothingOpening(Deal):
    """All landings from the stock are deferrable."""

    def _relaxed(self, places):
        return super()._relaxed(places)._replace(opening=0)


class NothingBack(Deal):
    """Nothing comes back in the game of dead ends."""

    def is_dead_end(self, position):
        self.comes_back = False
        try:
            return is_dead_end(self, position)
        finally:
            self.comes_back = True


def proves_loss(deal, position):
    """Test if the moves of ``deal`` lead from a position to no win."""
    dead_end = getattr(deal, "is_dead_end", partial(is_dead_end, deal))
    seen, waiting = set(), [deal.closed(position)]
    while waiting:
        here = waiting.pop()
        if here.up == deal.deck:
            return False
        if here not in seen and not dead_end(here):
            seen.add(here)
            waiting += [deal.closed(after) for _, after in deal.followers(here)]
    return True


def deck(columns, stock, draw):
    columns = tuple(tuple(map(parse_card, column.split())) for column in columns.split(" | "))
    stock = tuple(map(parse_card, stock.split()))
    count = sum(map(len, columns)) + len(stock)
    return klondike.start("klondike", Deck(count // 4), columns, stock, klondike.Choices(draw=draw))


STRONGER = [
    (SafeStock, 0, "3C | 2D 4S | 2H 4C 3S", "AC 2S AD 4D 2C AS 3H AH 4H 3D", "3"),
    (OpenByNumber, 1, "3S | 4H 5S | 2S 2D 4C | 4S AS 3D 5D", "3H 3C AC 5H 2H AD AH 2C 4D 5C", "3"),
    (OpenByDraws, 1, "3H | 2D AC | AD 3D 2C", "2H AH AS 4S 3S 2S 4C 3C 4D 4H", "3"),
    (
        NothingForLikeCards, 1, "5S | AC 2H | 6S 3D AD | 4H 6C 4S AS | AH 6D 6H 5C 3C",
        "3S 3H 2D 2S 2C 4C 5H 5D 4D", "1",
    ),
    (
        OneParked, 1, "4C | AH 2H | AC AS 3C | 5D 2D AD 5H", "2S 4H 5S 5C 3S 4S 3H 2C 3D 4D", "1",
    ),
    (NothingOpening, 1, "AH | 4C 3C | AD 4D 2S | 2D 4S 3H AS", "2H 3S 2C AC 3D 4H", "3"),
    (NothingBack, 1, "2S | 2D 3C | AC 4H 4C | AS 4D 2C 3S", "AH 3H AD 2H 3D 4S", "1"),
    (
        SafeByOthers, 1, "AH | 3S 2S | 4H 6H 5C | 2H 4C 6C 6S | 4D 6D AD 2D 5S",
        "3C AS AC 3D 4S 2C 5D 3H 5H", "1",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("form", "relaxed", "columns", "stock", "draw"), STRONGER)
def test_stronger_forms_would_prove_what_is_false(form, relaxed, columns, stock, draw):
    state = deck(columns, stock, draw)
    assert find_kernel(find_variant("klondike"))(Limits()).solve(state).won
    for deal, is_proved in ((Deal(state), False), (form(state), True)):
        start = deal.start._replace(waste=None) if relaxed else deal.start
        assert proves_loss(deal, start) == is_proved, form


# --- Attacks: each is refused for that check alone ----------------------------------------------------

SHORT = (26, 4, "CDH", (1, 2, 3))
AGREED = {"draw": "3", "passes": "2", "worrying_back": "yes"}


def short_certificate():
    """The certificate of a short deck with limited passes: its classes are of the relaxed stock."""
    variant = find_variant("klondike")
    return made(variant, variant.deal(*SHORT, choices=AGREED))


def with_header(**fields):
    text = short_certificate()
    text.header = {name: value for name, value in (text.header | fields).items() if value is not None}
    return text


def with_line(line):
    text = short_certificate()
    text.lines.append(line)
    return text.count()


DEALT = "---- r0 w sAC4D4H3CAD2H 3H AH/2C 4C2D/3D"
ATTACKS = [
    *(
        (with_line, (line,), why)
        for line, why in {
            "up AC: -A2- 103 f 0.0": "unknown reason 'up AC'",
            "bound: -A2- 103 f 0.0": "unknown reason 'bound'",
            "moves: -A2- 103 f": "expected foundations, columns, stock and waste",
            "moves: -A2- 10 f *": "expected foundations, columns, stock and waste",
            "moves: -A2- 1030 f *": "expected foundations, columns, stock and waste",
            "moves: -A2 103 f *": "expected four foundations",
            "moves: 5--- 123 3f *": "rank '5': not in the deck",
            "moves: ---A 123 3f *": "foundations: S: expected at most 0 cards, got 1",
            "moves: ---- 124 3f *": "column 3: expected what was dealt",
            "moves: ---- 12/ 3f *": "substring not found",
            "moves: -A2- 101 f *": "column 3: expected what was dealt, and no king alone",
            "moves: ---- 123 7f *": "expected 6 places of the stock",
            "moves: ---- 123 -f *": "expected 6 places of the stock",
            "moves: ---- 123 3F 0.0": "not in normal form",
            "moves: ---- 123 03f 0.0": "not in normal form",
            "moves: -A2- 103 b 0.00": "not in normal form",
            "moves: -A2- 103 b 4": "expected the redeals where passes are limited",
            "moves: -A2- 103 b 0.-1": "expected the redeals where passes are limited",
            "moves: -A2- 103 b -1.0": "expected the redeals where passes are limited",
            "moves: -A2- 103 b 0.4": "expected up to 3 cards in the waste",
            "moves: -A2- 103 b 2.0": "and redeals that there can be",
            "moves: -A2- 103 0 0.1": "expected up to 0 cards in the waste",
            "moves: -A2- 103 0 1.0": "not in normal form|expected each card",
            "moves: --A- 123 3f *": "expected each card in one place",
            "moves: A--- 123 3f *": "expected each card in one place",
            "moves: -3-- 123 f *": "expected each card in one place",
            "moves: ---- 000 3f *": "and on one that it may lie on",
            "moves: ---- 123 0 *": "and on one that it may lie on",
            "moves: 444- 000 0 *": "it refutes the claim",
            "moves: 444- 000 0 0.0": "it refutes the claim",
        }.items()
    ),
    *(
        (with_header, tuple(fields.items()), why)
        for fields, why in [
            ({"choices": AGREED | {"draw": "8"}}, "choices: draw: expected 3 or 1"),
            ({"choices": AGREED | {"passes": "6"}}, "choices: passes: expected"),
            ({"choices": AGREED | {"worrying_back": "maybe"}}, "choices: worrying_back: expected yes or no"),
            ({"choices": AGREED | {"exchange": "turned"}}, "choices: expected draw and passes"),
            ({"choices": {"draw": "3", "passes": "2"}}, "expected draw and passes and worrying_back"),
            ({"choices": None}, "choices: expected an object, got nothing"),
            ({"claim": "exact score", "value": 3, "line": []}, "claim 'exact score': expected unwinnable"),
            ({"claim": "at least", "value": 3}, "claim 'at least': expected unwinnable"),
            ({"dealt": None}, "dealt: missing"),
            ({"dealt": DEALT.replace(" r0", "")}, "expected the redeals, such as r0, got 'w'"),
            ({"dealt": DEALT.replace("r0", "r2")}, "2 redeals are too many for 2 passes"),
            ({"dealt": DEALT.replace("r0", "r1")}, "the start is not its normal form"),
            ({"dealt": DEALT.replace("r0", "rx")}, "expected the redeals, such as r0, got 'rx'"),
            ({"dealt": DEALT.replace("r0", "r00")}, "expected the redeals, such as r0, got 'r00'"),
            ({"dealt": DEALT.replace("w sAC", "wAC s")}, "the start is not its normal form"),
            ({"dealt": DEALT.replace("AC4D", "4D")}, "AC is missing"),
            ({"dealt": DEALT.replace("AC4D", "ACAC4D")}, "card AC once too often"),
            ({"dealt": DEALT.replace("4C2D/3D", "4C2D3D/")}, "expected a face-up card"),
            ({"dealt": DEALT.replace("4C2D/3D", "4C/2D3D")}, "3D cannot lie on 2D"),
            ({"dealt": DEALT.replace(" 3H", "")}, "card 3H is missing"),
            ({"dealt": DEALT.replace(" 3H", "").replace(" s", " s3H")}, "expected 3 columns, empty ones"),
            ({"dealt": DEALT.replace("----", "---A")}, "foundations: S: expected at most 0 cards, got 1"),
            ({"start": "---- 123 3f *"}, "the start is not its normal form"),
            ({"start": "---- 123 3f 0.3"}, "the start is not its normal form"),
            *(({"lemmas": [*ALWAYS[:at], *ALWAYS[at + 1 :]]}, "expected the lemma") for at in range(6)),
            ({"lemmas": [*ALWAYS, "order of columns"]}, "lemma 'order of columns': not one of klondike"),
            ({"game": "klondike-one-pass"}, "lemma 'classes': not one of klondike-one-pass"),
        ]
    ),
]  # fmt: skip


def attack(make, told):
    return make(*told) if make is with_line else make(**dict(told))


@pytest.mark.parametrize(("make", "told", "why"), ATTACKS)
def test_each_check_refuses_what_it_is_for(tmp_path, make, told, why):
    assert any(part in str(refusal(tmp_path, attack(make, told))) for part in why.split("|"))


def test_the_start_is_listed_or_settled(tmp_path):
    text = short_certificate()
    assert refusal(tmp_path, text) is None
    text.lines = []
    assert refusal(tmp_path, text.count()) == "the position of the deal is not listed"


def test_the_stock_of_a_seed_is_in_its_order(tmp_path):
    """The class of the start does not tell the order of the stock."""
    variant = find_variant("klondike")
    text = made(variant, variant.deal(44), seed=44)
    assert refusal(tmp_path, text) is None
    front, _, rest = text.header["dealt"].partition(" s")
    text.header["dealt"] = f"{front} s{rest[2:4]}{rest[:2]}{rest[4:]}"
    assert "not the deal of seed 44" in refusal(tmp_path, text)
