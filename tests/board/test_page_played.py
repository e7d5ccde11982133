"""The page as players see it: goals, words, hints, new games, rules, results, reasons."""

from contextlib import suppress

import pytest
from tests.board.games import CHANGED, JOKERS, SHOWN, steps_of, with_detour
from tests.board.talks import losing_move
from tests.browsing import press, set_screen, touch
from tests.compiled import SEARCHED, needs_kernels

pytest.importorskip("uvicorn", reason="the extra 'board' is not installed")

from winnable.board.editor import check
from winnable.game.places import drop_places, source_of
from winnable.rules import find_variant
from winnable.rules.cards import format_card
from winnable.solver.analysis.blocking import blocks

pytestmark = [needs_kernels, pytest.mark.full]
CLICK = "document.querySelector(arguments[0]).click()"
BADGE = "return document.getElementById('badge').dataset.kind"
ROWS = "return [...document.querySelectorAll('#options [data-text]')].map(row => row.dataset.text)"


def link(name, moves, **more):
    """The address fragment of deal 8 of a game after ``moves``."""
    fields = "".join(f"&{key}={value}" for key, value in more.items())
    return f"game={name}&seed=8{fields}&moves={','.join(moves).replace(' ', '+')}"


def hover(page, selector):
    """Move the mouse over an element, again if it was redrawn meanwhile."""
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
    assert "Winnable" in page.run(shown)
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
    assert sorted(names) == sorted(SEARCHED)
    page.run(CLICK, "[name=game][value=simple-simon]")
    page.run(CLICK, "[name=deal][value=random]")
    page.click("deal")
    page.wait("return document.getElementById('title').textContent === 'Simple Simon'")


def test_what_needs_a_game_waits_for_one(page):
    from selenium.webdriver.common.keys import Keys

    page.browser.get(page.address + "static/closed.html")
    page.run("localStorage.clear(); sessionStorage.clear()")
    page.browser.get(page.address)
    page.wait("return !document.getElementById('home').hidden")
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
    page.wait("return document.activeElement.id === 'menu-open'")


TOLD = "return document.querySelector('#editor .told').textContent.replaceAll('\\ufe0e', '').trim()"
SETTLED = f"{TOLD} !== 'Checking ...'"
# Whether the glowing place is inside the table, and whether the table may be opened.
EDITED = """
const box = document.querySelector('#editor .spot.here').getBoundingClientRect();
const felt = document.querySelector('#editor .felt').getBoundingClientRect();
return [box.top >= felt.top && box.bottom <= felt.bottom && box.left >= felt.left && box.right <= felt.right,
        !document.querySelector('#editor [data-do=open]').disabled,
        document.querySelector('#editor textarea').value];
"""


def lay_out(page, name, width=1280, height=800):
    """The empty editor of a game."""
    page.open("game=fortress&seed=8", width, height, thinks=False)
    page.run("location.hash = arguments[0]", f"#edit={name}")
    page.wait("return document.getElementById('editor').open")
    page.wait(SETTLED)


@pytest.mark.parametrize("name", ["joker", "chessboard", "simon-jester", "klondike-one-pass"])
@pytest.mark.parametrize("size", [(1280, 657), (390, 844), (320, 640)])
def test_a_table_can_be_opened_exactly_when_the_server_accepts_it(page, name, size):
    """While cards are placed one after the other, the glowing place stays in view."""
    lay_out(page, name, *size)
    variant = find_variant(name)
    state = variant.deal(4)
    columns = [[format_card(card) for card in column] for column in state.columns]
    if variant.has_stock:
        columns = [["?"] * (len(column) - 1) + column[-1:] for column in columns]
    cards = [card for column in columns for card in column]
    for number, card in enumerate(cards, 1):
        press(page.browser, *card)
        if number % 13 and number < len(cards) - 1:
            continue
        page.wait(SETTLED)
        is_seen, is_open, text = page.run(EDITED)
        assert is_seen, number
        assert is_open is check(variant, text)["ok"] is (number == len(cards)), text
    page.run(CLICK, "#editor [data-do=open]")
    page.wait("return !document.getElementById('editor').open && location.hash.includes('deal=')")
    shown = page.run(SHOWN)
    assert set(shown) >= {card for card in cards if card != "?"}


