/* Keyboard: keys of the line viewer first, then of the table, then of the buttons. */

const NAMES = { u: "undo", r: "redo", a: "auto", h: "hints", l: "line", m: "mistakes", n: "new", "?": "help", Home: "restart", Escape: "dismiss" };

export class Keys {
  /* `actions` are called by their names; `viewer` and `play()` take keys of their own; `isPlaying()` says whether there is a
     game. */
  constructor(actions, { viewer, play, isPlaying }) {
    Object.assign(this, { actions, viewer, play, isPlaying });
    document.addEventListener("keydown", event => { if (this.#press(event)) event.preventDefault(); });
  }

  /* Do what a key means; whether it meant something. */
  #press(event) {
    if (event.altKey || document.querySelector("dialog[open]") || event.target.matches("input:not([type=checkbox]), select, textarea")) return false;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey) {
      const name = key === "z" ? event.shiftKey ? "redo" : "undo" : key === "y" ? "redo" : null;
      if (name) this.actions[name]();
      return !!name;
    }
    if (this.viewer.isOpen && this.viewer.key(key)) return true;
    if (!this.isPlaying()) return key === "n" && this.#do("new");
    if (!this.viewer.isOpen && this.play().key(key)) return true;
    if (!this.viewer.isOpen && key.startsWith("Arrow") && !event.target.matches("button, a, pre")) { this.play().focus(); return true; }
    return this.#do(NAMES[key]);
  }

  #do(name) {
    if (!name) return false;
    this.actions[name]();
    return true;
  }
}
