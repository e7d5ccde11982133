/* WebSocket to the server: requests and answers, streams, and reconnection. */

import { readMessage, requestText } from "./messages.js";

const FIRST_WAIT = 500, LONGEST_WAIT = 8000;  // milliseconds until the next try
const MOST_BYTES = 1000000;  // of a message; the server ends the socket at a longer one
const REFUSED = {  // what a person has to do before the next try
  4001: "This page is not known to the server any more. Open the address that the server printed.",
  4008: "Too many games are open. Close another page and try again.",
};

export class Connection {
  /* `on` has `message(message)` for what streams, `open(hello)`, `lost(why)`, and `fault(error)` for a message
     that is none, or that could not be taken in. */
  constructor(on) {
    Object.assign(this, { on, waiting: new Map(), next: 1, wait: FIRST_WAIT, isOpen: false });
    this.#connect();
    addEventListener("focus", () => this.retry());
  }

  /* Ask the server: the answer, of whatever type. Rejects if the socket is lost meanwhile. */
  ask(message) {
    if (!this.isOpen) return Promise.reject(new Error("no server"));
    const id = this.next++, text = requestText(id, message);
    if (new Blob([text]).size > MOST_BYTES) return Promise.resolve({ type: "refused", why: "That is too much: the board reads texts of up to 1 MB." });
    this.socket.send(text);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  retry() {
    clearTimeout(this.timer);
    if (this.socket.readyState === WebSocket.CLOSED) this.#connect();
  }

  /* Begin anew with another socket; what was asked over this one has no answer. */
  restart() {
    clearTimeout(this.timer);
    this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
    this.#giveUp();
    this.#connect();
  }

  #connect() {
    this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
    this.socket.onmessage = event => {
      try { this.#receive(readMessage(event.data)); } catch (error) { this.on.fault(error); }
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
    const { socket } = this, why = REFUSED[event.code] || await this.#refusal();
    if (this.socket !== socket) return;  // it was tried again meanwhile
    this.on.lost(why || "The server is gone. The game is kept here, and goes on when the server is back.");
    if (why) return;
    this.timer = setTimeout(() => this.retry(), this.wait);
    this.wait = Math.min(LONGEST_WAIT, 2 * this.wait);
  }

  /* Why the server that answers takes no socket, or null if there is none. */
  async #refusal() {
    try {
      return (await fetch("/", { cache: "no-store" })).status === 401 ? REFUSED[4001] : null;
    } catch {
      return null;
    }
  }
}
