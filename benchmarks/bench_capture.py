"""Corrections and rules in real prompts: precision and recall, next to a plain keyword match.

The labels are a file of JSON lines {label, text}; name it with CALMKB_PROMPTS. The detector's rules
were fixed with these prompts in sight where the file is the one they were written on: a figure on
other prompts is the one that counts.
"""

import json
import os
import re
from pathlib import Path

from calmkb.capture.mining.corrections import classify

POSITIVE = {"correction", "rule"}
KEYWORDS = re.compile(
    r"\b(?:no|nope|wrong|incorrect|not right|not quite|actually|instead|rather|should be|meant to"
    r"|don't use|stop using|switch to|always|never|prefer|convention|deprecated)\b",
    re.IGNORECASE,
)


def main() -> None:
    """Print precision and recall of both, ambiguous prompts left out."""
    named = os.environ.get("CALMKB_PROMPTS")
    if not named or not Path(named).is_file():
        print("No labelled prompts: set CALMKB_PROMPTS to a file of {label, text} lines.")
        return
    rows = [json.loads(line) for line in Path(named).read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["label"] != "ambiguous"]
    print(f"{len(rows)} prompts, {sum(row['label'] in POSITIVE for row in rows)} to be found\n")
    print("| method | precision | recall |\n|---|---|---|")
    show("keyword match", rows, lambda text: bool(KEYWORDS.search(text)))
    show("calmkb", rows, lambda text: classify(text) in ("correction", "convention"))


def show(name: str, rows: list[dict[str, str]], says) -> None:  # type: ignore[no-untyped-def]
    """Print one row of the table."""
    found = [row for row in rows if says(row["text"])]
    right = sum(row["label"] in POSITIVE for row in found)
    wanted = sum(row["label"] in POSITIVE for row in rows)
    print(f"| {name} | {right / max(1, len(found)):.2f} | {right / max(1, wanted):.2f} |")


if __name__ == "__main__":
    main()
