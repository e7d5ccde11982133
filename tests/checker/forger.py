"""A fuzzer of certificates, and the truth of their claims.

The forger makes true certificates of every game, kind and rule option, mostly of short decks and of
positions in the middle of play, and damages them by their grammar: positions, reasons, numbers, cards, header
fields one by one and in pairs. It also writes certificates of false claims, with a lemma wherever a move
would refute them. An accepted file must be true of the claim *as the checker prints it*: the sentence is
parsed here, and brute force decides.
"""

import dataclasses
import json
import random
import re
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

from tests.checker import simon as simon_kinds
from tests.checker.certificates import LOST, Text, claim_for, made
from tests.deals import KLONDIKE_CHOICES, wander
from tests.native import load
from tests.positions import CHOICES, random_joker_position

from winnable.checker import accept
from winnable.checker.accept import _game_of
from winnable.checker.klondike import ALWAYS
from winnable.rules import Board, find_variant, klondike
from winnable.rules.board import Slot
from winnable.rules.cards import RANKS, SUITS, make_card, parse_card
from winnable.rules.joker import Choices
from winnable.solver import Limits, Result, Verdict, find_shortest, solve
from winnable.solver.certificates import NoCertificate
from winnable.solver.certificates.notation import dealt_text

REDEALS = ("klondike", "klondike-draw-one", "klondike-vegas", "klondike-vegas-one")
GAMES = ("chessboard", "fortress", "joker", "klondike-one-pass", *REDEALS, "simple-simon", "simon-jester")
FULL = {
    "chessboard": (7, 8), "fortress": (1, 7), "joker": (142, 144), "klondike-one-pass": (638, 29),
    "klondike": (44, 60), "klondike-draw-one": (44, 223), "klondike-vegas": (56, 44),
    "klondike-vegas-one": (10,), "simple-simon": (45, 96), "simon-jester": (534, 667),
    "simon-jester-triangular": (138,),
}  # fmt: skip
"""Deals of the full deck with small certificates."""
SHAPES = [
    (2, "CDHS", (3, 3, 2)), (3, "CD", (3, 3)), (3, "CDH", (3, 3, 3)), (4, "CD", (4, 4)), (4, "CD", (3, 3, 2)),
    (3, "CH", (3, 2, 1)), (5, "CD", (4, 3, 3)), (4, "CS", (5, 3, 0)), (2, "CD", (2, 1, 1)), (3, "C", (2, 1)),
]  # fmt: skip
REDEALS_SHAPES = [
    (3, "CDHS", (1, 2)), (4, "CD", (2, 3)), (4, "CDHS", (3, 3, 3)), (4, "CH", (1, 2)), (5, "CDH", (1, 2, 3)),
    (5, "CS", (2, 1)), (3, "CDH", (3, 0, 2)), (4, "CDHS", (1, 2, 3, 4)), (6, "CD", (1, 2, 3)),
]  # fmt: skip
DOUBLE_SHAPES = [(2, "CD", (3, 3, 2)), (3, "CD", (4, 4, 4)), (3, "C", (3, 3, 0)), (2, "CDH", (4, 4, 4))]
MOST_STATES = 500_000
SMALL = Limits(nodes=1000)
"""Certificates that list more are not made."""
SENTENCE = re.compile(
    r"(?P<game>[a-z-]+)(?: \((?P<choices>[a-z0-9 ,]+)\))?"
    r"(?:, (?P<ranks>\d+) ranks of (?P<suits>[CDHS]+) in (?P<columns>\d+) columns)?"
    r", (?:seed (?P<seed>\d+)|the deal \[(?P<deal>[^\]]*)\])"
    r", (?P<kind>unwinnable|exact score|fewest moves|at least)"
    r"(?: \(at most (?P<most>\d+) of (?P<places>\d+) places\)| (?P<value>\d+)(?: of \d+ places| moves)?)?"
    r"(?P<lost> \(unwinnable\))?, [\d,]+ positions?; lemmas: [a-z ,]+"
)


# --- The truth ---------------------------------------------------------------------------------------------


