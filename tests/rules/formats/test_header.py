"""The header of a deal: what it says is read, wrong headers are refused, and other comments are free."""

import json

import pytest

from winnable.rules import VARIANTS, find_variant, has_unknown
from winnable.rules.formats import read_deal, read_deals, read_table
from winnable.rules.formats.json_deals import deal_object, table_object
from winnable.rules.formats.text import Deal, FormatError, format_board, format_deal, format_table
from winnable.rules.tables import hidden

FORTRESS, CHESSBOARD, JOKER = map(find_variant, ("fortress", "chessboard", "joker"))


def board(variant, seed=1):
    """The board of a seed without a header."""
    lines = format_board(variant, variant.deal(seed)).splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("#"))


def read(text, variant=None):
    """The deals of ``text``, without how they were understood."""
    return [deal._replace(reading=None) for deal in read_deals(variant, text.encode(), "deal.txt")]


def refusal(text, variant=None):
    with pytest.raises(FormatError) as caught:
        read(text, variant)
    message = str(caught.value)
    assert message.startswith("deal.txt:")
    assert "\n" not in message
    return message


@pytest.mark.parametrize("name", VARIANTS)
def test_deals_come_back_with_their_game_and_seed(name):
    variant = VARIANTS[name]
    state = variant.deal(5)
    after = variant.family.apply(state, variant.family.legal_moves(state)[0])
    for deal in (Deal(state), Deal(state, 5), Deal(after, pysol="ms12", made=1), Deal(after, 5, made=1)):
        text = format_deal(deal)
        assert text.startswith(f"# game: {name}\n")
        as_object = deal_object(variant, deal.state, deal.seed, deal.pysol, deal.made)
        for written in (text, json.dumps(as_object)):
            for asked in (None, variant):
                assert read(written, asked) == [deal]
                assert read(written, asked)[0].variant is variant


def test_the_name_of_a_deal():
    state = FORTRESS.deal(1)
    deals = [Deal(state), Deal(state, 1), Deal(state, pysol="3"), Deal(state, 1, made=1), Deal(state, made=2)]
    assert [deal.name for deal in deals] == ["", "seed 1", "pysol 3", "seed 1 after 1 move", ""]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("# game: fortress\n# seed: 1\n", (1, None, 0)),
        ("#game:fortress\n#  Seed :  18446744073709551615\n# Moves Made:2\n", (2**64 - 1, None, 2)),
        ("# GAME: Fortress\n# moves made: 1\n\n# my favourite deal\n# pysol: ms12\n", (None, "ms12", 1)),
        ("# seed: 7\n# moves made: 3\n# game: fortress\n", (7, None, 3)),
        ("# joker is my favourite\n# game: fortress\n# pysol: 12345\n# moves made: 3\n", (None, "12345", 3)),
    ],
)
def test_headers_name_game_and_origin(header, expected):
    for text in (header + board(FORTRESS), (header + board(FORTRESS)).replace("\n", "\r\n")):
        [deal] = read(text)
        assert (deal.seed, deal.pysol, deal.made) == expected
        assert deal.variant is FORTRESS
        assert read(text, FORTRESS) == [deal]
        assert "deal.txt:" in refusal(text, CHESSBOARD)


@pytest.mark.parametrize(
    "comment",
    [
        "# joker is my favourite",
        "# the chessboard seed 8 of my aunt",
        "# joker",
        "# joker seed 1",
        "# my game: joker",
        "# seeds: 4",
        "#",
        "# seed",
    ],
)
def test_other_comments_are_free(comment):
    assert read(f"{comment}\n{board(FORTRESS)}", FORTRESS)[0].seed is None
    assert "which game?" in refusal(f"{comment}\n{board(FORTRESS)}")
    lines = board(FORTRESS).splitlines()
    between = "\n".join([*lines[:4], comment, *lines[4:], comment])
    assert read(between, FORTRESS) == [Deal(FORTRESS.deal(1))]


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        ("# game: chessbord", ":1: game 'chessbord': no such game; did you mean chessboard?"),
        ("# game:", ":1: game '': no such game"),
        ("# game: fortress\n# game: fortress", ":2: game: written twice, first in line 1"),
        ("# game: fortress\n# game: joker", ":2: game: written twice"),
        ("# game: fortress\n# seed: one", ":2: seed 'one': expected a whole number from 0 to 2^64 - 1"),
        ("# game: fortress\n# seed: -1", ":2: seed '-1'"),
        ("# game: fortress\n# seed: 18446744073709551616", ":2: seed '18446744073709551616'"),
        (f"# game: fortress\n# seed: {'9' * 5000}", ":2: seed '999999999999999999999999...'"),
        ("# game: fortress\n# seed: 1\n# seed: 1", ":3: seed: written twice"),
        ("# game: fortress\n# pysol: x", ":2: PySolFC deal 'x'"),
        ("# game: fortress\n# pysol: -3", ":2: PySolFC deal '-3'"),
        ("# game: fortress\n# pysol: 3\n# seed: 3", ":3: seed 3 and pysol 3: a deal has one of them"),
        ("# game: fortress\n# moves made: some", ":2: moves made 'some': expected a whole number"),
    ],
)
def test_wrong_headers_are_refused_with_their_line(header, problem):
    for asked in (None, FORTRESS):
        assert problem in refusal(f"{header}\n{board(FORTRESS)}", asked)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"game": "chessbord"}, "game 'chessbord': no such game; did you mean chessboard?"),
        ({"game": 3}, "game '3': expected a string"),
        ({"game": "chessboard"}, "this is a deal of chessboard, but fortress was named"),
        ({"pysol": "12"}, "seed 1 and pysol 12: a deal has one of them"),
        ({"pysol": "-12", "seed": None}, "PySolFC deal '-12'"),
        ({"moves_made": -1}, "moves made '-1'"),
        ({"moves_made": "3"}, "moves made"),
    ],
)
def test_wrong_keys_are_refused(change, problem):
    deal = deal_object(FORTRESS, FORTRESS.deal(1), 1) | change
    assert refusal(json.dumps(deal), FORTRESS).startswith(f"deal.txt:1: {problem}")


