"""Draws docs/images/similarity.svg: how alike the written pairs are, before and after opposites.

Run it as `python benchmarks/similarity/quality_picture.py`; the same pairs and methods give the
same bytes.
"""

from collections.abc import Sequence
from pathlib import Path

from bench_quality import DUPLICATE, cosines, plain_vectors
from quality_data import Pair, written_pairs

from calmkb.reflect.opposites.compare import opposed
from calmkb.reflect.similarity.methods import choose

TARGET = Path(__file__).parents[2] / "docs" / "images" / "similarity.svg"
WIDTH, LEFT, SCALE = 720, 130, 560
ROW, PANEL = 34, 164
KINDS = ("duplicate", "near-miss", "opposite")
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .small { font-size: 11px; fill: #59636e }
  .axis { stroke: #8c959f; stroke-width: 1 }
  .cut { stroke: #1f2328; stroke-width: 1.5; stroke-dasharray: 4 3 }
  circle { fill-opacity: .55; stroke-width: 1.2 }
  .duplicate { fill: #1a7f37; stroke: #1a7f37 }
  .near-miss { fill: #9a6700; stroke: #9a6700 }
  .opposite { fill: #cf222e; stroke: #cf222e }
  .told { fill: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #9198a1 } .axis { stroke: #656c76 }
    .cut { stroke: #e6edf3 }
    .duplicate { fill: #3fb950; stroke: #3fb950 }
    .near-miss { fill: #d29922; stroke: #d29922 }
    .opposite { fill: #f85149; stroke: #f85149 }
    .told { fill: none }
  }
"""


def main() -> None:
    """Write the picture."""
    pairs = written_pairs()
    method = choose("tfidf")
    told = {pair for pair in pairs if opposed(pair.one, pair.other)}
    parts = [
        *panel("TfidfVectorizer, as it comes", pairs, cosines(plain_vectors, pairs), DUPLICATE, 0),
        *panel("calmkb, tfidf", pairs, cosines(method.vectors, pairs), method.duplicate, 1, told),
    ]
    height = 2 * PANEL + 34
    about = "Cosines of written pairs: duplicates, near-misses and opposites, two methods"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{about}">',
        f"<style>{STYLE}</style>",
        *parts,
        f'<text class="small" x="10" y="{height - 8}">A circle is a pair, its place the '
        "cosine; right of the dashed line it would be merged. Hollow: read as an opposite.</text>",
        "</svg>",
    ]
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"wrote {TARGET.name}: {len(pairs)} pairs")


def panel(
    title: str, pairs: Sequence[Pair], levels: Sequence[float], cut: float, place: int,
    told: set[Pair] | None = None,
) -> list[str]:  # fmt: skip
    """Return a panel: a title, a row of circles for each kind, and the threshold."""
    top = place * PANEL + 22
    found = [f'<text x="10" y="{top}" font-weight="600">{title}</text>']
    for number, kind in enumerate(KINDS):
        middle = top + 28 + number * ROW
        rows = [(level, p) for level, p in zip(levels, pairs, strict=True) if p.kind == kind]
        found.append(f'<text class="small" x="10" y="{middle + 4}">{kind} ({len(rows)})</text>')
        for step, (level, pair) in enumerate(sorted(rows, key=lambda row: (row[0], row[1].one))):
            name = f"{kind} told" if told and pair in told else kind
            found.append(f'<circle class="{name}" cx="{LEFT + level * SCALE:.1f}" '
                         f'cy="{middle + (step * 7) % 19 - 9}" r="3.2"/>')  # fmt: skip
    bottom, x = top + 14 + len(KINDS) * ROW, LEFT + cut * SCALE
    found.append(f'<line class="axis" x1="{LEFT}" x2="{LEFT + SCALE}" y1="{bottom}" '
                 f'y2="{bottom}"/>')  # fmt: skip
    for tenth in range(0, 11, 2):
        at = LEFT + tenth * SCALE / 10
        found.append(f'<text class="small" x="{at:.0f}" y="{bottom + 15}" '
                     f'text-anchor="middle">{tenth / 10}</text>')  # fmt: skip
    found.append(f'<line class="cut" x1="{x:.1f}" x2="{x:.1f}" y1="{top + 8}" y2="{bottom}"/>')
    return found


if __name__ == "__main__":
    main()
