"""Corrections and rules in ten languages: precision and recall on the sentences kept aside."""

from typing import Any

import numpy as np
from language_sentences import read_sentences

from calmkb.capture.mining.lessons import lessons
from calmkb.capture.mining.prompt_features import Prompt
from calmkb.language.detect import language

SAMPLES = 500


def main() -> None:
    """Print a row for each language; the intervals are over meanings."""
    print("| language | sentences | told apart | precision | recall | kind right |")
    print("|---|---|---|---|---|---|")
    rows = read_sentences("kept")
    for code in sorted({row["language"] for row in rows}):
        here = [row for row in rows if row["language"] == code]
        found = [lessons(Prompt(row["text"])) for row in here]
        truth = np.array([row["kind"] != "other" for row in here])
        chosen = np.array([bool(one) for one in found])
        named = np.mean([language(row["text"]) == code for row in here])
        kinds = [
            ("convention" in {one.label for one in statements}) == (row["kind"] == "rule")
            for statements, row in zip(found, here, strict=True)
            if statements and row["kind"] != "other"
        ]
        print(
            f"| {code} | {len(here)} | {named:.2f} | {_with_interval(chosen, truth)} "
            f"| {_with_interval(truth, chosen)} | {np.mean(kinds):.2f} |"
        )


def _with_interval(among: Any, counted: Any) -> str:
    """Return the share of `among` that is `counted` too, and its 95 % interval over meanings."""
    random = np.random.default_rng(7)
    pairs = np.arange(len(among)).reshape(-1, 2)
    values = []
    for _ in range(SAMPLES):
        rows = pairs[random.integers(0, len(pairs), len(pairs))].ravel()
        values.append(counted[rows][among[rows]].mean())
    low, high = np.nanpercentile(values, (2.5, 97.5))
    return f"{counted[among].mean():.2f} ({low:.2f} to {high:.2f})"


if __name__ == "__main__":
    main()
