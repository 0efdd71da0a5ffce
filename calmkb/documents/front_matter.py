"""Front matter in which text stays text: no guessed numbers, dates, tags or aliases."""

import re
from collections.abc import Mapping

import frontmatter
import yaml
from frontmatter.default_handlers import YAMLHandler

from calmkb.errors import RecordError
from calmkb.model import FrontValue

FENCE = "---"
_Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_ALIAS_LIKE = re.compile(r"(^|[\s\[{,:-])[&*]\w")
_FOLDED = re.compile(r"[\n\r\x85\u2028\u2029]")
_TEXT = "tag:yaml.org,2002:str"
_DEPTH_LIMIT = 20
_COUNT_LIMIT = 200_000
"""Keys and values: a reflection of 100,000 sessions fits; millions take 27 s and a gigabyte."""
_INDENTED = re.compile(rf"^[ \t?-]{{{_DEPTH_LIMIT},}}", re.MULTILINE)


class Plain(str):
    """A scalar that a person wrote without quotes and YAML would take for a number or a date."""

    __slots__ = ()


class _Dumper(yaml.SafeDumper):
    """Writes text quoted where it looks like something else, and what was plain as plain."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _represent_plain(dumper: yaml.SafeDumper, value: Plain) -> yaml.Node:
    tag = _implied_tag(dumper, str(value))
    return dumper.represent_scalar(tag, str(value), style=None)


def _represent_text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    # PyYAML folds these inside single quotes and reads them back as blanks.
    style = '"' if _FOLDED.search(value) else None
    return dumper.represent_scalar(_TEXT, value, style=style)


_Dumper.add_representer(Plain, _represent_plain)
_Dumper.add_representer(str, _represent_text)


class StrictHandler(YAMLHandler):
    """python-frontmatter's YAML handler with a loader that reads every scalar as text."""

    def split(self, text: str) -> tuple[str, str]:
        """Return front matter and body; text that does not begin with a fence is all body."""
        if not text.startswith(FENCE):
            return "", text
        try:
            return super().split(text)
        except ValueError:
            fix = "front matter has no closing `---` line; add one after the last key"
            raise FrontMatterError(fix, 1) from None

    def load(self, fm: str, **_: object) -> dict[str, FrontValue]:
        """Return the mapping; raise FrontMatterError on anything else."""
        try:
            if _ALIAS_LIKE.search(fm) or _may_be_large(fm):
                _check_events(fm)
            node = yaml.compose(fm, Loader=_Loader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            line = mark.line + 1 if mark else 1
            raise FrontMatterError(f"front matter is not YAML: {error.problem}", line) from error
        except yaml.YAMLError as error:
            raise FrontMatterError(f"front matter is not YAML: {error}", 1) from error
        if node is None:
            return {}
        if not isinstance(node, yaml.MappingNode):
            raise FrontMatterError("front matter must be `key: value` lines", 1)
        value = _value(node, 0)
        assert isinstance(value, dict)  # noqa: S101 - a mapping node makes a dict
        return value

    def export(self, metadata: Mapping[str, object], **_: object) -> str:
        """Return `metadata` as YAML in the order given, without the fences."""
        return yaml.dump(
            dict(metadata), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10_000
        )

    def format(self, post: frontmatter.Post, **_: object) -> str:
        """Return the whole file, its body to the letter."""
        return f"{FENCE}\n{self.export(post.metadata)}{FENCE}\n\n{post.content}"


_HANDLER = StrictHandler()


def loads(text: str) -> tuple[dict[str, FrontValue], str]:
    """Return front matter and body, the body to the letter; raise FrontMatterError.

    The handler's two steps without `frontmatter.loads` around them, which strips the text, makes
    its line ends one kind, and takes no key `content` or `handler`.
    """
    front, body = _HANDLER.split(text)
    return _HANDLER.load(front), body


def dumps(metadata: Mapping[str, FrontValue], body: str) -> str:
    """Return the file that holds both."""
    post = frontmatter.Post(body, _HANDLER)
    post.metadata = dict(metadata)
    return frontmatter.dumps(post)


class FrontMatterError(RecordError):
    """Front matter that cannot be read; `line` counts from 1 inside the front matter."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def _may_be_large(fm: str) -> bool:
    """Return whether `fm` could be nested too deeply, or hold too many values."""
    # Each level takes a bracket or a column; each value but the first follows one of three signs.
    if fm.count("[") + fm.count("{") > _DEPTH_LIMIT or _INDENTED.search(fm):
        return True
    return fm.count("\n") + fm.count(",") + fm.count(":") > _COUNT_LIMIT


def _check_events(fm: str) -> None:
    """Refuse aliases, deep nesting and too many values in the stream of events.

    The composer calls itself for each level, in C, where no limit of Python's stops it: 100,000
    brackets ended the process.
    """
    depth = count = 0
    for event in yaml.parse(fm, Loader=_Loader):
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent):
            raise FrontMatterError("front matter uses a YAML alias; write the value out", line)
        count += isinstance(event, yaml.ScalarEvent)
        if count > _COUNT_LIMIT:
            raise FrontMatterError(f"front matter holds more than {_COUNT_LIMIT:,} values", line)
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEPTH_LIMIT:
            raise FrontMatterError("front matter is nested too deeply", line)


def _value(node: yaml.Node, depth: int) -> FrontValue:
    if depth > _DEPTH_LIMIT:
        raise FrontMatterError("front matter is nested too deeply", node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        return _mapping(node, depth)
    if isinstance(node, yaml.SequenceNode):
        return [_value(child, depth + 1) for child in node.value]
    return _scalar(node)


def _mapping(node: yaml.MappingNode, depth: int) -> dict[str, FrontValue]:
    result: dict[str, FrontValue] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            raise FrontMatterError("a front-matter key must be a word", line)
        if key_node.value in result:
            raise FrontMatterError(f"front-matter key {key_node.value!r} is given twice", line)
        result[str(_scalar(key_node))] = _value(value_node, depth + 1)
    return result


_RESOLVER = yaml.SafeLoader("")


def _implied_tag(resolver: yaml.SafeLoader | yaml.SafeDumper, text: str) -> str:
    """Return the type that standard YAML reads into `text` without quotes."""
    return str(resolver.resolve(yaml.ScalarNode, text, (True, False)))  # type: ignore[no-untyped-call]


def _scalar(node: yaml.Node) -> str:
    """Return a scalar's text, remembering where its writer left the quotes off a non-text."""
    text = str(node.value)
    unquoted = isinstance(node, yaml.ScalarNode) and not node.style
    return Plain(text) if unquoted and _implied_tag(_RESOLVER, text) != _TEXT else text
