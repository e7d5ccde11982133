"""The schema of answers in a strict form: a key that it does not describe fails a test."""

import json
from functools import cache

import pytest

from winnable.protocol.schema import document

DOCUMENT = document()
NAMES = {"deal": "deals"}
"""The definitions of answers that are not called like their command."""


def check(name, value):
    """Validate a value by the definition ``name``."""
    _validator(name).validate(value)


def check_output(args, out):
    """Validate the JSON output of a command, one value or several."""
    decoder, rest = json.JSONDecoder(), out.strip()
    while rest:
        value, end = decoder.raw_decode(rest)
        rest = rest[end:].lstrip()
        is_error = isinstance(value, dict) and "error" in value
        check("error" if is_error else NAMES.get(args[0], args[0]), value)


@cache
def _validator(name):
    jsonschema = pytest.importorskip("jsonschema", reason="the extra 'test' is not installed")
    used = json.dumps([part for each in DOCUMENT["$defs"].values() for part in _parts(each)])
    parts = {key for key in DOCUMENT["$defs"] if f'"#/$defs/{key}"' in used}
    defs = {key: _strict(each, key in parts) for key, each in DOCUMENT["$defs"].items()}
    assert name in defs, name
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": defs})


def _parts(node):
    """The schemas that are combined with others."""
    if isinstance(node, dict):
        yield from node.get("allOf", ())
        node = list(node.values())
    if isinstance(node, list):
        for each in node:
            yield from _parts(each)


def _strict(node, is_part):
    """A schema that allows no other keys, unless it is part of a combined one."""
    if isinstance(node, list):
        return [_strict(each, is_part) for each in node]
    if not isinstance(node, dict):
        return node
    made = {}
    for key, value in node.items():
        is_inside = key in ("allOf", "oneOf", "if", "then") or (key == "anyOf" and is_part)
        if key == "properties":
            made[key] = {name: _strict(each, False) for name, each in value.items()}
        else:
            made[key] = _strict(value, is_inside)
    is_object = not is_part and ({"properties", "allOf"} & set(node))
    return made | ({"unevaluatedProperties": False} if is_object else {})
