"""The page as players meet it: what is the game, words, hints, new games, rules, results, reasons."""

from contextlib import suppress

import pytest
from tests.board.games import CHANGED, steps_of
from tests.board.talks import losing_move
from tests.browsing import press, set_screen, touch
from tests.compiled import needs_kernels

pytest.importorskip("uvicorn", reason="the extra 'board' is not installed")

from winnable.board.blocking import blocks
from winnable.rules import VARIANTS, find_variant

pytestmark = [needs_kernels, pytest.mark.full]
CLICK = "document.querySelector(arguments[0]).click()"
BADGE = "return document.getElementById('badge').dataset.kind"
ROWS = "return [...document.querySelectorAll('#options [data-text]')].map(row => row.dataset.text)"


def link(name, moves, **more):
    """The fragment of deal 8 of a game after ``moves``."""
    fields = "".join(f"&{key}={value}" for key, value in more.items())
    return f"game={name}&seed=8{fields}&moves={','.join(moves).replace(' ', '+')}"


def hover(page, selector):
    """Move the mouse over an element; again if it was drawn anew on the way."""
    from selenium.common.exceptions import StaleElementReferenceException
    from selenium.webdriver import ActionChains

    while True:
        element = page.browser.find_element("css selector", selector)
        with suppress(StaleElementReferenceException):
            ActionChains(page.browser, duration=0).move_to_element(element).perform()
            return element


def test_what_one_goes_on_with_is_the_game(page):
    page.open(link("chessboard", ["7H 6-f"]), thinks=False)
    page.click("undo")
    page.wait("return document.body.dataset.node === '0'")
    page.click_move("c0", 1, "c5")
    page.wait("return document.body.dataset.node === '2'")
    assert page.run("return [...document.querySelectorAll('#tree > li')].at(-1).className") == "variation"
    assert "7♥" in page.run("return document.querySelector('#tree .variation').textContent")


def test_hints_hold_still_under_the_pointer_and_show_a_move_before_it_is_made(page):
    page.open("game=chessboard&seed=8")
    page.click("hints")
    page.wait("return document.querySelectorAll('#options [data-text]').length > 5")
    hover(page, "#options li:nth-child(4) button")
    page.wait("return !!document.querySelector('.arrows.tried')")
    row = page.browser.find_element("css selector", "#options [data-text]:hover")
    text = row.get_attribute("data-text")
    rows = page.run(ROWS)
    page.wait("return !document.querySelector('#options .unknown')", seconds=60)
    assert page.run(ROWS) == rows, "they are not sorted while one reads them"
    assert page.node() == "0"
    row.click()
    page.wait("return document.body.dataset.node !== '0'")
    assert page.made() == [text]
    page.wait("return JSON.parse(sessionStorage.getItem('winnable-game'))?.game.helped.length === 1")


def test_a_first_tap_shows_a_move_and_a_second_makes_it(page):
    page.open("game=chessboard&seed=8", 390, 844)
    page.click("hints")
    page.wait("return !!document.querySelector('.arrows') && !document.querySelector('#options .unknown')")
    row = "document.querySelector('#options li:nth-child(2) button')"
    page.run(f"{row}.scrollIntoView({{block: 'center'}})")
    x, y = page.run(f"const box = {row}.getBoundingClientRect(); return [box.left + 40, box.top + 15]")
    touch(page.browser, (x, y))
    page.wait("return !!document.querySelector('.arrows.tried')")
    assert page.node() == "0"
    touch(page.browser, (x, y))
    page.wait("return document.body.dataset.node !== '0'")


def test_figures_are_for_those_who_ask_for_them(page):
    shown = "return ['badge', 'tree'].map(id => document.getElementById(id).textContent).join()"
    page.open(link("chessboard", ["6H 1-6"]))
    page.wait(f"{BADGE} === 'winnable'")
    assert "All 52 cards: winnable" in page.run(shown)
    assert not any(word in page.run(shown) for word in ("states", "A*", "1-6"))
    page.run(CLICK, "#figures")
    page.wait("return document.getElementById('tree').textContent.includes('1-6')")
    page.open("game=chessboard&seed=8")  # a position whose result no other search has found
    if not page.run("return document.getElementById('figures').checked"):
        page.run(CLICK, "#figures")
    page.wait("return document.getElementById('badge').textContent.includes('states')")


