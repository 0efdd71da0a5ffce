"""What a group of statements is about, in the words that most of them share."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

from calmkb.reflect.similarity.terms import names

_PHRASE = 1.5
"""What two adjacent words are worth more: "review comments" says more than "review"."""
WORDS = 3
"""Words in a topic's name, at most."""
_SHARED = 0.3
"""Of the texts, how many must have a word that names the topic."""
_RARE = 0.12
"""Of all texts, how many may have it: what occurs everywhere names nothing."""
_TELLING = 0.05
"""Of all texts, how many may have a word that names a topic alone."""


def topic_of(
    texts: Sequence[str], seen: Mapping[str, int], total: int
) -> tuple[str, frozenset[str]]:
    """Return a topic's name and the texts that have a word of it.

    `seen` counts in how many of `total` texts each stem occurs. No name where no word
    tells enough: then no text belongs to it.
    """
    words = {text: names(text) for text in texts}
    shared = Counter(stem for found in words.values() for stem in found)
    least = max(2, _SHARED * len(texts))
    worth = {
        stem: (_PHRASE if " " in stem else 1) * log(1 + total / max(1, seen.get(stem, 0)))
        for stem, count in shared.items()
        if count >= least and seen.get(stem, 0) <= max(_RARE * total, len(texts))
    }
    chosen: list[str] = []
    left = set(texts)
    while left and len(chosen) < WORDS:
        gains = {
            stem: value * sum(stem in words[text] for text in left)
            for stem, value in worth.items()
            if not any(set(stem.split()) & set(one.split()) for one in chosen)
        }
        best = max(gains, key=lambda stem: (gains[stem], stem), default="")
        if not best or not gains[best]:
            break
        chosen.append(best)
        left = {text for text in left if best not in words[text]}
    if (
        len(chosen) == 1
        and " " not in chosen[0]
        and seen.get(chosen[0], 0) > max(_TELLING * total, len(texts))
    ):
        return "", frozenset()
    return _named(chosen, list(words.values())), frozenset(texts) - left


def _named(stems: Sequence[str], words: Sequence[Mapping[str, str]]) -> str:
    """Return the words as people wrote them most often, joined."""
    names = []
    for stem in stems:
        forms = Counter(found[stem] for found in words if stem in found)
        form = min(forms, key=lambda form: (-forms[form], form))
        small = form[:1].lower() + form[1:]  # "Lint" often begins a sentence, and is "lint" in one
        form = small if small in forms else form
        names.append(form.removesuffix("'s").removesuffix("\u2019s"))
    joined = " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
    return joined[:1].upper() + joined[1:]
