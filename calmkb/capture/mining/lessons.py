"""What a person taught in a prompt: each correction and each rule, whole, with its reason.

The table of numbers decides whether a prompt teaches anything; the patterns of its sentences say
where one statement ends and the next begins. What is said in plain words counts in any case.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from calmkb.capture.formats.turns import Turn
from calmkb.capture.mining.correction_patterns import UNDERSTANDS
from calmkb.capture.mining.corrections import Finding, Label, find, find_plain, plain_label
from calmkb.capture.mining.language_features import is_known, language_features, lays_down
from calmkb.capture.mining.linear import read_models
from calmkb.capture.mining.prompt_features import SEEN, Prompt
from calmkb.capture.mining.prompt_model import judge
from calmkb.capture.mining.prompts import own_sentences, own_words
from calmkb.language.detect import language

TABLE = Path(__file__).with_name("language_model.json")

LENGTH = 280
"""Characters of a statement: what a person reads at once."""
_SURE_OF_RULE, _SURE_OF_PATTERN, _SURE_OF_REJECTION = 0.3, 0.65, 0.3
"""Where the patterns say so, this much of the table's probability is enough: a word list is a
floor for recall. Reasons given with a refusal are corrections 19 times in 20. Chosen with the
people left out whose prompts were judged."""
_FEW_WORDS, _FEW_LETTERS = 2, 8


def prompt_at(turns: Sequence[Turn], place: int) -> Prompt:
    """Return a person's turn as a prompt."""
    earlier = (one for one in turns[:place] if one.role == "person" and not one.is_sidechain)
    is_reason = turns[place].kind == "rejection"
    return Prompt(turns[place].text, rejection=is_reason, first=not any(earlier))


def lessons(prompt: Prompt) -> list[Finding]:
    """Return the corrections and rules in a prompt, in their order; none if it teaches nothing."""
    prompt = replace(prompt, text=prompt.text[:SEEN])
    spoken = language(own_words(prompt.text))
    if is_known(spoken):
        return _in_another_language(prompt, spoken)
    judged = judge(prompt)
    sentences = own_sentences(prompt.text)
    if judged.is_machine or all(map(UNDERSTANDS.search, sentences)):
        return []
    pattern = find(prompt.text)
    label = pattern.label if pattern else None
    ruled = label == "convention" and judged.lesson >= _SURE_OF_RULE
    patterned = label == "correction" and judged.lesson >= _SURE_OF_PATTERN
    refused = prompt.rejection and judged.lesson >= _SURE_OF_REJECTION
    refused = refused and len(prompt.text.split()) > _FEW_WORDS
    if not (judged.is_lesson or ruled or patterned or refused):
        return find_plain(prompt.text, first=prompt.first)
    lasts = partial(_is_english_rule, opens=prompt.first and len(sentences) > 1)
    if ruled and not judged.is_lesson:
        return [one for one in _statements(sentences, lasts) if one.label == "convention"]
    if sum(map(len, sentences)) > LENGTH:
        scores = [judge(replace(prompt, text=one)).lesson for one in sentences]
        sentences = _best_window(scores, sentences)
    return list(_statements(sentences, lasts))


def _in_another_language(prompt: Prompt, spoken: str) -> list[Finding]:
    """Return what a prompt teaches that is not English; a long one by its best sentences."""
    lesson, rule = (read_models(TABLE)[name] for name in ("lesson", "rule"))
    sentences = own_sentences(prompt.text)
    if sum(map(len, sentences)) > LENGTH:
        scores = [lesson.probability(language_features(one, spoken)) for one in sentences]
        sentences = _best_window(scores, sentences)
    refused = prompt.rejection and sum(map(len, sentences)) > _FEW_LETTERS
    taught = refused or lesson.says(language_features(" ".join(sentences), spoken))
    if not taught:  # said in so many words, whatever the table says
        sentences = [one for one in sentences if lays_down(one, spoken)]
    found = _statements(sentences, lambda one: rule.says(language_features(one, spoken)))
    return list(found)


def _is_english_rule(sentence: str, *, opens: bool) -> bool:
    found = find(sentence)
    is_rule = found is not None and found.label == "convention"
    return is_rule or plain_label(sentence, opens=opens) == "convention"


def _statements(sentences: Sequence[str], lasts: Callable[[str], bool]) -> Iterator[Finding]:
    """Yield each rule by itself, and the sentences between rules as one correction."""
    label: Label = "correction"
    group: list[str] = []
    for sentence in sentences:
        starts = lasts(sentence)
        if group and (starts or label == "convention"):
            yield Finding(label, " ".join(group))
            group = []
        label = "convention" if starts else "correction"
        group.append(sentence)
    if group:
        yield Finding(label, " ".join(group))


def _best_window(scores: Sequence[float], sentences: Sequence[str]) -> list[str]:
    """Return the run of sentences that fits and teaches most, by its best sentence."""
    best = max(range(len(scores)), key=lambda n: (scores[n], -n))
    first, last = best, best + 1
    while last < len(sentences) and _fits(sentences[first : last + 1]):
        last += 1
    while first > 0 and _fits(sentences[first - 1 : last]):
        first -= 1
    return list(sentences[first:last])


def _fits(sentences: Sequence[str]) -> bool:
    return sum(map(len, sentences)) + len(sentences) <= LENGTH
