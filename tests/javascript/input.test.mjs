/* The palette of all cards. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { palette } from "../../board/static/input.js";

const buttons = html => html.match(/<button.*?>/gs);

test("the palette has every card once", () => {
  const cards = buttons(palette()).map(button => /data-card="(..)"/.exec(button)[1]);
  assert.equal(cards.length, 52);
  assert.equal(new Set(cards).size, 52);
  assert.deepEqual([cards[0], cards[12], cards[51]], ["AC", "KC", "KS"]);
});

test("only cards that are free can be chosen", () => {
  assert.ok(!palette().includes("disabled"));
  const enabled = buttons(palette(["7H", "TS"])).filter(button => !button.includes("disabled"));
  assert.deepEqual(
    enabled.map(button => /data-card="(..)"/.exec(button)[1]),
    ["7H", "TS"],
  );
});
