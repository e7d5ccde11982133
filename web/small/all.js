// What the entries of the package share.
import { version } from "./games.js";

export { inflateSync } from "fflate";
export { startFrom } from "./browser-worker.js";
export { Engine } from "./engine.js";
export { WinnableError } from "./errors.js";
export { games, version } from "./games.js";
export { load, provide } from "./module.js";
export { unpacked } from "./unpack.js";
export { WorkerEngine, startWorkersWith } from "./worker-engine.js";

/** The value that a script of the package keeps for the entries, by its name.
    @type {(name: string) => any} */
export const kept = name => Reflect.get(globalThis, Symbol.for(`winnable ${name} ${version}`));
