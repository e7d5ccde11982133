"""Tables while they are typed: missing cards, duplicates, and errors."""

import pytest
from tests.deals import by_rows, states_of_play

from winnable.board.editor import check
from winnable.rules import VARIANTS, find_variant

FORTRESS = str(find_variant("fortress").deal(8))


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", VARIANTS)
def test_deals_and_positions_are_complete(name):
    variant = find_variant(name)
    for state in states_of_play(variant.deal(5), 30, 5):
        told = check(variant, str(state))
        assert (told["ok"], told["mode"], told["missing"], told["doubled"]) == (True, "analysis", [], [])
        assert told["picture"]["columns"]


@pytest.mark.parametrize("name", VARIANTS)
def test_every_card_that_is_missing_or_doubled_is_told(name):
    variant = find_variant(name)
    text = str(variant.deal(5))
    first = next(line for line in text.splitlines()[1:] if ": " not in line).split()[0]
    fewer = check(variant, text.replace(first, "", 1))
    assert (fewer["ok"], fewer["missing"], fewer["problems"]) == (False, [first.strip("<>")], [])
    twice = check(variant, text.replace(first, f"{first} {first}", 1))
    assert (twice["ok"], twice["doubled"], twice["missing"]) == (False, [first.strip("<>")], [])


def test_all_is_told_at_once():
    lines = FORTRESS.splitlines()
    lines[2] = lines[2].replace("3S", "14S").replace("8H", "TH")
    lines.append("Colour: red")
    told = check(find_variant("fortress"), "\n".join(lines))
    expected = {
        3: "column 1: '14S' is not a card; write cards like 8D",
        len(lines): "'Colour': no such field",
    }
    assert {problem["line"]: problem["text"] for problem in told["problems"]} == expected
    assert [problem["code"] for problem in told["problems"]] == ["card", "field"]
    assert told["missing"] == ["3S", "8H"]
    assert told["doubled"] == ["TH"]


def test_an_empty_table_lacks_the_whole_deck():
    assert len(check(find_variant("joker"), "")["missing"]) == 54
    assert check(find_variant("simon-jester"), "")["problems"] == [
        {"code": "board", "line": 1, "text": "no deal found"}
    ]


def test_unknown_cards_make_a_table():
    tops = ["TS", "9H", "4D", "3S", "8C", "2C", "KD"]
    columns = "\n".join("<??> " * number + card for number, card in enumerate(tops))
    text = f"Exchange: turned\n{columns}\nFoundations: C-A\nStock: "
    told = check(find_variant("joker"), f"{text}25\n")
    assert (told["ok"], told["mode"], told["unknown"], told["missing"]) == (True, "table", 46, [])
    fewer = check(find_variant("joker"), f"{text}24\n")
    assert (fewer["ok"], fewer["unknown"], len(fewer["missing"])) == (False, 45, 46)


@pytest.mark.parametrize("gap", ["", "--"])
def test_rows_are_read_as_rows_with_a_note(gap):
    state = find_variant("fortress").deal(8)
    told, plain = (
        check(find_variant("fortress"), by_rows(state, gap)),
        check(find_variant("fortress"), FORTRESS),
    )
    assert told["ok"]
    assert "were read as the rows" in told["note"]
    assert plain["note"] is None
    assert told["picture"] == plain["picture"]
    klondike = check(find_variant("klondike"), by_rows(find_variant("klondike").deal(8)))
    assert not klondike["ok"]
    assert "these are the rows of a fresh deal" in klondike["problems"][0]["text"]
    assert klondike["problems"][0]["code"] == "rows"


def test_a_position_in_play_is_marked():
    game = find_variant("simple-simon")
    header, _, first, second, *rest = str(game.deal(1)).splitlines()
    text = "\n".join([header, f"{first} {second}", ":", *rest])
    (problem,) = check(game, text)["problems"]
    assert "for a position in play write '# position: in play' above it" in problem["text"]
    assert problem["code"] == "position"
    for mark in ("# position: in play", "Position: in play"):
        assert check(game, f"{mark}\n{text}")["ok"]


@pytest.mark.parametrize(
    "text",
    [
        "\x00", "Foundations: Q-9", "Ranks: 99", "{", "[]", "{}", "TS XB=Z", "Stock: 999", ":" * 500,
        "X" * 5000,
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", VARIANTS)
def test_whatever_is_typed_is_answered(name, text):
    told = check(find_variant(name), text)
    assert not told["ok"]
    assert told["problems"] or told["missing"] or told["doubled"]
    assert all("\n" not in problem["text"] for problem in told["problems"])
