/* Requests to the server and handling of its answers; questions are put to the person first. */

import { Connection } from "./connection.js";
import { askOne } from "./picker.js";

const GONE = "The server is gone; the game is kept here.";
const placeName = place => place[0] === "c" ? `column ${+place.slice(1) + 1}` : "the waste";

export class Requests extends Connection {
  /* `on` has what `Connection` wants, and `position(position, why)`, `game(game)` and `refused(why)`; questions are put
     in `dialog`. */
  constructor(dialog, on) {
    super(on);
    this.dialog = dialog;
  }

  /* Ask for something: the answer, of whatever type. */
  async ask(message) {
    try {
      return await super.ask(message);
    } catch {
      return { type: "refused", why: GONE };
    }
  }

  /* Ask for a change of the position and show it: whether it was made. */
  async act(message) { return this.#settle(message, await this.ask(message)); }

  async #settle(message, answer) {
    if (answer.type === "position") { this.on.position(answer, message.type); return true; }
    if (answer.type === "game") { this.on.game(answer); return true; }
    if (answer.type === "choose") {
      const moves = answer.moves.map(move => ({ label: move.does, short: "", value: { text: move.text } }));
      return this.#choose("Which move?", moves, message);
    }
    if (answer.type === "turned") {
      const cards = answer.cards.map(card => ({ label: card, value: { turned: card } }));
      return this.#choose(`Which card was turned up${answer.place ? ` in ${placeName(answer.place)}` : ""}?`, cards, message);
    }
    this.on.refused(answer.why || answer.text || "That did not work.");
    return false;
  }

  async #choose(title, choices, message) {
    const chosen = await askOne(this.dialog, title, choices);
    if (!chosen) return false;
    const { id, ...rest } = message;
    const next = chosen.text ? { type: "move", ...chosen } : { ...rest, ...chosen };
    return this.#settle(next, await this.ask(next));
  }
}
