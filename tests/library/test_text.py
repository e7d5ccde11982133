"""The library reads and writes positions and moves as the program does."""

import ctypes
import random
import re
import subprocess

import pytest
from tests.children import HANG
from tests.compiled import SEARCHED, needs_kernels, searched_options
from tests.deals import SEED
from tests.library.building import built, compiled_program
from tests.native import load

from winnable.rules import find_variant
from winnable.rules.formats import read_deal
from winnable.rules.formats.text import Deal, format_deal

OK, MISUSE, BAD_POSITION, BAD_TEXT, BAD_MOVE = 0, 1, 5, 6, 7
RANDOM = f"WINNABLE_TEST_SEED={SEED}"
SHORT = [(13, "CDHS"), (5, "CDHS"), (4, "DS"), (3, "CDH"), (6, "H"), (2, "CDHS")]
pytestmark = [needs_kernels, pytest.mark.full]


class Move(ctypes.Structure):
    """A winnable_move."""

    _fields_ = [(name, ctypes.c_int8) for name in ("source", "target", "count", "suit", "rank")]


class Engine:
    """An engine of the library."""

    def __init__(self, name):
        self.library = ctypes.CDLL(str(built("libwinnable.so", "cc")))
        for function in ("winnable_open", "winnable_message"):
            getattr(self.library, function).restype = ctypes.c_void_p
        self.library.winnable_deal.argtypes = [ctypes.c_void_p, ctypes.c_uint64]
        self.engine = ctypes.c_void_p(self.library.winnable_open(name.encode()))
        assert self.engine

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.library.winnable_close(self.engine)

    def __getattr__(self, name):
        return lambda *values: getattr(self.library, f"winnable_{name}")(self.engine, *values)

    @property
    def message(self):
        return ctypes.string_at(self.library.winnable_message(self.engine)).decode()

    def text_of(self, size=2048):
        room = ctypes.create_string_buffer(size)
        assert self.library.winnable_text(self.engine, room, size) == len(room.value)
        return room.value.decode()

    def table(self):
        room = ctypes.create_string_buffer(4096)
        assert self.position(room) == OK
        return room.raw[: len(load("tables").table_of(find_variant("fortress").deal(1), "chessboard"))]

    def moves(self):
        """The legal moves by their texts."""
        room, named = (Move * 1600)(), {}
        for i in range(self.legal(room, 1600)):
            text = ctypes.create_string_buffer(16)
            assert self.move_text(ctypes.byref(room[i]), text, 16) == len(text.value) > 0
            assert text.value.decode() not in named
            named[text.value.decode()] = room[i]
        return named

    def read_text(self, text):
        """Read a position; raise an error with the message where it is refused."""
        if code := self.read(text.encode()):
            raise AssertionError(f"{code} {self.message}\n{text}")

    def origin_of(self):
        seed, made = ctypes.c_uint64(), ctypes.c_int()
        return (seed.value, made.value) if self.origin(ctypes.byref(seed), ctypes.byref(made)) else None


def numbers(move):
    """The fields of a winnable_move."""
    return tuple(getattr(move, name) for name, _ in Move._fields_)


def games(name, count, lengths):
    """Positions of random games under random rule options, partly of short decks, each with its game, the
    seed of its deal and the number of moves made."""
    variant, chance = find_variant(name), random.Random(f"{SEED} {name}")
    for number in range(count):
        rules = {option: chance.choice(values) for option, values in searched_options(name).items()}
        ranks, suits = chance.choice(SHORT) if number % 3 else SHORT[0]
        seed = chance.choice([chance.randrange(10**6), chance.randrange(1 << 64)])
        state = variant.deal(seed, ranks, suits, choices=rules if chance.randrange(3) else None)
        length = chance.choice(lengths)
        for made in range(length + 1):
            moves = variant.family.legal_moves(state)
            yield variant, state, seed, made
            if not moves or made == length:
                break
            state = variant.family.apply(state, preferred(variant, state, moves, chance))


