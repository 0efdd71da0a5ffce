"""Names beside circles: where there is room for one, and none that meets another."""

from collections.abc import Sequence
from dataclasses import dataclass

from calmkb.site.pictures.frame import WIDTH, text_width

_LINE = 1.2
_CLEAR = 4.0
_MOST_LINES = 2


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle in units."""

    x: float
    y: float
    r: float


@dataclass(frozen=True, slots=True)
class Label:
    """Lines at a place; `rise` is how far the first baseline is below `y`, in sizes of the text.

    In sizes, so that text set smaller takes up less of the same room.
    """

    lines: tuple[str, ...]
    x: float
    y: float
    rise: float
    anchor: str


@dataclass(frozen=True, slots=True)
class Box:
    """A room in units."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        """Tell whether the two share any room."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def meets_circle(self, circle: Circle) -> bool:
        """Tell whether the circle, and a little around it, reaches into this room."""
        x = min(max(circle.x, self.left), self.right) - circle.x
        y = min(max(circle.y, self.top), self.bottom) - circle.y
        return x * x + y * y < (circle.r + _CLEAR / 2) ** 2


class Room:
    """A drawing with circles, in which names are put one after another; the first come best off."""

    def __init__(self, circles: Sequence[Circle], *, height: float) -> None:
        self._circles = circles
        self._edge = Box(0, 0, WIDTH, height)
        self.taken: list[Box] = []

    def place(self, text: str, circle: Circle, *, size: float, widest: float) -> Label | None:
        """Return where a name stands beside its circle, None where there is no room for it.

        Tried are right, left, below and above, then the four corners. `size` is that of the text,
        `widest` how many such sizes a line may be wide.
        """
        lines = broken(text, widest)
        if not any(lines):
            return None
        for label in _tries(lines, circle):
            if self._free(_box(label, size), circle):
                self.keep(label, size=size)
                return label
        return None

    def keep(self, label: Label, *, size: float) -> None:
        """Take the room that a name stands in."""
        self.taken.append(_box(label, size))

    def _free(self, box: Box, own: Circle) -> bool:
        edge = self._edge
        inside = box.left >= edge.left and box.right <= edge.right
        inside = inside and box.top >= edge.top and box.bottom <= edge.bottom
        others = (circle for circle in self._circles if circle is not own)
        return (
            inside
            and not any(box.meets(taken) for taken in self.taken)
            and not any(box.meets_circle(circle) for circle in others)
        )


def broken(text: str, widest: float) -> tuple[str, ...]:
    """Return `text` as two short lines at most; what is left over becomes an ellipsis."""
    lines, line = [], ""
    for word in (part for whole in text.split() for part in _parts(whole, widest)):
        if line and text_width(f"{line} {word}", 1) > widest:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    lines.append(line)
    if len(lines) > _MOST_LINES:
        kept = lines[:_MOST_LINES]
        return (*kept[:-1], kept[-1].rstrip(" ,;:.-") + "…")
    return tuple(lines)


def _parts(word: str, widest: float) -> list[str]:
    """A word that is too long for a line is cut wherever the line ends."""
    parts = [""]
    for letter in word:
        if text_width(parts[-1] + letter, 1) > widest:
            parts.append("")
        parts[-1] += letter
    return parts


def _tries(lines: tuple[str, ...], circle: Circle) -> list[Label]:
    """The labels of a circle, in the order of how well they read."""
    middle = 0.35 - _LINE * (len(lines) - 1) / 2
    below, above = 0.9, -0.3 - _LINE * (len(lines) - 1)
    gap, corner = circle.r + _CLEAR, circle.r * 0.71 + _CLEAR / 2
    x, y = circle.x, circle.y
    return [
        Label(lines, x + gap, y, middle, "start"),
        Label(lines, x - gap, y, middle, "end"),
        Label(lines, x, y + gap, below, "middle"),
        Label(lines, x, y - gap, above, "middle"),
        *(
            Label(lines, x + side * corner, y + way * corner, rise, anchor)
            for way, rise in ((1, below), (-1, above))
            for side, anchor in ((1, "start"), (-1, "end"))
        ),
    ]


def _box(label: Label, size: float) -> Box:
    width = max(text_width(line, size) for line in label.lines)
    left = label.x - {"start": 0.0, "middle": width / 2, "end": width}[label.anchor]
    top = label.y + (label.rise - 0.9) * size
    return Box(left, top, left + width, top + (_LINE * (len(label.lines) - 1) + 1.2) * size)