def test_a_table_is_typed_over_the_usual_layout(page):
    """The table has a joker, unknown cards, a known face-down card, a foundation, and a stock."""
    lay_out(page, "joker")
    where = "return document.querySelector('#editor .where').textContent.replaceAll('\\ufe0e', '')"
    press(page.browser, *"6h?8s??jc???xb??")
    page.wait(f"{TOLD} === '16 more places; the other 26 cards are the stock, in unknown order.'")
    assert page.run(where) == "Column 5, card 3 of 5 12 of 28 placed, 8 unknown"
    press(page.browser, *"8s")
    assert page.run(TOLD) == "8♠ lies in column 2 already."
    assert page.run("return document.querySelector('#editor .spot.here').dataset.place") == "c1"
    page.run(CLICK, "#editor [data-do=rest]")
    page.wait(f"{TOLD} === 'The top of column 5 lies face up: name it.'")
    assert page.run("return document.querySelector('#editor [data-do=open]').disabled")
    press(page.browser, *"2cjh3d")
    page.wait(f"{TOLD} === 'Complete: 26 cards are left for the stock, in unknown order.'")
    page.run(CLICK, "#editor [data-place=c6][data-depth='0']")
    page.run(CLICK, "#editor [data-do=down]")
    press(page.browser, *"kd")
    page.wait("return document.querySelector('#editor textarea').value.includes('<KD> <??>')")
    page.run(CLICK, "#editor [data-place=stock]")
    press(page.browser, *"9d")
    page.wait("return /Stock: 9D( \\?\\?){25}/.test(document.querySelector('#editor textarea').value)")
    page.run(CLICK, "#editor [data-place=fS]")
    press(page.browser, *"9c")
    assert page.run(TOLD) == "This foundation is for spades."
    press(page.browser, *"as")
    page.wait("return /Foundations: S-A/.test(document.querySelector('#editor textarea').value)")
    page.wait(SETTLED)
    page.wait("return !document.querySelector('#editor [data-do=open]').disabled")
    page.run(CLICK, "#editor [data-do=open]")
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
    page.wait("return +document.body.dataset.ply > 5 && +document.body.dataset.ply < 15")


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
    assert "★★★" in page.text("end")
    name = "return document.getElementById('deal-name').textContent.includes(arguments[0])"
    page.wait(name, "proved fewest: ", seconds=60)
    page.run("navigator.clipboard.writeText = async text => { window.copied = text; }")
    page.run(CLICK, "#end [data-do=share]")
    page.wait("return (window.copied || '').includes('★★★')")
    assert page.run("return window.copied").startswith("winnable: Fortress, deal of ")
    assert not page.browser.find_element("id", "options").is_displayed()


def test_a_score_that_cannot_rise_is_the_result(page):
    moves = ",".join(text for text, *_ in steps_of("klondike-one-pass", 6)).replace(" ", "+")
    page.open(f"game=klondike-one-pass&seed=6&moves={moves}")
    page.wait("return document.getElementById('end').textContent.includes('No win: 10 of 52 cards up')")
    assert page.run("return document.querySelectorAll('#places [aria-label*=move]').length") > 0
    assert page.run("return document.querySelectorAll('#end .ladder li').length") == 3
    assert "No more cards can go up from here, proved." in page.text("end")
    assert "Nobody could reach more from this deal." in page.text("end")
    node = page.node()
    press(page.browser, "t")
    page.wait(CHANGED, node)
    page.wait("return document.getElementById('badge').textContent.includes('10 of 52')")
    assert page.browser.find_element("id", "end").is_displayed()


def test_a_won_game_lists_the_moves_that_cost_more(page):
    moves, number = with_detour("fortress", 8)
    page.open(link("fortress", moves))
    page.wait("return !!document.querySelector('#end .rows button')", seconds=60)
    least = len(moves) - 2
    assert f"You needed {len(moves)} moves; {least} is the fewest possible, proved." in page.text("end")
    assert "Won without hints." in page.text("end")
    assert not page.browser.find_element("id", "options").is_displayed()
    rows = page.run("return [...document.querySelectorAll('#end .rows li')].map(row => row.textContent)")
    assert len(rows) == 1
    assert rows[0].startswith(f"Move {number} ")
    assert rows[0].endswith("2 moves longer")
    page.run(CLICK, "#end .rows button")
    page.wait("return document.body.dataset.ply === arguments[0]", str(number))
    assert not page.browser.find_element("id", "end").is_displayed()


def test_a_lost_game_says_where_and_goes_back_there(page):
    """The page shows the move that lost the win and one that still wins, and goes back to the position
    before."""
    page.open(link("chessboard", ["6D 3-7", "7H 6-f", "9S 4-2"]))
    page.wait("return document.querySelectorAll('#end .rows button').length === 2", seconds=60)
    told = page.text("end").replace("\ufe0e", "")
    assert "Lost: no move is left" in told
    assert "The win was lost at move 2. It could still be won in " in told
    assert "Played 7♥ to its foundation makes the deal unwinnable" in told
    assert "Kept it " in told
    page.run(CLICK, "#end [data-do=back]")
    page.wait("return document.body.dataset.ply === '1'")
    assert page.run("return document.getElementById('end').hidden")
    page.click("redo")
    page.wait("return document.body.dataset.ply === '2'")