def preferred(variant, state, moves, chance):
    """A random move, mostly one to the foundations, so that games get on."""
    up = [move for move in moves if variant.family.format_move(state, move).endswith("-f")]
    return chance.choice(up if up and chance.randrange(4) else moves)


def up_of(variant, state):
    """The cards on the foundations, or those that have left in runs."""
    if variant.scoring:
        return variant.family.score(state)
    return sum(map(len, variant.family.foundations_of(state)))


def is_settled_deal(state, made):
    """Return whether a short Simon deal has lost a run before the first move: Python refuses its text."""
    cards = sum(map(len, state.columns)) + len(getattr(state, "stock", ()))
    return made == 0 and cards < len(state.deck.cards())


@pytest.mark.parametrize("name", SEARCHED)
def test_positions_are_written_and_read_as_python_does(name):
    with Engine(name) as engine:
        for variant, state, seed, made in games(name, 60, [0, 1, 2, 5, 20, 50]):
            table = load("tables").table_of(state, variant.packed)
            assert engine.load(table) == OK, RANDOM
            assert engine.text_of() == format_deal(Deal(state)), RANDOM
            assert engine.table() == table, RANDOM
            assert engine.origin_of() is None
            text = format_deal(Deal(state, seed, None, made))
            if is_settled_deal(state, made):
                continue
            assert read_deal(variant, text.encode(), "t").state == state
            for written in (text, text.replace("\n", "\r\n"), f"\n# by me\n{text}\nrubbish: 1"):
                engine.read_text(written)
                assert engine.text_of() == text, RANDOM
                assert engine.table() == table, RANDOM
                assert engine.origin_of() == (seed, made), RANDOM
            engine.read_text(
                re.sub(r"\bT(?=[CDHS])", "10", format_deal(Deal(state))).lower().replace(" ", "  ")
            )
            assert engine.table() == table, RANDOM


@pytest.mark.parametrize("name", SEARCHED)
def test_moves_are_those_of_python(name):
    with Engine(name) as engine:
        for variant, state, seed, made in games(name, 12, [3, 30, 60]):
            if is_settled_deal(state, made):
                continue
            engine.read_text(format_deal(Deal(state, seed, None, made)))
            family = variant.family
            expected = {family.format_move(state, move): move for move in family.legal_moves(state)}
            found = engine.moves()
            assert set(found) == set(expected), RANDOM
            assert bool(engine.is_won()) == variant.family.is_won(state), RANDOM
            assert engine.cards_up() == up_of(variant, state), RANDOM
            for text, move in found.items():
                read = Move()
                for way in (text, text.lower(), f" {text}# so", text.replace("-", " - ").replace("T", "10")):
                    assert engine.read_move(way.encode(), ctypes.byref(read)) == OK, engine.message
                    assert numbers(read) == numbers(move), RANDOM
            for text in random.Random(made).sample(sorted(found), min(3, len(found))):
                engine.read_text(format_deal(Deal(state, seed, None, made)))
                assert engine.play(ctypes.byref(found[text])) == OK, engine.message
                after = Deal(family.apply(state, expected[text]), seed, None, made + 1)
                assert engine.text_of() == format_deal(after), (RANDOM, text)


# --- Refusals -------------------------------------------------------------------------------------------

