"""Formats of other programs: written deals can be read, and deals that a format cannot express are
refused."""

import io
import json

import pytest
from tests.deals import states_of_play

import winnable
from winnable.rules import VARIANTS, find_variant, formats
from winnable.rules.formats import FormatError, read_all, read_deal, read_deals, write_deals
from winnable.rules.formats.text import Deal

NO_JOKERS = [name for name, variant in VARIANTS.items() if not variant.jokers]
NO_STOCK = [name for name, variant in VARIANTS.items() if not variant.has_stock]


def wander(variant, seed, length, some=slice(4)):
    """The states of a random line of play that prefers the first legal moves, or those in ``some``."""
    return states_of_play(variant.deal(seed), length, seed, lambda moves: moves[some])


def write(variant, state, style):
    return "".join(write_deals(variant, [Deal(state)], style, True))


def read(variant, text):
    return read_deal(variant, text.encode(), "t").state


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", NO_JOKERS)
def test_solvitaire_positions_come_back(name):
    variant, compared = find_variant(name), 0
    for seed in range(30):
        for state in wander(variant, seed, 60 if seed < 3 else 6):
            if getattr(state, "redeals", 0):
                with pytest.raises(ValueError, match="before the first redeal"):
                    write(variant, state, "solvitaire")
                continue
            assert read(variant, write(variant, state, "solvitaire")) == state
            compared += 1
    assert compared > 80


@pytest.mark.parametrize("name", ["klondike", "fortress", "simon-jester"])
def test_solvitaire_foundations_are_one_list_of_cards_or_several(name):
    variant = find_variant(name)
    ranks = "A23456789TJQK"
    if name == "simon-jester":
        rest = "\n".join(" ".join(f"{rank}{suit}" for rank in ranks) for suit in "DHS" * 2)
        state = read(variant, f"# position: in play, by columns\n{rest}")
    else:
        board = "\n".join(f"K{suit}" for suit in "CDHS") + "\nFoundations: C-Q D-Q H-Q S-Q\n"
        state = read(variant, board)
    deal = json.loads(write(variant, state, "solvitaire"))
    up = deal["foundations"]
    assert all(isinstance(card, str) for card in up)
    assert read(variant, json.dumps(deal)) == state
    mixed = sorted(up, key=lambda card: "A23456789XJQK".index(card[0].replace("1", "X")))
    piles = [[card for card in up if card[-1] == suit] for suit in "CDHS"]
    if name != "simon-jester":
        assert read(variant, json.dumps(deal | {"foundations": mixed})) == state
        assert read(variant, json.dumps(deal | {"foundations": piles})) == state


@pytest.mark.quick("chessboard", "fortress")
@pytest.mark.parametrize("name", NO_STOCK)
def test_fc_solve_positions_come_back(name):
    variant, compared = find_variant(name), 0
    some = slice(-4, None) if name == "chessboard" else slice(4)  # the last moves do not go up
    for seed in range(60):
        for state in wander(variant, seed, 60 if seed < 3 else 6, some):
            if name == "chessboard" and any(state.foundations):
                break
            assert read(variant, write(variant, state, "fc-solve")) == state
            compared += 1
    assert compared > 80


@pytest.mark.parametrize("style", ["text", "json", "jsonl", "solvitaire", "fc-solve"])
def test_several_deals_come_back(style):
    variant = find_variant("simple-simon")
    deals = [Deal(variant.deal(seed), seed) for seed in range(4)]
    text = "".join(write_deals(variant, deals, style, False))
    states = [deal.state for deal in read_deals(variant, text.encode(), "t")]
    assert states == [deal.state for deal in deals]


def test_runs_that_left_are_foundations_to_fc_solve():
    variant = find_variant("simple-simon")
    clubs = " ".join(f"{rank}C" for rank in "KQJT98765432A")
    rest = "\n".join(" ".join(f"{rank}{suit}" for rank in "A23456789TJQK") for suit in "DHS")
    state = read(variant, f"{clubs}\n{rest}\n")
    text = write(variant, state, "fc-solve")
    assert text.startswith("Foundations: H-0 C-K D-0 S-0\n:\nAD 2D ")
    assert read(variant, text) == state
    assert read(variant, "Freecells:\n" + text) == state
    for wrong in ("H-0 C-5", "H-K C-K", "H-K C-0"):
        with pytest.raises(FormatError, match="foundations: "):
            read(variant, text.replace("H-0 C-K", wrong))
    with pytest.raises(FormatError, match="freecells '4C'"):
        read(variant, "Freecells: 4C\n" + text)