def state_said(said):
    """The position that a printed sentence is about, from the regular expression's match ``said``."""
    variant = find_variant(said["game"])
    words = [word.rpartition(" ") for word in said["choices"].split(", ")] if said["choices"] else []
    choices = {name.replace(" ", "_"): value for name, _, value in words} or None
    if said["seed"] is not None:
        return variant.deal(int(said["seed"]), choices=choices)
    deck = variant.deck(int(said["ranks"] or 13), said["suits"] or SUITS)
    words = said["deal"].split(" ") if said["deal"] else []
    if variant.packed == "chessboard":
        first, *words = words
    elif variant.packed == "joker":
        front, words = words[: 5 if deck.jokers else 3], words[5 if deck.jokers else 3 :]
    elif variant.packed == "klondike":
        count = 3 + (choices["passes"] != "unlimited")
        front, words = words[:count], words[count:]
    columns = [() if word == "-" else column_said(word) for word in words]
    columns += [()] * (int(said["columns"] or len(variant.sizes)) - len(columns))
    board = Board(deck, tuple(columns))
    if variant.packed == "chessboard" and first != "-":
        held = {slot.card for column in columns for slot in column}
        board = board._replace(foundations=tops_said(variant.name, deck, RANKS.index(first), held))
    elif variant.packed == "joker":
        board = front_said(board, front)
    elif variant.packed == "klondike":
        board = front_said(board, front)._replace(redeals=int(front[1][1:]) if len(front) == 4 else 0)
    return variant.from_board(board, choices)


def column_said(word):
    below, _, above = word.rpartition("/")
    return tuple(
        Slot(parse_card(text[at : at + 2]), face_down=is_down)
        for text, is_down in ((below, True), (above, False))
        for at in range(0, len(text), 2)
    )


def tops_said(name, deck, base, held):
    """The tops of the foundations, given the cards that are in no column."""
    tops = {}
    for suit in map(SUITS.index, deck.suits):
        count = sum(make_card(rank, suit) not in held for rank in range(deck.ranks))
        top = RANKS[(base + count - 1) % deck.ranks]
        tops[SUITS[suit]] = "0" if not count else top if name == "fortress" else f"{RANKS[base]}:{top}"
    return tops


def front_said(board, front):
    """``board``, of Joker or Klondike, with the parts that are written before its columns."""
    tops = {suit: "0" if top == "-" else top for suit, top in zip(SUITS, front[0], strict=True)}
    tops = {suit: tops[suit] for suit in board.deck.suits}
    columns, removed = list(board.columns), []
    for name, word in zip(("XB", "XR"), front[1:3] if board.deck.jokers else (), strict=False):
        condition = word[1:]
        if condition == "x":
            removed.append(parse_card(name))
        elif condition[0] == "=":
            rank = RANKS.index(condition[1])
            for number, column in enumerate(columns):
                joker = parse_card(name)
                columns[number] = tuple(s._replace(rank=rank) if s.card == joker else s for s in column)
        elif condition != "-":
            tops[name] = condition
    waste, stock = (
        tuple(parse_card(word[at : at + 2]) for at in range(1, len(word), 2)) for word in front[-2:]
    )
    piles = {"waste": waste, "stock": stock, "removed": tuple(removed)}
    return board._replace(columns=tuple(columns), foundations=tops, **piles)


@lru_cache(maxsize=10_000)
def is_true(sentence):
    """Test if the claim of a printed sentence holds: by brute force with rules that neither a checker nor a
    search uses, or by the search if there are too many positions."""
    said = SENTENCE.fullmatch(sentence)
    assert said is not None, sentence
    state = state_said(said)
    variant = find_variant(state.variant)
    if variant.scoring:
        most = int(said["most"] if said["kind"] == "unwinnable" else said["value"])
        best = greatest(variant, state)
        tier = variant.scoring.tier_of(best, state.deck.places)
        if said["kind"] == "exact score":
            return best == most and (tier == "none") == bool(said["lost"])
        return best <= most and tier == "none"
    if variant.packed == "klondike":
        return not is_won(variant, state)
    moves = fewest(variant, state)
    if moves is None or said["kind"] == "unwinnable":
        return moves is None
    return moves >= int(said["value"]) if said["kind"] == "at least" else moves == int(said["value"])


