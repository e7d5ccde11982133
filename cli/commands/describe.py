"""The command ``winnable describe``: the rules of the games, the dealer and the schema."""

import inspect
import json

import click

from ...rules import VARIANTS, Variant, deals, find_variant
from ..arguments import VariantType, as_usage
from ..console import say, stamped
from ..options import json_option
from ..terminal import fit, refilled


@click.command("describe")
@click.argument("words", nargs=-1, type=VariantType(), metavar="[GAME]")
@click.option("--dealer", is_flag=True, help="Print how a seed becomes a deal.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of all answers and messages.")
@json_option
def command(words: tuple[str, ...], dealer: bool, schema: bool, as_json: bool) -> None:
    """Print the rules of GAME; without it, list all games.

    \b
    Examples:
      winnable describe
      winnable describe joker
      winnable describe --dealer
      winnable describe --schema
    """
    with as_usage():
        variant = find_variant(" ".join(words)) if words else None
    if dealer and variant is not None:
        raise click.UsageError("--dealer: expected no GAME, since all games share the dealer")
    if schema and (dealer or variant is not None):
        raise click.UsageError("--schema: expected no GAME and no --dealer")
    if schema:
        from ...protocol.schema import document

        say(json.dumps(document(), indent=1), is_plain=True)
    elif dealer:
        text = inspect.cleandoc(deals.__doc__ or "")
        say(stamped({"dealer": text}) if as_json else refilled(text), is_plain=True)
    elif variant is not None:
        say(stamped(variant.to_dict(), indent=2) if as_json else _page(variant), is_plain=True)
    elif as_json:
        say(stamped({"games": [each.to_dict() for each in VARIANTS.values()]}, indent=2), is_plain=True)
    else:
        width = max(map(len, VARIANTS))
        lines = [fit(f"{each.name:<{width}}  {each.summary}") for each in VARIANTS.values()]
        say("\n".join(lines), is_plain=True)


def _page(variant: Variant) -> str:
    return f"{fit(f'{variant.name}: {variant.summary}')}\n\n{refilled(variant.description)}"
