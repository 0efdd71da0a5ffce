"""Texts as numbers, as the library `tokenizers` gives them for the model's own tokenizer.json."""

import pytest

from calmkb.wings.semantic.minilm import token_ids

# fmt: off
GOLDEN = {
    "": "",
    "The build hung: npm rewrote `package-lock.json`.":
    "1996 3857 5112 1024 27937 2213 2128 13088 12184 1036 7427 1011 5843 1012 1046 "
    "3385 1036 1012",
    "Café, NAÏVE İstanbul ΟΔΥΣΣΕΥΣ":
    "7668 1010 15743 9960 1169 29722 29735 29733 29733 29723 29735 29733",
    "x=$a+b|c ~ 5€ → 3½ _id_":
    "1060 1027 1002 1037 1009 1038 1064 1039 1066 1019 30102 1585 1017 13714 1035 "
    "8909 1035",
    "東京タワー and 한국어":
    "1879 1755 1709 30262 30265 1998 1469 30006 30021 29991 30014 30020 29999 30008",
    "tab\tnull\x00bell\x07zero\u200bwidth\ufffd\u2028end":
    "21628 19701 17327 6290 5004 3593 2705 2203",
    "unbelievably tokenizations ##ing 🙂 ":
    "4895 8671 2666 3567 6321 19204 22318 1001 1001 13749 100",
    "a" * 101: "100",
}
# fmt: on


@pytest.mark.parametrize("text", GOLDEN)
def test_a_text_is_read_in_the_pieces_that_the_model_was_trained_on(text):
    assert token_ids(text, 512) == [101, *map(int, GOLDEN[text].split()), 102]


def test_a_long_text_ends_where_the_model_ends():
    assert token_ids("word " * 3000, 512) == [101, *[2773] * 510, 102]


def test_what_a_text_says_of_its_own_end_is_read_as_words():
    assert 102 not in token_ids("one [SEP] two", 512)[:-1]


@pytest.mark.parametrize("text", ["a" * 300_000, "\u4e00" * 300_000, ("q\u0301" * 50 + " ") * 3000])
def test_the_worst_words_give_no_more_than_the_model_reads(text):
    assert len(token_ids(text, 512)) <= 512