def is_won(variant, state):
    """Test if a state of Klondike with redeals can be won, by rules that no search uses."""
    won = None if state.deck.is_full else load("klondike_brute").explore(state, 200_000)
    return solve(variant, state).verdict is Verdict.WINNABLE if won is None else won


def greatest(variant, state):
    """The greatest score that can be reached."""
    best = None if state.deck.is_full else load("joker_brute").explore(state, MOST_STATES)[0]
    if best is not None:
        return best
    result = solve(variant, state)
    assert result.exact
    return result.score


def fewest(variant, state):
    """The fewest moves to a win, None if there is none."""
    moves = None if state.deck.is_full else load(f"{variant.packed}_brute").explore(state, MOST_STATES)[0]
    if moves is not None:
        return None if moves < 0 else moves
    result = find_shortest(variant, state) if variant.copies == 1 else solve(variant, state)
    assert result.verdict is Verdict.UNWINNABLE or result.shortest
    return None if result.moves is None else len(result.moves)


# --- True certificates -------------------------------------------------------------------------------------


def position(rng, game):
    """A deal of a short deck, or a position some random moves later."""
    variant = find_variant(game)
    if variant.scoring and rng.random() < 0.7:
        return random_joker_position(rng, game, rng.choice(CHOICES) if game == "joker" else Choices(), 7)
    shapes = DOUBLE_SHAPES if variant.copies == 2 else REDEALS_SHAPES if game in REDEALS else SHAPES
    ranks, suits, sizes = rng.choice(shapes)
    if variant.scoring:
        ranks, suits = min(ranks, 3), suits[:2]
        sizes = (1, 2)[: 1 + (ranks > 2)]
    choices = some_choices(rng, game)
    state = variant.deal(rng.randrange(10**6), ranks, suits, sizes, choices)
    return wander(state, rng.choice([0, 0, 1, 2, 4]), rng.random())


def some_choices(rng, game):
    """Random rule options of a game; None for the default ones."""
    if game in REDEALS and rng.random() < 0.7:
        return {name: rng.choice(values) for name, values in KLONDIKE_CHOICES.items()}
    return rng.choice(CHOICES) if game == "joker" else None


def genuine(rng):
    """A true certificate of any game and kind, as `Text`."""
    while True:
        with suppress(NoCertificate, RuntimeError, ValueError):
            if rng.random() < 0.1:
                game = rng.choice(list(FULL))
                variant, seed = find_variant(game), rng.choice(FULL[game])
                choices = None if game in REDEALS else some_choices(rng, game)
                state = variant.deal(seed, choices=choices)
                text = _made(rng, variant, state, seed=seed if rng.random() < 0.7 else None)
            else:
                state = position(rng, rng.choice(GAMES))
                text = _made(rng, find_variant(state.variant), state)
            if rng.choice([-1, 0, 0, 0]) < len(text.lines) < rng.choice([20, 40, 60, 200]):
                return text


def _made(rng, variant, state, **options):
    kind = rng.random()
    options["limits"] = SMALL
    if variant.packed == "simon" and kind < 0.35 and not state.deck.is_full:
        make = simon_kinds.by_classes if kind < 0.15 else simon_kinds.by_positions
        return make(state, **options)
    if variant.scoring:
        result = solve(variant, state)
        if rng.random() < 0.3 and result.verdict is Verdict.UNWINNABLE:
            result = replace(result, exact=False)
        return made(state, result, **options)
    if kind > 0.6 and state.deck.places < 52:
        result = find_shortest(variant, state)
        if result.shortest and rng.random() < 0.5:
            result = Result(Verdict.WINNABLE, None, lower_bound=rng.randint(1, max(1, len(result.moves))))
        options["shortest"] = True
    else:
        result = LOST
    return made(state, result, plain=rng.random() < 0.3 and variant.packed != "simon", **options)


