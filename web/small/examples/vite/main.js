// A page that deals only games that can be won, and plays the best move.
import { WorkerEngine } from "winnable";

const engine = new WorkerEngine("fortress");
const at = id => document.getElementById(id);

function show(text) {
  at("status").textContent = text;
  at("cards").textContent = engine.text;
}

at("deal").addEventListener("click", async () => {
  const seed = await engine.deal({ winnable: true });
  show(`Deal ${seed} can be won.`);
});

at("hint").addEventListener("click", async () => {
  const [best] = await engine.hint();
  if (best) engine.play(best);
  show(best ? `${best.move}: ${best.verdict}` : "No move is left.");
});
