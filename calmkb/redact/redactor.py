"""One filter for every text that is about to be kept, proven by a canary before its first use."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from calmkb.errors import RedactionError
from calmkb.model import Place, check_characters
from calmkb.redact.machine import Machine
from calmkb.redact.secrets import SECRET_NAME, is_secret_value, redact_secrets

_PRIVATE = re.compile(r"<private>.*?(?:</private>|\Z)", re.IGNORECASE | re.DOTALL)
_INJECTED = re.compile(
    r"<!-- calmkb:begin\b.*?(?:<!-- calmkb:end\b[^>]*-->|\Z)"
    r"|<calmkb-context>.*?(?:</calmkb-context>|\Z)",
    re.DOTALL,
)
# Put together here, so that no scanner finds a live-looking secret in this file.
_CANARY = "gh" + "p_" + "c4N4ryC4n4ry" * 3


class Redactor:
    """Takes out secrets, `<private>` spans, calmkb's own injected text and the machine's paths.

    Raises RedactionError when made, if its canary gets through.
    """

    def __init__(
        self, *, home: Path, places: Sequence[Place] = (), user: str = "", host: str = ""
    ) -> None:
        self._machine = Machine(home=home, places=places, user=user, host=host)
        if _CANARY in self.text(f"deploy with {_CANARY} now"):
            raise RedactionError("the secret filter missed its canary; nothing will be written")

    def text(self, text: str) -> str:
        """Return `text` fit to be kept; idempotent.

        Raises RecordError on a NUL or half a surrogate pair: the scanner could not read past it.
        """
        check_characters(text, "The text")
        text = _PRIVATE.sub("[private]", text)
        text = _INJECTED.sub("", text)
        return self._machine.neutralise(redact_secrets(text))

    def line(self, text: str) -> str:
        """Return one line of `text` fit to be kept, for names and paths."""
        return " ".join(self.text(text).split())

    def path(self, path: str) -> str:
        """Return a folder's name without the machine."""
        return self._machine.neutralise(path)

    def json_lines(self, content: bytes) -> bytes:
        """Return JSON Lines redacted inside their values, each line still JSON."""
        lines = content.decode(errors="replace").split("\n")
        return "\n".join(self._json_line(line) for line in lines).encode()

    def _json_line(self, line: str) -> str:
        try:
            value = json.loads(line)
        except ValueError:
            return self.text(_whole(line))
        return json.dumps(self._value(value), ensure_ascii=False, separators=(",", ":"))

    def _value(self, value: object) -> object:
        if isinstance(value, str):
            return self.text(_whole(value))
        if isinstance(value, list):
            return [self._value(item) for item in value]
        if isinstance(value, dict):
            return {self.text(_whole(key)): self._keyed(key, item) for key, item in value.items()}
        return value

    def _keyed(self, key: str, item: object) -> object:
        if isinstance(item, str) and SECRET_NAME.search(key) and is_secret_value(item):
            return "[redacted:key]"
        return self._value(item)


def _whole(text: str) -> str:
    """Return `text` with what UTF-8 or a file cannot hold replaced: logs are cut anywhere."""
    return text.encode(errors="replace").decode().replace("\0", "\ufffd")
