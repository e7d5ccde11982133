/* Pyodide, as far as the workers use it. The build puts its module beside them. */

/** What a call of Python returns or takes is not known here. */
interface Pyodide {
  FS: PyodideFiles;
  _module: { HEAPU8: Uint8Array };
  unpackArchive(data: ArrayBuffer | Uint8Array, format: string, options: { extractDir: string }): void;
  pyimport(name: string): any;
  runPython(code: string): any;
  mountNodeFS(path: string, folder: string): void;
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
  setInterruptBuffer(buffer: { 0: number }): void;
}

/** Emscripten's files. */
interface PyodideFiles {
  filesystems: { IDBFS: object };
  analyzePath(path: string): { exists: boolean };
  mkdirTree(path: string): void;
  mount(kind: object, options: object, path: string): void;
  syncfs(isReading: boolean, done: (error: unknown) => void): void;
  writeFile(path: string, data: Uint8Array): void;
}

declare module "*/pyodide.mjs" {
  export function loadPyodide(options: object): Promise<Pyodide>;
}
