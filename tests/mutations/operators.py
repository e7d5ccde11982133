"""Mutation operators: the edits that make mutants of Python and Cython source.

`statements` splits a source, `edits` lists the mutants of a statement by these operators:

drop    an operand of and, or, and of arithmetic (its place is the operand)
keep    one arm of a conditional expression (the arm)
false, true    the condition of if, elif, while (any part of its line)
skip    a statement with its block, of an if only where no else follows (any part of its line)
returns    a constant in place of what is returned
flip, swap, step    another comparison; another operator or keyword; an integer plus or minus one
bare    an operand without its not or ~

Declarations, annotations, strings and assertions stay as they are. Where the parser cannot follow an
expression it lists nothing.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

TOKEN = re.compile(
    r"""
    (?P<string> [rbfu]{0,2} (?:
        \"{3} (?: [^\\] | \\[\s\S] )*? \"{3} | "(?: [^"\\\n] | \\[\s\S] )*" | '(?: [^'\\\n] | \\[\s\S] )*' ) )
    | (?P<name> [^\W\d]\w* ) | (?P<number> [\d.]+e[-+]\d+ | \d[\w.]* )
    | (?P<newline> \n ) | (?P<blank> [ ]+ | \#.* | \\\n )
    | (?P<operator> (?: << | >> | // | \*\* | [-+*/%&|^<>=!:] )= | << | >> | // | \*\* | -> | \.{3} | \S )
    """,
    re.VERBOSE | re.IGNORECASE,
)
KEYWORDS = set(keyword.kwlist) - {"True", "False", "None"}
FLIPS = {"<": "<= >=", "<=": "< >", ">": ">= <=", ">=": "> <", "==": "!=", "!=": "=="}
PAIRS = ("+ -", "<< >>", "and or", "| &", "+= -=", "|= &=", "True False", "break continue")
SWAPS = {a: b for pair in PAIRS for a, b in (pair.split(), pair.split()[::-1])}
LEVELS = ("or", "and", "not", "< <= > >= == != is in", "|", "^", "&", "<< >>", "+ -", "* / // % @", "**")
LEVEL = {operator: level for level, row in enumerate(LEVELS) for operator in row.split()}
UNARY = LEVEL["**"]
PREFIXES = {"-", "+", "~", "&", "*", "**", "await"}
CLOSING = {"(": ")", "[": "]", "{": "}"}
DEPTH = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
CONDITIONAL = ("if", "elif", "while")
DECLARATIONS = {
    "import", "from", "cimport", "class", "def", "async", "@", "cpdef", "ctypedef", "global", "nonlocal",
}  # fmt: skip
UNSKIPPABLE = {"cdef", "pass", "return", "elif", "else", "try", "except", "finally"}
OPAQUE = {"struct", "enum", "union", "extern", "packed", "cppclass"}
ASSERTIONS = {"assert", "invariant"}


@dataclass(frozen=True)
class Token:
    """A token with its two offsets in the source."""

    text: str
    start: int
    end: int
    is_operand: bool


@dataclass(frozen=True)
class Statement:
    """A statement: the tokens of its line, up to the colon if a block follows, and the end of its block."""

    tokens: tuple[Token, ...]
    depth: int
    end: int
    has_else: bool

    @property
    def start(self) -> int:
        """The offset of its first token."""
        return self.tokens[0].start

    @property
    def line_end(self) -> int:
        """The offset after its last token, without the block."""
        return self.tokens[-1].end

    @property
    def has_block(self) -> bool:
        """True if a block follows."""
        return self.tokens[-1].text == ":"


@dataclass(frozen=True)
class Edit:
    """The replacement of the text between two offsets. ``place`` is the name of the edit in a table."""

    operator: str
    start: int
    end: int
    text: str
    place: tuple[int, ...]

    def apply(self, source: str) -> str:
        """The source with the edit applied."""
        return source[: self.start] + self.text + source[self.end :]


@cache
def statements(source: str) -> list[Statement]:
    """All statements of ``source`` in order, without the fields of C structs."""
    lines = [(depth, row) for depth, row in _logical_lines(source) if row]
    found, opaque = [], None
    for i, (depth, row) in enumerate(lines):
        if opaque is not None and depth > opaque:
            continue
        is_declaration = row[0].text in ("cdef", "ctypedef") and row[-1].text == ":"
        opaque = depth if is_declaration and OPAQUE & {token.text for token in row} else None
        after = next((j for j in range(i + 1, len(lines)) if lines[j][0] <= depth), len(lines))
        follows = after < len(lines) and lines[after][0] == depth and lines[after][1][0].text
        end = lines[after - 1][1][-1].end
        found.append(Statement(tuple(row), depth, end, follows in ("else", "elif", "except", "finally")))
    return found


def _logical_lines(source: str) -> Iterator[tuple[int, list[Token]]]:
    """Yield the indentation and the tokens of each logical line; an f-string is one token."""
    row: list[Token] = []
    depth = line = indentation = 0
    for match in TOKEN.finditer(source):
        kind, text, start = match.lastgroup, match[0], match.start()
        if kind == "blank":
            continue
        if kind == "newline":
            line = match.end()
            if depth == 0 and row:
                yield indentation, row
                row = []
            continue
        depth += DEPTH.get(text, 0)
        indentation = indentation if row else start - line
        is_operand = kind in ("string", "number") or (kind == "name" and text not in KEYWORDS)
        row.append(Token(text, start, match.end(), is_operand))
    if row:
        yield indentation, row


@cache
def edits(source: str, statement: Statement, *constants: str) -> list[Edit]:
    """The mutants of a statement's line, each once; return values become ``constants``, by default the
    booleans."""
    tokens, first = statement.tokens, statement.tokens[0].text
    if first in DECLARATIONS | ASSERTIONS or all(t.text[-1] in "'\"" for t in tokens):
        return []
    if len(tokens) > 1 and tokens[1].text == ":" and not any(token.text == "=" for token in tokens):
        return []  # an annotation
    line = (statement.start, statement.line_end)
    found = []
    if first == "return" and len(tokens) > 1:
        constants = constants or ("False", "True")
        found += [Edit("returns", tokens[1].start, line[1], constant, line) for constant in constants]
    if first in CONDITIONAL and statement.has_block:
        place = tokens[1].start, tokens[-2].end
        found += [Edit("false", *place, "False", line), Edit("true", *place, "True", line)]
    if first not in UNSKIPPABLE and not (first == "if" and statement.has_else):
        found.append(Edit("skip", statement.start, statement.end, "pass", line))
    found += _Expressions(source, tokens).edits
    return [edit for edit in dict.fromkeys(found) if edit.text != source[edit.start : edit.end]]


class _Expressions:
    """The mutants of the expressions on a line."""

    def __init__(self, source: str, tokens: tuple[Token, ...]) -> None:
        self.source = source
        self.tokens = tokens
        self.at = 0
        self.edits: list[Edit] = []
        texts = [token.text for token in tokens]
        is_declared = texts[0] == "cdef" or (tokens[0].is_operand and ":" in self._outermost())
        if is_declared:
            self.at = texts.index("=") + 1 if "=" in self._outermost() else len(tokens)
        self._sequence("")

    def _outermost(self) -> list[str]:
        """The tokens outside brackets."""
        depth, found = 0, []
        for token in self.tokens:
            depth -= token.text in CLOSING.values()
            found += [token.text] if depth == 0 else []
            depth += token.text in CLOSING
        return found

    def _text(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead].text if self.at + ahead < len(self.tokens) else ""

    def _add(self, operator: str, start: int, end: int, text: str, place: tuple[int, ...] = ()) -> None:
        self.edits.append(Edit(operator, start, end, text, place or (start, end)))

    def _swap(self) -> None:
        token = self.tokens[self.at]
        if token.text in SWAPS:
            self._add("swap", token.start, token.end, SWAPS[token.text])
        for other in FLIPS.get(token.text, "").split():
            self._add("flip", token.start, token.end, other)

    def _sequence(self, closing: str) -> None:
        """Parse expressions with any tokens between them, up to the bracket ``closing`` or the end."""
        while self.at < len(self.tokens) and self._text() != closing:
            before = self.at
            with suppress(SyntaxError):
                self._expression(-1)
            if self.at == before:
                if self._text() in ("+=", "-=", "|=", "&=", "break", "continue"):
                    self._swap()
                self.at += 1

    def _expression(self, least: int) -> tuple[int, int]:
        """Parse operators of at least the level ``least``; return where the expression begins and ends."""
        left = self._operand()
        while True:
            operator, width = self._operator()
            level = LEVEL.get(operator, -2)
            if level < max(least, 0):
                break
            operands = [left]
            while self._operator() == (operator, width):
                self._swap()
                self.at += width
                operands.append(self._expression(level + 1))
                if operator not in ("and", "or"):
                    break
            if level != LEVEL["<"]:
                self._drop(operands)
            left = operands[0][0], operands[-1][1]
        return self._conditional(left) if least < 0 and self._text() == "if" else left

    def _operator(self) -> tuple[str, int]:
        """The binary operator at this place, without a leading not, and its number of tokens."""
        pair = self._text(), self._text(1)
        if pair == ("not", "in"):
            return "in", 2
        return ("", 1) if pair[0] == "not" else (pair[0], 2 if pair == ("is", "not") else 1)

    def _drop(self, operands: list[tuple[int, int]]) -> None:
        for i, (start, end) in enumerate(operands):
            cut = (start, operands[1][0]) if i == 0 else (operands[i - 1][1], end)
            self._add("drop", *cut, "", (start, end))

    def _conditional(self, left: tuple[int, int]) -> tuple[int, int]:
        """Parse a conditional expression, unless the condition belongs to a comprehension."""
        before = self.at
        self.at += 1
        self._expression(0)
        if self._text() != "else":
            self.at = before
            return left
        self.at += 1
        right = self._expression(-1)
        for start, end in (left, right):
            self._add("keep", left[0], right[1], self.source[start:end], (start, end))
        return left[0], right[1]

    def _operand(self) -> tuple[int, int]:
        """Parse an operand with its prefixes, calls, indices and attributes.

        Raises SyntaxError at a token that cannot begin an operand.
        """
        if self.at == len(self.tokens):
            raise SyntaxError
        token = self.tokens[self.at]
        if token.text in PREFIXES or token.text == "not" or token.text == "<":
            while token.text == "<" and self._text() not in (">", ""):
                self.at += 1
            self.at += 1
            start, end = self._expression(LEVEL["not"] if token.text == "not" else UNARY)
            if token.text in ("not", "~"):
                self._add("bare", token.start, start, "")
            return token.start, end
        if token.text == "lambda":
            while self._text() not in (":", ""):
                self.at += 1
            self.at += 1
            return token.start, self._expression(-1)[1]
        if token.text in CLOSING:
            self._brackets()
        elif token.is_operand:
            self._constant(token)
            self.at += 1
            while self._text()[-1:] in ("'", '"'):
                self.at += 1
        else:
            raise SyntaxError
        while self._text() in ("(", "[", "."):
            if self._text() == ".":
                self.at += 2
            else:
                self._brackets()
        return token.start, self.tokens[self.at - 1].end

    def _brackets(self) -> None:
        closing = CLOSING[self._text()]
        self.at += 1
        self._sequence(closing)
        self.at += 1

    def _constant(self, token: Token) -> None:
        self._swap()
        if token.text.isdecimal():
            self._add("step", token.start, token.end, str(int(token.text) + 1))
            if int(token.text):
                self._add("step", token.start, token.end, str(int(token.text) - 1))