KLONDIKE = format_deal(Deal(find_variant("klondike").deal(3)))
CHESSBOARD = format_deal(Deal(find_variant("chessboard").deal(3)))
FORTRESS = format_deal(Deal(find_variant("fortress").deal(3)))
SIMON = format_deal(Deal(find_variant("simple-simon").deal(3)))
JOKER = format_deal(Deal(find_variant("joker").deal(3)))
ENDGAME = "Ranks: 2\nSuits: CS\nExchange: turned\nAC\nAS\nFoundations: C-0 S-0\nWaste: XB XR 2C 2S\n"
FIELD = "line 1: expected cards, or a field of the game such as Ranks, got "
EACH = "line 1: expected each foundation once, such as C-3, got "
FROM_ACE = "line {}: expected foundations of the deck from the ace, such as C-3, got "
FROM_BASE = "line 2: expected ranks of the deck from one base, such as C-5:9, got "
TYPED = [
    ("klondike", "", "line 1: expected the cards of a column, got the end"),
    ("klondike", "# game: klondike\n\n\n", "line 3: expected the cards of a column, got the end"),
    ("klondike", FORTRESS, "line 1: this is a deal of fortress, not of klondike"),
    ("klondike", "# game: whist\n4D\n", "line 1: expected the game klondike, got whist"),
    ("klondike", "# seed: 3\n" * 2, "line 2: seed is written twice, first in line 1"),
    ("klondike", "# seed: 18446744073709551616\n", "line 1: expected a seed from 0 to 2^64 - 1, got "
     "18446744073709551616"),
    ("klondike", "# seed: -1\n", "line 1: expected a seed from 0 to 2^64 - 1, got -1"),
    ("klondike", "# seed:\n", "line 1: expected a seed from 0 to 2^64 - 1, got nothing"),
    ("klondike", "# moves made: 1000000000\n",
     "line 1: expected a number of moves below 10^9, got 1000000000"),
    ("klondike", "4D\n# seed: 3\n", "line 2: expected the header above the cards, got seed"),
    ("klondike", KLONDIKE.replace("QS 3C", "QS 1Z"), "line 3: expected a card such as 7H, got 1Z"),
    ("klondike", "7H XB\n", "line 1: expected a card such as 7H, got XB"),
    ("klondike", "7H 6S=5\n", "line 1: expected a card such as 7H, got 6S=5"),
    ("klondike", "<\n", "line 1: expected a card such as 7H, got <"),
    ("klondike", "<>\n", "line 1: expected a card such as 7H, got <>"),
    ("klondike", "7H <6S>\n", "line 1: expected face-down cards below the face-up ones, got <6S>"),
    ("klondike", "<6S> <7H>\n", "line 1: expected a face-up card on top, got <7H>"),
    ("klondike", "7H\x01\xe9" + "x" * 30, "line 1: expected a card such as 7H, got 7H??" + "x" * 16 + "..."),
    ("klondike", "7H " * 53, "line 1: expected no more cards than the deck has, got 7H"),
    ("klondike", "7H\nStock: " + "6S " * 53, "line 2: expected no more cards than the deck has, got 6S"),
    ("klondike", ":\n" * 8, "line 8: expected at most 7 columns, got one more"),
    ("klondike", "7H" + " " * 10_000, "line 1: expected at most 10000 characters, got more"),
    ("klondike", "7H\nStock: 6S\n   5D\n",
     "line 3: expected each pile on one line, and columns above all piles, got 5D"),
    ("klondike", "Stok: 7H\n", FIELD + "Stok"),
    ("klondike", "Removed: XB\n", FIELD + "Removed"),
    ("chessboard", "Stock: 7H\n", FIELD + "Stock"),
    ("chessboard", "<7H> 6S\n", "line 1: expected a card such as 7H, got <7H>"),
    ("klondike", "Stock: 7H\nStock: 6H\n", "line 2: Stock is written twice, first in line 1"),
    ("klondike", "Draw: 9\n", "line 1: expected one of 1 2 3 4 5 6 7, got 9"),
    ("klondike", "Draw: 1 2\n", "line 1: expected one of 1 2 3 4 5 6 7, got 1 2"),
    ("klondike", "Draw:\n", "line 1: expected one of 1 2 3 4 5 6 7, got nothing"),
    ("klondike", "Passes: sometimes and never\n", "line 1: expected one of unlimited 1 2 3 4 5, got "
     "sometimes and never"),
    ("klondike-one-pass", "Draw: 1\n", FIELD + "Draw"),
    ("klondike", "Ranks: 14\n", "line 1: expected 1 to 13 ranks, got 14"),
    ("klondike", "Ranks: 0\n", "line 1: expected 1 to 13 ranks, got 0"),
    ("klondike", "Suits: DC\n", "line 1: expected some of CDHS in this order, got DC"),
    ("klondike", "Suits:\n", "line 1: expected some of CDHS in this order, got nothing"),
    ("klondike", "Redeals: 100\n", "line 1: expected 0 to 99 redeals, got 100"),
    ("klondike", "Foundations: C-3 C-4\n", EACH + "C-4"),
    ("klondike", "Foundations: XB=A\n", EACH + "XB=A"),
    ("joker", "Foundations: XB=A XB=A\n", f"{EACH.removesuffix(', got ')} or XB=A, got XB=A"),
    ("chessboard", "Foundations: C-5:0\n", "line 1: expected each foundation once, such as C-5:9, got C-5:0"),
    ("joker", "Removed: 7H\n", "line 1: expected each joker once, XB or XR, got 7H"),
    ("joker", "Removed: XB XB\n", "line 1: expected each joker once, XB or XR, got XB"),
    ("joker", "XB=1\n", "line 1: expected a card such as 7H, got XB=1"),
    ("joker", "<XB=6> 7H\n", "line 1: expected a card such as 7H, got <XB=6>"),
    ("klondike", "AC\nFoundations: C-5:9\n", FROM_ACE.format(2) + "C-5:9"),
    ("klondike", "Ranks: 2\nAC\nFoundations: C-3\n", FROM_ACE.format(3) + "C-3"),
    ("fortress", "AC\nFoundations: C-2:9\n", FROM_ACE.format(2) + "C-2:9"),
    ("chessboard", "AC\nFoundations: C-5\n", FROM_BASE + "C-5"),
    ("chessboard", "AC\nFoundations: C-5:9 D-6:9\n", FROM_BASE + "D-6:9"),
    ("simple-simon", "AC\nFoundations: C-5\n",
     "line 2: expected no foundations but whole suits of one deck, got C-5"),
]  # fmt: skip
WRONG = [
    ("klondike", KLONDIKE.replace("QS 3C", "QS 4D"), "missing card: 3C", "card 4D is there twice"),
    ("klondike", KLONDIKE.replace("QS 3C\n", "QS\n"),
     "expected columns of 1 2 3 4 5 6 7 cards, got 1 1 3 4 5 6 7; a position in play has Foundations, "
     "and its face-down cards are written <7H>", ""),
    ("klondike", KLONDIKE.replace(" 6C\n", "\n"), "missing card: 6C", ""),
    ("klondike", KLONDIKE.replace(" 5H TH 6C\n", "\n"), "missing cards: 5H 6C TH", ""),
    ("klondike", "Ranks: 2\nKC\n", "card KC does not belong to this deck", ""),
    ("klondike", "# seed: 4\n" + KLONDIKE, "line 1: these are not the cards of this seed; a position in "
     "play has a line \"# moves made: 5\"", ""),
    ("chessboard", CHESSBOARD.replace(" TH\n", "\n"), "missing card: TH", ""),
    ("chessboard", CHESSBOARD.replace(" TH\n", "\n").replace("7C 6C", "7C 6C TH"), "expected columns of "
     "6 5 5 5 5 6 5 5 5 5 cards, got 5 5 5 5 5 7 5 5 5 5; a position in play begins with the line "
     "\"# position: in play\"", ""),
    ("simple-simon", SIMON.replace("TD\n", ":\n").replace(" QH\n", " QH TD\n"), "expected columns of "
     "8 8 8 7 6 5 4 3 2 1 cards, got 8 8 8 7 6 5 4 3 3; a position in play begins with the line "
     "\"# position: in play\"", ""),
    ("simple-simon", "# position: in play\n" + SIMON.replace("TD\n", ":\n").replace(" QH\n", " QH TD\n"),
     "are these lines columns or rows? Columns of a position in play begin with the line "
     "\"# position: in play, by columns\"", ""),
    ("simple-simon", SIMON.replace("TD\n", "AD\n"), "missing card: TD", "card AD is there twice"),
    ("simple-simon", SIMON + "Foundations: C-K\n", "the foundations have cards that are in columns", ""),
    ("simple-simon", "Ranks: 3\nSuits: C\n2C\n", "card 2C is there, but most of its suit has left", ""),
    ("joker", JOKER.replace("XB", "XR"), "missing card: XB", "card XR is there twice"),
    ("joker", ENDGAME.replace("S-0", "S-0 XB=A"), "card XB is there twice", ""),
]  # fmt: skip


