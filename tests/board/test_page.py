"""The board in a real browser: whole games by clicks, drags and keys, mistakes, hints."""

import re

import pytest
from tests.board.games import REDEALS, SEEDS, SHORT, play, steps_of
from tests.board.page import Page
from tests.browsing import press
from tests.compiled import SEARCHED, needs_kernels

pytest.importorskip("uvicorn", reason="the extra 'board' is not installed")

from winnable.game.places import source_of
from winnable.rules import find_variant

pytestmark = [needs_kernels, pytest.mark.full]


FOCUS = "const { id, dataset } = document.activeElement; return id || dataset.do || dataset.place"


# test_page_hidden plays the games with redeals; simon-jester has the cards of simon-jester-triangular.
LATER = (*REDEALS, "simon-jester-triangular")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in LATER else name for name in SEARCHED]
)
def test_a_whole_game_by_clicks(page, name):
    steps = steps_of(name, SEEDS[name])
    page.open(f"game={name}&seed={SEEDS[name]}", thinks=False)
    play(page, steps, Page.click_move)
    assert page.made() == [text for text, *_ in steps]
    if not find_variant(name).scoring:
        assert page.run("return document.querySelectorAll('.card[data-spot^=c]').length") == 0
        assert "Won" in page.text("end")


@pytest.mark.parametrize("name", SHORT)
def test_a_whole_game_by_drags(page, name):
    steps = steps_of(name, SHORT[name])
    page.open(f"game={name}&seed={SHORT[name]}", thinks=False)
    play(page, steps, Page.drag_move)
    assert "Won" in page.text("end")


@pytest.mark.parametrize("name", SHORT)
def test_a_whole_game_by_keys(page, name):
    """Arrow keys move over the table, Enter picks up and drops, and Up picks up more cards."""
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
            counts = sorted({getattr(move, "count", 1) for move in moves if source_of(state, move) == source})
            keys += [Keys.ENTER, *[Keys.ARROW_UP] * counts.index(count)]
            keys += [Keys.ARROW_RIGHT] * ((int(target[1:]) - at) % columns) + [Keys.ENTER]
            at = int(target[1:])
        press(page.browser, *keys)
        page.await_move(number, text)
        state = variant.family.apply(state, variant.family.parse_move(state, text))
    assert "Won" in page.text("end")


def test_a_move_that_throws_the_win_away(page):
    """The losing move is marked at once, found again by the button, tried again without hints, and
    answered."""
    page.open("game=chessboard&seed=8")
    page.wait("return document.getElementById('badge').dataset.kind === 'winnable'")
    page.click_move("c5", 1, "p2")
    page.wait("return document.getElementById('badge').dataset.kind === 'unwinnable'")
    page.wait("return document.querySelectorAll('#tree .mistake').length === 1")
    page.wait("return document.getElementById('say').textContent.includes('makes the deal unwinnable')")
    assert page.run("return !!document.querySelector('.erred .card.moved')")
    page.click("undo")
    page.wait("return document.body.dataset.node === '0'")
    assert not page.run("return document.querySelector('.erred')")
    assert "winnable" in page.text("badge").lower()
    assert page.run(FOCUS) == "redo"
    press(page.browser, "m")
    page.wait("return /7[H\u2665]/.test(document.getElementById('review').textContent)")
    assert page.run(FOCUS) == "try"
    do = "document.querySelector('#review [data-do=' + arguments[0] + ']').click()"
    page.run(do, "try")
    page.wait("return document.body.dataset.node === '0'")
    assert page.run(FOCUS) == "c0"
    assert not page.run("return document.querySelector('.arrows')")
    page.click_move("c0", 1, "c5")
    page.wait("return document.getElementById('review').textContent.includes('Right')")
    assert page.run("return document.querySelectorAll('#tree .variation').length") == 1
    page.run(do, "show")
    page.wait("return !document.getElementById('viewer').hidden")
    assert page.run(FOCUS) == "play"
    total = page.run("return document.querySelector('#viewer .place').textContent").removeprefix("1 of ")
    page.run("document.querySelector('#viewer [data-do=last]').click()")
    assert f"{total} of {total}" in page.text("viewer")
    assert page.run("return document.querySelectorAll('.card[data-spot^=c]').length") == 0
    page.run("document.querySelector('#viewer [data-do=close]').click()")
    assert page.run("return document.querySelectorAll('.card[data-spot^=c]').length") == 52


def test_hints_mark_every_move_and_point_at_the_best(page):
    from selenium.webdriver.common.keys import Keys

    page.open("game=fortress&seed=8")
    page.click("hints")
    rows = "return document.querySelectorAll('#options .rows button').length"
    count = len(find_variant("fortress").family.legal_moves(find_variant("fortress").deal(8)))
    page.wait("return !document.querySelector('#options .unknown') && !!document.querySelector('.arrows')")
    page.run("document.querySelector('#options [data-all]')?.click()")
    page.wait(f"{rows} === arguments[0]", count)
    for place, told in (("c8", "\u2264?\u2009?\\d\\d"), ("c5", "loses")):
        page.click_move(place, 1, place)
        tags = "return [...document.querySelectorAll('.tag')].map(tag => tag.textContent)"
        worn = page.run(tags)
        assert any(re.fullmatch(told, text) for text in worn), "the targets wear what the move is worth"
        press(page.browser, Keys.ESCAPE)
        assert page.run(tags) == []
    page.run("document.querySelector('#options .rows button').focus()")
    press(page.browser, Keys.ENTER)
    page.wait("return document.body.dataset.node !== '0'")
    assert page.run(FOCUS) == "options"
    press(page.browser, Keys.TAB)
    assert page.run("return document.activeElement.matches('#options li:first-child button')")
    page.click("hints")
    assert not page.browser.find_element("id", "options").is_displayed()
    assert not page.run("return document.querySelector('.arrows')")


