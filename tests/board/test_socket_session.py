"""Answers of the server to a page, without a network: games that are opened, played and kept."""

import asyncio
import threading

import pytest
from tests import schemas
from tests.board.talks import QUICK, held, hold, losing_move, request
from tests.compiled import needs_kernels

from winnable.board.socket_session import Settings
from winnable.game.history import History
from winnable.rules import VARIANTS, find_variant

pytestmark = needs_kernels


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", VARIANTS)
@held(settings=QUICK)
async def test_a_game_is_played_along_a_line_that_the_server_shows(talk, name):
    game = await talk.open(name, **{"from": {"seed": 1}})
    await talk.judged(0)
    line = await talk.ask("line", node=0)
    if not line["found"]:
        return
    for step in line["steps"][1:]:
        position = await talk.ask("move", text=step["move"])
        assert position["type"] == "position", position
        assert position["picture"] == step["picture"]
        assert (await talk.judged(position["node"]))["mark"] is None
    assert position["picture"]["score"] == (talk.node(0)["judged"]["score"])
    assert game["position"]["undo"] is False
    if name not in ("joker", "klondike-one-pass"):
        assert position["over"] == "won"


@held(settings=QUICK)
async def test_the_socket_takes_messages_of_the_engine(talk):
    def answered(number):
        return next((told for told in talk.wire if told.get("id") == number), None)

    at = {"game": "fortress", "seed": 8}
    long = {"game": "simon-jester", "seed": 3, "goal": "shortest", "limits": {"seconds": 600}}
    for number, (method, params) in enumerate([("go", at), ("legal", at), ("go", long), ("dance", {})], 1):
        await talk.talk.handle({"id": number, "method": method, "params": params})
    for number in (1, 2, 4):
        schemas.check("message", await talk.until(lambda: answered(number)))  # noqa: B023
    assert answered(1)["result"]["verdict"] == "winnable"
    await talk.talk.handle({"id": 5, "method": "quit"})
    stopped = await talk.until(lambda: answered(3))
    assert stopped.get("error", {}).get("code", -1) == -1


@pytest.mark.quick("fortress-8")
@pytest.mark.parametrize(("name", "seed"), [("chessboard", 8), ("fortress", 8), ("simple-simon", 1)])
@held(settings=QUICK)
async def test_a_mistake_is_marked_when_it_is_made_and_can_be_tried_again(talk, name, seed):
    moves = losing_move(name, seed)
    await talk.open(name, moves=moves[:-1], **{"from": {"seed": seed}})
    before = (await talk.ask("goto", node=len(moves) - 1))["node"]
    await talk.judged(before)
    assert (await talk.ask("better", node=0))["type"] == "refused"
    wrong = (await talk.ask("move", text=moves[-1]))["node"]
    node = await talk.until(lambda: (n := talk.node(wrong)) and n["mark"] and n)
    assert (node["mark"], node["keeps"], node["loss"]) == ("mistake", False, "makes the deal unwinnable")
    assert all(talk.node(number)["mark"] is None for number in range(before + 1))
    kept = talk.told[:]
    await talk.ask("undo")
    assert not any("steps" in message for message in kept), "the answer is given away"
    better = await talk.ask("better", node=wrong)
    assert better["found"]
    assert better["node"] == before
    right = (await talk.ask("move", text=better["steps"][1]["move"], aside=True))["node"]
    assert (await talk.until(lambda: (n := talk.node(right)) and n["keeps"] and n))["mark"] is None
    assert not talk.node(right)["main"], "it was only tried"
    await talk.ask("undo")
    assert (await talk.ask("move", text=better["steps"][1]["move"]))["node"] == right
    assert talk.node(right)["main"]
    gone = await talk.ask("delete", node=wrong)
    assert gone["node"] == right
    assert talk.last("gone")["nodes"] == [wrong]


@held
async def test_moves_made_before_their_position_was_judged_are_marked_afterwards(talk):
    moves = losing_move("fortress", 8)
    await talk.open("fortress", moves=moves, think=False, **{"from": {"seed": 8}})
    await asyncio.sleep(0.2)
    assert talk.last("analysis") is None
    assert talk.node(len(moves))["judged"] is None
    await talk.ask("think", on=True)
    await talk.until(lambda: talk.node(len(moves))["mark"] == "mistake")


