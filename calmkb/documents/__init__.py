"""One codec for every record: front matter and `##` sections, the same both ways.

Read `codec` first (`parse`, `render`), then `paths` (`record_path`, `kind_of`). Both are loaded
when one of their names is first asked for: who only names a finding needs no YAML.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calmkb.documents.codec import SIZE_LIMIT, parse, render
    from calmkb.documents.paths import KINDS, Kind, kind_of, record_path

__all__ = ["KINDS", "SIZE_LIMIT", "Kind", "kind_of", "parse", "record_path", "render"]


def __getattr__(name: str) -> object:
    """Return one of the names above from its module."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "codec" if name in ("SIZE_LIMIT", "parse", "render") else "paths"
    return getattr(import_module(f"calmkb.documents.{home}"), name)