def refused(name, text):
    """The code and the message for a text, which changes nothing."""
    with Engine(name) as engine:
        assert engine.deal(5) == OK
        before, table = engine.text_of(), engine.table()
        code = engine.read(text.encode("latin-1"))
        assert (engine.text_of(), engine.table()) == (before, table)
        return code, engine.message


@pytest.mark.parametrize(("name", "text", "message"), TYPED)
def test_texts_that_cannot_be_read_are_refused(name, text, message):
    assert refused(name, text) == (BAD_TEXT, message)


@pytest.mark.parametrize(("name", "text", "message", "other"), WRONG)
def test_positions_that_are_wrong_are_refused(name, text, message, other):
    code, found = refused(name, text)
    assert code == BAD_POSITION
    assert found in (message, other)


def test_what_the_library_itself_finds_wrong_is_told():
    with Engine("joker") as engine:
        engine.read_text(ENDGAME)
    code, message = refused("klondike", KLONDIKE.replace("\nStock", "\nFoundations: C-0\nStock"))
    assert code == BAD_POSITION
    assert message


MOVES = [
    ("klondike", "", BAD_TEXT, "expected a move such as 7S 10-3, got nothing"),
    ("klondike", " # 7S 10-f", BAD_TEXT, "expected a move such as 7S 10-3, got # 7S 10-f"),
    ("klondike", "hello, this is no move", BAD_TEXT,
     "expected a move such as 7S 10-3, got hello, this is no mo..."),
    ("klondike", "7S 100-3", BAD_TEXT, "expected a move such as 7S 10-3, got 7S 100-3"),
    ("klondike", "7S 3=", BAD_TEXT, "expected a move such as 7S 10-3, got 7S 3="),
    ("klondike", "7S 1-2-3", BAD_TEXT, "expected a move such as 7S 10-3, got 7S 1-2-3"),
    ("klondike", "7S 3 " + " " * 100 + "f" * 100, BAD_TEXT,
     "expected a move such as 7S 10-3, got 7S 3" + " " * 16 + "..."),
    ("klondike", "7S 0-0", BAD_MOVE, "7S 0-0: not a legal move here"),
    ("klondike", " 7S  10-f ", BAD_MOVE, "7S  10-f: not a legal move here"),
    ("klondike", "4D 7=4", BAD_MOVE, "4D 7=4: not a legal move here"),
    ("chessboard", "??", BAD_MOVE, None),
    ("chessboard", "f", BAD_MOVE, "f may be TH 1-f, 8S 2-f, KH 3-f or 7 others: say which"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "code", "message"), MOVES)
