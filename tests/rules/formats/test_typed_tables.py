"""Tables typed by rows, or with other columns than a deal has: read exactly as written, or refused."""

import json
import re

import pytest
from tests.deals import by_rows, rows_of, states_of_play

import winnable
from winnable.rules import VARIANTS, BoardError, find_variant
from winnable.rules.formats import read_deal, read_deals, read_table, stream_deals, write_deals
from winnable.rules.formats.json_deals import deal_object
from winnable.rules.formats.text import Deal, FormatError, Way

SEEN = [name for name, variant in VARIANTS.items() if not variant.has_stock]
HIDDEN = [name for name, variant in VARIANTS.items() if variant.has_stock]
MARK = re.compile(
    r'^(# p|P)osition: in play(, by columns)?\n|,\s*"position": "in play(, by columns)?"', re.MULTILINE
)


def read(text, by="columns", variant=None):
    return read_deal(variant, text.encode(), "t", way=Way(by)).state


def refusal(text, by="columns", variant=None):
    with pytest.raises(FormatError) as caught:
        read(text, by, variant)
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 400
    return message


def in_play(name, seed=1):
    """A position in play that needs a mark."""
    variant = find_variant(name)
    for state in states_of_play(variant.deal(seed), 30, seed, lambda moves: moves[-3:]):
        if variant.needs_mark(state):
            return state
    raise AssertionError("all cards went up")


def as_written(state, style, number=None):
    return "".join(write_deals(None, [Deal(state, number)], style, True))


# --- Rows ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VARIANTS)
def test_a_deal_typed_by_rows_is_refused_and_read_by_rows(name):
    variant = find_variant(name)
    state = variant.deal(3)
    text, gaps = by_rows(state), by_rows(state, gap="--")
    expected = " ".join(map(str, variant.sizes))
    assert f"expected columns of {expected} cards, got " in refusal(text)
    assert "; these are the rows of a fresh deal; " in refusal(text)
    if len(set(variant.sizes)) > 1:
        assert "'--' is an empty place of a row" in refusal(gaps)
    for typed in (text, gaps, gaps.replace("--", ".."), re.sub(r"( --)+$", "", gaps, flags=re.M)):
        assert read(typed, "rows") == state
    assert read(text.replace("\n", "\n\n"), "rows") == state
    deal = deal_object(variant, state)
    deal["columns"] = rows_of(deal["columns"])
    assert "these are the rows of a fresh deal" in refusal(json.dumps(deal))
    assert read(json.dumps(deal), "rows") == state
    (streamed,) = stream_deals(None, Lines(text), "t", way=Way("rows"))
    assert streamed.state == state
    assert read_table(None, text.encode(), "t", way=Way("rows")).state == state
    assert winnable.read_deal(text, by="rows").state == state


class Lines:
    def __init__(self, text):
        self.rest = text.encode().splitlines(keepends=True)

    def readline(self, most):
        return self.rest.pop(0) if self.rest else b""


def test_two_deals_by_rows_follow_one_another():
    states = [find_variant("fortress").deal(seed) for seed in (1, 2)]
    text = "\n".join(by_rows(state).removeprefix("# game: fortress\n") for state in states)
    found = read_deals(find_variant("fortress"), text.encode(), "t", way=Way("rows"))
    assert [deal.state for deal in found] == states


def test_rows_by_pysolfc_have_its_columns():
    pytest.importorskip("pysol_cards", reason="the extra 'pysol' is not installed")
    from winnable.rules.formats.foreign import pysol

    for name in ("fortress", "simple-simon", "simon-jester-triangular", "klondike"):
        state = pysol.deal(find_variant(name), "12345")
        assert read(str(state)) == state
        text = by_rows(state).replace("\n", "\n# pysol: 12345\n", 1)
        assert read(text, "rows") == state
    state = pysol.deal(find_variant("fortress"), "12345")
    assert read(by_rows(state, gap="--"), "rows") == state


def test_a_short_deck_by_rows_has_its_usual_columns():
    for name in ("fortress", "simple-simon", "klondike", "joker"):
        state = find_variant(name).deal(5, 5)
        assert read(by_rows(state), "rows") == state
        assert read(str(state)) == state


