"""Chessboard and Fortress, clause by clause."""

import functools
import itertools
from dataclasses import replace

import pytest
from tests.rules import columns
from tests.rules.columns import CARDS, FULL, board, cells, listed, moves_of, play

from winnable.rules import BoardError, Deck, chessboard, find_variant
from winnable.rules.cards import RANKS, SUITS, format_card, make_card, parse_card
from winnable.rules.chessboard import FOUNDATION, Move, State

GAMES = ["chessboard", "fortress"]


def position(variant, text, deck=None, up=(0, 0, 0, 0), base=None):
    base = 0 if variant == "fortress" else base
    return State(variant, deck or Deck(), cells(text), up, base)


playouts = functools.partial(columns.playouts, length=60, preferred=lambda move: move.target == FOUNDATION)


DECKS = [(13, "CDHS"), (13, "CD"), (4, "CDHS"), (3, "H"), (2, "CS"), (1, "CDHS")]


# Deck and layout


def test_the_base_rank_is_open_in_chessboard_and_the_ace_in_fortress():
    assert find_variant("chessboard").deal(5).base is None
    assert find_variant("fortress").deal(5).base == 0


@pytest.mark.parametrize("variant", GAMES)
def test_there_is_no_stock(variant):
    with pytest.raises(ValueError, match="1 cards are left over"):
        chessboard.start(variant, Deck(1, "CD"), ((0,),), (1,))


# Legal moves


@pytest.mark.parametrize(("variant", "ring"), [("chessboard", RANKS + "A"), ("fortress", RANKS)])
def test_a_card_goes_on_a_neighbour_of_its_suit_and_on_no_other(variant, ring):
    for card, top in itertools.permutations(CARDS, 2):
        state = position(variant, f"{card} / {top}", up=(1, 1, 1, 1), base=12)
        pair = card[0] + top[0]
        fits = card[1] == top[1] and (pair in ring or pair[::-1] in ring)
        assert (chessboard.refusal(state, Move(0, 1)) is None) == fits, (card, top)


POSITIONS = [
    # Up and down in suit; other suits and equal ranks do not go. The first card up may be any top card.
    ("chessboard", "9H 7S / 2D 8S / 7C / 6S / 8C", {},
     "7S 1-2, 7S 1-4, 8S 2-1, 7C 3-5, 6S 4-1, 8C 5-3, 7S 1-f, 8S 2-f, 7C 3-f, 6S 4-f, 8C 5-f"),
    # Only the top card moves: the 5C under the 9D does not.
    ("chessboard", "5C 9D / 6C / 4C", {"base": 10}, ""),
    # The ace and the king are neighbours both ways.
    ("chessboard", "AH / KH / QH / KD / AS", {"base": 5}, "AH 1-2, KH 2-1, KH 2-3, QH 3-2"),
    ("fortress", "AH / KH / QH / KD / 2S", {}, "KH 2-3, QH 3-2, AH 1-f"),
    # Any card goes to an empty column, to each of them.
    ("chessboard", "7S / - / KD 3C / -", {"base": 0}, "7S 1-2, 7S 1-4, 3C 3-2, 3C 3-4"),
    ("fortress", "4H AS / - / KD", {}, "AS 1-2, KD 3-2, AS 1-f"),
    # With base 5, hearts up to 7 and spades up to the king: 5C starts, 8H and AS follow.
    ("chessboard", "2S 5C / 8H / AS / 5D 4D / 8C", {"up": (0, 0, 3, 9), "base": 4}, "5C 1-f, 8H 2-f, AS 3-f"),
    # In Fortress a complete foundation takes no ace, nothing follows the king.
    ("fortress", "AS / 3H / 5C / AD", {"up": (0, 0, 2, 13)}, "3H 2-f, AD 4-f"),
    # The last card of a wrapped foundation is the one below the base.
    ("chessboard", "4C / 5D 6H", {"up": (12, 13, 12, 13), "base": 4}, "4C 1-f"),
    # In short decks the ace is next to the highest rank.
    ("chessboard", "AC / 4C / 3C", {"deck": Deck(4, "CD"), "up": (0, 1, 0, 0), "base": 1},
     "AC 1-2, 4C 2-1, 4C 2-3, 3C 3-2"),
    ("fortress", "AC / 4C / 3C", {"deck": Deck(4, "CD")}, "AC 1-f, 4C 2-3, 3C 3-2"),
    # With two ranks each is the neighbour of the other, with one there are no neighbours.
    ("chessboard", "AC / 2C / 2D", {"deck": Deck(2, "CD"), "up": (0, 1, 0, 0), "base": 0},
     "AC 1-2, AC 1-f, 2C 2-1, 2D 3-f"),
    ("chessboard", "AC / AD", {"deck": Deck(1, "CD")}, "AC 1-f, AD 2-f"),
    # Nothing to move.
    ("fortress", "- / -", {"up": (13, 13, 13, 13)}, ""),
]  # fmt: skip


