"""Attacks on the frame around the lemmas, each of which an earlier checker accepted or did not survive."""

import gzip
import json
import resource
import time
import zlib
from dataclasses import replace

import pytest
from tests.checker.certificates import Text, claim_for, made, made_of_seed, refusal
from tests.second_checker.asking import answer, compiled

from winnable import checker
from winnable.checker import NotFinished, Refused, closed_set, fewest
from winnable.checker.accept import _game_of
from winnable.checker.reading import Budget
from winnable.rules import find_variant

pytest.importorskip("winnable.solver.core.border", reason="no compiled engine")
BOARD = {
    "certificate": 1, "game": "fortress", "choices": {}, "ranks": 2, "suits": "C", "columns": 2,
    "start": "A AC2C", "claim": "unwinnable", "lemmas": ["order of columns"],
}  # fmt: skip
JOKER = BOARD | {
    "game": "joker", "choices": {"exchange": "exposed", "removal": "undeclared"}, "suits": "CD",
    "lemmas": ["order of columns", "like cards", "safe move up", "bound"],
}  # fmt: skip


def refused(folder, header, *lines, **options):
    """The reason why a certificate with this header and these lines is refused."""
    return refusal(folder, Text(dict(header), list(lines)).count(), **options)


# --- F2: cards that are not there, or twice -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "why"),
    [
        ("---- b- r- w s XB2CACADXR/2D", None), ("---- b- r- w s 2CACAD2D/XB", "missing card: XR"),
        ("---- b- r- w sXRXB2CACAD XR/2D", "duplicate card XR"),
        ("---- b- r- w s XBAC2CADXR/2D2D", "duplicate card 2D|2D cannot lie"),
        ("---- b- r- w s 2C2DACAD/XB2C2D XR", "duplicate card"),
        ("---- b- r- w s ACAD2C2D/XBAC XR", "duplicate card"),
        ("---- b- r- w s 2CACAD/XR2D XB", "XR is undeclared and must lie alone"),
        ("---- b=A r- w sXB ACXRAD/2D 2C", "XB is declared and does not lie face up"),
        ("---- b- r- w s 2CACADXR/XB2D", "undeclared"), ("---- b- rx w s 2CACADXR/2D XB", "duplicate card"),
        ("--A- b- r- w s 2CACADXR/2D XB", "foundations: H: expected at most 0 cards"),
        ("---- bAC r- w s 2CACADXR/2D", "lies above the top of its foundation"),
        ("---- b? r- w s 2CACADXR/2D", "expected the condition of a joker"),
        ("---- b=3 r- w s 2CACADXR/2D XB", "not in the deck"),
        ("---- b- r- w s 2CACADXR/2D XB AC", "at most 2 columns"),
    ],
)  # fmt: skip
def test_positions_have_each_card_once(tmp_path, start, why):
    told = refused(tmp_path, JOKER | {"start": start}, f"moves: {start}")
    if why is None:
        assert told is None or "not listed" in told
    else:
        assert any(part in told for part in why.split("|")), told


def test_listed_positions_have_the_cards_of_the_deal(tmp_path):
    """An earlier attack: 46 invented cards on a joker without a declared rank."""
    text = made_of_seed("joker", 142)
    invented = text.lines[-1] + "2C" * 46
    for line, why in ((invented, "cannot lie|duplicate card"), (text.lines[-1][:-2], "missing|waste")):
        assert refusal(tmp_path, text.with_lines(*text.lines[:-1], line)) is not None, why


# --- F3: layouts, bases and choices -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "deal"),
    [
        ("fortress", (1,)),
        ("simple-simon", (45,)),
        ("simon-jester", (534,)),
        ("simple-simon", (0, 3, "CD", (3, 3))),
    ],
)
def test_columns_are_those_of_the_game_and_as_many_as_are_dealt(tmp_path, game, deal):
    text = made(find_variant(game).deal(*deal))
    assert refusal(tmp_path, text) is None
    for by in (-1, 1):
        other = text.changed(columns=text.header["columns"] + by)
        assert "columns" in refusal(tmp_path, other)


def test_claims_that_differ_in_a_choice_read_otherwise(tmp_path):
    variant, said = find_variant("joker"), set()
    for exchange in ("exposed", "turned"):
        for removal in ("undeclared", "exposed"):
            state = variant.deal(142, choices={"exchange": exchange, "removal": removal})
            text = made(state, seed=142)
            path = tmp_path / "proof.gz"
            path.write_bytes(gzip.compress(text.content()))
            accepted = checker.check(str(path))
            said.add(str(accepted))
            assert accepted.to_dict()["choices"] == {"exchange": exchange, "removal": removal}
            for name in ("exchange", "removal"):
                other = text.copy()
                del other.header["choices"][name]
                assert "choices: expected exchange and removal" in refusal(tmp_path, other)
    assert len(said) == 4


