/* Places, sizes and words of a table. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { lengthsOf, placesOf, sizesFor, spokenNote, spokenPlace } from "../../board/static/table.js";

const pile = (kind, name = kind, note = "", cards = "") => ({ kind, name, note, cards });
const FOUNDATIONS = [..."CDHS"].map(suit => pile("foundation", suit));
const STOCKED = [pile("stock"), pile("waste"), ...FOUNDATIONS];

/* Sizes of a table that has to fill its height; eleven columns of four cards unless others are given. */
function sizes(more = {}) {
  const columns = more.columns ?? 11;
  return sizesFor({
    columns,
    piles: FOUNDATIONS,
    width: 1200,
    height: 800,
    lengths: Array.from({ length: columns }, () => [0, 3]),
    wing: null,
    fan: 1,
    widest: 220,
    isPeek: false,
    isFixed: true,
    ...more,
  });
}

const corners = (count, at) => Array.from({ length: count }, (_, i) => at(i));

test("piles and columns are places in their order", () => {
  const places = placesOf({ piles: [pile("stock", "stock", "3", "<7H>")], columns: ["<8C> 9D", ""] });
  assert.deepEqual(
    places.map(({ id, cards }) => [id, cards.length]),
    [
      ["p0", 1],
      ["c0", 2],
      ["c1", 0],
    ],
  );
  assert.equal(places[0].pile.kind, "stock");
  assert.deepEqual([places[1].column, places[2].column], [0, 1]);
});

test("the length of a column is its cards face down, and those face up under the last", () => {
  assert.deepEqual(lengthsOf({ columns: ["<7H> <8H> 9D TC", "5D", "", "<7H>"] }), [
    [2, 1],
    [0, 0],
    [0, 0],
    [1, 0],
  ]);
});

test("places are spoken", () => {
  const spoken = one => spokenPlace({ id: "p0", pile: one, cards: [] });
  assert.equal(spokenPlace({ id: "c2", column: 2, cards: [] }), "Column 3");
  assert.equal(spoken(pile("foundation", "H")), "hearts foundation");
  assert.equal(spoken(pile("stock")), "stock");
  assert.equal(spoken(pile("joker", "XB", "out")), "Black joker out of play");
  assert.equal(spoken(pile("joker", "XR", "ace")), "Red joker as an open ace");
});

test("notes of piles are spoken", () => {
  assert.equal(spokenNote(pile("stock", "stock", "24, pass 2 of 3")), "24 cards, pass 2 of 3");
  assert.equal(spokenNote(pile("waste", "waste", "1")), "1 card");
  assert.equal(spokenNote(pile("stock", "stock", "0, pass 2 of 3")), "pass 2 of 3");
  assert.equal(spokenNote(pile("runs", "runs", "2/8")), "2 of 8");
  assert.equal(spokenNote(pile("foundation", "S", "from T")), "from 10");
});

test("all columns and piles lie on the table and do not overlap", () => {
  for (const [width, height] of [
    [320, 480],
    [390, 700],
    [700, 500],
    [1200, 800],
    [2560, 1400],
  ])
    for (const [columns, piles, wing] of [
      [7, STOCKED, null],
      [11, FOUNDATIONS, null],
      [10, FOUNDATIONS, 5],
      [14, FOUNDATIONS, null],
    ]) {
      const { w, h, columnAt, pileAt, isNarrow } = sizes({ columns, piles, wing, width, height });
      const places = [...corners(columns, columnAt), ...corners(piles.length, pileAt)];
      const name = `${columns} columns on ${width} by ${height}`;
      for (const { x, y } of places) {
        assert.ok(x >= -0.5 && x + w <= width + 0.5, `${name}: ${x} to ${x + w}`);
        assert.ok(y >= 0 && y + h <= height + 0.5, `${name}: ${y} to ${y + h}`);
      }
      const overlap = isNarrow ? 1 : 0; // narrow cards may cover each other by a pixel
      places.forEach((one, i) => {
        for (const other of places.slice(i + 1)) {
          const across = w - Math.abs(one.x - other.x),
            along = h - Math.abs(one.y - other.y);
          assert.ok(across <= overlap + 0.5 || along <= 0.5, `${name}: ${JSON.stringify([one, other])}`);
        }
      });
    }
});

test("the longest column fits into the height", () => {
  for (const [width, height] of [
    [700, 500],
    [1200, 800],
  ]) {
    const lengths = Array.from({ length: 11 }, () => [0, 3]);
    lengths[4] = [2, 14];
    const { h, top, down, strip } = sizes({ width, height, lengths });
    assert.ok(top + 2 * down + 14 * strip + h <= height + 0.5);
  }
});

test("a wide table has its piles beside the columns, a narrow one above them", () => {
  assert.equal(sizes({ columns: 7, piles: STOCKED }).shape, "rails");
  assert.equal(sizes({ columns: 10, wing: 5 }).shape, "wings");
  assert.equal(sizes({ columns: 7, piles: STOCKED, width: 600 }).shape, "top");
  assert.equal(sizes({ columns: 7, piles: STOCKED, isFixed: false }).shape, "top");
  assert.equal(sizes({ columns: 7, piles: STOCKED, width: 900, height: 900 }).shape, "top");
});

test("cards are not wider than they may be", () => {
  assert.equal(sizes({ widest: 50, height: 2000 }).w, 50);
});

test("cards face down lie closer, unless they are seen", () => {
  const hidden = sizes({ height: 500 }),
    seen = sizes({ height: 500, isPeek: true });
  assert.ok(hidden.down < hidden.strip / 2 + 5);
  assert.equal(seen.down, seen.strip);
});

test("jokers out of play lie side by side and are small", () => {
  const piles = [...STOCKED, pile("joker", "XB", "out"), pile("joker", "XR", "out")];
  const { pileAt, w } = sizes({ columns: 7, piles });
  const [black, red] = [pileAt(6), pileAt(7)];
  assert.ok(black.scale < 1 && red.scale === black.scale);
  assert.equal(black.y, red.y);
  assert.ok(red.x - black.x > w * black.scale);
});
