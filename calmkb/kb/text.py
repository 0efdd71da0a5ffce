"""Text as the faces show it: invisible characters written out, secrets removed."""

from typing import TYPE_CHECKING

from calmkb.redact.invisible import show_invisible

if TYPE_CHECKING:
    from calmkb.kb.base.knowledge_base import KnowledgeBase

__all__ = ["redact_secrets", "show_invisible"]


def redact_secrets(text: str) -> str:
    """Return `text` without what the filter takes for a secret."""
    # Thirty milliseconds that only messages about something wrong need.
    from calmkb.redact.secrets import redact_secrets as redact

    return redact(text)


def filtered(kb: "KnowledgeBase", data: bytes, *, json_lines: bool) -> tuple[bytes, dict[str, int]]:
    """Return `data` as a wrap-up here would keep it, and how often each rule of the filter hit."""
    redactor = kb.redactor()
    text = data.decode(errors="replace").replace("\0", "\ufffd")
    cleaned = redactor.json_lines(data) if json_lines else redactor.text(text).encode()
    return cleaned, dict(sorted(redactor.hits.items()))
