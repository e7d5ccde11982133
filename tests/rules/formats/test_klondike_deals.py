"""Deals of Klondike as its solvers write them: digits, numbers, talons."""

from math import factorial
from pathlib import Path

import pytest

from winnable.rules import find_variant, klondike
from winnable.rules.formats import read_deal, read_deals, write_deals
from winnable.rules.formats.foreign import greenfelt, klondike_solver
from winnable.rules.formats.partial_board import Draft
from winnable.rules.formats.text import Deal, FormatError
from winnable.solver import solve

KLONDIKE = find_variant("klondike")
GAMES = ["klondike", "klondike-draw-one", "klondike-vegas", "klondike-vegas-one", "klondike-one-pass"]

# The page of MinimalKlondike shows this deal as digits and as a board.
DIGITS = (
    "072103023042094134111092051034044074114052123011083122012131091082124064014093033112071104132053133102"
    "084041013073063031061043081054113062024021101022032121"
)
BOARD = """\
7D
TH 9D
2H 5C 5D
4D 3S QH AD
9S 4S AC KC QS
KS 7S 8H 9C 6S 9H
JC JS QD 8D AS 3H JD
Stock: 7C TS KD 5H KH TD 8S 4C AH 7H 6H 3C 6C 4H 8C 5S JH 6D 2S 2C TC 2D 3D QC
"""

# PySolFC's deal 24 and Klondike-Solver's 37547, as boards of these programs.
PYSOLFC = """\
Talon: TC TS AD 4D QS 3H 3S JH TD KC 8H 8S 4S 4H KS 6D 8D 7C JD 9D 2H QD 3D AS
5C
<7H> 9H
<2D> <9S> AC
<5D> <QH> <5S> 8C
<QC> <2C> <JS> <3C> 7D
<5H> <7S> <KD> <9C> <JC> 6S
<4C> <AH> <2S> <6C> <6H> <TH> KH
"""
KLONDIKE_SOLVER = """\
Foundations: H-0 C-0 D-0 S-0
Talon: ==> 3D 5H TC 4C TS KD KC 2D 5S 4D AS 2C TD 8H TH 7H JD 8D 8S 9D 5C QS KH 3C <==
: AH
: <7D> 4H
: <2H> <AC> QH
: <9S> <8C> <6D> JC
: <2S> <AD> <KS> <7S> 6H
: <JH> <9H> <QC> <6C> <3S> 6S
: <4S> <5D> <JS> <QD> <3H> <9C> 7C
"""


def read(text, game="klondike"):
    return read_deal(find_variant(game), text.encode(), "t").state


def refusal(text, game="klondike"):
    with pytest.raises(FormatError) as caught:
        read(text, game)
    return str(caught.value)


def test_digits_are_the_deal_that_their_program_shows():
    assert read(DIGITS + "\n") == read(BOARD)
    assert klondike_solver.write(KLONDIKE, read(BOARD)) == DIGITS + "\n"


@pytest.mark.parametrize("name", GAMES)
def test_deals_come_back(name):
    variant = find_variant(name)
    deals = [Deal(variant.deal(seed)) for seed in range(5)]
    text = "".join(write_deals(variant, deals, "klondike-solver", False))
    assert [len(line) for line in text.splitlines()] == [156] * 5
    assert list(read_deals(variant, text.encode(), "t")) == deals
    assert list(read_deals(variant, text.replace("\n", "\r\n\n# a comment\n").encode(), "t")) == deals
    assert list(read_deals(None, f"# game: {name}\n{text}".encode(), "t")) == deals


def test_choices_may_follow_the_digits():
    state = read(DIGITS + "\nDraw: 1\nPasses: 2\n")
    assert KLONDIKE.choices_of(state) == {"draw": "1", "passes": "2"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"{BOARD}Passes: 2\nDraw: 8\n", "t:10: draw '8': expected 3 or 1 or 2"),
        (DIGITS[:-1], ": 155 digits, a deal has 156, three a card"),
        (DIGITS + "1", "157 digits"),
        (DIGITS.replace("072", "142", 1), "t:1: card 1: '142': expected 01 to 13 and 1 to 4 for C, D, H, S"),
        (DIGITS.replace("103", "105", 1), "card 2: '105': expected 01 to 13"),
        (DIGITS[:-3] + "000", "card 52: '000': expected 01 to 13"),
        (DIGITS[:-3] + "072", "t:1: stock: duplicate card 7D (also in column 1)"),
        ("AC\n" + DIGITS, "t:2: a deal in digits or letters: the board has cards already"),
        (DIGITS + "\nStock: AC", "t:2: stock: written twice"),
    ],
)
def test_bad_digits_are_refused_in_one_line(text, problem):
    assert problem in refusal(text)


