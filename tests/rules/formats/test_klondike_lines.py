"""Lines of play of Klondike as its solvers write them."""

import pytest
from tests.deals import sizes

from winnable.rules import find_variant
from winnable.rules.formats import read_deal, read_solution
from winnable.rules.formats.foreign import NOTATIONS, klondike_solver, tokens_of
from winnable.rules.formats.foreign.lines import format_line, moves_from
from winnable.rules.formats.text import FormatError
from winnable.solver import solve
from winnable.solver.verify import replay

# A game of each program: pyksolve's deal 5 (draw 1), KSolve's Ran: 1 (draw 3), greenfelt.net's 2 (draw 3).
FILES = {
    "pyksolve": (
        "klondike-draw-one",
        "Game: 5",
        "DR4 W5 DR6 WC W2 DR1 W2 72 F7 7S F7 75 F7 7C F7 76 F7 57-3 F5 W5 72-4 F7 53-2 F5 73 37-4 F3 "
        "W3 37-2 F3 W6 DR5 WH DR2 W3 DR1 W4 W4 W5 W4 DR2 WS 57-2 F5 15 W1 W1 WH DR2 WH W6 61-4 F6 63 "
        "F6 31-3 43-4 F4 64 F6 6D F6 2D 2S 5D 5S F5 5C 2D 1D 65 F6 6H 4H 7H 23-5 F2 W2 WH W5 WC 3C 4C "
        "F4 3D 3C 73 7H 4H F4 4S 1S 1D 3S 1C 3D DR1 WS 1D 3C 7S 1C 2S 3D 7H 1D 2H 3C 7S 1C 3H 5S 7D "
        "1D 3C 5H 7S",
        111,
    ),
    "ksolve": (
        "klondike",
        "9D\nKH 2C\nKS 2D 3S\nTH 7C 6C JS\n5C AD AH 8H 4H\nQC 2S 5S 8S 3C 6D\n7D TC JH 4D 4S 4C 7S\n"
        "Stock: JC 3H 6H QH 2H QD AC TD JD 8C 9C 5D 3D AS QS 6S KC 7H 5H KD TS 8D 9S 9H",
        "35 F3 35 F3 67 F6 DR6 W3 DR18 NEW DR6 WC 2C F2 6C F6 61 F6 56-3 F5 75-2 F7 7C F7 43 F4 DR12 "
        "W4 W1 DR5 NEW DR6 W3 DR3 W3 53-3 F5 5H F5 5D F5 6D DR3 WS WD 5C 74 F7 7D F7 WD DR3 W5 W1 "
        "41-2 4C F4 4C F4 W2 WC 3D W2 WH W5 W3 63-3 F6 6S F6 3S 1S WH 3H 3S 1H 3H 1S 3S 1H 3H 1S DR5 "
        "WH 3C 4H WS 7H F7 7C F7 7D WD 1D 3D 2D WS 5H 3S 3D 2S WD WC 6C 3S 2H 5C",
        97,
    ),
    "minimalklondike": (
        "klondike-draw-one",
        "GreenFelt: 1",
        "ID @@AB AJ @@@@AB @@@@AB HB GB AJ @@AE @@@@AB AB IF IB @@AB @AH @AC IC LC LB JI LJ LC FC HJ "
        "HC @@@@AC KC KD KB KE AC AB JH JD AD @@AE @@AC AG @AF @@@AE FE LE LK LD FD KF KE @AE JI JD "
        "GD GE IE AD HD HC ID HD IC HC IB AE FE FD AE",
        98,
    ),
}


@pytest.mark.parametrize("program", FILES)
def test_a_line_is_read_beside_its_deal_and_in_a_file_with_it(program):
    game, board, line, count = FILES[program]
    variant = find_variant(game)
    deal = read_deal(variant, board.encode(), "deal")
    both = f"{board}\n{line}\n".encode()
    assert read_deal(variant, both, "both") == deal
    for data in (line.encode(), both, f"{board}\nMoves: {line}".encode()):
        moves = read_solution(data, "line", deal)
        assert len(moves) == count
        assert variant.family.is_won(replay(variant, deal.state, moves))
    assert moves_from(variant, deal.state, line.split()) == moves


@pytest.mark.quick(2)
@pytest.mark.parametrize("style", NOTATIONS)
@pytest.mark.parametrize("game", ["klondike", "klondike-draw-one"])
def test_lines_that_are_written_read_as_they_were(style, game):
    variant = find_variant(game)
    for seed in range(1, 9):
        state = variant.deal(seed)
        result = solve(variant, state)
        if result.moves is None:
            continue
        moves = [str(move) for move in result.moves]
        text = format_line(variant, state, moves, style)
        assert replay(variant, state, moves_from(variant, state, text.split())) == replay(
            variant, state, moves
        )
        assert len(moves_from(variant, state, text.split())) == len(moves)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("DR4 W5 DR6 WC W2 DR1 W6", r"l:1: move 7 \(W6\): .* does not go on"),
        ("DR4 W5 72 F7", r"l:1: move 3 \(72\): .* does not go on"),
        ("WH DR2", r"move 1 \(WH\): there is no card"),
        ("DR1 NEW DR1", r"move 2 \(NEW\): the waste is turned over when the stock is empty"),
        ("DR25", r"move 1 \(DR25\): the stock is empty: expected NEW"),
        ("DR4 W5 DR6 WC W2 DR1 W2 72 7S F7", r"move 9 \(7S\): expected F7"),
        ("DR1 F3", r"move 2 \(F3\): column 3 turns no card up"),
        ("@AF", r"move 2 \(AF\): .* does not go on"),
    ],
)
def test_an_illegal_line_is_refused_at_its_move(line, expected):
    game, board, _, _ = FILES["pyksolve"]
    deal = read_deal(find_variant(game), board.encode(), "d")
    with pytest.raises(FormatError, match=expected):
        read_solution(line.encode(), "l", deal)


