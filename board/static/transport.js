/* Connection of the page to the program: a WebSocket to the local server. The static site uses workers
   instead. */

/** @import { Connected } from "./types.d.ts" */

/** A connection with the part of WebSocket's interface that is needed. @type {() => Connected} */
export const connect = () =>
  new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);

/* Resolves to true if the program answers but refuses this page. */
export async function isUnknown() {
  try {
    return (await fetch("/", { cache: "no-store" })).status === 401;
  } catch {
    return false;
  }
}

/* The stored games; resolves to an answer as of `fetch`. */
export const games = () => fetch("history.json", { cache: "no-store" });

/** Delete the games {game: number} or {all: true}.
    @type {(what: { game: number } | { all: true }) => Promise<Response>} */
export const forget = what =>
  fetch("history/forget", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(what),
  });
