/* The scale of distances to the win. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { distances } from "../../board/static/graph.js";

test("the scale has the fewest moves at the top and the most at the bottom", () => {
  const { best, worst } = distances([30, 25, 41]);
  assert.deepEqual([best, worst], [25, 41]);
});

test("two to four round numbers are marked, within the scale", () => {
  for (const known of [
    [0, 1],
    [0, 69],
    [3, 7, 5],
    [25, 41],
    [98, 102],
    [0, 250],
    [17, 900],
    [0, 3000],
  ]) {
    const { best, worst, marks } = distances(known),
      steps = marks.slice(1).map(([value], i) => value - marks[i][0]);
    assert.ok(marks.length >= 1 && marks.length <= (worst > 800 ? 16 : 4), `${known}: ${marks}`);
    assert.ok(
      marks.every(([value]) => value >= best && value <= worst),
      `${known}: ${marks}`,
    );
    assert.equal(new Set(steps).size <= 1, true, `${known}: ${steps}`);
  }
});

test("nought moves are a win", () => {
  assert.deepEqual(distances([0, 9]).marks[0], [0, "won"]);
  assert.deepEqual(distances([40, 49]).marks, [
    [40, 40],
    [45, 45],
  ]);
});

test("equal distances have a scale of one step", () => {
  assert.deepEqual(distances([7, 7]), { best: 7, worst: 8, marks: [[7, 7]] });
});
