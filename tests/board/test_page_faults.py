"""A page that receives an invalid message, or raises an error: it reports that and continues the game."""

import json
import os
import random

import pytest
from tests.board.mangling import mangled_text
from tests.board.served import Served
from tests.compiled import needs_kernels

pytest.importorskip("uvicorn", reason="the extra 'board' is not installed")


pytestmark = [needs_kernels, pytest.mark.full, pytest.mark.usefixtures("local")]

SEED = int(os.environ.get("WINNABLE_SEED", "1"))
# Gives access to all sockets of the page, and to the messages they receive.
SOCKETS = """
window.sockets = [];
window.told = [];
window.damage = text => text;
const Real = WebSocket;
window.WebSocket = class extends Real {
  constructor(...all) { super(...all); sockets.push(this); }
  set onmessage(listener) {
    const take = event => { told.push(event.data); listener({ data: damage(event.data) }); };
    super.onmessage = listener && take;
  }
  get onmessage() { return super.onmessage; }
};
window.deliver = text => sockets.at(-1).dispatchEvent(new MessageEvent('message', { data: text }));
"""
LOST = "document.getElementById('lost')"
NODE = {
    **{"node": 1, "parent": 0, "main": True, "ply": 1, "move": "7H 6-1", "does": "", "effects": []},
    **{"lies": None, "turned": None, "over": None, "judged": None, "keeps": None, "mark": None, "loss": None},
}


def stream(method, **params):
    """A streamed message, which is not an answer."""
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": params})


BAD = {
    "no JSON": "{", "nothing": "", "no object": "[1]", "no method": "{}",
    "another method": stream("constructor"),
    "a number as its method": stream(5), "an answer to nothing": '{"id": 99, "result": {"type": "done"}}',
    "a game that nobody asked for": stream("game"), "an answer of no type": '{"id": 1, "result": 7}',
    "a position without a picture": stream("position", node=0, moves=[]),
    "marks that are none": stream("marks", node=1, marks=None),
    "an analysis without a state": stream("analysis", node=1, verdict="winnable"),
    "chances of no kind": stream("chances", node=1, state="done", advice=[{"moves": None}]),
    "a node that is its own parent": stream("nodes", nodes=[NODE | {"parent": 1}]),
    "a node without a place": stream("nodes", nodes=[NODE | {"node": None}]),
    "no start": stream("gone", nodes=[0]), "no deals": stream("dealing"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _sockets(page):
    """Let tests send messages through the sockets of the page."""
    added = page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SOCKETS})
    yield
    page.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def open_with_a_move(page):
    """A game with one move made."""
    page.open("game=chessboard&seed=8&moves=7H+6-f", thinks=False)
    page.wait("return document.body.dataset.ply === '1'")


def goes_on(page):
    """Check that the same game is shown and can be played, and that the error is no longer reported."""
    assert page.made() == ["7H 6-f"]
    page.click("undo")
    page.wait("return document.body.dataset.ply === '0'")
    assert page.run(f"return {LOST}.hidden")
    page.click_move("c5", 1, "p2")
    page.wait("return document.body.dataset.ply === '1'")


@pytest.mark.parametrize("what", BAD)
def test_a_bad_message_is_told_of_and_the_game_goes_on(page, complaints, what):
    of_a_message = "(invalid JSON from the server|a message of no known type)"
    complaints.expect(rf"\w+ .*is missing or wrong|{of_a_message}|an answer to nothing")
    open_with_a_move(page)
    page.run("deliver(arguments[0])", BAD[what])
    page.wait(f"return {LOST}.textContent.includes('The game was opened again.')")
    assert page.text("lost").startswith("Something went wrong: ")
    goes_on(page)


def test_an_exception_is_told_of_and_the_game_goes_on(page, complaints):
    complaints.expect("TypeError: .*null")
    open_with_a_move(page)
    page.run("document.getElementById('rules').remove()")
    page.click("help")
    page.wait(f"return /^Something went wrong: .*null.*game was opened again/.test({LOST}.textContent)")
    goes_on(page)


def test_a_rejected_promise_is_told_of_and_the_game_goes_on(page, complaints):
    """Functions taken away from the page are put back once it has reported that."""
    complaints.expect("TypeError: .*null")
    open_with_a_move(page)
    page.run(
        "const jokers = document.getElementById('jokers'), lost = document.getElementById('lost');"
        "const mend = () => { if (!lost.hidden) jokers.id = 'jokers'; };"
        "new MutationObserver(mend).observe(lost, { attributes: true });"
        "jokers.id = 'none'"
    )
    page.click("undo")
    page.wait(f"return /^Something went wrong: .*null.*game was opened again/.test({LOST}.textContent)")
    page.wait("return document.body.dataset.ply === '0'")
    page.click("redo")
    page.wait("return document.body.dataset.ply === '1'")
    goes_on(page)