def test_a_game_that_was_stopped_shows_what_was_possible(page):
    page.open("game=joker&seed=4&mode=player&exchange=turned")
    page.click_move("p0", 1, "p1")
    page.wait("return document.body.dataset.ply === '1'")
    page.click("finish")
    page.wait("return document.getElementById('end').textContent.includes('could have gone up')", seconds=60)
    assert "No win: 0 of 52 cards up" in page.text("end")
    assert "With all cards known, all 52 could have gone up from here, in " in page.text("end")
    page.run(CLICK, "#end [data-do=line]")
    page.wait("return !document.getElementById('viewer').hidden")
    assert page.run("return document.getElementById('end').hidden")


def test_a_deal_without_a_win_names_no_tier(page):
    """10 cards can still go up after a move that gave up 3 more."""
    moves = "KC+s-w,AC+s-w,7S+s-w,6C+s-w,9D+s-w"
    page.open(f"game=klondike-one-pass&seed=77&mode=player&moves={moves}")
    page.click("finish")
    page.wait("return document.getElementById('end').textContent.includes('From the deal')", seconds=60)
    assert "From the deal 13 cards could be reached." in page.text("end")


def test_a_lost_position_says_why(page):
    """The blocking cards are marked, with arrows to the cards that they wait for. Escape closes that."""
    from selenium.webdriver.common.keys import Keys

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
    page.click("why")
    page.wait("return !document.getElementById('reason').hidden")
    press(page.browser, Keys.ESCAPE)
    assert page.run("return document.getElementById('reason').hidden")


def test_a_link_without_a_rule_option_is_opened_without_a_note(page):
    page.open("game=joker&seed=5", thinks=False)
    assert not page.browser.find_element("id", "note").is_displayed()


PLACE = "document.querySelector('#viewer .place').textContent"


def test_a_line_is_played_and_paused(page):
    """By its button and by the space bar; it stops at its end, and goes on from its start."""
    from selenium.webdriver.common.keys import Keys

    page.open("game=fortress&seed=8")
    page.wait(f"{BADGE} === 'winnable'")
    page.click("line")
    page.wait("return !document.getElementById('viewer').hidden")
    button = "#viewer [data-do=play]"
    label = f"return document.querySelector('{button}').textContent.trim()"
    assert page.run(f"return {PLACE}").startswith("1 of ")
    assert page.run(label) == "Play"
    page.click_on(button)
    assert page.run(label) == "Pause"
    page.wait(f"return {PLACE}.startsWith('3 of ')")
    page.run("document.activeElement.blur()")
    press(page.browser, Keys.SPACE)
    assert page.run(label) == "Play"
    press(page.browser, Keys.END)
    total = page.run(f"return {PLACE}").partition(" of ")[2]
    press(page.browser, Keys.ARROW_LEFT, Keys.SPACE)
    page.wait(f"return {PLACE} === arguments[0]", f"{total} of {total}")
    assert page.run(label) == "Play"
    press(page.browser, Keys.SPACE)
    assert page.run(f"return {PLACE}").startswith("0 of ")
    assert page.run(label) == "Pause"
    press(page.browser, Keys.ESCAPE)
    assert page.run("return document.getElementById('viewer').hidden")


@pytest.mark.usefixtures("local")
def test_moves_are_told_in_words_before_codes(page):
    """The column that a card leaves is named where two cards of that name may go to the same place."""
    page.open("game=chessboard&seed=8")
    page.click("hints")
    page.wait("return document.querySelectorAll('#options [data-text]').length > 0")
    rows = (
        "return [...document.querySelectorAll('#options [data-text]')]"
        ".map(row => [row.dataset.text, row.children[1].textContent])"
    )
    told = {move: words.replace("\ufe0e", "") for move, words in page.run(rows)}
    assert told["6H 1-6"] == "6\u2665 to column 6"
    assert "5\u2666 to its foundation" in told.values()
    words = page.browser.execute_async_script(
        "const done = arguments[0]; import(new URL('static/looks.js', location)).then(looks => done(["
        " ['8S 4-5', '', true], ['2H w-3'], ['XR 2-fD', '7'], ['XB 3-x'], ['XB 3=T'], ['AS s-w']"
        "].map(move => looks.moveInWords(...move))))"
    )
    assert words == [
        "8S from column 4 to column 5",
        "2H to column 3",
        "XR to the foundation of \u2666\ufe0e as 7",
        "XB out of play",
        "XB is 10",
        "AS turned",
    ]