def test_a_game_is_written_beside_the_loop(tmp_path, monkeypatch):
    history = History(tmp_path / "history.sqlite")
    threads, go_on = [], threading.Event()
    keep = history.keep

    def slowly(played):
        threads.append(threading.current_thread())
        go_on.wait()
        keep(played)

    monkeypatch.setattr(history, "keep", slowly)

    async def play(talk):
        for _ in range(2):
            await talk.open("fortress", **{"from": {"seed": 8}})
            await talk.ask("move", text="AH 9-f")
        assert (await talk.ask("ping"))["type"] == "done"
        assert history.games() == []
        go_on.set()

    hold(play, settings=Settings(history=history))
    assert len(history.games()) == len(threads) == 2
    assert threading.main_thread() not in threads


@held
async def test_cards_that_cannot_hurt_go_up_by_themselves(talk):
    await talk.open("fortress", **{"from": {"seed": 8}})
    await talk.judged(0)
    for step in (await talk.ask("line", node=0))["steps"][1:]:
        position = await talk.ask("move", text=step["move"])
        if position["auto"]:
            after = await talk.ask("auto")
            assert not after["auto"]
            assert talk.node(after["node"])["ply"] > talk.node(position["node"])["ply"]
            assert (await talk.judged(after["node"]))["judged"]["verdict"] == "winnable"
            return
    raise AssertionError("no card goes up")


@pytest.mark.parametrize(
    "source",
    [
        {"random": True}, {"winnable": True}, {"winnable": True, "level": "easy"}, {"pysol": "12345"},
        {"text": f"{find_variant('fortress').deal(8)}\n\nMoves:\nAH 9-f\n9S 4-2\n"},
        {"link": "#game=fortress&seed=8&moves=AH+9-f,9S+4-2&at=1"},
    ],
)  # fmt: skip
@held
async def test_deals_come_from_everywhere(talk, source):
    if "pysol" in source:
        pytest.importorskip("pysol_cards", reason="the extra 'pysol' is not installed")
    game = await talk.open("fortress", **{"from": source})
    assert game["game"] == "fortress"
    if "winnable" in source:
        assert (await talk.judged(0))["judged"]["verdict"] == "winnable"
    if "link" in source:
        assert (game["position"]["node"], game["position"]["redo"]) == (1, 2)
    if "text" in source:
        assert game["position"]["node"] == 2


@held
async def test_looking_for_a_deal_can_be_ended(talk):
    source = {"from": {"winnable": True, "level": "hard"}}
    asked = asyncio.create_task(talk.talk.handle(request("x", "open", game="simon-jester", **source)))
    await talk.until(lambda: talk.last("dealing"))
    await talk.talk.handle(request(1, "cancel"))
    await asked
    answer = next(message for message in talk.told if message.get("id") == "x")
    assert answer == {"type": "refused", "why": "ended", "id": "x"}


SAVED = {"winnable": "game", "game": "fortress", "mode": "analysis", "nodes": [], "here": 0, "seed": "1"}
OPEN = {"type": "open", "game": "fortress", "from": {"seed": 1}}
DROP = {"type": "move", "source": "c0", "target": "c1", "count": 1}
GARBAGE = [
    None, [], "open", 12, {}, {"type": 1}, {"type": "nothing"}, {"type": "open"},
    *(OPEN | {"from": source} for source in (
        {"seed": -1}, {"seed": 1.5}, {"seed": [1]}, {"text": "x" * 1000}, {"text": "\x00"}, {}, {"game": 1},
        {"text": "[" * 10000}, {"start": True}, {"winnable": True, "level": "x"}, {"saved": "x"},
        {"winnable": True, "tier": "triple"}, {"today": "tomorrow"}, {"saved": SAVED | {"here": 1}},
        {"saved": SAVED | {"nodes": [[5, "x"]]}}, {"saved": SAVED | {"nodes": 1}})),
    OPEN | {"from": {"link": "#" + "x" * 300_000}}, OPEN | {"game": ["fortress"]}, OPEN | {"mode": 3},
    OPEN | {"think": 1}, OPEN | {"moves": "x"}, OPEN | {"moves": [1]}, OPEN | {"at": "1"},
    OPEN | {"choices": {"exchange": "exposed"}}, OPEN | {"game": "joker", "choices": {"exchange": "x"}},
    *({"type": "move", "text": text} for text in (1, "x" * 1000, "9S 1-99")), {"type": "move"},
    DROP | {"target": "c99"}, DROP | {"source": "../etc/passwd"}, DROP | {"count": "1"},
    DROP | {"count": 10**30}, *({"type": "goto", "node": node} for node in (10**30, "0", None)),
    {"type": "add", "node": 0, "moves": ["x"]}, {"type": "add", "node": 0, "moves": 5},
    {"type": "delete", "node": 0}, {"type": "promote"}, {"type": "hints"}, {"type": "hints", "on": 1},
    {"type": "line", "node": -1}, {"type": "better", "node": 0}, {"type": "why", "node": 0},
    {"type": "limits", "seconds": float("nan")}, {"type": "finish"}, {"type": "save"},
    {"type": "save", "what": "x"}, {"type": "save", "what": "deal", "form": ["text"]},
    {"type": "check", "game": "x", "text": ""}, {"type": "check", "game": "fortress", "text": None},
    {"type": "undo"}, {"type": "redo"}, {"type": "_on_open"}, {"type": "begin"},
]  # fmt: skip


