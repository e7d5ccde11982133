"""The text and JSON formats: round trips, and one clear error for everything else."""

import json
from contextlib import contextmanager

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.deals import states_of_play, wander

from winnable.rules import VARIANTS, Choices, find_variant
from winnable.rules.formats import read_deal, read_deals, read_solution
from winnable.rules.formats.json_deals import deal_object
from winnable.rules.formats.solutions import format_solution
from winnable.rules.formats.text import FormatError, format_board

DEAL = """\
# game: chessboard
6H 5C TD KS 2H 9C
JD QS 4H 8S 9S
7H 3S KD 6S 4C
3D 9H AC KC 2S
8H 3H 2C 9D 5S
8C 7C 6C 7D TH JH
7S QC AS KH 5H
4D 2D AD QD TC
TS JS QH 5D AH
3C 8D 4S JC 6D
"""


def positions(name):
    variant = VARIANTS[name]
    for seed in range(6):
        yield from states_of_play(variant.deal(seed), 60, seed)
        yield from states_of_play(variant.deal(seed, 4 + seed, "CDHS"[seed % 3 :]), 30, seed)


def chessboard(text):
    return read_deal(find_variant("chessboard"), text.encode(), "deal.txt")


def refusal(variant, data, choices=None):
    if isinstance(data, str):
        data = data.encode()
    with pytest.raises(FormatError) as caught:
        list(read_deals(find_variant(variant), data, "deal.txt", choices))
    message = str(caught.value)
    assert message.startswith("deal.txt:")
    assert "\n" not in message
    assert len(message) < 200
    return message


@contextmanager
def one_clear_error(name):
    """Allow only a FormatError whose message is one printable line with the name of the file."""
    try:
        yield
    except FormatError as error:
        message = str(error)
    else:
        return
    assert message.startswith(f"{name}:")
    assert message.isprintable()
    assert len(message) < 300


@pytest.mark.quick("chessboard", "fortress")
@pytest.mark.parametrize("name", VARIANTS)
def test_json_comes_back_as_it_was_written(name):
    variant = VARIANTS[name]
    for state in positions(name):
        deal = deal_object(variant, state, 5, made=9)
        for text in (json.dumps(deal), json.dumps([deal], indent=2)):
            read = read_deal(variant, text.encode(), "t")
            assert (read.state, read.seed) == (state, 5)


@pytest.mark.parametrize(
    "text",
    [
        DEAL.replace("TD", "10D").replace("TH", "10h"), DEAL.lower(), "\ufeff" + DEAL,
        DEAL.replace("\n", "\n\n"), "".join(f": {line}\n" for line in DEAL.splitlines()[1:]),
        DEAL + "\nVerdict: winnable\n\nSolution: 1 move (...)\n  1. 5D 3-f\n",
        DEAL + "Foundations: C-0 D-0 H-0 S-0\n", "  " + DEAL.replace(" ", "\t "),
    ],
)  # fmt: skip
def test_other_ways_to_write_the_same_deal(text):
    assert chessboard(text).state == chessboard(DEAL).state


def test_columns_left_out_at_the_end_are_empty_and_sizes_are_free():
    lines = DEAL.splitlines()[1:]
    joined = "\n".join(["Position: in play", *lines[:8], f"{lines[8]} {lines[9]}"])
    state = chessboard(joined).state
    assert [len(column) for column in state.columns] == [6, 5, 5, 5, 5, 6, 5, 5, 10, 0]
    assert chessboard(joined + "\n:\n").state == state


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("6H", "14H", [":2: column 1: '14H' is not a card"]),
        ("6H", "6X", [":2: column 1: '6X' is not a card"]),
        ("6H", "XB", [":2: column 1: card XB does not belong to this deck"]),
        ("6H", "5C", [":2: column 1: duplicate card 5C", "column 1"]),
        ("8D 4S", "8D", ["missing card: 4S"]),
        ("6H 5C", "5C", ["missing card: 6H"]),
        ("6H", "<6H>", [":2: column 1: card 6H: all cards lie face up here"]),
        ("6H", "<??>", [":2: column 1: card '<??>'"]),
        ("6H", "6H=4", [":2: column 1: card '6H=4': only a joker is declared"]),
        ("6D\n", "6D\n6H\n", [":12: column 11: this game has 10 columns"]),
        ("6D\n", "6D\nStock: 6H\n", [":12: stock: this game has none"]),
        ("6D\n", "6D\nFreecells: 6H\n", [":12: freecells '6H': this game has none"]),
        ("6D\n", "6D\nFoundations: C-5\n", [":12: foundations: '5': expected base and top"]),
        ("6D\n", "6D\nFoundations: C-5:9 C-4:4\n", [":12: foundations: C is written twice"]),
        ("6D\n", "6D\nFoundations: X-5:9\n", [":12: foundations: cannot read 'X-5:9'"]),
        ("6D\n", "6D\nFoundations: C-5:9 D-4:4\n", [":12: foundations: the base ranks differ"]),
        ("6D\n", "6D\nFoundations: C-5:9\n", ["duplicate card"]),
        ("6D\n", "6D\nRanks: 14\n", ["ranks '14'"]),
        ("6D\n", "6D\nSuits: DC\n", ["suits 'DC'"]),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(old, new, parts):
    message = refusal("chessboard", DEAL.replace(old, new))
    assert all(part in message for part in parts), message