def test_full_decks_have_no_more_face_down_than_is_dealt(tmp_path):
    text = made(find_variant("klondike-one-pass").deal(638))
    del text.header["line"], text.header["dealt"], text.header["value"]
    text.header["claim"] = "unwinnable"
    assert refusal(tmp_path, text) is None
    columns = text.header["start"].split(" ")[3:]
    deepest = max(columns, key=len)
    shallow = min(columns, key=len)
    moved = deepest.replace("/", "")[:2] + "/" + shallow
    for column, other in ((shallow, moved), (deepest, deepest[2:])):
        text.header["start"] = text.header["start"].replace(column, other)
    words = text.header["start"].split(" ")
    text.header["start"] = " ".join([*words[:3], *sorted(words[3:])])
    assert "face down, where a deal has" in refusal(tmp_path, text)


# --- F4: what never ended ---------------------------------------------------------------------------------


def test_a_card_twice_face_up_ends(tmp_path):
    start = "---- b- r- w s 2CACAD2D/XR XB"
    for doubled in ("---- b- r- w s 2CACAD2D/XR2D2D XB", "---- b- r- w sXB 2C2D/ADAD ACXR"):
        assert refused(tmp_path, JOKER | {"start": start}, f"moves: {start}", f"moves: {doubled}")
        assert refused(tmp_path, JOKER | {"start": doubled}, f"moves: {doubled}")


def test_arrangements_without_an_end_are_not_tried(tmp_path):
    """Runs that can be laid in billions of ways; the last run has no place in any of them."""
    suits = [f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "CDHS"]
    parts = " ".join(sorted(suits[1:])) + " + AC"
    start = "".join(reversed(suits))
    header = BOARD | {
        "game": "simple-simon", "ranks": 13, "suits": "CDHS", "columns": 10, "start": start,
        "dealt": start + " -" * 9, "lemmas": ["order of columns", "arrangements"],
    }  # fmt: skip
    assert refused(tmp_path, header, f"arranged: {start}", f"arranged: {parts}", max_seconds=20)


def test_seconds_are_bounded(tmp_path):
    why = refusal(tmp_path, made_of_seed("fortress", 2), max_seconds=0)
    assert why == "not finished within 0 seconds of processor time"


@pytest.mark.parametrize(("game", "kind"), [("fortress", "at least"), ("klondike-one-pass", "exact score")])
def test_seconds_are_bounded_where_nothing_is_named(game, kind):
    """Positions settled by their bounds were once checked to the end, however many there were."""
    state = find_variant(game).deal(0, 2, "C", (2,))
    game = _game_of(claim := claim_for(state, kind, ("order of columns", "like cards", "bound"), 1))
    start = game.write(state)
    check, reason = (fewest.check, "1 bound") if claim.counts_moves else (closed_set.check, "bound")
    check(replace(claim, start=start), {start: reason}, game, Budget())
    with pytest.raises(NotFinished, match="not finished within 0 seconds"):
        check(replace(claim, start=start), {start: reason}, game, Budget(seconds=0))


