"""Separates a person's correction or standing rule from all else that they say to an agent.

Word lists alone call every second prompt a correction: "can you check that it doesn't …" holds
the words and corrects nothing. So each sentence is looked at by itself: strong forms count
anywhere, weak ones only in a plain statement that neither asks nor wonders.
"""

from typing import Literal, NamedTuple

from calmkb.capture.mining import correction_patterns as patterns
from calmkb.capture.mining.prompts import own_sentences

Label = Literal["correction", "convention"]

_LONG = 60
"""Words after which a prompt is a task's description; only its first sentences can correct."""


class Finding(NamedTuple):
    """What a prompt was found to be, and the sentence that says so."""

    label: Label
    sentence: str


def find(text: str) -> Finding | None:
    """Return the label with the sentence that earns it; a convention wins over a correction."""
    sentences = _heard(text)
    findings = [found for one in sentences if (found := _of_sentence(one))]
    return min(findings, key=lambda one: one.label != "convention", default=None)


def find_plain(text: str, *, first: bool = False) -> list[Finding]:
    """Return what a prompt says in so many words, as `first` of a session or in its course."""
    heard = _heard(text)
    opens = first and len(heard) > 1
    return [Finding(label, one) for one in heard if (label := plain_label(one, opens=opens))]


def plain_label(sentence: str, *, opens: bool = False) -> Label | None:
    """Return what a plain statement lays down, or nothing where it asks, wonders or is other.

    `opens` where the task stands beside it in the first prompt of a session.
    """
    if patterns.REDIRECTS.search(sentence):
        return "correction"
    if patterns.HEDGE.search(sentence) or patterns.WONDERS.search(sentence):
        return None
    if patterns.PLAIN_RULE.search(sentence) or patterns.CONVENTION.search(sentence):
        return "convention"
    if patterns.PLAIN_ORDER.search(sentence):
        return "convention" if opens else "correction"
    return "correction" if patterns.PLAIN_CORRECTION.search(sentence) else None


def _heard(text: str) -> list[str]:
    sentences = own_sentences(text)
    return sentences[:2] if sum(len(one.split()) for one in sentences) > _LONG else sentences


def _of_sentence(sentence: str) -> Finding | None:
    wonders = patterns.WONDERS.search(sentence)
    if patterns.CONVENTION.search(sentence) and not (wonders or patterns.ASKS.search(sentence)):
        return Finding("convention", sentence)
    if patterns.STRONG.search(sentence) and not wonders:
        return Finding("correction", sentence)
    if patterns.HEDGE.search(sentence):
        return None
    return Finding("correction", sentence) if patterns.WEAK.search(sentence) else None
