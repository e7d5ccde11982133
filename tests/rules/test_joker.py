"""Joker and Klondike in one pass: worked positions, single rules, the choices of rules."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.rules.joker_positions import (
    ANY_REMOVAL,
    EXPOSED,
    build,
    make_board,
    read_moves,
    read_parts,
)

from winnable.rules import find_variant, joker
from winnable.rules.cards import XR, Deck, parse_card
from winnable.rules.joker import FOUNDATION, IN_PLACE, OUT, TURN, Choices, Move

# As `joker_positions` reads them.
WORKED = """
P1 [-9D XB] [5H 4C] [2S] [2C]   # tableau joker straight up as an open ace; a deuce settles the suit
  legal rm1 1>F dec1:A3-K
  1>F -> 1[9D] F[open:XB] n=1
  3>F -> 3[] F[S:X2] n=2
  4>F illegal
P2 [2S] [2C] [-AC 9D] [TS] F[open:XB] n=1   # both deuces fit; then the other suit needs its own ace
  legal 1>F 2>F 3>4:1
  1>F -> 1[] F[S:X2] n=2
  3>4:1 -> 3[AC] 4[TS 9D]
  2>F illegal
  3>F -> 3[] F[C:A S:X2] n=3
  2>F -> 2[] F[C:A2 S:X2] n=4
P3 [2S] [7H] S[AC 9H] F[open:XB] n=1   # turned AC displaces the open ace; joker on the waste
  legal D1 1>F
  D1 -> W[XB] S[9H] F[C:A]
  1>F illegal
  D1 -> W[XB 9H] S[]
P4 [AC] [2C] [2S] [XB]   # one natural ace visible: the open ace can only be the other suit
  legal rm4 1>F 4>F dec4:A3-K
  4>F -> 4[] F[open:XB] n=1
  2>F illegal
  3>F -> 3[] F[S:X2] n=2
P5 [-KH 8S XR=7 6C] [9H] [9C] S[7D 4S]   # exchange inside a run
  legal D1 1>2:3
  D1 -> 1[-KH 8S 7D 6C] W[XR] S[4S]
  D1 -> W[XR 4S] S[]
P6 [-3C 9D] [TS] F[C:A2X4] n=4   # exchange on a foundation by a flipped card
  legal 1>2:1
  1>2:1 -> 1[XB] 2[TS 9D] F[C:A-4]
P7 [-7D 5C] [XR=7 6C] [7H] [6D]   # twin visible, so the joker is 7D; 7D flips
  legal 1>4:1 2>3:1
  1>4:1 -> 1[XR] 2[7D 6C] 4[6D 5C]
P8 [5C] [2S] [9D] W[8D XR]   # waste joker never straight to a foundation; by way of a deuce it may
  legal rmW W>1 W>2
  W>F illegal
  W>2 -> 2[2S XR=A] W[8D]
  2>F -> 2[2S] F[open:XR] n=1
P9 [8S] [9S] W[4C 7D XR] exchange=exposed   # waste joker uncovers its own natural: exchanged at once
  legal rmW W>1 W>2
  W>1 -> 1[8S 7D] W[4C XR]
  W>2 -> 2[9S XR=8] W[4C]
  W>2 illegal
P10 [8S XR=7] [6C] [KD] S[7D 5H]   # two exchanges of one joker
  legal D1 2>1:1
  D1 -> 1[8S 7D] W[XR] S[5H]
  W>2 -> 2[6C XR=5] W[]
  D1 -> 2[6C 5H] W[XR] S[]
P11 [6S] [6C] [7D] [XB]   # barred: both black sixes visible
  legal rm4 1>3:1 2>3:1 4>F dec4:A-57-K
  4>3:1 illegal
  dec4:6 illegal
P12 [6C] [7D] [XB] [-6S 2H] F[C:A-5 S:A-5] n=10   # one six visible: the joker is the other one
  legal rm3 1>F 1>2:1 3>F:S 3>2:1 dec3:6-K
  3>F:C illegal
  3>F:S -> 3[] F[C:A-5 S:A-5X] n=11
P13 [-9H XB] [XR=9] [TS]   # removal flips a natural that the other joker stands for
  legal rm1 1>F 1>2:1 2>3:1 dec1:A-K
  rm1 -> 1[XR] 2[9H] X[XB]
P14 [9S XR=8] [KD] W[8H XB] exchange=exposed   # removal from the waste exposes such a natural
  legal rmW W>1 W>2
  rmW -> 1[9S 8H] W[XR] X[XB]
P15 [XB=8] [9D] [5D] [-2C 3H]   # a declared joker keeps its rank and is not removable
  legal 1>2:1
  1>3:1 illegal
  rm1 illegal
  1>2:1 -> 1[] 2[9D XB=8]
P16 [] [-4H XR] [KD 5C] [KH]   # empty column: king only, barred when both red kings are visible
  legal rm2 2>F 2>3:1 3>1:2 4>1:1 dec2:A-Q
  2>1:1 illegal
P17 [-4H XR] [6C] [KS] [AS]   # card onto an undeclared joker: declare, then move
  legal rm1 1>F 1>2:1 1>3:1 4>F dec1:A-K
  dec1:7 -> 1[-4H XR=7]
  2>1:1 -> 1[-4H XR=7 6C] 2[]
P18 [-4H XR] [8S] W[7D] S[2C] exchange=exposed   # declaring while the natural is on top of the waste
  legal D1 W>2 rm1 1>F 1>2:1 dec1:A-K
  1>2:1 -> 1[4H] 2[8S 7D] W[XR]