@pytest.mark.parametrize(
    ("variant", "text", "part"),
    [
        ("chessboard", "", "no deal found"),
        ("chessboard", "# nothing\n\n", "no deal found"),
        ("chessboard", b"6H \xff\n", "deal.txt:1: byte 0xff"),
        ("chessboard", "{", "deal.txt:1: invalid JSON"),
        ("chessboard", '{"columns": ["6H"]}\n{"columns": [', "card"),
        ("chessboard", "[" * 100000, "invalid JSON"),
        ("chessboard", "6H " * 10_000, "1: a line of 29999 characters: too long for a board"),
        ("chessboard", "[1, 2]", "deal 1: expected a deal, an object with columns, got '1'"),
        ("chessboard", '{"columns": "6H"}', "columns: expected a list with the cards of each column"),
        ("chessboard", '{"columns": ["6H"], "colour": 1}', "'colour': no such key"),
        ("chessboard", '{"seed": 8, "verdict": "winnable"}', "its columns, got an answer without them"),
        ("simple-simon", '{"columns": [], "decks": 2}', "decks '2': simple-simon has 1"),
        ("chessboard", '{"game": "fortress", "columns": []}', "but chessboard was named"),
        ("chessboard", '{"columns": ["6H"], "seed": -1}', "seed '-1'"),
        ("chessboard", '{"columns": ["6H"], "seed": 1.5}', "seed '1.5'"),
        ("chessboard", '{"columns": ["6H"], "seed": 1e400}', "seed 'inf'"),
        ("chessboard", '{"columns": ["6H"], "seed": NaN}', "1: NaN is not a number"),
        ("chessboard", '{"columns": ["6H"], "ranks": 0.0}', "ranks '0'"),
        ("chessboard", '{"columns": ["6H"], "stock": ["6H", 3]}', "stock: expected"),
        ("chessboard", '{"columns": ["6H"], "foundations": "C-3"}', "foundations: expected an object"),
        ("chessboard", '{"columns": ["6H"], "foundations": {"C": "3 D-4"}}', "is not a foundation"),
    ],
)
def test_files_that_are_no_deal_are_refused(variant, text, part):
    assert part in refusal(variant, text)


def test_the_line_of_a_bad_deal_among_many_is_named():
    variant = find_variant("fortress")
    good = json.dumps(deal_object(variant, variant.deal(1), 1))
    bad = good.replace("AS", "AC")
    deals = read_deals(variant, f"{good}\n\n{good}\n{bad}\n".encode(), "many.jsonl")
    assert [next(deals).seed, next(deals).seed] == [1, 1]
    with pytest.raises(FormatError, match=r"^many\.jsonl:4: column \d+: duplicate card AC"):
        next(deals)


@settings(max_examples=300)
@given(data=st.binary(max_size=300), name=st.sampled_from(sorted(VARIANTS)))
@example(data=b"[" * 50, name="joker")
@example(data=b'{"columns": ["\\ud800"]}', name="joker")
@example(data=b"Ranks: 1\nSuits: C\nAC", name="chessboard")
def test_any_bytes_parse_or_give_one_clear_error(data, name):
    with one_clear_error("f"):
        list(read_deals(VARIANTS[name], data, "f"))


