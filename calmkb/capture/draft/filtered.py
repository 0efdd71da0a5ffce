"""A transcript without what may not be kept, before a draft cuts sentences out of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from calmkb.capture.formats.turns import Transcript, Turn

Contents = Callable[[Sequence[str]], Sequence[str]]
"""The filter for the texts of one record."""


def filtered(transcript: Transcript, contents: Contents) -> Transcript:
    """Return the transcript with the texts that a draft quotes filtered together.

    Half a span or half a secret could not be known for one. What a tool returned without failing
    is not quoted, and stays: it is most of a transcript.
    """
    texts = [text for turn in transcript.turns for text in _quoted(turn)]
    clean = iter(contents(texts))
    return replace(transcript, turns=tuple(_with(turn, clean) for turn in transcript.turns))


def _quoted(turn: Turn) -> list[str]:
    if turn.role == "tool" and not turn.failed:
        return []
    return [turn.text, *(item.text for item in turn.plan or ())]


def _with(turn: Turn, clean: Iterator[str]) -> Turn:
    if not _quoted(turn):
        return turn
    text = next(clean)
    plan = turn.plan and tuple(replace(item, text=next(clean)) for item in turn.plan)
    return replace(turn, text=text, plan=plan)
