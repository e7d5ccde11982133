"""The board in a real browser: whole games by clicks, drags and keys, mistakes, links, phones."""

import os
import random
import re
import subprocess
import sys
from functools import cache

import pytest
from tests.board.page import Page
from tests.board.served import Served
from tests.browsing import press, set_screen, start_browser, touch
from tests.children import start, wait_until

pytest.importorskip("uvicorn", reason="the extra 'board' is not installed")

from winnable.board.places import landing, source_of, target_of
from winnable.rules import VARIANTS, find_variant
from winnable.solver import Limits, find_shortest, solve
from winnable.solver.engine import find_kernel
from winnable.solver.verify import format_line

pytestmark = pytest.mark.skipif(find_kernel(find_variant("fortress")) is None, reason="no compiled engine")
SEEDS = dict.fromkeys(VARIANTS, 1) | {"chessboard": 8, "fortress": 8}
SHORT = {"chessboard": 8, "simple-simon": 1}  # games for drags and keys
MISTAKE = "7H 6-f"  # as the first move of chessboard, seed 8

# The address, and what lies where.
CARDS = "[...document.querySelectorAll('.card')]"
PLACED = f"[location.hash, {CARDS}.map(card => card.dataset.spot + card.textContent).sort().join()]"
LYING = f"return {CARDS}.map(card => card.style.transform).sort().join()"
SHOWN = "return [...document.querySelectorAll('.card:not(.down)')].map(card => card.dataset.name)"
# The texts whose contrast with what lies behind them is below that which people with weak eyes need.
FAINT = """
const parts = text => text.match(/[\\d.]+/g).map(Number);
const colour = text => {
  const [r, g, b, alpha = 1] = parts(text), most = text.startsWith('color') ? 1 : 255;
  return { alpha, light: [r, g, b].map(value => value / most) };
};
const linear = value => value <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4;
const luminance = ({ light }) =>
  light.map(linear).reduce((sum, value, i) => sum + value * [.2126, .7152, .0722][i], 0);
const behind = element => {
  for (; element; element = element.parentElement) {
    const found = colour(getComputedStyle(element).backgroundColor);
    if (found.alpha > .9) return found;
  }
};
const isText = element =>
  [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())
  && element.getBoundingClientRect().width && !element.closest('[hidden], :disabled, .sr')
  && getComputedStyle(element).visibility !== 'hidden';
const isFaint = element => {
  const style = getComputedStyle(element), size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.6 && style.fontWeight >= 700);
  const both = [luminance(colour(style.color)), luminance(behind(element))];
  return (Math.max(...both) + .05) / (Math.min(...both) + .05) < (isLarge ? 3 : 4.5);
};
const texts = [...document.querySelectorAll('body *')].filter(isText);
return texts.filter(isFaint).map(element => element.outerHTML);
"""
CHANGED = "return document.body.dataset.node !== arguments[0]"
RELOAD_AT_ONCE = """
const done = arguments[0];
const look = () => {
  if (document.body.dataset.ply !== '1') { setTimeout(look, 1); return; }
  location.reload();
  done();
};
look();
"""
RECORDER = """
window.traffic = [];
const Real = WebSocket;
window.WebSocket = class extends Real {
  constructor(...all) { super(...all); this.addEventListener('message', event => traffic.push(event.data)); }
};
"""


