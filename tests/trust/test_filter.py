"""A repository cannot exempt values from the secret filter by itself."""

import json

from tests.conftest import git
from tests.trust.support import allow_everything

SECRET = "q7Zk2vX9" + "c4N4ryB8wT"
EXCEPT_CANARY = '[redact]\nallow = [{pattern = "(?!.*c4N4ry).*", reason = "test fixtures"}]\n'
ONE_VALUE = f'[redact]\nallow = [{{pattern = "{SECRET}", reason = "of the manual"}}]\n'


def committed(folder) -> str:
    return git(folder, "log", "-p", "--format=%B", "origin/main..HEAD")


def test_a_cloned_allowance_is_ignored_and_said(publish, cli):
    clone = publish({"calmkb.toml": EXCEPT_CANARY})
    provider = "gh" + "p_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz1B2"
    said = cli("wrapup", "--summary", f"Deployed with {provider} and DB_PASSWORD=hunter2Zk9Q.")
    assert said.code == 0, said.err
    assert provider not in committed(clone)
    assert "hunter2Zk9Q" not in committed(clone)
    assert "redact.allow" in said.err
    assert "not allowed on this machine" in said.err


def test_an_approved_allowance_holds_and_is_named_by_every_face(publish, cli):
    clone = publish({"calmkb.toml": ONE_VALUE})
    allow_everything()
    said = cli("wrapup", "--summary", f"The manual says API_KEY={SECRET} here.")
    assert said.code == 0, said.err
    assert SECRET in committed(clone)
    for shown in (said.err, cli("doctor").out, cli("check").out):
        assert "the secret filter spares values like" in shown
    findings = json.loads(cli("check", "--format", "json").out)["findings"]
    rows = findings if isinstance(findings, list) else findings["findings"]
    assert [row["rule"] for row in rows] == ["exempt-values"]


def test_a_changed_allowance_is_asked_about_again(publish, cli):
    clone = publish({"calmkb.toml": ONE_VALUE})
    allow_everything()
    other = SECRET[::-1]
    (clone / "calmkb.toml").write_text(ONE_VALUE.replace(SECRET, f"({SECRET}|{other})"))
    assert cli("wrapup", "--summary", f"API_KEY={SECRET} and API_KEY={other}.").code == 0
    assert SECRET not in committed(clone)
    assert other not in committed(clone)


def test_redact_shows_what_the_filter_really_does(publish, cli):
    clone = publish({"calmkb.toml": ONE_VALUE})
    (clone / "x.txt").write_text(f"API_KEY={SECRET}\n")
    assert SECRET not in cli("redact", "x.txt").out
    allow_everything()
    assert SECRET in cli("redact", "x.txt").out
