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
import operator
import os
import sys
import threading
import time

from winnable.__main__ import main


class Kind:
    """A class of kernels, of which each is watched."""

    def __init__(self, kind, attribute, count, tell):
        self.kind = kind
        self.has_come = lambda kernel: getattr(kernel, attribute) >= count
        self.tell = tell

    def __call__(self, *args):
        kernel = self.kind(*args)
        when(lambda: self.has_come(kernel), self.tell)
        return kernel

    def __getattr__(self, name):
        return getattr(self.kind, name)


def when(condition, tell):
    """Tell when a condition is met, while the program goes on."""

    def watch():
        while not condition():
            time.sleep(0.001)
        tell()

    threading.Thread(target=watch, daemon=True).start()


def teller(descriptor):
    calls = itertools.count()

    def tell():
        if next(calls) == 0:
            os.write(descriptor, b"\n")

    return tell


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
        return kind and Kind(kind, attribute, int(count), tell)

    return find


def announce(descriptor, event):
    """Replace the function of the event by one that tells."""
    kind, module, name, *rest = event.split()
    *owner, attribute = name.split(".")
    place = functools.reduce(getattr, owner, importlib.import_module(module))
    replaced = {"calls": calls, "halts": halts, "spends": spends, "counts": counts}[kind]
    function = operator.attrgetter(attribute)(place)
    setattr(place, attribute, replaced(function, teller(descriptor), *rest))


if __name__ == "__main__":
    announce(int(sys.argv[1]), sys.argv[2])
    del sys.argv[1:3]
    main()
