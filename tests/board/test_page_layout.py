"""The board on a laptop and a phone: space, the current move, wording, addresses and history."""

from pathlib import Path

import pytest
from tests.board.games import SEEDS, steps_of
from tests.browsing import set_screen
from tests.compiled import SEARCHED, needs_kernels

pytest.importorskip("uvicorn", reason="the extra 'board' is not installed")

from winnable.rules import find_variant

pytestmark = needs_kernels
FEW = ("chessboard", "joker", "klondike")
STATIC = Path(__file__).parents[2] / "board" / "static"
SIZES = [(1280, 657), (1280, 800), (390, 844), (320, 640), (768, 1024), (1920, 1080)]
BEST = "#options .sign.best"
# Whether the current move is fully visible in its list.
IS_SEEN = """
const list = document.getElementById('tree').getBoundingClientRect();
const row = document.querySelector('#tree [aria-current]').getBoundingClientRect();
return !list.height || row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
"""
HEIGHT = "return document.querySelector(arguments[0]).getBoundingClientRect().height"
# By how much the page is wider and higher than the screen.
BEYOND = """
const { scrollWidth, scrollHeight } = document.documentElement;
return [scrollWidth - innerWidth, scrollHeight - innerHeight];
"""
# Cards and places outside the table, in each position from the deal to the end of the line.
OUT_OF_PLACE = """
const done = arguments[0], out = [];
const look = async () => {
  for (;;) {
    const felt = document.getElementById('felt').getBoundingClientRect();
    for (const each of document.querySelectorAll('#table .card, #table .slot')) {
      const box = each.getBoundingClientRect();
      if (box.left < felt.left || box.right > felt.right || box.top < felt.top || box.bottom > felt.bottom) {
        out.push(`${document.body.dataset.ply} ${each.dataset.spot || each.dataset.place}`);
      }
    }
    const redo = document.getElementById('redo'), { ply } = document.body.dataset;
    if (redo.disabled) break;
    redo.click();
    while (document.body.dataset.ply === ply) await new Promise(next => setTimeout(next));
  }
  document.getElementById('restart').click();
  while (document.body.dataset.ply !== '0') await new Promise(next => setTimeout(next));
  done(out);
};
look();
"""
# Controls that are too small or whose text is cut off.
SMALL = """
const [least, isTouch] = arguments;
const controls = [...document.querySelectorAll('button, a, input, select, textarea, summary, [role=tab]')];
const how = { visibilityProperty: true, opacityProperty: true };
const isSeen = each => each.checkVisibility(how) && !each.closest('#places, #tree, .sr');
return controls.filter(isSeen).filter(each => {
  const box = (each.closest('label') || each).getBoundingClientRect();
  if (!box.width || each.matches('p a')) return false;  // a link in a sentence
  const isCut = each.matches('button') && each.scrollWidth > each.clientWidth + 1;
  return box.width < 24 || box.height < (isTouch && !each.closest('.palette') ? 40 : 24) || isCut;
}).map(each => [each.id, each.className, each.textContent, each.offsetWidth, each.offsetHeight].join());
"""


def make_best(page):
    """Make the move with the star."""
    page.wait("return !!document.querySelector(arguments[0])", BEST, seconds=60)
    node = page.node()
    page.run("document.querySelector(arguments[0]).closest('button').click()", BEST)
    page.wait("return document.body.dataset.node !== arguments[0]", node)


@pytest.mark.full
def test_a_laptop_has_space_for_hints_moves_and_graph(page):
    page.open("game=chessboard&seed=8", 1280, 657)
    page.click("hints")
    for _ in range(6):
        make_best(page)
        page.wait(IS_SEEN)
    page.wait("return !document.querySelector('.graph').hidden")
    page.wait(IS_SEEN)
    row = page.run(HEIGHT, "#options .rows button")
    assert page.run(HEIGHT, "#options .rows") >= 5 * row
    assert page.run(HEIGHT, "#options") >= 5 * row
    assert page.run(HEIGHT, "#tree") >= 3 * page.run(HEIGHT, "#tree button")
    assert page.run(HEIGHT, "#graph") >= 60
    assert page.run("return document.querySelector('.tools').getBoundingClientRect().bottom <= innerHeight")


