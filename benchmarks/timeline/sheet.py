"""Labelling sheets: texts with their evidence, in an order that tells no rank and no method."""

import csv
import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from timeline.past import Listed

_QUOTES = 4


def write_sheet(path: Path, listed: Iterable[Listed]) -> int:
    """Write the texts with their evidence as CSV, each once; return how many."""
    rows = {one.text: one for one in listed}
    order = sorted(rows, key=lambda text: hashlib.sha256(text.encode()).hexdigest())
    with path.open("w", encoding="utf-8", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(["verdict", "text", "evidence"])
        for text in order:
            quotes = [f"{e.date} {e.quote}" for e in rows[text].evidence[:_QUOTES]]
            sheet.writerow(["", text, "\n".join(quotes)])
    return len(order)


def read_sheet(path: Path) -> dict[str, str]:
    """Return the verdicts (keep, edit, noise) of a filled sheet by text."""
    with path.open(encoding="utf-8", newline="") as file:
        return {row["text"]: row["verdict"].strip() for row in csv.DictReader(file)
                if row["verdict"].strip()}  # fmt: skip


def write_rule_sheet(path: Path, near: Mapping[tuple[str, str], float]) -> None:
    """Write each rule beside the texts most like it, to be judged `yes` or `no`."""
    with path.open("w", encoding="utf-8", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(["verdict", "rule", "text", "cosine"])
        for (rule, text), cosine in sorted(near.items(), key=lambda one: (one[0][0], -one[1])):
            sheet.writerow(["", rule, text, f"{cosine:.2f}"])


def read_rule_sheet(path: Path) -> dict[tuple[str, str], str]:
    """Return the verdicts of a filled sheet by rule and text."""
    with path.open(encoding="utf-8", newline="") as file:
        return {(row["rule"], row["text"]): row["verdict"].strip() for row in csv.DictReader(file)}
