"""Patterns of values that are no secrets: what they spare, and which of them are refused."""

from pathlib import Path

import pytest

from calmkb.errors import RedactionError
from calmkb.redact import Redactor
from tests.children import run_python

RANDOM = "q7Zk2vX9" + "Lm4Tn8Rw"
LIVE = "gh" + "p_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz1B2"
EXAMPLE = "AK" + "IA" + "IOSFODNN7" + "EXAMPLE"


def filter_with(*allow: str) -> Redactor:
    return Redactor(home=Path("/home/ada"), allow=allow)


@pytest.mark.parametrize(
    "pattern",
    [
        ".*",
        ".+",
        "(?!.*c4N4ry).*",
        "(?!.*[xX]{3}).{8,}",
        "ghp_.*",
        "[a-z]+",
        r"\w{12,}",
        "[0-9a-f]+",
        "AKIA[A-Z0-9]+",
        r"[A-Za-z0-9+/=]{40}",
    ],
)
def test_a_pattern_that_matches_random_values_is_refused_by_name(pattern):
    with pytest.raises(RedactionError, match="matches a random") as caught:
        filter_with("harmless", pattern)
    assert repr(pattern) in str(caught.value)


def test_patterns_that_match_a_few_random_values_each_are_refused_together():
    with pytest.raises(RedactionError, match="matches a random"):
        filter_with(*(f".*{one}{other}.*" for one in "abcdefgh" for other in "0123456789"))


def test_the_verdict_on_a_pattern_is_the_same_each_time():
    """One that matches a random value in a hundred is no class of secrets."""
    for _ in range(40):
        filter_with("ghp_.*B2", "build-[0-9]+")


def test_a_pattern_that_is_no_pattern_is_refused_by_name():
    with pytest.raises(RedactionError, match=r"'\(' under \[redact\] allow is not a regular"):
        filter_with("(")


def test_a_listed_value_is_spared_and_its_neighbours_are_not():
    listed = filter_with(RANDOM)
    assert listed.text(f"API_KEY={RANDOM}") == f"API_KEY={RANDOM}"
    assert RANDOM not in listed.text(f"API_KEY={RANDOM}x")


def test_the_example_of_a_provider_is_spared_by_what_makes_it_one():
    text = f"aws configure set aws_access_key_id {EXAMPLE}"
    assert EXAMPLE in filter_with("AKIA[A-Z0-9]*EXAMPLE").text(text)
    assert EXAMPLE in filter_with(EXAMPLE).text(text)


@pytest.mark.parametrize("pattern", [LIVE[:10] + ".*", "ghp_.*B2", ".*W0xY.*", "(?=.*Yz1B2).*"])
def test_a_live_token_is_spared_only_by_a_pattern_that_names_it(pattern):
    text = f"export GITHUB_TOKEN={LIVE}"
    assert LIVE not in filter_with(pattern).text(text)
    assert LIVE in filter_with(LIVE).text(text)


def test_a_slow_pattern_is_refused_by_name_and_nothing_hangs():
    code = """
from pathlib import Path
from calmkb.errors import RedactionError
from calmkb.redact import Redactor
for pattern in (r"(a|aa|[a-z0-9]+)+#", r"(?:a|aa)+b"):
    try:
        listed = Redactor(home=Path("/home/ada"), allow=[pattern])
        listed.text("password='" + "a" * 200 + "b1#!" + "'")
    except RedactionError as error:
        print(repr(pattern) in str(error), "takes too long" in str(error))
"""
    assert run_python(code, seconds=60).split("\n") == ["True True"] * 2


def test_the_canary_is_another_one_each_time():
    drawn = []

    def chance(count: int) -> bytes:
        drawn.append(bytes(range(count)))
        return drawn[-1]

    Redactor(home=Path("/home/ada"), chance=chance)
    assert len(drawn) == 2
