"""Klondike: hand-made positions with the set of legal moves of each, draws, redeals, choices, one pass."""

import pytest
from tests.rules.columns import moves_of, play
from tests.rules.joker_positions import make_board

from winnable.rules import VARIANTS, BoardError, Deck, find_variant, klondike
from winnable.rules.cards import parse_card
from winnable.rules.formats import FormatError, read_deal
from winnable.rules.klondike import DRAW

KLONDIKE = find_variant("klondike")


def position(text, name="klondike", **choices):
    return read_deal(find_variant(name), text.encode(), "t", choices).state


HIGH = "Ranks: 4\nSuits: CDHS\n"


@pytest.mark.parametrize(
    ("text", "legal"),
    [
        # A run moves whole or in part, a card comes back, a king, here a four, goes to an empty column.
        (
            "<4S> 3D 2S\n<4C> 3H\n<3C> 2C\n:\n4D 3S\nFoundations: C-A H-2 S-A\nStock: 4H AD 2D\n",
            {"2S 1-f", "2S 1-2", "3H 2-f", "2C 3-f", "2C 3-2", "4D 5-4", "2H fH-5", "2D s-w"},
        ),
        # Nothing but a king goes there; a waste of three cards would come again as it lies.
        (
            "4S 3D\n<2H> 4C\n:\n3S\nFoundations: C-3 D-2 H-A S-2\nWaste: 4D 3H 4H\n",
            {"3D 1-f", "3D 1-2", "4S 1-3", "4C 2-f", "4C 2-3", "3S 4-f", "4H w-3", "2D fD-4", "2S fS-1"},
        ),
        # Only the top of the waste is playable.
        (
            "4C\n4D\n4H\nFoundations: C-3 D-3 H-3 S-2\nWaste: 4S 3S\n",
            {"3S w-f", "3S w-2", "3S w-3", "4C 1-f", "4D 2-f", "4H 3-f", "3C fC-2", "3C fC-3"}
            | {"3D fD-1", "3H fH-1"},
        ),
    ],
)
def test_legal_moves_of_positions(text, legal):
    assert moves_of(position(HIGH + text)) == legal


def test_any_card_or_run_goes_to_an_empty_column_where_that_is_agreed():
    text = HIGH + "4S 3D\n<2H> 4C\n:\n3S\nFoundations: C-3 D-2 H-A S-2\nWaste: 4D 3H 4H\n"
    usual, agreed = position(text), position(text + "Spaces: any\n")
    more = {"3D 1-3", "3S 4-3", "2D fD-3", "2S fS-3", "3C fC-3", "AH fH-3"}
    assert moves_of(agreed) == moves_of(usual) | more
    for text in ("3D 1-3", "2D fD-3"):
        move = klondike.parse_move(agreed, text)
        assert klondike.apply(agreed, move).columns[2] == (move.card,)
        assert "does not go to an empty column" in klondike.refusal(usual, move)
    assert klondike.safe_move(agreed) is None  # nothing is proved of these rules


def test_a_draw_turns_three_cards_or_what_is_left():
    state = KLONDIKE.deal(1)
    stock = state.stock
    after = klondike.apply(state, DRAW)
    assert (after.waste, after.stock) == (stock[:3], stock[3:])
    for _ in range(7):
        after = klondike.apply(after, DRAW)
    assert (after.waste, after.stock, after.redeals) == (stock, (), 0)
    again = klondike.apply(after, DRAW)
    assert (again.waste, again.stock, again.redeals) == (stock[:3], stock[3:], 0)


def test_the_last_draw_may_be_of_fewer_cards():
    state = KLONDIKE.deal(1, choices={"draw": "7"})
    for count in (7, 14, 21, 24):
        state = klondike.apply(state, DRAW)
        assert len(state.waste) == count


@pytest.mark.parametrize(("name", "passes"), [("klondike-vegas", 3), ("klondike-vegas-one", 1)])
def test_passes_end(name, passes):
    variant = find_variant(name)
    state = variant.deal(1)
    draws = 0
    while klondike.refusal(state, DRAW) is None:
        state = klondike.apply(state, DRAW)
        draws += 1
    assert draws == passes * 24 // state.choices.cards_drawn
    assert state.redeals == passes - 1
    with pytest.raises(ValueError, match=r"^the stock is empty, and there are no more passes$"):
        klondike.apply(state, DRAW)