@pytest.mark.parametrize("name", SEEN)
def test_rows_in_play_need_their_empty_places(name):
    state = in_play(name)
    text = by_rows(state, gap="[]")
    assert read(text, "rows") == state
    assert read(MARK.sub("", text), "rows") == state  # a cell for each column in each row says enough
    row = next(row for row in rows_of(str(state).splitlines()[2:], "--") if "--" in row)
    at, tokens = text.splitlines(), row.replace("--", "[]").split()
    at[at.index(" ".join(tokens))] = " ".join(token for token in tokens if token != "[]")
    problem = f"places, expected {len(VARIANTS[name].sizes)} with empty ones written --, or the rows "
    assert problem in refusal("\n".join(at), "rows")


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ("AC -- 2C\nAD 3C", "t:2: row 2: 2 places, expected 10 with empty ones"),
        ("AC -- 2C\nAD 3C --", "t:2: row 2: card 3C lies under an empty place of column 2"),
        ("AC -- 2C\n--", "t:2: row 2: 3 places, expected 1 to 10 cards"),
        ("AC\n:", "t:2: row 2: 0 places, expected 1 to 10 cards"),
        ("AC 2C\nAD AC", "t:2: row 2: duplicate card AC (also in row 1)"),
        ("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC", "t:1: row 1: 11 places, expected 1 to 10 cards"),
    ],
)
def test_rows_that_do_not_tell_the_columns_are_refused(rows, problem):
    assert refusal(rows, "rows", find_variant("fortress")).startswith(problem)


def test_a_klondike_in_play_by_rows_needs_its_empty_places():
    state = next(s for s in states_of_play(find_variant("klondike").deal(3), 90, 3) if any(s.foundations))
    assert read(by_rows(state, gap="--"), "rows") == state
    assert "places, expected 7 with empty ones written --" in refusal(by_rows(state), "rows")
    fresh = by_rows(find_variant("klondike").deal(3)).splitlines()
    fresh[1] = re.sub(r" (\w\w) ", r" <\1> ", fresh[1])  # other cards than those that a deal has face down
    assert "places, expected 7" in refusal("\n".join(fresh), "rows")


def test_a_way_is_columns_or_rows():
    with pytest.raises(ValueError, match="by 'lines': expected columns or rows"):
        winnable.read_deal(str(find_variant("fortress").deal(1)), by="lines")


# --- Positions in play --------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", ["text", "json", "jsonl", "solvitaire", "fc-solve"])
@pytest.mark.parametrize("name", SEEN)
def test_positions_in_play_are_marked_where_they_must_be(name, style):
    variant, state = find_variant(name), in_play(name)
    text = as_written(state, style)
    assert read(text, variant=variant) == state
    assert text.count("in play") == 1
    bare = MARK.sub("", text)
    assert "# position: in play" in refusal(bare, variant=variant)
    assert "in play" not in as_written(variant.deal(1), style)
    if style in ("text", "json", "jsonl"):
        made = "".join(write_deals(variant, [Deal(state, 1, made=3)], style, True))
        assert "in play" not in made
        assert read(made) == state


@pytest.mark.parametrize(
    "mark", ["# position: in play", "#Position:IN  PLAY", "Position: in play", "position: In-Play"]
)
def test_the_mark_is_written_in_several_ways(mark):
    state = in_play("fortress")
    bare = MARK.sub("", str(state))
    assert read(f"{mark}\n{bare}") == state
    first, second = find_variant("fortress").deal(1), find_variant("fortress").deal(2)
    texts = [str(first), f"{mark}\n{bare}", str(second)]
    states = [deal.state for deal in read_deals(find_variant("fortress"), "\n\n".join(texts).encode(), "t")]
    assert states == [first, state, second]


def test_a_comment_on_the_position_is_free_and_a_wrong_mark_is_not():
    state = find_variant("fortress").deal(1)
    assert read(f"# position: from my phone\n{state}") == state
    assert "position 'fresh': expected 'in play'" in refusal(
        f"Position: fresh\n{state}", variant=VARIANTS["fortress"]
    )
    deal = deal_object(VARIANTS["fortress"], state)
    assert "position 'x': expected 'in play'" in refusal(json.dumps(deal | {"position": "x"}))
    assert "position: expected a string" in refusal(json.dumps(deal | {"position": 3}))
    assert read(json.dumps(deal | {"position": "in play"})) == state
    assert read(json.dumps(deal | {"position": None})) == state


def test_columns_of_a_deal_count_in_any_order():
    for name in SEEN:
        header, _, *columns = str(find_variant(name).deal(1)).splitlines()
        turned = "\n".join([header, *columns[::-1]])
        assert str(read(turned)) == turned