def test_all_buttons_stay_at_twice_the_size_and_dark_reaches_the_scrollbars(page):
    page.open("game=chessboard&seed=8", thinks=False)
    touch(page.browser, page.spots("c0", 1, "c0")[0])
    assert page.run("return document.querySelectorAll('.chosen').length") == 1
    set_screen(page.browser, 640, 400, "dark")
    page.click("menu-open")
    for name in ("theme", "deck", "new", "help", "undo", "figures"):
        assert page.browser.find_element("id", name).is_displayed()
    assert page.run("return document.querySelectorAll('.chosen').length") == 1
    page.run("document.documentElement.dataset.theme = 'dark'")
    assert page.run("return getComputedStyle(document.documentElement).colorScheme") == "dark"


WITH_JOKERS = f"game=joker&seed=55&exchange=turned&moves={JOKERS.replace(' ', '+')}"
BUTTONS = (
    "return [...document.querySelectorAll('#joker-card [data-text]')].map(button => button.dataset.text)"
)
# The highlighted targets, and those of them that the joker's card covers.
COVERED = """
const card = document.getElementById('joker-card').getBoundingClientRect();
const lit = [...document.querySelectorAll('.card.legal, .slot.legal')];
const covers = ({ left, right, top, bottom }) =>
  left < card.right && right > card.left && top < card.bottom && bottom > card.top;
return [lit.map(one => (one.dataset.spot || one.dataset.place).split('/')[0]).sort(),
        lit.filter(one => covers(one.getBoundingClientRect())).length,
        card.left >= 0 && card.top >= 0 && card.right <= innerWidth && card.bottom <= innerHeight];
"""


def after(name, seed, moves, **choices):
    """The position after ``moves``."""
    variant = find_variant(name)
    state = variant.deal(seed, choices=choices)
    for text in moves:
        state = variant.family.apply(state, variant.family.parse_move(state, text))
    return state


@pytest.mark.parametrize("source", ["c4", "p1"])
def test_a_click_on_a_joker_explains_it_and_offers_all_its_moves(page, source):
    from selenium.webdriver.common.keys import Keys

    state = after("joker", 55, JOKERS.split(","), exchange="turned")
    moves = [
        move for move in find_variant("joker").family.legal_moves(state) if source_of(state, move) == source
    ]
    texts = {find_variant("joker").family.format_move(state, move) for move in moves}
    places = sorted(place for move in moves for place in drop_places(state, move) if place != source)
    for width, height in ((1000, 700), (1280, 657), (1920, 1080)):
        page.open(WITH_JOKERS, width, height, thinks=False)
        page.click_move(source, 1, source)
        assert set(page.run(BUTTONS)) == texts, "a button each, and no other"
        assert page.run(COVERED) == [places, 0, True], (width, height)
    told = page.text("joker-card")
    if source == "c4":
        assert "Black joker" in told
        assert "May be any black card not yet on the table. Here it fits now:" in told
        assert "7on 8♦, column 4" in told.replace("\ufe0e", "")
        assert "2on the foundation of spades" in told
        ranks = page.run("return [...document.querySelectorAll('#joker-card .ranks button:enabled')].length")
        assert ranks == sum(move.rank is not None for move in moves)
        tags = page.run("return [...document.querySelectorAll('.tag')].map(tag => tag.textContent).sort()")
        assert tags == ["as 2", "as 2", "as 7", "as A", "as A", "as K"]
    assert "it stays out to the end" in told
    assert not page.run("return /\\bX[BR]\\b/.test(document.body.innerText)")
    press(page.browser, Keys.ESCAPE)
    assert page.run("return document.getElementById('joker-card').hidden")
    assert not page.run("return document.querySelector('.tag, .chosen')")


def test_the_card_of_a_joker_moves_and_names_it(page):
    """By a button of the joker's card, by a click on a target, and on a phone's sheet."""
    shown = "return document.querySelector('#tree [aria-current]').textContent.replaceAll('\\ufe0e', '')"
    press_button = 'document.querySelector(`#joker-card [data-text="${arguments[0]}"]`).click()'
    for text, told in (("XB 5-4", "★ 5→4 as 7"), ("XB 5-fS", "★ 5→♠ as 2"), ("XB 5=T", "★ is 10")):
        page.open(WITH_JOKERS, thinks=False)
        node = page.node()
        page.click_move("c4", 1, "c4")
        page.run(press_button, text)
        page.wait(CHANGED, node)
        assert page.made()[-1] == text
        assert told in page.run(shown)
    page.open(WITH_JOKERS, thinks=False)
    node = page.node()
    page.click_move("c4", 1, "p2")
    page.wait(CHANGED, node)
    assert page.made()[-1] == "XB 5-f"
    page.open(WITH_JOKERS, 390, 844, thinks=False)
    touch(page.browser, page.spots("c4", 1, "c4")[0])
    page.wait("return document.getElementById('joker-card').classList.contains('foot')")
    left, right = page.run(
        "const { left, right } = document.getElementById('joker-card').getBoundingClientRect();"
        "return [left, right]"
    )
    assert (left, right) == (6, 384)
