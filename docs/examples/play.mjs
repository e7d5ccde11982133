// Plays a game with the hints of winnable: node play.mjs [GAME] [SEED]
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
for (let number = 1; ; number++) {
    const { over } = await ask("position", at);
    if (over) {
        console.log(`The game is ${over}.`);
        break;
    }
    const { options } = await ask("go", { ...at, goal: "moves", limits: { nodes: 20000 } });
    const [best] = options;
    const { position } = await ask("apply", { ...at, move: best.move });
    console.log(`${number}. ${best.move}: ${best.does}, ${best.verdict}`);
    at = { deal: position };
}
await ask("quit");
