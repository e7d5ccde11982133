"""Games with hidden cards in a real browser, from their deal to their end."""

import re
from urllib.parse import quote_plus

import pytest
from tests.board.games import CHANGED, REDEALS, SEEDS, play, steps_of
from tests.board.page import Page
from tests.browsing import press, touch
from tests.compiled import needs_kernels

pytest.importorskip("uvicorn", reason="the extra 'board' is not installed")

from winnable.rules import VARIANTS, find_variant
from winnable.rules.tables import hidden
from winnable.solver import solve
from winnable.solver.player.chances import chances_of_tiers

pytestmark = [needs_kernels, pytest.mark.full]

BADGE = "return document.getElementById('badge').textContent"
CARDS = "return document.querySelectorAll('.card').length"


def won(page, name, make, **screen):
    """Play a hidden game to its win, making each move by ``make``."""
    steps = steps_of(name, seed := SEEDS[name])
    choices = find_variant(name).deal(seed).choices
    draws = sum(source == "p0" for _, source, *_ in steps)
    assert (draws > 24 // choices.cards_drawn) == (choices.most_passes != 1), "or no redeal is played"
    page.open(f"game={name}&seed={seed}&mode=player", thinks=False, **screen)
    assert "hidden cards" in page.text("deal-name")
    play(page, steps, make)
    assert page.made() == [text for text, *_ in steps]
    assert page.run("return document.querySelectorAll('.card[data-spot^=c]').length") == 0
    assert f"You needed {len(steps)} moves" in page.text("end")
    page.run("document.querySelector('#end [data-do=finish]').click()")
    page.wait("return document.getElementById('finish').hidden")
    assert "Won" in page.text("end")


def tap(page, source, count, target, spots=None):
    first, last = spots or page.spots(source, count, target)
    for place in [first, last][: 1 if source == "p0" else 2]:
        touch(page.browser, place)


@pytest.mark.parametrize("name", REDEALS)
def test_a_hidden_game_is_won_by_clicks_or_by_touch(page, name):
    if name in ("klondike", "klondike-vegas-one"):
        won(page, name, tap, width=390, height=844)
    else:
        won(page, name, Page.click_move)


@pytest.mark.parametrize("name", REDEALS)
def test_the_form_as_it_is_preselected_deals_a_game_that_can_be_played(page, name):
    page.open("game=chessboard&seed=8", thinks=False)
    page.click("new")
    page.run("document.querySelector('[name=game][value=' + arguments[0] + ']').click()", name)
    assert page.run("return document.querySelector('[name=deal]:checked').value") == "winnable"
    assert page.run("return document.getElementById('mode').value") == "player"
    page.click("deal")
    page.wait("return document.getElementById('deal-name').textContent.includes('hidden cards')")
    for number in (1, 2):
        page.click_move("p0", 1, "p1")
        page.wait("return document.body.dataset.ply === arguments[0]", str(number))
    assert page.run("return document.querySelectorAll('.card[data-spot^=p1]').length") in (2, 6)


@pytest.mark.parametrize("name", [*REDEALS, "joker"])
def test_a_game_that_is_given_up_shows_its_cards(page, name):
    """The game is stopped after a whole pass through the stock and, where that is allowed, part of
    another."""
    page.open(f"game={name}&seed=5&mode=player")
    state, draws = find_variant(name).deal(5), 26
    if name == "joker":
        page.click("hints")
    else:
        draws = 24 // state.choices.cards_drawn + (0 if state.choices.most_passes == 1 else 2)
    for number in range(1, draws + 1):
        press(page.browser, "t")
        page.wait("return document.body.dataset.ply === arguments[0]", str(number))
    down = "return document.querySelectorAll('.card.down[data-spot^=c]').length"
    assert page.run(down) == 21
    if name == "joker":
        page.wait("return !document.getElementById('badge').classList.contains('busy')", seconds=90)
    page.click("finish")
    page.wait("return document.getElementById('finish').hidden")
    assert page.run(CARDS) == len(state.deck.cards())
    assert page.run("return document.getElementById('peek').checked")
    told = page.text("end")
    assert ("No win: 0 of 52 cards up" if name == "joker" else f"Stopped after {draws} moves") in told
    assert page.run("return document.getElementById('end').dataset.kind") == "lost"
    assert page.run("return [...document.querySelectorAll('.card')].every(card => card.textContent)")
    page.wait("return document.getElementById('badge').dataset.kind !== 'searching'", seconds=90)
    page.run("document.querySelector('#end [data-do=restart]').click()")
    page.wait("return document.body.dataset.ply === '0' && document.getElementById('end').hidden")


def test_a_hidden_game_is_judged_by_what_was_seen(page):
    """Draws alone lose what moves to the foundations would have kept. Judging is stopped by a move."""
    page.open("game=joker&seed=5&mode=player", thinks=False)
    for number in range(1, 27):
        press(page.browser, "t")
        page.wait("return document.body.dataset.ply === arguments[0]", str(number))
    page.click("finish")
    page.wait("return !!document.querySelector('#end [data-do=judge]')")
    page.run("document.querySelector('#end [data-do=judge]').click()")
    page.wait("return /^Judging/.test(document.getElementById('fair').textContent)")
    page.click("undo")
    page.wait("return document.getElementById('fair').hidden")
    page.click("redo")
    page.wait("return !document.getElementById('end').hidden")
    page.run("document.querySelector('#end [data-do=judge]').click()")
    page.wait("return /Lost by play: [1-9]/.test(document.getElementById('fair').textContent)", seconds=90)
    assert "after move" in page.text("fair")
    marked = "return [...document.querySelectorAll('#fair [data-node]')].map(each => each.dataset.node)"
    words = "return [...document.querySelectorAll('#tree button:has(em.bad)')].map(each => each.dataset.node)"
    assert page.run(words) == page.run(marked) != []
    page.run("document.querySelector('#fair [data-node]').click()")
    page.wait("return document.body.dataset.node === arguments[0]", page.run(marked)[0])
    page.run("document.querySelector('#fair [data-do=close]').click()")
    assert page.run("return document.getElementById('fair').hidden")


@pytest.mark.parametrize("seed", range(3))
def test_what_is_not_weighed_is_said_to_be_so(page, seed):
    """While the stock is unknown only one continuation is advised, and hints say why."""
    page.open(f"game=klondike&seed={seed}&mode=player")
    page.wait(f"{BADGE}.includes('The next move costs nothing')")
    assert "No estimate yet" in page.text("badge")
    page.click("hints")
    page.wait("return document.getElementById('options').textContent.includes('costs nothing')")
    page.wait("return !!document.querySelector('.arrows')")
    page.wait("return !document.getElementById('badge').classList.contains('busy')")
    weighed = "return document.querySelectorAll('#options .tiers b').length > 0"
    reason = "return document.querySelector('#options [data-text] small')?.textContent"
    reasons = []
    while not page.run(weighed):
        reasons.append(page.run(reason))
        page.run("document.querySelector('#options [data-text]').click()")
        page.wait("return document.body.dataset.ply === arguments[0]", str(len(reasons)))
        page.wait("return !!document.querySelector('#options [data-text]')")
        page.wait("return /costs|cannot|%/.test(document.getElementById('options').textContent)")
    assert sum("costs nothing" in text for text in reasons) == 8
    page.wait(f"{BADGE}.includes('all 52')")
    page.wait("return document.querySelectorAll('#options .tiers b').length > 0")
    assert page.run("return document.querySelector('#options .heads').textContent") == "% win"


def test_another_game_is_opened_from_a_hidden_one_with_hints(page):
    page.open("game=klondike&seed=1&mode=player")
    page.click("hints")
    page.wait("return document.getElementById('options').textContent.includes('costs nothing')")
    node = page.node()
    press(page.browser, "t")
    page.wait(CHANGED, node)
    page.click("new")
    page.run("document.querySelector('[name=game][value=chessboard]').click()")
    page.run("document.querySelector('[name=deal][value=random]').click()")
    page.click("deal")
    page.wait("return !document.getElementById('start').open")
    assert page.text("title") == "Chessboard"
    rows = "document.querySelectorAll('#options .rows button').length > 2"
    lost = "!!document.querySelector('#options [data-all]')"  # then one row says so
    page.wait(f"return {rows} || {lost}")


@pytest.mark.usefixtures("local")
def test_the_star_stays_where_two_lines_begin_with_one_move(page):
    """If two lines begin with one move, its row has the star, also while rows hold still under the focus."""
    page.open("game=joker&seed=4&mode=player&exchange=turned", thinks=False)
    page.click("hints")
    stars = page.browser.execute_async_script(
        "const done = arguments[0]; import(new URL('static/panel.js', location)).then(({ Options }) => {"
        " const box = document.createElement('section');"
        " box.innerHTML = '<h2>Moves <small></small></h2><ul class=\"rows\"></ul>'"
        "  + '<p class=\"then lost\"><span></span><button></button></p>'"
        "  + '<p class=\"then\"><span></span><button></button></p>'; document.body.append(box);"
        " const options = new Options(box, () => {}), play = { mark() {} }, tiers = {};"
        " const table = { table: document.createElement('div'), zones: new Map(), elements: [] };"
        " tiers.win = { probability: .9, error: .01, low: .88, high: .92 };"
        " const entry = (...moves) => ({ moves, visits: 9, tiers, reason: null });"
        " const position = { node: 7, moves: [], over: null };"
        " position.moves.push({ text: '6H 1-2', source: 'c0', target: 'c0' });"
        " position.picture = { score: null }; options.isOn = true; const draw = (...advice) => {"
        "  options.chances = { advice }; "
        "  options.draw({ position, rules: { tiers: {} }, isSeen: true, table, play }); };"
        " draw(entry('8S 2-3'), entry('6H 1-2')); box.querySelector('ul button').focus();"
        " draw(entry('6H 1-2', '8S 2-3'), entry('8S 2-3'), entry('6H 1-2', 'JC 3-4'));"
        " const rows = [...box.querySelectorAll('[data-text]')]; box.remove();"
        " done(rows.filter(row => row.querySelector('.best')).map(row => row.dataset.text)); })"
    )
    assert stars == ["6H 1-2"]


def test_a_hidden_game_in_which_nothing_is_left_to_weigh_is_at_its_end(page):
    page.open("game=joker&seed=4&mode=player&exchange=turned")
    page.click("hints")
    page.wait("return document.querySelectorAll('#options .tiers b').length > 0", seconds=60)
    page.run(
        "const real = JSON.parse; window.ended = 0; JSON.parse = text => {"
        " const message = real(text); if (message.method === 'chances') {"
        "  Object.assign(message.params, { state: 'done', advice: [], text: 'nothing' }); ended += 1; }"
        " return message; }"
    )
    press(page.browser, "t")
    page.wait("return ended > 0 && !document.getElementById('end').hidden")
    assert "No win: 0 of 52 cards up" in page.text("end")
    assert "No move that is left promises more: you may stop here." in page.text("end")
    assert not page.browser.find_element("id", "options").is_displayed()
    assert page.browser.find_element("css selector", "#end [data-do=finish]").is_displayed()


FORGED = """
const real = JSON.parse;
JSON.parse = text => {
  const message = real(text);
  if (message.method === 'chances') Object.assign(message.params, arguments[0]);
  return message;
};
"""
OFFERS = """
return [...document.querySelectorAll('#end button')].map(({ dataset }) => dataset.do || dataset.node);
"""


def is_hopeless(page, going_back, judge=()):
    """Check that no move is recommended, and that the ways on are offered."""
    page.wait("return !document.getElementById('end').hidden")
    assert page.text("end").strip().startswith("Hopeless")
    assert page.run(OFFERS) == [*going_back, "finish", *judge, "another", "restart", "share"]
    assert not page.browser.find_element("id", "options").is_displayed()
    assert page.run("return [...document.querySelectorAll('.arrows line, .legal, .loses')].length") == 0
    page.wait("return document.getElementById('badge').dataset.kind === 'unwinnable'")


def test_a_hopeless_hidden_game_recommends_nothing(page):
    """Until it is taken back; without hints the page does not say so."""
    page.open(f"game=klondike-vegas-one&seed=11&mode=player&moves={','.join(['%3F%3F+s-w'] * 24)}")
    page.wait("return document.querySelectorAll('#badge .chances .number').length === 1")
    assert page.run("return document.getElementById('end').hidden")
    page.click("hints")
    is_hopeless(page, ["23"])
    page.click("hints")
    assert page.run("return document.getElementById('end').hidden")
    page.wait("return document.querySelectorAll('#badge .chances .number').length === 1")
    page.click("hints")
    page.click_move("c0", 1, "c2")
    page.wait("return document.body.dataset.ply === '25'")
    is_hopeless(page, ["23"], ["judge"])  # no move is left
    page.click_on("#end [data-node]")
    page.wait("return document.body.dataset.ply === '23' && document.getElementById('end').hidden")
    page.wait("return document.querySelectorAll('#options [data-text]').length > 0")
    page.click("redo")
    page.wait("return document.body.dataset.ply === '24'")
    is_hopeless(page, ["23"])
    page.click_on("#end [data-do=finish]")
    page.wait("return document.getElementById('finish').hidden && document.getElementById('peek').checked")


@pytest.mark.parametrize("name", [name for name, variant in VARIANTS.items() if variant.hiding])
def test_every_game_with_hidden_cards_may_be_hopeless(page, name):
    """From its deal on, where there is nothing to go back to, and after a move."""
    page.open(f"game={name}&seed=5&mode=player")
    page.run(FORGED, {"certain": "lost", "text": "hopeless, lost whatever the unknown cards are"})
    page.click("hints")
    is_hopeless(page, [])
    press(page.browser, "t")
    page.wait("return document.body.dataset.ply === '1'")
    is_hopeless(page, [])


NUMBERS = "return [...document.querySelectorAll('#badge .chances > span')].map(row => row.textContent)"
HEADS = "return [...document.querySelectorAll('#options .heads span')].map(head => head.textContent)"
# The numbers of cells of the list that run into others, and of rows where a better tier has more.
WRONG_CELLS = """
const cells = [...document.querySelectorAll('#options :is(.heads span, .tiers b)')];
const value = cell => ({ '<': .5, '>': 99.5 })[cell.textContent[0]] || parseFloat(cell.textContent);
const rows = [...document.querySelectorAll('#options .tiers')].map(row => [...row.children].map(value));
const left = cell => cell.getBoundingClientRect().right - Math.max(cell.scrollWidth, cell.offsetWidth);
const hits = cells.filter(cell => {
  const before = cell.previousElementSibling;
  return before && left(cell) < before.getBoundingClientRect().right - 1;
});
return [hits.length, rows.filter(row => row.some((chance, i) => i && chance > row[i - 1])).length];
"""


def up_to(name, least):
    """The link to the first position of a solution with ``least`` cards up."""
    variant = find_variant(name)
    state, moves = variant.deal(4), []
    for move in solve(variant, state).moves:
        moves.append(variant.family.format_move(state, move))
        state = variant.family.apply(state, move)
        if variant.score(state) >= least:
            return f"game={name}&seed=4&mode=player&moves={','.join(map(quote_plus, moves))}"
    raise AssertionError("it is not reached")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(("least", "next_tiers"), [(15, ["double", "triple"]), (25, ["triple"])])
@pytest.mark.parametrize("name", ["joker", "klondike-one-pass"])
def test_a_reached_tier_is_told_and_the_next_ones_have_bars(page, name, least, next_tiers, width):
    page.open(up_to(name, least), width)
    for hints in (False, True):
        if hints:
            page.click("hints")
            page.wait(f"{HEADS}.length > 0", seconds=60)
            assert (
                page.run(f"{HEADS.replace('.textContent', '.textContent.replace(/% /, String())')}")
                == next_tiers
            )
            assert page.run(WRONG_CELLS) == [0, 0]
        page.wait("return document.querySelectorAll('#badge .chances > span').length === 3", seconds=60)
        rows = page.run(NUMBERS)
        assert [row.startswith(tier) for row, tier in zip(rows, ("Win", "Double", "Triple"), strict=True)]
        assert ["reached" in row for row in rows] == [True] * (3 - len(next_tiers)) + [False] * len(
            next_tiers
        )
        assert page.run("return document.querySelectorAll('#badge .chances svg').length") == len(next_tiers)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1280, 800)])