def test_digits_are_for_klondike_alone():
    for game in ("joker", "fortress"):
        assert f"expected a game that deals as Klondike, got {game}" in refusal(DIGITS, game)
        with pytest.raises(ValueError, match="solver: expected a game that deals as Klondike"):
            klondike_solver.write(find_variant(game), find_variant(game).deal(1))
    for state, problem in (
        (KLONDIKE.deal(1, 5), "expected the full deck"),
        (klondike.apply(KLONDIKE.deal(1), klondike.DRAW), "expected a deal, got a position after moves"),
    ):
        with pytest.raises(ValueError, match=problem):
            klondike_solver.write(KLONDIKE, state)


def test_numbers_name_deals():
    assert read("Game: 37547\n") == read(KLONDIKE_SOLVER)
    three = list(read_deals(KLONDIKE, b"#Random deal\nGame: 37547\nGame: 6330\nGreenFelt: 123\n", "t"))
    assert len({deal.state for deal in three}) == 3
    assert read("GreenFelt: 1492773577\n") == read(GREENFELT)


GREENFELT = """\
8C
8H 8D
TC TD 7S
8S 7C KD 4C
9S 5D KH QC KS
JH 3H 7D AC 2S TH
AH 2C AD TS 9C JD 6C
Stock: AS 6D JC 5S 5H 5C 6H JS 9H 6S 4S 3D QS KC 2D 2H 4H 3C QH 3S 4D 9D QD 7H
"""


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Game: patience", "t:1: game 'patience': expected a number from 0 to 2147483647; the name"),
        ("Game: 2147483648", "game '2147483648': expected a number from 0 to 2147483647"),
        ("GreenFelt: 0", "greenfelt '0': expected a number from 1 to 2147483647"),
        ("Lonelybot: x", "lonelybot 'x': expected a number from 0 to 52! - 1"),
        (f"Microsoft: {factorial(52)}", "expected a number from 10000000000 to 52! - 1"),
        ("Microsoft: 11982", "shorter ones: PySolFC's ms11982"),
        (f"Lonelybot: {'9' * 80}", "expected a number from 0 to 52! - 1"),
        ("GreenFelt: -1", "greenfelt '-1': expected a number"),
    ],
)
def test_wrong_numbers_are_refused(text, problem):
    assert problem in refusal(text)


# --- Talons -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_talon_beside_a_deal_is_its_stock(name):
    plain = PYSOLFC.replace("<", "").replace(">", "")
    state = read(PYSOLFC, name)
    assert len(state.stock) == 24
    assert not state.waste
    assert read(plain, name) == read(plain.replace("Talon", "Stock"), name) == state
    talon, *columns = plain.splitlines()
    assert read("\n".join([*columns, talon]), name) == state
    assert read("Foundations: H-0 C-0 D-0 S-0\n" + PYSOLFC, name) == state


def test_a_pysolfc_board_is_the_deal_of_its_number():
    pysol = pytest.importorskip("pysol_cards", reason="the extra 'pysol' is not installed")
    from winnable.rules.formats.foreign.pysol import deal

    assert pysol
    assert deal(KLONDIKE, "24") == read(PYSOLFC)


def test_klondike_solver_says_what_is_stock_and_what_is_waste():
    state = read(KLONDIKE_SOLVER)
    drawn = klondike.apply(state, klondike.DRAW)
    text = KLONDIKE_SOLVER.replace("==> 3D 5H TC", "TC 5H 3D ==>")  # here the top of the waste comes first
    assert read(text) == drawn
    assert "t:2: talon: '3X' is not a card" in refusal(KLONDIKE_SOLVER.replace("3D", "3X"))


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (("Talon: TC", "Talon:"), 1),  # a card is missing, so its place is unknown
        (("<7H>", "7H"), 1),  # one more card lies face up
        (("\n5C\n", "\n:\n"), 1),
        (("Talon: TC TS", "Waste: TC TS\nTalon:"), 2),
        (("Talon: TC TS", "Stock: TC TS\nTalon:"), 2),
    ],
)
def test_a_talon_that_may_be_either_is_refused(change, line):
    problem = refusal(PYSOLFC.replace(*change))
    assert problem.startswith(f"t:{line}: talon: ")
    assert "cards may be the stock or the waste; write Stock," in problem


