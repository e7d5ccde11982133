// node rows.mjs GAME FIRST COUNT NODES WORK: the answers to deals, a row each.
import { Engine } from "winnable";

const [game, ...numbers] = process.argv.slice(2);
const [first, count, nodes, work] = numbers.map(Number);
const engine = new Engine(game);
for (let seed = first; seed < first + count; seed++) {
  engine.deal(seed);
  const { verdict, reason, states, work: done, moves } = engine.solve({ nodes, work, megabytes: Infinity });
  console.log([seed, verdict, reason, states, done, ...(moves ?? [])].join(","));
}
