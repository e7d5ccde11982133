"""Simon Jester, its triangular layout, and Simple Simon, clause by clause."""

import itertools
from collections import Counter

import pytest
from tests.rules import columns
from tests.rules.columns import CARDS, FULL, board, cells, is_accepted, listed, moves_of, play, playouts

from winnable.rules import BoardError, Deck, find_variant, simon
from winnable.rules.cards import RANKS, SUITS
from winnable.rules.simon import Move, State

GAMES = {"simon-jester": 14, "simon-jester-triangular": 14, "simple-simon": 10}
JESTERS = ["simon-jester", "simon-jester-triangular"]
TWO_DECKS = Deck(copies=2)
DECKS = [(13, "CDHS"), (13, "CD"), (4, "CDHS"), (3, "HS"), (2, "CS"), (1, "CDHS")]


def run(first, last, suit):
    """The names of a run: ``run("K", "J", "S")`` is ``KS QS JS``."""
    ranks = RANKS[RANKS.index(last) : RANKS.index(first) + 1]
    return " ".join(rank + suit for rank in reversed(ranks))


SPADES, HEARTS = run("K", "A", "S"), run("K", "A", "H")


def position(text, deck=TWO_DECKS, variant="simon-jester"):
    return State(variant, deck, cells(text))


# Deck and layout


@pytest.mark.parametrize("variant", GAMES)
def test_there_is_no_stock(variant):
    with pytest.raises(ValueError, match="2 cards are left over"):
        simon.start(variant, Deck(2, "CD"), ((0,), (1,)), (4, 5))


def test_two_copies_of_a_card_are_interchangeable():
    state = position("9H 7S / 9H 7S / 8D")
    assert moves_of(state) == {"7S 1-3", "7S 2-3"}
    one, other = play(state, "7S 1-3"), play(state, "7S 2-3")
    assert one != other
    assert simon.canonical(one) == simon.canonical(other)


# Legal moves


@pytest.mark.parametrize(
    ("column", "length"),
    [
        ("-", 0), ("5C", 1), ("6C 5C", 2), ("6C 5D", 1), ("5C 6C", 1), ("5C 5C", 1), ("7C 5C", 1),
        ("7D 6C 5C 4C", 3), ("9C 8C 7C 2H 7C 6C", 2), ("AC KC QC", 2), ("2C AC KC", 1),
        (run("K", "2", "H"), 12), ("3D " + SPADES, 13),
    ],
)  # fmt: skip
def test_a_run_falls_by_one_in_one_suit(column, length):
    assert simon.run_length(cells(column)[0]) == length


def test_a_card_goes_on_any_suit_one_rank_higher_and_on_no_other():
    for card, top in itertools.product(CARDS, repeat=2):
        fits = card[0] + top[0] in RANKS
        assert is_accepted(position(f"{card} / {top}"), Move(0, 1, 1)) == fits, (card, top)


POSITIONS = [
    # A run goes on any suit, in whole or from any of its cards upwards.
    ("9D 8S 7S 6S / 9H / 8C / 7D / 8S", "8S 1-2, 7S 1-3, 7S 1-5, 6S 1-4, 8C 3-2, 7D 4-3, 7D 4-5, 8S 5-2"),
    # Of a descending group of mixed suits only the part of one suit moves: here the 6C, not the 7S.
    ("9D 8S 7S 6C / 9H / 8C / 7D", "6C 1-4, 8C 3-2, 7D 4-3"),
    ("9D 8S 7C 6C / 9H / 8H / 7D", "7C 1-3, 6C 1-4, 8H 3-2, 7D 4-3"),
    # Rising cards are no run, nor is a gap.
    ("6C 7C / 8D", "7C 1-2"),
    ("9C 7C / TD / 8H", "7C 1-3"),
    # Any run goes to an empty column, to each of them, the whole column too.
    ("QD 4H 3H / - / -", "4H 1-2, 4H 1-3, 3H 1-2, 3H 1-3"),
    ("3H 2H / -", "3H 1-2, 2H 1-2"),
    # A king goes only to an empty column.
    ("KD / AS / QH / KC", "QH 3-1, QH 3-4"),
    ("KD QD / AS / -", "KD 1-3, QD 1-3, AS 2-3"),
    # Nothing goes on an ace; an ace goes on a deuce only.
    ("AS / KS / 2H / AD", "AS 1-3, AD 4-3"),
    ("AS / KS / AC / AD", ""),
    ("-", ""),
]


