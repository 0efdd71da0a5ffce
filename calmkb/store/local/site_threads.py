"""Which sites of this machine show sessions turn by turn: a person's choice, off for all others."""

import json
from pathlib import Path

from calmkb.system.files import read_json, write_atomically

_NAME = "site-threads.json"


def sites_with_threads(state: Path) -> frozenset[str]:
    """Return the knowledge bases whose sites show threads; none where that cannot be read."""
    rows = read_json(state / _NAME)
    return frozenset(
        one for one in (rows if isinstance(rows, list) else ()) if isinstance(one, str)
    )


def choose_threads(state: Path, root: Path, *, on: bool) -> None:
    """Remember the choice for one knowledge base; StoreError where the disk refuses."""
    known = sites_with_threads(state)
    chosen = known | {str(root)} if on else known - {str(root)}
    write_atomically(state / _NAME, json.dumps(sorted(chosen)).encode(), mode=0o600)