# --- False claims with reasons that hide it ----------------------------------------------------------------


def false_claim(rng):
    """A certificate of a false claim, with the reason for each position that hides it best."""
    while True:
        state = position(rng, rng.choice(GAMES))
        variant = find_variant(state.variant)
        with suppress(ValueError):
            return _hidden(rng, variant, state)


def _hidden(rng, variant, state):
    if variant.scoring:
        best = greatest(variant, state)
        if best == 0:
            raise ValueError
        kind, value = "exact score", rng.randrange(best)
        lemmas = ["order of columns", "like cards", "safe move up", "bound"]
    elif variant.packed == "klondike":
        if not is_won(variant, state) or klondike.is_won(state):
            raise ValueError
        kind, value, lemmas = "unwinnable", None, ALWAYS
    else:
        moves = fewest(variant, state)
        counts = rng.random() < 0.5 and variant.copies == 1
        if not moves:
            raise ValueError
        kind, value = ("at least", moves + 1) if counts else ("unwinnable", None)
        kinds = [["bound"]] if counts else [[], ["loose cards"], ["arrangements"]]
        if variant.packed == "chessboard":
            kinds = [["must go up", "chosen base", "bound"] if counts else ["must go up"]]
        lemmas = ["order of columns", *rng.choice(kinds)]
    claim = claim_for(state, kind, tuple(lemmas), value)
    game = _game_of(claim)
    own = game.of_state(state)
    if variant.packed == "klondike" and rng.random() < 0.7:
        own = own._replace(waste=None)
    plain = "arranged" if "arrangements" in lemmas else "relaxed" if "loose cards" in lemmas else "moves"
    listed, waiting = {}, [(own, value)]
    while waiting and len(listed) < 200:
        here, number = waiting.pop()
        text = game.write(here)
        if text in listed or game.meets_goal(here):
            continue
        followers = [after for _, after in game.named(game.read(text), plain)]
        if variant.packed == "klondike":
            followers = [game.deal.closed(after) for after in followers]
        betrays = any(game.meets_goal(after) for after in followers)
        listed[text] = _reason(rng, text, plain, betrays)
        if kind == "at least":
            listed[text] = f"{max(0, number)} {listed[text]}"
        waiting += [(after, (number or 1) - 1) for after in followers]
    header = {
        "certificate": 1, "game": variant.name, "choices": dict(claim.choices), "ranks": state.deck.ranks,
        "suits": state.deck.suits, "columns": len(state.columns), "start": game.write(game.of_state(state)),
        "claim": kind, "lemmas": list(lemmas),
    }  # fmt: skip
    if value is not None:
        header["value"] = value
    if accept._family(variant).IS_DEALT_IN_FULL or kind == "exact score":
        header["dealt"] = dealt_text(state)
    if kind == "exact score":
        header["line"] = []
    return Text(header, [f"{reason}: {place}" for place, reason in listed.items()]).count()


def _reason(rng, text, plain, betrays):
    if not betrays and rng.random() < 0.8:
        return plain
    cards = re.findall(r"[A2-9TJQKX][CDHSBR](?= |$)", text) or ["AC"]
    return rng.choice([f"up {rng.choice(cards)}", "bound", "base", plain, f"up {rng.choice(cards)}"])


# --- Spoiling ----------------------------------------------------------------------------------------------

