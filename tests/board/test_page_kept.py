"""Persistence of games in a real browser: links, reloads, the end of the server, files."""

import json
import re
import time

import pytest
from tests.board.games import PLACED, play, steps_of
from tests.board.page import Page
from tests.board.served import Served
from tests.browsing import press, start_browser
from tests.compiled import needs_kernels

pytest.importorskip("uvicorn", reason="the extra 'board' is not installed")

from winnable.game.places import source_of, target_of
from winnable.rules import find_variant

pytestmark = [needs_kernels, pytest.mark.full]
FAILED_CONNECTION = r"net::ERR|status of 401|WebSocket connection to .* failed"
# Scripts that reload the page return before it goes: the result of one that waits can be lost with the page.
RELOAD_AT_ONCE = """
const look = () => {
  if (document.body.dataset.ply !== '1') setTimeout(look, 1);
  else location.reload();
};
look();
"""

UNDO_TWICE_AND_RELOAD = """
const undo = document.getElementById('undo');
const at = (ply, then) => document.body.dataset.ply === ply ? then() : setTimeout(() => at(ply, then), 1);
const leave = () => { sessionStorage.setItem('address-left', location.hash); location.reload(); };
undo.click();
at('1', () => { undo.click(); at('0', leave); });
"""
IS_RELOADED = """
return performance.getEntriesByType('navigation')[0].type === 'reload' && !!document.body.dataset.node
"""

# Holds back requests to open a game, as a slow connection does, until `release` is called.
HOLD_OPENING = """
const held = [];
for (const [kind, name] of [[WebSocket.prototype, 'send'], [Worker.prototype, 'postMessage']]) {
  const send = kind[name];
  kind[name] = function (...args) {
    if (held.isOver || !String(args[0]).includes('"open"')) send.apply(this, args);
    else held.push(() => send.apply(this, args));
  };
}
window.release = () => { held.isOver = true; for (const send of held) send(); };
"""

# Holds back what the server answers until the browser goes to another entry of the history.
ANSWER_ON_THE_WAY = """
const held = window.held = [], send = WebSocket.prototype.send;
WebSocket.prototype.send = function (...args) {
  if (!held.take) {
    held.take = this.onmessage;
    const answer = event => held.take.call(this, event);
    this.onmessage = event => held.isOver ? answer(event) : held.push(() => answer(event));
  }
  send.apply(this, args);
};
addEventListener('popstate', () => {
  if (!held.length) return;
  held.isOver = true;
  for (const answer of held.splice(0)) answer();
});
"""


@pytest.mark.usefixtures("local")
def test_a_link_opens_the_same_place_in_another_browser(page, server):
    steps = steps_of("simple-simon", 1)[:6]
    page.open("game=simple-simon&seed=1", thinks=False)
    play(page, steps, Page.click_move)
    page.click("undo")
    page.wait("return location.hash.includes('at=5')")
    fragment, cards = page.run(f"return {PLACED}")
    address = re.search(r"http\S+", server[0].stderr.readline())[0]
    other = start_browser()
    try:
        other.get(f"{address}#{fragment[1:]}")
        second = Page(other, page.address)
        second.wait("return document.body.dataset.node === '5'")
        assert second.run(f"return {PLACED}") == [fragment, cards]
        assert other.get_log("browser") == []
    finally:
        other.quit()


def test_a_reload_in_the_same_moment_keeps_a_variation(page):
    steps = steps_of("simple-simon", 1)[:2]
    page.open("game=simple-simon&seed=1", thinks=False)
    play(page, steps, Page.click_move)
    page.click("restart")
    page.wait("return document.body.dataset.node === '0'")
    state, family = find_variant("simple-simon").deal(1), find_variant("simple-simon").family
    moves = family.legal_moves(state)
    other = next(move for move in moves if family.format_move(state, move) != steps[0][0])
    page.click_move(source_of(state, other), other.count, target_of(state, other))
    page.run(RELOAD_AT_ONCE)
    page.wait(IS_RELOADED)
    page.wait("return document.querySelectorAll('#tree .variation').length === 1")
    assert page.run("return document.querySelectorAll('#tree li button').length") == 4
    assert page.run("return document.body.dataset.ply") == "1"
    assert page.run("return document.getElementById('badge').dataset.kind") == "off"


