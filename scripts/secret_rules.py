"""Write the table of published rules: `python scripts/secret_rules.py betterleaks.toml`.

The file is `config/betterleaks.toml` of https://github.com/betterleaks/betterleaks. Its generic
rules and those that read many lines are left to our own; clients' ids and public keys are no
secrets; conditions other than an entropy are not taken over. Patterns are written for RE2 and put
into Python's terms.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calmkb.redact.rules.published import TABLE

OWN = re.compile(
    r"generic-|curl-|jwt|kubernetes|private-key|mongodb-conn|microsoft-teams|azure-app-conf|"
    r".*(?:-id\Z|-pub(?:lic)?-)"
)
ENTROPY = re.compile(r'entropy\(finding\["secret"\]\) <=? ([\d.]+)')
PART = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?P<\w+>|\?[\w-]+[:)]|\?)?|\)|.", re.DOTALL)
FLAG = "(?i)"


def main(given: str) -> None:
    """Write a line for each rule: id, least entropy, hints, pattern with a group `value`."""
    rules = tomllib.loads(Path(given).read_text(encoding="utf-8"))["rules"]
    TABLE.write_text("".join(f"{line}\n" for rule in rules for line in row(rule)), "utf-8")


def row(rule: dict[str, Any]) -> Iterator[str]:
    """Yield the line of a rule that stands alone."""
    if "regex" in rule and not rule.get("skipReport") and not OWN.match(rule["id"]):
        least = ENTROPY.search(rule.get("filter", ""))
        hints = " ".join(dict.fromkeys(word.lower().split()[0] for word in rule["keywords"]))
        groups = [part for part in PART.findall(rule["regex"]) if is_group(part)]
        wanted = rule.get("valueGroup", bool(groups))
        yield "\t".join((rule["id"], least[1] if least else "0", hints,
                         pattern(rule["regex"], wanted)))  # fmt: skip


def is_group(part: str) -> bool:
    """Return whether a part of a pattern opens a group that keeps what it matched."""
    return part == "(" or part.startswith("(?P<")


def pattern(text: str, wanted: int) -> str:
    """Return a pattern of RE2 for Python, the wanted group named `value`, else the whole."""
    out, opened, number = [], [""], 0
    for part in PART.findall(text.replace("[:alnum:]", "A-Za-z0-9")):
        if is_group(part):
            number += 1
            part = "(?P<value>" if number == wanted else "(?:"
        if part == FLAG and out:  # to the end of its group: Python wants a group of its own
            part = "(?i:"
            opened[-1] += ")"
        elif part.startswith("(") and part != FLAG:
            opened.append("")
        elif part == ")":
            part = opened.pop() + part
        elif part.startswith("["):
            part = part[0] + part[1:].replace("[", r"\[").replace(r"\\[", r"\[")
        out.append(r"\Z" if part == r"\z" else part)
    whole = "".join(out) + opened[0]
    lead = FLAG if whole.startswith(FLAG) else ""
    found = whole if wanted else f"{lead}(?P<value>{whole.removeprefix(lead)})"
    re.compile(found)
    return found


if __name__ == "__main__":
    main(sys.argv[1])
