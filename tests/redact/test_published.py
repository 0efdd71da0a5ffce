"""The table of published rules: read whole, and written from the terms of RE2."""

import re

import pytest

from calmkb.redact.rules.published import published_rules
from scripts.secret_rules import row


def test_every_rule_of_the_table_has_hints_and_a_value():
    for rule in published_rules():
        assert rule.hints and "value" in rule.pattern.groupindex, rule.id
        assert rule.hints == tuple(hint.lower() for hint in rule.hints)


@pytest.mark.parametrize(
    ("regex", "text", "value"),
    [
        (r"\b(key-(?i)[a-z]{3})(?:;|\z)", "key-ABC", "key-ABC"),
        (r"a(?i)b", "aB", "aB"),
        ("(?i)x-[0-9]+", "X-12", "X-12"),
        ("((live|test)_[a-f]{2})!", "live_ab!", "live_ab"),
        (r"(?P<name>k)=([[:alnum:]]{2}[(\]])", "k=a1]", "k"),
        (r"[[(]x[\]\[]", "[x[", "[x["),
    ],
)
def test_a_pattern_of_re2_finds_the_same_in_python(regex, text, value):
    (line,) = row({"id": "shop", "regex": regex, "keywords": ["A b", "c"], "filter": ""})
    name, least, hints, pattern = line.split("\t")
    assert (name, least, hints) == ("shop", "0", "a c")
    assert re.search(pattern, text)["value"] == value


def test_what_needs_more_than_one_pattern_is_left_to_our_own_rules():
    rules = [{"id": "generic-api-key", "regex": "x"}, {"id": "a", "regex": "x", "skipReport": True}]
    assert [line for rule in rules for line in row({"keywords": ["x"], **rule})] == []
