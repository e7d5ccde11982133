"""A page of `static` as one file: styles and scripts inlined, their hashes in its content security policy.

The scripts are ES modules that work in a browser unchanged. Each import is one statement of the form ``import
{ a, b } from "./cards.js";``, each export precedes the name it exports.
"""

import base64
import hashlib
import re
from functools import cache
from importlib import resources

_STYLE = re.compile(r'<link rel="stylesheet" href="([\w-]+\.css)">\n')
_SCRIPT = re.compile(r'<script type="module" src="([\w-]+\.js)"></script>\n')
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([\w-]+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:const|function|class) (\w+))", re.MULTILINE)


def read_static(name: str) -> str:
    """The text of a file of `static`."""
    return resources.files(__package__).joinpath("static", name).read_text(encoding="utf-8")


@cache
def single_file(name: str) -> str:
    """The page ``name`` of `static` with everything inlined; it may load nothing else."""
    page = read_static(name)
    style = "".join(map(read_static, _STYLE.findall(page)))
    script = "".join(map(_script, _SCRIPT.findall(page)))
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    head = f'<meta http-equiv="Content-Security-Policy"\n  content="{policy}">\n<style>{style}</style>\n'
    page = _SCRIPT.sub("", _STYLE.sub("", page))
    page = page.replace("</head>", f"{head}</head>")
    return page.replace("</body>", f"<script>{script}</script>\n</body>")


def _script(name: str) -> str:
    """The module ``name`` as a script, preceded by its imports, each as an object of its exports."""
    parts: dict[str, str] = {}  # in the order in which they have to stand

    def add(module: str) -> str:
        source = read_static(module + ".js")
        for _, imported in _IMPORT.findall(source):
            if imported not in parts:
                text = _as_object(imported, add(imported))
                parts[imported] = text
        return _IMPORT.sub(r"const \1 = \2Module;", source)

    last = add(name.removesuffix(".js"))
    return '"use strict";\n' + "".join(parts.values()) + last


def _as_object(module: str, source: str) -> str:
    exports = ", ".join(name for _, name in _EXPORT.findall(source))
    inner = _EXPORT.sub(r"\1", source)
    return f"const {module}Module = (() => {{\n{inner}return {{ {exports} }};\n}})();\n"


def _hash(text: str) -> str:
    """The hash of an inline style or script in the notation of a content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
