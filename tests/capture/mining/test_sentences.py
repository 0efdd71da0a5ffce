"""The sentences in ten languages have the shape that figures on them rely on."""

from collections import Counter
from pathlib import Path

import pytest

SENTENCES = Path(__file__).parents[2] / "data" / "languages"
LANGUAGES = ("de", "en", "es", "fr", "it", "ja", "ko", "pt", "ru", "zh")
MEANINGS = {"tuned": range(1, 91), "kept": range(91, 181)}

Row = tuple[int, str, str, str]


def rows(language: str, half: str) -> list[Row]:
    """Return one half of a language: meaning, half, kind and text of each row."""
    header, *lines = (SENTENCES / f"{language}.{half}.tsv").read_text("utf-8").splitlines()
    assert header == "meaning\thalf\tkind\ttext"
    return [(int(cells[0]), cells[1], cells[2], cells[3]) for cells in map(split, lines)]


def split(line: str) -> list[str]:
    """Return the four cells of a line."""
    cells = line.split("\t")
    assert len(cells) == 4
    assert all(cell == cell.strip() != "" for cell in cells)
    return cells


def halves(language: str) -> list[str]:
    """Return the halves that a language has."""
    return [path.name.split(".")[1] for path in sorted(SENTENCES.glob(f"{language}.*.tsv"))]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_meaning_has_a_lesson_and_a_look_alike(language: str) -> None:
    for half in halves(language):
        found = rows(language, half)
        assert {row[1] for row in found} == {half}
        kinds = Counter(
            (meaning, "other" if kind == "other" else "lesson") for meaning, _, kind, _ in found
        )
        assert kinds == {(n, kind): 1 for n in MEANINGS[half] for kind in ("lesson", "other")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_half_of_the_lessons_are_corrections_and_half_are_rules(language: str) -> None:
    for half in halves(language):
        kinds = Counter(kind for _, _, kind, _ in rows(language, half))
        assert kinds == {"correction": 45, "rule": 45, "other": 90}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_stands_twice_in_a_language(language: str) -> None:
    texts = Counter(row[3] for half in halves(language) for row in rows(language, half))
    assert [text for text, count in texts.items() if count > 1] == []