def test_moves_that_cannot_be_made_are_refused(name, text, code, message):
    with Engine(name) as engine:
        assert engine.deal(3) == OK
        assert engine.read_move(text.encode(), ctypes.byref(Move())) == code
        assert message in (None, engine.message)


def test_parts_of_a_move_may_be_left_out():
    with Engine("joker") as engine:
        engine.deal(4)
        for text, wanted in (
            ("s-w", "AH s-w"), ("?? s-w", "AH s-w"), ("xb=7", "XB 4=7"), ("xb 4 = 10", "XB 4=T"),
            ("xb 4-F", "XB 4-f"), ("XB out", "XB 4-x"), ("2c 7", "2C 5-7"),
            ("2\u2663 column 5 \u2192 7", "2C 5-7"),
            ("2C from column 5 to column 07", "2C 5-7"), ("AH from the stock to the waste", "AH s-w"),
            ("XB=9 4 -> f # so", "XB 4-f"),
        ):  # fmt: skip
            move = Move()
            assert engine.read_move(text.encode(), ctypes.byref(move)) == OK, (text, engine.message)
            assert numbers(move) == numbers(engine.moves()[wanted])


# --- Rooms and engines ----------------------------------------------------------------------------------


def test_null_is_refused():
    with Engine("klondike") as engine:
        library = engine.library
        assert library.winnable_read(None, b"") == library.winnable_read(engine.engine, None) == MISUSE
        assert library.winnable_read_move(None, b"", None) == MISUSE
        assert engine.read_move(b"7S 10-f", None) == engine.read_move(None, ctypes.byref(Move())) == MISUSE
        assert engine.message == "expected a text and room for a move, got NULL"
        room = ctypes.create_string_buffer(b"old", 8)
        assert library.winnable_text(None, room, 8) == 0
        assert room.value == b""
        assert engine.move_text(None, room, 8) == engine.move_text(ctypes.byref(Move(9, 9, 9)), None, 0) == 0


