/* The worker of node. */

import { readFile } from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import { serve } from "./work.js";

const take = serve(
  message => parentPort.postMessage(message),
  async address => new Uint8Array(await readFile(new URL(address))),
);

parentPort.on("message", take);