@pytest.mark.parametrize(("variant", "text", "fields", "legal"), POSITIONS)
def test_the_legal_moves_of_a_position(variant, text, fields, legal):
    assert moves_of(position(variant, text, **fields)) == listed(legal)


def test_moves_up_come_first_and_moves_to_empty_columns_last():
    state = position("fortress", "2S AS / 2D / 3D / -")
    kinds = [(move.target != FOUNDATION) + (move.target == 3) for move in chessboard.legal_moves(state)]
    assert kinds == sorted(kinds)
    assert set(kinds) == {0, 1, 2}


@pytest.mark.parametrize("card", ["AC", "7D", "KH", "TS"])
def test_the_first_card_up_chooses_the_base_rank_of_all_foundations(card):
    rank = parse_card(card) // 4
    others = [make_card(rank, suit) for suit in range(4) if make_card(rank, suit) != parse_card(card)]
    state = position("chessboard", f"{card} / " + " / ".join(map(format_card, others)))
    state = play(state, f"{card} 1-f")
    assert state.base == rank
    assert sum(state.foundations) == 1
    assert moves_of(replace(state, columns=state.columns[1:])) == {
        f"{format_card(card)} {i}-f" for i, card in enumerate(others, 1)
    }


def test_the_base_rank_stays_when_more_cards_go_up():
    state = play(position("chessboard", "QD / 6S KD / AD / QC"), "QD 1-f", "KD 2-f", "AD 3-f", "QC 4-f")
    assert (state.base, state.foundations) == (11, (1, 3, 0, 0))


def test_nothing_leaves_a_foundation():
    state = position("fortress", "3C / -", up=(2, 0, 0, 0))
    with pytest.raises(ValueError, match="there is no column 0"):
        chessboard.apply(state, Move(FOUNDATION, 0))
    with pytest.raises(ValueError, match="cannot read the move"):
        chessboard.parse_move(state, "2C f-1")


@pytest.mark.quick(2)
@pytest.mark.parametrize("variant", GAMES)
@pytest.mark.parametrize(("ranks", "suits"), DECKS)
def test_every_move_moves_one_card(variant, ranks, suits):
    for state in playouts(variant, ranks, suits, length=30):
        for move in chessboard.legal_moves(state):
            after = chessboard.apply(state, move)
            changes = [len(new) - len(old) for new, old in zip(after.columns, state.columns, strict=True)]
            assert changes[move.source] == -1
            assert sum(map(abs, changes)) == 1 + (move.target != FOUNDATION)
            assert sum(after.foundations) - sum(state.foundations) == (move.target == FOUNDATION)


# Refusals


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Move(0, 1), "7S does not go on 9S"), (Move(0, 0), "7S lies on column 1 already"),
        (Move(0, FOUNDATION), "7S is not next on its foundation"), (Move(2, 0), "column 3 is empty"),
        (Move(2, FOUNDATION), "column 3 is empty"), (Move(3, 0), "there is no column 4"),
        (Move(-1, 0), "there is no column 0"), (Move(0, 3), "there is no column 4"),
        (Move(0, -2), "there is no column -1"),
    ],
)  # fmt: skip
def test_an_illegal_move_is_refused_with_a_reason(move, reason):
    state = position("fortress", "7S / 9S / -")
    assert chessboard.refusal(state, move) == reason
    with pytest.raises(ValueError, match=f"^{reason}$"):
        chessboard.apply(state, move)


# Notation


def test_a_move_names_card_source_and_target():
    state = position("chessboard", "9H 7S / - / - / - / - / - / - / - / - / 2D")
    assert chessboard.format_move(state, Move(0, 9)) == "7S 1-10"
    assert chessboard.format_move(state, Move(9, FOUNDATION)) == "2D 10-f"
    assert chessboard.parse_move(state, "7s 1-2") == Move(0, 1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7S 1-x", "cannot read"), ("7S f-1", "cannot read"), ("7X 1-2", "'7X' is not a card"),
        ("9H 1-2", "the top of column 1 is 7S"), ("XB 1-2", "the top of column 1 is 7S"),
        ("7S 2-1", "column 2 is empty"), ("7S 0-1", "there is no column 0"),
        ("7S 3-1", "there is no column 3"), ("7S 1-0", "there is no column 0"),
        ("7S 1-00", "there is no column 00"),
    ],
)  # fmt: skip
def test_a_text_that_is_no_move_is_refused(text, reason):
    with pytest.raises(ValueError, match=reason) as error:
        chessboard.parse_move(position("chessboard", "9H 7S / -"), text)
    assert len(str(error.value).splitlines()) == 1


# End and canonical form