VALUES = {
    "certificate": [2, "1", 1.0], "game": [*GAMES, "simon-jester-triangular", "chess"],
    "seed": [0, 1, 15, 206, 2**64, 2**63, -1, "1", None], "ranks": [1, 2, 3, 4, 5, 12, 13, 14, 0, "13"],
    "suits": ["CDHS", "CD", "CDH", "CH", "C", "DC", "CC", "", 4, "CDHSX"],
    "columns": [1, 2, 3, 4, 7, 8, 9, 10, 13, 14, 0, 15, 10**9], "claim": [
        "unwinnable", "exact score", "fewest moves", "at least", "winnable", ""],
    "value": [0, 1, 2, 3, 14, 15, 24, 51, 52, 60, 9999, 10_000, "3", None, True, 10**30],
    "line": [[], ["AC 1-f"], "AC 1-f", [1], None], "dealt": ["", "-", "AC", None], "start": ["", "-", "A", 3],
    "choices": [{}, {"exchange": "turned"}, {"exchange": "exposed", "removal": "undeclared"},
        {"exchange": "turned", "removal": "undeclared"}, {"exchange": "turned", "removal": "exposed"},
        {"draw": "3"}, {"exchange": 3, "removal": "exposed"}, [], None,
        {"draw": "3", "passes": "unlimited", "worrying_back": "yes"},
        {"draw": "1", "passes": "unlimited", "worrying_back": "no"},
        {"draw": "0", "passes": "2", "worrying_back": "yes"},
        {"draw": 3, "passes": "0", "worrying_back": "yes"},
        {"draw": "3", "passes": "2", "worrying back": "yes"}],
    "lemmas": [[], ["order of columns"], ["order of columns", "like cards"], ["order of columns", "bound"],
        ["order of columns", "loose cards"], ["order of columns", "arrangements"], ["like cards"], "bound",
        ["order of columns", "like cards", "safe move up", "bound"], ["order of columns", "must go up"],
        ["order of columns", "must go up", "must go up"],
        ["order of columns", "chosen base", "bound", "must go up"], list(ALWAYS), list(ALWAYS[1:])],
    "positions": [0, 1, 10**19, "3", None], "made by": [1, "me"], "hint": [1],
}  # fmt: skip
"""Values of header fields, of which some fit."""


def line_of(rng, text):
    return rng.randrange(len(text.lines))


def change_lines(rng, text):
    """Leave out, double or swap lines."""
    one, other = line_of(rng, text), line_of(rng, text)
    if rng.random() < 0.3:
        text.lines.pop(one)
    elif rng.random() < 0.5:
        text.lines.insert(one, text.lines[other])
    else:
        text.lines[one], text.lines[other] = text.lines[other], text.lines[one]


def swap_reasons(rng, text):
    one, other = line_of(rng, text), line_of(rng, text)
    (a, b), (c, d) = (text.lines[at].split(": ") for at in (one, other))
    text.lines[one], text.lines[other] = f"{c}: {b}", f"{a}: {d}"


def change_reason(rng, text):
    at = line_of(rng, text)
    reason, _, place = text.lines[at].partition(": ")
    number = reason.partition(" ")[0]
    before = f"{number} " if number.isdigit() else ""
    cards = re.findall(r"[A2-9TJQKX][CDHSBR](?= |$)", place) or ["AC"]
    up = f"up {rng.choice(cards)}"
    words = ["moves", "bound", "base", "relaxed", "arranged", up, up, up, "up", "b ", "up XB", "up 10C", ""]
    text.lines[at] = f"{before}{rng.choice(words)}: {place}"


def change_numbers(rng, text):
    """Change the number of moves of one position, or of all positions and the claim."""
    by = rng.choice([-1, 1, 1, 2])
    every = rng.random() < 0.4
    for at in range(len(text.lines)) if every else [line_of(rng, text)]:
        number, _, rest = text.lines[at].partition(" ")
        if number.isdigit():
            text.lines[at] = f"{max(0, int(number) + by)} {rest}"
    if every and isinstance(text.header.get("value"), int):
        text.header["value"] += by


def change_card(rng, text):
    """Replace a card of a listed position by another, so that cards are duplicated, missing or of no deck."""
    at = line_of(rng, text)
    reason, _, place = text.lines[at].partition(": ")
    text.lines[at] = f"{reason}: {_with_another_card(rng, place)}"


def change_the_deal(rng, text):
    """Replace a card of the deal, and of the claimed position, too."""
    for key in ("start", "dealt"):
        if isinstance(text.header.get(key), str) and rng.random() < 0.8:
            text.header[key] = _with_another_card(rng, text.header[key])


