"""Types in TypeScript from the schema of the engine's messages."""

import json
import re
import sys
from typing import Any

from web.tools import ROOT

ROOTS = ("hello", "games", "placed", "moved", "legal", "found", "measured", "position", "search", "info")
"""The definitions that requests and answers are made of; those that they name are written as well."""

_SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_SIMPLE["bigint"] = "bigint"

_SENT = {"game": {"$ref": "#/$defs/game"}, "seed": {"type": ["integer", "bigint", "string"]}}
"""Parameters of a position as programs give them: a game by its own name, though the engine takes titles too,
and a seed of any size."""


def declarations() -> str:
    """The exported types of `ROOTS` and of what they refer to, by the names in the schema."""
    sys.path.insert(0, str(ROOT / "src"))
    from winnable.protocol.schema import document

    definitions = document()["$defs"]
    definitions["position"] = _with(definitions["position"], _SENT)
    names: list[str] = list(ROOTS)
    for name in names:  # grows
        used = re.findall(r'"#/\$defs/(\w+)"', json.dumps(definitions[name]))
        names += [each for each in dict.fromkeys(used) if each not in names]
    blocks = ["// Written by web/types.py from the schema that protocol/schema.py makes."]
    for name in sorted(names):
        definition = definitions[name]
        blocks.append(f"{_comment(definition, '')}export type {name_of(name)} = {_type(definition, '')};")
    return "\n\n".join(blocks) + "\n"


def _with(schema: dict[str, Any], properties: dict[str, Any]) -> dict[str, Any]:
    """``schema`` with other types of some ``properties``, which keep their descriptions."""
    old = schema["properties"]
    comments = {name: {k: v for k, v in old[name].items() if k == "description"} for name in properties}
    changed = {name: comments[name] | properties[name] for name in properties}
    return schema | {"properties": old | changed}


def name_of(name: str) -> str:
    """The name of the type of a definition."""
    return "".join(part[0].upper() + part[1:] for part in name.split("_"))


def _comment(schema: dict[str, Any], indent: str) -> str:
    return f"{indent}/** {schema['description']} */\n" if "description" in schema else ""


def _type(schema: dict[str, Any], indent: str) -> str:
    if "$ref" in schema:
        return name_of(schema["$ref"].rsplit("/", 1)[1])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    parts = [_in_union(_type(each, indent)) for each in schema.get("allOf", [])]
    if "anyOf" in schema:
        parts.append(f"({' | '.join(_in_union(_type(each, indent)) for each in schema['anyOf'])})")
    if "properties" in schema:
        parts.append(_object(schema, indent))
    elif "type" in schema and not parts:
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        parts.append(" | ".join(_kind(kind, schema, indent) for kind in kinds))
    return " & ".join(parts) or "unknown"


def _kind(kind: str, schema: dict[str, Any], indent: str) -> str:
    if kind == "array":
        return f"Array<{_type(schema.get('items', {}), indent)}>"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {_type(values, indent) if isinstance(values, dict) else 'unknown'}>"
    return _SIMPLE[kind]


def _object(schema: dict[str, Any], indent: str) -> str:
    inside, needed = indent + "  ", schema.get("required", [])
    lines = [
        f"{_comment(value, inside)}{inside}{name}{'' if name in needed else '?'}: {_type(value, inside)};\n"
        for name, value in schema["properties"].items()
    ]
    return "{\n" + "".join(lines) + indent + "}"


def _in_union(text: str) -> str:
    return f"({text})" if " | " in text and not text.startswith(("{", "(")) else text
