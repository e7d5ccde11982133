/* Communication with the program: sockets, requests, answers, and questions to the person. */

import { readMessage, requestText } from "./messages.js";
import { askOne } from "./input.js";
import { connect, isUnknown } from "./transport.js";

/** @import { Answer, ChangeType, Choice, Request, RequestType } from "./types.d.ts" */
/** @import { GameMessage, Hello, Message, Position } from "./types.d.ts" */

/** Hears of the connection: `open` when it is made, `message` of a message that answers no request, `fault`
    of an invalid one, and `lost` when it ends. And of answers: of the `position` after a move, of another
    `game`, and why a request was `refused`.
    @typedef {{
      open: (hello: Hello) => void;
      message: (message: Message) => void;
      fault: (error: unknown) => void;
      lost: (why: string) => void;
      position: (position: Position, why: ChangeType) => void;
      game: (game: GameMessage) => void;
      refused: (why: string) => void;
    }} Listener */

/* --- Connection: requests and answers, streams, and reconnection. --- */

const CLOSED = 3; // state of a socket
const FIRST_WAIT = 500,
  LONGEST_WAIT = 8000; // milliseconds until the next attempt
const MOST_BYTES = 1000000; // greatest size of a message; the server closes the socket for a longer one
/** The message of what the person has to do before the next attempt, by the code with which the server
    closed the socket.
    @type {Record<number, string>} */
const REFUSED = {
  4001: "This page is not known to the server any more. Open the address that the server printed.",
  4008: "Too many games are open. Close another page and try again.",
};

class Connection {
  isOpen = false;
  /** The functions that take an answer, by the id of the request.
      @type {Map<number, { resolve: (answer: any) => void; reject: (error: Error) => void }>} */
  #waiting = new Map();
  #next = 1; // id of the next request
  #wait = FIRST_WAIT;
  /** The timer of the next attempt.
      @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = undefined;

  /** Connect to the server.
      @param {Listener} on */
  constructor(on) {
    this.on = on;
    this.socket = this.#connect();
    addEventListener("focus", () => this.retry());
  }

  /** Send a request; resolves to its answer, of any type. Rejects if the socket is lost meanwhile.
      @template {RequestType} T
      @param {Request<T>} message
      @returns {Promise<Answer<T>>} */
  ask(message) {
    if (!this.isOpen) return Promise.reject(new Error("no server"));
    const id = this.#next++,
      text = requestText(id, message);
    if (new Blob([text]).size > MOST_BYTES)
      return Promise.resolve({ type: "refused", why: "Too large: the limit is 1 MB." });
    this.socket.send(text);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  retry() {
    clearTimeout(this.#timer);
    if (this.socket.readyState === CLOSED) this.socket = this.#connect();
  }

  /* Restart with another socket; pending requests are rejected. */
  restart() {
    clearTimeout(this.#timer);
    this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
    this.#giveUp();
    this.socket = this.#connect();
  }

  #connect() {
    const socket = connect();
    socket.onmessage = event => {
      try {
        this.#receive(readMessage(event.data));
      } catch (error) {
        this.on.fault(error);
      }
    };
    socket.onclose = event => this.#lose(event);
    return socket;
  }

  /** @type {(message: Message) => void} */
  #receive(message) {
    if (message.type === "hello") {
      this.isOpen = true;
      this.#wait = FIRST_WAIT;
      this.on.open(message);
      return;
    }
    const { id } = message,
      asked = id === undefined ? undefined : this.#waiting.get(id);
    if (id !== undefined && asked) {
      this.#waiting.delete(id);
      asked.resolve(message);
    } else {
      this.on.message(message);
    }
  }

  #giveUp() {
    this.isOpen = false;
    for (const asked of this.#waiting.values()) asked.reject(new Error("the server is gone"));
    this.#waiting.clear();
  }

  /** @type {(event: CloseEvent) => Promise<void>} */
  async #lose(event) {
    this.#giveUp();
    const { socket } = this,
      why = REFUSED[event.code] || ((await isUnknown()) ? REFUSED[4001] : null);
    if (this.socket !== socket) return; // another attempt was made meanwhile
    this.on.lost(why || "The server is gone. The game is kept here, and goes on when the server is back.");
    if (why) return;
    this.#timer = setTimeout(() => this.retry(), this.#wait);
    this.#wait = Math.min(LONGEST_WAIT, 2 * this.#wait);
  }
}

/* --- Requests to the server and their answers; questions of the server are put to the person first. --- */

const GONE = "The server is gone; the game is kept here.";
/** @type {(place: string) => string} */
const placeName = place => (place[0] === "c" ? `column ${+place.slice(1) + 1}` : "the waste");

export class Requests extends Connection {
  /** Questions are put in `dialog`.
      @param {HTMLDialogElement} dialog
      @param {Listener} on */
  constructor(dialog, on) {
    super(on);
    this.dialog = dialog;
  }

  /** Send a request; resolves to its answer, of any type.
      @template {RequestType} T
      @param {Request<T>} message
      @returns {Promise<Answer<T>>} */
  async ask(message) {
    try {
      return await super.ask(message);
    } catch {
      return { type: "refused", why: GONE };
    }
  }

  /** Request a change of the position and show it; resolves to whether it was made.
      @type {(message: Request<ChangeType>) => Promise<boolean>} */
  async act(message) {
    return this.#settle(message, await this.ask(message));
  }

  /** @type {(message: Request<ChangeType>, answer: Answer<ChangeType>) => Promise<boolean>} */
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
      const cards = answer.cards.map(card => ({ label: card, value: { turned: card } })),
        where = answer.place ? ` in ${placeName(answer.place)}` : "";
      return this.#choose(`Which card was turned up${where}?`, cards, message);
    }
    this.on.refused(answer.why || "That did not work.");
    return false;
  }

  /** Put a question to the person; the answer completes the request.
      @param {string} title
      @param {Choice<{ text?: string; turned?: string }>[]} choices
      @param {Request<ChangeType>} message
      @returns {Promise<boolean>} */
  async #choose(title, choices, message) {
    const chosen = await askOne(this.dialog, title, choices);
    if (!chosen) return false;
    /** @type {Request<ChangeType>} */
    const next = chosen.text ? { type: "move", ...chosen } : { ...message, ...chosen };
    return this.#settle(next, await this.ask(next));
  }
}
