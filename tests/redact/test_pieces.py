"""A provider's token that is cut in pieces, over lines, texts or turns."""

import base64
import json
from urllib.parse import quote

import pytest

from tests.redact.test_known import R

# Put together here, so that no scanner finds live-looking secrets in this file.
FIRST, SECOND = "gh" + "p_a1B2c3D4e5F6g7H8", "i9J0k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize(
    "text",
    [
        f"Set {FIRST}\n{SECOND} in the file.",
        f"export X={FIRST}\\\n{SECOND}",
        f'join = "{FIRST}" + "{SECOND}"',
        f"- {FIRST}\n- {SECOND}",
        f"The token begins with {FIRST} and goes on with `{SECOND}`.",
        f"{FIRST}-\n{SECOND}",
        f"{FIRST} {SECOND[:10]} {SECOND[10:]}",
        f"{FIRST} {'plain words ' * 40}{SECOND}",
    ],
)
def test_no_piece_stays_in_one_text(text):
    kept = R.text(text)
    assert not [one for one in (FIRST, SECOND, SECOND[:10], SECOND[10:]) if one in kept]
    assert R.text(kept) == kept


@pytest.mark.parametrize(
    "asked", ["The admin password is:", "See the log.\nDB_PASSWORD:", "What is the password?"]
)
def test_a_value_whose_name_ends_the_text_before_goes_from_all(asked):
    value = "Tr0ub4dor" + "&3x"
    texts = (asked, f"`{value}`", f"It took {value} at once.")
    assert not [one for one in R.contents(texts) if value in one]
    assert not [one for one in map(R.knowing(texts).text, texts) if value in one]


@pytest.mark.parametrize("said", ["Look at src/app2.py first.", "src/app2.py", "the one of CI"])
def test_what_follows_a_name_and_is_no_value_stays(said):
    texts = ("Which file holds the token?", said, "The password:", said)
    assert R.contents(texts) == texts


def test_pieces_in_the_texts_of_one_record_go_from_all_of_them():
    texts = (f"The token begins with {FIRST}", "as the page says,", f"and ends with {SECOND}")
    assert not [one for one in R.contents(texts) if FIRST in one or SECOND in one]
    knowing = R.knowing(texts)
    assert not [one for one in map(knowing.text, texts) if FIRST in one or SECOND in one]


def log_of(*texts):
    """Return the lines that a client writes of what was said, ids between the texts."""
    rows = [
        {
            "uuid": f"3f0c7a1e-1b2c-4d5e-8f90-0a1b2c3d4e{number:02d}",
            "message": {
                "id": f"msg_01AbC{number}dEfGh2JkLmN3pQr",
                "content": [{"type": "tool_result", "content": text}],
            },
        }
        for number, text in enumerate(texts)
    ]
    return "\n".join(map(json.dumps, rows))


@pytest.mark.parametrize("between", [[], ["and?"] * 9, ["src/tool42x/a1b2c3.py"], ["Said. " * 300]])
def test_pieces_in_the_values_of_a_log_go_whatever_is_between(between):
    said = (f"The token begins with {FIRST}", *between, f"{'It is long. ' * 90}Its end: {SECOND}")
    log = log_of(*said)
    kept = R.json_lines(log.encode()).decode()
    assert FIRST not in kept
    assert SECOND not in kept
    assert [json.loads(one)["message"]["id"] for one in kept.split("\n")] == [
        json.loads(one)["message"]["id"] for one in log.split("\n")
    ]
    document = R.text_or_json(json.dumps({"args": said, "result": {"out": said[-1]}}))
    assert FIRST not in document
    assert SECOND not in document
    assert not [one for one in R.contents(said) if FIRST in one or SECOND in one]


@pytest.mark.parametrize(
    "text",
    [
        "Use sk-learn 1.5 at commit a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0.",
        f"{FIRST} is no whole token, and nothing that follows is one.",
        f"{FIRST} {'plain words ' * 400}{SECOND}",
        "AKIA2345 and the file src/Ab3dEf6h.py of v1.2.3",
        f"{FIRST} in session 0a9c1f6e-95a1-4c86-8d3b-7b1f57d1f3ce at 9c1f6e2.",
        "The eyJhbGciOi header and x86_64-Linux2 differ.",
    ],
)
def test_what_only_begins_like_a_token_stays(text):
    assert R.text(text) == text


@pytest.mark.parametrize(
    "text",
    [
        base64.b64encode(f"x-access-token:{FIRST}{SECOND}".encode()).decode(),
        base64.urlsafe_b64encode(f"DB_PASSWORD={SECOND}\nPORT=1\n".encode()).decode().rstrip("="),
        "".join(f"%{ord(one):02X}" for one in FIRST + SECOND),
        f"https://example.org/?a=1&t=%67{FIRST[1:]}{SECOND}&b=2",
        f'"\\u0067{FIRST[1:]}{SECOND}"',
        f"'\\x67{FIRST[1:]}{SECOND}'",
        f"&#103;{FIRST[1:]}{SECOND}",
        base64.b64encode(f"{FIRST}{SECOND}".encode()).decode().replace("=", "%3D"),
    ],
)
def test_a_secret_that_is_encoded_goes(text):
    kept = R.text(f"It sent {text} there.")
    assert "[redacted:" in kept
    assert not [one for one in (text, FIRST[1:], SECOND) if one in kept]
    assert R.text(kept) == kept


def test_a_secret_found_once_goes_where_it_is_encoded():
    password = SECOND + "/=x"
    for form in (quote(password, safe=""), base64.b64encode(password.encode()).decode()):
        assert form.rstrip("=") not in R.text(f"password={password} then {form} again")


@pytest.mark.parametrize(
    "text",
    [
        base64.b64encode(b"a picture of the station, and nothing else").decode(),
        "https://example.org/%E2%82%AC/a%20long%20name%20of%20a%20page?x=%2Ftoken%2F",
        "src/components/authentication/TokenRefreshButtonWithAVeryLongName",
        "sha512-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08==",
        "\\u0061 and \\x41\\x42\\x43\\x44\\x45\\x46 &#65;&#66;&#999; %zz%41%42%43%44%45%46%47",
    ],
)
def test_what_holds_no_secret_when_it_is_decoded_stays(text):
    assert R.text(text) == text