@cache
def steps_of(name, seed):
    """The moves of the solver's line: as text, and the places and the number of cards of each."""
    variant = find_variant(name)
    state = variant.deal(seed)
    find = find_shortest if name in ("chessboard", "fortress") else solve
    moves = find(variant, state, Limits(seconds=60)).moves
    steps = []
    for text, move in zip(format_line(variant, state, moves), moves, strict=True):
        steps.append((text, source_of(move), getattr(move, "count", 1), target_of(state, move)))
        state = variant.family.apply(state, move)
    return steps


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A running board: its process and the address that it printed."""
    home = str(tmp_path_factory.mktemp("home"))
    environment = os.environ | {"HOME": home, "XDG_DATA_HOME": home}
    command = [sys.executable, "-m", "winnable", "board", "--no-browser"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, env=environment, **pipes)
    yield process, process.stdout.readline().strip()
    process.terminate()
    process.communicate()


@pytest.fixture(scope="module")
def browser():
    driver = start_browser()
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def board(browser, server):
    """The page, known to the server."""
    address = server[1]
    browser.get(address)
    return Page(browser, address[: address.index("/open")] + "/")


@pytest.fixture
def page(board):
    yield board
    assert board.browser.get_log("browser") == []


def play(page, steps, make):
    """Make all moves, each when the one before is shown."""
    spots = None
    for number, (text, *places) in enumerate(steps):
        make(page, *places, spots)
        spots = page.await_move(number, text, steps[number + 1][1:] if number + 1 < len(steps) else None)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_whole_game_by_clicks(page, name):
    steps = steps_of(name, SEEDS[name])
    page.open(f"game={name}&seed={SEEDS[name]}", thinks=False)
    play(page, steps, Page.click_move)
    assert page.made() == [text for text, *_ in steps]
    if not find_variant(name).scoring:
        assert page.run("return document.querySelectorAll('.card[data-spot^=c]').length") == 0
        assert "Won" in page.text("banner")


@pytest.mark.parametrize("name", SHORT)
def test_a_whole_game_by_drags(page, name):
    steps = steps_of(name, SHORT[name])
    page.open(f"game={name}&seed={SHORT[name]}", thinks=False)
    play(page, steps, Page.drag_move)
    assert "Won" in page.text("banner")


@pytest.mark.parametrize("name", SHORT)
def test_a_whole_game_by_keys(page, name):
    """Arrow keys go over the table, enter takes and puts down, and up takes more cards."""
    from selenium.webdriver.common.keys import Keys

    variant = find_variant(name)
    state, steps = variant.deal(SHORT[name]), steps_of(name, SHORT[name])
    page.open(f"game={name}&seed={SHORT[name]}", thinks=False)
    press(page.browser, Keys.ARROW_RIGHT)
    at, columns = 0, len(state.columns)
    for number, (text, source, count, target) in enumerate(steps):
        keys = [Keys.ARROW_RIGHT] * ((int(source[1:]) - at) % columns)
        at = int(source[1:])
        if target[0] == "p":
            keys.append("f")
        else:
            moves = variant.family.legal_moves(state)
            counts = sorted({getattr(move, "count", 1) for move in moves if source_of(move) == source})
            keys += [Keys.ENTER, *[Keys.ARROW_UP] * counts.index(count)]
            keys += [Keys.ARROW_RIGHT] * ((int(target[1:]) - at) % columns) + [Keys.ENTER]
            at = int(target[1:])
        press(page.browser, *keys)
        page.await_move(number, text)
        state = variant.family.apply(state, variant.family.parse_move(state, text))
    assert "Won" in page.text("banner")


def test_a_move_that_throws_the_win_away(page):
    """It is marked as it is made, found again, tried again without the answer, and answered."""
    page.open("game=chessboard&seed=8")
    page.wait("return document.getElementById('badge').dataset.kind === 'winnable'")
    page.click_move("c5", 1, "p2")
    page.wait("return document.getElementById('badge').dataset.kind === 'unwinnable'")
    page.wait("return document.querySelectorAll('#tree .mistake').length === 1")
    page.wait("return document.getElementById('say').textContent.includes('throws the win away')")
    assert page.run("return !!document.querySelector('.erred .card.moved')")
    page.click("undo")
    page.wait("return document.body.dataset.node === '0'")
    assert not page.run("return document.querySelector('.erred')")
    assert "winnable" in page.text("badge").lower()
    page.click("mistakes")
    page.wait(
        "return document.getElementById('review').textContent.includes('7H') "
        "|| document.getElementById('review').textContent.includes('7\u2665')"
    )
    do = "document.querySelector('#review [data-do=' + arguments[0] + ']').click()"
    page.run(do, "try")
    page.wait("return document.body.dataset.node === '0'")
    assert not page.run("return document.querySelector('.arrows')")
    page.click_move("c0", 1, "c5")
    page.wait("return document.getElementById('review').textContent.includes('Right')")
    assert page.run("return document.querySelectorAll('#tree .variation').length") == 1
    page.run(do, "show")
    page.wait("return !document.getElementById('viewer').hidden")
    total = page.run("return document.querySelector('#viewer .place').textContent").removeprefix("1 of ")
    page.run("document.querySelector('#viewer [data-do=last]').click()")
    assert f"{total} of {total}" in page.text("viewer")
    assert page.run("return document.querySelectorAll('.card[data-spot^=c]').length") == 0
    page.run("document.querySelector('#viewer [data-do=close]').click()")
    assert page.run("return document.querySelectorAll('.card[data-spot^=c]').length") == 52


def test_hints_mark_every_move_and_point_at_the_best(page):
    page.open("game=fortress&seed=8")
    page.click("hints")
    rows = "return document.querySelectorAll('#options .rows button').length"
    count = len(find_variant("fortress").family.legal_moves(find_variant("fortress").deal(8)))
    page.wait(f"{rows} === arguments[0]", count)
    page.wait("return !document.querySelector('#options .unknown') && !!document.querySelector('.arrows')")
    page.run("document.querySelector('#options .rows button').click()")
    page.wait("return document.body.dataset.node !== '0'")
    page.click("hints")
    assert not page.browser.find_element("id", "options").is_displayed()
    assert not page.run("return document.querySelector('.arrows')")


def test_an_illegal_drop_says_the_rule_and_changes_nothing(page):
    page.open("game=chessboard&seed=8", thinks=False)
    before = page.run(
        "return [...document.querySelectorAll('.card')].map(card => card.style.transform).sort().join()"
    )
    page.drag_move("c0", 1, "c1")
    page.wait("return document.getElementById('say').classList.contains('refused')")
    assert "does not go on" in page.text("say")
    after = page.run(
        "return [...document.querySelectorAll('.card')].map(card => card.style.transform).sort().join()"
    )
    assert (after, page.node()) == (before, "0")


def test_hidden_cards_are_nowhere_in_the_traffic(page):
    """Of a player's game the page gets no card that it does not show."""
    added = page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": RECORDER})
    seen = set()
    try:
        page.open("game=joker&seed=4&mode=player")
        page.click("hints")
        while page.run("return !!document.querySelector('.card[data-spot^=p0]')"):
            seen |= set(page.run(SHOWN))
            node = page.node()
            press(page.browser, "t")
            page.wait(CHANGED, node)
        seen |= set(page.run(SHOWN))
        traffic = [text for text in page.run("return traffic") if '"hello"' not in text]
    finally:
        page.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    told = {card for text in traffic for card in re.findall(r"\b(?:[A2-9TJQK][CDHS]|X[BR])\b(?!:)", text)}
    assert len(traffic) > 30
    assert told - {"XB", "XR"} <= seen


