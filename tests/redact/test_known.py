"""A secret that was found once is taken out wherever it is written; a common word is not."""

import json
from pathlib import Path

import pytest

from calmkb.redact import Redactor
from calmkb.redact.known import distinct_values

R = Redactor(home=Path("/home/ada"))
RANDOM = "Xk29vm" + "QzLm"
LONG = "q7Zk2vX9" + "Lm4Tn8Rw" + "Yb3Kc5Pd"


def test_the_same_value_goes_from_the_rest_of_the_text():
    text = f"export DB_PASSWORD={RANDOM}\npsql: connecting with {RANDOM} ... denied\n"
    assert RANDOM not in R.text(text)
    assert RANDOM not in R.text(f"first {RANDOM}\nexport DB_PASSWORD={RANDOM}\n")


def test_the_password_of_a_url_goes_from_the_rest_of_the_text():
    assert RANDOM not in R.text(f"postgres://app:{RANDOM}@db/app refused {RANDOM}")


def test_a_line_of_a_private_key_goes_from_the_rest_of_the_text():
    head, foot = "-----BEGIN PRIVATE" + " KEY-----", "-----END PRIVATE" + " KEY-----"
    assert LONG not in R.text(f"{head}\n{LONG}\n{foot}\nand {LONG} once more")


@pytest.mark.parametrize("word", ["admin", "test", "winter", "summertime", "production"])
def test_a_password_that_is_a_word_leaves_the_prose_alone(word):
    text = f"The {word} page works in {word} mode; --password {word} does not."
    assert f"The {word} page works in {word} mode" in R.text(text)


def test_a_short_value_is_not_cut_out_of_a_longer_word():
    assert f"x{RANDOM}y" in R.text(f"PASSWORD={RANDOM} and x{RANDOM}y and {RANDOM}")
    assert LONG not in R.text(f"PASSWORD={LONG} and x{LONG}y")


def test_values_that_prose_uses_as_well_are_not_distinct():
    found = dict.fromkeys(["test", "password", "hunter", "4711471147114711", "changeme123"], "said")
    assert distinct_values(found) == {}
    assert {f"ada:{RANDOM}", RANDOM} < set(distinct_values({f"ada:{RANDOM}": "url-password"}))


def test_a_record_is_filtered_as_one_and_the_next_one_apart():
    texts = (f"It said {RANDOM}", "nothing", f"DB_PASSWORD={RANDOM}")
    assert not [text for text in texts if RANDOM in R.knowing(texts).text(text)]
    assert R.text(texts[0]) == texts[0]


def test_a_value_goes_from_every_line_of_a_log():
    lines = [
        {"text": f"connecting with {RANDOM}"},
        {"input": {"password": RANDOM}},
        {"more": [f"psql {RANDOM}"]},
    ]
    log = "\n".join(map(json.dumps, lines)) + f"\nplain {RANDOM}\n"
    out = R.json_lines(log.encode()).decode()
    assert RANDOM not in out
    assert next(json.loads(line) for line in out.split("\n")[:3]) == {
        "text": "connecting with [redacted:key]"
    }


def test_a_secret_below_an_object_of_its_name_goes_inside_a_sentence():
    in_prose = f'It answered {{"apiKey": {{"id": 7, "value": "{RANDOM}"}}}} at once.'
    assert RANDOM not in R.text(in_prose)


def test_a_secret_below_an_object_of_its_name_goes():
    line = json.dumps({"apiKey": {"value": RANDOM, "created": "2026-11-22"}})
    out = json.loads(R.json_lines(line.encode()))
    assert out == {"apiKey": {"value": "[redacted:key]", "created": "2026-11-22"}}