def test_texts_are_cut_to_the_room():
    with Engine("klondike") as engine:
        engine.deal(3)
        whole = engine.text_of().encode()
        for size in (-1, 0, 1, 2, 40, len(whole), len(whole) + 1):
            room = ctypes.create_string_buffer(b"Z" * 900, 900)
            assert engine.text(room, size) == len(whole)
            cut = max(0, min(size - 1, len(whole)))
            end = b"" if size <= 0 else b"\0"
            assert room.raw == whole[:cut] + end + b"Z" * (900 - cut - len(end))


def test_a_text_changes_no_rule_options_of_later_deals():
    with Engine("klondike") as engine:
        value = engine.library.winnable_value
        value.restype = ctypes.c_char_p
        assert engine.choose(b"draw", b"2") == OK
        engine.read_text(KLONDIKE.replace("\n", "\nDraw: 1\n", 1))
        assert "Draw: 1\n" in engine.text_of()
        assert value(engine.engine, b"draw") == b"2"
        engine.read_text(KLONDIKE)
        assert "Draw" not in engine.text_of()
        engine.deal(3)
        assert "Draw: 2\n" in engine.text_of()


def test_damaged_texts_are_refused_or_read(tmp_path):
    command = [compiled_program("texts", tmp_path), "2000", str(SEED)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG)
    assert done.returncode == 0, f"{RANDOM}\n{done.stdout}"
    accepted = dict(line.split() for line in done.stdout.splitlines())
    assert list(accepted) == list(SEARCHED)
    assert all(200 < int(number) < 2000 for number in accepted.values())


# --- Searches -------------------------------------------------------------------------------------------


def answer(engine, name, *given):
    """The numbers of the answer of a search: verdict, reason and length of the line at 6, 7 and 8."""
    room = (ctypes.c_int32 * 14)()
    assert getattr(engine, name)(*given, room) == OK
    return list(room)


def test_a_stop_ends_later_searches_when_they_begin():
    with Engine("fortress") as engine:
        engine.stop()
        assert answer(engine, "solve")[6:8] == [2, 4]  # undecided, interrupted
        engine.resume()
        assert answer(engine, "solve")[6:8] == [0, 0]


def test_a_position_that_is_refused_leaves_the_line_and_a_line_that_is_refused_does_not():
    with Engine("klondike-draw-one") as engine:
        length = answer(engine, "solve")[8]
        assert length > 0
        assert engine.load(bytes(1717)) != OK
        assert engine.line(None, 0) == length
        assert answer(engine, "shorten", None, 0, None, None)[8] <= length
        move = Move(0, 0, 1, -1, -1)
        assert engine.shorten(ctypes.byref(move), 1, None, None, (ctypes.c_int32 * 14)()) != OK
        assert engine.line(None, 0) == 0


@pytest.mark.parametrize("name", SEARCHED)
def test_fields_that_a_game_does_not_have_are_ignored(name):
    variant = find_variant(name)
    with Engine(name) as engine:
        text, table = engine.text_of(), bytearray(engine.table())
        hidden, stock, base = 17, 31 + 14 * 104, 31 + 14 * 104 + 2 + 2 * 104 + 4
        if variant.packed == "simon" or not variant.has_stock:
            table[stock] = table[stock + 1] = table[hidden] = 255
        if variant.packed != "chessboard":
            table[base] = 5
        assert engine.load(bytes(table)) == OK
        assert engine.text_of().partition("\n")[2] == text.partition("\n")[2].partition("\n")[2]
