"""A row of bars as small as a word, for lists with the numbers beside it."""

from collections.abc import Sequence

from calmkb.wings.site.pictures.axes import bar_path
from calmkb.wings.site.pictures.frame import number

MOST_BARS = 30
_PITCH, _HEIGHT, _LEAST = 5.0, 16.0, 1.5


def spark(counts: Sequence[int], *, top: int = 0) -> str:
    """Return `counts` in the order of time as inline HTML on one line; "" where all are 0.

    More than 30 are added up by neighbours, so that 30 bars are the most. `top` is the count of a
    bar of full height, such that several rows share a scale; by default the largest. Hidden from
    those who listen: say the number beside it.
    """
    bars = _gathered([max(0, count) for count in counts])
    if not any(bars):
        return ""
    most = max(top, *bars)
    heights = [max(_LEAST, _HEIGHT * count / most) if count else 0.0 for count in bars]
    path = bar_path(heights, base=_HEIGHT, left=0, pitch=_PITCH)
    return (
        f'<svg class="calm-spark" viewBox="0 0 {number(len(bars) * _PITCH)} {number(_HEIGHT)}"'
        f' aria-hidden="true"><path class="calm-bars" d="{path}"/></svg>'
    )


def _gathered(counts: list[int]) -> list[int]:
    together = -(-len(counts) // MOST_BARS) or 1
    return [sum(counts[start : start + together]) for start in range(0, len(counts), together)]
