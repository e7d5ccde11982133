/* Keyboard focus where what has it comes or goes. */

const openers = new WeakMap();  // what had the focus before a box was opened
const canHave = element => !!element && element.isConnected && !element.disabled && element.checkVisibility() && element !== document.body;

/* Put the focus on the place of the table at which arrow keys begin. */
export function focusTable() { document.querySelector('#places [tabindex="0"]')?.focus({ preventScroll: true }); }

/* Put the focus on the first button of `box`, which was opened; on a phone the table stays in sight. */
export function enter(box) {
  if (!box.contains(document.activeElement)) openers.set(box, document.activeElement);
  (box.querySelector(".main") || box.querySelector("button")).focus({ preventScroll: innerWidth <= 900 });
}

/* Change `box` by `draw()`. What had the focus in it has it again, as far as it is there; otherwise what stands for it in
   the box, or what had it before the box was opened, or else the table. */
export function keepFocus(box, draw) {
  const held = box.contains(document.activeElement) ? document.activeElement : null;
  draw();
  if (!held || canHave(held)) return;
  const data = element => JSON.stringify({ ...element.dataset });
  const same = [...box.querySelectorAll("button")].find(button => data(button) === data(held));
  const others = [".main", "[aria-current] button"].map(selector => box.querySelector(selector));
  const found = [same, ...others, box.matches('[tabindex="-1"]') && box, openers.get(box)].find(canHave);
  if (found) found.focus({ preventScroll: true });
  else focusTable();
}
