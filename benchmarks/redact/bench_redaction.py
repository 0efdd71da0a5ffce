"""Redaction: secrets found and harmless lines spared, by our rules, and with the published ones.

`CALMKB_SECRET_CORPORA` names a folder of public corpora of your own, measured beside those made
here: `NAME.jsonl` holds one secret a line, `{"class": "named" or "bare", "text": …, "secret": …}`,
and every other text file below `harmless/` is read as text that must come back to the letter.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from benign_corpus import benign
from secret_corpus import HELD_OUT, TUNING, Sample, secrets

from calmkb.redact import Redactor
from calmkb.redact.rules.published import published_rules
from calmkb.redact.rules.rule import Hits, allow_nothing, apply_rules
from calmkb.redact.secrets import OWN_RULES, redact_secrets

FILTERS: dict[str, Callable[[str], str]] = {
    "own rules": lambda text: apply_rules(OWN_RULES, text, is_allowed=allow_nothing, hits=Hits()),
    "published rules": lambda text: apply_rules(
        published_rules(), text, is_allowed=allow_nothing, hits=Hits()
    ),
    "both (shipped)": redact_secrets,
}


def main(splits: Iterable[int] = (TUNING, HELD_OUT), *, show: bool = False) -> None:
    """Print recall and false hits of each filter on both splits, and what was missed if asked.

    Our rules were fixed on the tuning split alone.
    """
    print("| split | filter | secrets | found | lines | false hits | goal |")
    print("|---|---|---|---|---|---|---|")
    missed: list[str] = []
    for seed in splits:
        name = "tuning" if seed == TUNING else "kept aside"
        samples, lines = secrets(seed), benign(seed)
        for label, clean in FILTERS.items():
            left = [sample for sample in samples if survives(sample, clean(sample.text))]
            false = [line for line in lines if clean(line) != line]
            recall, rate = 1 - len(left) / len(samples), len(false) / len(lines)
            goal = "≥ 97 %, ≤ 1 %" if label == "both (shipped)" else ""
            goal += " (missed)" if goal and (recall < 0.97 or rate > 0.01) else ""
            print(f"| {name} | {label} | {len(samples)} | {recall:.1%} | {len(lines)} "
                  f"| {len(false)} ({rate:.1%}) | {goal} |")  # fmt: skip
            missed += [
                f"{label}: missed {s.kind}, {s.context}: {s.text!r} -> {clean(s.text)!r}"
                for s in left
            ]
            missed += [f"{label}: false hit {line!r} -> {clean(line)!r}" for line in false]
        kinds, contexts = (Counter(getattr(s, by) for s in samples) for by in ("kind", "context"))
        print(f"| {name} | | {len(kinds)} kinds, {len(contexts)} contexts | | | | |")
    if folder := os.environ.get("CALMKB_SECRET_CORPORA"):
        print("\n".join(corpora(Path(folder))))
    if show:
        print("\n".join(missed))


def corpora(folder: Path) -> Iterator[str]:
    """Yield the rows of the table for the corpora in a folder, by the filter as it is used."""
    whole = Redactor(home=Path("/home/nobody"))
    for path in sorted(folder.glob("*.jsonl")):
        samples = [json.loads(line) for line in path.read_text().split("\n") if line.strip()]
        for kind, goal in (("named", 0.97), ("bare", 0.90)):
            mine = [sample for sample in samples if sample["class"] == kind]
            found = sum(not left(sample["secret"], whole.text(sample["text"])) for sample in mine)
            if mine:
                share = found / len(mine)
                missed = " (missed)" if share < goal else ""
                yield (f"| {path.stem} | {kind} | {len(mine)} | {share:.1%} | | "
                       f"| ≥ {goal:.0%}{missed} |")  # fmt: skip
    yield from _harmless(folder / "harmless", whole)


def _harmless(folder: Path, whole: Redactor) -> Iterator[str]:
    lines = changed = 0
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            text = path.read_text(errors="replace")
            before, after = text.split("\n"), whole.without_secrets(text).split("\n")
            lines += len(before)
            changed += sum(a != b for a, b in zip(before, after, strict=False))
            changed += abs(len(before) - len(after))
    if lines:
        missed = " (missed)" if changed > 0.0002 * lines else ""
        yield (f"| harmless | both (shipped) | | | {lines} | {changed} ({changed / lines:.4%}) "
               f"| ≤ 0.02 %{missed} |")  # fmt: skip


def left(secret: str, cleaned: str) -> bool:
    """Tell whether twelve signs of a secret, or the whole of a shorter one, stand in `cleaned`."""
    size = min(12, len(secret))
    return any(secret[i : i + size] in cleaned for i in range(len(secret) - size + 1))


def survives(sample: Sample, cleaned: str) -> bool:
    """Return whether half of a secret (of a line of it) still stands in `cleaned`."""
    for line in sample.secret.replace("\\n", "\n").split("\n"):
        secret = line.strip()
        size = max(5, len(secret) // 2)
        if any(secret[i : i + size] in cleaned for i in range(len(secret) - size + 1)):
            return True
    return False


if __name__ == "__main__":
    # While rules are fixed: `bench_redaction.py tuning` shows what is missed, on that split alone.
    main((TUNING,), show=True) if sys.argv[1:] == ["tuning"] else main()
