"""The metadata of a PPN file: a small, harmless part of YAML.

Everything stays text (so that edition 2.2 is no number), keys stand once, and
anchors, aliases and deep nesting are refused, because they have no place in a
game record and let a few bytes grow without bound.
"""

from __future__ import annotations

from typing import Any

import yaml

from engine.errors import InvalidState
from engine.strict_json import printable

MAX_CHARACTERS = 64_000
MAX_DEPTH = 8
_NULL_TAG = "tag:yaml.org,2002:null"


def parse_metadata(text: str, first_line: int) -> dict[str, Any]:
    """The mapping in ``text``, whose first line has this number in the file."""
    if len(text) > MAX_CHARACTERS:
        raise InvalidState(f"line {first_line}", f"the metadata is longer than {MAX_CHARACTERS} characters.")
    try:
        _refuse_tricks(text, first_line)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        problem = printable(error.problem or "", 80)
        raise InvalidState(_at(error.problem_mark, first_line), f"the metadata is not YAML ({problem}).") from None
    except yaml.YAMLError as error:
        problem = printable(str(error).splitlines()[0], 80)
        raise InvalidState(f"line {first_line}", f"the metadata is not YAML ({problem}).") from None
    if node is None:
        return {}
    value = _plain(node, first_line)
    if not isinstance(value, dict):
        raise InvalidState(f"line {first_line}", 'the metadata is a list of "Key: value" lines.')
    return value


def format_metadata(metadata: dict[str, Any]) -> str:
    """A mapping as YAML, each value on one line with its text in double quotes."""
    return "".join(f"{key}: {_flow(value)}\n" for key, value in metadata.items())


def _flow(value: Any) -> str:
    written: str = yaml.safe_dump(value, default_style='"', default_flow_style=True, width=10**9, sort_keys=False)
    return written.removesuffix("\n")


def _refuse_tricks(text: str, first_line: int) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise InvalidState(
                _at(event.start_mark, first_line), "anchors and aliases (& and *) have no place in a game record."
            )
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            raise InvalidState(_at(event.start_mark, first_line), "the metadata is nested too deeply.")


def _at(mark: Any, first_line: int) -> str:
    return f"line {first_line + (mark.line if mark else 0)}"


def _plain(node: yaml.Node, first_line: int) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return None if node.tag == _NULL_TAG else node.value
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, first_line) for item in node.value]
    result: dict[str, Any] = {}
    for key_node, value_node in node.value:
        line = _at(key_node.start_mark, first_line)
        key = _plain(key_node, first_line)
        if not isinstance(key, str):
            raise InvalidState(line, "a key in the metadata must be a word.")
        if key in result:
            raise InvalidState(line, f'the key "{printable(key)}" stands twice; keep one of them.')
        result[key] = _plain(value_node, first_line)
    return result
