"""How many proposals of a history a maintainer would keep, against proposals that were judged.

`python benchmarks/bench_proposals.py KB JUDGED.jsonl`: an imported knowledge base, and a file of
objects with `text` and `verdict` (keep, edit, noise). Proposals nobody judged are counted apart.
The two halves of the sessions have figures of their own, for rules that were tuned on one.
"""

import argparse
import difflib
import hashlib
import json
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

from calmkb.config import load_config
from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.reflect.reflection import pending
from calmkb.model import Proposal

_SAME = 0.85
_SIZES = (10, 20)


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share."""
    if not of:
        return 0.0, 1.0
    z, share = 1.96, hits / of
    middle = share + z * z / (2 * of)
    spread = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return (middle - spread) / (1 + z * z / of), (middle + spread) / (1 + z * z / of)


def verdict_of(text: str, judged: dict[str, str]) -> str:
    """Return the verdict on the text that is nearly the same, else `unlabelled`."""
    near = difflib.get_close_matches(text, judged, n=1, cutoff=_SAME)
    return judged[near[0]] if near else "unlabelled"


def half_of(proposal: Proposal) -> int:
    """Return 0 or 1 by the first session of a proposal."""
    source = proposal.evidence[0].source if proposal.evidence else proposal.id
    return hashlib.sha256(source.encode()).digest()[0] % 2


def report(name: str, found: list[Proposal], judged: dict[str, str], size: int) -> None:
    """Print what is kept of the first `size` proposals."""
    counts = Counter(verdict_of(one.text, judged) for one in found[:size])
    known = sum(counts.values()) - counts["unlabelled"]
    low, high = wilson(counts["keep"], known)
    usable = counts["keep"] + counts["edit"]
    low_u, high_u = wilson(usable, known)
    print(
        f"{name} @{size}: {known} judged, {counts['unlabelled']} unlabelled; "
        f"keep {counts['keep']} ({low:.2f} to {high:.2f}), "
        f"keep or edit {usable} ({low_u:.2f} to {high_u:.2f}), noise {counts['noise']}"
    )


def main() -> None:
    """Print the figures for all sessions and for each half of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kb", type=Path)
    parser.add_argument("judged", type=Path)
    asked = parser.parse_args()
    rows = [json.loads(line) for line in asked.judged.read_text().splitlines()]
    judged = {row["text"]: row["verdict"] for row in rows}
    environment = replace(process_environment(), cwd=asked.kb)
    kb = KnowledgeBase(asked.kb, load_config(asked.kb), environment)
    found = list(pending(kb).proposals.open)
    print(f"{len(found)} open proposals, {len(judged)} judged texts")
    for size in _SIZES:
        report("all", found, judged, size)
        for half in (0, 1):
            report(f"half {half}", [p for p in found if half_of(p) == half], judged, size)


if __name__ == "__main__":
    main()
