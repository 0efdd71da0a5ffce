"""Where a knowledge base is looked for, and what its settings may say."""

import re
from pathlib import Path

import pytest

from calmkb.config import Allowed, Config, find_root, load_config
from calmkb.errors import ConfigError


def look(cwd: Path, home: Path, option=None, **env):
    return find_root(option=option, env=env, cwd=cwd, home=home)


def test_the_nearest_folder_up_with_a_configuration_is_the_root(tmp_path, home):
    inner = tmp_path / "a/b/c"
    inner.mkdir(parents=True)
    (tmp_path / "calmkb.toml").touch()
    assert look(inner, home) == tmp_path
    (tmp_path / "a/pyproject.toml").write_text("[tool.calmkb]\n")
    assert look(inner, home) == tmp_path / "a"
    (tmp_path / "a/b/pyproject.toml").write_text("[tool.other]\n")
    assert look(inner, home) == tmp_path / "a"


def test_an_option_beats_the_environment_which_beats_the_folders(tmp_path, home):
    (tmp_path / "calmkb.toml").touch()
    assert look(tmp_path, home, CALMKB_KB="kb") == tmp_path / "kb"
    assert look(tmp_path, home, option="mine", CALMKB_KB="kb") == tmp_path / "mine"


def test_without_any_it_is_in_the_state_folder(tmp_path, home):
    assert look(tmp_path, home) == home / ".calm/kb"


def test_no_configuration_gives_the_defaults(tmp_path):
    assert load_config(tmp_path) == Config()


def test_settings_are_read(tmp_path):
    (tmp_path / "calmkb.toml").write_text('project = "shop"\n[reflect]\nduplicate = 1\n')
    config = load_config(tmp_path)
    assert (config.project, config.reflect.duplicate) == ("shop", 1.0)


def test_all_faults_of_a_file_are_told_at_once(tmp_path):
    (tmp_path / "calmkb.toml").write_text(
        'projct = "x"\njournal = 3\nexport = "x"\n[reflect]\ntheme = "high"\nx = 1\n'
    )
    with pytest.raises(ConfigError) as raised:
        load_config(tmp_path)
    told = str(raised.value)
    assert str(tmp_path / "calmkb.toml") in told
    for part in ("projct is unknown; choose from: project,", "journal must be text, not 3",
                 "export must be a table", "reflect.theme must be a number",
                 "reflect.x is unknown"):  # fmt: skip
        assert part in told


@pytest.mark.parametrize("value", ["../x", "/etc", "C:x", "", "a/../../b", "..\\\\x"])
def test_a_folder_outside_is_refused(tmp_path, value):
    (tmp_path / "calmkb.toml").write_text(f'journal = "{value}"\n')
    with pytest.raises(ConfigError, match="inside the knowledge base"):
        load_config(tmp_path)


def test_a_file_that_is_not_toml_is_named(tmp_path):
    (tmp_path / "calmkb.toml").write_text("project = \n")
    with pytest.raises(ConfigError, match=r"calmkb.toml cannot be read as TOML"):
        load_config(tmp_path)


def test_values_that_are_no_secrets_are_listed_with_their_reasons(tmp_path):
    (tmp_path / "calmkb.toml").write_text(
        '[redact]\nallow = [{pattern = "x+", reason = "of the manual"}]\n'
    )
    assert load_config(tmp_path).redact.allow == (Allowed("x+", "of the manual"),)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('allow = [{pattern = "x"}]', "redact.allow[1] needs both"),
        ('allow = [{pattern = "(", reason = "y"}]', "is not a regular expression"),
        ('allow = [{pattern = "x", reason = "y", who = "z"}]', "redact.allow[1].who is unknown"),
        ('allow = "x"', "redact.allow must be a list of"),
        ("deny = []", "redact.deny is unknown"),
    ],
)
def test_a_list_without_reasons_or_with_unknown_keys_is_refused(tmp_path, text, told):
    (tmp_path / "calmkb.toml").write_text(f"[redact]\n{text}\n")
    with pytest.raises(ConfigError, match=re.escape(told)):
        load_config(tmp_path)


@pytest.mark.parametrize("value", ["0", "true", "1.5", '"many"'])
def test_a_length_that_is_no_whole_number_above_zero_is_refused(tmp_path, value):
    (tmp_path / "calmkb.toml").write_text(f"[export]\nmax_tokens = {value}\n")
    with pytest.raises(ConfigError, match=r"export\.max_tokens"):
        load_config(tmp_path)


def test_agents_are_tables_of_their_own(tmp_path):
    (tmp_path / "calmkb.toml").write_text(
        '[agents.coding]\ncommand = "claude -p"\nformat = "claude-stream-json"\nmax_steps = 9\n'
        '[agents.log-analyzer]\ncommand = "analyse"\n'
    )
    agents = load_config(tmp_path).agents
    assert list(agents) == ["coding", "log-analyzer"]
    assert (agents["coding"].max_steps, agents["log-analyzer"].format) == (9, "lines")


def test_every_fault_of_an_agent_is_named(tmp_path):
    (tmp_path / "calmkb.toml").write_text(
        '[agents."a b"]\nformat = "xml"\n[agents.c]\ncommand = "x"\nseconds = -1\n'
    )
    with pytest.raises(ConfigError) as raised:
        load_config(tmp_path)
    for told in ("agents.a b is not a valid name", "agents.a b needs a command", "format is 'xml'",
                 "agents.c seconds must be above 0"):  # fmt: skip
        assert told in str(raised.value)
    (tmp_path / "calmkb.toml").write_text("agents = 3\n")
    with pytest.raises(ConfigError, match=r"\[agents.NAME\]"):
        load_config(tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        ".git",
        ".GIT",
        ".Git",
        ".git.",
        ".git ",
        ".git . .",
        ".git::$INDEX_ALLOCATION",
        "git~1",
        "GIT~2",
        ".g\u200cit",
        "\u200b.git",
        ".git\ufeff",
        ".gi\u202et",
    ],
)
@pytest.mark.parametrize("setting", ["journal = '{}'", "[export]\nfile = '{}'"])
def test_the_folder_of_git_is_no_place_however_it_is_spelt(tmp_path, name, setting):
    for path in (name, f"{name}/config", f"docs/{name}/x.md", f"docs\\{name}\\x.md"):
        (tmp_path / "calmkb.toml").write_text(setting.format(path), encoding="utf-8")
        with pytest.raises(ConfigError, match=r"(journal|export\.file) is '.*git keeps its own"):
            load_config(tmp_path)


@pytest.mark.parametrize("name", [".github", ".gitlab", "git", "legit", ".git-notes", "git~x"])
def test_a_name_that_only_begins_like_the_folder_of_git_is_a_place(tmp_path, name):
    (tmp_path / "calmkb.toml").write_text(f'journal = "{name}/journal"')
    assert load_config(tmp_path).journal == f"{name}/journal"