def _with_another_card(rng, text):
    places = [match.start() for match in re.finditer("[A2-9TJQKX][CDHSBR]", text)]
    if not places:
        return text
    at, chance = rng.choice(places), rng.random()
    other = rng.choice(places)
    card = rng.choice([rng.choice(RANKS) + rng.choice(SUITS), "XB", "XR", text[other : other + 2]])
    if chance < 0.3:
        return text[:at] + card + text[at:]
    if chance < 0.5:
        return text[:at] + text[at + 2 :]
    return text[:at] + card + text[at + 2 :]


def rename_cards(rng, text):
    """Replace a card by another in the whole file, or exchange two cards."""
    one, other = (rng.choice(RANKS[:5]) + rng.choice(SUITS) for _ in range(2))
    both = rng.random() < 0.6

    def anew(word):
        swap = {one: other, other: one} if both else {one: other}
        return re.sub("[A2-9TJQKX][CDHSBR]", lambda match: swap.get(match[0], match[0]), word)

    text.lines = [anew(line) for line in text.lines]
    for key in ("start", "dealt"):
        if isinstance(text.header.get(key), str):
            text.header[key] = anew(text.header[key])
    if isinstance(text.header.get("line"), list):
        text.header["line"] = [anew(str(move)) for move in text.header["line"]]


def change_field(rng, text):
    key = rng.choice([*text.header, *VALUES])
    if rng.random() < 0.2:
        text.header.pop(key, None)
    else:
        text.header[key] = rng.choice(VALUES.get(key, [1, "x"]))


def change_lemmas(rng, text):
    lemmas = text.header["lemmas"]
    if rng.random() < 0.5:
        lemmas.remove(rng.choice(lemmas))
    else:
        lemmas.append(rng.choice(["must go up", "chosen base", "bound", "like cards", "safe move up",
            "loose cards", "arrangements", "wasted moves", "room", "order of moves"]))  # fmt: skip


def change_choices(rng, text):
    if text.header.get("game") in REDEALS:
        text.header["choices"] = {name: rng.choice(values) for name, values in KLONDIKE_CHOICES.items()}
    else:
        text.header["choices"] = dataclasses.asdict(rng.choice(CHOICES))


def change_columns(rng, text):
    """Add or remove a column, in the deal too."""
    by = rng.choice([-1, 1, 1, 2])
    text.header["columns"] += by
    words = text.header["dealt"].split(" ")
    text.header["dealt"] = " ".join(words + ["-"] * by if by > 0 else words[:-1])


def change_claim(rng, text):
    """Change the kind of the claim with the fields that belong to it."""
    kind = rng.choice(["unwinnable", "exact score", "fewest moves", "at least"])
    text.header["claim"] = kind
    if kind == "unwinnable":
        text.header.pop("value", None)
    elif "value" not in text.header:
        text.header["value"] = rng.randrange(20)
    if kind in ("exact score", "fewest moves"):
        text.header.setdefault("line", [])
        text.header.setdefault("dealt", text.header.get("start"))
    else:
        text.header.pop("line", None)
        if "simon" not in str(text.header.get("game")) and text.header.get("game") not in REDEALS:
            text.header.pop("dealt", None)


def cut_the_line(rng, text):
    line = text.header["line"]
    at = rng.randrange(len(line))
    text.header["line"] = rng.choice([line[:at], [*line[:at], *line[at + 1 :]], [*line, line[at]]])


def start_elsewhere(rng, text):
    place = rng.choice(text.lines).partition(": ")[2]
    text.header["start"] = place
    if rng.random() < 0.5:
        text.header.pop("seed", None)
    if "dealt" in text.header:
        text.header["dealt"] = place + " -" * min(20, text.header["columns"] - len(place.split(" ")))


def drop_the_seed(rng, text):
    text.header.pop("seed", None)


