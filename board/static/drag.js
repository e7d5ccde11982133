/* Cards under the pointer: a press that becomes a drag or stays a click. The cards follow the pointer by transforms
   alone, once a frame; nothing is measured between the start and the end of a drag. */

const LEAST = 6;  // pixels that a pointer moves before it drags

export class Drag {
  /* `table` is the Table. `on` has `start(place, count)`, whether these cards may be taken, `over(place)` for the place
     under them or null, `drop(place, count, target)`, `click(place, count)`, and `isReady()`. `signal` ends it. */
  constructor(table, on, signal) {
    Object.assign(this, { table, on, held: null });
    const element = table.table;
    element.addEventListener("pointerdown", event => this.#press(event), { signal });
    element.addEventListener("pointermove", event => this.#move(event), { signal });
    element.addEventListener("pointerup", event => this.#release(event, true), { signal });
    element.addEventListener("pointercancel", event => this.#release(event, false), { signal });
    element.addEventListener("lostpointercapture", event => this.#release(event, false), { signal });
  }

  cancel() {
    if (this.held) this.#end();
  }

  #press(event) {
    if (event.button || !event.isPrimary || !this.on.isReady()) return;
    const spot = event.target.closest("[data-spot]"), empty = event.target.closest("[data-place]");
    if (!spot && !empty) return;
    const [place, depth] = spot ? spot.dataset.spot.split("/") : [empty.dataset.place, null];
    const { cards } = this.table.zones.get(place).place;
    const isPile = place[0] === "p";
    if (isPile && depth !== null && +depth < cards.length - 1) return;  // another card of a fan
    const count = depth === null ? 0 : isPile ? 1 : cards.length - depth;
    this.held = {
      pointer: event.pointerId, x: event.clientX, y: event.clientY, dx: 0, dy: 0, place, count, isMoving: false,
      taken: this.table.elementsOf(place).slice(count ? -count : Infinity), frame: 0,
    };
    this.table.table.setPointerCapture(event.pointerId);
  }

  #move(event) {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer) return;
    held.dx = event.clientX - held.x;
    held.dy = event.clientY - held.y;
    if (!held.isMoving) {
      if (Math.hypot(held.dx, held.dy) < LEAST || !held.taken.length) return;
      if (!this.on.start(held.place, held.count)) { this.held = null; return; }
      held.isMoving = true;
      held.taken.forEach(({ element }, i) => { element.classList.add("held"); element.style.zIndex = 1000 + i; });
    }
    if (!held.frame) held.frame = requestAnimationFrame(() => this.#follow(held));
  }

  #follow(held) {
    held.frame = 0;
    if (this.held !== held) return;
    for (const { element, x, y } of held.taken) {
      element.style.transform = `translate(${x + held.dx}px, ${y + held.dy}px)`;
    }
    const target = this.#under(held);
    if (target !== held.target) this.on.over(held.target = target);
  }

  /* The place that the first of the held cards lies on most, other than its own; null where it lies on none. */
  #under({ taken, place, dx, dy }) {
    const { w, h } = this.table.size, left = taken[0].x + dx, top = taken[0].y + dy;
    let best = null, most = w * h / 8;
    for (const [id, zone] of this.table.zones) {
      if (id === place) continue;
      const bottom = zone.place.pile ? zone.last + h : Infinity;
      const across = Math.min(left, zone.x) + w - Math.max(left, zone.x);
      const along = Math.min(top + h, bottom) - Math.max(top, zone.y);
      const area = across > 0 && along > 0 ? across * along : 0;
      if (area > most) { most = area; best = id; }
    }
    return best;
  }

  #release(event, isDone) {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer) return;
    const target = held.isMoving ? this.#under(held) : null;
    this.#end();
    if (!isDone) this.on.drop(held.place, held.count, null);
    else if (held.isMoving) this.on.drop(held.place, held.count, target);
    else this.on.click(held.place, held.count);
  }

  #end() {
    const { held } = this;
    this.held = null;
    cancelAnimationFrame(held.frame);
    for (const { element } of held.taken) element.classList.remove("held");
    if (held.isMoving) this.on.over(null);
  }
}
