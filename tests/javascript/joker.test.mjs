/* What a joker can do, and where its card is put. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { bestSpot, shared, sortMoves } from "../../board/static/joker.js";

const move = (text, source, target, rank = null) => ({ text, source, target, targets: [target], rank });

test("moves of a joker are sorted by what they do", () => {
  const goes = move("XB 3-4", "c2", "c3", "7"),
    up = move("XB 3-f", "c2", "p3"),
    names = [move("XB 3=7", "c2", "c2", "7"), move("XB 3=8", "c2", "c2", "8")],
    out = move("XB 3-x", "c2", "p6");
  assert.deepEqual(sortMoves([names[0], goes, out, names[1], up]), { goes: [goes, up], names, out });
});

test("a joker that can do nothing has no moves", () => {
  assert.deepEqual(sortMoves([]), { goes: [], names: [], out: undefined });
});

test("boxes share the area in which they overlap", () => {
  const box = { left: 0, top: 0, right: 10, bottom: 20 };
  assert.equal(shared(box, { left: 5, top: 10, right: 50, bottom: 50 }), 50);
  assert.equal(shared(box, { left: 2, top: 3, right: 4, bottom: 5 }), 4);
  assert.equal(shared(box, { left: 10, top: 0, right: 20, bottom: 20 }), 0);
  assert.equal(shared(box, { left: 20, top: 5, right: 40, bottom: 15 }), 0);
  assert.equal(shared(box, { left: 20, top: 30, right: 40, bottom: 50 }), 0);
});

test("the best spot costs least, and is the first of several", () => {
  const area = { left: 100, top: 50, right: 500, bottom: 350 };
  const near = (left, top) => Math.hypot(left - 300, top - 200);
  const [cost, left, top] = bestSpot(area, 80, 60, near);
  assert.equal(cost, near(left, top));
  assert.ok(cost < 16, `${cost} from the place that is wanted`);
  assert.deepEqual(
    bestSpot(area, 80, 60, () => 1),
    [1, 108, 58],
  );
});

test("a spot lies within its area, apart from the edges", () => {
  const area = { left: 100, top: 50, right: 500, bottom: 350 };
  const far = (left, top) => -left - top;
  const [, left, top] = bestSpot(area, 80, 60, far);
  assert.ok(left + 80 <= 500 - 8 && left > 500 - 80 - 8 - 16, `left ${left}`);
  assert.ok(top + 60 <= 350 - 8 && top > 350 - 60 - 8 - 16, `top ${top}`);
});

test("a box that is larger than its area starts at its corner", () => {
  const area = { left: 0, top: 0, right: 50, bottom: 50 };
  assert.deepEqual(
    bestSpot(area, 80, 60, () => 0),
    [0, 8, 8],
  );
});