@pytest.mark.full
def test_the_star_and_the_badge_show_one_record(page):
    page.open("game=simon-jester&seed=4102525195")
    page.click("hints")
    for _ in range(4):
        badge, star = star_and_badge(page)
        assert badge == star
        make_best(page)


@pytest.mark.full
def test_a_lost_position_offers_the_most_cards_up_where_more_can_go_up(page):
    line, wait = "return document.getElementById('line')", "return document.getElementById('badge').innerText"
    page.open("game=fortress&seed=2")
    page.wait(f"{wait}.includes('at most 3 of 52 cards can go up')")
    assert page.run(f"{line}.innerText") == "Show best"
    page.click("line")
    page.wait("return document.body.innerText.includes('1 of 12')")
    page.open("game=fortress&seed=1")
    page.wait(f"{wait}.includes('no card can go up')")
    assert page.run(f"{line}.disabled")


@pytest.mark.usefixtures("local")
@pytest.mark.full
def test_jokers_and_chances_are_told_in_words(page):
    page.open("game=joker&seed=4&mode=player&exchange=turned", 1280, 657)
    page.click("hints")
    page.wait("return document.querySelectorAll('.chances > span').length === 3", seconds=60)
    texts = "return [...document.querySelectorAll(arguments[0])].map(each => each.textContent)"
    assert page.run(texts, ".chances > span > span:first-child") == [
        "Win 15 cards",
        "Double 25 cards",
        "Triple all 52",
    ]
    for _ in range(3):
        make_best(page)
    shown = page.run("return document.body.innerText")
    assert not [text for text in ("XB", "XR", "\u00b10") if text in shown]
    assert page.run(texts, ".label").count("out of play") == 1
    find = "const [text, done] = arguments, at = new URL('static/cards.js', location);"
    script = f"{find} import(at).then(cards => done(cards.inWords(text)))"
    moves = [page.browser.execute_async_script(script, text) for text in ("XR 2-fD", "XR 2-fH", "XB 3-x")]
    assert [move.split("\u2192")[1][0] for move in moves] == ["\u2666", "\u2665", "o"]


@pytest.mark.full
def test_each_deal_is_an_entry_of_the_history(page):
    page.take_new_tab()
    page.open("game=chessboard&seed=8", thinks=False)
    before = page.run("return history.length")
    page.click("another")
    page.wait("return !location.hash.includes('seed=8&') && !location.hash.endsWith('seed=8')", seconds=60)
    assert page.run("return history.length") == before + 1
    page.run("history.back()")
    page.wait("return document.getElementById('deal-name').textContent.includes('seed 8')")


@pytest.mark.full
def test_the_rules_begin_with_the_goal(page):
    page.open("game=fortress&seed=8", thinks=False)
    page.click("help")
    parts = page.run(
        "return [...document.querySelectorAll('#rules .prose > *')].map(part => part.textContent)"
    )
    assert parts[0].startswith("One deck, ten columns")
    assert parts[1] == "Goal and end"
    assert "Fortress." not in parts


def star_and_badge(page):
    """The number of moves to the win on the badge, and the starred move with its number, read at the same
    moment."""
    return page.wait(
        "const row = document.querySelector('#options .sign.best')?.closest('button');"
        "const star = row?.querySelector('.number');"
        "const badge = document.querySelector('#badge .length:not([hidden]) b');"
        "const of = each => +(each.textContent.match(/\\d+/) || [0])[0];"
        "return star && badge && [of(badge), of(star) + 1]"
    )


@pytest.mark.full
def test_home_today_eighteen_moves_and_back(page):
    """The star and the badge agree, the current move is in view, and Back leads to the home page."""
    page.take_new_tab()
    open_home(page)
    before = page.run("return history.length")
    page.click_on("[data-do=today][value=chessboard]")
    page.wait("return document.body.dataset.ply === '0'", seconds=60)
    page.click("hints")
    for _ in range(18):
        badge, star = star_and_badge(page)
        assert badge == star
        make_best(page)
        page.wait(IS_SEEN)
    page.click("hints")
    page.wait(IS_SEEN)
    for width, height in SIZES:
        set_screen(page.browser, width, height)
        page.wait(IS_SEEN)
    assert page.run("return history.length") == before + 1
    page.run("history.back()")
    page.wait("return !document.getElementById('home').hidden && !location.hash")
    assert "move 18" in page.run("return document.querySelector('.resume').textContent")
    page.click_on(".resume")
    page.wait("return document.body.dataset.page === 'play'")
    assert page.run("return document.body.dataset.ply") == "18"