def test_a_waste_that_would_come_again_as_it_lies_is_not_turned_over():
    state = position("Ranks: 2\nSuits: CDHS\nAC\nAD\n2S\n2H\nWaste: 2C AH 2D\nFoundations: S-A\n")
    with pytest.raises(ValueError, match=r"would come again as it lies$"):
        klondike.apply(state, DRAW)
    one = position("Ranks: 2\nSuits: CDHS\nAC\nAD\n2S\n2H\nWaste: 2C AH 2D\nFoundations: S-A\n", draw="1")
    assert klondike.apply(one, DRAW).waste == one.waste[:1]


def test_worrying_back_is_a_choice():
    text = HIGH + "4S\n4C\n4D\nFoundations: C-3 D-3 H-3 S-3\nStock: 4H\n"
    assert {"3D fD-1", "3D fD-2", "3H fH-1", "3C fC-3"} <= moves_of(position(text))
    without = position(text, worrying_back="no")
    assert not any(" f" in move for move in moves_of(without))
    with pytest.raises(ValueError, match=r"^nothing comes back from the foundations$"):
        play(without, "3D fD-1")
    after = play(position(text), "3D fD-1")
    assert after.foundations == (3, 2, 3, 3)


def test_a_card_is_turned_up_by_any_move_that_uncovers_it():
    state = position(HIGH + "<4S> <2D> 3C\n4H\n4D\n4C\nFoundations: C-2 D-A H-3 S-3\nStock: 3D\n")
    after = play(state, "3C 1-2")
    assert after.hidden == (1, 0, 0, 0)
    assert klondike.effects(state, klondike.parse_move(state, "3C 1-2"), after) == [
        "2D is turned up in column 1"
    ]
    assert play(after, "2D 1-f").hidden == (0, 0, 0, 0)


def test_a_draw_names_the_card_that_comes_on_top():
    state = KLONDIKE.deal(1)
    (draw,) = [move for move in klondike.legal_moves(state) if move == DRAW]
    assert str(draw) == "6H s-w"
    assert klondike.sentence(state, draw) == "4C 2D 6H turned from the stock"
    with pytest.raises(ValueError, match=r"^the draw shows 6H$"):
        klondike.parse_move(state, "4C s-w")


@pytest.mark.parametrize("name", ["klondike", "klondike-one-pass"])
def test_a_talon_of_a_position_in_play_is_refused(name):
    text = "Ranks: 2\nSuits: C\n2C\nTalon: AC\nFoundations: C-0\n"
    with pytest.raises(FormatError, match="t:4: talon: in a position in play its 1 card may be"):
        read_deal(find_variant(name), text.encode(), "t")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("4S 3S\n:\nFoundations: C-4 D-4 H-4 S-2\n", "3S cannot lie on 4S; a card face down is written <4S>"),
        ("4S\n<3S>\nFoundations: C-4 D-4 H-4 S-2\n", "column 2: card 3S is the top and must lie face up"),
        ("4S\n3S\nFoundations: C-4 D-4 H-4 S-A\n", "missing card: 2S"),
        ("4S\n3S\nFoundations: C-4 D-4 H-4 S-2\nRedeals: 1\n", "redeals: they are not counted where"),
        ("4S\n3S\nFoundations: C-4 D-4 H-4 S-2\nRedeals: x\n", "redeals 'x': expected a whole number"),
    ],
)
def test_positions_that_cannot_be_are_refused(text, problem):
    with pytest.raises(FormatError, match=problem):
        position(HIGH + text)


def test_more_redeals_than_passes_are_refused():
    text = HIGH + "4S\n3S\nFoundations: C-4 D-4 H-4 S-2\nRedeals: {}\n"
    assert position(text.format(2), "klondike-vegas").redeals == 2
    with pytest.raises(FormatError, match="redeals: expected 0 to 2 with 3 passes, got 3"):
        position(text.format(3), "klondike-vegas")


def test_a_full_deck_has_no_more_cards_face_down_than_a_deal():
    text = str(klondike.apply(KLONDIKE.deal(1), DRAW))
    assert position(text).hidden == (0, 1, 2, 3, 4, 5, 6)
    with pytest.raises(FormatError, match="stock: 25 cards, with those of the waste; a deal has 24"):
        position(text.replace("\n9S\n", "\n:\n") + " 9S\n")
    with pytest.raises(
        FormatError, match="columns: 0 1 2 3 4 6 6 cards face down, where a deal has 0 1 2 3 4 5 6"
    ):
        position(text.replace("6H", "", 1).replace("<TC>", "<TC> <6H>"))


