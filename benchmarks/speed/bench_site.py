"""The site: built from nothing, and after one wrap-up, as ratios to stock MkDocs Material.

Stock builds the very same pages as files (3 KB each, outside the nav, search on) in the same run.
`run.py site 1000 3000` takes other sizes than the 1,000, 3,000 and 10,000 of the goals.
"""

import gzip
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from generator import THINGS, TROUBLES, generate

from calmkb.model import Entry, Section
from calmkb.templating import render_template
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.staging.stage import restage, stage
from calmkb.wings.site.verbs.pages import load_library

SIZES = (1_000, 3_000, 10_000)
CALMKB = [sys.executable, "-m", "calmkb"]
PAGE_CHARACTERS = 3_000
KB = 1_000


def main() -> None:
    """Print the table for each size, then how the sizes compare."""
    sizes = [int(word) for word in sys.argv[2:] if word.isdigit()] or SIZES
    print("| what | sessions | seconds | ratio | goal |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        cold = {size: measure(Path(folder) / str(size), size) for size in sizes}
    if {1_000, 3_000} <= cold.keys():
        ratio = cold[3_000] / cold[1_000]
        row("3,000 from nothing, of 1,000", 3_000, cold[3_000], ratio, 3.3)


def measure(root: Path, size: int) -> float:
    """Print the rows of one size; return the seconds of a build from nothing."""
    generate(root, size, change=with_notes)
    (root / "docs").mkdir()
    (root / "docs" / "about.md").write_text("# About\n")
    (root / "mkdocs.yml").write_text(render_template("site/mkdocs.yml.j2", site_name="Bench"))
    pages = measure_staging(root, size)
    stock, _ = stock_build(root, pages)
    row("stock MkDocs Material", size, stock, 1, None)
    run(
        [*CALMKB, "--kb", str(root), "session", "list", "--limit", "1"]
    )  # the index is not the site
    cold, peak = run([*CALMKB, "--kb", str(root), "site", "build", "--rebuild"])
    row("from nothing", size, cold, cold / stock, 1.0)
    row("peak memory, KB a page", size, peak, peak / len(pages), 60)
    measure_wrap_ups(root, size, stock)
    print_sizes(root / "site", size)
    return cold


def measure_staging(root: Path, size: int) -> dict[str, str]:
    """Print pages a second of staging, from nothing and with nothing changed."""
    catalogue = Catalogue(load_library(root))
    first = timed(lambda: restage(catalogue, {}))
    known = restage(catalogue, {}).fingerprints
    again = statistics.median(
        timed(lambda: restage(Catalogue(catalogue.source), known)) for _ in range(5)
    )
    rate(f"staging, {len(known):,} pages", size, first, len(known) / first, 2_000)
    rate("staging, nothing changed", size, again, len(known) / again, 20_000)
    return stage(catalogue.source)


def measure_wrap_ups(root: Path, size: int, stock: float) -> None:
    """Print the build after one wrap-up, and whether its bytes are those of one from nothing."""
    times = []
    for number in range(3):
        words = ["--summary", f"Moved test {number} to the fixture.", "--friction", "It hung."]
        run([*CALMKB, "--kb", str(root), "wrapup", "--project", "storefront", *words])
        times.append(run([*CALMKB, "--kb", str(root), "site", "build"])[0])
    median = statistics.median(times)
    row("after one wrap-up", size, median, median / stock, 0.1)
    warm = tree(root / "site")
    run([*CALMKB, "--kb", str(root), "site", "build", "--rebuild"])
    same = "identical" if tree(root / "site") == warm else "DIFFERENT"
    print(f"| warm output against cold | {size:,} | | {same} | identical |", flush=True)


def print_sizes(site: Path, size: int) -> None:
    """Print how large pages are, and what a phone loads to search."""
    pages = {path: path.stat().st_size for path in site.rglob("*.html")}
    entries = [n for path, n in pages.items() if path.relative_to(site).parts[0] == "sessions"]
    number(
        f"a session's page, median of {len(entries):,}", size, statistics.median(entries), 20 * KB
    )
    largest = max(pages, key=lambda path: pages[path])
    number(f"largest page ({largest.relative_to(site)})", size, pages[largest], 200 * KB)
    index = (site / "search" / "search_index.json").read_bytes()
    number("search index, gzipped", size, len(gzip.compress(index)), 3_000 * KB)
    assert json.loads(index)["docs"]


def stock_build(root: Path, pages: dict[str, str]) -> tuple[float, float]:
    """Return seconds and peak KB of plain MkDocs Material over the same pages as files."""
    stock = root.with_name(f"{root.name}-stock")
    for uri, text in pages.items():
        path = stock / "docs" / uri
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("search:\n  exclude: true\n", ""), encoding="utf-8")
    settings = (root / "mkdocs.yml").read_text().replace("  - calmkb\n", "")
    (stock / "mkdocs.yml").write_text(settings + "nav: [index.md]\nnot_in_nav: '*'\n")
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "-f", str(stock / "mkdocs.yml")]
    return run(command)


def with_notes(entry: Entry) -> Entry:
    """Return the entry with notes that make its page as long as a real one."""
    dice = random.Random(entry.id)
    notes: list[str] = []
    while sum(map(len, notes)) < PAGE_CHARACTERS - 900:
        verb = dice.choice(("checked", "replaced", "traced", "asked about", "wrote down"))
        notes.append(
            f"We {verb} the {dice.choice(THINGS)} in `{dice.choice(THINGS).replace(' ', '_')}.py`, "
            f"which {dice.choice(TROUBLES)}; "
            f"next is {dice.choice(THINGS)} **{dice.randrange(9_999)}**."
        )
    text = "\n\n".join(" ".join(notes[at : at + 4]) for at in range(0, len(notes), 4))
    return replace(entry, sections=(Section("Notes", text),))


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file of a site."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def run(command: list[str]) -> tuple[float, float]:
    """Return the seconds a command took, and the peak of its largest process in KB."""
    script = (
        "import resource, subprocess, sys; code = subprocess.call(sys.argv[1:], "
        "stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(code)"
    )
    begun = time.perf_counter()
    found = subprocess.run(
        [sys.executable, "-c", script, *command], check=True, capture_output=True, text=True
    )
    return time.perf_counter() - begun, float(found.stdout)


def timed(call: Callable[[], object]) -> float:
    """Return how many seconds a call takes."""
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def row(what: str, size: int, seconds: float, ratio: float, goal: float | None) -> None:
    """Print a measurement whose goal is an upper bound."""
    missed = " MISSED" if goal is not None and ratio > goal else ""
    wanted = f"≤ {goal}{missed}" if goal is not None else ""
    print(f"| {what} | {size:,} | {seconds:,.2f} | {ratio:.3g} | {wanted} |", flush=True)


def rate(what: str, size: int, seconds: float, found: float, goal: float) -> None:
    """Print a rate whose goal is a lower bound."""
    missed = "" if found >= goal else " MISSED"
    print(
        f"| {what} | {size:,} | {seconds:,.2f} | {found:,.0f}/s | ≥ {goal:,.0f}/s{missed} |",
        flush=True,
    )


def number(what: str, size: int, found: float, goal: float) -> None:
    """Print a number of bytes whose goal is an upper bound."""
    missed = "" if found <= goal else " MISSED"
    print(
        f"| {what} | {size:,} | | {found / KB:,.0f} KB | ≤ {goal / KB:,.0f} KB{missed} |",
        flush=True,
    )
