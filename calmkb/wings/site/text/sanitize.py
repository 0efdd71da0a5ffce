"""Record text made safe for a browser: filters as it goes in, a strict sanitizer at the end.

Text in records is hostile until shown otherwise: an agent may have copied it from anywhere.
"""

import html
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from calmkb.redact.invisible import show_invisible
from calmkb.wings.site.text.inline import code_entities, escape_line, plain
from calmkb.wings.site.text.prose import prose

if TYPE_CHECKING:
    import nh3

__all__ = ["clean_html", "headline", "label", "line", "prose", "verbatim"]

_OPENING = re.compile(r"\A(#{1,6}|[-*+>]|\d{1,3}[.)])\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s")
_CLAUSE_END = re.compile(r"[,;:](?=\s)|\s(?=[(\u2013\u2014])")
_SPAN = re.compile(r"(`+)(?!`)(.*?)\1")
_JOINED = "\ue000"  # stands for a blank in code while a line is cut; shown nowhere
_ABSOLUTE = re.compile(r"\s*([a-z][a-z0-9+.-]*:|[/\\]{2})", re.IGNORECASE)
_EXTERNAL_LINK = re.compile(r'<a(?=(?:\s[\w-]+="[^"]*")*\shref="(?:https?:|[/\\]{2}))')
_OUR_CLASSES = re.compile(
    r"calm-[\w-]+|headerlink|language-[\w+#.-]+|highlight|admonition|note|tip|warning|task-list[\w-]*"
    r"|[a-z]{1,2}\d?|md-tag"
)
_TAGS = {
    *("a", "abbr", "br", "code", "del", "em", "ins", "kbd", "mark", "small", "span", "strong"),
    *("blockquote", "details", "div", "hr", "nav", "p", "pre", "section", "summary"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "dd", "dl", "dt", "li", "ol", "ul"),
    *("table", "tbody", "td", "th", "thead", "tr", "img", "input", "meter", "sub", "sup", "time"),
}
_ATTRIBUTES = {
    "*": {"class", "id", "title", "aria-label", "lang", "dir"},
    "a": {"href"},
    "img": {"src", "alt", "width", "height"},
    "input": {"checked"},
    "meter": {"min", "max", "value"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "time": {"datetime"},
    "details": {"open"},
}


def line(text: str, limit: int = 300) -> str:
    """Return `text` on one line, safe in Markdown, in HTML and in a quoted attribute."""
    return escape_line(_one_line(text, limit)).replace('"', "&quot;")


def verbatim(text: str) -> str:
    """Return `text` with its lines as they are, on one line of raw HTML that is only read."""
    return f'<pre class="calm-verbatim"><code>{code_entities(show_invisible(text))}</code></pre>'


def label(text: str, limit: int = 80) -> str:
    """Return `text` for front matter, which themes copy into HTML as it is."""
    return html.escape(_one_line(text, limit)).replace("{", "&#123;").replace("}", "&#125;")


def headline(text: str, limit: int = 90) -> str:
    """Return the first sentence of `text`, cut after a clause or a word; not yet escaped.

    What is between backticks ends no sentence, and is not cut: `..` in code is no full stop.
    """
    first = next((part for part in text.split("\n") if part.strip(" \t#>-*+`~=_|")), text)
    first = _OPENING.sub("", first.strip(), count=1)
    if "`" not in first:
        return _cut(" ".join(plain(_SENTENCE_END.split(first, maxsplit=1)[0]).split()), limit)
    ends = (end.start() for end in _SENTENCE_END.finditer(first))
    end = next((end for end in ends if first.count("`", 0, end) % 2 == 0), len(first))
    whole = _SPAN.sub(lambda span: _JOINED.join(span[2].split()), first[:end])
    return _cut(" ".join(plain(whole).split()), limit).replace(_JOINED, " ")


def clean_html(text: str) -> str:
    """Return a rendered page with everything removed that calmkb's pages do not need."""
    cleaned: str = _cleaner().clean(text)
    return _EXTERNAL_LINK.sub('<a rel="noopener nofollow"', cleaned)


def _one_line(text: str, limit: int) -> str:
    return _cut(" ".join(show_invisible(text).split()), limit)


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    clauses = [end.start() for end in _CLAUSE_END.finditer(text, 2 * limit // 3, limit)]
    if clauses:
        shorter = text[: clauses[-1]]
    elif " " in text[limit // 2 : limit]:
        shorter = text[:limit].rsplit(" ", 1)[0]
    else:
        shorter = text[:limit]
    return shorter.rstrip(" ,;:.-") + "…"


@lru_cache(maxsize=1)
def _cleaner() -> "nh3.Cleaner":
    import nh3

    return nh3.Cleaner(
        tags=_TAGS,
        clean_content_tags={"script", "style"},
        attributes=_ATTRIBUTES,
        attribute_filter=_attribute,
        url_schemes={"http", "https", "mailto"},
        link_rel=None,
        set_tag_attribute_values={"input": {"type": "checkbox", "disabled": ""}},
    )


def _attribute(tag: str, name: str, value: str) -> str | None:
    """Keep classes that only our own style sheet reads, and images from this site alone.

    Ids that begin with `__` are the theme's: its program would take a heading for its settings.
    """
    if name == "class":
        return " ".join(c for c in value.split() if _OUR_CLASSES.fullmatch(c)) or None
    if tag == "img" and name == "src":
        return None if _ABSOLUTE.match(value) else value
    if name == "id" and value.startswith("__"):
        return f"calm{value}"
    if tag == "a" and name == "href" and value.startswith("#__"):
        return f"#calm{value[1:]}"
    return value
