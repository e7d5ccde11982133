"""The scripts of the static site: those of the page, each bundled into one file, and the small engine,
which deals, draws, judges and plays before Python is there. Bundled by esbuild, as the npm package `winnable`
is."""

import asyncio
import base64
import hashlib
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from web import library, npm
from web.tools import ROOT, install_packages, run

FOLDER = npm.TOOLS / "page"  # where esbuild is found
PAGE = ("board", "history")
MODULE = "engine/winnable.wasm"


def write_scripts(site: Path) -> None:
    """Write the scripts and the engine's module into the folders ``static`` and ``engine`` of the site."""
    install_packages(npm.TOOLS, npm.VERSIONS)
    sys.path.insert(0, str(ROOT / "src"))
    collect(FOLDER)
    module = npm.optimised(library.wasm())
    shutil.copyfile(module, site / MODULE)
    for name in PAGE:
        outside = ("--format=esm", "--external:./transport.js")
        npm.bundle(FOLDER / f"{name}.js", site / "static" / f"{name}.js", *outside)
    npm.bundle(FOLDER / "transport.js", site / "static" / "transport.js", "--format=esm")
    npm.bundle(FOLDER / "small" / "worker.js", site / "engine" / "searches.js", "--format=iife")


def drawn_at_once(page: str) -> str:
    """The page with its home page in it, with the script that hides it where the address has a game, and with
    a link to what its own script imports. The page's policy allows that script by its hash."""
    script = (ROOT / "web" / "at-once.js").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    parts = (
        (r"script-src 'self'", rf"script-src 'self' 'sha256-{digest}'"),
        (r'<body data-page="play">', r'<body data-page="home">\n{script}'),
        (r'(<main class="home" id="home"[^>]*?) hidden>.*?</main>', r"\1 data-drawn>{home}</main>"),
        (r"(<script type=.module.)", r'<link rel="modulepreload" href="static/transport.js">\n\1'),
    )
    for pattern, text in parts:
        page, count = re.subn(pattern, text, page, count=1, flags=re.DOTALL)
        if not count:
            sys.exit(f"index.html: expected {pattern}")
    return page.replace("{home}", home_page()).replace("{script}", f"<script>{script}</script>")


def home_page() -> str:
    """The HTML of the home page, as the page's own script draws it for a first visit."""
    collect(FOLDER)
    script = FOLDER / "home-page.js"
    script.write_text(
        'import { homeHtml } from "./home.js";\nimport { known } from "./first/known.js";\n'
        "console.log(homeHtml(known.hello.games));\n",
        "utf-8",
    )
    built = FOLDER / "home-page.mjs"
    npm.bundle(script, built, "--format=esm", "--platform=node")
    return run("node", str(built)).strip()


def collect(folder: Path) -> None:
    """Put the sources of the scripts into ``folder``, emptied before, and what they are told of the games."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "web" / "small", folder / "small")
    shutil.copytree(ROOT / "web" / "first", folder / "first")
    for file in (ROOT / "board" / "static").glob("*.js"):
        shutil.copyfile(file, folder / file.name)
    for name in ("transport.js", "table-copy.js", "left-games.js"):
        shutil.copyfile(ROOT / "web" / name, folder / name)
    (folder / "small" / "games.js").write_text(npm.games_module(), "utf-8")
    text = f"export const known = {json.dumps(known(), separators=(',', ':'))};\n"
    (folder / "first" / "known.js").write_text(text, "utf-8")


def known() -> dict[str, Any]:
    """What the page knows before Python is there: the first message of the board."""
    return {"hello": asyncio.run(_hello()) | {"history": True}}


async def _hello() -> dict[str, Any]:
    from winnable.board.socket_session import Settings, SocketSession

    told: list[dict[str, Any]] = []
    session = SocketSession(Settings(), told.append)
    session.begin()
    await session.close()
    params: dict[str, Any] = told[0]["params"]
    return params
