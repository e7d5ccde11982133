/* Elements that are known to be in a page. */

import assert from "node:assert/strict";
import { test } from "node:test";

class Element {
  constructor(dataset, selectors) {
    Object.assign(this, { dataset, selectors });
  }
  matches(selector) {
    return this.selectors.includes(selector);
  }
  closest(selector) {
    return this.matches(selector) ? this : null;
  }
}
globalThis.Element = Element;

const { closest, dataOf, find, matches } = await import("../../board/static/elements.js");

test("an element that is missing is an error", () => {
  const box = { querySelector: selector => (selector === "button" ? "found" : null) };
  assert.equal(find(box, "button"), "found");
  assert.throws(() => find(box, ".felt"), /^Error: \.felt: no such element$/);
});

test("an event is about the nearest element that matches", () => {
  const target = new Element({ place: "c3" }, ["[data-place]"]);
  assert.equal(closest({ target }, "[data-place]"), target);
  assert.equal(closest({ target }, "[data-spot]"), null);
  assert.deepEqual(dataOf({ target }, "[data-place]"), { place: "c3" });
  assert.deepEqual(dataOf({ target }, "[data-spot]"), {});
  assert.equal(matches({ target }, "[data-place]"), true);
  assert.equal(matches({ target }, "input"), false);
});

test("events of the window are about no element", () => {
  for (const target of [null, {}]) {
    assert.equal(closest({ target }, "button"), null);
    assert.deepEqual(dataOf({ target }, "button"), {});
    assert.equal(matches({ target }, "button"), false);
  }
});
