"""The JSON Schema (2020-12) of all answers, deals and messages, made from the types in `rules.answers` and
`messages`.

It is read from their source, since Python 3.11 keeps neither the bases of a TypedDict nor the names of
aliases.
"""

import ast
import re
from importlib import resources
from typing import Any

from .. import SCHEMA
from ..rules import CHOICES, VARIANTS
from ..rules.deals import BY_COLUMNS, IN_PLAY
from ..rules.tiers import NO_TIER, TIERS
from ..solver.analysis.difficulty import LEVELS
from ..solver.result import REASONS, Verdict
from .requests import GOALS

Schema = dict[str, Any]

_SOURCES = ("rules/answers.py", "protocol/messages.py")
_KINDS = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "None": "null"}
_ENUMS = {
    "games": list(VARIANTS),
    "goals": list(GOALS),
    "levels": [None, *LEVELS],
    "marks": [IN_PLAY, BY_COLUMNS],
    "reasons": list(REASONS),
    "schemas": [SCHEMA],
    "tiers": [None, NO_TIER, *TIERS],
    "verdicts": [verdict.value for verdict in Verdict],
}
_MORE: dict[str, Schema] = {
    "answer": {"required": ["schema"], "properties": {"schema": {"const": SCHEMA}}},
    "done": {"maxProperties": 0},
    "limits": {"additionalProperties": False},
    "position": {
        "oneOf": [{"required": [name]} for name in ("seed", "pysol", "deal")],
        "dependentRequired": {"by": ["deal"]},
    },
}
"""What types do not express, by definition."""


def document() -> Schema:
    """Return the schema, with a definition for each public type, named like the type in lower case."""
    types = _Types()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:winnable:2",
        "title": "Answers, deals and messages of winnable",
        "description": "Definitions that are called like commands describe their answers in JSON, request and"
        " message what the engine reads and writes. New keys may be added in any version; another name for"
        " one, or another meaning, is another schema.",
        "$defs": {
            _key(name): types.definition(name) | _MORE.get(_key(name), {})
            for name in types.nodes
            if not name.startswith("_")
        },
    }