def test_several_boards_with_talons_are_told_apart():
    text = f"{PYSOLFC}\n#Pysol game\n{PYSOLFC}\n{DIGITS}\n{PYSOLFC}"
    states = [deal.state for deal in read_deals(KLONDIKE, text.encode(), "t")]
    assert states == [read(part) for part in (PYSOLFC, PYSOLFC, DIGITS, PYSOLFC)]


# --- Known answers ----------------------------------------------------------------------------------------

IMPOSSIBLE = (
    "041023134124133071102114063072031033121092131043082044122083084064061051093094054073042013091104032101"
    "113062022103052034021132012074112111123011053024081014"
)
FIRST = (
    "042041044124023073111012123081104093031052051121094074061091083102043071132134113114131022103013062032"
    "101011014034054021112064092082133033072053084063024122"
)


@pytest.mark.parametrize("game", ["klondike", "klondike-draw-one"])
def test_deals_of_klondike_solver_have_the_verdicts_it_found(game):
    text = f"{FIRST}\nGame: 37547\n{IMPOSSIBLE}\n{PYSOLFC}"
    deals = read_deals(find_variant(game), text.encode(), "t")
    verdicts = [solve(game, deal.state).verdict for deal in deals]
    assert verdicts == ["winnable", "winnable", "unwinnable", "winnable"]


def test_a_deal_that_klondike_solver_found_long():
    assert solve("klondike-draw-one", read("Game: 6330", "klondike-draw-one")).verdict == "winnable"


# Of the 79,606 numbers that PySolFC knows to be winnable, one card at a time.
WINNABLE = (32000, 32032, 33333, 36021, 40404, 44446, 50005, 54208, 54401, 66668, 77777, 88886, 99999, 110022)
WINNABLE += (200002, 203040, 205060, 207077, 209090, 211079)


def test_numbers_that_pysolfc_knows_to_be_winnable_are():
    pytest.importorskip("pysol_cards", reason="the extra 'pysol' is not installed")
    from winnable.rules.formats.foreign.pysol import deal

    variant = find_variant("klondike-draw-one")
    lost = [number for number in WINNABLE if solve(variant, deal(variant, str(number))).verdict != "winnable"]
    assert not lost


# Of lonelybot's tests: permutations of the deals 0 of Klondike-Solver and GreenFelt, and of one of Microsoft.
OF_KLONDIKE_SOLVER = 35511235380175238168226668580770214465574563740067205469369780560069
OF_GREENFELT = 70781775317263119030027683441491840945148374294523658484644048341783
MICROSOFT = 37529377358585594134454298882350599254635682470701937210952436445911
OF_MICROSOFT = 6555618124709432518914756628087920429793617258659043425228908599455


def test_numbers_of_permutations_are_those_of_lonelybot():
    assert read(f"Lonelybot: {OF_KLONDIKE_SOLVER}\n") == read("Game: 0\n")
    assert read(f"Lonelybot: {OF_MICROSOFT}\n") == read(f"Microsoft: {MICROSOFT}\n")
    draft = Draft(1, KLONDIKE)
    draft.add_cards(1, "greenfelt", greenfelt.cards_of(0))
    assert read(f"Lonelybot: {OF_GREENFELT}\n") == draft.deal("t").state
    assert len(read(f"Lonelybot: {factorial(52) - 1}\n").stock) == 24


def dealt_by_programs():
    text = (Path(__file__).parent / "numbers.txt").read_text()
    for block in text.split("\n\n= ")[1:]:
        title, _, board = block.partition("\n")
        game, _, number = title.partition(" ")
        yield pytest.param(game, number, board, id=title)


@pytest.mark.parametrize(("game", "number", "board"), list(dealt_by_programs()))
def test_numbers_of_programs_are_the_deals_that_they_deal(game, number, board):
    assert read(number, game) == read(board, game)


@pytest.mark.parametrize("number", ["KPat: 0", "Ran: 4294967296", "Solvitaire: -1", "Lonelybot seed: x"])
def test_a_number_that_a_program_does_not_deal_is_refused(number):
    assert "expected a number from" in refusal(number)


def test_only_kpat_and_solvitaire_have_numbers_of_simple_simon():
    assert "expected a game that deals as Klondike" in refusal("Ran: 1", "simple-simon")
    assert "expected a game" in refusal("KPat: 1", "fortress")
