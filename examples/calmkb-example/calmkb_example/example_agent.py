"""A transcript format: `{"kind": "example-turn", "by", "text"}` a line."""

from collections.abc import Sequence
from pathlib import Path

from calmkb.capture.formats.base import JsonObject, TranscriptFormat
from calmkb.capture.formats.fields import text_of
from calmkb.capture.formats.json_lines import LeftOut, read_objects
from calmkb.capture.formats.turns import Transcript, Turn


class ExampleAgent(TranscriptFormat):
    """Reads what an imagined agent writes."""

    name = "example-agent"

    def recognises(self, objects: Sequence[JsonObject]) -> bool:
        """Tell by the kind that only this agent writes."""
        return any(one.get("kind") == "example-turn" for one in objects)

    def read(self, path: Path) -> Transcript:
        """Read the file line by line; a broken line is counted, never fatal."""
        left = LeftOut()
        turns = [
            Turn(role="person" if one.get("by") == "user" else "agent",
                 text=text_of(one.get("text")), line=line)
            for line, one in read_objects(path, left)
        ]  # fmt: skip
        return Transcript(turns=tuple(turns), agent=self.name, **left.fields([]))


FORMAT = ExampleAgent()
