/* Run a script by Pyodide's Python: node python.mjs PYODIDE SCRIPT FOLDER. It sees FOLDER as /archives. */

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, script, folder] = process.argv.slice(2).map(path => resolve(path));
try {
  const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")).href);
  const python = await loadPyodide({
    indexURL: `${pyodide}/`,
    env: { PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" },
  });
  python.mountNodeFS("/archives", folder);
  python.runPython(await readFile(script, "utf-8"));
  process.exit(0);
} catch (error) {
  console.error(String((error instanceof Error && error.message) || error).slice(-2000));
  process.exit(1);
}