def test_an_illegal_drop_says_the_rule_and_changes_nothing(page):
    page.open("game=chessboard&seed=8", thinks=False)
    page.await_program()  # which knows the rule in words
    places = "return [...document.querySelectorAll('.card')].map(card => card.style.transform).sort().join()"
    before = page.run(places)
    page.drag_move("c0", 1, "c1")
    page.wait("return document.getElementById('say').classList.contains('refused')")
    assert "does not go on" in page.text("say")
    assert (page.run(places), page.node()) == (before, "0")


@pytest.mark.usefixtures("local")
def test_a_second_game_is_played_by_one_pair_of_hands(page):
    """The listeners of an earlier game are removed: no move is sent twice."""
    page.open("game=chessboard&seed=8", thinks=False)
    for seed in (9, 8):
        page.run("location.hash = arguments[0]", f"#game=chessboard&seed={seed}")
        page.wait("return document.getElementById('deal-name').textContent === arguments[0]", f"seed {seed}")
    page.run(
        "window.sent = [];"
        "for (const [kind, name] of [[WebSocket.prototype, 'send'], [Worker.prototype, 'postMessage']]) {"
        " const send = kind[name];"
        " kind[name] = function (text) { sent.push(JSON.parse(text).method); send.call(this, text); }; }"
    )
    page.click_move("c5", 1, "p2")
    page.wait("return document.body.dataset.node === '1'")
    assert page.run("return sent.filter(type => type === 'move').length") == 1


@pytest.mark.parametrize("name", ["chessboard", "klondike-one-pass", "joker", "simple-simon"])
def test_the_cards_of_a_game_in_play_are_changed(page, name):
    """The table can be opened unchanged, and then lies as before."""
    steps = steps_of(name, SEEDS[name])[:25]
    moves = ",".join(text for text, *_ in steps).replace(" ", "+")
    page.open(f"game={name}&seed={SEEDS[name]}&moves={moves}", thinks=False)
    cards = (
        "const cards = [...document.querySelectorAll('#table .card')];"
        "return cards.map(card => card.dataset.spot + card.dataset.name).sort()"
    )
    before = page.run(cards)
    page.click("edit")
    page.wait("return !document.querySelector('#editor [data-do=open]')?.disabled")
    page.run("document.querySelector('#editor [data-do=open]').click()")
    page.wait("return !document.getElementById('editor').open && location.hash.includes('deal=')")
    assert page.run(cards) == before


def test_ones_own_table_is_checked_at_once(page):
    """Cards by clicks, a card that lies on the table already, a text with a duplicate, and a complete
    deal."""
    page.take_new_tab()
    page.open("game=chessboard&seed=8", thinks=False)
    page.await_program()
    entries = page.run("return history.length")
    page.click("edit")
    page.wait("return document.getElementById('editor').open && location.hash === '#edit=chessboard'")
    assert page.run("return history.length") == entries + 1
    told = "return document.querySelector('#editor .told').textContent.replaceAll('\\ufe0e', '').trim()"
    where = "return document.querySelector('#editor .where b').textContent.replaceAll('\\ufe0e', '')"
    ok = "return !document.querySelector('#editor [data-do=open]').disabled"
    click = "document.querySelector('#editor ' + arguments[0]).click()"
    page.wait(f"{told} === 'Complete: all cards are known.'")
    assert page.run(ok), "it begins with the cards of the game"
    page.run(click, "[data-do=clear]")
    page.wait(f"{told} === '52 more places.'")
    assert page.run(where) == "Column 1, card 1 of 6"
    page.run(click, ".palette [data-card=AS]")
    page.wait(f"{told} === '51 more places.'")
    assert page.run("return document.querySelector('.palette [data-card=AS]').classList.contains('gone')")
    page.run(click, ".palette [data-card=AS]")
    assert (page.run(told), page.run(where)) == ("A♠ lies in column 1 already.", "Column 1, change A♠")
    deal = str(find_variant("chessboard").deal(9)).replace("# seed: 9\n", "")
    first, second = deal.splitlines()[1:3]
    paste = (
        "const data = new DataTransfer(); data.setData('text/plain', arguments[0]);"
        "document.querySelector('#editor .spot.here').dispatchEvent("
        "  new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))"
    )
    page.run(paste, deal.replace(second.split()[0], first.split()[0], 1))
    page.wait(f"{told}.endsWith('lies here twice: columns 1 and 2.')")
    assert page.run("return document.querySelectorAll('#editor .card.error').length") == 2
    assert not page.run(ok)
    page.run(paste, deal)
    page.wait(ok)
    column = "return document.querySelector('#editor textarea').value.split('\\n')[1]"
    page.run(click, "[data-do=round]")
    page.wait(f"return (() => {{ {column} }})() === '{' '.join(first.split()[::-1])}'")
    page.wait(ok)
    page.run(click, "[data-do=round]")
    page.wait(f"return (() => {{ {column} }})() === '{first}'")
    page.wait(ok)
    page.run(click, "[data-do=open]")
    page.wait("return !document.getElementById('editor').open && location.hash.includes('deal=')")
    assert page.run("return history.length") == entries + 2
    page.run("history.back()")
    page.wait(f"return document.getElementById('editor').open && (() => {{ {told} }})()[0] === 'C'")
    page.run("history.back()")
    page.wait("return document.getElementById('deal-name').textContent === 'seed 8'")
    assert not page.run("return document.getElementById('editor').open")
