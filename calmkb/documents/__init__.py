"""One codec for every record: front matter and `##` sections, the same both ways.

Read `codec` first (`parse`, `render`), then `paths` (`record_path`, `kind_of`).
"""

from calmkb.documents.codec import SIZE_LIMIT, parse, render
from calmkb.documents.paths import KINDS, Kind, kind_of, record_path

__all__ = ["KINDS", "SIZE_LIMIT", "Kind", "kind_of", "parse", "record_path", "render"]