@pytest.mark.parametrize(("text", "legal"), POSITIONS)
@pytest.mark.parametrize("variant", GAMES)
def test_the_legal_moves_of_a_position(variant, text, legal):
    deck = find_variant(variant).deck()
    assert moves_of(position(text, deck, variant)) == listed(legal)


def test_ranks_of_a_short_deck_do_not_wrap():
    assert moves_of(position("AC / 4C / 3D / 2H", Deck(4))) == {"AC 1-4", "3D 3-2", "2H 4-3"}


def test_moves_to_cards_come_before_moves_to_empty_columns():
    moves = simon.legal_moves(position("- / 5C 4C / 6D / - / 5H"))
    kinds = [move.target in (0, 3) for move in moves]
    assert kinds == sorted(kinds)
    assert set(kinds) == {False, True}


def test_a_run_moves_in_order_and_costs_one_move():
    after = play(position("KD 8S 7S 6S / 9H / -"), "8S 1-2")
    assert after.columns == cells("KD / 9H 8S 7S 6S / -")
    assert play(after, "7S 2-3").columns == cells("KD / 9H 8S / 7S 6S")


# Refusals


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Move(0, 1, 1), "7S does not go on KH"), (Move(0, 1, 2), "8S does not go on KH"),
        (Move(0, 2, 3), "3 cards are asked for, the run on column 1 has 2"),
        (Move(0, 2, 0), "0 cards are asked for, the run on column 1 has 2"),
        (Move(0, 2, -1), "-1 cards are asked for, the run on column 1 has 2"),
        (Move(0, 0, 1), "7S lies on column 1 already"), (Move(2, 0, 1), "column 3 is empty"),
        (Move(3, 0, 1), "there is no column 4"), (Move(-1, 0, 1), "there is no column 0"),
        (Move(0, 3, 1), "there is no column 4"), (Move(0, -1, 1), "there is no column 0"),
    ],
)  # fmt: skip
def test_an_illegal_move_is_refused_with_a_reason(move, reason):
    state = position("9D 8S 7S / KH / -")
    assert simon.refusal(state, move) == reason
    with pytest.raises(ValueError, match=f"^{reason}$"):
        simon.apply(state, move)


# Runs that leave


def test_a_run_from_king_to_ace_leaves_when_it_is_completed():
    state = position(f"{run('K', '6', 'S')} / 9D {run('5', 'A', 'S')} / 4H")
    assert play(state, "5S 2-1").columns == cells("- / 9D / 4H")


def test_cards_under_the_king_stay():
    state = position(f"7H KD {run('K', '2', 'S')} / 9D AS")
    assert play(state, "AS 2-1").columns == cells("7H KD / 9D")


def test_a_run_must_be_complete_and_of_one_suit_to_leave():
    ace = position(f"{run('K', '2', 'S')} / 9D AH")
    assert play(ace, "AH 2-1").columns == cells(f"{run('K', '2', 'S')} AH / 9D")
    king = position(f"{run('Q', '2', 'S')} / 9D AS")
    assert play(king, "AS 2-1").columns == cells(f"{run('Q', 'A', 'S')} / 9D")
    mixed = position(f"KH {run('Q', '2', 'S')} / 9D AS")
    assert play(mixed, "AS 2-1").columns == cells(f"KH {run('Q', 'A', 'S')} / 9D")


