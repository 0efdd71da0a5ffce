"""No rule takes more than linear time: four times the text costs about four times as much."""

import json

import pytest

from calmkb.redact.secrets import OWN_RULES
from tests.children import run_python

pytestmark = pytest.mark.slow
SMALL, LARGE = 3_000, 12_000
AT_MOST = 9.0
"""Times longer that the large text may take: 4 is linear, 16 the square."""
SUSPECT = 0.01
"""Seconds for the small text above which the large one is tried."""
PARTS = 2

CODE = """
import json, sys, time
from calmkb.redact.rules.layout import hide_table_secrets
from calmkb.redact.rules.rule import Hits, apply_rules, allow_nothing
from calmkb.redact.rules.published import published_rules
from calmkb.redact.secrets import OWN_RULES

SIGNS = ("=", ": ", " ", "_", "=' ", '="' + chr(92), "-", "/", ":a@", ".", " | ", ":" + chr(10))
FILLERS = ("A_", "a", "1", "aB3", "- ", "a b ", "a" + chr(10), chr(92), "'", "a.", "a:", "/a")

def texts(hints, size):
    for hint in hints[:3]:
        for sign in SIGNS:
            for piece in (hint + sign, "A_" + hint + sign, "a" + sign + hint):
                yield piece, (piece * size)[:size]
        for filler in FILLERS:
            yield filler + hint, (filler * size)[:size] + hint + "="
            yield hint + filler, hint + "=" + (filler * size)[:size]

def seconds(work, text):
    begun = time.process_time()
    work(text)
    return time.process_time() - begun

def applying(rule):
    return lambda text: apply_rules([rule], text, is_allowed=allow_nothing, hits=Hits())

part, parts, small, large = map(int, sys.argv[1:5])
works = [(rule.id, rule.hints, applying(rule)) for rule in (*OWN_RULES, *published_rules())]
works.append(("laid-out", ("token", "password |", "secret:"),
              lambda text: hide_table_secrets(text, is_allowed=allow_nothing, hits=Hits())))
slow = []
for name, hints, work in works[part::parts]:
    for (piece, short), (_, long) in zip(texts(hints, small), texts(hints, large)):
        if seconds(work, short) > float(sys.argv[5]):  # few are: those are measured with care
            before, after = (min(seconds(work, text) for _ in "123") for text in (short, long))
            slow.append([name, piece, before, after])
print(json.dumps(slow))
"""


@pytest.mark.parametrize("part", range(PARTS))
def test_every_rule_is_linear_on_text_made_against_it(part):
    sizes = (str(part), str(PARTS), str(SMALL), str(LARGE), str(SUSPECT))
    slow = json.loads(run_python(CODE, *sizes, seconds=240))
    assert [row for row in slow if row[3] > AT_MOST * row[2]] == []


def test_the_whole_filter_ends_in_good_time_on_the_worst_known_texts():
    code = """
from calmkb.redact.secrets import redact_secrets
for text in ("A_" * 50_000 + "KEY=", "token_" * 15_000, "sk--" * 25_000, "|token" * 15_000):
    redact_secrets(text)
"""
    run_python(code, seconds=30)


def test_there_are_rules_to_look_at():
    assert len(OWN_RULES) > 70