def test_a_reload_before_the_address_is_written_keeps_the_position(page):
    """Only the first of two quick changes is in the address when the page is left."""
    page.open("game=simple-simon&seed=1", thinks=False)
    steps = steps_of("simple-simon", 1)[:2]
    play(page, steps, Page.click_move)
    page.wait("return location.hash.endsWith(arguments[0])", steps[1][0].replace(" ", "+"))
    time.sleep(0.5)  # the pause between changes of the address
    page.run(UNDO_TWICE_AND_RELOAD)
    page.wait(IS_RELOADED)
    assert "at=1" in page.run("return sessionStorage.getItem('address-left')")
    page.wait("return location.hash.includes('at=')")
    assert page.run("return [document.body.dataset.ply, location.hash.slice(-5)]") == ["0", "&at=0"]
    assert page.run("return document.querySelectorAll('#tree li button').length") == 3


def test_a_reload_that_took_the_address_before_keeps_the_position(page):
    """A browser may reload the address of the moment in which the reload began, although a move has replaced
    it before the page goes."""
    steps = steps_of("simple-simon", 1)[:2]
    page.open("game=simple-simon&seed=1", thinks=False)
    play(page, steps, Page.click_move)
    page.wait("return location.hash.endsWith(arguments[0])", steps[1][0].replace(" ", "+"))
    before = page.run("return location.hash")
    page.click("undo")
    page.wait("return location.hash.includes('at=1')")
    page.run("history.replaceState(null, '', arguments[0]); location.reload()", before)
    page.wait(IS_RELOADED)
    page.wait("return location.hash.includes('at=1')")
    assert page.run("return document.body.dataset.ply") == "1"


def test_a_link_that_is_opened_again_at_once_leads_to_its_position(page):
    steps = steps_of("simple-simon", 1)[:2]
    page.open("game=simple-simon&seed=1", thinks=False)
    play(page, steps, Page.click_move)
    page.wait("return location.hash.endsWith(arguments[0])", steps[1][0].replace(" ", "+"))
    link = page.run("return location.hash")
    page.click("undo")
    page.wait("return location.hash.includes('at=1')")
    page.load(link.removeprefix("#"))
    page.wait("return location.hash === arguments[0]", link)
    assert page.run("return document.body.dataset.ply") == "2"


ROWS = """
const done = arguments[0];
import(new URL("static/transport.js", location)).then(({ games }) => games()).then(answer => answer.json())
  .then(({ games }) => done(games.map(({ name, moves }) => [name, moves]).sort()));
"""
FORGET = """
const done = arguments[0];
import(new URL("static/transport.js", location)).then(({ forget }) => forget({ all: true })).then(done);
"""
MINE = """
const [texts, done] = arguments;
import(new URL("static/game.js", location)).then(({ Keeping }) => {
  const keeping = new Keeping();
  done(texts.map(text => keeping.mine({ text })).map(from => from.text || from.saved.key || null));
});
"""


def test_each_tab_has_a_row_of_the_history(page):
    """Tabs with one deal, opened by its link or as a copy, keep a row each; a reload goes on with its own."""

    def turn(ply):
        page.click("turn")
        page.wait("return location.hash.split('+s-w').length === arguments[0] + 1", ply)
        page.wait("return JSON.parse(sessionStorage.getItem('winnable-game'))?.ply === arguments[0]", ply)

    def rows():
        return page.browser.execute_async_script(ROWS)

    browser = page.browser
    page.open("game=joker&seed=5&mode=player", thinks=False)
    browser.execute_async_script(FORGET)
    first = browser.current_window_handle
    turn(1)
    link = page.run("return location.hash.slice(1)")
    browser.switch_to.new_window("tab")
    page.load(link)
    page.wait("return document.body.dataset.ply === '1'")
    turn(2)
    assert rows() == [["seed 5", 1], ["seed 5", 2]]
    page.run("window.open(location.href)")
    (copied,) = {*browser.window_handles} - {first, second := browser.current_window_handle}
    browser.switch_to.window(copied)
    page.wait("return document.body.dataset.ply === '2'")
    turn(3)
    assert rows() == [["seed 5", 1], ["seed 5", 2], ["seed 5", 3]]
    for tab, ply in ((first, 4), (second, 5), (copied, 6), (first, 7)):
        browser.switch_to.window(tab)
        before = int(page.run("return document.body.dataset.ply"))
        browser.refresh()
        page.wait("return document.body.dataset.ply === arguments[0]", str(before), seconds=60)
        for number in range(before, ply):
            turn(number + 1)
    assert rows() == [["seed 5", 5], ["seed 5", 6], ["seed 5", 7]]
    for tab in (second, copied):
        browser.switch_to.window(tab)
        browser.close()
    browser.switch_to.window(first)
    page.take_new_tab()
    browser.get(page.address)
    page.wait("return !!document.querySelector('.resume')", seconds=60)
    page.click_on(".resume")
    page.wait("return document.body.dataset.ply === '7'")
    turn(8)
    assert rows() == [["seed 5", 5], ["seed 5", 6], ["seed 5", 8]]