def test_a_mark_makes_a_klondike_without_signs_a_position():
    columns = ["KC", "QH", "JC", "TD", "9S", "8H", "7S"]
    up = "AC 2C 3C 4C 5C 6C"
    text = "# game: klondike\nRanks: 13\n" + "\n".join(columns)
    assert "expected columns of 1 2 3 4 5 6 7 cards, got 1 1 1 1 1 1 1; a position in play has" in refusal(
        text
    )
    assert "missing cards: AC" in refusal(f"# position: in play\n{text}\nWaste: {up[3:]}")


@pytest.mark.parametrize("name", HIDDEN)
def test_kernels_see_the_sizes_of_hidden_deals(name):
    variant = find_variant(name)
    board = variant.family.to_board(variant.deal(1))
    columns = (*board.columns[:5], board.columns[5] + board.columns[6])
    with pytest.raises(
        BoardError, match="expected columns of 1 2 3 4 5 6 7 cards, got 1 2 3 4 5 13; a position"
    ):
        variant.from_board(board._replace(columns=columns))


# --- The first wrong line -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("AC 2C\nAD AC\n", "t:2: column 2: duplicate card AC"),
        ("AC 2C\nXB\n", "t:2: column 2: card XB does not belong to this deck"),
        ("Ranks: 5\nAC 2C\n7C\n", "t:3: column 2: card 7C does not belong to this deck"),
        (":\n" * 11, "t:11: column 11: this game has 10 columns"),
        ('{"columns": ["AC", "AD AC", "ZZ"]}', "t:1: column 2: duplicate card AC"),
        ('{"tableau piles": [["AC"], ["AC"], ["ZZ"]]}', "t:1: column 2: duplicate card AC"),
    ],
)
def test_a_wrong_line_is_refused_before_the_next_is_read(line, problem):
    def lines():
        yield from line.rstrip("\n").split("\n")
        raise AssertionError("it was read further")

    from winnable.rules.formats.text_reader import drafts

    assert refusal(line, variant=find_variant("fortress")).startswith(problem)
    if line[0] != "{":
        with pytest.raises(FormatError, match=problem):
            list(drafts(find_variant("fortress"), lines(), "t", {}))


# --- Careless tables ----------------------------------------------------------------------------------------


def test_an_empty_waste_may_be_written():
    state = find_variant("klondike").deal(1)
    assert read(f"{state}\nWaste: --\n") == state


@pytest.mark.parametrize("blank", ["??", "?", "xx", "XX", "--", "[]", "##", "<??>", "<xx>"])
def test_unknown_cards_are_written_in_several_ways(blank):
    game = find_variant("klondike")
    text = str(game.family.apply(game.deal(1), game.family.legal_moves(game.deal(1))[0]))
    card = re.search(r"<(\w\w)>", text)[0]
    usual = read_table(game, text.replace(card, "<??>").encode(), "t")
    assert (
        read_table(game, text.replace(card, blank).encode(), "t")
        == usual
        == read_table(game, text.encode(), "t")
    )
    refused = "in fortress every card must be known|'--' is an empty place|'\\[\\]' is an empty place"
    with pytest.raises(FormatError, match=refused):
        read_deal(None, re.sub("3S", blank, str(find_variant("fortress").deal(1))).encode(), "t")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("KS\n\nQH\nStock: AC 2C\n3C", "t:5: is this column 3, or more of the stock? Indent the lines"),
        ("KS QS JS TS 9S 8S 7S " * 8, "column 1: duplicate card KS"),
        (" ".join(r + s for s in "CDHS" for r in "A23456789TJQK"), "t:1: 52 cards in a line: write 'Mini"),
        ("MinimalKlondike: KS TD", "t:1: minimalklondike: expected 52 cards, got 2"),
        ("abc" * 17, "t:1: 'abcabcabcabcabcabcabcabc...': expected 51 different letters"),
        ("KS QH; JS; TD 9S", "t:1: column 1: cards separated in several ways; write a line for each column"),
        ("KS\n2: QH, JS TD", "t:2: column 2: cards separated in several ways"),
        ("KS, QH; JS, TD", "t:1: column 1: cards separated in several ways"),
        ("DS 7H, R 8C", "t:1: column 1: 'DS' is not a card; write cards like 8D"),
        ("KSolve: 1", "or the number of a deal, as 'KPat: 1'"),
        ("KS\nHand: QH", "t:2: 'Hand': no such field; expected Foundations, Stock, Waste, "),
        ("KS\nT1: QH", "t:2: 'T1': no such field; expected Foundations, Stock, Waste, "),
        ('{"rows": []}', "t:1: 'rows': no such key; expected columns, stock, waste, "),
        ('{"tableau piles": [], "hand": []}', "t:1: 'hand': no such key; expected tableau piles, stock, "),
        ("naloT: h4 ac\njd\nh5 d2", "t:1: talon: in a position in play its 2 cards may be"),
    ],
)
def test_what_may_mean_several_tables_is_refused(text, problem):
    assert problem in refusal(text, variant=find_variant("klondike"))


