"""A JSON object edited as a value, and written back in the layout of its file."""

import json
import re
from typing import Any

from calmkb.errors import CalmError


def read_object(text: str, place: str) -> dict[str, Any]:
    """Return the object in `text`, {} if it is empty; CalmError naming `place` if it holds none."""
    try:
        found = json.loads(text, parse_constant=_refuse) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise CalmError(f"{place} is not JSON ({error}); fix it by hand first") from error
    if not isinstance(found, dict):
        raise CalmError(f"{place} does not hold a JSON object; fix it by hand first")
    return found


def write_object(value: dict[str, Any], before: str) -> str:
    """Return `value` as text with the indent, line ends and last line of the file as it was."""
    indent = re.search(r"^([ \t]+)\S", before, re.MULTILINE)
    flat = bool(before.strip()) and "\n" not in before.strip() and before.strip() != "{}"
    text = json.dumps(
        value, ensure_ascii=False, indent=None if flat else indent[1] if indent else 2
    )
    text += "\n" if before.endswith("\n") or not before else ""
    return text.replace("\n", "\r\n") if "\r\n" in before else text


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON value")
