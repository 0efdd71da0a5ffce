"""Corrections, failures and machine text in labelled prompts: precision and recall, by session.

    python benchmarks/run.py capture DATA

DATA holds prompts.jsonl (see `prompt_labels`). The shipped table was trained on one team's prompts:
on those, use `train_prompt_model.py`, which leaves sessions out; a figure here counts on others.
"""

import re
import sys
from pathlib import Path
from typing import Any

import bench_drafts
import capture_failures
import numpy as np
from prompt_labels import interval, prompt_of, read_rows
from sklearn.metrics import average_precision_score

from calmkb.capture.mining.lessons import lessons
from calmkb.capture.mining.prompt_model import judge

_KEYWORDS = re.compile(
    r"\b(?:no|nope|wrong|incorrect|not right|not quite|actually|instead|rather|should be|meant to"
    r"|don't use|stop using|switch to|always|never|prefer|convention|deprecated)\b",
    re.IGNORECASE,
)
_LABELS = {
    "lesson": {"correction", "rule"},
    "friction": {"friction"},
    "machine": {"machine"},
}


def main() -> None:
    """Print a row for each question, with intervals over sessions; ambiguous prompts left out."""
    folders = [Path(word) for word in sys.argv[1:] if (Path(word) / "prompts.jsonl").is_file()]
    if not folders:
        print("No labelled prompts: name a folder that holds prompts.jsonl.")
        return
    for folder in folders:
        rows = read_rows(folder)
        files = np.array([row["file"] for row in rows])
        print(f"{len(rows)} prompts of {len(set(files))} sessions\n")
        print("| what | labelled | average precision | precision | recall |\n|---|---|---|---|---|")
        prompts = [prompt_of(row) for row in rows]
        judged = [judge(one) for one in prompts]
        for name, labels in _LABELS.items():
            truth = np.array([bool(labels & set(row["labels"])) for row in rows])
            scores = np.array([getattr(one, name) for one in judged])
            chosen = np.array([getattr(one, f"is_{name}") for one in judged])
            _show(name, truth, chosen, files, scores)
            if name == "lesson":
                _show(
                    "lesson, as signals",
                    truth,
                    np.array([bool(lessons(p)) for p in prompts]),
                    files,
                )
                words = np.array([bool(_KEYWORDS.search(p.text)) for p in prompts])
                _show("lesson, by keywords", truth, words, files)
        capture_failures.main(folder)


def _show(name: str, truth: Any, chosen: Any, files: Any, scores: Any = None) -> None:
    ranked = "-"
    if scores is not None:
        ranked = f"{average_precision_score(truth, scores):.2f}"
        ranked += f" ({interval(truth, scores, files, average_precision_score)})"
    picked = chosen.astype(float)
    print(
        f"| {name} | {truth.sum()} | {ranked} "
        f"| {right(truth, picked):.2f} ({interval(truth, picked, files, right)}) "
        f"| {found(truth, picked):.2f} ({interval(truth, picked, files, found)}) |"
    )


def right(truth: Any, chosen: Any) -> Any:
    """Return the share of what was chosen that is true."""
    return truth[chosen > 0].mean() if chosen.any() else np.nan


def found(truth: Any, chosen: Any) -> Any:
    """Return the share of what is true that was chosen."""
    return chosen[truth].mean() if truth.any() else np.nan


if __name__ == "__main__":
    main()
    bench_drafts.main()
