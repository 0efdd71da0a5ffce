"""Secrets in real places, and harmless lines that look like them (redaction.yml)."""

import json
from pathlib import Path

import pytest
import yaml

from calmkb.redact import Redactor

CASES = yaml.safe_load((Path(__file__).parents[1] / "data/cases/redaction.yml").read_text("utf-8"))
# In parts, so that no scanner takes this file for a leak.
VALUES = {"R": "q7Zk2vX9" + "Lm4Tn8Rw", "H": "1a2b3c4d" * 5, "P": "Winter" + "2026!", "_": ""}
HIDDEN = [(place, text) for place, texts in CASES["hidden"].items() for text in texts]
R = Redactor(home=Path("/home/ada"))


@pytest.mark.parametrize(("place", "text"), HIDDEN)
def test_a_secret_in_a_real_place_is_hidden(place, text):
    filled = text.format(**VALUES)
    shown = R.text(filled)
    assert "[redacted:" in shown
    assert not [value for name, value in VALUES.items() if name in "RHP" and value in shown]
    assert R.text(shown) == shown


@pytest.mark.parametrize("text", CASES["kept"])
def test_a_harmless_line_comes_back_unchanged(text):
    assert R.text(text) == text


@pytest.mark.parametrize(("place", "text"), HIDDEN)
def test_a_hidden_secret_stays_hidden_inside_json(place, text):
    line = json.dumps({"message": text.format(**VALUES)}).encode()
    shown = json.loads(R.json_lines(line))["message"]
    assert not [value for name, value in VALUES.items() if name in "RHP" and value in shown]