@pytest.mark.full
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_scrolls_sideways_and_a_game_not_at_all(page, theme):
    for fragment in (
        "",
        "game=chessboard&seed=8&moves=7H+6-1",
        "game=joker&seed=4&mode=player&exchange=turned",
    ):
        if fragment:
            page.open(fragment, thinks=False)
        else:
            open_home(page)
        for width, height in SIZES:
            set_screen(page.browser, width, height, theme)
            for _ in range(2 if fragment else 1):
                across, down = page.run(BEYOND)
                assert across <= 0
                assert down <= 0 or not fragment
                if fragment:
                    page.click("hints")
    open_home(page)
    set_screen(page.browser, 1280, 657, theme)
    assert page.run("return document.querySelectorAll('.home [name=game]').length") == 11
    assert page.run(
        "return [...document.querySelectorAll('.tiny')].at(-1).getBoundingClientRect().bottom <= innerHeight"
    )
    page.click_on("[data-do=edit]")
    page.wait("return document.getElementById('editor').open")
    for width, height in SIZES:
        set_screen(page.browser, width, height, theme)
        assert page.run(BEYOND)[0] <= 0


@pytest.mark.full
@pytest.mark.parametrize(
    "name", [name if name in FEW else pytest.param(name, marks=pytest.mark.slow) for name in SEARCHED]
)
def test_all_cards_are_on_the_table_in_all_positions(page, name):
    moves = ",".join(text for text, *_ in steps_of(name, SEEDS[name])).replace(" ", "+")
    page.open(f"game={name}&seed={SEEDS[name]}&moves={moves}&at=0", thinks=False)
    for width, height in [*SIZES, (740, 360)]:
        set_screen(page.browser, width, height)
        page.browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        assert page.browser.execute_async_script(OUT_OF_PLACE) == [], (width, height)


@pytest.mark.full
@pytest.mark.parametrize(("width", "height"), [(1280, 657), (320, 640), (844, 390), (768, 1024)])
def test_controls_are_large_enough(page, width, height):
    is_touch = width < 1000
    command = "Emulation.setTouchEmulationEnabled"
    page.browser.execute_cdp_cmd(command, {"enabled": is_touch})
    try:
        for fragment in (
            "game=chessboard&seed=8&moves=7H+6-1",
            "game=joker&seed=4&mode=player&exchange=turned",
        ):
            page.open(fragment, width, height)
            page.click("hints")
            page.wait("return !!document.querySelector('#options [data-text]')", seconds=60)
            assert page.run(SMALL, 24, is_touch) == []
            page.click("menu-open")
            assert page.run(SMALL, 24, is_touch) == []
        open_home(page)
        set_screen(page.browser, width, height)
        assert page.run(SMALL, 24, is_touch) == []
        page.click_on("[data-do=paste]")
        assert page.run(SMALL, 24, is_touch) == []
    finally:
        page.browser.execute_cdp_cmd(command, {"enabled": False})


@pytest.mark.full
def test_a_table_typed_by_rows_is_read_so_once_one_says_so(page):
    deal = find_variant("fortress").deal(9)
    columns = [line.split() for line in str(deal).splitlines() if not line.startswith("#")]
    rows = [" ".join(column[i] for column in columns if i < len(column)) for i in range(6)]
    open_home(page)
    page.click_on("[data-do=paste]")
    page.run("document.getElementById('text').value = arguments[0]", "# game: fortress\n" + "\n".join(rows))
    page.click("deal")
    page.wait("return !document.getElementById('by-rows').hidden")
    assert "6 lines of up to 10 cards: this looks typed by rows." in page.text("by-rows")
    page.click_on("[data-do=rows]")
    page.wait("return document.body.dataset.node === '0' && !document.getElementById('start').open")
    assert page.text("title") == "Fortress"
    cards = "[...document.querySelectorAll('.card[data-spot^=\"c0/\"]')]"
    assert page.run(f"return {cards}.map(card => card.dataset.name).sort()") == sorted(columns[0])