def test_the_columns_of_chances_stand_apart(page, width, height):
    page.open("game=joker&seed=4&mode=player", width, height)
    page.click("hints")
    page.wait(f"{HEADS}.length === 3", seconds=60)
    gaps = page.run(
        "const heads = [...document.querySelectorAll('#options .heads span')]"
        ".map(head => head.getBoundingClientRect());"
        "return [heads[1].left - heads[0].right, heads[2].left - heads[1].right];"
    )
    assert min(gaps) >= 4
    assert page.run(WRONG_CELLS)[0] == 0


@pytest.mark.usefixtures("local")
@pytest.mark.parametrize("count", [1, 10, 100, 1000, 2500])
def test_chances_of_better_tiers_are_never_shown_as_greater(page, count):
    """Chances of which all samples agree, almost all, or few."""
    chances = [
        {tier: vars(chance) for tier, chance in chances_of_tiers(table, reached, count).items()}
        for table in (hidden(find_variant("joker").deal(4)),)
        for reached in ((count, count, count - 1), (count, count - 1, 0), (1, 0, 0), (count, 0, 0))
    ]
    page.open("game=fortress&seed=8", thinks=False)
    told = page.browser.execute_async_script(
        "const [rows, done] = arguments; import(new URL('static/looks.js', location))"
        ".then(looks =>"
        " done(rows.map(row => [row.win, row.double, row.triple].map(looks.chancePercent))))",
        chances,
    )
    for row in told:
        numbers = [re.match(r"(&[lg]t;)?(\d+)<small [^>]+>±(\d+|&lt;1)</small>$", text) for text in row]
        assert [0 < int(number[2]) < 100 for number in numbers] == [True] * 3, row
        values = [int(number[2]) + {"&lt;": -0.5, "&gt;": 0.5}.get(number[1] or "", 0) for number in numbers]
        assert values == sorted(values, reverse=True), row
