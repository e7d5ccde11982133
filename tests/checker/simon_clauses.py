"""Certificates of moves by clauses, of short decks, for the tests to attack."""

import gzip
import io
import random

import pytest
from tests.checker.certificates import made

from winnable.checker import clauses
from winnable.checker.accept import header_claim
from winnable.checker.reading import LONGEST_HEADER, Budget, Content
from winnable.checker.simon import game_of
from winnable.rules import Deck, simon
from winnable.solver import Result, Verdict

oracle = pytest.importorskip("winnable.solver.simon.replay", reason="no compiled engine")
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
    return made(state, result, shortest=True, clauses=True, **options)


def proof_of(text):
    content = Content(io.BytesIO(gzip.compress(text.content(), 1)), Budget())
    claim = header_claim(content.line(LONGEST_HEADER))
    return clauses.read_proof(content, claim, game_of(claim).conditions())
