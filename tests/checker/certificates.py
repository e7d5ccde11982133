"""Certificates as text: helpers to make, damage and check them."""

import gzip
import json
from dataclasses import dataclass

import pytest
from tests.second_checker.asking import answer, compiled

from winnable import checker
from winnable.checker import Claim, NotFinished, Refused
from winnable.checker.accept import header_claim
from winnable.rules import find_variant
from winnable.solver import Result, Verdict, find_shortest, solve
from winnable.solver.certificates import certify
from winnable.solver.certificates.notation import dealt_text

LOST = Result(Verdict.UNWINNABLE, None)


@dataclass
class Text:
    """A certificate in parts: its header, and its lines without the last one, ``end``."""

    header: dict
    lines: list

    def copy(self):
        return Text(json.loads(json.dumps(self.header)), list(self.lines))

    def changed(self, **header):
        """A copy with some fields of the header changed."""
        other = self.copy()
        other.header |= header
        return other

    def with_lines(self, *lines):
        """A copy with these lines, and with their number in the header."""
        return Text(self.copy().header, list(lines)).count()

    def count(self):
        """Set the number of lines in the header."""
        self.header["positions"] = len(self.lines)
        return self

    def content(self):
        return "".join(f"{line}\n" for line in [json.dumps(self.header), *self.lines, "end"]).encode()


def text_of(data):
    header, *lines, end = gzip.decompress(data).decode().splitlines()
    assert end == "end"
    return Text(json.loads(header), lines)


def made(state, result=None, **options):
    """The certificate of ``state`` as `Text`: for the ``result`` given, or for that of a search."""
    variant = find_variant(state.variant)
    if result is None and options.get("shortest"):
        result = find_shortest(variant, state)
    elif result is None:
        result = solve(variant, state) if variant.scoring else LOST
    return text_of(b"".join(certify(variant, state, result, **options).chunks()))


def made_of_seed(game, seed, **options):
    """The certificate of a deal."""
    return made(find_variant(game).deal(seed), seed=seed, **options)


def proved(state, moves, **options):
    """The certificate that no line has fewer than ``moves`` moves."""
    return made(state, Result(Verdict.WINNABLE, None, lower_bound=moves), shortest=True, **options)


def check_length(folder, state, moves, **options):
    """Check that the length found by brute force is certified, that one more is not, and that the same
    positions do not prove it."""
    text = proved(state, moves, **options)
    assert refusal(folder, text) is None, state
    with pytest.raises(RuntimeError, match="takes fewer"):
        proved(state, moves + 1, **options)
    text.header["value"] += 1
    numbered = [line.partition(" ") for line in text.lines]
    text.lines = [f"{int(number) + 1} {rest}" for number, _, rest in numbered]
    assert refusal(folder, text) is not None, state


def claim_in(text):
    """The claim that the header of a certificate makes."""
    return header_claim(json.dumps(text.header))


def claim_for(state, kind="unwinnable", lemmas=(), value=None, line=()):
    """A claim about ``state`` that belongs to no file."""
    variant = find_variant(state.variant)
    usual = {name: values[0] for name, values in variant.choices.items() if name != "spaces"}
    choices = usual | variant.choices_of(state)
    columns = len(state.columns)
    dealt = dealt_text(state) if variant.packed == "klondike" else None
    return Claim(variant, state.deck, choices, columns, None, "", dealt, kind, value, line, lemmas, 0)


def refusal(folder, text, raw=False, **options):
    """The reason why both checkers refuse a certificate, or why the first did not finish; None if both accept
    it and print the same sentence."""
    path = folder / "proof.gz"
    plain = text.content() if isinstance(text, Text) else text
    path.write_bytes(text if raw else gzip.compress(plain, 1))
    try:
        told, why = str(checker.check(str(path), **options)), None
    except NotFinished as error:
        return str(error)
    except Refused as error:
        told, why = "refused: ", str(error)
    if compiled() and not raw and not options:
        given = answer(compiled(), plain)
        assert given == told or (why and given.startswith(told)), (given, why)
    if why is None:
        return None
    assert "\n" not in why
    assert not why.startswith("not understood"), why
    return why