@pytest.mark.parametrize("name", VARIANTS)
def test_no_card_is_off_the_screen(page, name):
    page.open(f"game={name}&seed={SEEDS[name]}", thinks=False)
    for width, height in ((320, 640), (375, 740), (740, 360), (768, 1000), (1280, 800), (3840, 2160)):
        set_screen(page.browser, width, height)
        page.browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        out = page.run(
            "const felt = document.getElementById('felt').getBoundingClientRect();"
            "const out = [...document.querySelectorAll('.card, .slot')].filter(card => {"
            " const box = card.getBoundingClientRect();"
            " return box.left < felt.left || box.right > felt.right; });"
            "return [out.length, document.documentElement.scrollWidth - innerWidth];"
        )
        assert out[0] == 0
        assert out[1] <= 0
        if height < 500:
            assert page.run("return document.documentElement.scrollHeight <= innerHeight")


def test_a_phone_by_touch(page):
    """Taps and a finger that drags; the page does not scroll under them."""
    steps = steps_of("simple-simon", 1)[:8]
    page.open("game=simple-simon&seed=1", 375, 740, thinks=False)
    for number, (text, *places) in enumerate(steps):
        node = page.node()
        first, last = page.spots(*places)
        if number % 2:
            touch(page.browser, first, (first[0] + 9, first[1] + 9), last)
        else:
            touch(page.browser, first)
            touch(page.browser, last)
        page.wait(CHANGED, node)
        assert page.made()[-1] == text
    assert page.run("return [scrollX, scrollY]") == [0, 0]


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


