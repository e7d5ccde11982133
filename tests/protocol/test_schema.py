"""The JSON Schema made from the types."""

import ast
import re

import pytest
from tests.schemas import DOCUMENT

from winnable.protocol import schema
from winnable.rules import CHOICES, VARIANTS


def kind(text):
    """The schema of an annotation."""
    return schema._Types().schema(ast.parse(text, mode="eval").body)


def test_the_document_is_a_schema_whose_references_lead_to_definitions():
    jsonschema = pytest.importorskip("jsonschema", reason="the extra 'test' is not installed")
    jsonschema.Draft202012Validator.check_schema(DOCUMENT)
    names = re.findall(r"'\$ref': '#/\$defs/(\w+)'", str(DOCUMENT))
    assert len(names) > 100
    assert set(names) <= DOCUMENT["$defs"].keys()
    assert not [name for name in DOCUMENT["$defs"] if name.startswith("_")]


def test_games_and_rule_options_are_those_of_their_tables():
    assert DOCUMENT["$defs"]["game"]["enum"] == list(VARIANTS)
    for name in ("origin", "deal", "summary", "tablerate"):
        found = DOCUMENT["$defs"][name]
        assert found["properties"].keys() >= CHOICES.keys()
        assert not CHOICES.keys() & set(found["required"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int | str", {"type": ["integer", "string"]}),
        ("list[float] | None", {"type": ["array", "null"], "items": {"type": "number"}}),
        ("Plan | None", {"anyOf": [{"$ref": "#/$defs/plan"}, {"type": "null"}]}),
        ("Literal[False] | None", {"enum": [False, None]}),
        ("Literal['win', 'score']", {"enum": ["win", "score"]}),
        ("dict[str, bool]", {"type": "object", "additionalProperties": {"type": "boolean"}}),
        ("Annotated[CardsUp, 'Cards.']", {"$ref": "#/$defs/cards_up", "description": "Cards."}),
        ("Annotated[int, ('minimum', 0)]", {"type": "integer", "minimum": 0}),
    ],
)
def test_an_annotation_has_a_schema(text, expected):
    assert kind(text) == expected


@pytest.mark.parametrize("text", ["set[int]", "Unknown"])
def test_other_annotations_are_refused(text):
    with pytest.raises(ValueError, match=re.escape(f"{text}: expected a type that has a schema")):
        kind(text)


def test_bases_are_references_but_private_ones():
    found = DOCUMENT["$defs"]["option"]
    assert found["allOf"][:2] == [{"$ref": "#/$defs/brief"}, {"$ref": "#/$defs/told"}]
    assert found["allOf"][2]["required"] == ["keeps"]
    assert "verdict" in DOCUMENT["$defs"]["brief"]["properties"]


def test_two_types_of_one_name_are_refused(monkeypatch):
    monkeypatch.setattr(schema, "_SOURCES", ("rules/answers.py", "rules/answers.py"))
    with pytest.raises(ValueError, match="Game: expected a name that no other type has"):
        schema.document()
