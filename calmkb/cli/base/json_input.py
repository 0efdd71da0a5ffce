"""JSON that a person or a program hands to a command."""

import json
import sys
from pathlib import Path
from typing import Any

from calmkb.errors import CalmError


def read_json(source: str) -> Any:
    """Return what is in a file, or on standard input for `-`; CalmError says what is wrong."""
    place = place_of(source)
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
        return json.loads(text)
    except OSError as error:
        raise CalmError(f"cannot read {source}: {error.strerror}") from error
    except RecursionError:
        raise CalmError(f"{place} is nested too deeply to be read") from None
    except ValueError as error:
        raise CalmError(f"{place} is not JSON: {error}") from error


def place_of(source: str) -> str:
    """Return what to call the source in messages."""
    return "standard input" if source == "-" else source
