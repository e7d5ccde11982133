import type { Source } from "./index.js";

export * from "./index.js";

/** Compile winnable.wasm, before the first engine: `await load(fetch("winnable.wasm"))`. */
export function load(source: Source | Promise<Source>): Promise<void>;
