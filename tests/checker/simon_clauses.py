"""Certificates of moves by clauses, of short decks, for the tests to attack."""

import io
import random

import pytest
from tests.checker import attacks
from tests.checker.certificates import made

from winnable.checker import clauses, reading
from winnable.rules import Deck, find_variant, simon
from winnable.rules.cards import format_card, parse_card, rank_of
from winnable.solver import Result, Verdict

oracle = pytest.importorskip("winnable.solver.simon.oracle", reason="the compiled engine is not installed")
GAMES = {1: "simple-simon", 2: "simon-jester"}
MOST_STATES = 20_000
LEMMAS = ("order of columns", "wasted moves", "room", "order of moves")


def short_deck(choice, copies):
    """A short deck in random columns that are not too uneven, without complete runs on top."""
    while True:
        ranks, suits = choice.randint(2, 6), "".join(sorted(choice.sample("CDHS", choice.randint(1, 4))))
        deck = Deck(ranks, suits, copies)
        cards = deck.cards()
        if not 4 <= len(cards) <= (24 if copies == 1 else 20):
            continue
        choice.shuffle(cards)
        columns = [[] for _ in range(choice.randint(3, 6))]
        for card in cards:
            columns[choice.randrange(len(columns))].append(card)
        state = simon.State(GAMES[copies], deck, tuple(map(tuple, columns)))
        if not any(simon.run_length(column) == ranks for column in state.columns):
            return state


def laid_out(columns, game="simple-simon"):
    """The state of columns such as ``2C AC | AD 3C``."""
    cards = tuple(tuple(map(parse_card, column.split())) for column in columns.split("|"))
    held = [card for column in cards for card in column]
    suits = "".join(suit for suit in "CDHS" if any(format_card(card)[1] == suit for card in held))
    return simon.State(game, Deck(max(map(rank_of, held)) + 1, suits, find_variant(game).copies), cards)


def winnable_decks(first, count, copies=None):
    """Decks that can be won, each with the fewest moves by brute force; so many were dealt."""
    for number in range(first, first + count):
        choice = random.Random(number)
        state = short_deck(choice, copies or choice.choice([1, 2]))
        moves = oracle.explore(state, MOST_STATES)[0]
        if moves is not None and moves > 0:
            yield number, state, moves


def by_clauses(state, moves=10**6, **options):
    """The certificate of as many moves as clauses prove."""
    result = Result(Verdict.WINNABLE, None, lower_bound=moves)
    return made(find_variant(state.variant), state, result, shortest=True, clauses=True, **options)


def proof_of(text):
    header = reading.read_header(io.BytesIO(text.content()))
    file = io.BytesIO(text.content())
    file.readline()
    return clauses.read_proof(file, header, 1e9)


# --- Attacks ----------------------------------------------------------------------------------------------


def change_literal(rng, text):
    at = rng.randrange(len(text.lines))
    words = text.lines[at].split(" ")
    place = rng.randrange(len(words))
    if words[place].lstrip("-").isdigit():
        words[place] = str(int(words[place]) * rng.choice([-1, 1]) + rng.choice([-1, 0, 1]))
    text.lines[at] = " ".join(words)


def drop_word(rng, text):
    at = rng.randrange(len(text.lines))
    words = text.lines[at].split(" ")
    del words[rng.randrange(len(words))]
    text.lines[at] = " ".join(words)


def change_condition(rng, text):
    places = [
        i for i, line in enumerate(text.lines) if line.split(" ")[0] in ("single", "room", "order", "tally")
    ]
    if places:
        at = rng.choice(places)
        word = rng.choice(["single", "room", "order", "tally", "core", "7", ""])
        text.lines[at] = f"{word} {text.lines[at].partition(' ')[2]}"


def rename(rng, text):
    """A variable gets another name, or that of another one."""
    names = [i for i, line in enumerate(text.lines) if line.startswith("variable ")]
    if names:
        words = text.lines[rng.choice(names)].split(" ")
        if rng.random() < 0.5:
            place = rng.randrange(1, len(words))
            words[place] = rng.choice(
                [
                    *"0123",
                    "01",
                    "99",
                    "999999999",
                    "wasteful",
                    "restless",
                    "stays",
                    "visit",
                    "card",
                    "column",
                    "sum",
                    "first",
                    "last",
                    "ends",
                    "leaves",
                    "AC",
                    "",
                ]
            )
        text.lines[rng.choice(names)] = " ".join(words)


def repeat_a_core(rng, text):
    cores = [line for line in text.lines if line.startswith("core ")]
    if cores:
        text.lines.append(rng.choice(cores))
        raise_value(rng, text, [1])


def raise_value(rng, text, by=(-1, 1)):
    if isinstance(text.header.get("value"), int):
        text.header["value"] += rng.choice(by)


def make_a_core(rng, text):
    """A clause of the certificate, or one given as anything, is taken for a core."""
    names = sum(line.startswith("variable ") for line in text.lines)
    clauses = len(text.lines) - names - sum(line.startswith("core ") for line in text.lines)
    text.lines.append(f"core {rng.randint(1, clauses + 1)}")
    raise_value(rng, text, [0, 1])


def give_a_clause(rng, text):
    """One clause more among those given, which later numbers do not know of."""
    names = sum(line.startswith("variable ") for line in text.lines)
    literals = {rng.randint(1, max(1, names)) * rng.choice([-1, 1, 1]) for _ in range(rng.choice([1, 2, 3]))}
    word = rng.choice(["single", "room", "order", "tally"])
    text.lines.insert(names, f"{word} {' '.join(map(str, literals))} 0")


CHANGES = [change_literal, drop_word, change_condition, rename, repeat_a_core, raise_value, make_a_core,
           give_a_clause, attacks.leave_one_out, attacks.repeat_one, attacks.change_header,
           attacks.change_seed, attacks.reorder, attacks.change_character, attacks.change_claim]  # fmt: skip


def spoilt(seed, text):
    rng = random.Random(seed)
    copy, names = text.copy(), []
    for change in rng.choices(CHANGES, k=rng.choice([1, 1, 1, 2])):
        if copy.lines:
            change(rng, copy)
            names.append(change.__name__)
    if rng.random() < 0.9:
        copy.header["clauses"] = len(copy.lines)
    return "+".join(names), copy
