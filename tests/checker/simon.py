"""Certificates of the Simon family that a deal is unwinnable, for the tests to attack."""

import io
import json
from contextlib import suppress

from tests.checker import attacks
from tests.checker.certificates import made

from winnable.checker import reading
from winnable.checker.simon import game_of
from winnable.rules import find_variant, simon
from winnable.rules.cards import parse_card
from winnable.solver import solve
from winnable.solver.certificates import NoCertificate

SHAPES = {
    "simple-simon": [
        (3, "CD", (3, 3)), (4, "CD", (3, 3, 2)), (3, "CDH", (3, 3, 3)), (4, "CDH", (5, 4, 3)),
        (2, "CDHS", (3, 3, 2)), (5, "CD", (4, 4, 2)), (3, "CD", (3, 2, 1)),
    ],
    "simon-jester": [(2, "CD", (3, 3, 2)), (3, "CD", (4, 4, 4)), (2, "CDH", (4, 4, 4)), (4, "C", (3, 3, 2))],
}  # fmt: skip
"""Short decks: ranks, suits and column sizes."""

SHORT_AS = {"simon-jester-triangular": "simon-jester"}
"""Games whose short decks are dealt as those of another."""

NEVER = attacks.NEVER | {"force_a_top_card"}
"""What no checker accepts."""


def columns_of(text):
    """The columns of words such as ``2CAC``."""
    return [tuple(parse_card(word[at : at + 2]) for at in range(0, len(word), 2)) for word in text.split()]


def lost(game, seeds, plain=False):
    """The certificates of deals, and of short decks, that are of a handy size."""
    variant = find_variant(game)
    texts = [made(variant, variant.deal(seed), seed=seed, plain=plain) for seed in seeds]
    for number in range(60):
        state = variant.deal(number, *SHAPES[SHORT_AS.get(game, game)][number % 4])
        with suppress(NoCertificate):
            texts.append(made(variant, state, plain=plain))
    texts = [text for text in texts if 1 < len(text.lines) < 150]
    assert len(texts) > 10
    return texts


def attack(folder, texts, mutations, first, more=()):
    """Spoil certificates, also by ``more`` changes; how many of each kind were accepted, all of which must be
    true nevertheless."""
    changes = [*attacks.CHANGES, *more, change_the_deal]

    def spoil(seed, text):
        return attacks.spoilt(seed, text, changes)

    return attacks.accepted(folder, texts, mutations, first, is_lost, spoil)


def change_the_deal(rng, text):
    """Two cards change places, in the deal and in its position."""
    with suppress(attacks.NOTHING_TO_CHANGE):
        words = text.header["dealt"].split(" ")
        places = [(i, at) for i, word in enumerate(words) for at in range(0, len(word) - 1, 2)]
        (i, at), (j, to) = rng.sample(places, 2)
        one, other = words[i][at : at + 2], words[j][to : to + 2]
        words[i] = words[i][:at] + other + words[i][at + 2 :]
        words[j] = words[j][:to] + one + words[j][to + 2 :]
        text.header["dealt"] = " ".join(words)
        text.header.pop("seed", None)
        header = reading.read_header(io.BytesIO(json.dumps(text.header).encode() + b"\n"))
        game = game_of(header, find_variant(header.game).deck(header.ranks, header.suits))
        text.header["start"] = game.write(game.of_state(game.position()))


def is_lost(header):
    """Whether the deal of a header is unwinnable, by the search."""
    state = dealt(header)
    return solve(find_variant(state.variant), state, shorten=0).verdict == "unwinnable"


def dealt(header):
    """The position of the deal that a header gives."""
    columns = [columns_of(word)[0] if word != "-" else () for word in header["dealt"].split(" ")]
    columns += [()] * (header["columns"] - len(columns))
    deck = find_variant(header["game"]).deck(header["ranks"], header["suits"])
    return simon.State(header["game"], deck, tuple(columns))
