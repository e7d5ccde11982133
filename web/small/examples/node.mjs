// Deals a Klondike that can be won, and plays what the engine advises.
import { Engine } from "winnable";

const engine = new Engine("klondike-draw-one");
const seed = engine.deal({ winnable: true, seed: 1 });
console.log(engine.text);
const { moves } = engine.solve();
for (const move of moves) engine.play(move);
console.log(`Deal ${seed} is won in ${engine.movesMade} moves: ${engine.isWon}`);
engine.close();
