"""Rules in files of their own: one for all paths, and one for each set of paths."""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from calmkb.export.base import Output
from calmkb.export.choice import Selection
from calmkb.export.digest import lines_of, more, render_digest

Front = Callable[[Sequence[str]], str]
"""From globs (none: everywhere) to front matter, with its fences and a line end."""
_UNREADABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def rule_files(
    selection: Selection, name: Callable[[str], str], front: Front, *, ids: bool = False
) -> tuple[Output, ...]:
    """Return an owned file for the memories of each set of paths; `name` gives a slug's path.

    Those without paths go to the slug `calmkb`, when there are any. The first file tells how many
    memories had no room.
    """
    everywhere = replace(selection, items=tuple(i for i in selection.items if not i.memory.paths))
    outputs = []
    if everywhere.items:
        body = render_digest(everywhere, ids=ids)
        outputs.append(Output(name("calmkb"), body, front(()), owned=True))
    for paths in sorted({item.memory.paths for item in selection.items if item.memory.paths}):
        items = [item for item in selection.items if item.memory.paths == paths]
        blocks = lines_of(items)
        if not outputs and selection.crowded_out:
            blocks.append(more(selection.crowded_out))
        body = "\n\n".join(blocks)
        outputs.append(Output(name(f"calmkb-{slug(paths)}"), body, front(paths), owned=True))
    return tuple(outputs)


def slug(paths: Sequence[str]) -> str:
    """Return a file name's part for a set of globs: readable, and its own for each set."""
    words = re.sub(r"[^a-z0-9]+", "-", "-".join(paths).lower()).strip("-")[:32].strip("-")
    mark = hashlib.sha256("\0".join(paths).encode()).hexdigest()[:6]
    return f"{words}-{mark}" if words else mark


def listed(values: Sequence[str]) -> str:
    """Return a list as YAML and JSON both read it."""
    return f"[{', '.join(map(text, values))}]"


def text(value: str) -> str:
    """Return a text as YAML and JSON both read it.

    What YAML takes for a line break or refuses (controls, U+2028, U+FEFF …) is escaped.
    """
    quoted = json.dumps(value, ensure_ascii=False)
    return _UNREADABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def joined(paths: Sequence[str]) -> str:
    """Return globs as one line with commas between them, and none that would part a glob in two.

    A comma in a name becomes `?`, which matches it; one between braces stays.
    """
    return ",".join(_whole(path) for path in paths)


def _whole(path: str) -> str:
    depth, signs = 0, []
    for sign in path:
        depth += (sign == "{") - (sign == "}")
        signs.append("?" if sign == "," and depth <= 0 else sign)
    return "".join(signs).strip() if depth == 0 else path.replace(",", "?").strip()
