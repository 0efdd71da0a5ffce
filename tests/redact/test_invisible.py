"""An invisible character hides no secret from the filter."""

from pathlib import Path

import pytest

from calmkb.redact import Redactor
from calmkb.redact.invisible import join_visible, show_invisible, strip_invisible
from calmkb.redact.secrets import redact_secrets

R = Redactor(home=Path("/home/ada"))
HEAD, TAIL = "gh" + "p_aB3dE5fG7hJ9", "kL1mN2pQ4rS6tU8vW0xYz1B2"


@pytest.mark.parametrize("sign", list("\u200b\u200d\u2060\ufeff\u00ad\ufe0f\U000e0041\x07\u202e"))
def test_a_secret_that_an_invisible_character_parts_is_taken_out(sign):
    parted = f"Use {HEAD}{sign}{TAIL} to deploy"
    assert join_visible(R.text(parted)) == "Use [redacted:github] to deploy"
    # What was written before, or by hand, is filtered where it is printed.
    assert strip_invisible(parted) == "Use [redacted:github] to deploy"
    assert show_invisible(parted) == "Use [redacted:github] to deploy"


def test_a_selector_behind_a_letter_or_digit_is_no_spelling():
    assert strip_invisible("a9\ufe0fb+\ufe0fc") == "a9b+c"
    kept = "1\ufe0f\u20e3 ❤\ufe0f می\u200cخواهم"
    assert strip_invisible(kept) == kept


def test_invisible_characters_alone_stay_for_the_reviewer_to_see():
    text = "left\u200bright in\r\ntwo lines"
    assert R.text(text) == text


def test_a_secret_beside_half_of_a_surrogate_pair_is_found():
    token = "gh" + "p_" + "x7Kd93mQpLz2VbN8RtYc4WsJf6HgTa1BeUoi"
    filtered = redact_secrets(f"\ud800 token = '{token}' \udfff")
    assert token not in filtered
    assert filtered.startswith("\ud800 token = ")
