// Asks winnable for a hint and plays on as it says: node play.mjs [GAME] [SEED]
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [program, ...words] = (process.env.WINNABLE ?? "winnable engine").split(" ");
const engine = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
let last = 0;

createInterface({ input: engine.stdout }).on("line", line => {
  const message = JSON.parse(line);
  if (message.method === "info") return; // news of a search
  const { resolve, reject } = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.error) reject(new Error(message.error.message));
  else resolve(message.result);
});

function ask(method, params = {}) {
  const id = ++last;
  engine.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

const [game = "fortress", seed = "8"] = process.argv.slice(2);
let at = { game, seed };
const hint = await ask("go", { ...at, goal: "moves", limits: { nodes: 20000 } });
console.log(`${hint.options.length} moves, the best is ${hint.options[0].move}: ${hint.verdict}`);
for (const [number, move] of (hint.moves ?? []).entries()) {
  // the line that begins with the best move
  const { does, effects, position } = await ask("apply", { ...at, move });
  console.log(`${number + 1}. ${move}: ${[does, ...effects].join("; ")}`);
  at = { deal: position };
}
const { over, score } = await ask("position", at);
console.log(over === "won" ? "The game is won." : `The game is not won, its score ${score ?? "none"}.`);
await ask("quit");
