"""The command fc-solve, called by PySolFC's own code where that is installed."""

import random
import re
from io import BytesIO
from types import SimpleNamespace

import pytest
from tests.compiled import needs_kernels

from winnable.rules import find_variant
from winnable.rules.cards import RANKS, SUITS, format_card, make_card, rank_of, suit_of
from winnable.rules.formats.foreign import fc_solve
from winnable.solver import Limits, solve
from winnable.solver.verify import replay

pytestmark = needs_kernels
GAMES = {"simple-simon": "simple_simon", "fortress": "fortress", "chessboard": "chessboard"}
GAMES |= {"simon-jester-triangular": "simon_jester"}
ASKED = ("-m", "-p", "-opt", "-sel", "--max-iters", 10000, "--freecells-num", 0)
MOVE = r"^Move (?:a card|([0-9]+) cards) from stack ([0-9]+) to (?:stack ([0-9]+)|the foundations)$"
LEFT = r"^Move the sequence on top of Stack ([0-9]+) to the foundations$"


def board(columns, turn=0):
    """A board as PySolFC writes it: ranks relative to a base rank, and a blank line for an empty column."""
    texts = ([RANKS[(rank_of(c) + turn) % 13] + SUITS[suit_of(c)] for c in column] for column in columns)
    return "".join(" ".join(text) + "\n" for text in texts)


def follow(name, state, columns, moves):
    """Make ``moves``, triples of count, source and target (None for a foundation), by the rules; return the
    columns at the end."""
    columns = [list(column) for column in columns]
    for count, source, target in moves:
        cards = columns[source][-count:]
        del columns[source][-count:]
        is_run = count == 13 and target is None
        if is_run:
            assert [rank_of(card) for card in cards] == list(range(12, -1, -1))
            assert len({suit_of(card) for card in cards}) == 1
        else:
            end = "f" if target is None else target + 1
            state = replay(name, state, [f"{format_card(cards[0])} {source + 1}-{end}"])
        if target is not None:
            columns[target] += cards
    assert find_variant(name).family.is_won(state)
    return columns


def position(name, seed):
    """A deal, or a position on a line that wins it."""
    variant = find_variant(name)
    state = variant.deal(seed)
    line = solve(variant, state, Limits(nodes=20_000), shorten=0).moves or ()
    return replay(variant, state, line[: random.Random(seed).randrange(len(line) + 1)])


@pytest.mark.quick(4)
@pytest.mark.parametrize("seed", range(1, 9))
@pytest.mark.parametrize("name", GAMES)
def test_what_is_answered_is_true(run, name, seed):
    state = position(name, seed)
    columns, variant = [list(column) for column in state.columns], find_variant(name)
    turn = seed if name == "chessboard" else 0
    text = board(columns, turn)
    out = run.out("fc-solve", *ASKED, "--preset", GAMES[name], "--stacks-num", len(columns), stdin=text)
    read, _ = fc_solve.read(variant, text, "board")
    if turn == 0:
        assert variant.family.canonical(read) == variant.family.canonical(state)
    verdict = solve(variant, read, Limits(nodes=200_000), shorten=0).verdict
    words = {"unwinnable": "I could not solve this game.", "undecided": "Iterations count exceeded."}
    lines = [line for line in out.splitlines() if line]
    if verdict != "winnable":
        assert lines[0] == words[verdict]
        return
    assert lines[-3] == "This game is solveable."
    moves = []
    for line in lines[1:-3]:
        left, made = re.match(LEFT, line), re.match(MOVE, line)
        assert left or made, line
        count, source, target = (13, left[1], None) if left else made.groups()
        moves.append((int(count or 1), int(source), None if target is None else int(target)))
    turned = [[make_card((rank_of(c) + turn) % 13, suit_of(c)) for c in column] for column in columns]
    assert not any(follow(name, read, turned, moves))


def test_a_run_that_lies_complete_is_moved_first(run):
    suit = [make_card(rank, 0) for rank in range(12, -1, -1)]
    others = [[make_card(rank, s) for rank in range(12, -1, -1)] for s in (1, 2, 3)]
    text = board([[*others[0], *suit], others[1][:5], others[2], others[1][5:], *[[]] * 6])
    out = run("fc-solve", "-g", "simple_simon", stdin=text)[1]
    moves = re.findall("^Move (.*)$", out, re.MULTILINE)
    first = [f"the sequence on top of Stack {number} to the foundations" for number in (0, 0, 2)]
    assert moves[:3] == first
    assert len(moves) == 5


def test_what_it_is_told_and_asked(run):
    text = board(find_variant("simple-simon").deal(1).columns)
    out = run("fc-solve", "-g", "simple_simon", "--iter-output", "--max-iters", 0, stdin=text)[1]
    assert out.startswith("Iteration: ")
    assert "\nIterations count exceeded.\n" in out
    assert re.search(r"version [0-9]+\.[0-9]+\.[0-9]+", run("fc-solve", "--version")[1])
    for args, problem in (
        (("-g", "free_cell"), "expected chessboard, fortress, simon_jester or simple_simon"),
        ((), "got none"),
        (("-g", "fortress", "--sequences-are-built-by", "rank"), "got other rules"),
        (("-g", "simple_simon", "--stacks-num", 8), "expected 8 columns, got 10"),
    ):
        assert problem in run.fails("fc-solve", *args, stdin=text)
    assert "column 1: '9X' is not a card" in run.fails("fc-solve", "-g", "simple_simon", stdin="9X\n")
    fewer = text.replace("AC", "").replace("5D", "")
    assert "are not in sequence" in run.fails("fc-solve", "-g", "fortress", stdin=fewer)


def asked(hint, deal, preset, answer, base=0):
    """The state of PySolFC's solver code after the answer, and its hints, with columns as numbers."""
    rows = [SimpleNamespace(number=number, cards=cards) for number, cards in enumerate(
        [SimpleNamespace(rank=rank_of(c), suit="CSHD".index(SUITS[suit_of(c)]), face_up=True) for c in column]
        for column in deal)]  # fmt: skip
    stacks = SimpleNamespace(foundations=[], reserves=[], rows=rows)
    game = SimpleNamespace(s=stacks, gameinfo=SimpleNamespace(decks=2 if len(rows) == 14 else 1))
    dialog = SimpleNamespace(setText=lambda **_: None)
    solver = hint.FreeCellSolver_Hint(game, dialog, preset=preset, base_rank=base)
    solver.config(progress=base % 2 == 1)
    if answer is not None:
        solver.run_solver = lambda command, text: (BytesIO(answer(command, text)), BytesIO())
    solver.computeHints()
    hints = [(count, source.number, target and target.number) for count, source, target in solver.hints[:-1]]
    return solver.solver_state, hints


@pytest.mark.quick(4)
@pytest.mark.parametrize("number", [*range(1, 5)])
@pytest.mark.parametrize("name", GAMES)
def test_pysolfc_takes_the_answer(run, name, number):
    hint = pytest.importorskip("pysollib.hint", reason="PySolFC is not installed")
    pytest.importorskip("pysol_cards", reason="the extra 'pysol' is not installed")
    from winnable.rules.formats.foreign import pysol

    state = pysol.deal(find_variant(name), str(number))

    def answer(command, text):
        return run(*command.split(), stdin=text)[1].encode()

    told, hints = asked(hint, state.columns, GAMES[name], answer, number if name == "chessboard" else 0)
    verdict = solve(name, state, Limits(nodes=200_000), shorten=0).verdict
    assert told == {"winnable": "solved", "unwinnable": "unsolved", "undecided": "intractable"}[verdict]
    if hints:
        assert not any(follow(name, state, state.columns, hints))