def test_memory_is_bounded(tmp_path):
    """Memory in use is measured: a million positions are given up once the limit is exceeded."""
    header = json.dumps(BOARD | {"positions": 10**6})
    lines = (b"moves: A " + b"%d" % number + b"x" * 500 for number in range(10**5))
    content = gzip.compress(header.encode() + b"\n" + b"\n".join(lines), 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "not finished within 5 MB" in refusal(tmp_path, content, raw=True, max_bytes=5e6)
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < 30e6


# --- F5: what was not understood --------------------------------------------------------------------------


SEEDED = [  # F1: a seed with another deck or layout
    ({"ranks": 12}, "only deals of the full deck have seeds"),
    ({"suits": "CDH"}, "only deals of the full deck have seeds"),
    ({"columns": 9}, "columns: expected 10 with the full deck, got 9"),
    ({"columns": 11}, "columns: expected 10 with the full deck, got 11"),
]
ODD = [
    {"choices": {"draw": "3"}}, {"choices": {"exchange": 3, "removal": "exposed"}}, {"choices": []},
    {"choices": None}, {"seed": None}, {"value": None}, {"lemmas": None}, {"lemmas": [1]}, {"line": "x"},
    {"ranks": True}, {"columns": 1.5}, {"start": ["A"]}, {"seed": 2**64}, {"seed": -1}, {"game": "klondike"},
    {"positions": "9"}, {"hint": 1}, {"dealer": 3}, {"claim": ["unwinnable"]}, {"ranks": "2"},
    {"ranks": 14}, {"ranks": 2**64 + 2}, {"suits": "CC"}, {"suits": ""}, {"suits": "HC"}, {"suits": "c"},
    {"game": "Fortress"}, {"positions": None}, {"lemmas": []},
    {"lemmas": ["order of columns "]}, {"lemmas": ["order of columns", "like cards"]},
    {"lemmas": ["order of columns", "order of columns"]}, {"choices": {"removal": "exposed"}},
]  # fmt: skip


@pytest.mark.parametrize(("fields", "why"), [*SEEDED, *((fields, "") for fields in ODD)])
def test_odd_fields_are_refused(tmp_path, fields, why):
    text = made_of_seed("fortress", 1).changed(**fields)
    told = refusal(tmp_path, text)
    assert told.startswith("line 1: ")
    assert why in told
    assert not compiled() or answer(compiled(), text.content()).startswith("refused: line 1: ")


@pytest.mark.parametrize("reason", ["b ", "", " ", "up", "up ", "up 10C", "up xb", "moves ", "bound x", "1 "])
def test_odd_reasons_are_refused(tmp_path, reason):
    for text in (made_of_seed("fortress", 1), made_of_seed("joker", 142)):
        text.lines[0] = f"{reason}: {text.lines[0].partition(': ')[2]}"
        assert refusal(tmp_path, text) is not None


def test_an_unexpected_error_is_a_refusal(tmp_path, monkeypatch):
    path = tmp_path / "proof.gz"
    path.write_bytes(gzip.compress(made_of_seed("fortress", 1).content()))
    for error, kind, why in (
        (ZeroDivisionError, Refused, "not understood: ZeroDivisionError"),
        (MemoryError, NotFinished, "not finished within the available memory"),
    ):

        def fail(*_, error=error):
            raise error

        monkeypatch.setattr("winnable.checker.closed_set._check_one", fail)
        with pytest.raises(kind, match=why):
            checker.check(str(path))


# --- F6: what wasted time ---------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["seed", "game", "start", "lemmas", "choices", "positions"])
def test_a_key_twice_is_refused(tmp_path, key):
    text = made_of_seed("fortress", 1)
    again = f'{{"{key}": {json.dumps(text.header[key])}, '
    content = text.content().replace(b"{", again.encode(), 1)
    assert "expected each key once" in refusal(tmp_path, content)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"fortress"', b'"\\u0066ortress"', "expected no escapes"),
        (b'"seed": 1', b'"seed": 1.0', "expected whole numbers"),
        (b'"seed": 1', b'"seed": 1e0', "expected whole numbers"),
        (b'"seed": 1', b'"seed": -0', "expected numbers of at most 20 digits"),
        (b'"seed": 1', b'"seed": NaN', "expected whole numbers"),
        (b'"seed": 1', b'"seed": 01', "expected a header"),
        (b'"seed": 1', b'"seed": ' + b"9" * 5000, "expected numbers of at most 20 digits"),
        (b'"seed": 1', b'"seed":\t1', "expected printable ASCII"),
        (b'"seed": 1', b'"seed": ' + b" " * 70_000 + b"1", "line 1: longer than"),
        (b'"seed": 1', b'"seed": 1, "x": ' + b"[" * 30_000 + b"]" * 30_000, "line 1: "),
    ],
)  # fmt: skip
def test_a_header_is_plain(tmp_path, old, new, why):
    content = made_of_seed("fortress", 1).content()
    assert content.count(old) == 1
    assert why in refusal(tmp_path, content.replace(old, new))


def test_a_file_is_one_gzip_member(tmp_path):
    content = gzip.compress(made_of_seed("fortress", 1).content())
    for other in (
        content + b"\0" * 10**7, content + b"x", content + content, content + gzip.compress(b""),
        gzip.compress(b"") + content, content[:-1], content[:-8] + b"\0" * 8, b"\0" + content, b"",
        zlib.compress(gzip.decompress(content)),
    ):  # fmt: skip
        assert refusal(tmp_path, other, raw=True) is not None


def test_the_text_of_a_file_is_checked_like_the_file(tmp_path):
    """It is refused for the same faults in the same words."""
    text = made_of_seed("fortress", 2).content()
    assert refusal(tmp_path, text, raw=True) is None
    assert refusal(tmp_path, b" " + text, raw=True) is None
    for other in (text + b"x", text + text, text[:-1], text[:-4], text.replace(b"moves", b"movez", 1), b"{"):
        assert refusal(tmp_path, other, raw=True) == refusal(tmp_path, other) is not None


