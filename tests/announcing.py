"""Run the program ``winnable``, and announce when it has reached an event.

Run it as ``announcing.py DESCRIPTOR EVENT ARGUMENTS``. It writes one byte to the file descriptor at the
event:

    calls MODULE NAME COUNT                 a function is called for the COUNT-th time
    halts MODULE NAME COUNT                 likewise, and the program waits there until it is killed
    spends MODULE NAME SECONDS              SECONDS of processor time were spent since a function was called
    counts MODULE FINDER ATTRIBUTE COUNT    an attribute of a kernel, of the class that the function FINDER
                                            returns, has reached COUNT
"""

import functools
import importlib
import itertools
import os
import sys
import threading
import time

from winnable.__main__ import main


def when(condition, tell):
    """Call ``tell`` once ``condition`` is true, while the program continues."""

    def watch():
        while not condition():
            time.sleep(0.001)
        tell()

    threading.Thread(target=watch, daemon=True).start()


def teller(descriptor):
    calls = itertools.count()
    return lambda: next(calls) or os.write(descriptor, b"\n")


def calls(function, tell, count):
    numbers = itertools.count(1)

    @functools.wraps(function)
    def counted(*args, **options):
        if next(numbers) == int(count):
            tell()
        return function(*args, **options)

    return counted


def halts(function, tell, count):
    def tell_and_wait():
        tell()
        threading.Event().wait()

    return calls(function, tell_and_wait, count)


def spends(function, tell, seconds):
    def begin():
        until = time.process_time() + float(seconds)
        when(lambda: time.process_time() >= until, tell)

    return calls(function, begin, 1)


def counts(function, tell, attribute, count):
    @functools.wraps(function)
    def find(*args):
        kind = function(*args)

        def watched(*args):
            kernel = kind(*args)
            when(lambda: getattr(kernel, attribute) >= int(count), tell)
            return kernel

        return watched

    return find


if __name__ == "__main__":
    _, descriptor, event, *sys.argv[1:] = sys.argv
    kind, module, name, *rest = event.split()
    *owner, attribute = name.split(".")
    place = functools.reduce(getattr, owner, importlib.import_module(module))
    replaced = {"calls": calls, "halts": halts, "spends": spends, "counts": counts}[kind]
    setattr(place, attribute, replaced(getattr(place, attribute), teller(int(descriptor)), *rest))
    main()
