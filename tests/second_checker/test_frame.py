"""The frame of certificates in the second checker: claims, positions, and printed sentences. The tests of the
first checker call it too."""

import gzip
import json
import random
import subprocess
from dataclasses import replace

import pytest
from tests.checker.certificates import Text, refusal
from tests.positions import random_joker_position
from tests.second_checker.asking import accepts, answer, compiled

from winnable.rules import BoardError, find_variant
from winnable.rules.cards import format_card
from winnable.rules.joker import OPEN_ACE, OUT_OF_PLAY, UNDECLARED, Choices, Joker
from winnable.solver.certificates.notation import dealt_text

EXPOSED = {"exchange": "exposed", "removal": "undeclared"}
ORDER = ["order of columns"]
LIKE = [*ORDER, "like cards"]


def certificate(game, shape, lines, lemmas, claim="unwinnable", start=None, **fields):
    """A certificate of a short deck; its shape is the ranks, the suits and the number of columns."""
    ranks, suits, columns = shape
    header = {
        "certificate": 1, "game": game, "choices": EXPOSED if game == "joker" else {}, "ranks": ranks,
        "suits": suits, "columns": columns, "start": lines[0].partition(": ")[2] if start is None else start,
        "claim": claim, "lemmas": lemmas, "positions": len(lines),
    }  # fmt: skip
    return Text(header | fields, lines)


ONE, TWO = (2, "C", 1), (2, "C", 2)
LOST = {
    "fortress": certificate("fortress", ONE, ["moves: A AC2C"], ORDER),
    "chessboard": certificate("chessboard", (3, "C", 1), ["moves: - 3CAC2C", "moves: 2 3CAC"], ORDER),
    "joker": certificate("joker", ONE, ["moves: ---- bx rx w s AC/2C"], LIKE),
    "klondike-one-pass": certificate("klondike-one-pass", ONE, ["bound: ---- w s AC/2C"], [*LIKE, "bound"]),
    "loose cards": certificate("simple-simon", ONE, ["relaxed: AC2C"], [*ORDER, "loose cards"], dealt="AC2C"),
    "classes": certificate("simon-jester", ONE, ["arranged: AC2C"], [*ORDER, "arrangements"], dealt="AC2C"),
    "positions": certificate("simon-jester-triangular", ONE, ["moves: AC2C"], ORDER, dealt="AC2C"),
    "fewest moves": certificate(
        "fortress", ONE, ["2 bound: A 2CAC"], [*ORDER, "bound"], "fewest moves",
        value=2, line=["AC 1-f", "2C 1-f"], dealt="A 2CAC",
    ),
    "at least": certificate(
        "chessboard", ONE, ["2 base: - 2CAC", "2 bound: A 2CAC", "2 bound: 2 2CAC"],
        [*ORDER, "bound", "chosen base"], "at least", value=2,
    ),
    "moves of simple-simon": certificate(
        "simple-simon", TWO, ["1 bound: 2C AC"], [*ORDER, "bound"], "fewest moves",
        value=1, line=["AC 1-2"], dealt="AC 2C",
    ),
    "exact score": certificate(
        "klondike-one-pass", (3, "C", 1), ["moves: ---- w s 2C3C/AC", "moves: A--- w s 2C/3C"], LIKE,
        "exact score", value=1, line=["AC 1-f"], dealt="---- w s 2C3C/AC",
    ),
}  # fmt: skip


def changed(name, **fields):
    """A copy of a certificate with changed header fields; those that are None are left out."""
    text = LOST[name].copy()
    text.header = {key: value for key, value in (text.header | fields).items() if value is not None}
    return text


def said(program, text, *arguments):
    return answer(program, text.content(), *arguments)


def refuses(program, text, why):
    told = said(program, text)
    assert told.startswith("refused: ")
    assert why in told


@pytest.fixture(scope="module")
def program():
    return compiled() or pytest.skip("no C compiler")


@pytest.mark.parametrize("name", LOST)
def test_both_checkers_tell_the_same(tmp_path, program, name):
    assert refusal(tmp_path, LOST[name]) is None
    assert said(program, changed(name, **{"made by": "hand", "dealer": "none"})) == said(program, LOST[name])


def test_games_without_choices_may_say_so_or_nothing(program):
    assert accepts(program, changed("fortress", choices=None).content())
    refuses(program, changed("fortress", choices=EXPOSED), "choices")


# --- The header ---------------------------------------------------------------------------------------------


