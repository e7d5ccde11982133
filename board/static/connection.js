/* Communication with the program: sockets, requests, answers, and questions to the person. */

import { readMessage, requestText } from "./messages.js";
import { askOne } from "./input.js";
import { connect, isUnknown } from "./transport.js";

/* --- Connection: requests and answers, streams, and reconnection. --- */

const CLOSED = 3; // state of a socket
const FIRST_WAIT = 500,
  LONGEST_WAIT = 8000; // milliseconds until the next attempt
const MOST_BYTES = 1000000; // greatest size of a message; the server closes the socket for a longer one
const REFUSED = {
  // what the person has to do before the next attempt
  4001: "This page is not known to the server any more. Open the address that the server printed.",
  4008: "Too many games are open. Close another page and try again.",
};

class Connection {
  /* Connect to the server. Methods of `on` are called: `open(hello)` when the connection is made, `message(message)` for
     a message that answers no request, `fault(error)` for an invalid one, and `lost(why)` when the connection ends. */
  constructor(on) {
    Object.assign(this, { on, waiting: new Map(), next: 1, wait: FIRST_WAIT, isOpen: false });
    this.#connect();
    addEventListener("focus", () => this.retry());
  }

  /* Send a request; resolves to its answer, of any type. Rejects if the socket is lost meanwhile. */
  ask(message) {
    if (!this.isOpen) return Promise.reject(new Error("no server"));
    const id = this.next++,
      text = requestText(id, message);
    if (new Blob([text]).size > MOST_BYTES)
      return Promise.resolve({ type: "refused", why: "Too large: the limit is 1 MB." });
    this.socket.send(text);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  retry() {
    clearTimeout(this.timer);
    if (this.socket.readyState === CLOSED) this.#connect();
  }

  /* Restart with another socket; pending requests are rejected. */
  restart() {
    clearTimeout(this.timer);
    this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
    this.#giveUp();
    this.#connect();
  }

  #connect() {
    this.socket = connect();
    this.socket.onmessage = event => {
      try {
        this.#receive(readMessage(event.data));
      } catch (error) {
        this.on.fault(error);
      }
    };
    this.socket.onclose = event => this.#lose(event);
  }

  #receive(message) {
    if (message.type === "hello") {
      this.isOpen = true;
      this.wait = FIRST_WAIT;
      this.on.open(message);
      return;
    }
    const asked = this.waiting.get(message.id);
    if (asked) {
      this.waiting.delete(message.id);
      asked.resolve(message);
    } else {
      this.on.message(message);
    }
  }

  #giveUp() {
    this.isOpen = false;
    for (const asked of this.waiting.values()) asked.reject(new Error("the server is gone"));
    this.waiting.clear();
  }

  async #lose(event) {
    this.#giveUp();
    const { socket } = this,
      why = REFUSED[event.code] || ((await isUnknown()) ? REFUSED[4001] : null);
    if (this.socket !== socket) return; // another attempt was made meanwhile
    this.on.lost(why || "The server is gone. The game is kept here, and goes on when the server is back.");
    if (why) return;
    this.timer = setTimeout(() => this.retry(), this.wait);
    this.wait = Math.min(LONGEST_WAIT, 2 * this.wait);
  }
}

/* --- Requests to the server and their answers; questions of the server are put to the person first. --- */

const GONE = "The server is gone; the game is kept here.";
const placeName = place => (place[0] === "c" ? `column ${+place.slice(1) + 1}` : "the waste");

export class Requests extends Connection {
  /* `on` has what `Connection` wants, and `position(position, why)`, `game(game)` and `refused(why)`; questions are put
     in `dialog`. */
  constructor(dialog, on) {
    super(on);
    this.dialog = dialog;
  }

  /* Send a request; resolves to its answer, of any type. */
  async ask(message) {
    try {
      return await super.ask(message);
    } catch {
      return { type: "refused", why: GONE };
    }
  }

  /* Request a change of the position and show it; resolves to whether it was made. */
  async act(message) {
    return this.#settle(message, await this.ask(message));
  }

  async #settle(message, answer) {
    if (answer.type === "position") {
      this.on.position(answer, message.type);
      return true;
    }
    if (answer.type === "game") {
      this.on.game(answer);
      return true;
    }
    if (answer.type === "choose") {
      const moves = answer.moves.map(move => ({ label: move.does, value: { text: move.text } }));
      return this.#choose("Which move?", moves, message);
    }
    if (answer.type === "turned") {
      const cards = answer.cards.map(card => ({ label: card, value: { turned: card } }));
      return this.#choose(
        `Which card was turned up${answer.place ? ` in ${placeName(answer.place)}` : ""}?`,
        cards,
        message,
      );
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
