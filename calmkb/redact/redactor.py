"""One filter for every text that is about to be kept, proven by a canary before its first use."""

import re
from collections.abc import Sequence
from pathlib import Path

from calmkb.errors import RedactionError
from calmkb.model import Place, check_characters
from calmkb.redact.machine import Machine
from calmkb.redact.private import hide_private
from calmkb.redact.rules import MARK, Hits
from calmkb.redact.secrets import redact_secrets, spare_listed
from calmkb.redact.structured import JsonCleaner

_INJECTED = re.compile(
    r"<!-- calmkb:begin\b(?s:.*?)(?:<!-- calmkb:end\b[^>]*-->|\Z)"
    r"|<calmkb-context>(?s:.*?)(?:</calmkb-context>|\Z)"
)
# Put together here, so that no scanner finds a live-looking secret in this file.
_CANARIES = ("gh" + "p_" + "c4N4ryC4n4ry" * 3, "q7Zk2vX9" + "c4N4ry")
_PASSES = 8


class Redactor:
    """Takes out secrets, `<private>` spans, calmkb's own injected text and the machine's paths.

    `allow` lists patterns of values that are known to be no secrets. Raises RedactionError when
    made, if a canary gets through: also where a pattern spares everything.
    """

    def __init__(
        self,
        *,
        home: Path,
        places: Sequence[Place] = (),
        user: str = "",
        host: str = "",
        allow: Sequence[str] = (),
    ) -> None:
        self._machine = Machine(home=home, places=places, user=user, host=host)
        self._spared = spare_listed(allow)
        self.hits = Hits()
        self._json = JsonCleaner(self.text, self._spared, self._hide_keyed)
        kept = self.text(f"deploy with {_CANARIES[0]} now\nDB_PASSWORD={_CANARIES[1]}")
        if any(canary in kept for canary in _CANARIES):
            raise RedactionError(
                "the secret filter missed its canary; nothing will be written "
                "(does a pattern under [redact] allow spare everything?)"
            )
        self.hits = Hits()

    def text(self, text: str) -> str:
        """Return `text` fit to be kept; idempotent, and to the letter where there is nothing.

        Raises RecordError on a NUL or half a surrogate pair: the scanner could not read past it.
        """
        check_characters(text, "The text")
        # What is taken out may join what stood apart, so it is done until nothing more is found.
        for _ in range(_PASSES):
            before, text = text, self._once(text)
            if text == before:
                break
        return text

    def line(self, text: str) -> str:
        """Return one line of `text` fit to be kept, for names and paths."""
        return " ".join(self.text(text).split())

    def path(self, path: str) -> str:
        """Return a folder's name without the machine; a folder can be named after a secret."""
        return self.text(path)

    def without_machine(self, text: str) -> str:
        """Return `text` without homes, repositories' places, the user's login and the host."""
        return self._machine.neutralise(text)

    def without_secrets(self, text: str) -> str:
        """Return `text` without secrets and private spans; the machine's names stay."""
        return redact_secrets(hide_private(text), spared=self._spared)

    def json_lines(self, content: bytes) -> bytes:
        """Return JSON Lines redacted inside their values, each line still JSON."""
        lines = content.decode(errors="replace").split("\n")
        return "\n".join(self._json.line(line) for line in lines).encode()

    def _hide_keyed(self) -> str:
        self.hits["key"] += 1
        return f"{MARK}:key]"

    def _once(self, text: str) -> str:
        text = _INJECTED.sub("", hide_private(text))
        return self._machine.neutralise(
            redact_secrets(text, spared=self._spared, hits=self.hits)
        )  # fmt: skip
