"""The engine: every request for every game, streams, stop, limits, and invalid messages."""

import json
import math
import os
import random
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests import schemas
from tests.board.mangling import mangled_text
from tests.children import HANG, Child, start, wait_until
from tests.compiled import needs_kernels
from tests.deals import by_rows

from winnable import deal, replay
from winnable.protocol import Client, EngineError
from winnable.protocol.client import MOST_BYTES
from winnable.protocol.requests import ANSWERS, MOST_MOVES, SEARCHES
from winnable.protocol.server import MOST_WAITING, Engine, lines
from winnable.rules import VARIANTS, find_variant
from winnable.rules.cards import UNKNOWN
from winnable.rules.formats import read_deal
from winnable.rules.formats.json_deals import deal_object, table_object
from winnable.rules.formats.text import Deal, format_deal
from winnable.rules.tables import hidden, put
from winnable.solver import Limits, solve

pytestmark = needs_kernels
TIMELESS = {"seconds": 0, "cpu_seconds": 0}
LONG = {"game": "simon-jester", "seed": 3, "goal": "shortest", "limits": {"seconds": 600}}
FEW = {"nodes": 20_000}


class Talk(Engine):
    """An engine whose messages are validated by the schema and stored in ``sent``."""

    def __init__(self):
        super().__init__(self._keep)
        self.sent, self.news, self._arrived = [], {}, threading.Condition()

    def _keep(self, message):
        schemas.check("message", message)
        with self._arrived:
            if message.get("method") == "info":
                self.news.setdefault(message["params"]["id"], []).append(message["params"])
            else:
                self.sent.append(message)
            self._arrived.notify_all()

    def answer(self, number):
        """Wait for the answer to the request with this id."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: number in [each["id"] for each in self.sent], HANG)
        (found,) = [each for each in self.sent if each["id"] == number]
        return found

    def ask(self, method, number=1, **params):
        """Send a request; return its result or its error."""
        self.sent = [each for each in self.sent if each["id"] != number]
        self.handle({"id": number, "method": method, "params": params})
        answer = self.answer(number)
        if "result" in answer:
            schemas.check("request", {"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return answer.get("result") or answer.get("error", {})


@pytest.fixture
def talk():
    with Talk() as talk:
        yield talk


# --- Requests -----------------------------------------------------------------------------------------------


def test_hello_tells_what_the_engine_can_do(talk):
    told = talk.ask("hello")
    assert told["games"] == list(VARIANTS)
    assert told["methods"] == [*ANSWERS, *SEARCHES, "stop", "quit"]
    assert told["limits"] == list(vars(Limits()))
    assert [each["game"] for each in talk.ask("games")["games"]] == told["games"]


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", VARIANTS)
def test_a_game_is_played_by_positions_alone(talk, name):
    state, at = deal(name, 5), {"game": name, "seed": 5}
    variant, chance = find_variant(name), random.Random(name)
    while variant.family.legal_moves(state) and at.get("deal", {}).get("moves_made", 0) < 8:
        options = talk.ask("legal", **at)["options"]
        moves = variant.family.legal_moves(state)
        assert [each["move"] for each in options] == [variant.family.format_move(state, m) for m in moves]
        move = chance.choice(options)
        after = talk.ask("apply", **at, move=move["move"])
        state = replay(name, state, [move["move"]])
        assert after["position"] == deal_object(variant, state, 5, None, after["position"]["moves_made"])
        assert (after["move"], after["does"]) == (move["move"], move["does"])
        kept = ("position", "text", "over", "score")
        assert talk.ask("position", deal=after["text"]) == {key: after[key] for key in kept}
        at = {"deal": after["position"]}


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", VARIANTS)
def test_every_goal_of_every_game(talk, name):
    at, variant = {"game": name, "seed": 5, "limits": FEW}, find_variant(name)
    found = talk.ask("go", **at)
    expected = solve(name, deal(name, 5), Limits(nodes=20_000, megabytes=1000), shorten=0).to_dict()
    assert found | expected | TIMELESS == found | TIMELESS
    scored = talk.ask("go", **at, goal="score")
    assert ("code" in scored) == (variant.rules == "simon")
    assert "code" in scored or scored["exact"] is not None or scored["verdict"] == "undecided"
    hint = talk.ask("go", **at | {"limits": {"nodes": 500}}, goal="moves")
    assert hint["goal"] == "moves"
    assert len(hint["options"]) > 1
    chances = talk.ask("go", game=name, seed=5, goal="chances", visits=20)
    assert ("code" in chances) == (variant.hiding is None)


def test_a_shortest_line_is_streamed(talk):
    found = talk.ask("go", game="chessboard", seed=8, goal="shortest")
    assert (found["length"], found["shortest"]) == (69, True)
    lengths = [news["length"] for news in talk.news[1] if "moves" in news]
    assert lengths[0] > 69
    assert all(len(news["moves"]) == news["length"] for news in talk.news[1] if news.get("moves"))


def test_a_hint_has_every_legal_move(talk):
    board = "# game: fortress\nKC\nKD\nKH\n:\n:\nQC\nQD\nQH\nKS QS\nFoundations: C-J D-J H-J S-J\n"
    hint = talk.ask("go", deal=board, goal="moves")["options"]
    legal = talk.ask("legal", deal=board)["options"]
    assert sorted(each["move"] for each in hint) == sorted(each["move"] for each in legal)
    assert {each["does"] for each in hint} == {each["does"] for each in legal}
    alike = [each for each in hint if each["move"] in ("QC 6-4", "QC 6-5")]
    named = dict.fromkeys(("move", "does", "to"))
    assert alike[0] | named == alike[1] | named
    assert [each["card"] + each["from"] + each["to"] for each in alike] == ["QC64", "QC65"]


def test_columns_are_turned_round_and_the_answer_says_how_they_were_read(talk):
    columns = [line for line in str(deal("fortress", 1)).splitlines() if not line.startswith("#")]
    turned = [" ".join(line.split()[::-1]) for line in columns]
    for table in (
        "\n".join(turned),
        {"game": "fortress", "columns": turned},
        [line.split() for line in turned],
    ):
        told = talk.ask("go", game="fortress", deal=table, top="first")
        assert told["verdict"] == "unwinnable"
        assert told["read_as"].startswith("Read as columns, top card first. Playable now: KH 4D 9H ")
    told = talk.ask("position", game="fortress", deal="\n".join(turned), top="first")
    assert told["position"]["columns"] == columns
    assert told["read_as"].startswith("Read as columns, top card first.")
    assert "read_as" not in talk.ask("go", game="fortress", seed=1)
    assert "top card last" in talk.ask("go", game="fortress", deal="\n".join(columns))["read_as"]


def test_rows_are_read_by_rows(talk):
    by_seed = talk.ask("go", game="fortress", seed=1)
    assert talk.ask("go", deal=ROWS, by="rows")["verdict"] == by_seed["verdict"] == "unwinnable"
    told = talk.ask("position", deal={"game": "fortress", "columns": ROWS.splitlines()[1:]}, by="rows")
    assert told["text"] == f"{deal('fortress', 1)}\n".replace("# seed: 1\n", "")


def test_a_position_in_play_is_played_on(talk):
    text = str(deal("simple-simon", 1)).replace("# seed: 1\n", "")
    move = talk.ask("legal", deal=text)["options"][0]["move"]
    told = talk.ask("apply", deal=text, move=move)
    assert told["position"]["position"] == "in play"
    again = talk.ask("position", deal=told["position"])
    assert (again["position"], again["text"]) == (told["position"], told["text"])
    assert talk.ask("position", deal=told["text"])["position"] == told["position"]


@pytest.mark.parametrize("name", ["klondike", "joker"])
def test_a_fresh_position_shows_what_lies_face_down(talk, name):
    placed = talk.ask("deal", game=name, seed=5)
    dealt = deal(name, 5)
    assert placed["text"] == format_deal(Deal(dealt, 5))
    assert placed["position"]["columns"][1].startswith("<")
    assert read_deal(None, json.dumps(placed["position"]).encode(), "t") == Deal(dealt, 5)
    assert talk.ask("position", deal=placed["position"]) == placed
    assert talk.ask("difficulty", deal=placed["position"], limits=FEW)["seed"] == 5


def test_a_move_may_be_an_option_of_legal(talk):
    at = {"game": "joker", "seed": 4}
    for option in talk.ask("legal", **at)["options"]:
        assert talk.ask("apply", **at, move=option) == talk.ask("apply", **at, move=option["move"])


def test_a_number_is_the_value_of_a_rule_option(talk):
    state = deal("klondike", 5, choices={"draw": 1, "passes": 3})
    assert state == deal("klondike", 5, choices={"draw": "1", "passes": "3"})
    placed = talk.ask("position", game="klondike", seed=5, choices={"draw": 1, "passes": 3})
    assert placed["text"] == format_deal(Deal(state, 5))
    text = json.dumps(placed["position"] | {"draw": 1, "passes": 3})
    assert read_deal(None, text.encode(), "t").state == state


@pytest.mark.parametrize(
    ("name", "wish"),
    [
        ("fortress", {"winnable": True}),
        ("simple-simon", {"difficulty": "hard"}),
        ("klondike-one-pass", {"tier": "double"}),
        ("klondike", {"winnable": True, "choices": {"draw": 7}}),
    ],
)
def test_a_deal_by_wish_is_that_of_the_command(talk, name, wish):
    options = {key: value for key, value in wish.items() if key != "choices"} | wish.get("choices", {})
    words = [f"--{key}" if value is True else f"--{key}={value}" for key, value in options.items()]
    command = [sys.executable, "-m", "winnable", "deal", name, "--seed", "1", *words]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = talk.ask("deal", game=name, seed=1, **wish)
    assert found["text"] == printed
    assert found == talk.ask(
        "deal", game=name, seed=found["position"]["seed"], choices=wish.get("choices", {})
    )


def test_a_deal_by_wish_can_be_stopped(talk):
    wish = {"game": "klondike", "seed": 40, "winnable": True, "choices": {"spaces": "any"}}  # takes minutes
    for number in (7, 8):
        talk.handle({"id": number, "method": "deal", "params": wish})
    wait_until(lambda: talk._now and talk._now.watch.progress())
    assert talk._now.watch.part == "seed 40"
    assert talk.ask("stop", 9) == {"stopped": [7, 8]}
    assert [talk.answer(number)["error"]["code"] for number in (7, 8)] == [-1, -1]


def test_deals_that_are_undecided_within_the_limits_are_skipped(talk):
    wish = {"game": "chessboard", "seed": 1, "winnable": True}
    found = [talk.ask("deal", **wish, limits={"work": work}) for work in (1000, 100, 0)]
    assert [each["position"]["seed"] for each in found[:2]] == [1, 2]
    assert found[2]["message"] == "none of 1000 deals matches: 1000 undecided"
    told = talk.ask("deal", game="klondike", seed=5, winnable=True, limits={"nodes": 1})["message"]
    assert told == "none of 1082 deals matches: 1000 undecided, 82 unwinnable"


def test_a_deal_without_a_wish_is_that_of_the_seed(talk):
    at = {"game": "fortress", "seed": 1}
    assert talk.ask("deal", **at, winnable=False) == talk.ask("deal", **at)


def test_a_large_seed_is_a_string_of_digits(talk):
    for seed in (1 << 53, (1 << 64) - 1):
        first = talk.ask("position", game="fortress", seed=seed)["position"]
        assert first["seed"] == str(seed)
        move = talk.ask("legal", deal=first)["options"][0]["move"]
        assert talk.ask("apply", deal=first, move=move)["position"]["seed"] == str(seed)
        assert talk.ask("go", deal=first, limits={"nodes": 9})["seed"] == str(seed)
    assert talk.ask("position", game="fortress", seed=(1 << 53) - 1)["position"]["seed"] == (1 << 53) - 1


def test_a_whole_number_may_have_a_point_or_an_exponent(talk):
    params = b'{"game": "fortress", "seed": 1e0, "limits": {"work": 9.0}}'
    line = b'{"jsonrpc": "2.0", "id": 7.0, "method": "go", "params": %b}' % params
    schemas.check("request", json.loads(line))
    talk.handle(b"\xef\xbb\xbf" + line)  # with the byte order mark that some Windows programs write
    found = talk.answer(7)["result"]
    assert (found["seed"], type(found["seed"])) == (1, int)
    assert talk.ask("go", game="fortress", seed=1.5)["code"] == -32602
    assert talk.ask("go", game="fortress", seed=float(1 << 53))["code"] == -32602


def test_a_number_of_pysolfc_is_played_by_the_rules_agreed_on(talk):
    pytest.importorskip("pysol_cards")
    found = talk.ask("go", game="klondike", pysol="5", choices={"draw": "1"}, limits={"nodes": 9})
    assert (found["draw"], found["pysol"]) == ("1", "5")


def test_chances_have_a_budget_of_their_own(talk):
    at = {"game": "joker", "seed": 4, "goal": "chances"}
    assert talk.ask("go", **at, visits=10**9, limits={"seconds": 0.1})["reason"] == "seconds"
    assert talk.ask("go", **at, visits=20, limits={"seconds": 60})["reason"] is None
    assert "takes seconds alone" in talk.ask("go", **at, limits=FEW)["message"]


def test_tables_with_unknown_cards_are_solved_and_have_moves(talk):
    text = (
        "# game: klondike-draw-one\n<??> <??> 2C\nKC\nKS\nFoundations: C-0 D-K H-K S-J\n"
        "Stock: QS QC JC TC 9C 8C 7C 6C 5C 4C\n"
    )
    found = talk.ask("go", deal=text)
    assert (found["certain"], found["arrangements"]) == ("won", 2)
    moves = talk.ask("go", deal=text, goal="moves")
    assert moves["table"]["certain"] == "won"
    assert moves["options"][0]["best_chance"] == {"low": [1, 1], "high": [1, 1]}


def test_partly_known_positions_keep_to_limits(talk):
    state = deal("klondike-vegas", 6)
    table = table_object(put(state, [(column, 0) for column in range(1, 7)], [UNKNOWN] * 6))
    for goal in ("win", "moves"):
        found = talk.ask("go", deal=table, goal=goal, limits={"seconds": 0.05})
        assert found.get("table", found)["reason"] == "seconds"


def test_partly_known_positions_have_chances(talk):
    table = table_object(hidden(deal("joker", 4)))
    found = talk.ask("go", deal=table, goal="chances", visits=50)
    assert found["unseen"] == 47
    refused = talk.ask("legal", deal=table)
    assert refused["message"].startswith("deal: expected a position whose cards are all known; go with goal")
    for goal in ("score", "shortest"):
        assert talk.ask("go", deal=table, goal=goal)["message"] == refused["message"]


GAME = {"game": "joker", "seed": 5, "moves": ["AD 4-f", "XR s-w", "AC 4-f", "XB 4=A"]}


def test_a_game_is_reviewed_with_all_cards_seen_or_by_what_the_player_saw(talk):
    found = talk.ask("review", **GAME, limits={"work": 300_000})
    assert [step["move"] for step in found["steps"]] == GAME["moves"]
    assert found["verdict"] == "winnable"
    starts = []
    for sees in ("table", "stock"):
        found = talk.ask("review", **GAME, sees=sees, visits=20)
        assert [step["move"] for step in found["steps"]] == GAME["moves"]
        assert (found["sees"], found["reason"]) == (sees, None)
        starts.append(found["start"])
    at = {"game": "joker", "seed": 4, "goal": "chances", "visits": 20}
    seen = [talk.ask("go", **at, sees=sees)["unseen"] for sees in ("table", "stock", "all")]
    assert (starts[0] != starts[1], seen) == (True, [47, 21, 0])


def test_a_review_that_is_stopped_has_the_moves_before(talk):
    talk.handle({"id": 1, "method": "review", "params": GAME | {"sees": "table", "visits": 10**9}})
    wait_until(lambda: talk._now and talk._now.watch.progress())
    talk.ask("stop", 2)
    found = talk.answer(1)["result"]
    assert (found["steps"], found["reason"], found["luck"]) == ([], "interrupted", None)
    assert talk.ask("review", **GAME, sees="table", visits=5)["reason"] is None


ROWS = by_rows(deal("fortress", 1))
REFUSED = [
    ("hello", {"game": "joker"}, "'game': no such parameter"),
    ("legal", {}, "expected one of seed, pysol and deal, got none"),
    ("legal", {"game": "fortress", "seed": 1, "deal": "x"}, "got seed and deal"),
    ("legal", {"seed": 1}, "game: expected the name of a game"),
    ("legal", {"game": "chess", "seed": 1}, "no such game"),
    ("legal", {"game": 3, "seed": 1}, "game '3': expected a string"),
    ("legal", {"game": "joker", "seed": -1}, "seed '-1': expected a whole number"),
    ("legal", {"game": "joker", "seed": 1.5}, "seed '1.5': expected a whole number or a string"),
    ("legal", {"game": "joker", "seed": True}, "seed 'true': expected a whole number or a string"),
    ("legal", {"game": "joker", "seed": 1, "choices": {"draw": True}}, "choices: expected an object of"),
    ("legal", {"game": "klondike", "seed": 1, "choices": {"draw": 9}}, "draw '9': expected 3 or 1"),
    ("legal", {"game": "joker", "seed": 1, "moves": ["XX 1-2"]}, "move 1 (XX 1-2): "),
    ("legal", {"game": "joker", "seed": 1, "moves": [1]}, "moves: expected a list of at most"),
    ("legal", {"game": "joker", "seed": 1, "moves": ["s-w"] * (MOST_MOVES + 1)}, "moves: expected a list"),
    ("legal", {"deal": "6H\nhello"}, "deal:1: which game?"),
    ("go", {"deal": ROWS}, "these are the rows of a fresh deal; for a position in play"),
    ("go", {"deal": {"game": "fortress", "columns": ROWS.splitlines()[1:]}}, "these are the rows of a fresh"),
    ("legal", {"deal": ROWS, "by": "lines"}, "by 'lines': expected columns or rows"),
    ("legal", {"game": "fortress", "seed": 1, "by": "rows"}, "by: expected with deal"),
    ("legal", {"deal": ROWS, "top": "up"}, "top 'up': expected last or first"),
    ("legal", {"deal": {"columns": {}}}, "deal:1: "),
    ("legal", {"deal": "6H " * 70_000}, "deal: expected at most 200000 characters, got 210000"),
    ("apply", {"game": "joker", "seed": 1}, "move: expected a move"),
    ("apply", {"game": "joker", "seed": 1, "move": "9C f-1"}, "9C f-1"),
    ("apply", {"game": "joker", "seed": 1, "move": {"card": "9C"}}, "or one of the options of legal"),
    ("deal", {"game": "fortress", "winnable": True}, "expected game and seed, from which on deals are tried"),
    ("deal", {"game": "fortress", "seed": 1, "winnable": 1}, "winnable '1': expected true or false"),
    ("deal", {"game": "fortress", "seed": 1, "tier": "win"}, "got fortress, which has no tiers"),
    ("deal", {"game": "joker", "seed": 1, "tier": "all"}, "tier: expected win, double, triple, got 'all'"),
    ("deal", {"game": "joker", "seed": 1, "difficulty": "none"}, "difficulty 'none': expected easy"),
    ("deal", {"deal": "6H", "winnable": True}, "'deal': no such parameter"),
    (
        "deal",
        {"game": "klondike", "seed": 1, "choices": {"draw": 1}, "difficulty": "easy"},
        "draw 1: difficulty is defined for the default rules only",
    ),
    ("go", {"game": "joker", "seed": 1, "goal": "draw"}, "goal 'draw': expected win, score, shortest"),
    ("go", {"game": "joker", "seed": 1, "limits": {"time": 3}}, "limits: 'time': no such limit"),
    ("go", {"game": "joker", "seed": 1, "limits": {"nodes": -3}}, "nodes '-3': expected"),
    ("go", {"game": "joker", "seed": 1, "visits": 3}, "visits: expected with goal chances, got win"),
    ("go", {"game": "joker", "seed": 1, "shorten": -1}, "shorten '-1': expected a whole number"),
    ("go", {"game": "joker", "seed": 1, "goal": "chances", "sees": "me"}, "sees 'me': expected table"),
    ("go", {"game": "fortress", "seed": 1, "goal": "chances"}, "a state of a game with hidden cards"),
    ("go", {"game": "simon-jester", "seed": 1, "goal": "shortest"}, "expected a limit on work or seconds"),
    ("review", {"game": "joker", "seed": 5}, "moves: expected the moves of a game"),
    ("review", GAME | {"moves": ["AD 4-5"]}, "move 1 (AD 4-5)"),
    ("review", GAME | {"sees": "waste"}, "sees 'waste': expected table, stock, all"),
    ("review", GAME | {"visits": 5}, "visits: expected with sees table or stock, got all"),
    ("review", GAME | {"visits": 0, "sees": "table"}, "visits '0': expected"),
    (
        "review",
        {"game": "fortress", "seed": 8, "moves": ["AH 9-f"], "sees": "table"},
        "a state of a game with hidden cards",
    ),
    ("difficulty", {"game": "fortress", "seed": 8, "moves": ["AH 9-f"]}, "expected a deal, got a position"),
    ("stop", {"all": True}, "stop: expected no parameter but id"),
    ("stop", {"id": True}, "id 'true': expected a whole number or a string"),
    ("stop", {"id": [1]}, "id '[1]': expected a whole number or a string"),
    ("legal", {"deal": {"schema": "winnable/3", "game": "fortress", "columns": []}}, "expected winnable/2"),
    ("go", {"game": "klondike", "seed": 1, "choices": {"x": "1"}}, "expected draw or passes or"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "params", "problem"), REFUSED)
def test_wrong_parameters_are_refused_in_one_line(talk, method, params, problem):
    error = talk.ask(method, **params)
    assert error["code"] == -32602
    assert problem in error["message"]
    assert "\n" not in error["message"]


# --- Stopping -----------------------------------------------------------------------------------------------


def test_stop_answers_with_the_best_so_far(talk):
    talk.handle({"id": "long", "method": "go", "params": LONG})
    talk.handle({"id": 2, "method": "go", "params": LONG})
    assert "is running or waiting" in talk.ask("go", "long", **LONG)["message"]
    talk.sent.clear()
    wait_until(lambda: [news for news in talk.news.get("long", ()) if news.get("moves")])
    assert talk.ask("legal", 3, game="fortress", seed=1)["options"]  # answered during the search
    assert talk.ask("stop", 4, id="nobody") == {"stopped": []}
    assert talk.ask("stop", 5) == {"stopped": ["long", 2]}
    best = talk.answer("long")["result"]
    assert (best["verdict"], best["reason"], best["shortest"]) == ("winnable", "interrupted", False)
    assert len(best["moves"]) == best["length"] > best["lower_bound"]
    assert talk.answer(2)["error"] == {"code": -1, "message": "stopped before it began"}


@pytest.mark.parametrize(
    ("name", "goal"),
    [
        ("joker", "chances"), ("joker", "moves"), ("simple-simon", "moves"), ("chessboard", "moves"),
        ("klondike", "win"),
    ],
)  # fmt: skip
def test_stop_ends_every_kind_of_search(talk, name, goal):
    params = {"chances": {"visits": 10**9}, "moves": {"limits": {"seconds": 600}}}.get(goal, {})
    params |= {"prove": {"seconds": 600}} if name == "chessboard" else {}
    deals = {"joker": 82, "klondike": 40, "simple-simon": 6}
    params |= {"game": name, "seed": deals.get(name, 1), "goal": goal}
    talk.handle({"id": 1, "method": "go", "params": params})
    wait_until(lambda: talk.sent or (talk._now and talk._now.watch.progress()))
    talk.ask("stop", 2)
    assert "verdict" in talk.answer(1)["result"] or talk.answer(1)["result"]["options"] is not None


def test_what_waits_has_an_end(talk):
    talk.handle({"id": "long", "method": "go", "params": LONG})
    wait_until(lambda: talk._now)
    for number in range(MOST_WAITING):
        talk.handle({"id": number, "method": "difficulty", "params": {"game": "fortress", "seed": 8}})
    assert talk.ask("go", "more", **LONG)["code"] == -2
    assert talk.ask("stop", "stop")["stopped"] == ["long", *range(MOST_WAITING)]


def test_a_failure_is_an_answer(talk, monkeypatch, caplog):
    def fail(*_):
        raise KeyError("some bug")

    monkeypatch.setitem(ANSWERS, "legal", fail)
    monkeypatch.setitem(SEARCHES, "go", lambda params: fail)
    for method in ("legal", "go"):
        assert talk.ask(method) == {"code": -32603, "message": "internal error: KeyError"}
    assert "some bug" in caplog.text


# --- Messages that are none ---------------------------------------------------------------------------------

BROKEN = [
    b"{", b"[]", b"3", b"null", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"a":' * 50_000,
    b'"' + b"x" * (MOST_BYTES + 5) + b'"',
    *(b'{"id": %b, "method": "hello"}' % number for number in (
        b"NaN", b"1e999", b"9" * 5000, b"true", b"null", b"[1]", b'"' + b"x" * 50 + b'"')),
    b'{"method": "hello"}', b'{"id": 1, "id": 2, "method": "hello"}',
    *(b'{"id": 1, %b}' % rest for rest in (
        b'"x": 1', b'"method": 3', b'"method": "nothing"', b'"method": "_answer"',
        b'"method": "hello", "params": []', b'"method": "hello", "jsonrpc": "1.0"',
        b'"method": "legal", "params": {"deal": "\\ud800"}',
        b'"method": "legal", "params": {"deal": {"deal": {}}}')),
]  # fmt: skip


@pytest.mark.parametrize("line", BROKEN, ids=range(len(BROKEN)))
def test_a_broken_message_is_answered(talk, line):
    assert talk.handle(line)
    (answer,) = talk.sent
    assert answer["error"]["code"] in (-32700, -32600, -32601, -32602)
    assert len(answer["error"]["message"]) < 600


def test_lines_are_read_in_pieces():
    read, write = os.pipe()

    def put():
        with open(write, "wb") as target:
            target.write(b"a\n\n \n")
            target.write(b"x" * (3 * MOST_BYTES) + b"\nb")

    writer = threading.Thread(target=put)
    writer.start()
    with open(read, "rb") as source:
        assert [len(line) for line in lines(source)] == [2, MOST_BYTES + 1, 1]
    writer.join()


def message(chance):
    """A random request, usually with an error in it."""
    params = {"game": chance.choice(list(VARIANTS)), "seed": chance.randrange(1, 20)}
    method = chance.choice([*ANSWERS, *SEARCHES, "stop"])
    more = [{"moves": ["s-w"]}, {"move": "7S 1-2"}, {"deal": {}}, {"goal": "moves"}, {"visits": 2}]
    params |= chance.choice([{}] * 5 + more)
    params |= {"limits": {"nodes": 20}} if method == "go" else {}
    request = {"id": chance.randrange(10**9), "method": method, "params": params}
    if chance.random() < 0.3:
        return json.dumps(request).encode()
    line = mangled_text(chance, request).encode()
    is_long = b'"go"' in line and b'{"nodes": 20}' not in line
    return chance.choice(BROKEN) if is_long else line


@pytest.mark.parametrize("count", [100, pytest.param(800, marks=pytest.mark.full)])
def test_thousands_of_messages_leave_it_alive(count, capsys):
    seed = int(os.environ.get("WINNABLE_SEED", 0)) or random.randrange(10**9)
    print(f"WINNABLE_SEED={seed}")
    chance = random.Random(seed)
    with Talk() as talk:
        for number in range(count):
            talk.handle(message(chance))
            if number % 50 == 0:
                talk.finish()
        talk.finish()
        assert len(talk.sent) == count
        assert not [each for each in talk.sent if each.get("error", {}).get("code") == -32603]
        assert sum("result" in each for each in talk.sent) > count / 100
        assert talk.ask("hello", "last")["engine"] == "winnable"


# --- As a program -------------------------------------------------------------------------------------------


def test_the_client_asks_streams_and_stops():
    news, begun = [], threading.Event()

    def on_info(told):
        news.append(told)
        begun.set()

    with Client() as engine:
        assert engine.ask("go", game="fortress", seed=8)["length"] == 91
        with pytest.raises(EngineError, match="no such game") as error:
            engine.ask("go", game="chess", seed=8)
        assert error.value.code == -32602
        for wrong in ({"limits": {"seconds": math.inf}}, {"deal": "x" * MOST_BYTES}):
            with pytest.raises(ValueError, match=r"not JSON compliant|expected at most 1000000 bytes"):
                engine.ask("go", game="fortress", **wrong)
        number, answer = engine.begin("go", lambda told: told["nothing"], **LONG)
        assert isinstance(answer.exception(HANG), KeyError)
        assert engine.stop(number) == {"stopped": [number]}
        number, answer = engine.begin("go", on_info, **LONG)
        assert begun.wait(HANG)
        assert engine.stop(number) == {"stopped": [number]}
        assert answer.result(HANG)["reason"] == "interrupted"
    with pytest.raises(EngineError, match="ended"):
        engine.ask("hello")
    assert all(told["id"] == number for told in news)


def test_news_may_ask_and_stop():
    with Client() as engine:
        _, answer = engine.begin("go", lambda news: engine.stop(news["id"]), **LONG)
        assert answer.result(HANG)["reason"] == "interrupted"
        _, answer = engine.begin("hello")
        assert not answer.cancel()
        assert engine.ask("hello")["engine"] == "winnable"


@pytest.mark.parametrize("program", ["print('hello')", "print('[1]')", "print('{\"id\": 1}')", "pass"])
def test_the_client_refuses_what_is_no_engine(program):
    waits = f"{program}; import sys; sys.stdout.flush(); sys.stdin.read()"
    with Client([sys.executable, "-c", waits]) as other:
        if program == "pass":
            other._process.kill()
        for _ in range(3):
            with pytest.raises(
                EngineError, match=r"^the engine has ended$|^expected a message of the engine"
            ):
                other.ask("hello")


def test_what_was_asked_before_the_end_is_answered():
    child = start("engine", stdin=subprocess.PIPE)
    requests = [{"id": seed, "method": "go", "params": {"game": "fortress", "seed": seed}} for seed in (1, 8)]
    out, err = child.finish("".join(json.dumps(each) + "\n" for each in requests))
    messages = [json.loads(line) for line in out.splitlines()]
    assert [each["result"]["verdict"] for each in messages] == ["unwinnable", "winnable"]
    assert (err, child.returncode) == ("", 0)
    for message in messages:
        schemas.check("message", message)


def test_an_interrupt_and_quit_end_it():
    long = json.dumps({"id": 1, "method": "go", "params": LONG}) + "\n"
    child = start("engine", stdin=subprocess.PIPE)
    out, err = child.finish(long + '{"id": 2, "method": "quit"}\n')
    first, last = (json.loads(line) for line in out.splitlines()[-2:])
    assert (first["id"], last["id"], last["result"], err) == (1, 2, {}, "")
    child = start("engine", stdin=subprocess.PIPE)
    child.stdin.write(long + '{"id": 2, "method": "hello"}\n')
    child.stdin.flush()
    assert child.first_line()
    assert child.interrupt()[1] == "winnable: interrupted\n"
    assert child.returncode == 130


def test_the_example_in_another_language():
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    script = Path(__file__).parents[2] / "docs" / "examples" / "play.mjs"
    environment = os.environ | {"WINNABLE": f"{sys.executable} -m winnable engine"}
    child = Child(node, script, "fortress", "8", env=environment)
    out, err = child.finish()
    assert (child.returncode, err) == (0, "")
    moves = [line.split(". ", 1)[1].partition(":")[0] for line in out.splitlines() if ". " in line]
    variant = find_variant("fortress")
    assert variant.family.is_won(replay(variant, deal(variant, 8), moves))