P19 [-4H XR] [-5H XB]   # a joker on a joker
  legal rm1 rm2 1>F 2>F dec1:A-K dec2:A-K
  dec1:9 -> 1[-4H XR=9]
  2>1:1 -> 1[-4H XR=9 XB=8] 2[5H]
P20 [XB] S[KC] F[C:A-Q S:A-K] n=25   # natural turned later replaces the joker, score unchanged
  legal D1 rm1 1>F:C dec1:K
  1>F:C -> 1[] F[C:A-QX S:A-K] n=26
  D1 -> W[XB] S[] F[C:A-K S:A-K]
P21 [-7H XR=7 6S] [8C]   # run with a joker moves, its natural flips below it
  legal 1>2:2
  1>2:2 -> 1[XR] 2[8C 7H 6S]
P22 [8S XR=7] [KH] W[7D QC] exchange=exposed   # natural exposed again on the waste
  legal W>2
  W>2 -> 1[8S 7D] 2[KH QC] W[XR]
P23 [XR] [3D] [9C] F[D:A2 H:A2] n=4   # one suit barred by a visible natural, the other free
  legal rm1 1>F:H 1>3:1 2>F dec1:3-K
  1>F:D illegal
  1>F:H -> 1[] F[D:A2 H:A2X] n=5
P24 [-7H XR] [8S] [9D] W[7D]   # two triggers: the flip comes first
  legal W>2 rm1 1>F 1>2:1 2>3:1 dec1:A-K
  1>2:1 -> 1[XR] 2[8S 7H]
P25 [8S] [9S] W[4C 7D XR] exchange=turned   # P9: what lay in the waste already stays there
  legal rmW W>1 W>2
  W>1 -> 1[8S XR=7] W[4C 7D]
  W>1 illegal
  W>2 illegal
P26 [9S XR=8] [KD] W[8H XB] exchange=turned   # P14: so does what a removal exposes
  legal rmW W>1 W>2
  rmW -> W[8H] X[XB]
  W>1 illegal
P27 [-4H XR] [8S] W[7D] S[2C] exchange=turned   # P18: and a card that the joker is declared as
  legal D1 W>2 rm1 1>F 1>2:1 dec1:A-K
  1>2:1 -> 1[4H] 2[8S XR=7]
  W>2 illegal
  D1 -> W[7D 2C] S[]
P28 [8S XR=7] [KH] [8C] W[7D QC] exchange=turned   # P22: and one exposed again; it is played as it is
  legal W>2 1>3:1
  W>2 -> 2[KH QC] W[7D]
  W>3 -> 3[8C 7D] W[]
"""


POSITIONS = {block.split()[0]: block for block in re.split(r"\n(?=P)", WORKED.strip())}


@pytest.mark.parametrize("exchange", ["turned", "exposed"])
@pytest.mark.parametrize("name", POSITIONS)
def test_worked_position(name, exchange):
    """The same effect of both exchanges where a test states none."""
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


def test_klondike_moves():  # KL2
    board = make_board("[-9D KS] [] [QH JS] [AH] [-5C TS 9H]", "2C TH", deck=Deck())
    state = joker.from_board("klondike-one-pass", board)
    moves = {joker.format_move(state, move) for move in joker.legal_moves(state)}
    empty = {f"KS 1-{column}" for column in (2, 6, 7)}
    assert moves == {"AC s-w", "AH 4-f", "QH 3-1", "TH w-3"} | empty
    after = joker.apply(state, joker.parse_move(state, "KS 1-2"))
    assert (after.columns[0], after.hidden[0]) == ((parse_card("9D"),), 0)


def test_klondike_score():  # KL3
    held = make_board("[KC]", foundations={"C": "Q", "D": "K", "H": "K", "S": "K"}, deck=Deck())
    state = joker.from_board("klondike-one-pass", held)
    assert (joker.score(state), joker.tier(state), joker.is_won(state)) == (51, "double", False)
    won = joker.apply(state, joker.parse_move(state, "KC 1-f"))
    assert (joker.score(won), joker.tier(won), joker.is_won(won)) == (52, "triple", True)


# --- Choices ------------------------------------------------------------------------------------------------


def play(text, choices, *moves):
    """The state of a worked position under ``choices`` after ``moves``, written as there."""
    state = replace(build(read_parts(text)), choices=choices)
    for token in moves:
        (move,) = read_moves(token)
        state = joker.apply(state, move)
    return state


def test_choices_are_named_and_checked():
    assert (Choices().exchange, Choices().removal) == ("turned", "undeclared")
    assert Choices().changed() == {}
    assert Choices("exposed", "exposed").changed() == {"exchange": "exposed", "removal": "exposed"}
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
    for name in ("klondike-one-pass", "chessboard"):
        with pytest.raises(ValueError, match=f"{name}"):
            find_variant(name).deal(1, choices=EXPOSED)
    assert find_variant("klondike-one-pass").deal(1, choices=Choices()).choices == Choices()


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
    assert joker.refusal(state, Move(2, OUT, 2)) == "XR is no joker on top"
    assert joker.apply(state, Move(0, OUT)) == play("[9C] [5D] [9S XR=8 7C] X[XB]", ANY_REMOVAL)
    assert Move(0, OUT) not in joker.legal_moves(replace(state, choices=Choices()))
    assert Move(0, IN_PLACE, rank=3) not in joker.legal_moves(state)
