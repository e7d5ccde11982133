"""Moves as people write them."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.deals import states_of_play

from winnable.rules import VARIANTS, find_variant
from winnable.rules.cards import format_card
from winnable.rules.formats import read_deal, read_solution
from winnable.rules.formats.solutions import format_solution
from winnable.rules.formats.text import Deal, FormatError, format_board
from winnable.rules.move_text import sentence
from winnable.rules.moves import is_move, read_move

CHESSBOARD, SIMON, JOKER = map(find_variant, ("chessboard", "simple-simon", "joker"))


def positions(variant, seeds=3, length=60):
    """Positions of random games."""
    for seed in range(seeds):
        yield from states_of_play(variant.deal(seed), length - 1, seed)


def ways(text):
    """Spellings of an exact move that must all mean the same."""
    card, _, action = text.partition(" ")
    signs = {"C": "\u2663", "D": "\u2666", "H": "\u2665", "S": "\u2660"}
    yield from (text, text.lower(), text.upper(), f"  {card}   {action} ", f"{text}  # nice", f"{text}#3. x")
    yield text.replace("T", "10", 1) if text[0] == "T" else text
    if card[1:] in signs:
        yield card[0] + signs[card[1:]] + " " + action
    if "-" in action:
        source, target = action.split("-")
        for between in (" ", " - ", "->", " to ", " \u2192 ", "\u2013", " TO "):
            yield f"{card} {source}{between}{target}"


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", VARIANTS)
def test_legal_moves_are_read_however_they_are_written(name):
    variant, count = VARIANTS[name], 0
    for state in positions(variant, 6, 12):
        for move in variant.family.legal_moves(state):
            text = variant.family.format_move(state, move)
            for way in ways(text):
                assert is_move(way)
                assert read_move(variant, state, way) == variant.family.parse_move(state, text), way
                count += 1
    assert count > 500


@pytest.mark.quick("fortress", "joker")
@pytest.mark.parametrize("name", VARIANTS)
def test_what_is_left_out_is_taken_from_the_only_legal_move_that_fits(name):
    variant, inferred, refused = VARIANTS[name], 0, 0
    few = variant.family is CHESSBOARD.family or "passes" in variant.choices  # few moves to choose from
    for state in positions(variant, 8 if few else 2, 20):
        texts = [variant.family.format_move(state, m) for m in variant.family.legal_moves(state)]
        for text in texts:
            card, _, action = text.partition(" ")
            if "-" not in action:
                continue
            source, target = action.split("-")
            for short, fits in (
                (f"{card} {target}", lambda c, s, t, card=card, target=target: (c, t) == (card, target)),
                (card, lambda c, s, t, card=card: c == card),
                (action, lambda c, s, t, a=(source, target): (s, t) == a),
            ):
                split = [(t.split()[0], *(t.split()[1] + "-").split("-")[:2]) for t in texts]
                fitting = {one for one, parts in zip(texts, split, strict=True) if fits(*parts)}
                if short.endswith(" f") or short.endswith("-f"):
                    fitting |= {t for t in texts if t[:-1].endswith("-f") and t.startswith(card)}
                if len(fitting) == 1:
                    assert variant.family.format_move(state, read_move(variant, state, short)) == text
                    inferred += 1
                else:
                    with pytest.raises(ValueError, match=r"may be .*: say which"):
                        read_move(variant, state, short)
                    refused += 1
    assert inferred > 40
    assert refused > 0


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("7h f", "7H 6-f"), ("7H 6-F", "7H 6-f"), ("7H 6f", "7H 6-f"), ("6-f", "7H 6-f"),
        ("7\u26656 f", None), ("7\u2665 foundation", "7H 6-f"),
        ("7H from column 6 to its foundation", "7H 6-f"), ("4D 7", "4D 5-7"), ("4D 5 07", "4D 5-7"),
        ("4D 5D", "4D 5-7"), ("4d on 5d", "4D 5-7"), ("4D onto 5D", "4D 5-7"), ("4D to 5D", "4D 5-7"),
        ("4D->5D", "4D 5-7"), ("4D 5 to 5D", "4D 5-7"), ("4D from column 5 onto 5D", "4D 5-7"),
        ("7H up", "7H 6-f"), ("7H to hearts", "7H 6-f"), ("7H to foundation", "7H 6-f"), ("7H fh", "7H 6-f"),
        ("7 of hearts up", "7H 6-f"), ("seven of hearts to the foundation of hearts", "7H 6-f"),
        ("four of diamonds on five of diamonds", "4D 5-7"), ("from 6 to 1", "7H 6-1"),
    ],
)  # fmt: skip
def test_moves_of_chessboard(text, move):
    state = CHESSBOARD.deal(8)
    if move is None:
        assert not is_move(text)
    else:
        assert CHESSBOARD.family.format_move(state, read_move(CHESSBOARD, state, text)) == move


@pytest.mark.parametrize("name", VARIANTS)
def test_sentences_are_read_too(name):
    variant = VARIANTS[name]
    state = variant.deal(2)
    for move in variant.family.legal_moves(state):
        text = sentence(variant, state, move)
        if " to " in text and not any(word in text for word in ("empty", "open ace", " as ", "card")):
            head, _, rest = text.partition(" from ")
            short = f"{head.partition('-')[0]} from {rest}"
            assert read_move(variant, state, short) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("s-w", "AH s-w"), ("?? s-w", "AH s-w"), ("xb=7", "XB 4=7"), ("xb 4 = 10", "XB 4=T"),
        ("xb 4-F", "XB 4-f"), ("XB out", "XB 4-x"), ("2c 7", "2C 5-7"),
    ],
)  # fmt: skip
def test_moves_of_joker(text, move):
    state = JOKER.deal(4)
    assert JOKER.family.format_move(state, read_move(JOKER, state, text)) == move


def test_a_joker_goes_to_the_only_foundation_that_takes_it():
    deal = (
        "Exchange: turned\nXB\n<4H> 9D\nFoundations: C-3 D-0 H-0 S-0\nStock: "
        + " ".join(
            f"{rank}{suit}"
            for suit in "CDHS"
            for rank in "A23456789TJQK"
            if f"{rank}{suit}" not in ("AC", "2C", "3C", "9D", "4H")
        )
        + "\nRemoved: XR\n"
    )
    state = read_deal(JOKER, deal.encode(), "t").state
    up = {"XB 1-f", "XB 1-fC"}
    assert up <= {JOKER.family.format_move(state, move) for move in JOKER.family.legal_moves(state)}
    assert JOKER.family.format_move(state, read_move(JOKER, state, "XB 1-f")) == "XB 1-f"  # exact: open ace
    assert JOKER.family.format_move(state, read_move(JOKER, state, "xb fc")) == "XB 1-fC"
    with pytest.raises(ValueError, match="'XB f' may be XB 1-f or XB 1-fC: say which"):
        read_move(JOKER, state, "XB f")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("4D", "'4D' may be 4D 5-f or 4D 5-7: say which"),
        ("4D 5", "'4D 5': 4D lies on column 5 already"),
        ("9H 3-4", "the top of column 3 is 6D"),
        ("KH f", "'KH f': the top of column 7 is 5D"),
        ("7H 99", "'7H 99': there is no column 99"),
        ("hello", "cannot read the move 'hello'; write it like '7S 10-f'"),
        ("7H 6-", "cannot read the move"),
        ("7H 1 2 3", "cannot read the move"),
        ("14H 6-f", "'14H' is not a card"),
        ("7H 103", "cannot read the move"),
        ("", "cannot read the move"),
        ("# 7H 6-f", "cannot read the move"),
    ],
)
def test_moves_that_cannot_be_read_say_why(text, problem):
    with pytest.raises(ValueError, match=re.escape(problem)):
        read_move(CHESSBOARD, CHESSBOARD.deal(8), text)


@pytest.mark.quick("fortress", "joker", "klondike")
@pytest.mark.parametrize("name", VARIANTS)
def test_a_move_is_named_by_its_card_and_the_one_it_goes_on(name):
    variant, named = VARIANTS[name], 0
    family = variant.family
    for state in positions(variant, 2, 20):
        moves = {family.format_move(state, move): move for move in family.legal_moves(state)}
        pairs = {}
        for text, move in moves.items():
            card, _, action = text.partition(" ")
            source, _, target = action.partition("-")
            if target.isdigit() and state.columns[int(target) - 1]:
                pairs.setdefault((card, format_card(state.columns[int(target) - 1][-1])), []).append(text)
            elif source == "s":
                assert all(read_move(variant, state, word) == move for word in DRAWS)
        for (card, onto), texts in pairs.items():
            for way in (f"{card} {onto}", f"{card} on {onto}".lower(), f"{card}->{onto}"):
                if len(texts) == 1:
                    assert family.format_move(state, read_move(variant, state, way)) == texts[0]
                    named += 1
                else:
                    with pytest.raises(ValueError, match=f"may be {texts[0]}.* or .*: say which"):
                        read_move(variant, state, way)
    assert named > 20


DRAWS = ("draw", "d", "Deal", "n", "next", "next card", "t", "turn", "turn the stock", "s", "stock", "s-w")
PLAYED = "Ranks: 4\n4S 3D\n<2H> 4C\n:\n3S\nFoundations: C-3 D-2 H-A S-2\nWaste: 4D 3H 4H\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("4H up", "4H is not next on its foundation"),
        ("3S 4H", "4H lies on the waste, where only cards of the stock go"),
        ("3S on 4S", "4S lies under 3D in column 1"),
        ("3S 2D", "2D is up already"),
        ("3S 2H", "2H is not on top of a column"),
        ("4H 3S", "4H does not go on 3S"),
        ("w-2", "4H does not go on 4C"),
        ("1-4", "4S does not go on 3S; 3D does not go on 3S"),
        ("3H 4", "3H does not lie where it can be taken up"),
        ("2H up", "2H does not lie where it can be taken up"),
        ("3S to hearts", "3S does not go on the foundation of another suit"),
        ("from 3", "column 3 is empty"),
        ("3-f", "column 3 is empty"),
        ("2D up", "2D is up already"),
        ("AC 4", "the foundation shows 3C"),
        ("2S 2", "2S does not go on 4C"),
        ("fH-1", "AH does not go on 3D"),
        ("AH", "AH has no legal move"),
        ("3S x", "klondike has no jokers"),
        ("XB 3", "klondike has no jokers"),
        ("s", "the stock is empty, and the waste would come again as it lies"),
        ("s-3", "only cards of the stock go to the waste"),
        ("3S s", "nothing goes back to the stock"),
        ("8", "there is no column 8"),
        ("8-f", "there is no column 8"),
    ],
)
def test_a_short_move_is_refused_for_the_reason_of_the_rules(text, reason):
    klondike = find_variant("klondike")
    with pytest.raises(ValueError, match=re.escape(f"'{text}': {reason}") + "$"):
        read_move(klondike, read_deal(klondike, PLAYED.encode(), "t").state, text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7H 8C", "8C lies under KD in column 5"),
        ("QH up", "only a run from king to ace leaves, and it does so by itself"),
        ("JD 2", "JD does not go on TS"),
        ("draw", "simon-jester has no stock and no waste"),
    ],
)
def test_a_short_move_of_two_decks_is_refused_for_a_card_that_can_be_taken_up(text, reason):
    variant = find_variant("simon-jester")
    with pytest.raises(ValueError, match=re.escape(f"'{text}': {reason}")):
        read_move(variant, variant.deal(1), text)


def test_long_lists_of_possibilities_are_cut():
    with pytest.raises(ValueError, match=r"'XB' may be (XB \S+, ){4}XB \S+ or \d+ others: say which"):
        read_move(JOKER, JOKER.deal(4), "XB")


@settings(max_examples=80)
@given(st.text(max_size=12) | st.from_regex(r"[A2-9TJQKX?]{1,2}[CDHSBR?]?[ =-]?[0-9fwsxt]*[ =>-]*[0-9fwsx]*"))
def test_any_text_is_a_move_or_a_clear_error(text):
    for variant in (CHESSBOARD, SIMON, JOKER):
        state = variant.deal(4)
        try:
            move = read_move(variant, state, text)
        except ValueError as error:
            told = str(error)
        else:
            told = (
                variant.family.format_move(state, move) if move in variant.family.legal_moves(state) else ""
            )
        assert told.isprintable()
        assert len(told) < 200


# --- Files of moves -----------------------------------------------------------------------------------------

MOVES = ["7H 6-F", "8h 4-3", "10H f", "XB=7", "s-w"]


@pytest.mark.parametrize(
    "text",
    [
        "7H 6-F\n8h 4-3\n10H f\nXB=7\ns-w\n",
        "1. 7H 6-F\n2. 8h 4-3\n3. 10H f\n4. XB=7\n5. s-w",
        "1) 7H 6-F  2) 8h 4-3\n3) 10H f 4) XB=7\n\n5) s-w\n",
        "7H 6-F # nice\n# a comment\n  8h 4-3#\n10H f;  XB=7\ns-w",
        "1. 7H 6-F; 8h 4-3   # win 62%  2. KS 1-f\n2. 10H f; XB=7; s-w\n",
        "1. 7H 6-F\n8h 4-3\n3. 10H f\nXB=7\ns-w",
        "My game\n\n1. 7H 6-F 2. 8h 4-3 3. 10H f 4. XB=7 5. s-w",
        "Moves: 7H 6-F, 8h 4-3\n10H f\nXB=7, s-w",
        "Solution: 5 moves (x)\n7H 6-F\n8h 4-3\n10H f\nXB=7\ns-w\nSearch: 3 states\n",
        "7\u2665 6-F\n8h 4-3\n10\u2665 f\nXB=7\ns-w",
    ],
)
def test_files_of_moves(text):
    assert read_solution(text.encode(), "s") == MOVES


@pytest.mark.parametrize("between", ["\n", "\nMoves:\n", "\nPlayer: rule\n\n", "\nVerdict: winnable\n\n"])
@pytest.mark.parametrize("name", VARIANTS)
def test_moves_after_a_deal(name, between):
    variant = VARIANTS[name]
    state = variant.deal(3)
    deal = format_board(variant, state, 3)
    for moves in ("7H 6-F\n8h 4-3\n10H f\nXB=7\ns-w\n", "1. 7H 6-F 2. 8h 4-3\n3. 10H f\n4. XB=7; s-w\n"):
        assert read_solution((deal + between + moves).encode(), "s", Deal(state, 3)) == MOVES
    text = deal + between + format_solution(["7H 6-f"], variant.legend) + "\nSearch: 1 state\n"
    assert read_solution(text.encode(), "s") == ["7H 6-f"]


def test_moves_by_card_are_told_from_columns():
    deal = Deal(CHESSBOARD.deal(8), 8)
    moves = ["4D 5D", "7H 6H", "AH up"]
    assert read_solution("\n".join(moves).encode(), "s", deal) == moves
    for text in ("AH, 7H", "AH; 7H", "Moves: AH, 7H", "1. AH, 7H", "AH, 7H, 4D"):
        assert read_solution(text.encode(), "s", deal) == ["AH", "7H", "4D"][: 2 + text.endswith("4D")]
    board = format_board(CHESSBOARD, deal.state, 8)
    for text in (f"{board}\nMoves:\n" + "\n".join(moves), f"{board}\n1. 4D 5D\n2. 7H 6H\n3. AH up"):
        assert read_solution(text.encode(), "s", deal) == moves
    for text in (board + "\n" + "\n".join(moves), "Foundations: H-A\n4D 5D\n7H f\n"):
        with pytest.raises(FormatError, match="'4D 5D': is this a column or a move\\? Write 'Moves:' above"):
            read_solution(text.encode(), "s", deal)
    simon = Deal(SIMON.deal(3), 3)  # columns of one card and of two
    assert read_solution((format_board(SIMON, simon.state, 3) + "7H 3").encode(), "s", simon) == ["7H 3"]
    end = b"KC QC\nJC TC\n9C 8C\n7C 6C\n5C 4C\n3C 2C\nAC\n"
    last = Deal(read_deal(SIMON, b"# position: in play, by columns\n" + end, "t").state)
    assert read_solution(end + b"QC 1-8", "s", last) == ["QC 1-8"]


def test_moves_as_json():
    for text in (
        '["7H 6-F", "8H  4-3"]',
        '{"moves": ["7H 6-F", "8H 4-3"], "steps": 3}',
        '{"steps": [{"columns": []}, {"move": "7H 6-F"}, {"move": "8H 4-3"}]}',
        '{"steps": [{"move": "7H 6-F", "number": 1}, {"move": "8H 4-3"}], "mistakes": []}',
    ):
        assert read_solution(text.encode(), "s") == ["7H 6-F", "8H 4-3"]
    assert read_solution(b"[]", "s") == []


NO_LISTS = ("{}", '{"moves": null}', "[1]", '{"steps": [3]}', '{"steps": [{}, {}]}')


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1. 7H 6-f\nsome words\n", "s:2: expected a move, such as"),
        ("1. 7H 6-f\n1. 8H 6-f\n", "s:2: expected move 2, got number '1'"),
        ("7H 6-f\nNote: 8H\n", "s:2: expected a move, such as"),
        ("Moves:\n", "s:1: no moves found"),
        ("Moves: 7H f\nMoves: 7H f\n", "s:2: a second solution begins"),
        ("# game: joker\n# seed: 1\nMoves: 7H f\n", "s:1: this is a deal of joker, but chessboard was named"),
        ("# seed: 2\nMoves: 7H f\n", "s:1: seed 2: the deal has 1"),
        ('\n{"seed": 2, "moves": []}', "s:2: seed 2: the deal has 1"),
        ("# game: jokr\nMoves: 7H f\n", "s:1: game 'jokr': no such game; did you mean joker?"),
        ('{"game": "joker", "moves": []}', "s:1: this is a deal of joker, but chessboard was named"),
        *((text, "s:1: moves: expected a list of moves") for text in NO_LISTS),
        ('{"moves": []}\n[]', "s:2: a second solution begins"),
        ('["a"]\n["b"]', "s:2: a second solution begins"),
        ("", "s:1: no moves found"),
        ("Solution: 2 moves\n1. 7S 10-f\n", "s:3: expected 2 moves, as announced, got 1"),
        ("Solution: 0 moves\nSolution: 0 moves", "s:2: a second solution begins"),
        ("1. 7S 10-f 3. 7S 10-f", "s:1: expected move 2, got number '3'"),
        ("\n2. 7S 10-f", "s:2: expected move 1, got number '2'"),
        ("1. 7Z", "s:1: expected a numbered move, such as '1. 7S 10-f', got '1. 7Z'"),
    ],
)
def test_files_that_hold_something_else_are_refused(text, problem):
    with pytest.raises(FormatError) as caught:
        read_solution(text.encode(), "s", Deal(CHESSBOARD.deal(1), 1))
    assert str(caught.value).startswith(problem)