SHORT = "Ranks: 3\nSuits: C\nFoundations: C-A\n"


@pytest.mark.parametrize("empty", ["[]", "[]\n[]", "\n[]", "--", ":"])
def test_an_empty_column_may_come_first(empty):
    game = find_variant("klondike")
    text = f"{empty}\n3C\n2C\n{SHORT}"
    (streamed,) = stream_deals(game, Lines(text), "t")
    found = read(text, variant=game)
    assert found == streamed.state
    assert [*filter(None, found.columns)] == [(8,), (4,)]


def test_an_unknown_card_may_come_first():
    game = find_variant("klondike")
    text = f"[] 3C\n{SHORT.replace('A', '0')}Stock: ??\n"
    assert read_table(game, text.encode(), "t") == read_table(game, text.replace("[]", "<??>").encode(), "t")
    (streamed,) = stream_deals(game, Lines(text), "t", tables=True)
    assert streamed.state.hidden == (1,)


@pytest.mark.parametrize("gap", ["", "# an empty column", "\n\n"])
@pytest.mark.parametrize("empty", [":", "--", "[]", "3:"])
def test_an_empty_column_after_the_last_card_begins_no_other_board(gap, empty):
    text = f"Foundations: C-J D-K H-K S-K\nKC\nQC\n{gap}\n{empty}\n"
    (deal,) = read_deals(find_variant("fortress"), text.encode(), "t")
    assert deal.state == read(text.partition("QC")[0] + "QC\n", variant=find_variant("fortress"))


def test_rows_of_a_position_in_play_are_not_read_as_columns():
    game = find_variant("fortress")
    state = next(
        s for s in states_of_play(game.deal(3), 40, 2, lambda moves: moves[:1]) if any(s.foundations)
    )
    typed = by_rows(state)
    for text in (typed, typed.replace("\n", "\n# position: in play\n", 1)):
        assert "Write '# position: in play, by columns' above it" in refusal(text)
        assert "or read it by rows" in refusal(text)
    assert read(by_rows(state, gap="--"), "rows") == state
    simon = find_variant("simple-simon")
    played = (states_of_play(simon.deal(seed), 30, seed, lambda moves: moves[-3:]) for seed in range(60))
    state = next(s for states in played for s in states if simon.may_be_rows(s))
    assert str(state).splitlines()[1] == "# position: in play, by columns"
    assert read(str(state)) == state


def test_columns_by_number_out_of_order_are_refused():
    columns = str(find_variant("klondike").deal(1)).splitlines()[2:9]
    lines = [f"{number}: {column}" for number, column in enumerate(columns, 1)]
    lines[1], lines[2] = lines[2], lines[1]
    with pytest.raises(FormatError, match="t:2: number 3: expected 2: the columns are written in order"):
        read_deal(find_variant("klondike"), "\n".join(lines).encode(), "t")


def test_solvitaire_json_of_a_short_deck_and_of_empty_piles_is_read():
    game = find_variant("klondike-draw-one")
    short = b'{"tableau piles": [["3s", "2S"], ["AS"]], "stock": ["AH", "2H", "3H"]}'
    deck = read_deal(game, short, "t").state.deck
    assert (deck.ranks, deck.suits) == (3, "HS")
    board = json.loads("".join(write_deals(game, [Deal(game.deal(1))], "solvitaire", True)))
    empty = board | {"waste": "", "foundations": ["", "", "", ""]}
    assert read_deal(game, json.dumps(empty).encode(), "t").state == game.deal(1)
    hidden = [["##"] * (len(pile) - 1) + pile[-1:] for pile in board["tableau piles"]]
    view = read_table(game, json.dumps(empty | {"tableau piles": hidden}).encode(), "t").state
    assert sum(view.hidden) == 21
