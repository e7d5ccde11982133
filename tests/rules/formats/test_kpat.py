"""Saved games of KPat, written here as KPat writes them: every change of a pile, state by state."""

import pytest
from tests.deals import states_of_play

from winnable.rules import find_variant
from winnable.rules.cards import RANK_NAMES, rank_of, suit_of
from winnable.rules.formats import read_deal, read_table
from winnable.rules.formats.foreign.kpat import _SUITS
from winnable.rules.formats.text import FormatError

GAMES = {
    "simple-simon": ("simplesimon", None),
    "klondike": ("klondike", "3"),
    "klondike-draw-one": ("klondike", "1"),
}


def piles_of(variant, state):
    """The piles of a position with KPat's names, each card with whether it is face up."""
    board, column = variant.family.marked_board(state), "store" if variant.rules == "simon" else "play"
    piles = {f"{column}{i}": [(s.card, s.face_down) for s in slots] for i, slots in enumerate(board.columns)}
    piles["talon"] = [(card, True) for card in reversed(board.stock)]
    piles["pile"] = [(card, False) for card in board.waste]
    for i, cards in enumerate(variant.family.foundations_of(state)):
        piles[f"target{i}"] = [(card, False) for card in cards]
    return {name: cards for name, cards in piles.items() if cards}


def saved(variant, states, current):
    """The text of a saved game with these ``states``."""
    kind, options = GAMES[variant.name]
    head = f'game-type="{kind}"' + (f' game-type-options="{options}"' if options else "")
    lines = ['<?xml version="1.0"?>', f'<kpat-game {head} deal-number="7">']
    before = {}
    for number, state in enumerate(states):
        lines.append("<state current='true'>" if number == current else "<state>")
        after = {
            c: (name, at, side)
            for name, cards in piles_of(variant, state).items()
            for at, (c, side) in enumerate(cards)
        }
        for card, (pile, at, side) in after.items():
            if before.get(card) != (pile, at, side):
                was = before.get(card)
                turn = "" if was and was[2] == side else f' turn="face-{"down" if side else "up"}"'
                names = f'suit="{_SUITS[suit_of(card)]}" rank="{RANK_NAMES[rank_of(card)]}"'
                lines.append(
                    f'<move pile="{pile}" position="{at}"><card id="{card:07}" {names}{turn}/></move>'
                )
        lines.append("</state>")
        before = after
    return "\n".join([*lines, "</kpat-game>"])


@pytest.mark.parametrize("name", GAMES)
def test_a_saved_game_is_read_at_its_current_state(name):
    variant = find_variant(name)
    choices = {"worrying_back": "no"} if name == "klondike" else {}
    for seed in range(1, 4):
        states = list(states_of_play(variant.deal(seed, choices=choices), 40, seed))
        for current in (0, len(states) // 2, len(states) - 1):
            text = saved(variant, states, current).encode()
            for game in (None, variant):
                found = read_deal(game, text, "game.kpat").state
                assert variant.family.canonical(found) == variant.family.canonical(states[current])
            assert read_table(None, text, "game.kpat").state == found


def test_what_is_no_such_game_is_refused_in_one_line():
    good = saved(find_variant("simple-simon"), [find_variant("simple-simon").deal(1)], 0)
    for text, problem in (
        (
            good.replace("simplesimon", "spider"),
            "g:1: expected a saved game of Klondike or Simple Simon of KPat, got 'spider'",
        ),
        (
            good.replace("kpat-game", "dealer"),
            "g:1: expected a saved game of Klondike or Simple Simon of KPat, got 'dealer'",
        ),
        (good.replace("</state>", ""), "invalid XML: mismatched tag"),
        (good.replace('position="0"', 'position="x"', 1), "g:1: position 'x': expected a number"),
        (good.replace('rank="king"', 'rank="kong"', 1), "g:1: card 'kong of "),
        (good.replace("store3", "freecell1"), "g:1: pile 'freecell1': simple-simon has none"),
        (good.replace('suit="clubs"', 'suit="hearts"', 1), "g:1: "),
        ('<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><x/>', "got XML with entities"),
    ):
        with pytest.raises(FormatError) as error:
            read_deal(None, text.encode(), "g")
        assert problem in str(error.value)
        assert "\n" not in str(error.value)
    with pytest.raises(FormatError, match="this is a deal of simple-simon, but klondike was named"):
        read_deal(find_variant("klondike"), good.encode(), "g")


def test_a_pickle_is_not_read():
    with pytest.raises(FormatError, match="g:1: a pickle, such as a saved game of PySolFC: it is not read"):
        read_deal(None, b"\x80\x04K\x01.", "g")


def test_an_old_file_has_the_deal_of_its_number():
    game = find_variant("klondike-draw-one")
    dealt = read_deal(game, b"KPat: 1056727871", "number").state
    piles = {0: [(card, 0) for card in reversed(dealt.stock)]}
    for number, column in enumerate(dealt.columns):
        piles[5 + number] = [(card, int(at == number)) for at, card in enumerate(column)]
    text = "".join(
        f'<pile index="{index}">'
        + "".join(f'<card suit="{card % 4}" value="{card // 4 + 1}" faceup="{up}"/>' for card, up in cards)
        + "</pile>"
        for index, cards in piles.items()
    )
    data = f'<!DOCTYPE kpat><dealer id="18" options="1" number="1056727871">{text}</dealer>'.encode()
    assert read_deal(None, data, "old").state == dealt