def test_a_run_leaves_when_it_is_uncovered():
    state = position(f"8C {SPADES} 4H / 5D")
    assert play(state, "4H 1-2").columns == cells("8C / 5D 4H")


def test_one_move_may_complete_one_run_and_uncover_others():
    state = position(f"8C {SPADES} {HEARTS} 2D AC / 3S {run('K', '2', 'C')}")
    after = play(state, "AC 1-2")
    assert after.columns == cells(f"8C {SPADES} {HEARTS} 2D / 3S")
    assert play(after, "2D 1-2").columns == cells("8C / 3S 2D")


def test_runs_leave_a_deal_before_the_first_move():
    columns = cells(f"{SPADES} / 5C {SPADES} {HEARTS} / {HEARTS} 3C / -")
    state = simon.start("simon-jester", TWO_DECKS, columns)
    assert state.columns == cells(f"- / 5C / {HEARTS} 3C / -")


def test_runs_leave_a_short_deal_too():
    deck = Deck(2, "CD", copies=2)
    state = simon.start("simon-jester", deck, cells("2C AC / 2D 2C AC / AD 2D AD"))
    assert state.columns == cells("- / 2D / AD")
    assert simon.is_won(play(state, "AD 3-2"))
    assert simon.is_won(find_variant("simple-simon").deal(0, ranks=1))


@pytest.mark.parametrize(("variant", "runs"), [*((name, 8) for name in JESTERS), ("simple-simon", 4)])
def test_a_game_is_won_when_every_run_has_left(variant, runs):
    suits = ("CDHS" * 2)[:runs]
    kings = " / ".join(run("K", "2", suit) for suit in suits)
    state = position(f"{kings} / {' '.join('A' + suit for suit in suits)}", Deck(copies=runs // 4), variant)
    for left in reversed(range(runs)):
        assert not simon.is_won(state)
        state = play(state, f"A{suits[left]} {runs + 1}-{left + 1}")
        assert sum(map(len, state.columns)) == 13 * left
    assert simon.is_won(state)


@pytest.mark.quick(3)
@pytest.mark.parametrize("variant", GAMES)
@pytest.mark.parametrize(("ranks", "suits"), DECKS)
def test_only_whole_suits_leave_and_none_stays_on_top(variant, ranks, suits):
    for state in playouts(variant, ranks, suits, games=4):
        held = Counter(itertools.chain(*state.columns))
        for suit in map(SUITS.index, suits):
            assert len({held[4 * rank + suit] for rank in range(ranks)}) == 1
        assert all(simon.run_length(column) < ranks for column in state.columns)


# Notation


def test_a_move_names_the_highest_card_that_moves():
    state = position("QD 8S 7S 6S / - / - / - / - / - / - / - / - / 9H")
    assert simon.format_move(state, Move(0, 9, 3)) == "8S 1-10"
    assert simon.format_move(state, Move(0, 1, 1)) == "6S 1-2"
    assert simon.parse_move(state, "7s 1-2") == Move(0, 1, 2)


def test_a_card_with_a_copy_deeper_in_the_column_means_the_one_in_the_run():
    state = position("7S 6S 8D 8S 7S 6S / -")
    assert simon.parse_move(state, "7S 1-2") == Move(0, 1, 2)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7S 1-f", "cannot read the move"), ("7X 1-2", "'7X' is not a card"),
        ("9D 1-2", "9D lies too deep, the run begins at 8S"), ("5S 1-2", "5S is not in column 1"),
        ("XR 1-2", "XR is not in column 1"), ("7S 2-1", "column 2 is empty"),
        ("7S 0-1", "there is no column 0"), ("7S 3-1", "there is no column 3"),
    ],
)  # fmt: skip
def test_a_text_that_is_no_move_is_refused(text, reason):
    with pytest.raises(ValueError, match=reason) as error:
        simon.parse_move(position("9D 8S 7S / -"), text)
    assert len(str(error.value).splitlines()) == 1


# Canonical form


