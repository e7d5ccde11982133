"""Replace the modules in the folder `/archives` by their bytecode; run by Pyodide's Python, see python.mjs.

The bytecode is never compared with a source. Python's own library goes without docstrings and assertions. In
our modules those of functions go alone: the rules of a game are the docstring of its module, and a data class
without a docstring computes one when it is imported.
"""

import ast
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc  # type: ignore[import-not-found]
from pathlib import Path

PLACES = {"python_stdlib.zip": "/lib/python314.zip/", "winnable.zip": "/lib/python3.14/site-packages/"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def main() -> None:
    """Write each archive again."""
    for name, place in PLACES.items():
        path = Path("/archives", name)
        with zipfile.ZipFile(path) as archive:
            files = {file: archive.read(file) for file in archive.namelist()}
        with zipfile.ZipFile(path, "w") as archive:
            for file, data in files.items():
                is_module = file.endswith(".py")
                content = bytecode(data, place + file, name == "winnable.zip") if is_module else data
                entry = zipfile.ZipInfo(file + "c" * is_module, (1980, 1, 1, 0, 0, 0))
                archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)


def bytecode(source: bytes, path: str, is_ours: bool) -> bytes:
    """The content of the .pyc file of a module."""
    tree = ast.parse(source, path)
    if is_ours:
        drop_docstrings(tree)
    code = compile(tree, path, "exec", dont_inherit=True, optimize=1 if is_ours else 2)
    pyc: bytes = _code_to_hash_pyc(code, bytes(8), False)
    return pyc


def drop_docstrings(tree: ast.Module) -> None:
    """Remove the docstrings of functions."""
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS) and ast.get_docstring(node, clean=False) is not None:
            node.body[0] = ast.copy_location(ast.Pass(), node.body[0])


main()