def test_no_waste_is_turned_over():
    deal = read_deal(find_variant("klondike"), b"KC\nFoundations: C-Q D-K H-K S-K\n", "d")
    with pytest.raises(FormatError, match=r"move 1 \(NEW\): there is no waste to turn over"):
        read_solution(b"NEW 1C", "l", deal)


def test_a_line_with_two_meanings_or_of_another_game_is_refused():
    deal = read_deal(find_variant("klondike"), b"Game: 5", "d")
    with pytest.raises(FormatError, match=r"DR may count draws, .* write each draw as s-w"):
        read_solution(b"DR3", "l", deal)
    for game in ("klondike-one-pass", "joker", "fortress"):
        variant = find_variant(game)
        with pytest.raises(ValueError, match="expected a game"):
            moves_from(variant, variant.deal(1), ["DR3"])


def test_cards_and_our_own_moves_are_no_lines_of_other_programs():
    assert not any(map(tokens_of, ("7S", "2C 3D 7H", "AD JC KH", "7S 2-5", "s-w", "h4 c5", "W", "")))
    assert all(map(tokens_of, ("DR1", "34-2", "WH", "2C 34", "@", "HG", "GF JI @@@ AK")))


# --- A replay that shares nothing with the readers ----------------------------------------------------------


def won_by(digits, line, draw, counts_cards=False):
    """Replay a line of Klondike-Solver on a deal in 156 digits. Returns whether all cards go up; raises
    AssertionError for an illegal move. Cards are pairs of rank and suit, and only the description of the
    notation is used."""
    cards = [(int(digits[at : at + 2]), "CDHS"[int(digits[at + 2]) - 1]) for at in range(0, 156, 3)]
    table = [[] for _ in range(7)]
    for row in range(7):
        for column in range(row, 7):
            table[column].append(cards.pop(0))
    down = [*range(7)]  # number of face-down cards in each column
    stock, waste, up, owed = cards, [], dict.fromkeys("CDHS", 0), None
    red = {"C": 0, "S": 0, "D": 1, "H": 1}
    for token in line.split():
        if token[0] == "F":
            assert owed == int(token[1]) - 1
            owed = None
            continue
        assert owed is None
        if token == "NEW":
            assert not stock
            stock, waste = waste, []
        elif token[:2] == "DR":
            count = int(token[2:])
            times = -(-count // draw) if counts_cards else count
            for _ in range(times):
                assert stock
                waste += stock[:draw]
                stock = stock[draw:]
        else:
            moved, _, count = token.partition("-")
            source, target, count = moved[0], moved[1], int(count or 1)
            if source in "CDHS":
                assert up[source]
                run = [(up[source], source)]
                up[source] -= 1
            else:
                pile = waste if source == "W" else table[int(source) - 1]
                run = pile[-count:]
                assert len(run) == count
                del pile[-count:]
                if source != "W":
                    at = int(source) - 1
                    assert len(pile) >= down[at]
                    if pile and len(pile) == down[at]:
                        down[at], owed = down[at] - 1, at
            if target in "CDHS":
                assert run == [(up[target] + 1, target)]
                up[target] += 1
            else:
                pile = table[int(target) - 1]
                rank, suit = run[0]
                fits = not pile and rank == 13
                if pile:
                    fits = pile[-1][0] == rank + 1 and red[pile[-1][1]] != red[suit]
                assert fits
                pile += run
                if len(pile) == len(run):
                    down[int(target) - 1] = 0
    assert owed is None
    return all(height == 13 for height in up.values())


@sizes(quick=4, full=30, slow=500)
@pytest.mark.parametrize("game", ["klondike", "klondike-draw-one"])
def test_our_lines_are_won_in_a_replay_of_the_notation_alone(game, deals):
    variant, won = find_variant(game), 0
    draw = 1 if game == "klondike-draw-one" else 3
    for seed in range(1, 2 * deals):
        state = variant.deal(seed)
        result = solve(variant, state)
        if result.moves is None or won == deals:
            continue
        digits = klondike_solver.write(variant, state).strip()
        for style in ("klondike-solver", "ksolve"):
            line = format_line(variant, state, [str(move) for move in result.moves], style)
            assert won_by(digits, line, draw, style == "ksolve")
        won += 1
    assert won == deals


@pytest.mark.parametrize("game", ["klondike", "klondike-draw-one"])
def test_a_line_with_a_wrong_token_is_lost_in_the_replay_too(game):
    variant = find_variant(game)
    state = variant.deal(5)
    line = format_line(variant, state, [str(move) for move in solve(variant, state).moves], "klondike-solver")
    words, digits = line.split(), klondike_solver.write(variant, state).strip()
    draw, refused = (1 if game == "klondike-draw-one" else 3), 0
    for at in range(0, len(words), 12):
        cut = " ".join(words[:at] + words[at + 1 :])
        try:
            ours = variant.family.is_won(replay(variant, state, moves_from(variant, state, cut.split())))
        except ValueError:
            ours = False
        try:
            theirs = won_by(digits, cut, draw)
        except (AssertionError, IndexError):
            theirs = False
        refused += not theirs
        assert ours or not theirs  # ours may also count cards after DR
    assert refused
