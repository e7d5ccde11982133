"""Joker: worked positions, single rules, the rule options."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.rules.joker_positions import (
    ANY_REMOVAL,
    EXPOSED,
    build,
    read_moves,
    read_parts,
)

from winnable.rules import find_variant, joker
from winnable.rules.cards import XR, Deck, parse_card
from winnable.rules.joker import FOUNDATION, IN_PLACE, OUT, TURN, Choices, Move

WORKED = Path(__file__).with_name("joker_worked.txt").read_text(encoding="utf-8").partition("\n\n")[2]


POSITIONS = {block.split()[0]: block for block in re.split(r"\n(?=P)", WORKED.strip())}


@pytest.mark.parametrize("exchange", ["turned", "exposed"])
@pytest.mark.parametrize("name", POSITIONS)
def test_worked_position(name, exchange):
    """If a test names no kind of exchange, the effect must be the same for both."""
    head, legal, *steps = (line.split("#")[0].strip() for line in POSITIONS[name].splitlines())
    parts = {"n": "0", "exchange": exchange} | read_parts(head)
    state = build(parts)
    assert joker.score(state) == int(parts["n"])
    moves = joker.legal_moves(state)
    assert set(moves) == {move for token in legal.split()[1:] for move in read_moves(token)}
    assert len(moves) == len(set(moves))
    for step in steps:
        token, _, result = step.partition(" ")
        (move,) = read_moves(token)
        if result == "illegal":
            assert move not in joker.legal_moves(state)
            with pytest.raises(ValueError, match=r"\w"):
                joker.apply(state, move)
        else:
            assert move in joker.legal_moves(state)
            parts |= read_parts(result.removeprefix("->"))
            state = joker.apply(state, move)
        assert state == build(parts)
        assert joker.score(state) == int(parts["n"])


def test_a_declared_joker_goes_up_as_its_rank_only():
    state = build(read_parts("P [XB=6] F[C:A-4 S:A-5]"))
    assert joker.legal_moves(state) == [Move(0, FOUNDATION, suit=3)]
    for text in ("XB 1-fC", "XB 1-f"):
        with pytest.raises(ValueError, match="XB is declared as another rank"):
            joker.apply(state, joker.parse_move(state, text))
    up = joker.apply(state, joker.parse_move(state, "XB 1-fS"))
    assert up == build(read_parts("P [] F[C:A-4 S:A-5X]"))


def test_tiers():
    names = [joker.tier_of(score, 52) for score in (0, 14, 15, 24, 25, 51, 52)]
    assert names == ["none", "none", "win", "win", "double", "double", "triple"]
    assert joker.tier_of(16, 16) == "triple"
    assert joker.tier_of(15, 16) == "win"
    assert joker.tier_of(8, 16) == "none"


def test_start_turns_up_the_tops_alone():
    state = find_variant("joker").deal(1)
    assert [len(column) for column in state.columns] == [1, 2, 3, 4, 5, 6, 7]
    assert state.hidden == (0, 1, 2, 3, 4, 5, 6)
    assert len(state.stock) == 26
    assert (state.waste, state.foundations, joker.score(state)) == ((), (0, 0, 0, 0), 0)


def test_the_last_rank_of_a_short_deck_is_its_king():
    deck = Deck(4, jokers=True)
    cards = tuple(map(parse_card, ("3D", "4C")))
    state = joker.start("joker", deck, ((), cards[:1], cards[1:]), ())
    assert Move(2, 0) in joker.legal_moves(state)
    assert Move(1, 0) not in joker.legal_moves(state)


# --- Choices ------------------------------------------------------------------------------------------------


def play(text, choices, *moves):
    """The state of the worked position ``text`` under ``choices`` after ``moves``."""
    state = replace(build(read_parts(text)), choices=choices)
    for token in moves:
        (move,) = read_moves(token)
        state = joker.apply(state, move)
    return state


def test_choices_are_named_and_checked():
    assert (Choices().exchange, Choices().removal) == ("turned", "undeclared")
    assert Choices().changed("joker") == {}
    assert Choices("exposed", "exposed").changed("joker") == {"exchange": "exposed", "removal": "exposed"}
    with pytest.raises(ValueError, match=r"exchange 'never': expected turned or exposed"):
        Choices(exchange="never")
    with pytest.raises(ValueError, match=r"removal 'turned': expected undeclared or exposed"):
        Choices(removal="turned")


def test_choices_belong_to_the_game():
    variant = find_variant("joker")
    usual, state = variant.deal(1), variant.deal(1, choices=EXPOSED)
    assert (usual.choices, state.choices) == (Choices(), EXPOSED)
    assert replace(state, choices=Choices()) == usual
    assert joker.canonical(state) != joker.canonical(usual)
    assert joker.apply(state, TURN).choices == EXPOSED
    assert joker.from_board("joker", joker.to_board(state), EXPOSED) == state
    with pytest.raises(ValueError, match="simple-simon"):
        find_variant("simple-simon").deal(1, choices=EXPOSED)


@pytest.mark.parametrize("choices", [Choices(), EXPOSED])
def test_flips_exchange_whatever_the_choice(choices):
    assert play("[-7D 5C] [XR=7 6C] [7H] [6D]", choices, "1>4:1") == play(
        "[XR] [7D 6C] [7H] [6D 5C]", choices
    )


def test_a_natural_passed_by_its_joker_is_played():
    state = play("[8S XR=7] [8C] [KD] W[7H 7D]", Choices(), "W>2")
    assert joker.stands_for(state, 1) == (parse_card("7H"),)
    assert joker.effective_rank(state, XR) == 6
    state = play("[8S XR=7] [8C] [6C] W[7D] F[H:A-7]", Choices(), "W>2")
    assert joker.stands_for(state, 1) == ()
    assert Move(2, 0) in joker.legal_moves(state)


def test_an_open_ace_whose_aces_both_went_up_fills_no_place():
    text = "[KD] W[AS AC] F[open:XB]"
    assert [joker.score(play(text, Choices(), *["W>F"] * n)) for n in (0, 1, 2)] == [1, 2, 2]
    assert not joker.stands_for(play(text, Choices(), "W>F", "W>F"), 0)


def test_removal_of_declared_jokers():
    """P15 with a face-down card under the joker: it is put out of play from the top of its column only."""
    state = play("[-9C XB=8] [5D] [9S XR=8 7C]", ANY_REMOVAL)
    assert Move(0, OUT) in joker.legal_moves(state)
    assert Move(2, OUT) not in joker.legal_moves(state)
    assert joker.refusal(state, Move(2, OUT, 2)) == "XR is not a joker on top"
    assert joker.apply(state, Move(0, OUT)) == play("[9C] [5D] [9S XR=8 7C] X[XB]", ANY_REMOVAL)
    assert Move(0, OUT) not in joker.legal_moves(replace(state, choices=Choices()))
    assert Move(0, IN_PLACE, rank=3) not in joker.legal_moves(state)
