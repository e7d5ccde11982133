"""``python -m winnable``, and the command ``winnable``: sees to Ctrl-C before anything else is imported."""

import os
from _signal import SIG_IGN, SIGINT, getsignal, signal  # type: ignore[import-not-found]  # built in


def main() -> None:
    """Run the command line and exit. Ctrl-C in the meantime is quiet; see cli.interrupts."""
    if getsignal(SIGINT) != SIG_IGN:
        signal(SIGINT, lambda *_: os._exit(130))
    try:
        _begin()
    except MemoryError:  # before there is anything that could tell more
        os.write(2, b"winnable: out of memory: the system gives no more\n")
        os._exit(2)


def _begin() -> None:
    from winnable.cli import interrupts

    interrupts.begin()
    import gc

    gc.disable()  # among what is loaded now there is no garbage, and looking for it takes a tenth of the time
    from winnable.cli.main import main

    main()


if __name__ == "__main__":
    main()