def test_choices_are_written_and_read():
    variant = find_variant("klondike-draw-one")
    state = variant.deal(5, choices={"draw": "3", "worrying_back": "no"})
    assert "\nDraw: 3\nWorrying back: no\n" in str(state)
    assert read_deal(None, str(state).encode(), "t").state == state
    assert variant.choices_of(state) == {"draw": "3", "worrying_back": "no"}
    assert variant.choices_of(variant.deal(5, choices={"draw": "1"})) == {}
    with pytest.raises(ValueError, match=r"draw '25': expected 3 or 1 or "):
        variant.deal(5, choices={"draw": "25"})
    with pytest.raises(ValueError, match=r"^'exchange': klondike-draw-one has no such rule option; expected"):
        variant.deal(5, choices={"exchange": "turned"})


# --- Klondike in one pass -------------------------------------------------------------------------------

ONE_PASS = find_variant("klondike-one-pass")


def test_moves_in_one_pass():  # KL2
    columns = "<9D> KS\n:\nQH JS\nAH\n<5C> TS 9H\n<8H> <7H> <6H> 4H\n:\n"
    stock = "AC 3C 4C 6C 7C 8C 9C TC JC QC KC TD JD QD KD 2H 3H 5H JH KH 9S QS"
    piles = f"Stock: {stock}\nWaste: 2C TH\nFoundations: D-8 S-8\n"
    state = position(columns + piles, ONE_PASS.name)
    assert moves_of(state) == {"AC s-w", "AH 4-f", "QH 3-1", "TH w-3", "KS 1-2", "KS 1-7"}
    after = play(state, "KS 1-2")
    assert (after.columns[0], after.hidden[0]) == ((parse_card("9D"),), 0)
    while state.stock:
        state = klondike.apply(state, DRAW)
    with pytest.raises(ValueError, match=r"^the stock is empty, and there are no more passes$"):
        klondike.apply(state, DRAW)


def test_score_in_one_pass():  # KL3
    tops = {"C": "Q", "D": "K", "H": "K", "S": "K"}
    state = ONE_PASS.from_board(make_board("[KC]", foundations=tops, deck=Deck()))
    assert (ONE_PASS.score(state), klondike.tier_of(51, 52), state.is_won) == (51, "double", False)
    won = play(state, "KC 1-f")
    assert (ONE_PASS.score(won), klondike.tier_of(52, 52), won.is_won) == (52, "triple", True)


def test_klondike_in_one_pass_is_of_the_family_and_has_no_rule_options():
    family = [name for name, variant in VARIANTS.items() if variant.family is klondike]
    assert ONE_PASS.name in family
    state = ONE_PASS.deal(1)
    assert type(state) is klondike.State
    assert state.choices == klondike.Choices("1", "1", "no", "kings")
    assert state == ONE_PASS.deal(1, choices=klondike.Choices()) == ONE_PASS.deal(1, choices=state.choices)
    assert (dict(ONE_PASS.choices), ONE_PASS.choices_of(state)) == ({}, {})
    with pytest.raises(ValueError, match=r"^draw: klondike-one-pass has no such rule option$"):
        ONE_PASS.deal(1, choices=klondike.Choices(draw="3"))
    with pytest.raises(ValueError, match=r"^'draw': klondike-one-pass has no rule options"):
        ONE_PASS.deal(1, choices={"draw": "1"})
    vegas = find_variant("klondike-vegas-one").deal(1, choices={"worrying_back": "no"})
    assert moves_of(state) == moves_of(vegas)


def test_klondike_refuses_jokers():
    with pytest.raises(BoardError, match="without jokers"):
        ONE_PASS.from_board(make_board("[2C]"))
    for piles in ({"foundations": {"XB": "A"}}, {"foundations": {}, "removed": "XB"}, {"waste": "XB"}):
        with pytest.raises(BoardError, match=r"XB.*this deck|removed"):
            ONE_PASS.from_board(make_board("[2C]", deck=Deck(), **piles))


def test_lines_name_the_cards_turned_up():
    state = position(HIGH + "<4S> <2D> 3C\n4H\n4D\n4C\nFoundations: C-2 D-A H-3 S-3\nStock: 3D\n")
    turned, up = (klondike.parse_move(state, text) for text in ("3C 1-2", "3C 1-f"))
    assert klondike.annotation(state, turned, klondike.apply(state, turned)) == "(2D)"
    after = klondike.apply(state, up)
    assert klondike.annotation(state, up, after) == "(2D)"
    draw = klondike.parse_move(after, "3D s-w")
    assert klondike.annotation(after, draw, klondike.apply(after, draw)) == ""
