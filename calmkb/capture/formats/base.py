"""What a transcript format must offer; one module a format, one line each in `formats.py`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from calmkb.capture.formats.turns import Transcript

JsonObject = Mapping[str, Any]


class TranscriptFormat(Protocol):
    """A way in which one agent writes its sessions down."""

    name: str

    def recognises(self, objects: Sequence[JsonObject]) -> bool:
        """Tell whether the first sound objects of a file are in this format."""

    def read(self, path: Path) -> Transcript:
        """Read a whole file; TranscriptError where it cannot be read."""