def test_a_reload_keeps_the_game_with_its_variations(page):
    steps = steps_of("simple-simon", 1)[:3]
    page.open("game=simple-simon&seed=1", thinks=False)
    play(page, steps, Page.click_move)
    page.click("undo")
    page.wait("return document.body.dataset.node === '2'")
    page.click("undo")
    page.wait("return document.body.dataset.node === '1'")
    legal = "return [...document.querySelectorAll('.places button')].length"
    assert page.run(legal) == 14
    page.click("hints")
    page.wait("return document.querySelectorAll('#options .rows button').length > 2")
    rows = "[...document.querySelectorAll('#options .rows button')]"
    node = page.node()
    page.run(f"{rows}.find(row => row.dataset.text !== arguments[0]).click()", steps[1][0])
    page.wait(CHANGED, node)
    assert page.run("return document.querySelectorAll('#tree .variation').length") == 1
    page.wait("return (JSON.parse(sessionStorage.getItem('winnable-game')) || {}).link === location.hash")
    before = page.run(f"return [{PLACED}, document.getElementById('tree').textContent]")
    page.browser.refresh()
    page.wait("return !!document.body.dataset.node")
    assert page.run(f"return [{PLACED}, document.getElementById('tree').textContent]") == before


def test_a_reload_in_the_same_moment_keeps_a_variation(page):
    steps = steps_of("simple-simon", 1)[:2]
    page.open("game=simple-simon&seed=1", thinks=False)
    play(page, steps, Page.click_move)
    page.click("restart")
    page.wait("return document.body.dataset.node === '0'")
    variant = find_variant("simple-simon")
    other = next(
        move
        for move in variant.family.legal_moves(variant.deal(1))
        if variant.family.format_move(variant.deal(1), move) != steps[0][0]
    )
    page.click_move(source_of(other), other.count, target_of(variant.deal(1), other))
    page.browser.execute_async_script(RELOAD_AT_ONCE)
    page.wait(
        "return document.body.dataset.node && document.querySelectorAll('#tree .variation').length === 1"
    )
    assert page.run("return document.querySelectorAll('#tree li button').length") == 4
    assert page.run("return document.body.dataset.ply") == "1"


def test_a_page_that_lost_its_server_keeps_the_game(browser):
    """It says so; with the address of a server that is started again the game goes on."""
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
    browser.get(again.address)
    page.wait("return document.body.dataset.ply === '3'")
    assert page.run(f"return {PLACED}") == cards
    browser.get("about:blank")
    browser.get_log("browser")  # it tells of the connections that failed


def test_a_players_game_without_a_number_goes_on_with_a_new_server(browser):
    """The page knows no hidden card, and the server that is started again does."""
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
    page.wait("return document.body.dataset.ply === '1'")
    assert page.run(f"return {PLACED}") == cards
    assert not page.run("return [...document.querySelectorAll('.card.down')].some(card => card.textContent)")
    browser.get("about:blank")
    browser.get_log("browser")  # it tells of the connections that failed


