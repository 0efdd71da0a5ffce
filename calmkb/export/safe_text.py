"""Memory text made harmless for an agent's memory file: data, never an order to its reader."""

import re

from calmkb.redact.invisible import strip_invisible

_BLANKS = re.compile(r"\s+")
_CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
_IMPORT = re.compile(r"(?<![\w`@.])@(?=[\w~./\\-])(\S+)")
_COMMAND = re.compile(r"!(?=`)")


def one_line(text: str) -> str:
    """Return `text` on one line, with nothing in it that Claude Code or its kin would act on.

    `@path` would pull a file into the context: it is put in a code span, where it is only read.
    `` !`cmd` `` would run, `<!--` would hide or look like our own marker: both are broken up.
    """
    text = _BLANKS.sub(" ", strip_invisible(text)).strip()
    text = text.replace("<!--", "&lt;!--").replace("-->", "--&gt;")
    text = _COMMAND.sub("! ", text)
    parts, at = [], 0
    for span in _CODE_SPAN.finditer(text):
        parts += [_quote_imports(text[at : span.start()]), span[0]]
        at = span.end()
    return "".join([*parts, _quote_imports(text[at:])])


def _quote_imports(text: str) -> str:
    return _IMPORT.sub(_quoted, text)


def _quoted(found: re.Match[str]) -> str:
    path = found[1].rstrip(".,;:!?)]}'\"").replace("`", "")
    tail = found[1][len(path) :].replace("`", "")
    return f"`@{path}`{tail}"
