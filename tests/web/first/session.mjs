// Answers the page's requests, one JSON object a line, by the small engine as the page does before Python is
// there.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { known } from "./first/known.js";
import { Refused, Session } from "./first/session.js";
import { Engine } from "./small/engine.js";
import { load } from "./small/module.js";

const { hello, ...rest } = known,
  told = [];

/** An engine that promises its answers, as one with a worker does. */
class Promising extends Engine {
  async solve({ signal, ...limits }) {
    return super.solve(limits);
  }

  async hint({ signal, ...limits }) {
    return super.hint(limits);
  }
}

await load(readFileSync(process.argv[2]));
/** What is waited for: "judged", or a type of message, by the function to call then. */
const waits = new Map();
const happens = what => {
  waits.get(what)?.();
  waits.delete(what);
};
const session = new Session(
  { ...rest, games: hello.games, limits: hello.limits },
  {
    open: async (game, choices) => new Promising(game, choices),
    tell: message => {
      told.push(message);
      happens(message.type);
    },
    left: () => {},
    judged: () => happens("judged"),
  },
);

async function answerTo({ awaited, ...request }) {
  const judging = awaited && new Promise(done => waits.set(awaited, done));
  try {
    if (request.type === "handover") return session.handover();
    if (request.type === "tree") return session.game.nodes(session.game.tree.nodes);
    const answer = await session.answer(request);
    await judging;
    return answer;
  } catch (error) {
    return { type: error instanceof Refused ? "refused" : "later", why: error.message };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await answerTo(JSON.parse(line));
  console.log(JSON.stringify({ answer, told: told.splice(0) }));
}