@pytest.mark.usefixtures("local")
def test_a_saved_file_goes_on_with_its_row_unless_another_tab_may_show_it(page):
    page.open("game=fortress&seed=8&moves=AH+9-f", thinks=False)
    page.wait("return !!JSON.parse(sessionStorage.getItem('winnable-game'))")
    shown = page.run("return JSON.parse(sessionStorage.getItem('winnable-game')).game.key")
    page.run("localStorage.setItem('winnable-free', JSON.stringify(['key-that-is-free']))")
    files = [{"winnable": "game", "key": key} for key in (shown, "key-that-is-free", "a-key-of-old")]
    texts = [json.dumps(file) for file in files] + ["AH 9S", '{"key": "x"}', "null"]
    found = page.browser.execute_async_script(MINE, texts)
    assert found == [None, texts[1], None, *texts[3:]]


@pytest.mark.usefixtures("local")
def test_a_page_that_lost_its_server_keeps_the_game(browser, complaints):
    """The page reports it; once the address of a restarted server is opened, the game continues."""
    complaints.expect(FAILED_CONNECTION)
    first = Served().enter()
    address = f"http://{first.host}/"
    steps = steps_of("simple-simon", 1)[:3]
    browser.get(next_address(first))
    page = Page(browser, address)
    page.open("game=simple-simon&seed=1", thinks=False)
    play(page, steps, Page.click_move)
    page.wait("return (JSON.parse(sessionStorage.getItem('winnable-game')) || {}).link === location.hash")
    cards = page.run(f"return {PLACED}")
    first.child.end()
    page.wait("return !document.getElementById('lost').hidden")
    assert "server is gone" in page.text("lost")
    assert page.run(f"return {PLACED}") == cards
    page.click_move(*steps_of("simple-simon", 1)[3][1:])
    assert page.run(f"return {PLACED}") == cards
    again = Served(port=first.port)
    page.wait("return document.getElementById('lost').textContent.includes('Open the address')")
    assert browser.find_element("id", "retry").is_displayed()
    here = browser.current_window_handle
    browser.switch_to.new_window("tab")
    browser.get(again.address)
    browser.close()
    browser.switch_to.window(here)
    page.run("dispatchEvent(new Event('focus'))")
    page.wait("return document.getElementById('say').textContent === 'The server is back.'")
    assert page.run(f"return {PLACED}") == cards
    assert page.made() == [text for text, *_ in steps]


@pytest.mark.usefixtures("local")
def test_a_players_game_without_a_number_goes_on_with_a_new_server(browser, complaints):
    """The page knows no hidden card; the restarted server does."""
    complaints.expect(FAILED_CONNECTION)
    first = Served().enter()
    browser.get(next_address(first))
    page = Page(browser, f"http://{first.host}/")
    page.open("game=fortress&seed=8", thinks=False)
    page.click("new")
    page.run("document.querySelector('[name=game][value=joker]').click()")
    page.run("document.querySelector('[name=deal][value=text]').click()")
    deal = str(find_variant("joker").deal(5)).replace("# seed: 5\n", "")
    page.run("document.querySelector('#text').value = arguments[0]", deal)
    page.run("document.querySelector('#mode').value = 'player'")
    page.click("deal")
    page.wait("return document.getElementById('deal-name').textContent.includes('hidden cards')")
    press(browser, "t")
    page.wait("return document.body.dataset.ply === '1'")
    cards = page.run(f"return {PLACED}")
    first.child.end()
    page.wait("return !document.getElementById('lost').hidden")
    again = Served(port=first.port)
    browser.get(again.address)
    page.wait("return !!document.querySelector('.resume')")
    page.click_on(".resume")
    page.wait("return document.body.dataset.ply === '1'")
    assert page.run(f"return {PLACED}") == cards
    assert not page.run("return [...document.querySelectorAll('.card.down')].some(card => card.textContent)")


