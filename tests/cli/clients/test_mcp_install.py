"""`calmkb agents mcp install`: one entry in somebody else's settings, nothing else changed."""

import json
import tomllib

import pytest

from calmkb.capture.settings.client_config import CLIENTS


def test_a_missing_file_is_made_and_a_second_time_changes_nothing(project, cli):
    said = cli("mcp", "install", "--project")
    assert said.code == 0, said.err
    path = project / ".mcp.json"
    assert json.loads(path.read_text()) == {
        "mcpServers": {"calmkb": {"command": "calmkb", "args": ["mcp"]}}
    }
    before = path.read_bytes()
    assert "already has it" in cli("mcp", "install", "--project").out
    assert path.read_bytes() == before


def test_other_servers_and_settings_stay_and_the_old_file_is_kept(home, project, cli):
    path = home / ".cursor/mcp.json"
    path.parent.mkdir()
    old = '{\n    "theme": "d\u00e4mmrig",\n    "mcpServers": {"x": {"command": "y"}}\n}\n'
    path.write_text(old)
    said = cli("mcp", "install", "--client", "cursor")
    settings = json.loads(path.read_text())
    assert list(settings) == ["theme", "mcpServers"]
    assert list(settings["mcpServers"]) == ["x", "calmkb"]
    assert path.read_text().startswith('{\n    "theme": "d\u00e4mmrig"')
    assert (path.parent / "mcp.json.bak").read_text() == old
    assert "takes effect when cursor restarts" in said.out


def test_comments_in_toml_stay(home, project, cli):
    path = home / ".codex/config.toml"
    path.parent.mkdir()
    path.write_text('# mine\nmodel = "x"  # good\n\n[mcp_servers.other]\ncommand = "y"\n')
    assert cli("mcp", "install", "--client", "codex").code == 0
    text = path.read_text()
    assert text.startswith('# mine\nmodel = "x"  # good\n')
    assert set(tomllib.loads(text)["mcp_servers"]) == {"other", "calmkb"}
    assert "already has it" in cli("mcp", "install", "--client", "codex").out


@pytest.mark.parametrize("text", ["{", "[]", '{"mcpServers": []}', "\xff"])
def test_a_file_that_is_not_what_it_should_be_is_left_alone(project, cli, text):
    path = project / ".mcp.json"
    path.write_bytes(text.encode("latin-1"))
    said = cli("mcp", "install", "--project")
    assert (said.code, "fix it by hand first" in said.err) == (1, True)
    assert path.read_bytes() == text.encode("latin-1")


def test_print_shows_and_changes_nothing(project, cli):
    assert '"calmkb"' in cli("mcp", "install", "--project", "--print").out
    assert not (project / ".mcp.json").exists()


@pytest.mark.parametrize(
    ("before", "kept"),
    [
        ('{"a": [1,2,   3],\r\n "mcpServers" : {"other": {}}}',
         '\r\n "mcpServers": {\r\n  "other": {},'),
        ('{\n\t"numbers": [1e3, 0.5],\n\t"name": "caf\\u00e9"\n}\n', '\t"name": "caf\u00e9"'),
        ('{"mcpServers": {"calmkb": {"command": "old"}, "z": {  }} }', '"z": {}}}'),
        ("{ }", "{"),
    ],
)  # fmt: skip
def test_every_other_value_of_a_json_file_stays_in_the_layout_of_its_file(before, kept):
    patch = CLIENTS["cursor"].patch
    after = patch(before, ["calmkb", "mcp"], "mcp.json")
    assert kept in after
    assert json.loads(after)["mcpServers"]["calmkb"] == {"command": "calmkb", "args": ["mcp"]}
    assert patch(after, ["calmkb", "mcp"], "mcp.json") == after