@pytest.mark.full
@pytest.mark.parametrize(("width", "height"), [(320, 640), (1280, 657)])
def test_hints_with_long_moves_are_not_cut_off(page, width, height):
    page.open("game=joker&seed=4&exchange=turned", width, height)
    page.click("hints")
    page.wait(
        "return document.querySelector('#options li:first-child .number')?.textContent.includes(' in ')"
    )
    page.wait("return !document.querySelector('#options .unknown')", seconds=60)
    rows = "return [...document.querySelectorAll('#options .rows button')].map("
    assert max(page.run(f"{rows} row => row.scrollWidth - row.clientWidth)")) <= 0


@pytest.mark.full
@pytest.mark.parametrize("name", ["klondike", "joker"])
def test_what_is_to_do_in_the_editor_is_in_view_on_a_small_phone(page, name):
    page.open("game=chessboard&seed=8", 320, 640, thinks=False)
    page.run("location.hash = arguments[0]", f"#edit={name}")
    page.wait("return document.querySelector('#editor .told')?.textContent.startsWith('28 more places')")
    seen = """
      const box = document.querySelector('#editor .told').getBoundingClientRect();
      return [box.top + 2, box.bottom - 2].map(y => document.elementFromPoint(box.left + 9, y).className);
    """
    assert page.run(seen) == ["told soft"] * 2


def test_back_leaves_the_editor_and_then_the_page_of_games(page):
    page.open("game=chessboard&seed=8&moves=7H+6-1", thinks=False)
    page.click("new")
    page.click_on("[data-do=edit]")
    page.wait("return location.hash.startsWith('#edit=') && document.getElementById('editor').open")
    page.run("history.back()")
    page.wait("return !document.getElementById('editor').open && !location.hash")
    assert not page.run("return document.getElementById('home').hidden")
    page.run("history.back()")
    page.wait("return location.hash.includes('seed=8') && document.body.dataset.page === 'play'")
    assert page.run("return document.body.dataset.ply") == "1"
    page.click("edit")
    page.wait("return location.hash.startsWith('#edit=') && document.getElementById('editor').open")
    page.run("document.querySelector('#editor [data-do=leave]').click()")
    page.wait("return location.hash.includes('seed=8') && !document.getElementById('editor').open")


@pytest.mark.full
def test_a_phone_has_tabs_that_close(page):
    page.open("game=chessboard&seed=8&moves=7H+6-1", 390, 844)
    height = page.run(HEIGHT, "#felt")
    page.click("hints")
    page.wait("return !!document.querySelector('#options .sign.best')", seconds=60)
    assert page.run(HEIGHT, "#felt") < height
    page.click("tab-moves")
    assert page.browser.find_element("id", "tree").is_displayed()
    page.click("tab-hints")
    page.click("tab-hints")
    assert not page.browser.find_element("css selector", "#options .rows").is_displayed()
    page.click_on(".then:not(.lost) button")
    page.wait("return document.body.dataset.ply === '2'")
    page.click("today")
    page.wait("return document.getElementById('deal-name').textContent.startsWith('deal of ')", seconds=60)


# The width of a card, the height of a strip, and the share of the table above the lowest card.
USED = """
const felt = document.getElementById('felt').getBoundingClientRect();
const cards = [...document.querySelectorAll('#table .card[data-spot^=c]')];
const boxes = cards.map(each => each.getBoundingClientRect());
const at = spot => document.querySelector(`.card[data-spot="${spot}"]`).getBoundingClientRect();
return [boxes[0].width, at('c0/1').top - at('c0/0').top,
  (Math.max(...boxes.map(box => box.bottom)) - felt.top) / felt.height];
"""


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("name", "width", "height", "least", "used"),
    [
        ("simon-jester", 390, 844, (28, 28), 0.5),
        ("simon-jester", 1920, 1080, (90, 60), 0.65),
        ("chessboard", 390, 844, (34, 22), 0.35),
        ("chessboard", 1920, 1080, (110, 78), 0.55),
    ],
)
def test_cards_and_strips_fill_the_table(page, name, width, height, least, used):
    page.open(f"game={name}&seed=17", width, height, thinks=False)
    card, strip, share = page.run(USED)
    assert (card >= least[0], strip >= least[1], share >= used) == (True,) * 3, (card, strip, share)
    assert page.run(BEYOND) == [0, 0]


