"""The tools for language models: through the client of the protocol, and each tool by itself."""

import asyncio
import subprocess
import sys
import time
from itertools import count

import pytest
from tests.children import start, start_code
from tests.compiled import needs_kernels

from winnable import deal, solve
from winnable.rules import VARIANTS
from winnable.rules.tables import hidden

mcp = pytest.importorskip("mcp", reason="the extra 'mcp' is not installed")
from mcp.client.stdio import stdio_client  # noqa: E402
from mcp.server.mcpserver.exceptions import ToolError  # noqa: E402

from winnable.cli import tools  # noqa: E402

pytestmark = needs_kernels

NAMES = ["describe", "deal", "play", "hint", "solve", "verify", "review"]


@pytest.fixture
def ask(monkeypatch):
    """A function that calls a tool of a session; it returns the answer, or the text of an error."""
    monkeypatch.setattr(tools, "named", {})
    monkeypatch.setattr(tools, "_numbers", count(1))

    def asked(name, **arguments):
        try:
            result = asyncio.run(tools.server.call_tool(name, arguments))
        except ToolError as error:
            return str(error)
        (content,) = result.content
        return result.structured_content | {"said": content.text}

    return asked


async def talk():
    """The instructions, the tools, and the results of calls, as a client gets them."""
    server = mcp.StdioServerParameters(command=sys.executable, args=["-m", "winnable", "mcp"])
    async with mcp.Client(stdio_client(server)) as client:
        listed = (await client.list_tools()).tools
        calls = {
            "describe": {"game": "fortress"}, "deal": {"game": "fortress", "seed": 8},
            "play": {"deal": "p1", "moves": ["AH f"]}, "hint": {"deal": "p2"}, "solve": {"deal": "p2"},
            "verify": {"deal": "p1", "moves": ["AH 9-f"]}, "review": {"deal": "p1", "moves": ["AH 9-f"]},
        }  # fmt: skip
        results = {name: await client.call_tool(name, arguments) for name, arguments in calls.items()}
        return client.instructions, listed, results, await client.call_tool("hint", {"deal": "p9"})


def test_a_client_is_told_the_tools_and_calls_each():
    instructions, listed, results, wrong = asyncio.run(talk())
    assert "sees" in instructions
    assert [tool.name for tool in listed] == NAMES == list(results)
    assert all(len(tool.description) > 50 for tool in listed)
    assert not any(result.is_error for result in results.values())
    assert results["play"].structured_content["name"] == "p2"
    assert "\nFoundations: C-0 D-0 H-A S-0\n{" in results["play"].content[0].text
    assert wrong.is_error
    problem = "deal 'p9': expected the name in an earlier answer, or a position as text"
    assert wrong.content[0].text == problem


@pytest.mark.quick("klondike")
@pytest.mark.parametrize("name", VARIANTS)
def test_a_game_is_dealt_played_solved_and_verified(ask, name):
    dealt = ask("deal", game=name, seed=5)
    assert dealt["text"] == f"{deal(name, 5)}\n"
    assert dealt["legal"] == [str(move) for move in deal(name, 5).legal_moves()]
    found = ask("solve", deal=dealt["name"])
    assert found["verdict"] == solve(deal(name, 5)).verdict
    if found["moves"]:
        replayed = ask("verify", deal=dealt["name"], moves=found["moves"])
        assert replayed["score"] == found["score"]
        assert (replayed["over"] == "won") == (found["score"] in (None, 52))
    best = ask("hint", deal=dealt["name"])["options"][0]["move"]
    after = ask("play", deal=dealt["name"], moves=[best])
    assert ask("play", deal=after["text"], moves=[])["legal"] == after["legal"]
    assert ask("review", deal=after["name"])["mistakes"] == []
    assert ask("describe", game=name)["legend"] == after["legend"]