def test_what_the_page_saves_is_read_by_the_commands(page, tmp_path):
    """The files are downloaded; the saved page plays the line by itself."""
    behaviour = {"behavior": "allow", "downloadPath": str(tmp_path)}
    page.browser.execute_cdp_cmd("Browser.setDownloadBehavior", behaviour)
    steps = steps_of("fortress", 8)
    page.open("game=fortress&seed=8&moves=" + ",".join(text for text, *_ in steps).replace(" ", "+"))
    page.wait("return document.getElementById('badge').dataset.kind === 'winnable'")
    for choice in ("page", "moves text", "deal text", "position text", "position json", "game json"):
        choose = "const menu = document.getElementById('save'); menu.value = arguments[0];"
        page.run(choose + "menu.dispatchEvent(new Event('change'))", choice)
        page.wait("return document.getElementById('say').textContent.startsWith('Saved as ')")
        name = page.text("say").removeprefix("Saved as ").removesuffix(".")
        wait_until(lambda name=name: (tmp_path / name).exists())
        page.run("document.getElementById('say').textContent = ''")
    stem = tmp_path / "fortress-seed-8"
    assert "won" in said("verify", f"{stem}-deal.txt", f"{stem}-moves.txt")
    assert "throws" not in said("review", f"{stem}-deal.txt", f"{stem}-moves.txt")
    assert "already won" in said("hint", f"{stem}-deal.txt", "--moves", f"{stem}-moves.txt")
    assert "already won" in said("hint", f"{stem}-position.json")
    assert "already won" in said("hint", f"{stem}-position.txt")
    page.browser.get((tmp_path / "fortress-seed-8-page.html").as_uri())
    page.wait("return document.body.dataset.step === '0'")
    page.click("last")
    page.wait("return document.body.dataset.step === arguments[0]", str(len(steps)))


def said(*args):
    """What a command prints."""
    child = start(*args)
    out, err = child.finish()
    assert (child.returncode, err) == (0, "")
    return out


def test_a_file_that_is_dropped_is_opened(page, tmp_path):
    page.open("game=chessboard&seed=8", thinks=False)
    good, bad = tmp_path / "deal.txt", tmp_path / "diary.txt"
    good.write_text(str(find_variant("fortress").deal(9)))
    bad.write_text("my diary\n")
    drop(page.browser, good, 400, 400)
    page.wait("return document.getElementById('title').textContent === 'Fortress'")
    drop(page.browser, bad, 400, 400)
    page.wait("return document.getElementById('start').open")
    assert page.run("return document.getElementById('text').value") == "my diary\n"
    page.wait("return document.getElementById('start-problem').textContent.includes('my')")


def drop(browser, path, x, y):
    """Drop a file on the page."""
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        browser.execute_cdp_cmd("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": data})


def test_auto_puts_up_what_cannot_hurt(page):
    steps = steps_of("fortress", 8)
    number = next(n for n, (_, _, _, target) in enumerate(steps[1:], 1) if target[0] == "p")
    moves = ",".join(text for text, *_ in steps[:number]).replace(" ", "+")
    page.open(f"game=fortress&seed=8&moves={moves}", thinks=False)
    page.wait("return !document.getElementById('auto').disabled")
    page.click("auto")
    page.wait("return document.body.dataset.ply > arguments[0]", number)
    assert page.run("return document.getElementById('auto').disabled")
    assert all(text.endswith("-f") for text in page.made()[number:])


def test_a_second_game_is_played_by_one_pair_of_hands(page):
    """What a game before it listened to does not send its moves too."""
    page.open("game=chessboard&seed=8", thinks=False)
    for seed in (9, 8):
        page.run("location.hash = arguments[0]", f"#game=chessboard&seed={seed}")
        page.wait("return document.getElementById('deal-name').textContent === arguments[0]", f"seed {seed}")
    page.run(
        "window.sent = []; const send = WebSocket.prototype.send;"
        "WebSocket.prototype.send = function (text) {"
        " sent.push(JSON.parse(text).type); send.call(this, text); }"
    )
    page.click_move("c5", 1, "p2")
    page.wait("return document.body.dataset.node === '1'")
    assert page.run("return sent.filter(type => type === 'move').length") == 1


