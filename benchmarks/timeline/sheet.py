"""Labelling sheets: proposals with their evidence, in an order that tells no rank."""

import csv
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from calmkb.model import Proposal

_QUOTES = 4


def write_sheet(path: Path, proposals: Sequence[Proposal], known: Mapping[str, str]) -> int:
    """Write the proposals that have no verdict yet as CSV; return how many.

    `known` gives the verdict of a text, empty where there is none.
    """
    rows = {one.text: one for one in proposals if not known.get(one.text)}
    order = sorted(rows, key=lambda text: hashlib.sha256(text.encode()).hexdigest())
    with path.open("w", encoding="utf-8", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(["verdict", "text", "reason", "evidence"])
        for text in order:
            quotes = [f"{e.date} {e.quote}" for e in rows[text].evidence[:_QUOTES]]
            sheet.writerow(["", text, rows[text].reasoning, "\n".join(quotes)])
    return len(order)


def read_sheet(path: Path) -> dict[str, str]:
    """Return the verdicts (keep, edit, noise) of a filled sheet by text."""
    with path.open(encoding="utf-8", newline="") as file:
        return {row["text"]: row["verdict"].strip() for row in csv.DictReader(file)
                if row["verdict"].strip()}  # fmt: skip


def write_rule_sheet(path: Path, near: Mapping[str, Sequence[tuple[float, str]]]) -> None:
    """Write each rule beside the proposals most like it, to be judged `yes` or `no`."""
    with path.open("w", encoding="utf-8", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(["verdict", "rule", "text", "cosine"])
        for rule, texts in near.items():
            for cosine, text in texts:
                sheet.writerow(["", rule, text, f"{cosine:.2f}"])


def read_rule_sheet(path: Path) -> dict[tuple[str, str], str]:
    """Return the verdicts of a filled sheet by rule and text."""
    with path.open(encoding="utf-8", newline="") as file:
        return {(row["rule"], row["text"]): row["verdict"].strip() for row in csv.DictReader(file)}