@settings(max_examples=20)
@example(name="joker", seed=9, edits=[(0, "")], as_json=False)
@example(name="joker", seed=9, edits=[(0, "")], as_json=True)
@given(
    name=st.sampled_from(sorted(VARIANTS)),
    seed=st.integers(0, 50),
    edits=st.lists(st.tuples(st.integers(0, 2000), st.text(max_size=4)), min_size=1, max_size=4),
    as_json=st.booleans(),
)
def test_damaged_deals_parse_or_give_one_clear_error(name, seed, edits, as_json):
    variant = VARIANTS[name]
    state = wander(variant.deal(seed), seed, seed)
    text = json.dumps(deal_object(variant, state)) if as_json else format_board(variant, state)
    for at, inserted in edits:
        at %= len(text)
        text = text[:at] + inserted + text[at + len(inserted) % 3 :]
    data = text.encode("utf-8", "surrogatepass")
    with one_clear_error("f"):
        for deal in read_deals(variant, data, "f"):
            assert read_deal(variant, format_board(variant, deal.state).encode(), "g").state == deal.state
            if edits == [(0, "")]:
                assert deal.state == state


MOVES = ["7S 10-f", "8H 4-3", "XB 3-fS", "XR 3=7", "4D s-w"] * 7


@pytest.mark.parametrize("count", [0, 1, 5, 12, 35])
def test_solutions_come_back_as_they_were_written(count):
    moves = MOVES[:count]
    text = format_solution(moves, "legend: 7S 10-f and so on")
    assert read_solution(text.encode(), "s") == moves
    assert read_solution(("a b\n" + DEAL + text + "Search: 1. 2. 3\n").encode(), "s") == moves
    assert read_solution(json.dumps(moves).encode(), "s") == moves
    assert read_solution(json.dumps({"moves": moves}, indent=1).encode(), "s") == moves
    if moves:
        assert read_solution("\n".join(moves).encode(), "s") == moves


@settings(max_examples=300)
@given(
    st.binary(max_size=200) | st.text(max_size=200).map(lambda text: ("1. " + text).encode("utf-8", "ignore"))
)
def test_any_bytes_are_a_solution_or_give_one_clear_error(data):
    with one_clear_error("s"):
        assert all(isinstance(move, str) for move in read_solution(data, "s"))


def test_the_choice_of_rules_is_part_of_a_deal():
    variant = find_variant("joker")
    choices = Choices("exposed", "exposed")
    for state in (variant.deal(1, choices=choices), variant.deal(1, 4, "CDHS", choices=choices)):
        text = format_board(variant, state, 1)
        assert "Exchange: exposed\nRemoval: exposed\n" in text
        assert read_deal(variant, text.encode(), "deal").state == state
        deal = deal_object(variant, state)
        assert (deal["exchange"], deal["removal"]) == ("exposed", "exposed")
        assert read_deal(variant, json.dumps(deal).encode(), "deal").state == state
    usual = deal_object(variant, variant.deal(1))
    assert not usual.keys() & {"exchange", "removal"}
    half = read_deal(variant, json.dumps(usual | {"removal": "exposed"}).encode(), "deal").state
    assert half.choices == Choices(removal="exposed")


def test_the_exchange_is_stated_in_a_file_or_beside_it():
    variant = find_variant("joker")
    text, deal = format_board(variant, variant.deal(1)), deal_object(variant, variant.deal(1))
    for data in (text, json.dumps(deal)):
        for choices in (None, {"exchange": "turned"}, {"exchange": "exposed"}):
            (read,) = read_deals(variant, data.encode(), "t", choices)
            assert read.state == variant.deal(1, choices=choices)
    for data in (text.replace("\n", "\nExchange: turned\n", 1), json.dumps(deal | {"exchange": "turned"})):
        assert read_deal(variant, data.encode(), "deal").state == variant.deal(1)
        assert "exchange 'turned': exposed was asked for" in refusal("joker", data, {"exchange": "exposed"})


@pytest.mark.parametrize(
    ("name", "choice", "problem"),
    [
        ("joker", {"exchange": "never"}, "exchange 'never': expected turned or exposed"),
        ("klondike-one-pass", {"exchange": "exposed"}, "'exchange': klondike-one-pass has no rule options"),
        ("chessboard", {"removal": "exposed"}, "'removal': chessboard has no rule options"),
    ],
)
def test_a_choice_that_is_none_is_refused(name, choice, problem):
    variant = find_variant(name)
    deal = deal_object(variant, variant.deal(1)) | choice
    with pytest.raises(FormatError, match=f"deal:1: {problem}"):
        read_deal(variant, json.dumps(deal).encode(), "deal")