@held
async def test_garbage_is_refused_in_one_line_and_the_game_goes_on(talk):
    for opened in (False, True):
        if opened:
            await talk.open("fortress", **{"from": {"seed": 8}})
        for message in GARBAGE:
            is_one = isinstance(message, dict) and "type" in message
            marked = request(7, **message) if is_one else message
            before = len(talk.told)
            await talk.talk.handle(marked)
            answers = [m for m in talk.told[before:] if m["type"] in ("error", "refused")]
            assert len(answers) == 1, message
            assert answers[0]["why"]
            assert "\n" not in answers[0]["why"]
            assert len(answers[0]["why"]) <= 500
            assert answers[0].get("id") == (7 if is_one else None)
    assert (await talk.ask("move", text="AH 9-f"))["type"] == "position"


def test_games_are_kept_as_they_go_on(tmp_path):
    history = History(tmp_path / "history.sqlite")

    async def play(talk):
        await talk.open("fortress", **{"from": {"seed": 8}})
        assert history.games() == []
        await talk.judged(0)
        line = await talk.ask("line", node=0)
        for step in line["steps"][1:]:
            await talk.ask("move", text=step["move"])
        await talk.talk.history_writer.flush()
        (game,) = history.games()
        assert (game["outcome"], game["winnable"], game["mistakes"]) == ("won", True, 0)
        assert game["moves"] >= game["fewest"]
        saved = (await talk.ask("save", what="game"))["content"]
        await talk.open("fortress", **{"from": {"game": game["id"]}})
        assert talk.last("game")["position"]["over"] == "won"
        assert '"key"' in saved
        await talk.open("joker", mode="player", **{"from": {"seed": 4}})
        await talk.ask("move", text="?? s-w")

    hold(play, settings=Settings(history=history))
    last, first = history.games()
    told = [last[name] for name in ("game", "mode", "outcome", "winnable")]
    assert told == ["joker", "player", "left", None]
    assert first["game"] == "fortress"
    history.close()


@held(settings=QUICK)
async def test_only_the_game_requested_last_is_opened(talk):
    """An earlier request to open a game is refused, also after it was cancelled."""

    def opening(number, seed):
        return talk.talk.handle(request(number, "open", game="fortress", **{"from": {"seed": seed}}))

    await asyncio.gather(opening(1, 8), opening(2, 9), opening(3, 10))
    answers = {told["id"]: told for told in talk.told if "id" in told}
    assert [answers[number]["type"] for number in (1, 2, 3)] == ["refused", "refused", "game"]
    await asyncio.gather(opening(4, 11), talk.talk.handle(request(5, "cancel")))
    answers = {told["id"]: told for told in talk.told if "id" in told}
    assert [answers[number]["type"] for number in (4, 5)] == ["refused", "done"]
    assert "seed: 10" in (await talk.ask("save", what="deal", form="text"))["content"]


@held(settings=QUICK)
async def test_a_game_saved_to_a_file_is_opened_with_its_variations(talk):
    await talk.open("joker", moves=["AH s-w"], choices={"exchange": "turned"}, **{"from": {"seed": 4}})
    await talk.ask("undo")
    await talk.ask("move", text="XB 4=7")
    saved = (await talk.ask("save", what="game", form="json"))["content"]
    again = await talk.open("fortress", **{"from": {"text": saved}})
    assert (again["game"], again["seed"]) == ("joker", "4")
    assert {node["move"] for node in again["nodes"]} == {None, "AH s-w", "XB 4=7"}
    assert again["position"]["node"] == next(
        each["node"] for each in again["nodes"] if each["move"] == "XB 4=7"
    )
    broken = saved.replace('"nodes"', '"branches"')
    assert (await talk.ask("open", **{"from": {"text": broken}}))["why"] == "saved: its moves cannot be read"
    assert "invalid JSON" in (await talk.ask("open", game="joker", **{"from": {"text": saved[:-9]}}))["why"]