def test_hidden_cards_are_not_told(ask):
    state = deal("klondike", 5)
    dealt = ask("deal", game="klondike", seed=5, sees="table")
    assert dealt["text"] == f"{hidden(state)}\n"
    assert dealt["legal"][-1] == "?? s-w"
    assert "position" not in dealt
    assert ask("play", deal="p1", sees="table", moves=["KS w-f"]) == "move 1 (KS w-f): the waste is empty"
    assert "text" in ask("play", deal="p1", sees="table", moves=["KS s-w"])
    assert ask("play", deal="p1", moves=["KS s-w"]) == "move 1 (KS s-w): the draw shows 5H"
    for _ in range(9):  # once through the stock
        dealt = ask("play", deal=dealt["name"], moves=["draw"], sees="table")
    assert dealt["legal"][-1] == "2S s-w"  # seen before
    assert ask("play", deal="p1", sees="stock", moves=[])["legal"][-1] == "5H s-w"
    joker = ask("deal", game="joker", seed=4, sees="table")
    chances = ask("hint", deal=joker["name"], sees="table", seconds=0.1)
    assert chances["options"][0]["win"]["probability"] > 0
    assert ask("hint", deal=joker["text"], seconds=0.1)["goal"] == "chances"


def test_illegal_moves_are_explained(ask):
    ask("deal", game="fortress", seed=8)
    assert ask("play", deal="p1", moves=["AH 9-1"]) == "move 1 (AH 9-1): AH does not go on 6H"
    ask("play", deal="p1", moves=["AH f"])
    assert ask("play", deal="p2", moves=["TS 2-4", "AH f"]).startswith("move 3 (AH f): ")
    assert ask("verify", deal="p1", moves=["7S 1-2"])["reason"].startswith("move 1 (7S 1-2): ")
    assert ask("verify", deal="p1", moves=["AH f"])["legal"]


def test_mistakes_are_found(ask):
    ask("deal", game="chessboard", seed=8)
    told = ask("review", deal="p1", moves=["7H 6-f"])
    assert told["verdict"] == "winnable"
    assert [(step["number"], step["better"]) for step in told["steps"]] == [(1, "6H 1-6")]
    assert told["after"][0]["verdict"] == "unwinnable"
    ask("deal", game="joker", seed=4, sees="table")
    assert ask("review", deal="p2", moves=["draw"], sees="table", seconds=1)["words"]["blunder"] == 0


def test_deals_are_wished_for(ask):
    assert "# seed: 8\n" in ask("deal", game="fortress", seed=1, winnable=True, difficulty="easy")["text"]
    wish = {"game": "simon-jester", "seed": 1, "difficulty": "hard", "seconds": 0}
    late = "expected an answer in time, got none; allow more seconds"  # where the machine is busy
    assert ask("deal", **wish) in ("none of 1000 deals matches: 1000 undecided", late)


def test_a_search_is_stopped_in_time(ask, monkeypatch):
    def endless(watch, report):
        while not watch.was_stopped:
            time.sleep(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr(tools.requests, "search_of", lambda method, params: endless)
    ask("deal", game="fortress", seed=8)
    assert ask("solve", deal="p1", seconds=0) == "expected an answer in time, got none; allow more seconds"


def test_what_is_wrong_is_told_in_one_line(ask):
    ask("deal", game="fortress", seed=8)
    assert ask("dance") == "Unknown tool: dance"
    assert ask("solve", deal="p1", seed=1) == "'seed': no such parameter; expected deal, goal, seconds"
    assert ask("solve", deal="p1", goal="moves") == "goal: expected 'win', 'score' or 'shortest'"
    assert ask("solve", deal="p1", seconds=61) == "seconds: expected less than or equal to 60"
    assert ask("play", deal="p1") == "moves: Field required"
    assert ask("play", deal="p1", moves=[1], sees="most") == (
        "moves: expected a valid string; sees: expected 'table', 'stock' or 'all'"
    )
    assert ask("deal", game="fortress").startswith("expected one of seed, ")
    assert ask("deal", game="chess", seed=1).startswith("game 'chess': no such game; ")
    assert ask("hint", deal="3S 8H\nTD 3H").startswith("deal:1: which game? ")


def test_a_failure_is_told_without_its_details(ask, monkeypatch):
    monkeypatch.setattr(tools, "find_variant", lambda name: 1 / 0)
    assert ask("describe", game="fortress") == "Error executing tool describe"


def test_without_the_package_the_command_names_the_extra():
    code = "import sys; sys.modules['mcp'] = None; from winnable.__main__ import main; main()"
    process = start_code(code, "mcp")
    assert process.finish() == (
        "",
        "winnable: the tools require another package: pip install 'winnable[mcp]'\n",
    )
    assert process.returncode == 2


@pytest.mark.full
def test_the_server_ends_with_its_input():
    process = start("mcp", stdin=subprocess.PIPE)
    assert process.finish("no message\n")[1] == ""
    assert process.returncode == 0