def change_class(rng, text):
    """Change a digit in a position of Klondike with redeals, or the waste; perhaps in the start, too."""
    at = line_of(rng, text)
    reason, _, place = text.lines[at].partition(": ")
    words = place.split(" ")
    number = rng.randrange(len(words))
    if rng.random() < 0.3:
        words[-1] = rng.choice(["*", "0", "1", "3", "0.0", "0.2", "1.1", "2.0", "00", "-1", "1."])
    else:
        word = words[number]
        digit = rng.randrange(len(word))
        words[number] = word[:digit] + rng.choice("-A2345601234567890abcdef") + word[digit + 1 :]
    text.lines[at] = f"{reason}: {' '.join(words)}"
    if rng.random() < 0.3:
        text.header["start"] = " ".join(words)
    if rng.random() < 0.2:
        dealt, at = text.header["dealt"], rng.randrange(10)
        text.header["dealt"] = dealt[:at] + rng.choice("-A2r012w") + dealt[at + 1 :]


def change_character(rng, text):
    at = line_of(rng, text)
    line = text.lines[at]
    place = rng.randrange(len(line) + 1)
    text.lines[at] = line[:place] + rng.choice("A2KCDHSX/ -:+mu=\t\0") + line[place + rng.randrange(2) :]


OF_POSITIONS = [*[change_lines] * 3, swap_reasons, *[change_reason] * 2, change_numbers, change_card]
OF_BOTH = [
    change_the_deal, rename_cards, change_field, change_field, change_lemmas, change_choices, change_columns,
    change_claim, cut_the_line, start_elsewhere, drop_the_seed, change_character,
]  # fmt: skip


def damage(rng, text):
    """Damage a copy in one to three ways; return the names of these ways and the copy."""
    copy, names = text.copy(), []
    own = [*OF_POSITIONS, *[change_class] * 2 * (copy.header.get("game") in REDEALS)]
    for _ in range(rng.choice([1, 1, 2, 2, 3])):
        change = rng.choice(own if rng.random() < 0.5 else OF_BOTH)
        names.append(change.__name__)
        with suppress(KeyError, TypeError, AttributeError, ValueError, IndexError):
            change(rng, copy)
    if rng.random() < 0.9:
        copy.header["positions"] = len(copy.lines)
    return "+".join(names), copy


def damage_content(rng, content):
    """Damage the text of a file by its grammar: the header's JSON, the end, or text after it."""
    header, _, rest = content.partition(b"\n")
    fields = json.loads(header)
    key = rng.choice(list(fields))
    again = f', "{key}": {json.dumps(rng.choice([fields[key], *VALUES.get(key, [])]))}}}'
    headers = [
        header[:-1] + again.encode(),
        header.replace(b": ", rng.choice([b":", b" :  ", b":\t"])),
        header.replace(b"A", b"\\u0041"),
        header[:-1] + b', "x": ' + rng.choice([b"[[[]]]", b"1e9", b"NaN", b"{}"]) + b"}",
        b" " * rng.randrange(3) + header + b" " * rng.randrange(1, 70_000),
        header[: rng.randrange(len(header))],
    ]
    contents = [
        content + rng.choice([b"end\n", b"\n", b"x", b" "]), content[:-1], content.replace(b"\n", b"\r\n"),
        content[: rng.randrange(len(content))], with_flipped_bits(rng, content),
    ]  # fmt: skip
    return rng.choice([*contents, *(other + b"\n" + rest for other in headers)])


def with_flipped_bits(rng, content):
    damaged = bytearray(content)
    for _ in range(rng.choice([1, 1, 2])):
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def forged(seed, pool):
    """The forgery with number ``seed``: the names of its changes and the content of the file. ``pool`` holds
    genuine certificates, to which more are added while there are few."""
    rng = random.Random(seed)
    if len(pool) < 40 or rng.random() < 0.003:
        pool.append(genuine(rng))
        del pool[:-400]
    if rng.random() < 0.005:
        text, names = false_claim(rng), ["false claim"]
        if rng.random() < 0.5:
            more, text = damage(rng, text)
            names.append(more)
        return "+".join(names), text.content()
    text = rng.choice(pool)
    if rng.random() < 0.02:
        return "", text.content()
    if rng.random() < 0.06:
        return "content", damage_content(rng, text.content())
    names, copy = damage(rng, text)
    return names, copy.content()