def test_the_cards_of_the_last_move_are_marked_after_a_joker_changed_places(page):
    """There lies the joker then, or the card that took its place."""
    link, place = exchange()
    page.open(link, thinks=False)
    page.wait("return !!document.querySelector('.card.moved')")
    assert page.run("return document.querySelector('.card.moved').dataset.spot").startswith(place)


def exchange():
    """A link to a position of joker whose last move ended with a change of places, and where it went."""
    variant = find_variant("joker")
    for seed in range(26, 1000):
        chance, state, moves = random.Random(seed), variant.deal(seed), []
        for _ in range(60):
            move = chance.choice(variant.family.legal_moves(state))
            after = variant.family.apply(state, move)
            moves.append(variant.family.format_move(state, move).replace(" ", "+"))
            target = target_of(state, move)
            column = after.columns[int(target[1:])] if target[0] == "c" else None
            if column and landing(state, move, after) and moved(state, move) not in column:
                return f"game=joker&seed={seed}&moves={','.join(moves)}", target
            if not variant.family.legal_moves(after):
                break
            state = after
    raise AssertionError("no joker changes places")


def moved(state, move):
    """The first card that a move takes up."""
    return find_variant("joker").family.with_card(state, move).card


def next_address(served):
    """The address that a board prints when its first one was used."""
    return re.search(r"http\S+", served.child.stderr.readline())[0]


def test_ones_own_table_is_checked_at_once(page):
    page.open("game=chessboard&seed=8", thinks=False)
    page.click("new")
    page.run("document.querySelector('[name=deal][value=table]').click()")
    page.wait("return document.querySelector('.told').textContent.includes('Missing')")
    page.run("document.querySelector('.palette [data-card=AS]').click()")
    page.wait("return document.querySelector('.palette [data-card=AS]').classList.contains('gone')")
    page.run("document.querySelector('.palette [data-card=AS]').click()")
    page.wait("return document.querySelector('.told').textContent.includes('Too often')")
    deal = "\n".join(str(find_variant("chessboard").deal(9)).splitlines())
    write = "const area = document.querySelector('.editor textarea'); area.value = arguments[0];"
    page.run(write + "area.dispatchEvent(new Event('input'))", deal)
    page.wait("return document.querySelector('.told').textContent.includes('can be opened')")
    page.click("deal")
    page.wait("return !document.getElementById('start').open && location.hash.includes('deal=')")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_texts_stand_out(page, theme):
    page.open("game=joker&seed=4&mode=player")
    page.run("localStorage.setItem('winnable-theme', arguments[0])", theme)
    page.load("game=chessboard&seed=8&moves=7H+6-f")
    page.click("hints")
    page.wait("return document.querySelectorAll('#tree .mistake').length === 1")
    page.click("mistakes")
    page.wait("return !document.getElementById('review').hidden")
    assert page.run("return document.documentElement.dataset.theme") == theme
    assert page.run(FAINT) == []
    page.run("document.getElementById('title').style.color = 'var(--page)'")
    assert len(page.run(FAINT)) == 1
    page.run("document.getElementById('title').style.color = ''")
    page.click("new")
    page.run("document.querySelector('[name=game][value=joker]').click()")
    page.run("document.querySelector('[name=deal][value=table]').click()")
    page.wait("return document.querySelector('.told').textContent.includes('Missing')")
    assert page.run(FAINT) == []


def test_the_page_can_be_heard(page):
    page.open("game=joker&seed=4&mode=player")
    labels = page.run(
        "return [...document.querySelectorAll('#places button')].map(b => b.getAttribute('aria-label'))"
    )
    assert len(labels) == 15
    assert any(re.match(r"Column 7, 6 face down, \w+ of \w+", label) for label in labels)
    named = page.run(
        "return [...document.querySelectorAll('button, input, select, textarea')].filter(field => "
        "!field.hidden && !field.textContent.trim() && !field.getAttribute('aria-label') "
        "&& !field.closest('label')).map(field => field.outerHTML)"
    )
    assert named == []
    assert page.run("return document.getElementById('say').getAttribute('aria-live')") == "polite"