def test_a_new_game_takes_two_steps(page):
    page.open("game=fortress&seed=8", thinks=False)
    page.click("new")
    names = page.run("return [...document.querySelectorAll('[name=game]')].map(button => button.value)")
    assert names[:3] == ["chessboard", "simon-jester", "joker"]
    assert sorted(names) == sorted(VARIANTS)
    page.run(CLICK, "[name=game][value=simple-simon]")
    page.run(CLICK, "[name=deal][value=random]")
    page.click("deal")
    page.wait("return document.getElementById('title').textContent === 'Simple Simon'")


def test_what_needs_a_game_waits_for_one(page):
    from selenium.webdriver.common.keys import Keys

    page.browser.get(page.address + "static/closed.html")
    page.run("localStorage.clear(); sessionStorage.clear()")
    page.browser.get(page.address)
    page.wait("return document.getElementById('start').open")
    press(page.browser, Keys.ESCAPE, "h", "l", "u")
    needs = ("undo", "redo", "restart", "auto", "hints", "line", "copy", "save")
    assert not any(page.browser.find_element("id", name).is_enabled() for name in needs)
    page.click("think")
    page.run("location.hash = arguments[0]", "#game=fortress&seed=8")
    page.wait("return !!document.body.dataset.node")
    assert page.run(BADGE) == "off"
    page.click("save")
    page.wait("return document.getElementById('picker').open")
    press(page.browser, Keys.ARROW_DOWN, Keys.ESCAPE)
    page.wait("return document.activeElement.id === 'save'")


def test_a_table_is_typed_over_the_usual_layout(page):
    """A card a column and the number of the stock are enough for joker; the table is shown at once."""
    page.open("game=joker&seed=4&exchange=turned", thinks=False)
    page.run("document.querySelector('#places [data-place=c3]').focus()")
    press(page.browser, "f")
    page.wait("return document.getElementById('say').textContent.includes('open ace')")
    page.click("new")
    page.run(CLICK, "[name=game][value=joker]")
    page.run(CLICK, "[name=deal][value=table]")
    typed = page.browser.find_element("id", "typed")
    typed.send_keys("6H ZZ 2S ")
    assert page.run("return document.getElementById('typed').value") == "ZZ 2S "
    assert page.text("typed-problem") == "ZZ is no card."
    typed.clear()
    for word in ("8S ", "jc ", "xb ", "2C ", "JH ", "3D "):
        typed.send_keys(word)
    page.wait("return document.querySelector('.told').textContent.includes('can be opened')")
    assert page.run("return document.querySelectorAll('.editor .felt .card:not(.down)').length") == 7
    page.click("deal")
    page.wait("return document.getElementById('deal-name').textContent.includes('your table')")


def test_the_rules_are_those_of_this_game_with_a_picture_and_the_keys_last(page):
    page.open("game=simple-simon&seed=1", thinks=False)
    page.click("help")
    assert page.run("return document.querySelectorAll('#rules .felt .card').length") == 52
    text = page.text("rules")
    assert "Chessboard" not in text
    assert page.run("return document.getElementById('rules').lastElementChild.className") == "keys"


def test_the_graph_goes_where_one_clicks(page):
    moves = [text for text, *_ in steps_of("fortress", 8)][:20]
    page.open(link("fortress", moves))
    page.wait("return document.querySelector('#graph .line')?.getAttribute('d').includes('L')", seconds=60)
    hover(page, "#graph").click()
    page.wait("return document.body.dataset.ply === '10'")