@pytest.mark.full
def test_strips_hold_still_while_a_column_grows_a_little(page):
    page.open("game=chessboard&seed=8", 1280, 800, thinks=False)
    before = page.run(USED)[:2]
    page.click_move("c0", 1, "c5")
    page.wait("return document.body.dataset.ply === '1'")
    assert page.run(USED)[:2] == before


@pytest.mark.full
def test_what_hints_cost_is_said_before_they_are_used(page):
    page.open("game=chessboard&seed=8", 390, 844, thinks=False)
    assert page.run("return document.getElementById('panel').dataset.closed === ''")  # it takes no space
    told = "is not counted as won without help"
    for fragment in ("game=chessboard&seed=8", "game=joker&seed=4", "game=joker&seed=4&mode=player"):
        page.open(fragment, thinks=False)
        assert told in page.text("advice")
        assert told in page.run("return document.getElementById('hints').title")
        assert page.browser.find_element("id", "advice").is_displayed()
        page.click("hints")
        assert "counts as won with help" in page.text("say")
        assert not page.browser.find_element("id", "advice").is_displayed()


@pytest.mark.full
@pytest.mark.parametrize("is_touched", [True, False])
def test_a_screen_that_is_touched_says_tap(page, is_touched):
    command = "Emulation.setTouchEmulationEnabled"
    page.browser.execute_cdp_cmd(command, {"enabled": is_touched})
    try:
        page.open("game=chessboard&seed=8", 390, 844, thinks=False)
        page.click("help")
        told = page.text("say") + page.text("rules")
        assert ("tap it" in told, "click it" in told) == (is_touched, not is_touched)
        assert ("tap them" in told, "click them" in told) == (is_touched, not is_touched)
    finally:
        page.browser.execute_cdp_cmd(command, {"enabled": False})


@pytest.mark.full
def test_the_dialog_of_a_deal_has_its_buttons_beside_its_title(page):
    page.open("game=joker&seed=4", 390, 844, thinks=False)
    page.click("new")
    assert page.run("const bar = document.querySelector('.top'); return bar.scrollWidth <= bar.clientWidth")
    page.run("document.querySelector('[name=game][value=joker]').click()")
    tops = "return [...document.querySelectorAll('#start h2 button')].map(each => each.offsetTop)"
    assert len(set(page.run(tops))) == 1
    set_screen(page.browser, 768, 1024)
    assert page.run(
        "const box = document.getElementById('start'); return box.scrollHeight <= box.clientHeight"
    )


@pytest.mark.full
def test_the_button_of_a_new_game_is_centred_on_a_phone(page):
    page.open("game=chessboard&seed=8", 390, 844, thinks=False)
    above, below = page.run(
        "const own = document.getElementById('new').getBoundingClientRect();"
        "const text = document.querySelector('#new span').getBoundingClientRect();"
        "return [text.top - own.top, own.bottom - text.bottom]"
    )
    assert page.browser.find_element("id", "new").text == "New"
    assert abs(above - below) <= 2


INK = "return getComputedStyle(document.querySelector(arguments[0])).color"


@pytest.mark.full
def test_the_card_of_a_joker_and_the_editor_have_the_colour_of_other_texts(page):
    page.open("game=joker&seed=4", 390, 844, thinks=False)
    page.click_move("c3", 1, "c3")
    page.wait("return !document.getElementById('joker-card').hidden")
    assert page.run(INK, "#joker-card h2") == page.run(INK, "#title")
    page.run("location.hash = '#edit=joker'")
    page.wait("return document.querySelector('.told')?.textContent.includes('28 more places')")
    assert page.run(INK, "#editor .foot .acts button:last-child") == page.run(INK, "#title")


def open_home(page):
    """The page of the games in a browser that has stored nothing."""
    page.browser.get(page.address + "static/closed.html")
    page.run("localStorage.clear(); sessionStorage.clear()")
    set_screen(page.browser, 1280, 657)
    page.browser.get("about:blank")
    page.browser.get(page.address)
    page.wait("return !!document.querySelector('.home .tile')", seconds=60)


@pytest.mark.usefixtures("local")
def test_the_page_is_small():
    files = [path for path in STATIC.iterdir() if path.suffix in (".js", ".css", ".html", ".svg")]
    assert sum(path.stat().st_size for path in files) <= 400_000