def test_a_solvitaire_deal_of_its_own_is_read():
    text = """{"tableau piles": [
    ["KC"], ["6s","8C"], ["9s","Ah","5S"], ["5d","Js","5h","QD"], ["Ac","7c","Jc","7h","KD"],
    ["10c","3h","4d","4h","6c","QS"], ["7d","3c","6h","5c","10h","9c","3S"]],
    "stock": ["JD","10D","7S","10S","1D","8S","11H","2D","AS","3D","9D","9H","6D","KS","12H","2H","2S","4S",
    "4C","13H","2C","8H","8D","QC"], "waste": [], "foundations": [[], [], [], []]}"""
    variant = find_variant("klondike-one-pass")
    state = read(variant, text)
    assert state.hidden == (0, 1, 2, 3, 4, 5, 6)
    assert read(variant, write(variant, state, "text")) == state
    assert write(variant, state, "json").count('"QC 8D 8H 2C KH') == 1
    assert read(variant, text.upper().replace("TABLEAU PILES", "tableau piles").replace("STOCK", "stock")
                .replace("WASTE", "waste").replace("FOUNDATIONS", "foundations")) == state  # fmt: skip


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"tableau piles": 3}, "tableau piles: expected a list of lists"),
        ({"tableau piles": [["AC"], "AD"]}, "tableau piles: expected a list of cards, got '\"AD\"'"),
        ({"tableau piles": [["AC"], [3]]}, "column 2: card '3': expected a string"),
        ({"tableau piles": [["14C"]]}, "column 1: '14C' is not a card"),
        ({"tableau piles": [["AX"]]}, "column 1: 'AX' is not a card"),
        ({"stock": ["AC"]}, "stock: this game has none"),
        ({"reserve": []}, "'reserve': no such key"),
        ({"foundations": [["2C"]]}, "foundations: card 2C is not an ace"),
        ({"foundations": [["AC", "3C"]]}, "foundations: card 3C is not next"),
    ],
)
def test_bad_solvitaire_deals_are_refused_with_their_place(change, problem):
    variant = find_variant("fortress")
    deal = json.loads(write(variant, variant.deal(1), "solvitaire")) | change
    with pytest.raises(FormatError) as caught:
        read(variant, json.dumps(deal))
    assert str(caught.value).startswith(f"t:1: {problem}")


@pytest.mark.parametrize(
    ("name", "style", "ranks", "problem"),
    [
        ("joker", "solvitaire", 13, "expected a game without jokers"),
        ("joker", "fc-solve", 13, "a game without a stock"),
        ("klondike-one-pass", "fc-solve", 13, "a game without a stock"),
        ("fortress", "solvitaire", 5, "expected the full deck"),
        ("fortress", "fc-solve", 5, "expected the full deck"),
    ],
)
def test_what_a_format_cannot_say_is_refused(name, style, ranks, problem):
    variant = find_variant(name)
    with pytest.raises(ValueError, match=problem):
        write(variant, variant.deal(1, ranks), style)


def test_a_base_rank_is_nothing_for_fc_solve():
    variant = find_variant("chessboard")
    state = next(s for s in wander(variant, 1, 60) if any(s.foundations))
    with pytest.raises(ValueError, match="no foundations such as those of chessboard"):
        write(variant, state, "fc-solve")


def test_a_file_without_an_end_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(formats, "MEGABYTES", 1)
    longest, path = b" " * (1 << 20), tmp_path / "deal.txt"
    assert read_all(io.BytesIO(longest), "t") == longest
    problem = "1: more than 1 megabytes: too long for a file of deals or moves$"
    with pytest.raises(FormatError, match=f"^t:{problem}"):
        read_all(io.BytesIO(longest + b" "), "t")
    path.write_bytes(longest + b" ")
    with pytest.raises(FormatError, match=problem):
        winnable.read_deal(path, "fortress")