def test_what_json_says_twice_is_refused():
    text = json.dumps(deal_object(FORTRESS, FORTRESS.deal(1), 1))
    assert refusal('{"game": "chessboard", ' + text[1:]) == "deal.txt:1: 'game': written twice"


def test_a_bare_board_needs_a_named_game():
    assert read(board(FORTRESS), FORTRESS) == [Deal(FORTRESS.deal(1))]
    assert read(board(FORTRESS), CHESSBOARD) == [Deal(CHESSBOARD.deal(1))]
    assert "deal.txt:1: which game? Name it in the file ('# game: fortress') or along with it" in refusal(
        board(FORTRESS)
    )
    bare = deal_object(FORTRESS, FORTRESS.deal(1))
    bare.pop("game")
    assert "which game?" in refusal(json.dumps(bare))
    assert read(json.dumps(bare), FORTRESS) == [Deal(FORTRESS.deal(1))]
    assert "which game?" in refusal('{"tableau piles": []}')


def test_deals_of_several_games_in_one_file():
    deals = [Deal(VARIANTS[name].deal(3), 3) for name in VARIANTS]
    for text in (
        "\n".join(map(format_deal, deals)),
        "".join(map(format_deal, deals)),  # a header begins a board also without a blank line
        "".join(json.dumps(deal_object(deal.variant, deal.state, 3)) + "\n" for deal in deals),
    ):
        assert read(text) == deals
    assert "this is a deal of fortress, but chessboard was named" in refusal(
        "\n".join(map(format_deal, deals)), CHESSBOARD
    )


def test_the_game_of_a_header_holds_for_the_boards_that_follow_and_its_seed_does_not():
    text = f"# game: fortress\n# seed: 1\n{board(FORTRESS)}\n{board(FORTRESS, 2)}"
    assert read(text) == [Deal(FORTRESS.deal(1), 1), Deal(FORTRESS.deal(2))]


def test_positions_in_a_row_are_told_apart_by_their_headers():
    state = CHESSBOARD.deal(8)
    positions = []
    for made in range(1, 4):
        state = CHESSBOARD.family.apply(state, CHESSBOARD.family.legal_moves(state)[0])
        positions.append(Deal(state, 8, made=made))
    assert read("".join(map(format_deal, positions))) == positions


def test_what_follows_an_answer_is_passed_over_up_to_the_next_header():
    deals = [Deal(FORTRESS.deal(seed), seed) for seed in (1, 2)]
    first, second = map(format_deal, deals)
    answer = "\nVerdict: winnable\n\nSolution: 1 move (x)\n  1. 7H 6-f\n\nSearch: 3 states\n"
    assert read(first + answer + second + answer) == deals
    for moves in ("1. 7H 6-f\n", "Moves:\n7H 6-f\n", "Player: rule\n\n   1. 7H 6-f; 8H 6-f\n"):
        assert read(f"{first}\n{moves}") == deals[:1]


def test_a_header_without_a_board_is_refused():
    assert "deal.txt:1: no board follows this header" in refusal("# game: fortress\n")
    text = f"# game: fortress\n{board(FORTRESS)}"
    assert ":12: no board follows this header" in refusal(f"{text}# seed: 3\n")


def test_partly_known_positions_have_the_same_header():
    table = hidden(JOKER.deal(4))
    text = format_table(table)
    assert text.startswith("# game: joker\n")
    for written in (text, json.dumps(table_object(table))):
        assert read_table(None, written.encode(), "t").state == table
        with pytest.raises(FormatError, match="this is a deal of joker, but klondike-one-pass was named"):
            read_table(find_variant("klondike-one-pass"), written.encode(), "t")
    found = read_table(None, ("# seed: 4\n" + text).encode(), "t")
    assert (found.seed, found.variant) == (4, JOKER)
    assert has_unknown(found.state)
    with pytest.raises(FormatError, match=r"t:1: which game\?"):
        read_table(None, text.removeprefix("# game: joker\n").encode(), "t")
    assert read_deal(None, format_board(JOKER, JOKER.deal(4), 4).encode(), "t") == Deal(JOKER.deal(4), 4)
