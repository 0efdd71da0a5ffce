"""Small records as files: fields in the front matter, one text at most below it."""

from dataclasses import dataclass
from typing import Any

from calmkb.documents import sections
from calmkb.documents.fields import Fields
from calmkb.documents.parts import split_known
from calmkb.documents.paths import time_in_name
from calmkb.model import Feedback, FinishedStep, FrontValue, ProjectAlias, Resumption


@dataclass(frozen=True, slots=True)
class Mark:
    """A kind of small record: its class, and its fields in the order in which they are written.

    `who` is the field that says who made it, left out where it is empty. `lists` are those of
    `fields` that are lists of text, `body` is the field that is the text of the file.
    """

    record: Any
    fields: tuple[str, ...]
    who: str
    lists: tuple[str, ...] = ()
    body: str = ""

    def render(self, record: Any) -> tuple[dict[str, FrontValue], str]:
        """Return the front matter and the body of the file."""
        front = {"id": record.id, "created_at": record.created_at.isoformat()}
        for name in self.fields:
            value = getattr(record, name)
            front[name] = list(value) if name in self.lists else value
        if who := getattr(record, self.who):
            front[self.who] = who
        text = getattr(record, self.body) if self.body else ""
        before = sections.render_text(text) if text else ""
        return front, sections.join(before, sections.render_others(record.sections))

    def parse(self, given: Fields, body: str, path: str) -> Any:
        """Return the record; RecordError names what is wrong."""
        before, parts = split_known(body, ())
        values = {
            "id": given.identity(path),
            "created_at": given.moment("created_at", time_in_name(path)),
        }
        for name in (*self.fields, self.who):
            values[name] = given.texts(name) if name in self.lists else given.text(name)
        if self.body:
            values[self.body] = sections.parse_text(before)
        others = parts.others("" if self.body else before)
        return self.record(**values, extra=given.rest(), sections=others)


RESUMPTION = Mark(Resumption, ("entry",), "resumed_by")
FINISHED_STEP = Mark(FinishedStep, ("entry", "step"), "finished_by")
FEEDBACK = Mark(Feedback, ("memory", "verdict"), "given_by", body="note")
PROJECT = Mark(ProjectAlias, ("name", "aliases"), "decided_by", lists=("aliases",))