@pytest.mark.parametrize("suit", "CDHS")
def test_a_game_is_won_when_the_last_card_is_up(suit):
    up = tuple(12 if name == suit else 13 for name in SUITS)
    state = position("fortress", f"- / K{suit} / -", up=up)
    assert not chessboard.is_won(state)
    assert chessboard.is_won(play(state, f"K{suit} 2-f"))


def test_a_short_deck_is_won_round_the_corner():
    state = position("chessboard", "AC 3C / 2D 2C / AD 3D", Deck(3, "CD"))
    won = play(state, "3D 3-f", "AD 3-f", "3C 1-f", "AC 1-f", "2C 2-f", "2D 2-f")
    assert chessboard.is_won(won)
    assert (won.base, won.foundations) == (2, (3, 3, 0, 0))


def test_states_that_differ_in_more_have_different_canonical_forms():
    texts = ["9H 7S / 2D / -", "7S 9H / 2D / -", "9H 7S / 2D", "9H 7S / 2D / - / -", "9H / 7S 2D / -"]
    states = [position("chessboard", text) for text in texts]
    for up, base in (((1, 0, 0, 0), 3), ((1, 0, 0, 0), 4), ((0, 1, 0, 0), 4)):
        states.append(position("chessboard", texts[0], up=up, base=base))
    assert len({chessboard.canonical(state) for state in states}) == len(states)


# Boards


def test_foundations_are_written_with_base_and_top_in_chessboard():
    state = position("chessboard", "-", up=(0, 5, 13, 10), base=4)
    assert chessboard.to_board(state).foundations == {"C": "0", "D": "5:9", "H": "5:4", "S": "5:A"}
    assert chessboard.to_board(position("chessboard", "-")).foundations is None


def test_foundations_are_written_with_their_top_in_fortress():
    state = position("fortress", "-", up=(0, 1, 10, 13))
    assert chessboard.to_board(state).foundations == {"C": "0", "D": "A", "H": "T", "S": "K"}


def test_fortress_reads_a_base_if_it_is_the_ace():
    read = chessboard.from_board("fortress", board("3C / 2D 3D", foundations={"C": "A:2", "D": "A"}))
    assert read.foundations == (2, 1, 0, 0)


def test_left_out_columns_of_a_full_deck_are_empty():
    tops = dict.fromkeys("CDH", "2:A")
    read = chessboard.from_board("chessboard", board("AS / KS", Deck(), {**tops, "S": "2:Q"}))
    assert read.columns == (*cells("AS / KS"), *((),) * 8)
    assert (read.base, read.foundations) == (1, (13, 13, 13, 11))


BAD_BOARDS = [
    (
        "chessboard",
        board("- / -", foundations={"C": "2:A", "D": "3:2"}),
        "foundations: the base ranks differ: 2 3",
    ),
    ("chessboard", board("3C / 2D 3D AD", foundations={"C": "2"}), "expected base and top"),
    ("chessboard", board(FULL, foundations={"C": "0:A"}), "foundations: '0:A': expected base and top"),
    ("chessboard", board(FULL, foundations={"C": "A:0"}), "foundations: 'A:0': expected base and top"),
    ("chessboard", board(FULL, foundations={"C": "A:2:3"}), "'2:3' is not a rank"),
    ("chessboard", board(FULL, foundations={"C": "A:4"}), "this deck ends at 3"),
    ("fortress", board(FULL, foundations={"C": "2:3"}), "foundations begin with the ace"),
    ("fortress", board(FULL, foundations={"C": "4"}), "this deck ends at 3"),
    ("fortress", board(FULL, foundations={"C": "Z"}), "'Z' is not a rank; write A, 2 to 9, T, J, Q or K"),
    *(
        case
        for game in GAMES
        for case in (
            *((game, *case) for case in columns.BAD_BOARDS),
            (game, board("AC 2C / AD"), "^missing cards: 3C 2D 3D$"),
            (game, board(FULL, foundations={"H": "0"}), "^foundations: 'H': this deck has no such suit"),
            (game, board(FULL, foundations={"XB": "A"}), "^foundations: 'XB': this deck has no such suit"),
            (game, board(FULL, foundations={"C": "A:A" if game == "chessboard" else "A"}), "duplicate card"),
            (game, board(FULL + "/ -" * 9), "^column 11: this game has 10 columns"),
        )
    ),
]


@pytest.mark.parametrize(("variant", "bad", "reason"), BAD_BOARDS)
def test_a_board_that_cannot_be_is_refused(variant, bad, reason):
    with pytest.raises(BoardError, match=reason) as error:
        chessboard.from_board(variant, bad)
    assert len(str(error.value).splitlines()) == 1


def test_cards_on_foundations_continue_from_the_base_in_suit():
    for state in playouts("chessboard", games=4, length=120):
        held = set(itertools.chain(*state.columns))
        for suit, height in enumerate(state.foundations):
            up = {make_card(((state.base or 0) + i) % 13, suit) for i in range(height)}
            assert up == {make_card(rank, suit) for rank in range(13)} - held