def _key(name: str) -> str:
    """The name of the definition of a type: ``cards_up`` for ``CardsUp``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


class _Types:
    """The types of the sources. By name, ``nodes`` has the syntax trees of classes and of the values of
    aliases, and ``texts`` their docstrings."""

    def __init__(self) -> None:
        self.nodes: dict[str, ast.ClassDef | ast.expr] = {}
        self.texts: dict[str, str] = {}
        for path in _SOURCES:
            body = ast.parse((resources.files("winnable") / path).read_text("utf-8")).body
            for node, below in zip(body, [*body[1:], None], strict=True):
                if isinstance(node, ast.ClassDef):
                    self._add(node.name, node, ast.get_docstring(node))
                elif isinstance(node, ast.Assign):
                    text = ast.literal_eval(below.value) if isinstance(below, ast.Expr) else None
                    self._add(ast.unparse(node.targets[0]), node.value, text)

    def _add(self, name: str, node: ast.ClassDef | ast.expr, text: str | None) -> None:
        if name in self.nodes:
            raise ValueError(f"{name}: expected a name that no other type has")
        self.nodes[name] = node
        if text is not None:
            self.texts[name] = " ".join(text.split())

    def definition(self, name: str) -> Schema:
        """The schema of the type ``name``."""
        node = self.nodes[name]
        told: Schema = {"description": self.texts[name]} if name in self.texts else {}
        if isinstance(node, ast.expr) and not isinstance(node, ast.Call):
            return told | self.schema(node)
        bases, keys = self._members(node)
        own: Schema = {
            "type": "object",
            "required": [key for key, (_, is_required) in keys.items() if is_required],
            "properties": {key: self.schema(kind) for key, (kind, _) in keys.items()},
        }
        own = {keyword: value for keyword, value in own.items() if value}
        return told | ({"allOf": [*bases, *([own] if keys else [])]} if bases else own)

    def _members(self, node: ast.AST) -> tuple[list[Schema], dict[str, tuple[ast.expr, bool]]]:
        """References to the public bases of a TypedDict, and for each of its own keys, with those of private
        bases, its type and whether it is required."""
        if isinstance(node, ast.Call):
            fields = node.args[1]
            assert isinstance(fields, ast.Dict)
            return [], {
                ast.literal_eval(key): _required(kind)
                for key, kind in zip(fields.keys, fields.values, strict=True)
                if key is not None
            }
        assert isinstance(node, ast.ClassDef)
        bases: list[Schema] = []
        keys: dict[str, tuple[ast.expr, bool]] = {}
        for base in map(ast.unparse, node.bases):
            if base == "_Options":
                keys |= {name: (ast.Name("Choice"), False) for name in CHOICES}
            elif base.startswith("_"):
                its_bases, its_keys = self._members(self.nodes[base])
                bases, keys = bases + its_bases, keys | its_keys
            elif base != "TypedDict":
                bases.append(self.schema(ast.Name(base)))
        for field in node.body:
            if isinstance(field, ast.AnnAssign):
                kind, is_required = _required(field.annotation)
                is_total = not node.keywords  # the only keyword is total=False
                keys[ast.unparse(field.target)] = kind, is_required and is_total
        return bases, keys

    def schema(self, kind: ast.expr) -> Schema:
        """The schema of an annotation. Raises ValueError for a kind of type that is not supported."""
        match kind:
            case ast.Constant(value=str(name)):
                return self.schema(ast.Name(name))
            case ast.Name() | ast.Constant() if ast.unparse(kind) in _KINDS:
                return {"type": _KINDS[ast.unparse(kind)]}
            case ast.Name(id=name) if name in self.nodes:
                return self.definition(name) if name.startswith("_") else {"$ref": f"#/$defs/{_key(name)}"}
            case ast.BinOp():
                return _union([self.schema(each) for each in _alternatives(kind)])
            case ast.Subscript(value=ast.Name(id="list"), slice=item):
                return {"type": "array", "items": self.schema(item)}
            case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[_, value])):
                return {"type": "object", "additionalProperties": self.schema(value)}
            case ast.Subscript(value=ast.Name(id="Literal"), slice=ast.Tuple(elts=values)):
                return {"enum": [ast.literal_eval(value) for value in values]}
            case ast.Subscript(value=ast.Name(id="Literal"), slice=value):
                return {"const": ast.literal_eval(value)}
            case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[inner, *notes])):
                return self.schema(inner) | _keywords([ast.literal_eval(note) for note in notes])
        raise ValueError(f"{ast.unparse(kind)}: expected a type that has a schema")


def _required(kind: ast.expr) -> tuple[ast.expr, bool]:
    """The type of an annotation, and False if that is NotRequired."""
    if isinstance(kind, ast.Subscript) and ast.unparse(kind.value) == "NotRequired":
        return kind.slice, False
    return kind, True


def _alternatives(kind: ast.expr) -> list[ast.expr]:
    """The members of a union."""
    if isinstance(kind, ast.BinOp):
        return [*_alternatives(kind.left), *_alternatives(kind.right)]
    return [kind]


def _union(members: list[Schema]) -> Schema:
    """The schema of a union: a list of types if they are simple, an enumeration with null, or ``anyOf``."""
    if all("type" in each and not {"enum", "properties"} & each.keys() for each in members):
        return {key: value for each in members for key, value in each.items()} | {
            "type": [each["type"] for each in members]
        }
    values, null = members[0], {"type": "null"}
    if members[1:] == [null] and {"enum", "const"} & values.keys():
        return {"enum": [*values.get("enum", [values.get("const")]), None]}
    return {"anyOf": members}


def _keywords(notes: list[Any]) -> Schema:
    """The keywords of the notes of an annotation: a description, and pairs of a keyword and its value."""
    found: Schema = dict(("description", note) if isinstance(note, str) else note for note in notes)
    if "enum" in found:
        found["enum"] = _ENUMS.get(found["enum"], found["enum"])
    return {key: list(value) if isinstance(value, tuple) else value for key, value in found.items()}
