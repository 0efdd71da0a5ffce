"""`calmkb redact`, the allow-list, and messages that must not carry what they met."""

import json
from pathlib import Path

import click

from calmkb.cli.base.common import run
from calmkb.errors import StoreError
from tests.trust.support import write_allowed

RANDOM = "q7Zk2vX9" + "Lm4Tn8Rw"


def test_a_file_is_printed_as_it_would_be_kept_with_the_rules_that_hit(project, cli):
    (project / "notes.txt").write_text(f"API_KEY={RANDOM} in /home/grace/x\n")
    said = cli("redact", "notes.txt")
    assert (said.code, said.out) == (0, "API_KEY=[redacted:assignment] in ~/x\n")
    assert said.err == "assignment: 1\n1 secret removed\n"


def test_the_counts_are_there_for_programs(project, cli):
    (project / "log.jsonl").write_text(json.dumps({"password": RANDOM}) + "\n")
    told = json.loads(cli("redact", "log.jsonl", "--json").out)
    assert told["hits"] == {"key": 1}
    assert json.loads(told["text"]) == {"password": "[redacted:key]"}


def test_a_listed_value_is_spared_and_no_other(project, cli):
    write_allowed(
        project,
        f'[redact]\nallow = [{{pattern = "{RANDOM}", reason = "of the manual"}}]\n',
    )
    (project / "x.txt").write_text(f"API_KEY={RANDOM}\nAPI_KEY={RANDOM}x\n")
    assert cli("redact", "x.txt").out == f"API_KEY={RANDOM}\nAPI_KEY=[redacted:assignment]\n"


def test_a_list_that_spares_everything_stops_every_write(project, cli):
    write_allowed(
        project,
        '[redact]\nallow = [{pattern = ".*", reason = "tired of it"}]\n',
    )
    said = cli("wrapup", "--summary", "Done.")
    assert (said.code, "'.*' under [redact] allow" in said.err) == (1, True)
    assert not (project / "journal").exists()


def test_error_messages_and_the_error_log_carry_no_secret(home: Path, capsys):
    @click.command()
    def refused() -> None:
        raise StoreError(f"cannot push to https://ada:{RANDOM}@git.example.org/x")

    @click.command()
    def broken() -> None:
        raise ZeroDivisionError(f"token={RANDOM}")

    assert (run(refused, []), run(broken, [])) == (1, 3)
    assert RANDOM not in capsys.readouterr().err
    assert RANDOM not in (home / ".calm/error.log").read_text()
