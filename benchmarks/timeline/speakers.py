"""Sentences that count as a person's though no person typed them in their session."""

import re
from collections.abc import Iterable, Sequence

from calmkb.capture.formats.table import read_transcript
from calmkb.model import Proposal
from timeline.folder import Session

_WORDS = re.compile(r"\w+")


def not_a_persons(proposals: Sequence[Proposal], sessions: Iterable[Session]) -> tuple[int, int]:
    """Return how many proposals count as a person's, and for how many nobody typed the words."""
    turns = (turn for one in sessions for turn in read_transcript(one.path).turns)
    typed = "\n".join(_bare(turn.text) for turn in turns if turn.role == "person")
    claimed = [one for one in proposals if one.origin == "person"]
    return len(claimed), sum(
        not any(_bare(e.quote) in typed for e in one.evidence) for one in claimed
    )


def _bare(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold()))