def test_states_that_differ_in_more_have_different_canonical_forms():
    texts = ["9H 7S / 2D / -", "7S 9H / 2D / -", "9H 7S / 2D", "9H 7S / 2D / - / -", "9H / 7S 2D / -"]
    assert len({simon.canonical(position(text)) for text in texts}) == len(texts)


# Boards


def test_complete_runs_leave_a_board_at_once():
    text = "3C 2C AC / AD 3C 2C AC / 2D 3D 2D AD / 3D"
    read = simon.from_board("simon-jester", board(text, Deck(3, "CD", copies=2)))
    assert read.columns == cells("- / AD / 2D / 3D")


@pytest.mark.parametrize("copies", [0, 1, 2])
def test_the_cards_not_shown_are_runs_that_left(copies):
    clubs = " / ".join(["AC 2C 3C"] * copies + ["AD 2D 3D", "-"])
    read = simon.from_board("simon-jester", board(clubs, Deck(3, "CD", copies=2)))
    assert read.columns == cells(clubs)


@pytest.mark.parametrize("variant", GAMES)
def test_a_board_without_cards_is_a_won_game(variant):
    read = simon.from_board(variant, board("-", find_variant(variant).deck()))
    assert len(read.columns) == GAMES[variant]
    assert simon.is_won(read)


@pytest.mark.parametrize("variant", GAMES)
def test_columns_may_have_any_size(variant):
    spades = " ".join(reversed(SPADES.split()))
    read = simon.from_board(variant, board(spades, find_variant(variant).deck()))
    assert [len(column) for column in read.columns] == [13] + [0] * (GAMES[variant] - 1)


def test_empty_foundations_are_tolerated():
    read = simon.from_board("simple-simon", board("AC 2C 3C", foundations={"C": "0", "D": "0"}))
    assert read.columns == cells("AC 2C 3C")


PAIR = Deck(3, "CD", copies=2)
BAD_BOARDS = [
    *columns.BAD_BOARDS,
    (board("AC 3C / AD 2D 3D"), "^missing card: 2C$"),
    (board("AC 2C 3C / 3D"), "^column 2: duplicate card 3D .also in a run that left.$"),
    (board(f"{FULL} / AC 2C / AD 2D 3D", PAIR), "^missing card: 3C$"),
    (board(f"{FULL} / AC 2C / AD 2D", PAIR), "^missing cards: 3C 3D$"),
    (board("AC", Deck(2, "CD")), "^missing card: 2C$"),
    (board("AC 2C / AC 2C", PAIR), "^missing cards: 3C 3C$"),
    (board(f"{FULL} / 2C", PAIR), "^column 3: duplicate card 2C .also in column 1.$"),
    (board(f"{FULL} / 2C AC 3C / 3C", PAIR), "^column 4: duplicate card 3C .also in column 3.$"),
    (board(FULL + " / " + FULL + " / " + FULL, PAIR), "^column 5: duplicate card AC"),
    (board(FULL, foundations={"C": "A", "D": "0"}), "^foundations: this game has no foundations$"),
    (board(FULL, foundations={"H": "0"}), "^foundations: this game has no foundations$"),
    (board(FULL, foundations={"XB": "A"}), "^foundations: this game has no foundations$"),
    (board(FULL, foundations={"XB": "0"}), "^foundations: this game has no foundations$"),
]


@pytest.mark.parametrize(("bad", "reason"), BAD_BOARDS)
@pytest.mark.parametrize("variant", GAMES)
def test_a_board_that_cannot_be_is_refused(variant, bad, reason):
    with pytest.raises(BoardError, match=reason) as error:
        simon.from_board(variant, bad)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize("variant", GAMES)
def test_a_board_has_no_more_columns_than_the_game(variant):
    count = GAMES[variant]
    with pytest.raises(BoardError, match=f"^column {count + 1}: this game has {count} columns$"):
        simon.from_board(variant, board(FULL + "/ -" * (count - 1)))
