"""The program ``winnable``, which tells when it has come so far.

Run it as ``announcing.py DESCRIPTOR EVENT ARGUMENTS``. It writes a byte to the file descriptor, once. The
events are

    calls MODULE NAME COUNT                 a function is called for this time
    halts MODULE NAME COUNT                 the same, and it waits there until it is killed
    spends MODULE NAME SECONDS              so much processor time was spent since a function was called
    counts MODULE FINDER ATTRIBUTE COUNT    a kernel, of the class that a function returns, has counted so far
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
    """Tell when a condition is met, while the program goes on."""

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
