"""A row of bars as small as a word, for lists with the numbers beside it."""

from collections.abc import Sequence

_PITCH, _BAR, _HEIGHT, _LEAST = 5, 4, 16, 1.5
_FEWEST = 3
"""Fewer bars say no more than the number beside them."""


def spark(counts: Sequence[int]) -> str:
    """Return `counts` in the order of time as inline HTML on one line; "" where all are 0.

    Hidden from those who listen: say the number beside it.
    """
    if len(counts) < _FEWEST or not any(counts):
        return ""
    heights = [max(_LEAST, _HEIGHT * count / max(counts)) if count else 0 for count in counts]
    path = "".join(
        f"M{_PITCH * place} {_HEIGHT}V{_HEIGHT - height:.4g}H{_PITCH * place + _BAR}V{_HEIGHT}Z"
        for place, height in enumerate(heights)
        if height
    )
    return (
        f'<svg class="calm-spark" viewBox="0 0 {len(counts) * _PITCH} {_HEIGHT}"'
        f' aria-hidden="true"><path class="calm-bars" d="{path}"/></svg>'
    )
