/* Node, as far as the packages use it. */

declare const __dirname: string;

declare const process: {
  argv: string[];
  exit(status: number): never;
  getBuiltinModule?(name: string): any;
};

declare module "node:fs" {
  export function readFileSync(path: string): Uint8Array<ArrayBuffer>;
}

declare module "node:fs/promises" {
  export function readFile(path: URL): Promise<Uint8Array>;
  export function readFile(path: string, encoding: "utf-8"): Promise<string>;
}

declare module "node:path" {
  export function join(...parts: string[]): string;
  export function resolve(path: string): string;
}

declare module "node:url" {
  export function pathToFileURL(path: string): URL;
}

declare module "node:zlib" {
  export function inflateRawSync(packed: Uint8Array, options: { out: Uint8Array }): Uint8Array<ArrayBuffer>;
}

declare module "node:worker_threads" {
  export class Worker {
    constructor(script: string | URL, options?: { eval?: boolean; execArgv?: string[] });
    postMessage(message: unknown): void;
    on(event: "message" | "error", listener: (given: any) => void): this;
    terminate(): void;
  }
  /** The other end, in a worker. */
  export const parentPort: {
    postMessage(message: unknown): void;
    on(event: "message", listener: (message: any) => void): void;
  };
}
