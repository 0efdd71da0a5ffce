"""Which targets a repository's task runners have: make, package scripts, just, task, mise, tox."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

_MAKE_RULE = re.compile(r"^([A-Za-z0-9_./%$(){}\- ]+?)\s*::?(?!=)", re.MULTILINE)
_MAKE_SET = re.compile(r"^([A-Za-z_]\w*)[ \t]*[:?]?=[ \t]*([^\n$]*)$", re.MULTILINE)
_MAKE_USE = re.compile(r"\$[({](\w+)[)}]")
_JUST_RULE = re.compile(r"^@?([A-Za-z_][\w-]*)(?:\s[^:\n]*)?:(?!=)", re.MULTILINE)
_JUST_ALIAS = re.compile(r"^alias\s+([A-Za-z_][\w-]*)\s*:=", re.MULTILINE)
_JUST_OPEN = re.compile(r"^(?:import|mod)\b", re.MULTILINE)
_NOX = re.compile(r"^@(?:nox\.)?session\b.*?^(?:async )?def (\w+)", re.MULTILINE | re.DOTALL)
_NOX_NAMED = re.compile(r"@(?:nox\.)?session\([^)]*name\s*=\s*[\"']([^\"']+)")
_TOX = re.compile(r"^\[(?:testenv|env):([^\]]+)\]", re.MULTILINE)
_TOX_ENVS = re.compile(r"^\s*env_?list\s*=((?:.*\n)(?:[ \t]+.*\n)*)", re.MULTILINE | re.IGNORECASE)
ANY = "*"
"""Among the targets of a runner whose files can hold more than can be read from their text; other
targets may be patterns too."""
_Found = Iterator[tuple[str, str]]


def is_task_file(path: str) -> bool:
    """Return whether a path of a repository is a file in which targets are declared."""
    return bool(_reader_of(path)) or _is_mise_task(path)


def declared(files: Mapping[str, str]) -> dict[str, set[str]]:
    """Return the targets by runner, from the text of task files by path.

    A file that cannot be read adds `ANY`: its runner may have every target.
    """
    found: dict[str, set[str]] = {}
    for path, text in files.items():
        if _is_mise_task(path):
            found.setdefault("mise", set()).add(_mise_task(path))
            continue
        runner, read = _READERS[_reader_of(path)]
        try:
            pairs = list(read(text))
        except (ValueError, TypeError, AttributeError, RecursionError):
            pairs = [(runner, ANY)]
        for name, target in pairs:
            found.setdefault(name, set()).add(target)
    return found


def target_lines(path: str, name: str, text: str) -> str | None:
    """Return the lines of a target in a task file; None where it has none of that name.

    They go from the one that names it to the next that is no deeper.
    """
    if not any(name in found for found in declared({path: text}).values()):
        return None
    rows = text.split("\n")
    named = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])[\"'\]]*\s*[:=(\]]?")
    first = next((n for n, row in enumerate(rows) if named.search(row)), None)
    if first is None:
        return name
    depth, table = _depth(rows[first]), rows[first].startswith("[")  # a table of TOML
    ends = (
        n
        for n in range(first + 1, len(rows))
        if (rows[n][:1] == "[" if table else rows[n].strip() and _depth(rows[n]) <= depth)
    )
    return "\n".join(rows[first : next(ends, len(rows))]).rstrip(" \n,")


def _depth(row: str) -> int:
    return len(row) - len(row.lstrip())


def _reader_of(path: str) -> str:
    name = path.rpartition("/")[2]
    if name.endswith(".mk"):
        return "makefile"
    lowered = name.lower().lstrip(".")
    if path.endswith((".mise/config.toml", ".config/mise.toml", "mise/config.toml")):
        return "mise.toml"
    return lowered if lowered in _READERS else ""


def _is_mise_task(path: str) -> bool:
    folders = ("mise-tasks/", ".mise-tasks/", ".mise/tasks/", "mise/tasks/", ".config/mise/tasks/")
    return path.startswith(folders)


def _mise_task(path: str) -> str:
    """Return the task of a file: `mise-tasks/test/unit.sh` is `test:unit`."""
    below = re.sub(r"^.*?tasks/", "", path).rpartition(".")
    return (below[0] or below[2]).replace("/", ":").removesuffix(":_default")


def _make(text: str) -> _Found:
    bare = "\n".join(row for row in text.replace("\\\n", " ").split("\n") if row[:1] != "\t")
    values = dict(_MAKE_SET.findall(bare))
    for rule in _MAKE_RULE.finditer(bare):
        named = _MAKE_USE.sub(lambda use: values.get(use[1], use[0]), rule[1])
        for target in named.split():
            if "$" not in target:
                yield "make", target.replace("%", "*")
            elif "/" not in target:  # with a slash it is a file that is made
                yield "make", ANY
    if re.search(r"^\s*-?include\s", bare, re.MULTILINE) or "$(eval" in bare:
        yield "make", ANY


def _in_json(runner: str, key: str, text: str) -> _Found:
    yield from ((runner, name) for name in json.loads(text).get(key) or {})


def _just(text: str) -> _Found:
    yield from (("just", name) for name in (*_JUST_RULE.findall(text), *_JUST_ALIAS.findall(text)))
    if _JUST_OPEN.search(text):
        yield "just", ANY


def _task(text: str) -> _Found:
    import yaml  # an interpreter start, for a file that few repositories have

    try:
        data = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error
    yield from _with_aliases("task", data, "aliases")
    if data.get("includes"):
        yield "task", ANY


def _mise(text: str) -> _Found:
    data = tomllib.loads(text)
    yield from _with_aliases("mise", data, "alias")
    if (data.get("task_config") or {}).get("includes"):
        yield "mise", ANY


def _with_aliases(runner: str, data: Mapping[str, Any], key: str) -> _Found:
    for name, task in (data.get("tasks") or {}).items():
        yield runner, str(name)
        alias = (task.get(key) or ()) if isinstance(task, dict) else ()
        yield from ((runner, str(one)) for one in ([alias] if isinstance(alias, str) else alias))


def _pyproject(text: str) -> _Found:
    tools = tomllib.loads(text).get("tool") or {}
    for runner, key in (("poe", "tasks"), ("pdm", "scripts"), ("tox", "env")):
        yield from ((runner, name) for name in _table(tools, runner, key))
    yield from (("tox", str(name)) for name in _table(tools, "tox").get("env_list", ()))
    for name in _table(tools, "hatch", "envs"):
        yield from (("hatch", s) for s in _table(tools, "hatch", "envs", name, "scripts"))
    if _table(tools, "poe").get("include"):
        yield "poe", ANY


def _table(data: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    for name in names:
        data = data.get(name) or {}
    return data


def _tox(text: str) -> _Found:
    for found in (*map(str.strip, _TOX.findall(text)), *_TOX_ENVS.findall(text + "\n")):
        yield from (("tox", name) for name in re.split(r"[\s,]+", found) if name)
    if "{" in text:  # names that are made from lists: py3{11,12}-django
        yield "tox", ANY


def _nox(text: str) -> _Found:
    yield from (("nox", name) for name in (*_NOX.findall(text), *_NOX_NAMED.findall(text)))


_READERS: dict[str, tuple[str, Callable[[str], _Found]]] = {
    "makefile": ("make", _make),
    "gnumakefile": ("make", _make),
    "package.json": ("script", partial(_in_json, "script", "scripts")),
    "justfile": ("just", _just),
    "taskfile.yml": ("task", _task),
    "taskfile.yaml": ("task", _task),
    "mise.toml": ("mise", _mise),
    "pyproject.toml": ("poe", _pyproject),
    "tox.ini": ("tox", _tox),
    "noxfile.py": ("nox", _nox),
    "composer.json": ("composer", partial(_in_json, "composer", "scripts")),
    "deno.json": ("deno", partial(_in_json, "deno", "tasks")),
    "deno.jsonc": ("deno", partial(_in_json, "deno", "tasks")),
}
