"""Memory text made harmless for the files that agents read: data, never an order to the reader."""

import re
import unicodedata
from dataclasses import dataclass

from calmkb.redact.invisible import strip_invisible

_BLANKS = re.compile(r"\s+")
_CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
# A mail address is no import; anything else before the sign may be where a reader's text begins.
_SIGN = re.compile(r"(?<![^\W_])@(?=[\w~./\\-])")
_IMPORT = re.compile(_SIGN.pattern + r"(\S+)")
_COMMAND = re.compile(r"!(?=[`{])|(?<=```)!")
_OPEN_FENCE = re.compile(r"\A(?=```|~~~)")
# Where these occur, readers differ in what they take for code.
_DOUBTFUL = re.compile(r"``|\\`|<|\]\s*[(\[]|\A~~~")
_TAG = re.compile(r"<(?=/?system-reminder)", re.IGNORECASE)
_FILE_MENTION = re.compile(r"(?<![\w`])#(?=(?:file|selection|folder|codebase):)", re.IGNORECASE)
_LINK = re.compile(r"\]\((?!https?://|#)")
_SENTENCE_END = re.compile(r"[.!?…](?=\s)")
_JOINER = "\u200d"
_REGIONAL = range(0x1F1E6, 0x1F200)


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a kind of file can say beside its text.

    `scoped` files hold for some paths alone; others name the paths in the text. `plain` ones
    are read by programs that act on nothing: only what is invisible goes.
    """

    scoped: bool = False
    plain: bool = False


_MARKDOWN = Dialect()


def one_line(text: str, dialect: Dialect = _MARKDOWN) -> str:
    """Return `text` on one line, with nothing in it that a coding agent would act on.

    `@path` would pull a file into the context: it is put in a code span, where it is only read, or
    broken up where readers may not agree on what is code. `` !`cmd` `` and `!{cmd}` would run,
    `<!--` would hide or look like our own marker, `#file:` and a link to a path would attach a
    file, a fence would swallow what follows: all are broken up. Idempotent.
    """
    text = _BLANKS.sub(" ", strip_invisible(text)).strip()
    if dialect.plain:
        return text
    text = text.replace("<!--", "&lt;!--").replace("-->", "--&gt;")
    text = _TAG.sub("&lt;", text)
    text = _FILE_MENTION.sub("# ", _LINK.sub("] (", _COMMAND.sub(" ! ", text)))
    text = _OPEN_FENCE.sub(r"\\", _BLANKS.sub(" ", text).strip())
    if _DOUBTFUL.search(text) or text.count("`") % 2:
        return _SIGN.sub("@ ", text)
    parts, at = [], 0
    for span in _CODE_SPAN.finditer(text):
        parts += [_quote_imports(text[at : span.start()]), span[0]]
        at = span.end()
    # Two spans that touch would be one, and a span behind a `!` would run.
    quoted = "".join([*parts, _quote_imports(text[at:])]).replace("``", "` `")
    if _DOUBTFUL.search(quoted):  # a path that ends in a backslash escapes the end of its span
        return _SIGN.sub("@ ", text)
    return _COMMAND.sub("! ", quoted)


def clip(text: str, limit: int, dialect: Dialect = _MARKDOWN) -> str:
    """Return a safe line cut to about `limit` characters, safe still: no span or sign torn.

    After a sentence where one ends in the second half, else between words.
    """
    if len(text) <= limit:
        return text
    head = text[:limit]
    ends = [found.end() for found in _SENTENCE_END.finditer(head)]
    at = ends[-1] if ends and ends[-1] > limit // 2 else head.rfind(" ")
    head = head[:at] if at > limit // 2 else head[: _between_signs(text, limit)]
    if head.count("`") % 2:
        head = head[: head.rindex("`")]
    cut = head.rstrip()
    return one_line(cut if cut.endswith((".", "!", "?", "…")) else f"{cut}…", dialect)


def _between_signs(text: str, at: int) -> int:
    """Return `at` or the nearest place before it that tears no accent, emoji or flag apart."""
    while at > 0 and _joined(text, at):
        at -= 1
    return at


def _joined(text: str, at: int) -> bool:
    if at >= len(text):
        return False
    here, before = text[at], text[at - 1]
    if unicodedata.combining(here) or unicodedata.category(here) in ("Mn", "Me", "Mc", "Sk"):
        return True
    if _JOINER in (here, before):
        return True
    if ord(here) in _REGIONAL and ord(before) in _REGIONAL:
        flags = 0
        while at > flags and ord(text[at - 1 - flags]) in _REGIONAL:
            flags += 1
        return flags % 2 == 1
    return False


def _quote_imports(text: str) -> str:
    return _IMPORT.sub(_quoted, text)


def _quoted(found: re.Match[str]) -> str:
    path = found[1].rstrip(".,;:!?)]}'\"").replace("`", "")
    tail = found[1][len(path) :].replace("`", "")
    return f"`@{path}`{tail}"