def test_spaces_and_the_order_of_members_mean_nothing(program):
    header, *lines = LOST["fortress"].content().decode().splitlines()
    members = dict(reversed(json.loads(header).items()))
    other = json.dumps(members, separators=(" , ", " : ")).replace("{", "{  ").replace("}", " }")
    content = "\n".join([other, *lines, ""]).encode()
    assert answer(program, content) == said(program, LOST["fortress"])


def test_lines_are_printable_and_of_limited_length(program):
    content = LOST["fortress"].content()
    assert accepts(program, content)
    for old, new in ((b"\n", b"\r\n"), (b"moves", b"m\0ves"), (b"moves", b"m\xf6ves"), (b"end", b"end ")):
        assert not accepts(program, content.replace(old, new))
    for other in (
        b"", b"end\n", content + b"\n", b"\n" + content, content + content, content[:-1], content[:-2],
        content[:20], content[20:], content + b"end\n", gzip.compress(content),
    ):  # fmt: skip
        assert not accepts(program, other)
    longest = 65535 - len(json.dumps(changed("fortress", dealer="").header))
    assert accepts(program, changed("fortress", dealer="x" * longest).content())
    refuses(program, changed("fortress", dealer="x" * (longest + 1)), "too long")


LEMMAS_APART = [
    ("loose cards", ["arrangements"]), ("loose cards", ["bound"]), ("positions", ["bound"]),
    ("classes", ["loose cards"]), ("classes", ["bound"]), ("moves of simple-simon", ["loose cards"]),
    ("moves of simple-simon", ["arrangements"]), ("moves of simple-simon", ["room"]),
    ("joker", ["must go up"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "more"), LEMMAS_APART)
def test_lemmas_that_do_not_go_together_are_refused(program, name, more):
    refuses(program, changed(name, lemmas=[*LOST[name].header["lemmas"], *more]), "line 1: ")


# --- The position claimed about -----------------------------------------------------------------------------


def test_all_columns_are_dealt(program):
    """F3b."""
    refuses(program, changed("loose cards", dealt="AC2C -"), "dealt")
    refuses(program, changed("loose cards", columns=2), "dealt")
    refuses(program, changed("fewest moves", dealt="A 2C AC"), "dealt")


NO_POSITIONS = [
    ("fortress", "A AC"), ("fortress", "A ACAC2C"), ("fortress", "- AC2C"), ("fortress", "2 AC2C"),
    ("fortress", "A AC 2C"), ("fortress", "A AC2C "), ("fortress", "A AC3C"), ("fortress", "A  AC2C"),
    ("chessboard", "- 3CAC"), ("chessboard", "2 3CAC2C"), ("chessboard", "4 3CAC"), ("chessboard", "3 3C"),
    ("klondike-one-pass", "--2- w s AC/2C"), ("klondike-one-pass", "2--- w s AC/2C"),
    ("klondike-one-pass", "---- w s AC2C"), ("klondike-one-pass", "---- w s AC2C/"),
    ("klondike-one-pass", "---- w s AC/AC"), ("klondike-one-pass", "---- bx rx w s AC/2C"),
    ("klondike-one-pass", "---- wAC s AC/2C"), ("klondike-one-pass", "---- w s/2C"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "start"), NO_POSITIONS)
def test_a_start_that_is_no_position_is_refused(program, name, start):
    """Attacks F3c and F3e."""
    refuses(program, changed(name, start=start), "expected a position of the game")


def test_a_base_is_listed_before_cards_are_up_where_moves_are_counted_alone(program):
    text = changed("at least", claim="unwinnable", value=None, lemmas=ORDER)
    text.lines = ["moves: A 2CAC", "moves: - 2CAC", "moves: 2 2CAC"]
    refuses(program, text, "line 2: expected a position")
    refuses(program, changed("at least", start="2 2CAC"), "expected a position of the game")


def joker(start, shape=(3, "CDS", 3), choices=EXPOSED):
    """The answer for a position of joker: a refusal unless it is valid, since nothing is listed."""
    lines = [f"moves: {start}"]
    return certificate("joker", shape, lines, LIKE, "exact score", "", value=0, line=[], dealt=start,
                       choices=choices)  # fmt: skip


def is_position(program, text):
    return "expected a position" not in said(program, text)


JOKERS = [
    # F2: cards on an undeclared joker, one twice, one missing.
    ("---- b- rx w sAC2C3CAD2D3DAS2S3S XB - -", True), ("---- b- rx w sAC2C3CAD2D3DAS2S XB3S - -", False),
    ("---- b- rx w sAC2C3CAD2D3DAS2S3S3S XB - -", False), ("---- b- rx w sAC2C3CAD2D3DAS2S XB - -", False),
    ("---- b- rx w sAC2C3CAD2D3DAS2S XB 3S -", True), ("---- b- rx w sAC2C3CAD2D3DAS2S 3SXB - -", False),
    ("---- b- rx w sAC2C3CAD2D3DAS2S 3S/XB - -", True),
    # F4: a card on itself.
    ("---- bx rx w sAC2C3CAD2DAS2S3S 3D3D - -", False),
    # Where jokers of each condition lie.
    ("---- b=3 rx w sAC2C3CAD3DAS2S3S XB2D - -", True), ("---- b=2 rx w sAC2C3CAD3DAS2S3S XB2D - -", False),
    ("---- b=3 rx w sXBAC2C3CAD2D3DAS2S3S - - -", False), ("---- b- rx w sXBAC2C3CAD2D3DAS2S3S - - -", True),
    ("---- b=3 rx wXB sAC2C3CAD2D3DAS2S3S - - -", False), ("---- b- rx wXB sAC2C3CAD2D3DAS2S3S - - -", True),
    ("---- b=4 rx w sAC2C3CAD2D3DAS2S3S XB - -", False), ("---- bx rx w sAC2C3CAD2D3DAS2S3S XB - -", False),
    ("---- bA rx w sAC2C3CAD2D3DAS2S3S XB - -", False), ("---- b- rx w sAC2C3CAD2D3DAS2S3S - - -", False),
    ("---- bA rx w sAC2C3CAD2D3DAS2S3S - - -", True), ("A--A bA rx w s2C3CAD2D3D2S3S - - -", None),
    # Places: of the colour, at or below the top, no ace alone; not while the card lies face up.
    ("2--- b2C rx w s2C3CAD2D3DAS2S3S - - -", True), ("2--- bAC rx w sAC3CAD2D3DAS2S3S - - -", True),
    ("2--- b3C rx w s3CAD2D3DAS2S3S - - -", False), ("A--- bAC rx w sAC2C3CAD2D3DAS2S3S - - -", False),
    ("2--- bx r2C w s2C3CAD2D3DAS2S3S - - -", False), ("--A- bAH rx w s2C3CAD2D3DAS2S3S - - -", False),
    ("2--- b2C rx w s3CAD2D3DAS2S3S 2C - -", None), ("2--- b2C rx w s3CAD2D3DAS2S3S 2C/3D - -", False),
    # What a joker stands for: some card that is not up, and not the top of the waste.
    ("---- b=3 rx w sAC2CAD2D3DAS2S XB 3C 3S", None), ("---- b=3 rx w sAC2CAD2D3DAS2S3S XB 3C -", True),
    ("---- b=3 rx w3C sAC2CAD2D3DAS2S3S XB - -", None), ("---- b=3 rx w3CAC s2CAD2D3DAS2S3S XB - -", True),
    ("2--- b2C rx w2C s3CAD2D3DAS2S3S - - -", None), ("---- bA rx wAS sAC2C3CAD2D3D2S3S - - -", False),
    ("A--- bA rx wAS s2C3CAD2D3D2S3S - - -", False), ("---- bA rx wAD sAC2C3C2D3DAS2S3S - - -", True),
]  # fmt: skip


@pytest.mark.parametrize(("start", "is_one"), JOKERS)
def test_the_conditions_of_jokers(program, start, is_one):
    """``is_one`` is None for positions that are valid only if cards are exchanged when turned."""
    assert is_position(program, joker(start)) == bool(is_one)
    if is_one is None:
        assert is_position(program, joker(start, choices=EXPOSED | {"exchange": "turned"}))


def twisted(rng, state):
    """A position with one change, which may make it impossible."""
    natural = rng.choice([card for card in state.deck.cards() if card < 52])
    conditions = [UNDECLARED, OPEN_ACE, OUT_OF_PLAY, Joker(rank=natural // 4), Joker(place=natural)]
    change = rng.randrange(4)
    if change == 0 and state.deck.jokers:
        jokers = list(state.jokers)
        jokers[rng.randrange(2)] = rng.choice(conditions)
        return replace(state, jokers=tuple(jokers))
    if change == 1:
        heights = list(state.foundations)
        heights[natural % 4] = rng.randint(0, state.deck.ranks)
        return replace(state, foundations=tuple(heights))
    if change == 2:
        hidden = [rng.randint(0, max(0, len(column) - 1)) for column in state.columns]
        return replace(state, hidden=tuple(hidden))
    piles = [*state.columns, state.stock, state.waste]
    cards = [card for pile in piles for card in pile]
    if len(cards) > 1:
        one, other = rng.sample(cards, 2)
        swapped = {one: other, other: one}
        piles = [tuple(swapped.get(card, card) for card in pile) for pile in piles]
    return replace(state, columns=tuple(piles[:-2]), stock=piles[-2], waste=piles[-1])


def is_state(state):
    try:
        family = find_variant(state.variant).family
        return family.from_board(state.variant, family.marked_board(state), state.choices) == state
    except BoardError:
        return False


@pytest.mark.full
@pytest.mark.parametrize("name", ["joker", "klondike-one-pass"])
def test_a_position_is_one_of_the_readable_rules(program, name):
    rng, counts = random.Random(name), {True: 0, False: 0}
    for number in range(300):
        choices = Choices(("exposed", "turned")[number % 2] if name == "joker" else "turned")
        state = random_joker_position(rng, name, choices)
        shape = state.deck.ranks, state.deck.suits, len(state.columns)
        agreed = EXPOSED | {"exchange": choices.exchange} if name == "joker" else {}
        for position in (state, twisted(rng, state)):
            text = joker(dealt_text(position), shape, agreed)
            text.header["game"] = name
            assert is_position(program, text) == is_state(position), dealt_text(position)
            counts[is_state(position)] += 1
    assert min(counts.values()) > 50


FACE_DOWN = [
    ((0, 1, 2, 3, 4, 5, 6), True), ((6, 0, 5, 1, 4, 2, 3), True), ((1, 1, 2, 3, 4, 5, 6), False),
    ((0, 0, 0, 0, 0, 0, 7), False), ((0, 0, 0, 0, 0, 6, 6), False), ((0, 0, 0, 0, 0, 0, 0), False),
]  # fmt: skip


@pytest.mark.parametrize(("sizes", "is_one"), FACE_DOWN)
def test_face_down_cards_of_a_full_deck_are_no_more_than_were_dealt(program, sizes, is_one):
    """With one face-up card on each column and the rest in the stock: 24 cards, or too many."""
    cards = [format_card(card) for card in find_variant("klondike-one-pass").deck().cards()]
    random.Random(0).shuffle(cards)
    words = []
    for size in sizes:
        words.append("".join(cards[:size]) + "/" * (size > 0) + cards[size])
        cards = cards[size + 1 :]
    text = joker(f"---- w s{''.join(cards)} {' '.join(words)}", (13, "CDHS", 7), {})
    text.header["game"] = "klondike-one-pass"
    assert is_position(program, text) == is_one


# --- What is listed -----------------------------------------------------------------------------------------

LISTED = [
    ("fortress", "b : A AC2C", "no such reason"), ("fortress", "moves:A AC2C", "a reason, a colon"),
    ("fortress", "1 moves: A AC2C", "no such reason"), ("joker", "up XB: ---- bx rx w s AC/2C", "lemma"),
    ("classes", "moves: AC2C", "no such reason"), ("classes", "arranged: 2C", "as often"),
    ("classes", "arranged: AC2C + 3C", "expected a class"), ("classes", "arranged: AC2C +", "normal form"),
    ("classes", "arranged: AC2C + AC", "as often"), ("classes", "arranged: ", "meets the goal"),
    ("positions", "moves: AC2CAC", "expected a position"), ("loose cards", "relaxed: AC", "a position"),
    ("fewest moves", "bound: A 2CAC", "no number"), ("fewest moves", "00002 bound: A 2CAC", "no number"),
    ("fortress", "moves: A " + 1019 * "AC", "expected a position of the game"),
    ("fortress", "moves: A " + 1020 * "AC", "too long"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "line", "why"), LISTED)
def test_a_line_of_another_form_is_refused(program, name, line, why):
    """Attack F5, and reasons and numbers of other kinds of certificates."""
    text = LOST[name].copy()
    first, text.lines[0] = text.lines[0], line
    if line.partition(": ")[2] != first.partition(": ")[2]:
        text.lines.append(first)
    refuses(program, text.count(), why)


# --- An end -------------------------------------------------------------------------------------------------


def test_processor_time_has_a_limit(program):
    told = said(program, LOST["fortress"], "1e-9")
    assert told == "not finished within 1e-09 seconds of processor time"
    assert said(program, LOST["fortress"], "60") == said(program, LOST["fortress"])


@pytest.mark.parametrize("arguments", [["soon"], ["0"], ["-1"], ["nan"], [""], ["60", "60"]])
def test_another_limit_than_a_number_of_seconds_is_refused(program, arguments):
    asked = subprocess.run([program, *arguments], input=b"", capture_output=True, timeout=60)
    assert (asked.returncode, asked.stdout) == (2, b"")
    assert asked.stderr == f"expected a number of seconds, got {arguments[-1]}\n".encode()