def test_a_deal_of_the_day_with_stars_and_a_result_to_copy(page):
    page.open("game=fortress&seed=8", thinks=False)
    page.click("today")
    page.wait("return document.getElementById('deal-name').textContent.startsWith('deal of ')", seconds=60)
    seed = page.run("return new URLSearchParams(location.hash.slice(1)).get('seed')")
    today = page.run("return new Date().toLocaleDateString('sv').replaceAll('-', '')")
    assert seed.startswith(today)
    moves = [text for text, *_ in steps_of("fortress", int(seed))]
    page.load(f"game=fortress&seed={seed}&moves={','.join(moves).replace(' ', '+')}")
    page.run(CLICK, "#think")
    page.wait("return !!document.querySelector('.stars')", seconds=60)
    assert "★★★" in page.text("banner")
    name = "return document.getElementById('deal-name').textContent.includes(arguments[0])"
    page.wait(name, "proved fewest: ", seconds=60)
    page.run("navigator.clipboard.writeText = async text => { window.copied = text; }")
    page.run(CLICK, "#banner [data-do=result]")
    page.wait("return (window.copied || '').includes('★★★')")
    assert page.run("return window.copied").startswith("Fortress, deal of ")
    assert not page.browser.find_element("id", "options").is_displayed()


def test_a_score_that_cannot_rise_is_the_result(page):
    from selenium.webdriver.common.keys import Keys

    moves = ",".join(text for text, *_ in steps_of("klondike-one-pass", 6)).replace(" ", "+")
    page.open(f"game=klondike-one-pass&seed=6&moves={moves}")
    page.wait("return document.getElementById('banner').textContent.includes('Score 10 of 52')")
    assert page.run("return document.querySelectorAll('#places [aria-label*=move]').length") > 0
    node = page.node()
    press(page.browser, Keys.ESCAPE, "t")
    page.wait(CHANGED, node)
    page.wait("return document.getElementById('badge').textContent.includes('10 of 52')")
    assert not page.browser.find_element("id", "banner").is_displayed()


def test_a_lost_position_says_why(page):
    """The cards that block each other are marked, with arrows to those they wait for."""
    moves = losing_move("fortress", 8)
    variant = find_variant("fortress")
    state = variant.deal(8)
    for text in moves:
        state = variant.family.apply(state, variant.family.parse_move(state, text))
    page.open(link("fortress", moves))
    page.wait(f"{BADGE} === 'unwinnable'")
    page.click("why")
    page.wait("return !document.getElementById('reason').hidden")
    marked = page.run("return [...document.querySelectorAll('.blocks')].map(card => card.dataset.spot)")
    assert set(marked) == {"c{}/{}".format(*block.spot) for block in blocks(variant, state)}
    if marked:
        hover(page, "#reason [data-card]")
        page.wait("return !!document.querySelector('.arrows.waits')")
    page.run(CLICK, "#reason [data-do=close]")
    assert not page.run("return document.querySelector('.blocks')")


def test_an_old_link_of_joker_says_how_it_was_read(page):
    page.open("game=joker&seed=5", thinks=False)
    assert "version 1 meant exposed" in page.text("note")
    page.click("other")
    page.wait("return location.hash.includes('exchange=exposed')")
    assert not page.browser.find_element("id", "note").is_displayed()


def test_all_buttons_stay_at_twice_the_size_and_dark_reaches_the_scrollbars(page):
    page.open("game=chessboard&seed=8", thinks=False)
    touch(page.browser, page.spots("c0", 1, "c0")[0])
    assert page.run("return document.querySelectorAll('.chosen').length") == 1
    set_screen(page.browser, 640, 400, "dark")
    for name in ("theme", "deck", "new", "help", "undo", "figures"):
        element = page.browser.find_element("id", name)
        page.run("arguments[0].closest('details')?.setAttribute('open', '')", element)
        assert element.is_displayed()
    assert page.run("return document.querySelectorAll('.chosen').length") == 1
    page.run("document.documentElement.dataset.theme = 'dark'")
    assert page.run("return getComputedStyle(document.documentElement).colorScheme") == "dark"
