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
def test_a_secret_in_a_real_place_is_hidden_in_text_and_inside_json(place, text):
    filled = text.format(**VALUES)
    shown = R.text(filled)
    in_json = json.loads(R.json_lines(json.dumps({"message": filled}).encode()))["message"]
    assert "[redacted:" in shown
    assert R.text(shown) == shown
    for value in (VALUES[name] for name in "RHP"):
        assert value not in shown
        assert value not in in_json


@pytest.mark.parametrize("text", CASES["kept"])
def test_a_harmless_line_comes_back_unchanged(text):
    assert R.text(text) == text