def test_what_a_page_can_do_without_may_be_absent(page):
    """Chances without advice, as the end of a search once sent them, are not an error."""
    page.open("game=klondike&seed=1&mode=player")
    page.wait("return document.getElementById('badge').textContent.includes('costs nothing')")
    page.wait("return !document.getElementById('badge').classList.contains('busy')")
    page.click("hints")
    page.wait("return !document.getElementById('options').hidden")
    page.wait("return !document.getElementById('badge').classList.contains('busy')")
    chances = (
        ({}, ""),
        ({"advice": None, "text": None, "samples": None}, "Weighing"),
        ({"text": "unknown", "samples": 7}, "Unknown"),
        ({"advice": [], "seconds": None}, "Unknown"),
    )
    # In one go, since the server's own may still come.
    told = [stream("chances", **{"node": 0, "state": "done"} | fields) for fields, _ in chances]
    badge = "document.getElementById('badge').textContent"
    texts = page.run(f"return arguments[0].map(text => {{ deliver(text); return {badge}; }})", told)
    assert [shown for (_, shown), text in zip(chances, texts, strict=True) if shown not in text] == []
    assert page.run("return sockets.length") == 1


def test_what_fails_at_the_server_is_told(page):
    page.open("game=chessboard&seed=8", thinks=False)
    page.run("deliver(arguments[0])", stream("error", why="the search failed: oh"))
    page.wait("return document.getElementById('say').textContent === 'the search failed: oh'")
    assert page.run("return sockets.length") == 1


def test_what_goes_wrong_again_and_again_is_left_to_the_person(page, complaints):
    complaints.expect("invalid JSON from the server")
    open_with_a_move(page)
    page.run("damage = text => text.slice(1)")
    page.click("undo")
    page.wait(f"return sockets.length === 5 && !{LOST}.textContent.includes('opened again')")
    assert "Something went wrong: invalid JSON from the server." in page.text("lost")
    page.run("damage = text => text")
    page.click("retry")
    page.wait(f"return {LOST}.textContent.includes('was opened again')")
    goes_on(page)


@pytest.mark.parametrize("bursts", [12, pytest.param(120, marks=pytest.mark.slow)])
def test_no_message_ends_the_page(page, complaints, bursts):
    """The server's messages, damaged, arrive ten at once; after each burst a game can be opened and
    played."""
    complaints.expect(".")
    page.browser.get_log("browser")
    rng, told = random.Random(SEED), recorded()
    page.open("game=chessboard&seed=8")
    for number in range(bursts):
        for text in [mangled_text(rng, rng.choice(told)) for _ in range(10)]:
            page.run("deliver(arguments[0])", text)
        name, mode = rng.choice((("chessboard", "analysis"), ("klondike", "player"), ("joker", "player")))
        opened = (
            "const [seed, link] = arguments;"
            "if (document.getElementById('deal-name').textContent.startsWith(`seed ${seed}`)"
            "    && document.getElementById('lost').hidden) return true;"
            "for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();"
            "if (location.hash !== link) location.hash = link; else location.hash = link + '&at=0';"
        )
        page.wait(opened, 100 + number, f"#game={name}&seed={100 + number}&mode={mode}")
        assert page.run("return document.body.dataset.ply") == "0"
    open_with_a_move(page)
    goes_on(page)


def recorded():
    """Messages that a server has sent in games of several kinds."""
    served = Served("--no-history").enter()
    told = []
    games = [(name, "player") for name in ("joker", "klondike")]
    for name, mode in [*games, ("chessboard", "analysis"), ("joker", "analysis")]:
        with served.open_socket() as talk:
            talk.ask("open", game=name, mode=mode, **{"from": {"seed": 4}})
            talk.ask("hints", on=True)
            for kind in ("auto", "undo", "line"):
                talk.ask(kind)
            position = talk.ask("restart")
            talk.ask("move", text=position["moves"][0]["text"])
            while not {"marks", "chances"} & {message["type"] for message in talk.told}:
                talk.receive()
            told += talk.wire
    served.child.end()
    return told