@pytest.mark.usefixtures("local")
@pytest.mark.parametrize("end", ["home", "game"])
def test_games_that_open_late_do_not_replace_the_page_chosen_meanwhile(page, end):
    """Back and Forward faster than games are opened: page, address and entries of the history are right."""

    def go(by, fragment):
        page.run("history.go(arguments[0])", by)
        page.wait("return location.hash.split('&moves')[0] === arguments[0]", fragment)

    chessboard, fortress = "#game=chessboard&seed=8", "#game=fortress&seed=3"
    page.take_new_tab()
    page.open(chessboard[1:], thinks=False)
    page.run("location.hash = arguments[0]", fortress)
    page.wait("return document.getElementById('title').textContent === 'Fortress'")
    page.click("brand")
    page.wait("return document.body.dataset.page === 'home'")
    page.run(HOLD_OPENING)
    go(-1, fortress)
    page.click("another")
    go(-1, chessboard)
    go(1, fortress)
    if end == "home":
        go(1, "")
        page.run("release()")
        page.click_on(".resume")
        page.wait("return document.body.dataset.page === 'play' && location.hash === arguments[0]", fortress)
        page.click_move("c9", 1, "c6")
        page.wait("return document.body.dataset.ply === '1'")
        go(-1, "")
        page.wait("return document.body.dataset.page === 'home'")
        go(-1, fortress)
        page.wait("return document.body.dataset.page === 'play'")
        return
    page.run("release()")
    page.wait("return document.body.dataset.page === 'play'")
    assert page.text("title") == "Fortress"
    go(-1, chessboard)
    page.wait("return document.getElementById('title').textContent === 'Chessboard'")
    go(1, fortress)
    page.wait("return document.getElementById('title').textContent === 'Fortress'")


@pytest.mark.usefixtures("local")
def test_a_game_that_opens_on_the_way_back_keeps_the_address(page):
    """Its answer arrives when the browser has gone to another entry of the history, and the page not yet."""
    page.take_new_tab()
    page.open("game=chessboard&seed=8", thinks=False)
    page.run(ANSWER_ON_THE_WAY)
    page.run("location.hash = 'game=fortress&seed=3'")
    page.wait("return window.held.length > 0")
    time.sleep(0.5)  # the pause between changes of the address
    page.run("history.go(-1)")
    page.wait("return window.held.isOver")
    page.wait("return document.getElementById('title').textContent === 'Chessboard'")
    assert page.run("return location.hash.split('&moves')[0]") == "#game=chessboard&seed=8"


def test_back_closes_the_dialog_that_was_open(page):
    page.open("game=chessboard&seed=8", thinks=False)
    page.click("brand")
    page.click_on(".tile [data-do=deal]")
    page.wait("return document.getElementById('start').open")
    page.run("history.back()")
    page.wait("return document.body.dataset.page === 'play'")
    assert not page.run("return document.querySelector('dialog[open]')")


@pytest.mark.parametrize(
    ("fragment", "problem"),
    [("edit=whist", "There is no game 'whist' to lay out."), ("kept", "This browser holds no game")],
)
def test_a_link_to_nothing_says_so(page, fragment, problem):
    page.open("game=chessboard&seed=8", thinks=False)
    page.browser.get(page.address + "static/closed.html")
    page.run("localStorage.clear(); sessionStorage.clear()")
    page.browser.get("about:blank")
    page.browser.get(f"{page.address}#{fragment}")
    page.wait(
        "return document.querySelector('#home .problem')?.textContent.startsWith(arguments[0])", problem
    )
    assert not page.run("return document.querySelector('dialog[open]')")


def test_a_file_that_is_dropped_is_opened(page, tmp_path):
    page.open("game=chessboard&seed=8", thinks=False)
    good, bad, twice = (tmp_path / name for name in ("deal.txt", "diary.txt", "twice.txt"))
    good.write_text(str(find_variant("fortress").deal(9)))
    bad.write_text("my diary\n")
    twice.write_text(str(find_variant("chessboard").deal(9)).replace("AS", "AH"))
    drop(page.browser, good, 400, 400)
    page.wait("return document.getElementById('title').textContent === 'Fortress'")
    drop(page.browser, bad, 400, 400)
    page.wait("return document.getElementById('start').open")
    assert page.run("return document.getElementById('text').value") == "my diary\n"
    problem = "return document.getElementById('start-problem').textContent.includes(arguments[0])"
    page.wait(problem, "my")
    drop(page.browser, twice, 400, 400)
    page.wait(problem, "duplicate card AH")
    unnamed = good.read_text().replace("# game: fortress\n", "").replace("AS", "AC")
    page.run("document.getElementById('text').value = arguments[0]", unnamed)
    page.click("deal")
    page.wait(problem, "duplicate card AC")


def drop(browser, path, x, y):
    """Drop a file on the page."""
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        browser.execute_cdp_cmd("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": data})


def next_address(served):
    """The address that a board prints after the first one was used."""
    return re.search(r"http\S+", served.child.stderr.readline())[0]
