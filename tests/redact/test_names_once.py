"""Names of secrets are looked for once a text: each rule finds what it would find by itself."""

import random

from calmkb.redact.rules.names import HINTS
from calmkb.redact.rules.rule import Finder, line_windows, name_starts
from calmkb.redact.secrets import OWN_RULES

NAMED = [rule for rule in OWN_RULES if rule.begins_with_name]
PIECES = (
    *(
        "password",
        "DB_PASS",
        "userPass",
        "token",
        "tokens_used",
        "api key",
        "secret",
        "\u017fecret",
    ),
    *("pat", "connection string", "value", "webhook_url_prod", "key", "\u0130", "name", "is", "to"),
    *("=", ": ", " -> ", ",", "{", "}", '"', "'", '\\"', "\n", " ", "-", "_", "'s "),
    *("hunter2-x9Kq", "correcthorse", "a1B2c3D4e5F6", "max_"),
)


def texts():
    chance = random.Random(22)  # noqa: S311 - the same texts each time
    for _ in range(800):
        yield "".join(chance.choice(PIECES) for _ in range(chance.randint(2, 40)))


def test_a_rule_finds_at_the_names_what_it_finds_in_the_whole_text():
    found = 0
    for text in texts():
        lowered = text.lower()
        names = name_starts(text, lowered)
        for rule in NAMED:
            for pos, last in line_windows(rule.hints, text, lowered, spans=rule.spans):
                one = Finder(rule, text, names).search(pos, last)
                other = Finder(rule, text, None).search(pos, last)
                assert (one and one.span()) == (other and other.span()), (rule, text)
                found += one is not None
    assert found > 100


def test_a_rule_that_begins_with_a_name_has_its_hints_or_asks_for_a_value():
    assert len(NAMED) == 6
    assert {"default", "value", *HINTS.split()} >= {hint for rule in NAMED for hint in rule.hints}
