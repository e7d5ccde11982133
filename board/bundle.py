"""A page of `static` as one file: its styles and modules stand in it, and its content policy names their hashes.

The modules become one script, in which their names share one scope: no two modules of a page may define the same
one. An import is a line or lines of the form ``import { a, b } from "./cards.js";`` at the start of a module.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib import resources

_STYLE = re.compile(r'<link rel="stylesheet" href="([\w-]+\.css)">\n')
_SCRIPT = re.compile(r'<script type="module" src="([\w-]+\.js)"></script>\n')
_IMPORT = re.compile(r'^import [^;]*? from "\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def read_static(name: str) -> str:
    """The text of a file of `static`."""
    return resources.files(__package__).joinpath("static", name).read_text(encoding="utf-8")


@cache
def bundle(name: str) -> str:
    """The page ``name`` of `static`, which then needs no other file and may fetch none."""
    page = read_static(name)
    style = "".join(map(read_static, _STYLE.findall(page)))
    script = '"use strict";\n' + "".join(_modules(_SCRIPT.findall(page)))
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    head = f'<meta http-equiv="Content-Security-Policy"\n  content="{policy}">\n<style>{style}</style>\n'
    page = _SCRIPT.sub("", _STYLE.sub("", page))
    page = page.replace("</head>", f"{head}</head>")
    return page.replace("</body>", f"<script>{script}</script>\n</body>")


def _modules(names: list[str]) -> list[str]:
    """The modules and what they import, each once, after what it imports, without imports and exports."""
    done: dict[str, str] = {}

    def add(name: str) -> None:
        if name in done:
            return
        source = read_static(name)
        for imported in _IMPORT.findall(source):
            add(imported)
        done[name] = _EXPORT.sub("", _IMPORT.sub("", source))

    for name in names:
        add(name)
    return list(done.values())


def _hash(text: str) -> str:
    """The hash of an inline style or script as a content policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
