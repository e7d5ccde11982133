"""Import all modules of `/archives/winnable.zip`, and look for what their functions import; run by the Python
of the site, see python.mjs. Fails if a module of Python's library is missing: it then has to be listed in
stdlib.txt."""

import dis
import importlib
import importlib.util
import marshal
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

PLACE = Path("/ours")
NOT_THERE = ("starlette", "uvicorn")  # what only the local server needs
NOT_USED = ("resource",)  # what only commands use
HEADER = 16  # bytes of a .pyc before its code


def imported(code: CodeType) -> Iterator[str]:
    """The modules that ``code`` and the functions in it import by their whole names."""
    level = None
    for step in dis.get_instructions(code):
        if step.opname == "IMPORT_NAME" and level == 0:
            yield str(step.argval)
        if step.opname in ("LOAD_CONST", "LOAD_SMALL_INT") and isinstance(step.argval, int):
            level = step.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from imported(constant)


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
        if file.suffix == ".pyc":
            for used in imported(marshal.loads((PLACE / file).read_bytes()[HEADER:])):
                if used in sys.stdlib_module_names and used not in NOT_USED and not _is_there(used):
                    raise RuntimeError(f"{name}: no module named {used}: expected it in web/stdlib.txt")


def _is_there(name: str) -> bool:
    return name in sys.modules or importlib.util.find_spec(name) is not None


main()
