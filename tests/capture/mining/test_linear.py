"""The scorer in plain Python gives what scikit-learn's pipeline gives."""

import csv
import sys
from pathlib import Path

import pytest
from sklearn.feature_extraction.text import CountVectorizer

from calmkb.capture.mining.linear import letters, read_models, words
from calmkb.capture.mining.prompt_features import Prompt, features

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "benchmarks" / "capture"))
SENTENCES = ROOT / "tests" / "data" / "languages" / "en.tuned.tsv"
SAMPLES = (
    "No, use pnpm here: npm rewrites the lock file.",
    "It's still failing with the same error; why?",
    "tabs\tand\nlines  and \u00a0 spaces, ÄÖ ß İ 漢字 \ud800",
    "",
)


@pytest.mark.parametrize("text", SAMPLES)
def test_words_and_letters_are_those_of_scikit_learn(text):
    by_letter = CountVectorizer(analyzer="char_wb", ngram_range=(2, 4)).build_analyzer()
    by_word = CountVectorizer(ngram_range=(1, 2), token_pattern=r"\w[\w']*|[?!]").build_analyzer()
    assert set(letters(text, 2, 4)) == set(by_letter(text))
    assert {one for one in words(text) if one[0] != "^"} == set(by_word(text))


def test_a_table_gives_the_probabilities_of_the_pipeline_it_was_made_of(tmp_path):
    from linear_table import numbers, pipeline, write

    with SENTENCES.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    found = [features(Prompt(row["text"], first=n % 3 == 0)) for n, row in enumerate(rows)]
    fitted = pipeline(4.0).fit(found, [row["kind"] != "other" for row in rows])
    write(tmp_path / "table.json", {"lesson": numbers(fitted, 4.0, 0.5)})
    table = read_models(tmp_path / "table.json")["lesson"]
    unseen = [features(Prompt(text)) for text in SAMPLES]
    expected = fitted.predict_proba([*found, *unseen])[:, 1]
    told = [table.probability(one) for one in (*found, *unseen)]
    assert told == pytest.approx(expected, abs=0.01)  # a byte for each number