def test_only_processor_time_counts(monkeypatch):
    """A certificate that the processor has no time for is not given up."""
    budget = Budget(seconds=1)
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 1000)
    budget.check()
    spent = time.process_time()
    monkeypatch.setattr(time, "process_time", lambda: spent + 1)
    with pytest.raises(NotFinished, match="not finished within 1 seconds of processor time"):
        budget.check()


def test_empty_blocks_do_not_take_for_ever(tmp_path):
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    content = packer.compress(made_of_seed("fortress", 1).content())
    empty = packer.flush(zlib.Z_FULL_FLUSH)
    blocks = b"\0\0\0\xff\xff" * 10**6
    refusal(tmp_path, content + empty + blocks + packer.flush(), raw=True, max_seconds=30)


# --- Checks of the frame, each alone ----------------------------------------------------------------------


def test_a_seed_is_dealt_in_its_own_order(tmp_path):
    """Columns in another order are the same position, but not the deal in which moves name columns."""
    text = made_of_seed("simple-simon", 45)
    columns = text.header["dealt"].split(" ")
    text.header["dealt"] = " ".join([*columns[1:], columns[0]])
    assert "line 1: dealt: not the deal of seed 45" in refusal(tmp_path, text)
    del text.header["seed"]
    assert refusal(tmp_path, text) is None


def test_a_line_is_written_in_one_way(tmp_path):
    """Moves are in capitals, with one space and without numbers, and nothing follows the last one."""
    text = made_of_seed("joker", 142)
    first, *others = text.header["line"]
    for other in (first.lower(), first.replace(" ", "  "), f"1{first}"):
        assert "line 1: line: " in refusal(tmp_path, text.changed(line=[other, *others]))
    assert "line 1: line: " in refusal(tmp_path, text.changed(line=[first, *others, others[-1]]))


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"claim": "exact score", "value": 3, "line": []}, "claim 'exact score': expected"),
        ({"claim": "at least", "value": 10_000}, "value: expected at most 9999, got 10000"),
        ({"columns": 0}, "columns: expected 1 to 10, got 0"),
        ({"columns": 11}, "columns: expected 1 to 10, got 11"),
        ({"dealt": "A AC2C -"}, "dealt: not part of this claim"),
        ({"line": []}, "line: not part of this claim"),
        ({"value": 1}, "value: not part of this claim"),
        ({"start": "A AC2C" + " " * 3000}, "start: longer than 2,047 characters"),
        ({"choices": {"exchange": "exposed"}}, "choices: expected none"),
        ({"lemmas": ["order of columns", "bound"]}, "requires a claim of moves"),
        ({"lemmas": ["order of columns", "chosen base"]}, "requires a claim of moves"),
    ],
)  # fmt: skip
def test_a_claim_has_what_belongs_to_it(tmp_path, fields, why):
    assert why in refused(tmp_path, BOARD | fields, "moves: A AC2C")


POSITION = BOARD | {"suits": "CD", "start": "A AC2C AD2D"}
COUNTED = {"claim": "at least", "value": 1, "lemmas": ["order of columns", "chosen base", "bound"]}
SCORED = BOARD | {"game": "klondike-one-pass", "lemmas": JOKER["lemmas"]}
XB_COVERED = "---- b- r- w s 2CACADXR/XB 2D"
FRAMES = [
    (POSITION | {"game": "chessboard"}, ["moves: A AC2C AD2D"], "expected no base rank while no card is up"),
    (POSITION | {"game": "chessboard"} | COUNTED, ["1 bound: A AC2C AD2D"], "expected no base rank while no"),
    (POSITION, ["moves: A AC2C AD2D", "moves: A 2C 2D AD"], "expected at most 2 columns, got 3"),
    (SCORED | {"start": "A2-- w s 2C"}, ["bound: A2-- w s 2C"], "D: expected at most 0 cards, got 2"),
    (JOKER | {"start": XB_COVERED, "choices": {"exchange": "sometimes", "removal": "undeclared"}},
     [f"moves: {XB_COVERED}"], "choices: exchange: expected turned or exposed, got 'sometimes'"),
    # A score above the claim refutes the claim, also at a position whose reason is a lemma.
    (SCORED | {"suits": "CD", "start": "-2-- w s AC2C", "dealt": "-2-- w s AC2C -", "claim": "exact score",
               "value": 1, "line": []}, ["bound: -2-- w s AC2C"], ""),
]  # fmt: skip


@pytest.mark.parametrize(("header", "lines", "why"), FRAMES)
def test_positions_and_choices_are_of_the_game_and_the_claim(tmp_path, header, lines, why):
    assert why in refused(tmp_path, header, *lines)
