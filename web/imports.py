"""Import all modules of `/archives/winnable.zip`; run by the Python of the site, see python.mjs. Fails if a
module of Python's library is missing: it then has to be listed in stdlib.txt."""

import importlib
import shutil
import sys
from pathlib import Path

PLACE = Path("/ours")
NOT_THERE = ("starlette", "uvicorn")  # what only the local server needs


def main() -> None:
    """Import them."""
    shutil.unpack_archive("/archives/winnable.zip", PLACE)
    sys.path.insert(0, str(PLACE))
    files = sorted(path.relative_to(PLACE) for end in ("pyc", "so") for path in PLACE.rglob(f"*.{end}"))
    for file in files:
        name = ".".join(file.parts).partition(".abi3")[0].removesuffix(".pyc").removesuffix(".__init__")
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            if (error.name or "").split(".")[0] not in NOT_THERE:
                raise RuntimeError(f"{name}: {error}: expected it in web/stdlib.txt") from None


main()
